"""Ctrl-C: each verb ends in time, with exit code 130, and says what was stopped and what was kept. PINION, TOYS: as in program.py."""

import json
import signal
import subprocess
import threading
import unittest

import program


class Interrupt(program.OnToys):
    def interrupted(self, *args, later=None):
        """Interrupts it once a plugin says that it hangs, and again after `later` seconds; what it printed, and what it said from
        then on."""
        child = self.start(*self.arguments(*args, "--verbose"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        watchdog = threading.Timer(60, child.kill)
        watchdog.start()
        while "hangs in" not in (line := child.stderr.readline()):
            self.assertNotEqual(line, "", "it ended without having hung")
        for one in (signal.SIGINT, signal.SIGTERM):  # one wish may come as two, as that of timeout(1) does
            child.send_signal(one)
        if later:
            with self.assertRaises(subprocess.TimeoutExpired):
                child.wait(timeout=later)
            child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        watchdog.cancel()
        self.assertEqual(child.returncode, 130, err)
        return out, "".join(line + "\n" for line in err.splitlines() if not line.startswith(("debug: ", "info: ")))

    def left_over(self):
        return sorted(path.name for path in self.folder.rglob("*") if path.name.startswith(".pinion") or path.suffix == ".partial")

    def test_prove(self):
        self.make_keys()
        self.write_config(backend_script=["start:*:hang"])
        out, err = self.interrupted("prove", "toy", "input", "--out", "proof.bin", "--status", "status.json", "--trace", "trace.json")
        self.assertEqual((out, err), ("", "interrupted: input is not proven, and nothing was written but the status\nthe trace is in trace.json\n"))
        self.assertFalse((self.folder / "proof.bin").exists())
        self.assertEqual(json.loads((self.folder / "status.json").read_text())["jobs"][-1]["state"], "cancelled")
        self.assertIn("start", {event["name"] for event in json.loads((self.folder / "trace.json").read_text())["traceEvents"]})
        _, err = self.interrupted("prove", "toy", "input")
        self.assertEqual(err, "interrupted: input is not proven, and nothing was written\n")

    def test_an_interrupt_repeated_later_ends_even_a_plugin_that_never_looks(self):
        self.make_keys()
        self.write_config(backend_script=["start:*:deaf"])
        self.assertEqual(self.interrupted("prove", "toy", "input", later=2.5), ("", ""))

    def test_verify(self):
        self.make_keys()
        self.assertEqual(self.prove("--out", "proof.bin").returncode, 0)
        self.write_config(proof_script=["verify:*:hang"])
        _, err = self.interrupted("verify", "toy", "input", "proof.bin", "--field", "partitions=3")
        self.assertEqual(err, "interrupted: proof.bin is neither verified nor refused\n")

    def test_making_keys(self):
        self.write_config(proof_script=["generate:*:hang"])
        _, err = self.interrupted("params", "generate", "toy", "--size", "1KiB", "--out", "new")
        self.assertEqual(err, "interrupted: no keys were made, and what was begun in new is removed\n")
        self.assertFalse((self.folder / "new").exists())
        _, err = self.interrupted("demo", "--keys", "new")
        self.assertRegex(err, r"interrupted: 0 of 1 proofs were made; only whole keys stay in .*/new\n$")
        self.assertEqual(self.left_over(), [])

    def test_checking_keys(self):
        self.make_keys()
        self.write_config(proof_script=["check:*:hang"])
        out, err = self.interrupted("params", "check")
        self.assertRegex(out, r"\ntoy-1k +interrupted ")
        self.assertRegex(err, r"^interrupted: 1 of \d kinds were not looked at to the end\n$")

    def test_a_sector(self):
        self.write_config(proof_script=["fake:*:hang"])
        _, err = self.interrupted("sector", "fake", "toy", "--size", "1KiB", "--out", "sector")
        self.assertEqual(err, "interrupted: sector was not made, and what was begun is removed\n")
        self.assertFalse((self.folder / "sector").exists())
        self.assertEqual(self.left_over(), [])

    def test_standard_input_that_never_ends(self):
        self.make_keys()
        for verb in (["prove", "toy", "-"], ["verify", "toy", "-", "input"], ["verify", "toy", "input", "-"]):
            child = self.start(*self.arguments(*verb), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            child.stdin.write("some")
            child.stdin.flush()
            with self.assertRaises(subprocess.TimeoutExpired):
                child.wait(timeout=0.5)
            child.send_signal(signal.SIGINT)
            child.wait(timeout=10)  # its input is still open
            self.assertEqual((child.returncode, child.stderr.read()), (130, "interrupted: standard input was not read to its end\n"))
            for stream in (child.stdin, child.stdout, child.stderr):
                stream.close()

    def test_demo(self):
        self.write_config(backend_script=["start:*:hang"])
        out, err = self.interrupted("demo", "--keys", "new")
        self.assertEqual(out, "")
        self.assertRegex(err, r"interrupted: 0 of 1 proofs were made; only whole keys stay in .*/new\n$")
        self.assertTrue((self.folder / "new" / "toy.params").exists())

    def test_a_bench_says_what_was_done_and_one_line_of_what_was_stopped(self):
        mixed = ["bench", "mixed", "--size", "1KiB", "--keys", "new", "--jobs", "30"]
        self.write_config(backend_script=["start:1:hang"])
        out, err = self.interrupted(*mixed)
        self.assertRegex(err, r"interrupted: \d+ of 30 jobs were proven, the others were stopped\n$")
        self.write_config(backend_script=["start:*:hang"])
        out, err = self.interrupted(*mixed)
        self.assertEqual((out, err), ("", "interrupted: 0 of 30 jobs were proven, the others were stopped\n"))
        out, err = self.interrupted(*mixed, "--json")
        self.assertEqual([(kind["jobs"], kind["failures"], kind["stopped"]) for kind in json.loads(out)["kinds"]], [(0, [], 30)])


if __name__ == "__main__":
    unittest.main()
