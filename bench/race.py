"""Races of one partition between our prover and the reference prover: one after the other, on the same threads, with the same
keys and the stated r and s, so that both make the same bytes. What `bench/run` and `bench/race-reference` stand on.
"""
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path


class Failed(Exception):
    """A program failed, or made something else than it was to make; the text is for people."""


@dataclass
class Run:
    """A program that ran: what it printed, seconds by the clock, peak resident bytes, whether it came to its end."""
    text: str
    seconds: float
    peak_bytes: int
    finished: bool = True

    def figure(self, pattern, what):
        """The smallest number that `pattern` finds in the output."""
        found = re.findall(pattern, self.text, re.MULTILINE)
        if not found:
            raise Failed(f"no {what} in this output:\n{self.text}")
        return min(float(value) for value in found)


def run(command, environment=None, limit=None):
    """Runs a program to its end, or stops it after `limit` seconds; any other end but success raises Failed with all it
    printed."""
    with tempfile.TemporaryFile("w+") as output:
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env={**os.environ, **(environment or {})})
        stopped = threading.Event()
        alarm = threading.Timer(limit or 0, lambda: (stopped.set(), os.kill(process.pid, signal.SIGKILL)))
        if limit:
            alarm.start()
        _, status, usage = os.wait4(process.pid, 0)
        alarm.cancel()
        seconds = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    finished = not (stopped.is_set() and process.returncode == -signal.SIGKILL)
    if finished and process.returncode != 0:
        raise Failed(f"{' '.join(map(str, command))} failed ({process.returncode}):\n{text}")
    return Run(text, seconds, usage.ru_maxrss * 1024, finished)


def threads():
    """As many as this process may run on: what both provers use."""
    return len(os.sched_getaffinity(0))


class Reference:
    """The reference prover: a program, and the folder of keys it reads."""

    def __init__(self, program, keys):
        self.program = program
        self.environment = {"FIL_PROOFS_PARAMETER_CACHE": str(keys)}

    def prove(self, case):
        """It proves twice in a run, with the stated r and s and with zeros: the figure is the smaller one. It writes what it
        found into the case, so it is given a copy."""
        with tempfile.TemporaryDirectory() as folder:
            copy = shutil.copytree(case, Path(folder) / case.name)
            result = run([self.program, "prove", copy, "0"], self.environment)
        return result.figure(r"^prove ([0-9.]+) s$", "seconds per proof"), result.peak_bytes

    def make_keys(self, family, limit):
        """Its own keys of 2 KiB sectors, made and thrown away; stopped after `limit` seconds."""
        with tempfile.TemporaryDirectory() as folder:
            return run([self.program, "setup", family, "2KiB"], {"FIL_PROOFS_PARAMETER_CACHE": folder}, limit)

    def accepts(self, case, proof):
        """Whether it takes a whole proof, a file of the partitions' proofs one behind the other."""
        try:
            run([self.program, "verify", case, proof], self.environment)
        except Failed as refusal:
            print(refusal, file=sys.stderr)
            return False
        return True


def prove(build, case, keys):
    """Ours, without host and plugins, fails unless the proof is the stated one."""
    result = run([build / "bin/prove-case", case, keys])
    return result.figure(r"^proving +([0-9.]+) s", "proving time"), result.peak_bytes


def race(case, build, keys, reference=None, rounds=1, told=lambda line: None):
    """Partition 0 of a case, ours and the reference in turn. Medians over the rounds, as a row of the table; without a
    reference ours alone."""
    runners = {"pinion": lambda: prove(build, case, keys)}
    if reference:
        runners["reference"] = lambda: reference.prove(case)
    figures = {name: [] for name in runners}
    for _ in range(rounds):
        for name, runner in runners.items():
            figures[name].append(runner())
            told(f"{case.name}: {name} {figures[name][-1][0]:.2f} s")
    row = {"case": case.name, "rounds": rounds}
    for name, measured in figures.items():
        seconds, peaks = zip(*measured)
        row[name] = {"seconds": statistics.median(seconds), "peak_bytes": statistics.median(peaks)}
    return row


def family(case):
    """What `pinion prove` calls the family of a case."""
    return json.loads((case / "meta.json").read_text())["kind"]


def key_file(case):
    """The name of the parameter file that the stated proof of a case was made with."""
    return json.loads((case / "witness-0.json").read_text())["params_file"]


def cases(folder):
    """The cases of each family that the table has, in its order."""
    return [Path(folder) / name for name in
            ("porep-2KiB-V1_1-seed11", "snap-2KiB-seed11", "post-Winning2KiBV1-seed3", "post-Window2KiBV1_2-seed3")]


def table(rows):
    """Lines for people: seconds, ratio and peak memory of both."""
    lines = [f"{'':<28} {'pinion':>9} {'reference':>10} {'ratio':>7}   peak memory, GB"]
    for row in rows:
        ours, theirs = row["pinion"], row.get("reference")
        line = f"{row['case']:<28} {ours['seconds']:7.2f} s "
        if theirs:
            line += (f"{theirs['seconds']:8.2f} s {theirs['seconds'] / ours['seconds']:5.1f} x   "
                     f"{ours['peak_bytes'] / 1e9:.2f} against {theirs['peak_bytes'] / 1e9:.2f}")
        else:
            line += f"{'-':>10} {'-':>7}   {ours['peak_bytes'] / 1e9:.2f}"
        if "reference_accepts" in row:
            line += "; the reference " + ("accepts our proof" if row["reference_accepts"] else "REFUSES our proof")
        lines.append(line)
    return lines
