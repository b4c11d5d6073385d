"""The runner of tests/sql itself: right lines pass, and every kind of wrong one is seen."""
import importlib.util
import json
import os
import stat
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
spec = importlib.util.spec_from_file_location("sql_run", ROOT / "tests/sql/run.py")
sql_run = importlib.util.module_from_spec(spec)
sys.modules["sql_run"] = sql_run
spec.loader.exec_module(sql_run)

ANSWER = {"plan_hash": "h1", "price": {"epsilon": "1/2", "delta": "0"}, "fits": True,
          "parts": [{"measure": "rows", "noise": "discrete-laplace", "scale": "24", "share": 0.5},
                    {"measure": "sum", "noise": "discrete-laplace", "scale": "60000", "share": 0.5}],
          "keys": {"kind": "private", "rule": "partition-selection", "price": "1/4", "shown_from": 225.0},
          "columns": [{"standard_error": 17.0}, {"standard_error": None}], "cost": {"epsilon": "0.5", "delta": "0"}}

# Refuses what says REFUSE; other statements than "all" have another plan.
FAKE = f"""#!/usr/bin/env python3
import json, sys
sql = sys.stdin.read()
if "REFUSE" in sql:
    sys.stderr.write("error: bad-sql: no\\nhint:  yes\\n")
    sys.exit(2)
answer = json.loads('''{json.dumps(ANSWER)}''')
answer["plan_hash"] = "h1" if "all" in sql else "h2"
print(json.dumps(answer))
"""


class SqlScripts(unittest.TestCase):
    def run_text(self, text):
        """[passed] of the lines of a script run against a fake `dither`."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ):
            os.environ.pop("GTEST_FILTER", None)
            program = Path(folder) / "dither"
            program.write_text(FAKE, encoding="utf-8")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            script = Path(folder) / "x.test"
            script.write_text("-- project: p.yaml\n-- with: R=6 h=5000/2\n" + text, encoding="utf-8")
            return [case["passed"] for case in sql_run.run_script(script, folder)]

    def test_right_lines_pass(self):
        for line in ("part=rows:laplace:R/(epsilon/2) part=sum:laplace:R*h/(epsilon/2):1/2",
                     "keys=private:partition-selection:epsilon/2:225", "se=17,-", "cost=epsilon:epsilon,delta:0",
                     "fits=yes", "solved=0.4999"):
            with self.subTest(line):
                self.assertEqual(self.run_text(f"priced  epsilon=0.5 {line}  SELECT all;\n"), [True])
        self.assertEqual(self.run_text("refused  bad-sql  REFUSE;\n"), [True])
        self.assertEqual(self.run_text("same  a  all one;\nsame  a  all two;\nsame  b  other;\n"), [True] * 3)

    def test_wrong_lines_fail(self):
        for line in ("part=rows:laplace:R/epsilon part=sum:laplace:R*h/(epsilon/2)", "part=rows:laplace:24",
                     "part=rows:gaussian:24 part=sum:laplace:60000", "part=units:laplace:24 part=sum:laplace:60000",
                     "part=rows:laplace:24.0000001 part=sum:laplace:60000",
                     "part=rows:laplace:24:0.4 part=sum:laplace:60000",
                     "noise=laplace scale=24", "keys=none", "keys=public:4", "keys=private:laplace-threshold",
                     "keys=private:partition-selection:epsilon", "keys=private:partition-selection:epsilon/2:224",
                     "se=17", "se=17,5", "se=-,-", "se=16.9,-", "cost=epsilon:1", "cost=rho:0.5", "fits=no",
                     "solved=0.501", "solved=0.49"):
            with self.subTest(line):
                self.assertEqual(self.run_text(f"priced  epsilon=0.5 {line}  SELECT all;\n"), [False])
        self.assertEqual(self.run_text("priced  fits=yes  REFUSE;\n"), [False])
        self.assertEqual(self.run_text("refused  bad-sql  SELECT all;\nrefused  too-long  REFUSE;\n"), [False, False])
        self.assertEqual(self.run_text("same  a  all;\nsame  a  other;\nsame  b  all;\n"), [True, False, False])

    def test_lines_that_check_nothing_are_mistakes(self):
        for line in ("priced  epsilon=1  SELECT all;\n", "priced  speed=1 fits=yes  SELECT all;\n",
                     "cheap  SELECT 1;\n", "refused  bad-sql fits=no  SELECT all;\n"):
            with self.subTest(line), self.assertRaises(ValueError):
                self.run_text(line)


class Oracles(unittest.TestCase):
    # Spec: F-54, D-23
    def test_known_values(self):
        self.assertAlmostEqual(sql_run.gauss(1, 1e-6), 4.22467888933, places=9)
        self.assertEqual(sql_run.select(1, 0.5), 1)
        self.assertEqual(sql_run.select(1, 0.25), 2)  # 0.25, then 1 - (1 - 0.25 - 0.25) / e = 0.816
        self.assertAlmostEqual(sql_run.laplace_se(1e6), 1e6 * 2 ** 0.5, delta=1)
        self.assertAlmostEqual(200 * sql_run.laplace_rate(200), 2.99573, delta=0.02)


if __name__ == "__main__":
    unittest.main()
