"""The program from outside: help, exit codes, streams, JSON, refusals. PINION names the binary."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program import PINION, pinion

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERBS = ["demo", "prove", "verify", "params generate", "params check", "params info", "plugin list", "plugin describe",
         "config check", "config show", "config keys", "doctor"]


class Help(unittest.TestCase):
    def test_each_verb_explains_itself_with_an_example(self):
        for verb in VERBS:
            with self.subTest(verb):
                done = pinion(*verb.split(), "--help")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr, "")
                self.assertIn(f"Examples:\n  pinion {verb}", done.stdout)
                self.assertNotIn("FAMILY c1", done.stdout)

    def test_top_level_help_names_each_verb(self):
        text = pinion("--help").stdout
        for verb in VERBS:
            self.assertIn(f"\n  {verb.split()[0]} ", text)

    def test_version(self):
        done = pinion("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^pinion \d+\.\d+\.\d+\n$")

    def test_help_fits_a_wide_terminal(self):
        for verb in VERBS:
            longest = max(map(len, pinion(*verb.split(), "--help").stdout.splitlines()))
            self.assertLessEqual(longest, 140, verb)


class Streams(unittest.TestCase):
    def test_an_answer_that_does_not_arrive_is_no_success(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PINION, "config", "show"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 7)
        self.assertEqual(done.stderr, "pinion: standard output cannot be written: No space left on device\n")

    def test_a_closed_stream_is_not_given_to_another_file(self):
        command = '"$0" config show >&-; echo $?'
        done = subprocess.run(["sh", "-c", command, PINION], capture_output=True, text=True)
        self.assertEqual(done.stdout, "7\n")
        self.assertIn("standard output cannot be written: Bad file descriptor", done.stderr)

    def test_a_reader_that_leaves_ends_it_without_a_word(self):
        out, into = os.pipe()
        os.close(out)
        done = subprocess.run([PINION, "config", "show"], stdout=into, stderr=subprocess.PIPE, text=True)
        os.close(into)
        self.assertEqual((done.returncode, done.stderr), (7, ""))

    def test_a_thread_that_is_refused_is_a_lack_of_resources(self):
        if os.geteuid() != 0 or not shutil.which("setpriv"):
            self.skipTest("only root can become a user with no processes left")
        other = ["setpriv", "--reuid", "65533", "--clear-groups"]
        if subprocess.run([*other, "test", "-x", PINION]).returncode != 0:
            self.skipTest("the program lies where other users do not come")
        done = subprocess.run([*other, "prlimit", "--nproc=1", PINION, "config", "show"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("a thread was refused: look at 'ulimit -u'", done.stderr)

    def test_what_a_limit_cuts_off_is_an_error_of_the_write(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["sh", "-c", 'ulimit -f 0; "$0" config show >out', PINION], cwd=folder,
                                  stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 7)
        self.assertIn("standard output cannot be written: File too large", done.stderr)


class WrongCommandLine(unittest.TestCase):
    def assert_usage(self, args, *parts):
        done = pinion(*args)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertNotIn("\n\n", done.stderr)
        for part in parts:
            self.assertIn(part, done.stderr)

    def test_no_verb(self):
        self.assert_usage([], "pinion: 'pinion' needs a verb; there are: demo, prove", "see: pinion --help")
        self.assert_usage(["params"], "'pinion params' needs a verb; there are: generate, check, info")

    def test_misspelt_verb(self):
        self.assert_usage(["doctro"], "'pinion' has no verb doctro; did you mean doctor?")

    def test_misspelt_second_word(self):
        self.assert_usage(["config", "shwo"], "'pinion config' has no verb shwo; did you mean show?", "there are: check, show, keys")

    def test_unknown_flag(self):
        for args, parts in [
                (["doctor", "--jsno"], ["'pinion doctor' has no flag --jsno; did you mean --json?\nsee: pinion doctor --help\n"]),
                (["prove", "porep", "x", "--alocator=a"], ["has no flag --alocator; did you mean --allocator?\nsee: pinion prove --help\n"]),
                (["params", "generate", "porep", "--sise", "2KiB"], ["has no flag --sise; did you mean --size?\nsee: pinion params generate --help\n"]),
                (["doctor", "-json"], ["has no flag -json; did you mean --json?"]),
                (["params", "--bogus"], ["'pinion params' has no flag --bogus\nsee: pinion params --help\n"]),
                (["--bogus", "demo"], ["'pinion' has no flag --bogus\n"])]:
            with self.subTest(args):
                self.assert_usage(args, *parts)

    def test_missing_argument(self):
        self.assert_usage(["prove"], "FAMILY is required\nsee: pinion prove --help\n")
        self.assert_usage(["memory", "--status"], "--status needs a value\n")

    def test_one_argument_too_many_and_one_flag_twice(self):
        self.assert_usage(["prove", "porep", "x", "y", "z"], "'y' is one argument too many for 'pinion prove'\n")
        self.assert_usage(["prove", "porep", "x", "--out", "a", "--out", "b"], "--out is given more than once\n")

    def test_what_a_flag_says(self):
        whole = "a whole number from"
        for args, part in [
                (["prove", "porep", "x", "--partition", "-1"], f"--partition -1: {whole} 0 to 4294967295 is expected\nsee: pinion prove --help\n"),
                (["bench", "mixed", "--jobs", "0x10"], f"--jobs 0x10: {whole} 1 to 1000 is expected\nsee: pinion bench mixed --help\n"),
                (["ab", "a", "b", "--repetitions", "501"], f"--repetitions 501: {whole} 1 to 500"),
                (["ab", "a", "b", "--load", "bsy"], '--load: "bsy" is not one of idle, busy, both; did you mean busy?'),
                (["prove", "porep", "x", "--field", "a"], '--field "a": expected KEY=NUMBER or KEY=0xHEX'),
                (["bench", "mixed", "--kind", "proep-2k"], 'the kind "proep-2k"; did you mean porep-2k?; there are: porep-2k, '),
                (["bench", "mixed", "--family", "tin"], 'the family "tin"; there are: '),
                (["bench", "mixed", "--size", "2KB"], "no proof plugin here proves sectors of 2000B; 'pinion sector list' shows"),
                (["plugin", "describe", "alloc-heep"], "alloc-heap"),
                (["prove", "porep", "x", "--allocator", "alloc-heep"], "plugin alloc-heep (named by flag --allocator): no plugin "),
                (["config", "show", "--set", "memory.budget"], '--set "memory.budget": expected KEY=VALUE'),
                (["config", "show", "--set", "memory.budgt=1GiB"], 'memory.budgt: there is no such key; did you mean "memory.budget"?\n'),
                (["config", "show", "--set", "memory.thread=1"], 'did you mean "pipeline.threads"?\n'),
                (["config", "show", "--set", "memory.budget=1Gib"], 'did you mean "1GiB"?'),
                (["prove", "porep", "x", "--set", "plugin.backend-cpu.kernel=x"],
                 'plugin.backend-cpu.kernel = "x": backend-cpu declares no such option; did you mean "plugin.backend-cpu.kernels"?\n')]:
            with self.subTest(args):
                self.assert_usage(args, part)
        both = pinion("config", "show", "--set", "memory.budgt=1", env={"PINION_PIPELINE_THREADS": "many"})
        self.assertEqual(both.returncode, 3, "not all of it is the command line's")

    def test_family_without_size(self):
        self.assert_usage(["params", "check", "x"], "--size")


class Config(unittest.TestCase):
    # one fault each: text of the file, and what the message must say
    FAULTS = [
        ("[memory]\nbudgte = '1GiB'\n", ["2:1", "memory.budgte", "budget"]),
        ("[memroy]\nbudget = '1GiB'\n", ["memroy", "memory"]),
        ("[memory]\nbudget = '16Gib'\n", ["2:10", "memory.budget", "16GiB"]),
        ("[memory]\nbudget = 16\n", ["2:10", "memory.budget"]),
        ("[memory]\nmax_waste = 'much'\n", ["2:13", "memory.max_waste"]),
        ("[memory]\nevict_min_idle = '5 min'\n", ["2:18", "5m"]),
        ("[pipeline]\nthreads = -1\n", ["2:11", "pipeline.threads"]),
        ("[pipeline]\njob_format = 'witnes'\n", ["2:14", "witness"]),
        ("[plugins]\nproofs = 3.5\n", ["2:10", "plugins.proofs"]),
        ("[plugins]\nrequire_dma = 'yes'\n", ["2:15", "plugins.require_dma"]),
        ("[memory]\nbudget = '1GiB\n", ["2:"]),
        ("[memory]\nbudget = '1GiB'\nbudget = '2GiB'\n", ["3:"]),
        ("budget = '1GiB'\n", ["1:1", "budget"]),
    ]

    def test_each_fault_is_named_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "pinion.toml"
            for text, parts in self.FAULTS:
                with self.subTest(text):
                    path.write_text(text)
                    done = pinion("config", "check", "pinion.toml", cwd=folder)
                    self.assertEqual(done.returncode, 3, done.stderr)
                    for part in ["pinion.toml", *parts]:
                        self.assertIn(part, done.stderr)
                    problems = json.loads(pinion("config", "check", "pinion.toml", "--json", cwd=folder).stdout)
                    self.assertEqual(len(problems), 1)

    def test_all_faults_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "pinion.toml"
            path.write_text("[memory]\nbudgte = '1GiB'\nmax_waste = 'much'\n[pipeline]\nthreads = -1\n")
            done = pinion("config", "check", str(path), "--json")
            self.assertEqual([problem["line"] for problem in json.loads(done.stdout)], [2, 3, 5])

    def test_a_file_that_is_not_there(self):
        done = pinion("config", "show", "--config", "/nowhere/pinion.toml")
        self.assertEqual(done.returncode, 3)
        self.assertIn("/nowhere/pinion.toml", done.stderr)

    def test_the_shipped_example_is_valid(self):
        done = pinion("config", "check", str(ROOT / "examples" / "pinion.toml"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_show_says_where_each_value_came_from(self):
        done = pinion("config", "show", "--json", "--set", "memory.max_waste=0.5", env={"PINION_PIPELINE_THREADS": "3"})
        self.assertEqual(done.returncode, 0, done.stderr)
        shown = json.loads(done.stdout)
        self.assertEqual(shown["memory"]["max_waste"]["value"], 0.5)
        self.assertIn("--set", shown["memory"]["max_waste"]["origin"])
        self.assertEqual(shown["pipeline"]["threads"]["value"], 3)
        self.assertIn("PINION_PIPELINE_THREADS", shown["pipeline"]["threads"]["origin"])
        self.assertEqual(shown["memory"]["budget"]["origin"], "default")

    def test_what_show_prints_is_a_valid_configuration(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "shown.toml"
            path.write_text(pinion("config", "show").stdout)
            done = pinion("config", "check", str(path))
            self.assertEqual(done.returncode, 0, done.stderr)


class Documentation(unittest.TestCase):
    def test_every_key_is_documented_and_every_documented_key_is_there(self):
        text = (ROOT / "docs" / "operations.md").read_text()
        table = text[text.index("## All keys"):]
        documented = {line.split("`")[1] for line in table.splitlines() if line.startswith("| `")}
        keys = json.loads(pinion("config", "keys", "--json").stdout)
        self.assertEqual(documented, {key["key"] for key in keys})

    def test_every_exit_code_is_documented(self):
        header = (ROOT / "host" / "cli" / "exit.hpp").read_text()
        codes = [line.split("=")[1].split(",")[0].strip() for line in header.splitlines() if " = " in line and "," in line]
        text = (ROOT / "docs" / "operations.md").read_text()
        self.assertGreater(len(codes), 5)
        for code in codes:
            self.assertIn(f"\n| {code} |", text)


class Plugins(unittest.TestCase):
    def test_list_shows_what_was_built(self):
        done = pinion("plugin", "list", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        heap = {plugin["id"]: plugin for plugin in json.loads(done.stdout)["plugins"]}["alloc-heap"]
        self.assertEqual((heap["state"], heap["interfaces"]), ("found", ["pinion.allocator/1"]))

    def test_a_broken_plugin_is_listed_with_its_reason(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "bad.toml").write_text("manifest_version = 1\nid = 'bad'\nversion = '1.0.0'\nabi = '0.1'\n"
                                           "interfaces = ['pinion.allocator/1']\nlibrary = 'bad.so'\n")
            (path / "bad.so").write_text("not a library")
            (path / "half.toml").write_text("manifest_version = 1\nid = ")
            done = pinion("plugin", "list", "--json", "--plugin-path", folder)
            listed = json.loads(done.stdout)
            bad = [plugin for plugin in listed["plugins"] if plugin["id"] == "bad"][0]
            self.assertEqual(bad["state"], "refused")
            self.assertIn("bad.so", bad["reason"])
            self.assertIn("half.toml", listed["unreadable"][0]["manifest"])
            said = pinion("plugin", "list", "--plugin-path", folder, "--plugin-path", folder + "/absent")
            self.assertIn("half.toml:2", said.stdout)
            self.assertIn("absent (--plugin-path) was not searched: No such file", " ".join(said.stderr.split()))

    def test_describe(self):
        self.assertEqual(json.loads(pinion("plugin", "describe", "alloc-heap", "--json").stdout)["id"], "alloc-heap")

    def test_describe_a_proof_shows_its_kinds_and_fields(self):
        for plugin, kinds, fields in [
            ("proof-porep", 5, ["miner_id", "sector_number", "sector_size", "registered_proof"]),
            ("proof-snapdeals", 5, ["registered_proof", "comm_r_old", "comm_r_new", "comm_d_new", "sector_size"]),
            ("proof-post", 10, ["registered_proof", "randomness", "partition_index", "prover_id"])]:
            with self.subTest(plugin):
                manual = json.loads(pinion("plugin", "describe", plugin, "--json").stdout)
                self.assertEqual(len(manual["kinds"]), kinds)
                shown = pinion("plugin", "describe", plugin).stdout
                for field in fields:
                    self.assertIn(field, shown)
                for kind in manual["kinds"]:
                    self.assertIn(f"\n{kind['id']} ", shown)
                    for file in kind["files"]:
                        self.assertIn(f"\n  {file['name']}\n", shown)


class Refusals(unittest.TestCase):
    def test_an_existing_output_is_refused_before_any_work(self):
        with tempfile.TemporaryDirectory() as folder:
            out = pathlib.Path(folder) / "proof.bin"
            out.write_text("precious")
            done = pinion("prove", "anything", "/nowhere", "--out", str(out))
            self.assertEqual(done.returncode, 7)
            self.assertIn("nothing is overwritten", done.stderr)
            self.assertEqual(out.read_text(), "precious")

    def test_a_missing_input(self):
        done = pinion("prove", "porep", "/nowhere/c1.json")
        self.assertEqual(done.returncode, 4)
        self.assertIn("/nowhere/c1.json: no such file or folder", done.stderr)


class Width(unittest.TestCase):
    def test_what_people_look_at_fits_80_columns(self):
        # Names of files and folders are as long as they are.
        for command in [["doctor"], ["config", "keys"], ["sector", "list"], ["plugin", "list"], ["plugin", "describe", "proof-post"],
                        ["plugin", "describe", "backend-cpu"]]:
            for line in pinion(*command).stdout.splitlines():
                if "/" not in line and not line.startswith("  v28-"):
                    self.assertLessEqual(len(line), 80, f"{command}: {line}")

    def test_help_fits_80_columns(self):
        for verb in ["", *VERBS, "sector fake", "sector list", "memory", "bench mixed", "ab"]:
            for line in pinion(*verb.split(), "--help").stdout.splitlines():
                self.assertLessEqual(len(line), 80, f"{verb}: {line}")


class Doctor(unittest.TestCase):
    def test_the_last_line_counts(self):
        done = pinion("doctor")
        counts = {level: sum(line.startswith(level + "  ") for line in done.stdout.splitlines()) for level in ("pass", "warn", "FAIL")}
        self.assertEqual(done.stdout.splitlines()[-1],
                         f"{counts['pass']} pass, {counts['warn']} warn, {counts['FAIL']} fail: exit code {done.returncode}")

    def test_findings_are_data(self):
        done = pinion("doctor", "--json")
        document = json.loads(done.stdout)
        self.assertEqual(done.returncode, 1 if document["failures"] else 0)
        looked_at = {finding["what"] for finding in document["findings"]}
        self.assertLessEqual({"processor", "threads", "locked memory", "huge pages", "numa", "memory", "configuration"}, looked_at)

    def test_a_bad_configuration_is_a_failure_with_its_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "pinion.toml"
            path.write_text("[memory]\nbudgte = '1GiB'\n")
            done = pinion("doctor", "--config", str(path))
            self.assertEqual(done.returncode, 1)
            self.assertRegex(done.stdout, r"FAIL +configuration[^/]*/[^ ]*pinion\.toml:2:1")


if __name__ == "__main__":
    unittest.main()
