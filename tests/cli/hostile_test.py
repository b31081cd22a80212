"""The program where something is missing, full or named to deceive: a machine without /proc, a full disk, outputs that cannot be
written, names with control characters. PINION: the binary; TOYS: the folder of the toy plugins."""

import json
import os
import shutil
import subprocess
import unittest

import program
from program import PINION, clean_environment

ODD = "a\x1b[31m\npinion: forged\x07\u202e\udcff"  # escapes, a line of its own, a bell, right to left, not UTF-8


def can_mount():
    """Whether this user may mount in a namespace of its own."""
    if not shutil.which("unshare"):
        return False
    return subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True).returncode == 0


@unittest.skipUnless(can_mount(), "this user may not mount, not even in a namespace of its own")
class Mounts(program.InFolder):
    def run_with(self, mount, *args):
        """Runs it with something mounted first, which nobody else sees."""
        command = ["unshare", "-rm", "sh", "-c", f'{mount} && exec "$@"', "sh", PINION, *args]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=clean_environment(), timeout=120)

    def test_without_proc_it_says_what_to_do(self):
        for mount in ("mount -t tmpfs none /proc", "mount -t tmpfs -o mode=000 none /proc"):
            for verb in (["prove", "porep", "x"], ["params", "check"], ["demo", "--keys", "keys"]):
                done = self.run_with(mount, *verb)
                self.assertEqual(done.returncode, 3, (verb, done.stderr))
                self.assertIn("/proc/meminfo cannot be read", done.stderr)
                self.assertIn("mount /proc", done.stderr)
            shown = self.run_with(mount, "config", "show")
            self.assertEqual(shown.returncode, 0, shown.stderr)
            self.assertIn("# memory budget here: /proc/meminfo cannot be read", shown.stdout)
            self.assertEqual(self.run_with(mount, "doctor").returncode, 1)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_a_disk_too_full_for_keys_is_no_fault_of_the_configuration_and_leaves_nothing(self):
        (self.folder / "disk").mkdir()
        mount = "mount -t tmpfs -o size=1m none disk && trap 'ls -A disk >&2' EXIT && set -- run \"$@\" && run() { \"$@\"; } && \"$@\"; exit"
        for verb in (["params", "generate", "winning", "--size", "2KiB", "--out", "disk/keys"], ["demo", "--keys", "disk/a/b"]):
            done = self.run_with(mount, *verb)
            self.assertEqual(done.returncode, 7, done.stderr)
            self.assertRegex(done.stderr, r"disk/.*\.params\.partial: cannot take \d+ bytes: No space left on device: \d+ are free; make room there, or choose a folder on another disk\n$")

    def test_a_full_disk_is_noticed_before_the_work(self):
        (self.folder / "disk").mkdir()
        mount = "mount -t tmpfs -o size=4k,nr_inodes=64 none disk && { head -c 4096 /dev/zero >disk/full; true; }"
        for flag in ("--out", "--trace", "--status"):
            done = self.run_with(mount, "prove", "porep", "nowhere", flag, "disk/x")
            self.assertEqual(done.returncode, 7, (flag, done.stderr))
            self.assertIn("disk/x: cannot be written: No space left on device", done.stderr)

    def test_a_read_only_folder_is_noticed_before_the_work(self):
        (self.folder / "disk").mkdir()
        for args in (["prove", "porep", "nowhere", "--out", "disk/x"], ["prove", "porep", "nowhere", "--status", "disk/x"],
                     ["demo", "--trace", "disk/x"], ["sector", "fake", "porep", "--size", "2KiB", "--out", "disk/x"],
                     ["params", "generate", "winning", "--size", "2KiB", "--out", "disk"]):
            done = self.run_with("mount -t tmpfs -o ro none disk", *args)
            self.assertEqual(done.returncode, 7, (args, done.stderr))
            self.assertIn("Read-only file system", done.stderr)


