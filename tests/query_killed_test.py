"""`dither query` killed at any moment: the charge or the stored answer stays, never two draws for one charge."""
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from query_project import DITHER, project  # noqa: E402

KILLS = 200 if os.environ.get("DITHER_NIGHTLY") else 12
CANARY = "QZ7-private-canary"
PROJECT = project({"city": "type: text, keys: [a, b, c], outside: other", "note": "type: text",
                   "cost": "type: decimal, grid: 0.01, bounds: [0, 5000], outside: clamp"},
                  "rows_per_unit: 6, keys_per_unit: 3, rows_per_key: 2", delta="0.1")


class Killed(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="dither-killed-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.scratch = self.folder / "scratch"
        self.scratch.mkdir()
        self.env = {**os.environ, "DITHER_KEY": str(self.folder / "key"), "TMPDIR": str(self.scratch)}
        (self.folder / "dither.yaml").write_text(PROJECT, encoding="utf-8")
        pick = random.Random(1)
        rows = [f"{pick.randrange(5000)},{pick.choice('abcd')},{CANARY},{pick.randrange(500000) / 100:.2f}"
                for _ in range(20000)]
        (self.folder / "visits.csv").write_text("\n".join(["person,city,note,cost", *rows]) + "\n", encoding="utf-8")

    def start(self, *words):
        return subprocess.Popen([DITHER, *words], cwd=self.folder, env=self.env, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def dither(self, *words):
        run = self.start(*words)
        out, err = run.communicate(timeout=60)
        self.assertNotIn(CANARY, out + err)
        return run.returncode, out, err

    def query(self, sql, *words):
        return ("query", "--epsilon", "0.5", "--json", *words, sql)

    def releases(self):
        if not (self.folder / "dither.ledger").exists():
            return []
        status, out, err = self.dither("history", "--ledger", "dither.ledger", "--json")
        self.assertEqual(status, 0, err)
        return json.loads(out)["releases"]

    def spent(self):
        status, out, err = self.dither("budget", "--ledger", "dither.ledger", "--json")
        self.assertEqual(status, 0, err)
        return Fraction(json.loads(out)["budgets"][0]["spent"]["epsilon"])

    def kill_once(self, number, delay, *words, victim="process"):
        """Kills a query after a while, or once it has ended (no delay); asks again; says how the first had ended."""
        sql = f"SELECT city, COUNT(*) FROM visits WHERE cost > {number} GROUP BY city"
        run = self.start(*self.query(sql, *words))
        if delay is None:
            run.wait(timeout=60)
        else:
            time.sleep(delay)
        if victim != "process":
            self.kill_worker(run.pid)
        if victim != "worker":
            run.send_signal(signal.SIGKILL)
        shown, err = run.communicate(timeout=60)
        self.assertNotIn(CANARY, shown + err)
        before = len(self.releases())
        status, out, err = self.dither(*self.query(sql))
        own = [one for one in self.releases() if one["title"] == sql]
        drawn = [one for one in own if one["state"] == "committed"]
        if status == 0:
            answer = json.loads(out)
            self.assertEqual([one["release"] for one in drawn], [answer["release_id"]])
            if shown.endswith("}\n"):  # the answer had been shown in full: it is the same one, bit for bit
                first = json.loads(shown)
                self.assertEqual((first["rows"], first["release_id"]), (answer["rows"], answer["release_id"]))
                self.assertTrue(answer["stored"])
            return "stored" if answer["stored"] else "not opened" if len(own) > 1 or before else "nothing"
        self.assertEqual(status, 3, err)
        self.assertIn("answer-lost", err)
        self.assertEqual(drawn, [])
        self.assertEqual([one["state"] for one in own], ["lost"])
        return "lost"

    def kill_worker(self, process):
        """The child that reads data for it, where there is one now."""
        try:
            for task in Path(f"/proc/{process}/task").iterdir():
                for child in (task / "children").read_text().split():
                    os.kill(int(child), signal.SIGKILL)
        except OSError:  # it has ended meanwhile
            pass

    # Spec: D-62, W-20, W-79
    def test_killed_at_any_moment(self):
        self.kill_at_any_moment()

    # Either of the two processes of a hardened run, or both.
    # Spec: D-62, W-20
    def test_hardened_and_killed_at_any_moment(self):
        with open(self.folder / "dither.yaml", "a", encoding="utf-8") as file:
            file.write("deadline: 0.4\n")
        self.kill_at_any_moment("--hardened", victims=("process", "worker", "both"))

    def kill_at_any_moment(self, *words, victims=("process",)):
        status, _, err = self.dither(*self.query("SELECT COUNT(*) FROM visits"))
        self.assertEqual(status, 0, err)
        begin = time.monotonic()
        self.dither(*self.query("SELECT COUNT(*) FROM visits WHERE cost > 4000", *words))
        whole = time.monotonic() - begin
        pick, ends, last = random.Random(2), {}, self.spent()
        for number in range(KILLS):
            delay = whole * 1.2 * (number + pick.random()) / KILLS
            if number == 0:
                delay = 0  # before it can have begun
            elif number == KILLS - 1:
                delay = None  # however slow the machine is now, one ends
            end = self.kill_once(number, delay, *words, victim=victims[number % len(victims)])
            ends[end] = ends.get(end, 0) + 1
            spent = self.spent()
            self.assertGreaterEqual(spent, last)
            last = spent
        charged = [one for one in self.releases() if one["state"] != "voided"]
        self.assertEqual(last, Fraction(1, 2) * len(charged))
        self.assertEqual(self.dither("budget", "verify", "--ledger", "dither.ledger")[0], 0)
        # What a killed run could not remove itself, the next one does.
        self.assertEqual(self.dither(*self.query("SELECT COUNT(*) FROM visits", "--again"))[0], 0)
        self.assertEqual(list(self.scratch.rglob("*")), [])
        left = {path.name for path in self.folder.iterdir()}
        known = {"scratch", "key", "dither.yaml", "visits.csv"}
        self.assertEqual({name for name in left - known if not name.startswith("dither.ledger")}, set())
        self.assertGreater(len(ends), 1, ends)

    def caught_reading(self):
        """A query that has opened its release and is stopped there, alive; and its words."""
        for number in range(100):  # one that ends before it is caught is tried again, as another question
            asked = self.query(f"SELECT city, COUNT(*), SUM(cost) FROM visits WHERE cost > {number} GROUP BY city")
            run = self.start(*asked)
            self.addCleanup(run.kill)
            while run.poll() is None:
                if any(one["state"] == "opened" for one in self.releases()):
                    run.send_signal(signal.SIGSTOP)
                    break
            if any(one["state"] == "opened" for one in self.releases()):
                return run, asked
            run.send_signal(signal.SIGCONT)
            run.communicate(timeout=60)
        self.fail("no query could be caught while it read")

    # Spec: D-62, W-20
    def test_of_two_processes_that_ask_the_same_one_pays(self):
        rows = (self.folder / "visits.csv").read_text(encoding="utf-8").split("\n", 1)[1]
        with open(self.folder / "visits.csv", "a", encoding="utf-8") as visits:
            visits.write(rows * 100)
        self.assertEqual(self.dither(*self.query("SELECT COUNT(*) FROM visits"))[0], 0)
        first, asked = self.caught_reading()
        charged = self.spent()
        second = self.start(*asked)
        time.sleep(0.5)  # by then it waits, most likely; if it does not, nothing below is different
        self.assertIsNone(second.poll())  # it cannot have ended: the first one has not
        first.send_signal(signal.SIGCONT)
        answers = [json.loads(run.communicate(timeout=60)[0]) for run in (first, second)]
        self.assertEqual([one["stored"] for one in answers], [False, True])
        self.assertEqual(answers[0]["rows"], answers[1]["rows"])
        self.assertEqual(answers[0]["release_id"], answers[1]["release_id"])
        self.assertEqual(self.spent(), charged)


if __name__ == "__main__":
    unittest.main()
