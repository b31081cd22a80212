"""Where the program reads and writes: standard streams that are full, closed or gone, and '-' in the place of a file. PINION, TOYS: as
in program.py."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

import program
from program import PINION, clean_environment

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


class Dash(program.OnToys):
    """'-' is standard output where a file is written, and standard input where one is read."""

    def run_bytes(self, *args, given=b""):
        done = subprocess.run([PINION, *self.arguments(*args)], capture_output=True, cwd=self.folder, env=clean_environment(), input=given,
                              timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def setUp(self):
        super().setUp()
        self.make_keys()

    def tearDown(self):
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["input", "keys", "pinion.toml"])  # no file named -

    def test_a_proof_goes_to_standard_output_alone_and_is_read_from_standard_input(self):
        proved = self.run_bytes("prove", "toy", "input", "--out", "-")
        self.assertEqual(len(proved.stdout), 32)
        self.assertIn(b"32 bytes, verified", proved.stderr)
        self.assertNotIn(b"written", proved.stderr)
        checked = self.run_bytes("verify", "toy", "input", "-", given=proved.stdout)
        self.assertIn(b"-: 32 bytes, valid for input\n", checked.stdout)
        self.assertEqual(len(self.run_bytes("prove", "toy", "-", "--out", "-", given=b"a part nobody reads").stdout), 32)

    def test_status_and_trace(self):
        status = self.run_bytes("prove", "toy", "input", "--status", "-")
        self.assertEqual(json.loads(status.stdout)["ready"], True)
        self.assertIn(b"verified", status.stderr)
        self.assertIn(b"host  ", self.memory(status.stdout).stdout)
        trace = self.run_bytes("prove", "toy", "input", "--trace", "-")
        self.assertIn("traceEvents", json.loads(trace.stdout))

    def memory(self, given):
        return subprocess.run([PINION, "memory", "--status", "-"], input=given, capture_output=True, env=clean_environment(), timeout=60)

    def test_one_thing_fits_standard_output(self):
        for flags, both in ((["--out", "-", "--status", "-"], "--out and --status both want standard output; name another file"),
                            (["--trace", "-", "--out", "-"], "--out and --trace both want standard output"),
                            (["--status", "-", "--json"], "--json and --status both want standard output"),
                            (["--trace", "x", "--out", "./keys/../x"], "--out and --trace both want x; name another file for one")):
            done = self.prove(*flags)
            self.assertEqual((done.returncode, done.stdout), (2, ""), flags)
            self.assertIn(both, done.stderr)
        done = self.pinion("verify", "toy", "-", "-")
        self.assertEqual(done.returncode, 2)
        self.assertIn("INPUT and PROOF are both '-'", done.stderr)

    def test_a_proof_is_not_for_a_terminal(self):
        try:
            leader, follower = os.openpty()
        except OSError as error:
            self.skipTest(f"this machine has no pseudo-terminals: {error}")  # a chroot without /dev/pts
        done = subprocess.run([PINION, *self.arguments("prove", "toy", "input", "--out", "-")], stdout=follower, stderr=subprocess.PIPE,
                              cwd=self.folder, env=clean_environment(), text=True, timeout=60)
        os.close(leader)
        os.close(follower)
        self.assertEqual((done.returncode, done.stderr),
                         (7, "pinion: --out -: standard output is a terminal, and a proof is bytes; send it to a file or a pipe\n"))

    def test_a_folder_is_no_stream(self):
        for verb in (["sector", "fake", "toy", "--size", "1KiB", "--out", "-"], ["params", "generate", "toy", "--size", "1KiB", "--out", "-"],
                     ["demo", "--keys", "-"], ["bench", "mixed", "--keys", "-"], ["ab", "input", "input", "--out", "-"]):
            done = self.pinion(*verb)
            self.assertEqual(done.returncode, 2, verb)
            self.assertIn(": '-' is a standard stream, and a folder is expected; './-' is one by that name\n", done.stderr)
        self.assertEqual(self.prove("--parts", "--out", "-").returncode, 7)

    def test_what_is_no_status_is_told_with_its_place(self):
        for text, what in [("# a configuration\n", "standard input:1:1: not JSON; 'pinion prove --status FILE'"),
                           ('{\n  "spaces": [}\n', "standard input:2:14: not JSON; "), ('{"spaces": [', "standard input:1:13: the JSON ends too early; "),
                           ("", "standard input:1:1: the JSON ends too early; "), ("[]", "standard input:1:1: JSON, but not an object; "),
                           ("{}", '-: the document: a key "spaces" is expected; '), ('{"spaces": 3}', "-: spaces: a list is expected; "),
                           ('{"spaces": [{"by_purpose": {"x": -1}}]}', "-: spaces[0].by_purpose.x: a number of bytes is expected; ")]:
            done = self.memory(text.encode())
            self.assertEqual((done.returncode, done.stdout), (4, b""), text)
            self.assertIn(what, done.stderr.decode())
            self.assertNotIn("json.exception", done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
