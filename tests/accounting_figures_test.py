"""The two figures of docs/accounting.md: drawn anew they are the committed ones, and they hold the book's values."""
import csv
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import figures  # noqa: E402

BUILD = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release"))
GOLDEN = ROOT / "docs/figures"


def read(path):
    """{first column: {column: value}}"""
    with open(path, encoding="utf-8", newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return {next(iter(row.values())): row for row in rows}


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        subprocess.run([BUILD / "apps/figures/dither-figures", cls.folder.name], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def drawn(self, name):
        return Path(self.folder.name) / name

    def near(self, value, expected, relative):
        self.assertAlmostEqual(value, expected, delta=relative * abs(expected))

    def test_drawn_anew_they_are_the_committed_ones(self):
        for name in ("compositions.csv", "sampling.csv"):
            new, old = read(self.drawn(name)), read(GOLDEN / name)
            self.assertEqual(new.keys(), old.keys())
            for at, row in new.items():
                self.assertEqual(row.keys(), old[at].keys())
                for column, value in row.items():
                    self.near(value, old[at][column], 1e-9)

    def test_plots_show_every_curve(self):
        for name in ("compositions", "sampling"):
            columns = self.drawn(f"{name}.csv").read_text().splitlines()[0].split(",")[1:]
            for text in (self.drawn(f"{name}.svg").read_text(), (GOLDEN / f"{name}.svg").read_text()):
                for column in columns:
                    self.assertIn(column, text)

    # Spec: O-07, A-28
    def test_compositions(self):
        rows = read(GOLDEN / "compositions.csv")
        for times, advanced, zcdp, optimal, gaussian in [
                (10, 1.712258136269, 1.471594750532, .9993709057218, .9405155265308),
                (50, 3.96692218885, 3.542291300477, 3.172902734019, 2.25408465022),
                (100, 5.756521769757, 5.22153444453, 4.774567588108, 3.307600722613),
                (200, 8.4338443777, 7.766216625312, 7.185594457672, 4.886554117462),
                (1000, 21.62258136269, 20.55194881404, 19.34467144799, 12.59524673551)]:
            row = rows[times]
            self.near(row["basic"], times / 10, 1e-12)
            for column, expected in (("advanced", advanced), ("zCDP", zcdp), ("optimal", optimal),
                                     ("Gaussian noise", gaussian)):
                self.near(row[column], expected, 1e-8)

    # Spec: O-15, A-61
    def test_sampling(self):
        rows = read(GOLDEN / "sampling.csv")
        for order, exact, small, large in [(2, .00428650437041898, .0138016440980432, .0638422399972897),
                                           (3, .00726124325278, .0268255197375, .123633169319),
                                           (5, .0185892354072, .524971481288, .346521386181),
                                           (6, .0394013596620, 1.336741038, .532949487345),
                                           (10, 1.67406056378582, 4.1127692264, 1.88419196024),
                                           (20, 6.84659771884139, 9.94600705854, 6.84809357986)]:
            row = rows[order]
            self.near(row["exact"], exact, 1e-8)
            self.near(row["bound for small orders"], small, 1e-8)
            self.near(row["bound for large orders"], large, 1e-8)
            self.near(row["without sampling"], order / 2, 1e-12)


class Samplers(unittest.TestCase):
    # Spec: A-37, B-15, B-16, B-18
    def test_table_in_the_page_is_what_the_command_answers(self):
        self.assertEqual(figures.table_in_page(), figures.sampler_table(BUILD / "apps/cli/dither"))


if __name__ == "__main__":
    unittest.main()
