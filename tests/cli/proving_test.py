"""The verbs that prove, on the toy plugins of tests/plugins, which follow a script. PINION: the binary; TOYS: their folder."""

import fcntl
import json
import subprocess
import time
import unittest

import program


class Proving(program.OnToys):
    def test_demo_makes_keys_once_and_proves_each_sample(self):
        first = self.pinion("demo", "--keys", "demo-keys", "--json")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("insecure", first.stderr)
        document = json.loads(first.stdout)
        self.assertEqual([(proof["kind"], proof["partitions"], proof["verified"]) for proof in document], [("toy-1k", 2, True)])
        self.assertGreater(document[0]["memory"]["charged_max"], 0)
        second = self.pinion("demo", "--keys", "demo-keys")
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertNotIn("Making test keys", second.stderr)
        for part in ["Stage", "synthesize", "verified", "sha256", "toy-backend", "alloc-heap", "charged at most"]:
            self.assertIn(part, second.stdout)
        self.assertRegex(second.stdout, r"\n1 proof, made through the plugins above from real inputs, and verified\. Next:")
        self.assertIn("demo-keys for the next time", " ".join(second.stdout.split()))

    def test_keys_are_never_overwritten(self):
        self.make_keys()
        before = (self.keys / "toy.params").read_bytes()
        done = self.pinion("params", "generate", "toy", "--size", "1KiB", "--out", "keys")
        self.assertEqual(done.returncode, 7)
        self.assertIn("toy.params", done.stderr)
        self.assertEqual((self.keys / "toy.params").read_bytes(), before)

    def test_the_folder_of_keys_is_made_but_not_those_above_it(self):
        done = self.pinion("params", "generate", "toy", "--size", "1KiB", "--out", "nowhere/keys")
        self.assertEqual(done.returncode, 7)
        self.assertIn("nowhere/keys: the folder cannot be made: No such file", done.stderr)
        done = self.pinion("params", "generate", "toy", "--size", "1KiB", "--out", "new-keys")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_keys_of_a_size_there_is_not(self):
        for family, size, message in [("toy", "2KiB", "there is no toy proof for sectors of 2KiB; there are: 1KiB"),
                                      ("toy", "2Kib", '"2Kib" is not a size; did you mean "2KiB"?'),
                                      ("toy", "1KB", "did you mean 1KiB?"), ("toy", "1.5", "is not a size"),
                                      ("toyy", "1KiB", 'did you mean "toy"?; there are: toy')]:
            for verb in (["generate", family, "--size", size, "--out", "keys"], ["check", family, "--size", size]):
                with self.subTest(verb):
                    done = self.pinion("params", *verb)
                    self.assertEqual(done.returncode, 2, done.stderr)
                    self.assertIn(message, done.stderr)

    def fake(self, *args):
        return self.pinion("sector", "fake", "toy", "--size", "1KiB", *args)

    def left_over(self):
        return [path.name for path in self.folder.iterdir() if path.name.startswith(".pinion")]

    def faking(self):
        """A run at work on a sector that it will not finish."""
        self.write_config(proof_script=["fake:*:hang"])
        child = self.start(*self.arguments("sector", "fake", "toy", "--size", "1KiB", "--out", "sector"),
                           stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while not any((self.folder / name).is_dir() for name in self.left_over()) and time.monotonic() < deadline:
            time.sleep(0.05)
        return child

    def test_what_a_killed_run_leaves_the_next_one_removes(self):
        child = self.faking()
        at_work = self.left_over()
        self.assertEqual(len(at_work), 1)
        self.write_config()
        self.assertEqual(self.fake("--out", "other").returncode, 0)
        self.assertEqual(self.left_over(), at_work)  # its maker lives
        child.kill()
        child.communicate()
        self.assertEqual(self.left_over(), at_work)
        self.assertEqual(self.fake("--out", "third").returncode, 0)
        self.assertEqual(self.left_over(), [])

    def test_a_sector_is_made_up(self):
        done = self.fake("--seed", "18446744073709551615", "--out", "sector", "--option", "colour=green", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual((document["kind"], document["files"], document["seed"]), ("toy-1k", 1, 2**64 - 1))
        self.assertEqual(document["facts"], {"seed": "18446744073709551615"})
        self.assertEqual((self.folder / "sector" / "seed").read_text(), "18446744073709551615 2 green")
        done = self.fake("--out", "second/")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("pinion prove toy second", done.stdout)
        self.assertEqual(self.left_over(), [])

    def test_what_stands_in_the_way_of_a_sector(self):
        (self.folder / "full").mkdir()
        (self.folder / "full" / "mine").write_text("mine")
        (self.folder / "dangling").symlink_to("nowhere")
        for name in ["full", "input", "dangling", "."]:
            done = self.fake("--out", name)
            self.assertEqual(done.returncode, 7, name)
            self.assertIn("is there already, and nothing is overwritten", done.stderr)
        self.assertEqual([path.name for path in (self.folder / "full").iterdir()], ["mine"])
        done = self.fake("--out", "nowhere/sector")
        self.assertEqual(done.returncode, 7)
        self.assertIn("nowhere: no such folder; make it first", done.stderr)
        for arguments, message in [
                (["--option", "color=red"], 'option color = "red": toy-1k declares no such option; did you mean "colour"?'),
                (["--option", "partitions=many"], 'option partitions = "many"'),
                (["--option", "colour=blue"], "red")]:
            done = self.fake("--out", "sector", *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertTrue(done.stderr.endswith("\n") and not done.stderr.endswith("\n\n"), done.stderr)
            self.assertIn(message, done.stderr)
        for arguments, message in [
                (["--seed", "18446744073709551616"], "from 0 to 18446744073709551615"),
                (["--seed", "-1"], "from 0 to 18446744073709551615"),
                (["--seed", "one"], "--seed one"),
                (["--option", "colour"], "KEY=VALUE is expected"),
                (["--option", "colour=red", "--option", "colour=green"], "given twice")]:
            done = self.fake("--out", "sector", *arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(message, done.stderr)
            self.assertNotIn("defect", done.stderr)
        done = self.pinion("sector", "fake", "toy", "--size", "2KiB", "--out", "sector")
        self.assertEqual(done.returncode, 2)
        self.assertIn("there are: 1KiB", done.stderr)
        self.assertFalse((self.folder / "sector").exists())
        self.assertEqual(self.left_over(), [])

    def test_a_sector_needs_a_name(self):
        done = self.fake("--out", "")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("--out: is empty; the name of a folder is expected", done.stderr)

    def test_sector_list(self):
        done = self.pinion("sector", "list")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--option colour=red", done.stdout)
        offered = json.loads(self.pinion("sector", "list", "--json").stdout)
        self.assertEqual((offered[0]["family"], offered[0]["sizes"]), ("toy", ["1KiB"]))
        self.assertEqual([option["key"] for option in offered[0]["options"]], ["partitions", "colour"])
        self.assertEqual(offered[0]["options"][1]["choices"], ["red", "green"])

    def test_params_check_and_info(self):
        done = self.pinion("params", "check", "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)[0]["state"]), (1, "absent"))
        self.make_keys()
        done = self.pinion("params", "check", "toy", "--size", "1KiB", "--json")
        self.assertEqual((done.returncode, json.loads(done.stdout)[0]["state"]), (0, "good"))
        self.assertEqual(json.loads(self.pinion("params", "info", "keys/toy.params", "--json").stdout), {"kind": "toy-1k"})
        done = self.pinion("params", "info", "input")
        self.assertEqual(done.returncode, 4)
        self.assertRegex(done.stderr, r"/input: no plugin recognises this file\n  toy-proof describe: .*/input is not toy keys")

    def test_unfinished_keys_are_named_with_what_to_do(self):
        partial = self.keys / "toy.params.partial"
        partial.write_bytes(b"x" * 2048)
        left = f"{partial}: 2.00 KiB, left by a run that was killed: remove it, or make this key again"
        self.assertIn(left, self.pinion("params", "check").stdout)
        self.assertIn(left, " ".join(self.pinion("doctor").stdout.split()))
        with partial.open() as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.assertIn("2.00 KiB, being written by another run now", self.pinion("params", "check").stdout)
            unfinished = json.loads(self.pinion("params", "check", "--json").stdout)[0]["unfinished"]
        self.assertEqual(unfinished, [{"name": "toy.params.partial", "bytes": 2048, "being_written": True}])

    def test_a_parameter_folder_that_is_none_is_said_to_be_none(self):
        self.assertIn("input: is not a folder", self.pinion("params", "check", "--params", "input").stderr)
        self.assertIn("FAIL  parameters", self.pinion("doctor", "--set", "params.dir=input").stdout)

    def test_a_proof_is_written_and_verifies_and_a_changed_one_does_not(self):
        self.make_keys()
        done = self.prove("--out", "proof.bin")
        self.assertEqual(done.returncode, 0, done.stderr)
        proof = (self.folder / "proof.bin").read_bytes()
        self.assertEqual(len(proof), 96)
        good = self.pinion("verify", "toy", "input", "proof.bin", "--field", "partitions=3", "--json")
        self.assertEqual((good.returncode, json.loads(good.stdout)["valid"]), (0, True))
        (self.folder / "bad.bin").write_bytes(proof[:-40] + bytes([proof[-40] ^ 1]) + proof[-39:])
        bad = self.pinion("verify", "toy", "input", "bad.bin", "--field", "partitions=3", "--json")
        self.assertEqual((bad.returncode, json.loads(bad.stdout)["valid"]), (6, False))
        bad = self.pinion("verify", "toy", "input", "bad.bin", "--field", "partitions=3")
        self.assertEqual(bad.returncode, 6)
        self.assertRegex(bad.stderr, r"pinion: bad.bin: toy-proof verify: .*: it is not a proof of input by the keys in .*/keys; is it of another")
        again = self.prove("--out", "proof.bin")
        self.assertEqual(again.returncode, 7)
        self.assertEqual((self.folder / "proof.bin").read_bytes(), proof)

    def test_one_partition_and_all_parts(self):
        self.make_keys()
        (self.folder / "parts").mkdir()
        done = self.prove("--parts", "--out", "parts", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "parts").iterdir()),
                         ["part-0.bin", "part-1.bin", "part-2.bin"])
        self.assertEqual(json.loads(done.stdout)["proof"], "")
        again = self.prove("--parts", "--out", "parts")
        self.assertEqual(again.returncode, 7)
        done = self.prove("--partition", "2", "--out", "two.bin", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([part["partition"] for part in json.loads(done.stdout)["parts"]], [2])
        self.assertEqual((self.folder / "two.bin").stat().st_size, 32)

    def test_status_is_json_in_a_file_and_on_standard_output(self):
        self.make_keys()
        self.assertEqual(self.prove("--status", "status.json").returncode, 0)
        status = json.loads((self.folder / "status.json").read_text())
        self.assertEqual(status["spaces"][0]["name"], "host")
        self.assertEqual(status["jobs"][-1]["state"], "completed")
        shown = self.prove("--status", "-", "--out", "proof.bin").stdout
        self.assertTrue(shown.lstrip().startswith("{"), shown)

    def test_each_failure_has_its_exit_code_and_leaves_no_file(self):
        self.make_keys()
        for script, code in [("open:1:invalid_input", 4), ("synthesize:*:out_of_memory", 5), ("verify_part:*:proof_invalid", 6),
                             ("synthesize:*:internal", 70), ("open:1:throw", 70)]:
            with self.subTest(script):
                self.write_config(proof_script=[script])
                done = self.prove("--out", "proof.bin")
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn("pinion: input: toy-proof open: scripted" if code == 4 else "scripted", done.stderr)
                self.assertFalse((self.folder / "proof.bin").exists())

    def test_what_can_never_fit_is_a_lack_of_memory(self):
        self.make_keys()
        done = self.prove("--field", "count=1000000", "--set", "memory.budget=2MiB")
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("whose budget is 2.00 MiB", done.stderr)
        self.assertIn("raise the budget, which comes from memory.budget = 2MiB (flag --set), or give", done.stderr)

    def test_more_threads_than_run_at_once_are_told(self):
        self.make_keys()
        done = self.prove("--set", "pipeline.threads=500")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("warning: pipeline.threads = 500 (flag --set), but", done.stderr)

    def test_a_part_that_does_not_verify_is_proved_again(self):
        self.make_keys()
        self.write_config(backend_script=["finish:1:flip"])
        done = self.prove("--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(part["attempts"] for part in json.loads(done.stdout)["parts"]), [1, 1, 2])

    def test_an_unknown_family_and_field_are_named(self):
        self.make_keys()
        for verb in (["prove", "toyy", "missing"], ["verify", "toyy", "missing", "missing"]):
            done = self.pinion(*verb)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn('the family "toyy"; did you mean "toy"?; there are: toy', done.stderr)
        done = self.pinion("prove", "toy", "input", "--field", "miner=1")
        self.assertEqual(done.returncode, 4)
        self.assertIn("miner", done.stderr)

    def test_a_backend_without_a_device_is_told_once(self):
        self.make_keys()
        done = self.prove("--set", "plugin.toy-backend.devices=0")
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"^pinion: no usable device; plugin toy-backend \(named by [^\n]*\) has no devices: the script says so[^\n]*\n$")
        done = self.prove("--backend", "toy-backend-b,toy-backend", "--set", "plugin.toy-backend-b.devices=0")
        self.assertEqual(done.returncode, 0, done.stderr)
        said = " ".join(done.stderr.split())
        self.assertEqual(said.count("the script says so"), 1)
        self.assertIn("warning: plugin toy-backend-b (named by flag --backend) has no devices: the script says so", said)

    def test_an_option_a_plugin_does_not_have(self):
        with (self.folder / "pinion.toml").open("a") as config:
            config.write("scirpt = []\n")
        done = self.prove()
        self.assertEqual(done.returncode, 3)
        self.assertIn("script", done.stderr)

    def test_doctor_shows_what_plugins_find(self):
        done = self.pinion("doctor", "--json")
        looked_at = [finding["what"] for finding in json.loads(done.stdout)["findings"]]
        self.assertIn("plugin toy-proof", looked_at)
        self.assertTrue(any(what.startswith("toy-backend: ") for what in looked_at), looked_at)

    def test_doctor_tries_whether_pinned_memory_is_pinned(self):
        def slab_findings(sees):
            self.write("pinion.toml", program.toys('budget = "256MiB"', 'allocator = "toy-pinned"', f'dir = "{self.keys}"',
                                                   f'[plugin.toy-backend]\nsees = "{sees}"'))
            done = self.pinion("doctor", "--json")
            return [finding for finding in json.loads(done.stdout)["findings"]
                    if finding["what"] == "toy-pinned for toy-backend device 0"]

        (lie,) = slab_findings("pageable")
        self.assertEqual(lie["level"], "warn")
        self.assertIn("states pinned memory, but toy device sees pageable memory", lie["found"])
        self.assertIn("toy-pinned", lie["fix"])
        (truth,) = slab_findings("pinned")
        self.assertEqual(truth["level"], "pass")
        for unknown in ("nothing", "failing", "garbage"):
            self.assertEqual(slab_findings(unknown), [])


if __name__ == "__main__":
    unittest.main()
