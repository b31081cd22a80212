"""What is typed: help, and what is wrong with a command line. PINION names the binary."""

import unittest

from program import pinion

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

    def test_words_of_the_command_line_have_names_and_not_types(self):
        for verb in [*VERBS, "sector fake", "sector list", "ab", "bench mixed", "memory"]:
            self.assertNotIn("TEXT", pinion(*verb.split(), "--help").stdout, verb)

    def test_help_fits_80_columns(self):
        for verb in ["", *VERBS, "sector fake", "sector list", "memory", "bench mixed", "ab"]:
            for line in pinion(*verb.split(), "--help").stdout.splitlines():
                self.assertLessEqual(len(line), 80, f"{verb}: {line}")


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
        self.assert_usage(["doctro"], "'pinion' has no verb doctro; did you mean doctor?", "see: pinion --help")

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
                (["bench", "mixed", "--size", "2KB"], "no proof plugin here proves sectors of 2KB; 'pinion sector list' shows"),
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


if __name__ == "__main__":
    unittest.main()