class Outputs(program.InFolder):
    def setUp(self):
        super().setUp()
        self.write("input", "a part nobody reads")
        (self.folder / "keys").mkdir()
        scripts = '[plugin.toy-proof]\nscript = []\n[plugin.toy-backend]\nscript = []'
        self.write("pinion.toml", program.toys('budget = "256MiB"', params='dir = "keys"', more=scripts))
        made = self.run_pinion("params", "generate", "toy", "--size", "1KiB", "--out", "keys", "--toxic-label", "x")
        self.assertEqual(made.returncode, 0, made.stderr)

    def run_pinion(self, *args, **more):
        return program.pinion(*args, "--config", "pinion.toml", cwd=self.folder, **more)

    def prove(self, *args):
        return self.run_pinion("prove", "toy", "input", *args)

    def test_what_cannot_be_written_is_refused_before_the_work(self):
        for flag, name, reason in [("--trace", "nowhere/x", "no such folder"), ("--trace", "input/x", "no such folder"),
                                   ("--trace", "input", "nothing is overwritten"), ("--status", "nowhere/x", "no such folder"),
                                   ("--status", "/dev/null", "not a regular file"), ("--status", "keys", "not a regular file"),
                                   ("--out", "/proc/x", "cannot be written"), ("--trace", "/proc/x", "cannot be written"),
                                   ("--status", "/proc/x", "cannot be written")]:
            done = self.prove(flag, name, "--out", "proof.bin") if flag != "--out" else self.prove(flag, name)
            self.assertEqual(done.returncode, 7, (flag, name, done.stderr))
            self.assertIn(reason, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
            self.assertFalse((self.folder / "proof.bin").exists())
        self.assertTrue(os.path.exists("/dev/null") and not os.path.isfile("/dev/null"))
        self.write("status.json", "an older one")
        self.assertEqual(self.prove("--status", "status.json").returncode, 0)
        self.assertEqual(json.loads((self.folder / "status.json").read_text())["ready"], True)
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["input", "keys", "pinion.toml", "status.json"])

    def test_what_could_not_be_written_after_all_is_no_success(self):
        # A trace larger than files may be: the probe of one byte went well.
        done = subprocess.run(["prlimit", "--fsize=1000", PINION, "prove", "toy", "input", "--trace", "trace.json", "--config",
                               "pinion.toml"], capture_output=True, text=True, cwd=self.folder, env=clean_environment())
        self.assertEqual(done.returncode, 7, done.stderr)
        self.assertIn("warning: --trace: trace.json: cannot be written: File too large", done.stderr)
        self.assertIn("verified", done.stdout)
        self.assertFalse((self.folder / "trace.json").exists())

    def test_a_folder_made_for_keys_that_were_not_made_is_taken_away(self):
        self.write("pinion.toml", (self.folder / "pinion.toml").read_text().replace(
            "[plugin.toy-proof]\nscript = []", "[plugin.toy-proof]\nscript = ['generate:*:unsupported']"))
        for verb, inner in ((["params", "generate", "toy", "--size", "1KiB", "--out", "new"], "new"), (["demo", "--keys", "x/y"], "x")):
            done = self.run_pinion(*verb)
            self.assertNotEqual(done.returncode, 0, done.stdout)
            self.assertIn("scripted", done.stderr)
            self.assertFalse((self.folder / inner).exists())
        (self.folder / "mine").mkdir()
        self.run_pinion("params", "generate", "toy", "--size", "1KiB", "--out", "mine")
        self.assertTrue((self.folder / "mine").is_dir())

    def test_options_of_plugins_are_set_by_flags_and_slips_are_told(self):
        for key, message in [("plugin.toy-prof.script", 'plugin.toy-prof: there is no such plugin; did you mean "toy-proof"?; there are: '),
                             ("plugin.toy-proof.scirpt", 'plugin.toy-proof.scirpt = "open:1:invalid_input": toy-proof declares no such '
                                                         'option; did you mean "plugin.toy-proof.script"?'),
                             ("plugin.toy-proof", "an option of a plugin is written plugin.ID.KEY")]:
            done = self.prove("--set", key + "=open:1:invalid_input")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("flag --set: ", done.stderr)
            self.assertIn(message, done.stderr)
        (self.folder / "of_toys.toml").write_text("[plugin.toy-proof]\nscirpt = []\n")
        for path, message in [([], "there is no such plugin"), (["--plugin-path", program.TOYS], 'did you mean "script"?')]:
            self.assertIn(message, program.pinion("config", "check", "of_toys.toml", *path, cwd=self.folder).stderr)
        done = self.prove("--set", "plugin.toy-proof.script=open:1:invalid_input")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("scripted", done.stderr)


