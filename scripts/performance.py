#!/usr/bin/env python3
"""Rewrites the device table of docs/performance.md from the newest bench/results/*.json; with --check only compares."""

import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "performance.md"
BEGIN, END = "<!-- from bench/results: scripts/performance.py -->\n", "<!-- end -->\n"


def table():
    newest = sorted((ROOT / "bench" / "results").glob("*.json"))[-1]
    result = json.loads(newest.read_text())
    lines = [f"{result['device']['name']}, driver {result['driver']}, commit {result['commit']}, [`{newest.name}`](../bench/results/{newest.name}).",
             "Control kernels: " + "; ".join(f"{name} {row['value']:.0f} {row['unit']}" for name, row in result["control"].items()) + ".",
             "", "| What | Median, ms | Spread, ms |", "|---|---:|---:|"]
    lines += [f"| {row['name']} | {row['median_ms']:.2f} | {row['spread_ms']:.2f} |" for row in result["rows"]]
    return "\n".join(lines) + "\n"


def main():
    text = PAGE.read_text()
    head, rest = text.split(BEGIN)
    wanted = head + BEGIN + table() + END + rest.split(END)[1]
    if "--check" in sys.argv[1:]:
        if text != wanted:
            print("docs/performance.md differs from bench/results: run scripts/performance.py")
            return 1
    else:
        PAGE.write_text(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())
