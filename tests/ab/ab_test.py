"""`pinion ab` as a person uses it, on the toy plugins of tests/plugins. PINION: the binary; TOYS: their folder."""

import json
import os
import signal
import subprocess
import time
import unittest

import program

PINNED = '[plugins]\nallocator = "toy-pinned"\n'
HEAP = '[plugins]\nallocator = "alloc-heap"\n'


class Ab(program.InFolder):
    def setUp(self):
        super().setUp()
        self.write("input", "a part nobody reads")
        self.write("toy.params", "toy keys")
        self.backend("")
        self.write("a.toml", HEAP)
        self.write("b.toml", PINNED)

    def backend(self, options):
        """The base that both sides share, with options of the backend."""
        self.write("pinion.toml", program.toys('budget = "512MiB"\nsafety_margin = "1MiB"', params=f'dir = "{self.folder}"',
                                               more=f"[plugin.toy-backend]\n{options}"))

    def arguments(self, *args):
        return ["ab", "a.toml", "b.toml", "--config", "pinion.toml", *args]

    def ab(self, *args):
        return program.pinion(*self.arguments(*args), cwd=self.folder)

    def test_a_run_prints_and_writes_what_it_found(self):
        (self.folder / "out").mkdir()
        done = self.ab("--job", "toy=input", "--field", "partitions=2", "--repetitions", "6", "--seed", "5", "--out", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        for part in ["A  a.toml, allocator alloc-heap (states pageable)", "B  b.toml, allocator toy-pinned (states pinned)", "(Hodges-Lehmann): it is not",
                     'plugins.allocator = "toy-pinned"', "seed 5", "toy input, idle, 6 pairs", "toy input, every core busy",
                     "not reported by toy-backend device 0", "A lent to toy input, stated pageable: ",
                     "B lent to toy input, stated pinned: ", "works in host memory", "hardly matter"]:
            self.assertIn(part, done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 80)
        self.assertEqual((self.folder / "out" / "ab.txt").read_text().strip(), done.stdout.strip())
        document = json.loads((self.folder / "out" / "ab.json").read_text())
        self.assertTrue(document["complete"])
        self.assertEqual(len(document["turns"]), 12)
        self.assertIn("</html>", (self.folder / "out" / "ab.html").read_text())
        again = self.ab("--job", "toy=input", "--repetitions", "1", "--out", "out")
        self.assertEqual(again.returncode, 7, again.stderr)  # nothing is overwritten

    def test_a_budget_that_holds_no_job_beside_the_load_is_said_and_not_waited_for(self):
        load = os.cpu_count() * 32 << 20  # bytes
        self.write("pinion.toml", program.toys(f'budget = "{2 * load}B"\nsafety_margin = "1MiB"', params=f'dir = "{self.folder}"',
                                               more="[plugin.toy-backend]\n"))
        count = load * 3 // 2 // 8
        done = self.ab("--job", "toy=input", "--field", f"count={count}", "--repetitions", "1")
        self.assertEqual(done.returncode, 5, done.stdout + done.stderr)
        self.assertIn("taken for as long as this runs", done.stderr)

    def test_both_files_are_checked_at_once(self):
        self.write("a.toml", '[plugins]\nalocator = "x"\n')
        self.write("b.toml", '[pipeline]\nthreads = "many"\n')
        done = self.ab()
        self.assertEqual(done.returncode, 3)
        self.assertIn("a.toml:2", done.stderr)
        self.assertIn("b.toml:2", done.stderr)

    def test_what_both_sides_share_may_not_differ(self):
        self.write("b.toml", "[pipeline]\nthreads = 1\n")
        done = self.ab()
        self.assertEqual(done.returncode, 3)
        self.assertIn("b.toml:2", done.stderr)
        self.assertIn("cannot differ within a comparison", done.stderr)

    def test_a_missing_file_or_plugin_or_family_is_named(self):
        (self.folder / "a.toml").unlink()
        self.write("b.toml", "[plugins\n")
        done = self.ab()
        self.assertEqual(done.returncode, 3)
        self.assertIn("a.toml: no such configuration file", done.stderr)
        self.assertIn("b.toml:1", done.stderr)
        self.write("a.toml", "")
        self.write("b.toml", '[plugins]\nallocator = "alloc-hope"\n')
        done = self.ab()
        self.assertEqual(done.returncode, 3)
        self.assertIn("named by b.toml:2", done.stderr)
        self.write("b.toml", "")
        self.assertEqual(self.ab("--job", "toi=input").returncode, 2)
        self.assertEqual(self.ab("--job", "toy").returncode, 2)
        self.assertEqual(self.ab("--job", "toy=nowhere").returncode, 4)
        self.assertEqual(self.ab("--repetitions", "0").returncode, 2)

    def test_equal_sides_are_said_to_be_equal(self):
        self.write("b.toml", HEAP)
        done = self.ab("--job", "toy=input", "--repetitions", "2", "--load", "idle", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertTrue(any("the same configuration" in warning for warning in document["warnings"]))
        self.assertTrue(any("at least 6" in warning for warning in document["warnings"]))
        self.assertFalse(any("allocator" in warning for warning in document["warnings"]))
        self.assertEqual(document["findings"][0]["total"]["verdict"], "too_few")

    def test_an_interrupt_leaves_a_report_marked_incomplete(self):
        (self.folder / "out").mkdir()
        running = self.start(*self.arguments("--job", "toy=input", "--repetitions", "500", "--json", "--out", "out"),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
        self.assertEqual(running.returncode, 130, err)
        document = json.loads(out)
        self.assertFalse(document["complete"])
        self.assertTrue(document["interrupted"])
        self.assertTrue(any(warning.startswith("interrupted by the operator after") for warning in document["warnings"]))
        self.assertRegex(err, r"interrupted: the report is of the \d+ of 500 pairs measured until then\n$")
        self.assertNotIn("side ", err)  # whose turn it was is nobody's fault
        self.assertTrue((self.folder / "out" / "ab.html").exists())

    def test_an_interrupt_before_anything_is_measured_is_no_failure_either(self):
        self.backend('script = ["start:*:hang"]')
        running = self.start(*self.arguments("--job", "toy=input", "--repetitions", "500"),
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(2)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
        self.assertEqual(running.returncode, 130, err)
        self.assertEqual(out, "")  # a report of nothing
        self.assertTrue(err.endswith("interrupted: 0 of 500 pairs were measured, so there is no report\n"), err)
        self.assertNotIn("pinion:", err)

    def test_what_fails_before_anything_is_measured_is_said_once_and_makes_no_report(self):
        self.backend('script = ["start:*:invalid_input"]')
        (self.folder / "out").mkdir()
        done = self.ab("--job", "toy=input", "--repetitions", "2", "--load", "idle", "--out", "out")
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertEqual(done.stderr.count("scripted"), 1, done.stderr)
        self.assertIn("pinion: toy input on side A: ", done.stderr)
        self.assertEqual(list((self.folder / "out").iterdir()), [])

    def test_what_fails_later_leaves_a_report_that_says_so_once(self):
        self.backend('script = ["start:10:invalid_input"]')
        done = self.ab("--job", "toy=input", "--repetitions", "9", "--load", "idle")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertEqual((done.stdout + done.stderr).count("scripted"), 1, done.stderr)
        self.assertRegex(done.stderr, r"pinion: ended after \d of 9 pairs: why is the report's first warning\n$")

    def test_a_device_that_sees_other_memory_than_stated_is_believed(self):
        self.backend('sees = "pageable"')
        done = self.ab("--job", "toy=input", "--repetitions", "1", "--load", "idle", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        witness = [one for one in document["sides"]["B"]["buffers"]["toy input"] if one["purpose"] == "witness"]
        self.assertEqual([(one["kind"], one["stated"], one["seen"]) for one in witness], [("pageable", "pinned", "pageable")])
        self.assertTrue(any("stated pinned, the device sees pageable" in warning for warning in document["warnings"]))


if __name__ == "__main__":
    unittest.main()
