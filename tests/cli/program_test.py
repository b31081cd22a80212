"""The program from outside: configuration, plugins, doctor, and what the documentation says of it. PINION names the binary."""

import json
import os
import pathlib
import tempfile
import unittest

from program import pinion

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOUBLES = pathlib.Path(os.environ.get("BUILD", "")) / "tests" / "loader" / "doubles"


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
        ("[plugins]\nallocator = 'alloc-heep'\n", ["2:13", "did you mean \"alloc-heap\"?"]),
        ("[plugins]\nproofs = ['backend-cpu']\n", ["2:10", "does not offer pinion.proof/1"]),
        ("[plugin.alloc-pined]\nstrategy = 'mlock'\n", ["1:9", "there is no such plugin", "alloc-pinned"]),
        ("[plugin.alloc-pinned]\nstratgy = 'mlock'\n", ["2:11", "declares no such option", "strategy"]),
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

    def test_a_contradiction_has_both_sides_and_where_each_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.toml").write_text("[plugins]\nfallback = 'alloc-q'\n")
            done = pinion("config", "show", "--config", "a.toml", "--set", "plugins.allocator=alloc-q", cwd=folder)
        self.assertEqual((done.returncode, done.stderr),
                         (3, 'pinion: a.toml:2:12: plugins.fallback = "alloc-q": is the allocator itself, plugins.allocator = "alloc-q" '
                             '(flag --set); expected another, or "none"\n'))

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
            heap = {plugin["id"]: plugin for plugin in json.loads(pinion("plugin", "list", "--json").stdout)["plugins"]}["alloc-heap"]
            (path / "old.toml").write_text(pathlib.Path(heap["manifest"]).read_text().replace(
                f'version = "{heap["version"]}"', 'version = "9.9.9"').replace("alloc-heap.so", heap["library"]))
            (path / "alone.so").write_bytes(pathlib.Path(heap["library"]).read_bytes())
            done = pinion("plugin", "list", "--json", "--plugin-path", folder)
            listed = json.loads(done.stdout)
            bad = [plugin for plugin in listed["plugins"] if plugin["id"] == "bad"][0]
            self.assertEqual(bad["state"], "refused")
            self.assertIn("bad.so", bad["reason"])
            old = [plugin for plugin in listed["plugins"] if plugin["manifest"].endswith("/old.toml")][0]
            self.assertEqual(old["state"], "refused")
            self.assertIn('says "9.9.9"', old["reason"])
            self.assertIn("half.toml", listed["unreadable"][0]["manifest"])
            self.assertEqual(listed["without_manifest"], [str(path / "alone.so")])
            said = pinion("plugin", "list", "--plugin-path", folder, "--plugin-path", folder + "/absent")
            self.assertIn("half.toml:2", said.stdout)
            self.assertIn("alone.so: is not found as a plugin: no manifest names it", said.stdout)
            self.assertIn("absent (--plugin-path) was not searched: No such file", " ".join(said.stderr.split()))

    @unittest.skipUnless((DOUBLES / "bad-aborts.so").exists(), "the broken plugins of tests/loader are not built")
    def test_one_that_crashes_when_it_is_loaded_takes_nobody_with_it(self):
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "a.toml").write_text("[plugin.bad-aborts]\nx = 1\n")
            for verb in (["plugin", "describe", "bad-aborts"], ["config", "check", "a.toml"]):
                done = pinion(*verb, "--plugin-path", str(DOUBLES), cwd=folder)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn("bad-aborts.so cannot be loaded: doing so ended the process with signal 6", done.stderr)
            done = pinion("doctor", "--set", "plugins.allocator=bad-aborts", "--plugin-path", str(DOUBLES))
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("FAIL  plugin bad-aborts", done.stdout)

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
