"""abi.py finds what it is for: untagged functions, moved fields, changed frozen structs."""
import pathlib
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
GOOD = "typedef struct pinion_t {\n  uint32_t size, reserved;\n  /* Does it. [any] */\n  void (*f)(void);\n} pinion_t;\n"
OLD = "pinion_a 16\n  size 0 4\n  x 8 8\npinion_b 8\n  x 0 8\n"


def run(*arguments):
    return subprocess.run([sys.executable, TOOL, *arguments], capture_output=True, text=True)


def expect(what, result, code, text):
    if result.returncode != code or text not in result.stdout + result.stderr:
        sys.exit(f"{what}: exit {result.returncode}, said: {result.stdout}{result.stderr}")


with tempfile.TemporaryDirectory() as folder:
    root = pathlib.Path(folder)
    (root / "pinion").mkdir()
    header = root / "pinion" / "t.h"
    for what, text, code, say in [
        ("tagged", GOOD, 0, "1 function pointers"),
        ("untagged", GOOD.replace(" [any]", ""), 1, "pinion_t.f"),
        ("wrong tag", GOOD.replace("[any]", "[some]"), 1, "pinion_t.f"),
        ("tag in the middle", GOOD.replace("Does it. [any]", "[any] Does it."), 1, "pinion_t.f"),
        ("trailing comment of the field before", GOOD.replace("  /* Does it. [any] */\n", ""), 1, "pinion_t.f"),
        ("no function at all", "typedef struct pinion_t {\n  int x;\n} pinion_t;\n", 1, "0 function pointers"),
    ]:
        header.write_text(text)
        expect(what, run("tags", folder), code, say)
    old, new = root / "old.txt", root / "new.txt"
    old.write_text(OLD)
    for what, text, code, say in [
        ("same", OLD, 0, "keeps all 2"),
        ("appended", OLD.replace("pinion_a 16", "pinion_a 24").replace("  x 8 8\n", "  x 8 8\n  y 16 8\n"), 0, "keeps"),
        ("moved", OLD.replace("  x 8 8", "  x 16 8"), 1, "pinion_a.x"),
        ("dropped struct", OLD.split("pinion_b")[0], 1, "pinion_b: gone"),
        ("frozen grew", OLD.replace("pinion_b 8", "pinion_b 16") + "  y 8 8\n", 1, "pinion_b: is frozen"),
    ]:
        new.write_text(text)
        expect(what, run("extends", str(old), str(new)), code, say)
print("10 cases, each found or passed as it should")
