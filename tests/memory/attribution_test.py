"""`pinion memory` on what a run of `pinion prove` leaves, and on what is no status. PINION: the binary; TOYS: the plugins
it proves with."""

import json
import pathlib
import tempfile
import unittest

import program


class Attribution(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.folder = pathlib.Path(cls.temporary.name)
        (cls.folder / "input").write_text("a part nobody reads")
        (cls.folder / "keys").mkdir()
        memory = 'budget = "256MiB"\nwarm = "32MiB"\nwarm_slab = "16MiB"\npinned_max = "128MiB"'
        (cls.folder / "pinion.toml").write_text(
            program.toys(memory, 'allocator = "alloc-pinned"', f'dir = "{cls.folder}/keys"',
                         '[plugin.alloc-pinned]\nstrategy = "mlock"'))
        for args in (["params", "generate", "toy", "--size", "1KiB", "--out", "keys", "--toxic-label", "x"],
                     ["prove", "toy", "input", "--field", "partitions=3", "--status", "status.json"]):
            done = cls.run_pinion(*args, "--config", "pinion.toml")
            assert done.returncode == 0, done.stderr

    @classmethod
    def run_pinion(cls, *args, text=None):
        return program.pinion(*args, cwd=cls.folder, text=text)

    def test_used_bytes_are_broken_down_by_purpose_and_by_owner(self):
        done = self.run_pinion("memory", "--status", "status.json", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        status = json.loads(done.stdout)
        host = status["spaces"][0]
        self.assertEqual(host["name"], "host")
        for sums in (host["by_purpose"], host["by_owner"]):
            self.assertEqual(sum(sums.values()), host["used"])
        self.assertGreater(host["high_water"], 0)
        self.assertEqual(host["budget"], 256 << 20)
        self.assertIn("memory.budget", host["budget_source"])
        self.assertEqual(host["pinned"]["limit"], 128 << 20)
        self.assertLessEqual(host["pinned"]["used"], host["used"])
        self.assertIn(host["warm"]["state"], ("ready", "warming", "stopped"))
        states = {holding["state"] for holding in host["holdings"] if "state" in holding}
        self.assertLessEqual(states, {"allocating", "leased", "idle", "releasing"})

    def test_the_process_is_compared_with_the_ledger(self):
        process = json.loads(self.run_pinion("memory", "--status", "status.json", "--json").stdout)["process"]
        self.assertEqual(process["beyond_charged"], process["rss_anon"] + process["rss_shmem"] - process["charged"])
        self.assertLessEqual(process["beyond_charged"], process["charged"] // 20 + (256 << 20))
        self.assertGreater(process["rss_peak"], 0)

    def test_people_see_the_same(self):
        text = (self.folder / "status.json").read_text()
        for done in (self.run_pinion("memory", "--status", "status.json"),
                     self.run_pinion("memory", "--status", "-", text=text)):
            self.assertEqual(done.returncode, 0, done.stderr)
            for part in ("host", "256 MiB used", "page-locked", "warm-up", "Purpose", "Owner", "process", "charged",
                         "memory.budget"):
                self.assertIn(part, done.stdout)

    def test_slabs_that_do_not_come_back_are_named_with_their_device(self):
        status = json.loads((self.folder / "status.json").read_text())
        self.assertEqual(status["spaces"][0]["stuck_by_reason"], {})
        status["spaces"][0]["stuck_by_reason"] = {"device 0 (lost): the driver keeps these pages": 6 << 30}
        (self.folder / "stuck.json").write_text(json.dumps(status))
        done = self.run_pinion("memory", "--status", "stuck.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"stuck +6\.00 GiB until pinion is started anew: device 0 \(lost\)")
        host = json.loads(self.run_pinion("memory", "--status", "stuck.json", "--json").stdout)["spaces"][0]
        self.assertEqual(sum(host["stuck_by_reason"].values()), 6 << 30)
        self.assertEqual(host["stuck"], 0)  # this run's own figure

    def test_memory_that_a_device_sees_otherwise_is_named(self):
        self.assertNotIn("not as stated", self.run_pinion("memory", "--status", "status.json").stdout)
        config = (self.folder / "pinion.toml").read_text()
        (self.folder / "seeing.toml").write_text(config + '\n[plugin.toy-backend]\nsees = "pageable"\n')
        done = self.run_pinion("prove", "toy", "input", "--config", "seeing.toml", "--status", "seen.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("allocator alloc-pinned states pinned memory, but toy-backend device 0", done.stderr)
        done = self.run_pinion("memory", "--status", "seen.json")
        self.assertRegex(done.stdout, r"not as stated +[0-9.]+ [KM]iB: stated pinned, the device sees pageable")

    def test_what_is_no_status_is_refused_in_words(self):
        (self.folder / "wrong.json").write_text('{"spaces": [{"name": "host", "used": "many"}]}')
        (self.folder / "cut.json").write_text((self.folder / "status.json").read_text()[:200])
        for name in ("wrong.json", "cut.json", "absent.json", "input", "."):
            done = self.run_pinion("memory", "--status", name)
            self.assertEqual(done.returncode, 4, (name, done.stderr))
            self.assertIn(name, done.stderr)
            self.assertEqual(done.stdout, "")
        self.assertEqual(self.run_pinion("memory").returncode, 2)


if __name__ == "__main__":
    unittest.main()
