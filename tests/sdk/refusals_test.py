"""What pinion_add_plugin refuses when a project is configured, with the installed SDK. SDK: the folder of its CMake files."""

import os
import pathlib
import subprocess
import tempfile
import unittest

SDK = os.environ["SDK"]


class Refusals(unittest.TestCase):
    CASES = [
        ("My_Plugin VERSION 1.0.0 INTERFACES pinion.proof/1 SOURCES a.cpp", "the id must match [a-z0-9-]+"),
        ("a" * 64 + " VERSION 1.0.0 INTERFACES pinion.proof/1 SOURCES a.cpp", "at most 63 characters"),
        ("mine VERSION one INTERFACES pinion.proof/1 SOURCES a.cpp", "VERSION one: must be like 1.0.0"),
        ("mine VERSION 1.0.0 INTERFACES proof SOURCES a.cpp", "INTERFACES proof: must match [a-z0-9.-]+/[0-9]+, as in pinion.allocator/1"),
        ("mine VERSION 1.0.0 INTERFACES pinion.prof/1 SOURCES a.cpp", "INTERFACES pinion.prof/1: pinion has no such interface; there are: pinion.allocator/1, pinion.backend/1"),
        ("mine VERSION 1.0.0 INTERFACES pinion.keys/1 pinion.keys/1 SOURCES a.cpp", "names one of them twice"),
        ("mine VERSION 1.0.0 INTERFACES pinion.proof/1", "SOURCES is missing"),
        ("mine VERSION 1.0.0 INTERFACES pinion.proof/1 SORCES a.cpp SOURCES b.cpp", "INTERFACES SORCES: must match"),
    ]

    def test_each_slip_is_an_error_with_the_rule(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "script.cmake"
            for call, message in self.CASES:
                with self.subTest(call):
                    script.write_text(f'cmake_minimum_required(VERSION 3.25)\ninclude("{SDK}/PinionPlugin.cmake")\npinion_add_plugin({call})\n')
                    done = subprocess.run(["cmake", "-P", script], capture_output=True, text=True)
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn(message, " ".join(done.stderr.split()))


if __name__ == "__main__":
    unittest.main()
