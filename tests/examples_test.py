"""The programs that the documents show: they are in the tree as shown, and print what is said there."""
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release"))
PAGE = ROOT / "docs/calculus.md"
SOURCE = ROOT / "examples/private_count.cc"


def shown(page, language):
    """The blocks of code of this language in a page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"), re.M | re.S)


class PrivateCount(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run = subprocess.run([BUILD / "examples/private_count"], capture_output=True, text=True, check=True)
        cls.lines = run.stdout.splitlines()

    def test_the_page_shows_the_program(self):
        self.assertIn(SOURCE.read_text(encoding="utf-8"), shown(PAGE, "cpp"))

    # Spec: W-07
    def test_costs_and_recipe_are_those_of_the_page(self):
        said = shown(PAGE, "text")[0].splitlines()
        self.assertEqual(self.lines[:-1], said[:-1])
        self.assertEqual(self.lines[0], "1 changed: epsilon 1/2")

    # 2,000 visits are long, all of them among the three that a person may have. P(|noise| > 180) at scale 6 is 9e-14.
    def test_the_answer_is_near(self):
        found = re.fullmatch(r"about (\d+) long visits, 95% between (\d+) and (\d+)", self.lines[-1])
        answer, low, high = map(int, found.groups())
        self.assertLess(abs(answer - 2000), 180)
        self.assertEqual((answer - low, high - answer), (18, 18))


class StewardSession(unittest.TestCase):
    def test_the_session_runs_as_it_says(self):
        script = ROOT / "examples/steward.sh"
        env = {**os.environ, "PATH": f"{BUILD / 'apps/cli'}:{os.environ['PATH']}"}
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([script], cwd=folder, env=env, capture_output=True, text=True, check=True)
            page = (Path(folder) / "statement.md").read_text(encoding="utf-8")
        self.assertRegex(run.stdout, r"visits/flu +0\.5 .* epsilon 0\.1 +5\n")
        self.assertIn("\nstatus 3\n", run.stdout)
        self.assertIn("all is well\nboth copies hold the same records\n", run.stdout)
        self.assertIn("flu visits, week 46", page)

    def test_the_page_points_to_it(self):
        self.assertIn("(../examples/steward.sh)", (ROOT / "docs/ledger.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