class Names(program.InFolder):
    """Whatever a person or a file says, a terminal obeys nothing of it and no line of ours is forged."""

    def assert_tame(self, *args, **more):
        done = subprocess.run([PINION, *args], capture_output=True, cwd=self.folder, env=clean_environment(**more), timeout=120)
        for stream in (done.stdout, done.stderr):
            text = stream.decode("utf-8")  # throws where it is not
            self.assertNotIn("\npinion: forged", text, args)
            for character in text:
                self.assertTrue(character == "\n" or character.isprintable(), (args, text))
        return done

    def test_names_on_the_command_line(self):
        odd = self.folder / ODD
        odd.mkdir()
        (odd / ODD).write_text("x")
        file = str(odd / ODD)
        for args in ([ODD], ["config", ODD], ["doctor", "--" + ODD], ["config", "check", file], ["config", "check", file + "x"],
                     ["config", "show", "--config", file], ["config", "show", "--set", ODD], ["config", "show", "--set", ODD + "=1"],
                     ["config", "show", "--set", f"memory.{ODD}=1"], ["config", "show", "--set", "memory.budget=" + ODD],
                     ["config", "show", "--set", "params.dir=" + ODD], ["config", "show", "--set", f"plugin.{ODD}.{ODD}={ODD}"],
                     ["prove", ODD, "x"], ["prove", "porep", file], ["prove", "porep", str(odd)], ["prove", "porep", file + "x"],
                     ["prove", "porep", "x", "--out", file], ["prove", "porep", "x", "--trace", file], ["prove", "porep", "x", "--status", str(odd)],
                     ["prove", "porep", "x", "--out", file + "/x"], ["prove", "porep", file, "--field", ODD], ["prove", "porep", file, "--field", ODD + "=1"],
                     ["prove", "porep", file, "--partition", ODD], ["prove", "porep", file, "--backend", ODD], ["prove", "porep", file, "--allocator", ODD],
                     ["prove", "porep", file, "--params", file], ["verify", "porep", file, file], ["params", "info", file], ["params", "info", file + "x"],
                     ["params", "check", "--params", file], ["params", "check", "porep", "--size", ODD], ["params", "check", "porep", "--size", "2KiB", "--params", file],
                     ["params", "generate", ODD, "--size", "2KiB", "--out", "k"], ["params", "generate", "porep", "--size", "2KiB", "--out", file],
                     ["sector", "fake", "porep", "--size", "2KiB", "--out", file], ["sector", "fake", "porep", "--size", "2KiB", "--out", "s", "--option", ODD + "=1"],
                     ["sector", "fake", "porep", "--size", "2KiB", "--out", "s", "--seed", ODD], ["plugin", "describe", ODD], ["plugin", "list", "--plugin-path", file],
                     ["plugin", "list", "--plugin-path", str(odd)], ["memory", "--status", file], ["memory", "--status", file + "x"], ["ab", file, file],
                     ["bench", "mixed", "--kind", ODD], ["bench", "mixed", "--family", ODD], ["demo", "--keys", file], ["doctor", "--set", "params.dir=" + file],
                     ["config", "show", "--json", "--set", "params.dir=" + ODD]):
            with self.subTest(args):
                self.assert_tame(*args)

    def test_an_odd_name_is_told_in_full(self):
        done = self.assert_tame("params", "info", ODD)
        self.assertEqual(done.stderr.decode(), r'pinion: "a\u001b[31m\npinion: forged\u0007\u202e\xff": no such file' + "\n")

    def test_text_in_files_of_others(self):
        odd = ODD.replace("\udcff", "")
        in_toml = json.dumps(odd, ensure_ascii=True)
        self.write("a.toml", f"[memory]\n{in_toml} = 1\n[{in_toml}]\nx = 1\n[plugin.{in_toml}]\n{in_toml} = {in_toml}\n[plugins]\nproofs = [{in_toml}, {in_toml}]\n"
                             f"[pipeline]\njob_format = {in_toml}\n{in_toml} = {in_toml}\n")
        done = self.assert_tame("config", "check", "a.toml")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr.count(b"\n"), 8, done.stderr)  # seven problems and their sum
        self.write("b.toml", f"[plugin.{in_toml}]\n{in_toml} = {in_toml}\n[params]\ndir = {in_toml}\n")
        shown = self.assert_tame("config", "show", "--config", "b.toml")
        (self.folder / "c.toml").write_bytes(shown.stdout)
        again = json.loads(self.assert_tame("config", "show", "--json", "--config", "c.toml").stdout)
        self.assertEqual(again["params"]["dir"]["value"], odd)
        self.assertEqual(again["plugin"][odd][odd]["value"], odd)
        self.assert_tame("doctor", "--config", "b.toml")
        manifest = f"manifest_version = 1\nid = {in_toml}\nversion = {in_toml}\nabi = {in_toml}\ninterfaces = [{in_toml}]\nlibrary = {in_toml}\n{in_toml} = 1\n"
        self.write("bad.toml", manifest)
        self.assert_tame("plugin", "list", "--plugin-path", ".")
        self.write("bad.toml", f"manifest_version = 1\nid = 'bad'\nversion = {in_toml}\nabi = '0.1'\ninterfaces = [{in_toml}]\nlibrary = {in_toml}\n")
        self.assert_tame("plugin", "list", "--plugin-path", ".")
        self.assert_tame("plugin", "describe", "bad", "--plugin-path", ".")
        self.write("c1.json", json.dumps({"registered_proof": odd, odd: 1}))
        self.assert_tame("prove", "porep", "c1.json")
        (self.folder / "sector").mkdir()
        self.write("sector/meta.json", json.dumps({"kind": odd}))
        self.write("sector/sector-0.bin", "x")
        self.assert_tame("prove", "winning", "sector")
        self.write("status.json", json.dumps({"spaces": [{"name": odd, "used": 1, "budget": 1, "high_water": 1, "idle": 1, "budget_source": odd,
                                                          "stuck_by_reason": {odd: 1}, "not_as_stated": {odd: 1}, "by_purpose": {odd: 1}, "by_owner": {odd: 1}, "waiting": []}], "ready": True}))
        self.assertEqual(self.assert_tame("memory", "--status", "status.json").returncode, 0)


if __name__ == "__main__":
    unittest.main()
