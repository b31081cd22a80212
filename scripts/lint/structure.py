#!/usr/bin/env python3
"""Checks what the compiler cannot: layers, lengths, forbidden words, machine paths, unfinished work.

    scripts/lint/structure.py [ROOT]      prints FILE:LINE: REASON for each finding; exit code 1 if there is one

The rules are those of the design: a folder includes only what stands above it; no file under host/ knows a proof, a
curve or a device; files stay under 300 lines and functions under 60.
"""

import pathlib
import re
import subprocess
import sys

SOURCE = {".cpp", ".hpp", ".h", ".c", ".cu", ".cuh"}
FILE_LINES = 300  # under these
FUNCTION_LINES = 60

# Lowest first; a folder may include its own headers and those before it.
SDK = ["sdk/abi", "sdk/plugin", "sdk/bls12_381", "sdk/groth16", "sdk/circuit", "sdk/testing"]
HOST = [f"host/{name}" for name in (
    "base report config memory plugins bridge journal pipeline ab server daemon cli".split())]
HOST_SEES = ["sdk/abi", "sdk/plugin"]  # never the mathematics
PLUGINS_SHARE = ["plugins/filecoin", "plugins/backend-groth16"]  # no plugins themselves

HOST_WORDS = re.compile(r"\b(porep|snapdeals|winning_post|window_post|groth16|cuda)\b", re.IGNORECASE)
UNFINISHED = re.compile(r"\b(" + "|".join(["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"]) + r")\b|\b(not implemented|unimplemented)\b")
MACHINE_PATH = re.compile(r"/(work|root|farm|tmp/bash_jobs)/")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def tracked_files(root):
    """Files git tracks or would track; without git, every file outside build/."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    if listed.returncode == 0:
        names = listed.stdout.splitlines()
    else:
        names = [str(p.relative_to(root)) for p in pathlib.Path(root).rglob("*") if p.is_file()]
    return sorted(name for name in names if not name.startswith("build/") and (pathlib.Path(root) / name).is_file())


def blank(text):
    """The text with comments, strings and character literals replaced by spaces; line breaks stay where they are."""
    pattern = re.compile(
        r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^(\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
    return pattern.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def functions(text):
    """(first line, line count) of each outermost function body in C++ text, signature included."""
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: re.sub(r"[^\n]", " ", m.group()), blank(text), flags=re.MULTILINE)
    head, depth, start = 0, 0, None  # head: where the current declaration began
    for i, c in enumerate(text):
        if c == "{":
            declaration = text[head:i]
            if start is None and is_function(declaration):
                start, depth = head + len(declaration) - len(declaration.lstrip()), 0
            if start is None:
                head = i + 1
            else:
                depth += 1
        elif c == "}":
            if start is not None:
                depth -= 1
                if depth == 0:
                    first = text.count("\n", 0, start) + 1
                    yield first, text.count("\n", start, i) + 1
                    start = None
            head = i + 1 if start is None else head
        elif c == ";" and start is None:
            head = i + 1


def is_function(declaration):
    if re.match(r"\s*(template\s*<.*>\s*)?(class|struct|union|enum|namespace|extern)\b", declaration, re.DOTALL):
        return False
    return "(" in declaration and not re.search(r"=\s*$", declaration)


class Tree:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.names = tracked_files(root)
        self.findings = []
        self.prefixes = self.read_prefixes()

    def report(self, name, line, reason):
        self.findings.append(f"{name}:{line}: {reason}")

    def read_prefixes(self):
        """How headers are spelled -> the folder that owns them, from the pinion_library() calls."""
        prefixes = {}
        for name in self.names:
            if not name.endswith("CMakeLists.txt"):
                continue
            text = (self.root / name).read_text()
            for prefix in re.findall(r"pinion_library\([^)]*?\bPREFIX\s+([^\s)]+)", text, re.DOTALL):
                prefixes[prefix + "/"] = str(pathlib.PurePosixPath(name).parent)
        return prefixes

    def owner_of_include(self, spelled):
        best = max((p for p in self.prefixes if spelled.startswith(p)), key=len, default=None)
        return self.prefixes[best] if best else None

    def check(self):
        for name in self.names:
            data = (self.root / name).read_bytes()
            if b"\0" in data[:4096]:
                continue
            text = data.decode("utf-8", "replace")
            lines = text.splitlines()
            self.check_words(name, lines)
            if pathlib.PurePosixPath(name).suffix in SOURCE:
                self.check_source(name, text, lines)
        return self.findings

    def check_words(self, name, lines):
        if name.startswith("tests/vectors/") or name.startswith("scripts/lint/"):
            return
        in_host = name.startswith("host/") and "cuzk" not in name
        for number, line in enumerate(lines, 1):
            if found := MACHINE_PATH.search(line):
                self.report(name, number, f"path of a particular machine: {found.group()}")
            if found := UNFINISHED.search(line):
                self.report(name, number, f"unfinished: {found.group()}")
            if in_host and (found := HOST_WORDS.search(line)):
                self.report(name, number, f"host/ must not know '{found.group()}': it comes from plugins as data")

    def check_source(self, name, text, lines):
        if "/compat/" in name:  # released headers are frozen as they were
            return
        if len(lines) >= FILE_LINES:
            self.report(name, len(lines), f"{len(lines)} lines; must be under {FILE_LINES}")
        for first, count in functions(text):
            if count >= FUNCTION_LINES:
                self.report(name, first, f"a function of {count} lines; must be under {FUNCTION_LINES}")
        for number, line in enumerate(lines, 1):
            if found := INCLUDE.match(line):
                self.check_include(name, number, found.group(1))
        if name.endswith((".hpp", ".h", ".cuh")) and not re.match(r"\s*(//|/\*)", text):
            self.report(name, 1, "a header opens with what it is for and what it is not for")

    def check_include(self, name, number, spelled):
        if "../" in spelled:
            self.report(name, number, f"'../' in an include: {spelled}")
        owner = self.owner_of_include(spelled)
        if owner and not allowed(name, owner):
            self.report(name, number, f"{folder(name)} must not include {owner} (<{spelled}>)")


def folder(name):
    return "/".join(name.split("/")[:2])


def allowed(name, owner):
    """May the file `name` include a header of the folder `owner`?"""
    own = folder(name)
    owner = folder(owner)
    if own == owner or own.startswith(("tests/", "bench/", "examples/")):
        return True
    if own in SDK:
        return owner in SDK[: SDK.index(own)]
    if own in HOST:
        return owner in HOST_SEES or owner in HOST[: HOST.index(own)]
    if own.startswith("plugins/"):
        return owner in SDK or owner in PLUGINS_SHARE
    return True


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else str(pathlib.Path(__file__).resolve().parents[2])
    findings = Tree(root).check()
    print("\n".join(findings) if findings else "structure: no findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
