"""The program from outside, for tests: run without the settings of whoever runs the tests, in a folder of its own, on the toy
plugins of tests/plugins. PINION names the binary; TOYS the folder of the toys, where a test uses them."""

import os
import pathlib
import subprocess
import tempfile
import unittest

PINION = os.path.abspath(os.environ["PINION"])
TOYS = os.path.abspath(os.environ.get("TOYS", ""))


def clean_environment(**more):
    """That of the tests without what the program reads itself, and `more`."""
    return {**{name: value for name, value in os.environ.items() if not name.startswith("PINION")}, **more}


def pinion(*args, cwd=None, env=None, text=None, timeout=120):
    """Runs it to its end; `env`: settings it shall read, `text`: its standard input."""
    return subprocess.run([PINION, *args], capture_output=True, text=True, env=clean_environment(**(env or {})), cwd=cwd,
                          input=text, timeout=timeout)


def toys(memory, plugins="", params="", more=""):
    """A pinion.toml that proves with the toys: lines of [memory], [plugins] and [params], and what comes after."""
    return f"""
[memory]
{memory}
[plugins]
proofs = ["toy-proof"]
backends = ["toy-backend"]
path = ["{TOYS}"]
{plugins}
[params]
{params}
{more}
"""


class InFolder(unittest.TestCase):
    """Tests that each have an empty folder."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def start(self, *args, **streams):
        """Starts it in the folder, for tests that interrupt it."""
        return subprocess.Popen([PINION, *args], env=clean_environment(), cwd=self.folder, text=True, **streams)


class OnToys(InFolder):
    """Tests that prove with the toys, as their scripts say; a folder for keys and an input are there."""

    def setUp(self):
        super().setUp()
        self.keys = self.folder / "keys"
        self.keys.mkdir()
        self.write("input", "a part nobody reads")
        self.write_config()

    def write_config(self, proof_script=(), backend_script=()):
        scripts = (f"[plugin.toy-proof]\nscript = {list(proof_script)}\n"
                   f"[plugin.toy-backend]\nscript = {list(backend_script)}")
        self.write("pinion.toml", toys('budget = "256MiB"', params=f'dir = "{self.keys}"', more=scripts))

    def arguments(self, *args):
        return [*args, "--config", str(self.folder / "pinion.toml")]

    def pinion(self, *args):
        return pinion(*self.arguments(*args), cwd=self.folder)

    def prove(self, *args):
        return self.pinion("prove", "toy", "input", "--field", "partitions=3", *args)

    def make_keys(self):
        done = self.pinion("params", "generate", "toy", "--size", "1KiB", "--out", "keys", "--toxic-label", "x")
        self.assertEqual(done.returncode, 0, done.stderr)
