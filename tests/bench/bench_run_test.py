"""bench/run with stand-ins for our programs and for the reference prover: the table, the JSON, what makes it fail."""
import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

RUN = os.environ["BENCH_RUN"]

# Our programs and the reference, as far as bench/run reads them. Each is told by its name what it stands in for.
STAND_INS = {
    "bin/prove-case": 'echo "proving   2.000 s   3.0 cpu s"\necho "proof as stated"',
    "bin/pinion": '''case $1 in
params) while [ $# -gt 1 ]; do [ "$1" = --out ] && dir=$2; shift; done
  for case in "$CASES"/*; do name=$(sed -n 's/.*"params_file": *"\\([^"]*\\)".*/\\1/p' "$case/witness-0.json"); [ -z "$name" ] || echo key >"$dir/$name"; done ;;
prove) while [ $# -gt 1 ]; do [ "$1" = --out ] && echo proof >"$2"; shift; done ;;
esac''',
    "bin/bench-cpu": '''for word; do case $word in --benchmark_out=*) cat >"${word#--benchmark_out=}" <<END
{"benchmarks": [{"name": "msm_ifma/10/real_time", "error_occurred": true, "real_time": 0},
 {"name": "msm_portable/10/real_time", "real_time": 2.0}, {"name": "msm_blst/10/real_time", "real_time": 5.0}]}
END
esac; done''',
    "bin/bench-cuda": 'echo "bench-cuda: skipped: no CUDA device"',
    "reference": '''case $1 in
prove) echo "prove 11.00 s"; echo "prove 10.00 s" ;;
verify) exit ${REFUSE:-0} ;;
setup) [ "$2 $3" = "porep 2KiB" ] && echo key >"$FIL_PROOFS_PARAMETER_CACHE/key" && exec sleep "${SETUP:-0}" ;;
esac''',
}


class BenchRun(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bin").mkdir()
        for name, script in STAND_INS.items():
            self.stand_in(name, script)

    def stand_in(self, name, script):
        path = self.folder / name
        path.write_text("#!/bin/sh\n" + script + "\n")
        path.chmod(0o755)

    def run_bench(self, *arguments, **environment):
        cases = Path(RUN).parent.parent / "tests/vectors/cases"
        return subprocess.run([RUN, "--build", self.folder, *arguments], capture_output=True, text=True, check=False,
                              env={**os.environ, "CASES": str(cases), **environment})

    def test_the_table_has_both_provers_their_ratio_and_what_the_reference_says(self):
        out = self.folder / "figures.json"
        ran = self.run_bench("--reference", self.folder / "reference", "--out", out)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertRegex(ran.stdout, r"porep-2KiB-V1_1-seed11 +2\.00 s +10\.00 s +5\.0 x .*accepts our proof")
        self.assertRegex(ran.stdout, r"2\^10 +- +2\.000 +5\.000 +2\.5 x")
        self.assertRegex(ran.stdout, r"bench-cuda: no CUDA device")
        self.assertRegex(ran.stdout, r"bench-memory: not built")
        document = json.loads(out.read_text())
        self.assertEqual(document["schema"], "pinion.bench/1")
        self.assertEqual([row["reference"]["seconds"] for row in document["races"]], [10.0] * 4)

    def test_without_a_reference_our_figures_stand_alone_and_a_line_says_how_to_give_one(self):
        ran = self.run_bench("--only", "races", "--reference", "")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("make bench REFERENCE=", ran.stderr)
        self.assertRegex(ran.stdout, r"snap-2KiB-seed11 +2\.00 s +- +-")

    def test_a_refused_proof_fails(self):
        ran = self.run_bench("--only", "races", "--reference", self.folder / "reference", REFUSE="1")
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stdout, r"FAILED\n +the reference refuses the proof of porep-2KiB")

    def test_a_failure_leaves_the_other_figures(self):
        self.stand_in("bin/prove-case", "echo proof NOT as stated; exit 1")
        ran = self.run_bench("--json", "--reference", "")
        self.assertEqual(ran.returncode, 1)
        document = json.loads(ran.stdout)
        self.assertEqual(len(document["failures"]), 4)
        self.assertIn("benchmarks", document["components"]["bench-cpu"])

    def test_keys_that_are_there_are_kept_and_not_made_again(self):
        keys = self.folder / "keys"
        keys.mkdir()
        first = self.run_bench("--only", "keys", "--keys", keys, "--json")
        self.assertEqual([row["family"] for row in json.loads(first.stdout)["keys"]], ["porep"], first.stderr)
        again = self.run_bench("--only", "keys", "--keys", keys, "--json")
        self.assertEqual(json.loads(again.stdout)["keys"], [])

    def race_of_keys(self, patience, **environment):
        out = self.folder / "figures.json"
        ran = self.run_bench("--only", "keys", "--reference", self.folder / "reference", "--patience", patience, "--out", out,
                             **environment)
        return ran, json.loads(out.read_text())["keys"][0]

    def test_making_keys_is_raced_too(self):
        ran, row = self.race_of_keys("100000")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertTrue(row["reference"]["finished"])
        self.assertRegex(ran.stdout, r"porep +\d+\.\d\d s .*; the reference \d+ s, \d+\.\d x")

    def test_a_reference_that_makes_keys_for_long_is_stopped_and_the_ratio_is_a_bound(self):
        ran, row = self.race_of_keys("10", SETUP="1000")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertFalse(row["reference"]["finished"])
        self.assertGreaterEqual(row["reference"]["seconds"], 10 * row["seconds"])
        self.assertRegex(ran.stdout, r"; the reference was stopped after \d+ s: more than \d+\.\d x")

    def test_a_reference_that_fails_to_make_keys_is_a_failure(self):
        ran, _ = self.race_of_keys("100000", SETUP="nonsense")
        self.assertEqual(ran.returncode, 1)
        self.assertRegex(ran.stdout, r"FAILED\n +keys of porep: .*setup porep 2KiB failed")

    def test_a_reference_that_is_not_there_is_a_wrong_argument(self):
        ran = self.run_bench("--reference", self.folder / "nowhere")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("is not there", ran.stderr)


if __name__ == "__main__":
    unittest.main()
