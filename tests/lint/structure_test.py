"""The structure lint finds each kind of fault it exists for, and nothing in clean code."""

import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts" / "lint"))
import structure  # noqa: E402

HEADER = "// What it is for.\n#pragma once\n"


def findings(**files):
    """What the lint says of a tree of these files ('__' in a name stands for '/', '_dot_' for '.')."""
    with tempfile.TemporaryDirectory() as root:
        tree = {
            "host/memory/CMakeLists.txt": "pinion_library(memory\n  PREFIX pinion/host/memory)",
            "host/pipeline/CMakeLists.txt": "pinion_library(pipeline\n  PREFIX pinion/host/pipeline)",
            "sdk/groth16/CMakeLists.txt": "pinion_library(groth16 PREFIX pinion/groth16)",
        }
        tree.update({name.replace("__", "/").replace("_dot_", "."): text for name, text in files.items()})
        for name, text in tree.items():
            path = pathlib.Path(root) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return structure.Tree(root).check()


class Structure(unittest.TestCase):
    def assert_one(self, found, *parts):
        self.assertEqual(len(found), 1, found)
        for part in parts:
            self.assertIn(part, found[0])

    def test_clean_code_passes(self):
        self.assertEqual(findings(host__pipeline__a_dot_cpp="#include <pinion/host/memory/pool.hpp>\nint f() { return 1; }\n"), [])

    def test_upward_include(self):
        found = findings(host__memory__a_dot_cpp="#include <pinion/host/pipeline/queue.hpp>\n")
        self.assert_one(found, "host/memory/a.cpp:1:", "must not include host/pipeline")

    def test_host_sees_no_mathematics(self):
        found = findings(host__memory__a_dot_cpp="\n#include <pinion/groth16/shape.hpp>\n")
        self.assertEqual(len(found), 2, found)  # the layer, and the word
        self.assertTrue(any("host/memory must not include sdk/groth16" in line for line in found))

    def test_plugins_see_no_host(self):
        found = findings(plugins__backend_dot_cpp="", plugins__x__a_dot_cpp="#include <pinion/host/memory/pool.hpp>\n")
        self.assert_one(found, "plugins/x must not include host/memory")

    def test_dotted_include(self):
        self.assert_one(findings(sdk__groth16__a_dot_cpp='#include "../circuit/x.hpp"\n'), "'../'")

    def test_word_in_host(self):
        self.assert_one(findings(host__memory__a_dot_cpp="// for " + "po" + "rep only\n"), "host/ must not know")

    def test_wire_compatible_code_may_use_the_words(self):
        self.assertEqual(findings(host__server__cuzk_dot_cpp="// " + "po" + "rep\n"), [])

    def test_long_file(self):
        self.assert_one(findings(sdk__groth16__a_dot_cpp="\n" * 300), "300 lines")
        self.assertEqual(findings(sdk__groth16__a_dot_cpp="\n" * 299), [])

    def test_long_function(self):
        def body(lines):
            return "namespace a {\nstruct B {\n  int f(int x) const {\n" + "    x++;\n" * lines + "  }\n};\n}\n"
        self.assert_one(findings(sdk__groth16__a_dot_cpp=body(58)), "a.cpp:3:", "60 lines")
        self.assertEqual(findings(sdk__groth16__a_dot_cpp=body(57)), [])

    def test_braces_in_text_do_not_count(self):
        text = 'int f() {\n  auto s = "}{{";  // {{{\n  char c = \'{\';\n  return R"({{{)" [0] + s[0] + c;\n}\n' + "\n" * 80 + "int g() { return 0; }\n"
        self.assertEqual(findings(sdk__groth16__a_dot_cpp=text), [])

    def test_header_without_purpose(self):
        self.assert_one(findings(sdk__groth16__a_dot_hpp="#pragma once\n"), "opens with what it is for")
        self.assertEqual(findings(sdk__groth16__a_dot_hpp=HEADER), [])

    def test_unfinished_and_machine_paths(self):
        self.assert_one(findings(docs__a_dot_md="TO" + "DO later\n"), "unfinished")
        self.assert_one(findings(docs__a_dot_md="see /wo" + "rk/x\n"), "particular machine")


if __name__ == "__main__":
    unittest.main()
