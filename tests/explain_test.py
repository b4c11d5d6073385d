"""What a script of commands cannot check about `dither explain`: that it reads no data, and that its page is right."""
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release"))
PAGE = ROOT / "docs/explain.md"
SVG = "{http://www.w3.org/2000/svg}"
STATEMENTS = ("SELECT COUNT(*) FROM visits", "SELECT city, AVG(cost) AS mean FROM visits WHERE cost > 5 GROUP BY city",
              "SELECT VAR_SAMP(v.cost) FROM visits v JOIN regions r ON v.city = r.city")


class Clinic(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="dither-explain-"))
        self.addCleanup(shutil.rmtree, self.folder)
        shutil.copy(ROOT / "examples/clinic/dither.yaml", self.folder)

    def explain(self, *words):
        return subprocess.run([BUILD / "apps/cli/dither", "explain", *words], cwd=self.folder, capture_output=True,
                              text=True, check=True).stdout

    def all_outputs(self):
        return [self.explain("--epsilon", "0.5", *form, sql) for sql in STATEMENTS
                for form in ((), ("--json",), ("--format", "svg"))]


class ReadsNoData(Clinic):
    # Spec: W-76
    def test_the_same_bytes_whatever_the_data_holds(self):
        data = self.folder / "visits.csv"
        data.write_text("person,city,cost\n1,a,10\n2,b,20\n", encoding="utf-8")
        (self.folder / "regions.csv").write_text("city\na\n", encoding="utf-8")
        before = self.all_outputs()
        data.write_text("person,city,cost\n" + "7,zz,99999999\n" * 1000, encoding="utf-8")
        self.assertEqual(self.all_outputs(), before)
        data.unlink()
        (self.folder / "regions.csv").unlink()
        self.assertEqual(self.all_outputs(), before)

    def test_files_that_cannot_be_read_are_not_missed(self):
        (self.folder / "visits.csv").mkdir()
        self.assertEqual(len(self.all_outputs()), 3 * len(STATEMENTS))

    def test_nothing_is_made(self):
        self.all_outputs()
        self.assertEqual([path.name for path in self.folder.iterdir()], ["dither.yaml"])


class Output(Clinic):
    def test_the_drawing_holds_the_tree(self):
        svg = self.explain("--epsilon", "0.5", "--format", "svg", STATEMENTS[1])
        root = xml.etree.ElementTree.fromstring(svg)
        text = " ".join(one.text for one in root.iter(f"{SVG}text"))
        for words in ("answer: city, mean", "discrete Laplace", "keys_per_unit = 3", "visits"):
            self.assertIn(words, text)

    # Spec: B-32
    def test_json_has_what_the_page_lists(self):
        page = PAGE.read_text(encoding="utf-8")
        listed = [re.findall(r"`(\w+)`", row.split("|")[1]) for row in page.split("| member |")[1].splitlines()[2:]
                  if row.startswith("|")]
        answer = json.loads(self.explain("--epsilon", "0.5", "--json", STATEMENTS[1]))
        self.assertEqual(sorted(answer), sorted(sum(listed, [])))
        self.assertEqual(answer["price"], {"epsilon": "1/2", "delta": "0"})
        self.assertEqual([part["measure"] for part in answer["parts"]], ["rows", "sum"])
        self.assertAlmostEqual(sum(part["share"] for part in answer["parts"]), 1, places=12)
        self.assertEqual(answer["budgets"][0]["left"], {"epsilon": "3", "delta": "0.00000001"})

    def test_the_page_shows_what_is_printed(self):
        page = PAGE.read_text(encoding="utf-8")
        options, sql = re.search(r'^    dither explain (.*) "(.*)"$', page, re.M).groups()
        shown = re.search(r"^```text\n(.*?)^```$", page, re.M | re.S)[1]
        self.assertEqual(self.explain(*options.split(), sql), shown)


if __name__ == "__main__":
    unittest.main()
