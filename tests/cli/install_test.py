"""What `cmake --install --component product` lays down, and that it runs from there. BUILD names the build folder."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from program import clean_environment

BUILD = os.environ["BUILD"]


class Install(unittest.TestCase):
    def test_the_product_alone_is_installed_and_finds_its_plugins_anywhere(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = pathlib.Path(folder) / "first"
            subprocess.run(["cmake", "--install", BUILD, "--component", "product", "--prefix", str(prefix)], check=True,
                           capture_output=True)
            moved = prefix.rename(pathlib.Path(folder) / "second")
            files = {str(path.relative_to(moved)) for path in moved.rglob("*") if path.is_file()}
            plugins = {name for name in files if name.startswith("lib/pinion/plugins/")}
            self.assertEqual(files - plugins, {"bin/pinion"})
            self.assertLessEqual({"lib/pinion/plugins/alloc-heap.so", "lib/pinion/plugins/alloc-heap.toml"}, plugins)
            done = subprocess.run([moved / "bin/pinion", "plugin", "list", "--json"], capture_output=True, text=True,
                                  env=clean_environment())
            self.assertEqual(done.returncode, 0, done.stderr)
            listed = json.loads(done.stdout)["plugins"]
            self.assertEqual({plugin["id"] for plugin in listed}, {pathlib.Path(name).stem for name in plugins})
            for plugin in listed:
                self.assertEqual((plugin["state"], plugin["library"].startswith(str(moved))), ("found", True))


if __name__ == "__main__":
    unittest.main()
