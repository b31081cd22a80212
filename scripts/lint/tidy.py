#!/usr/bin/env python3
"""clang-tidy over the product's own sources, each only when something it reads has changed.

    scripts/lint/tidy.py BUILD_DIR [SOURCE ...]      exit code 1 if clang-tidy has something to say

A source passes once per content: the key is the hash of the source, of every project header its last compilation read
(from ninja's dependency log), of its compile command and of .clang-tidy. Keys that passed are kept, without paths in
them, in $XDG_CACHE_HOME/pinion/tidy, so that clones and worktrees share them. Sources that were never compiled in
BUILD_DIR are not looked at, and counted; tests are left to the compilers, whose macros clang-tidy misreads.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIDY = "clang-tidy-14"
GCC_ONLY = ("-fno-gnu-unique", "-Wno-maybe-uninitialized")
FOLDERS = ("sdk/", "host/", "plugins/")


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    folder = pathlib.Path(base) / "pinion" / "tidy"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def inside(path):
    """`path` relative to the source tree, or None when it is outside or under build/."""
    try:
        relative = pathlib.Path(os.path.realpath(path)).relative_to(ROOT)
    except ValueError:
        return None
    return None if relative.parts[0] == "build" else str(relative)


def compiled(build):
    """object file -> the project files its last compilation read."""
    log = subprocess.run(["ninja", "-C", build, "-t", "deps"], capture_output=True, text=True, check=True).stdout
    read, target = {}, None
    for line in log.splitlines():
        if line.startswith("    ") and target:
            if name := inside(os.path.join(build, line.strip())):
                read[target].append(name)
        elif ": #deps" in line:
            target = line.split(": #deps")[0]
            read[target] = []
    return read


def sources(build, wanted):
    """(source, its compile command, project files it reads or None) for each C++ source of the product."""
    read = compiled(build)
    for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text()):
        name = inside(entry["file"])
        if not name or not name.startswith(FOLDERS) or not name.endswith(".cpp"):
            continue
        if wanted and name not in wanted:
            continue
        target = entry["output"] if "output" in entry else entry["command"].split(" -o ")[1].split()[0]
        yield name, entry["command"], read.get(os.path.normpath(target))


def key_of(command, files):
    digest = hashlib.sha256()
    digest.update(command.replace(str(ROOT), "").encode())
    for name in [".clang-tidy"] + sorted(set(files)):
        data = (ROOT / name).read_bytes() if (ROOT / name).exists() else b""
        digest.update(f"{name} {len(data)}\n".encode() + data)
    return digest.hexdigest()


def database_for_clang(build):
    """A copy of the compile commands without what only GCC understands; the folder it is in."""
    text = (pathlib.Path(build) / "compile_commands.json").read_text()
    for flag in GCC_ONLY:
        text = text.replace(" " + flag, "")
    folder = pathlib.Path(build) / "tidy"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(text)
    return str(folder)


def run(database, name):
    done = subprocess.run([TIDY, "-p", database, "--quiet", str(ROOT / name)], capture_output=True, text=True)
    if done.returncode == 0:
        return None
    noise = ("warnings generated", "Suppressed ", "Use -header-filter", "warnings treated as errors")
    return "\n".join(line for line in (done.stdout + done.stderr).splitlines() if not any(n in line for n in noise))


def main():
    build, wanted = os.path.abspath(sys.argv[1]), set(sys.argv[2:])
    cache = cache_folder()
    known, absent, todo = 0, 0, {}
    for name, command, files in sources(build, wanted):
        if files is None:
            absent += 1
            continue
        key = key_of(command, files)
        if (cache / key).exists():
            known += 1
        else:
            todo[name] = key
    failures, database = 0, database_for_clang(build)
    jobs = int(os.environ.get("PINION_LINT_JOBS") or os.cpu_count() or 1)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for name, text in zip(todo, pool.map(lambda name: run(database, name), todo)):
            if text is None:
                (cache / todo[name]).touch()
            else:
                failures += 1
                print(text)
    print(f"clang-tidy: {len(todo)} sources checked, {known} unchanged since they passed, {absent} not built; {failures} with findings")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
