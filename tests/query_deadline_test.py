"""`dither query --hardened` with a deadline, on two tables that differ in one person with very costly rows."""
import calendar
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from query_project import DITHER, project  # noqa: E402

SECONDS = 300  # until a test gives up
SEARCHES = " + ".join(f"STRPOS(note, '{'a' * i}b')" for i in range(1, 101))  # found nowhere, begun everywhere
STATEMENT = f"SELECT SUM(CLAMP(CASE WHEN note IS NULL THEN cost ELSE {SEARCHES} END, 0, 100)) AS total FROM visits"
RUN_FAILED = ("error: run-failed: the run ended early: a file, the disk, memory or a server was lost\n"
              "hint:  what it cost stays charged; look at the disk and the sources, then ask again with `--again`\n")


def seconds_of(text):
    return calendar.timegm(time.strptime(text, "%Y-%m-%dT%H:%M:%SZ"))


class World:
    """A project over 2000 people, and one more with so many rows."""

    def __init__(self, test, heavy_rows, deadline):
        self.folder = Path(tempfile.mkdtemp(prefix="dither-deadline-"))
        test.addCleanup(shutil.rmtree, self.folder)
        (self.folder / "temporary").mkdir()
        self.env = {**os.environ, "DITHER_KEY": f"{self.folder}/key", "TMPDIR": f"{self.folder}/temporary"}
        columns = {"cost": "type: integer, bounds: [0, 100], outside: clamp", "note": "type: text"}
        text = project(columns, "rows_per_unit: 3") + f"deadline: {deadline}\n"
        (self.folder / "dither.yaml").write_text(text, encoding="utf-8")
        with open(self.folder / "visits.csv", "w", encoding="utf-8") as visits:
            visits.write("person,cost,note\n")
            for person in range(2000):
                visits.write(f"{person},{person % 100},\n")
            for _ in range(heavy_rows):
                visits.write("2000,100," + "a" * 65_000 + "\n")

    def dither(self, *words):
        run = subprocess.run([DITHER, *words], cwd=self.folder, env=self.env, capture_output=True, text=True,
                             timeout=SECONDS, check=False)
        return run.returncode, run.stdout, run.stderr

    def ask(self):
        return self.dither("query", "--hardened", "--epsilon", "1", "--format", "csv", STATEMENT)

    def release(self):
        """The last one, as JSON and as people see it."""
        last = json.loads(self.dither("history", "--ledger", "dither.ledger", "--json")[1])["releases"][-1]
        return last, self.dither("release", "show", last["release"], "--ledger", "dither.ledger")[1]

    def spent(self):
        budget = json.loads(self.dither("budget", "--ledger", "dither.ledger", "--json")[1])["budgets"][0]
        return budget["spent"]["epsilon"]


class Deadline(unittest.TestCase):
    def running(self, folder):
        """Processes of ours that still work there."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(process / "cwd") == str(folder):
                    found.append(process.name)
            except OSError:  # gone, or somebody else's
                continue
        return found

    def ended_at_the_deadline(self, world, asked, deadline):
        release, shown = world.release()
        self.assertGreaterEqual(seconds_of(release["ended"]), seconds_of(release["reserved"]))
        self.assertGreaterEqual(seconds_of(release["ended"]), asked + deadline - 2)  # nine tenths of it, to the second
        self.assertIn(release["ended"], shown)
        return release

    # Spec: W-73, W-76
    def test_neighbours_are_answered_alike(self):
        for deadline in (5, 50):  # a slow machine is given more
            ends = []
            for heavy_rows in (0, 3):
                world = World(self, heavy_rows, deadline)
                asked = int(time.time())
                status, out, err = world.ask()
                release = self.ended_at_the_deadline(world, asked, deadline)
                ends.append((status, re.sub("-?[0-9.]+", "N", out), err, release["state"], world.spent()))
            if ends[0][0] == ends[1][0] == 0:
                break
        self.assertEqual(ends[0], ends[1])
        self.assertEqual(ends[0], (0, "total,total_low,total_high\nN,N,N\n", "", "committed", "1"))

    # The answer is there before the work is done: whoever does it is killed.
    # Spec: W-73
    def test_the_answer_leaves_whatever_the_rows_of_one_person_cost(self):
        for heavy_rows in (1_000, 10_000):  # a fast machine is given more
            world = World(self, heavy_rows, 2)
            asked = int(time.time())
            status, out, err = world.ask()
            while self.running(world.folder):
                time.sleep(0.01)
            if status != 0:
                break
        self.assertEqual((status, out, err), (4, "", RUN_FAILED))
        release = self.ended_at_the_deadline(world, asked, 2)
        self.assertEqual((release["state"], release["ended_why"], world.spent()), ("lost", "not committed", "1"))
        status, _, err = world.ask()  # nothing is drawn for what was paid
        self.assertEqual(status, 3)
        self.assertIn("answer-lost", err)
        self.assertEqual(world.spent(), "1")
        self.assertEqual(world.dither("budget", "verify", "--ledger", "dither.ledger")[0], 0)


if __name__ == "__main__":
    unittest.main()
