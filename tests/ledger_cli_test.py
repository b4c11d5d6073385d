"""What a script of commands cannot check about `dither budget`: JSON as programs read it, statements, edits by hand."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release"))
AMOUNTS = ("limit", "spent", "left", "lifetime")


class LedgerCase(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="dither-ledger-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.env = {**os.environ, "DITHER_KEY": str(self.folder / "key")}

    def dither(self, *words, status=0):
        run = subprocess.run([BUILD / "apps/cli/dither", *words, "--ledger", "v.ledger"], cwd=self.folder, env=self.env,
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, status, run.stderr)
        return run.stdout

    def json(self, *words, status=0):
        return json.loads(self.dither(*words, "--json", status=status))

    def make(self, *words):
        return self.json("budget", "create", "--dataset", "visits", "--unit", "person", "--neighbours", "add-remove",
                         "--by", "Ada", "--why", "test", *words)

    def charge(self, plan, *words):
        return self.json("budget", "charge", "visits", "--by", "Bob", "--plan", plan, *words)


class Json(LedgerCase):
    # Spec: B-32
    def test_amounts_are_exact_decimals_and_never_alone(self):
        made = self.make("--epsilon", "1.5", "--delta", "1e-6")
        charged = self.charge("one", "--laplace", "3")
        shown = self.json("budget", "--delta", "1e-7")["budgets"][0]
        for budget in (made["budget"], charged["budget"], shown):
            for name in AMOUNTS:
                self.assertEqual(set(budget[name]), {"epsilon", "delta"})
                self.assertTrue(all(isinstance(value, str) for value in budget[name].values()))
            self.assertEqual((budget["unit"], budget["neighbours"], budget["rule"]), ("person", "add-remove", "basic"))
        self.assertEqual(shown["spent"], {"epsilon": "0.333333333333333334", "delta": "0"})
        self.assertEqual(shown["left"], {"epsilon": "1.166666666666666666", "delta": "0.000001"})
        for name in ("largest_laplace", "largest_gaussian"):
            self.assertIn("filter value", shown[name]["is"])
            self.assertEqual((shown[name]["unit"], shown[name]["neighbours"]), ("person", "add-remove"))

    # Spec: B-21
    def test_odometer_and_filter_are_different_quantities(self):
        self.make("--rho", "0.5")
        self.charge("one", "--gaussian", "1")
        shown = self.json("budget", "--delta", "1e-6", "--estimate")["budgets"][0]
        self.assertEqual(shown["left"], {"rho": "0", "delta": "0"})
        self.assertEqual(shown["largest_gaussian"]["epsilon"], "0")
        self.assertIn("odometer", shown["odometer"]["is"])
        estimates = {entry["accountant"]: entry for entry in shown["if_fixed_in_advance"]}
        self.assertEqual(estimates["gdp"]["method"], "gdp, if fixed in advance")
        # The whole budget is spent: the filter promises what zCDP does, and an odometer shows more for the same sum.
        promised = self.json("budget", "statement", "visits", "--delta", "1e-6")["attack"]["promised_epsilon"]
        self.assertGreater(shown["odometer"]["epsilon"], promised)
        self.assertGreater(promised, estimates["gdp"]["epsilon"])

    def test_a_budget_of_one_takes_ten_charges_of_a_tenth(self):
        self.make("--epsilon", "1")
        for number in range(10):
            shown = self.json("budget", "show", "visits", "--laplace", "10")["budgets"][0]
            self.assertEqual(shown["fits"], 10 - number)
            self.charge(f"number {number}", "--laplace", "10")
        self.assertEqual(self.json("budget")["budgets"][0]["left"], {"epsilon": "0", "delta": "0"})
        self.json_refused("budget", "charge", "visits", "--plan", "one more", "--laplace", "1000000000000000000")
        self.assertEqual(len(self.json("history")["releases"]), 10)
        self.assertEqual(self.json("history", "--refusals")["refusals"][0]["code"], "over-budget")

    # Spec: B-21
    def test_programs_are_warned_about_all_that_have_paid(self):
        self.make("--epsilon", "1")
        self.json("budget", "create", "--budget", "visits/a", "--kind", "project", "--epsilon", "5", "--why", "test")
        charged = self.json("budget", "charge", "visits/a", "--plan", "one", "--laplace", "5/4")
        self.assertEqual(charged["warnings"], ["80% of visits is spent"])
        self.assertEqual(charged["budget"]["warnings"], [])

    def json_refused(self, *words):
        self.assertEqual(self.dither(*words, "--json", status=3), "")

    def test_a_release_holds_its_events(self):
        self.make("--epsilon", "1")
        charged = self.charge("one", "--laplace", "10", "--statistic", "count", "--note", "42")
        shown = self.json("release", "show", charged["release"])
        self.assertEqual(shown["events"], [{"mechanism": "laplace", "scale": 10, "sensitivity": 1, "times": 1}])
        self.assertEqual((shown["state"], shown["statistic"], shown["payers"]), ("committed", "count", ["visits"]))
        self.assertEqual(shown["cost"], {"epsilon": "0.1", "delta": "0"})


class Statement(LedgerCase):
    # Spec: P-33
    def test_worst_case_of_a_budget_that_renews(self):
        self.make("--epsilon", "0.25", "--renews", "year", "--expires", "2999-01-01")
        page = self.json("budget", "statement", "visits")
        year = int(page["as_of"][:4])
        self.assertEqual(page["accumulation"]["so_far_at_most"], {"epsilon": "0.25", "delta": "0"})
        self.assertEqual(page["accumulation"]["periods_to_come"], 2998 - year)
        self.assertEqual(float(page["accumulation"]["then_at_most"]["epsilon"]), 0.25 * (2999 - year))
        text = " ".join(self.dither("budget", "statement", "visits").split())
        self.assertIn("The budget renews every year, and each period may spend epsilon 0.25 again.", text)
        self.assertIn("Until it expires on 2999-01-01T00:00:00Z: at most epsilon", text)

    def test_a_budget_without_end_says_so(self):
        self.make("--epsilon", "0.1", "--renews", "month")
        text = " ".join(self.dither("budget", "statement", "visits").split())
        self.assertIn("a year from now it may be epsilon 1.3, and so on without bound", text)

    # Spec: A-09
    def test_odds_are_those_of_the_promise(self):
        self.make("--epsilon", "1")
        attack = self.json("budget", "statement", "visits")["attack"]
        self.assertAlmostEqual(attack["accuracy"], 0.7310585786300049, places=12)  # e / (1 + e)
        self.assertAlmostEqual(attack["posterior_of_one_percent"], 0.02672368, places=7)

    # Spec: D-63
    def test_the_page_lists_releases_refusals_and_decisions(self):
        self.make("--epsilon", "1", "--purpose", "counts of visits")
        self.charge("visits per day", "--laplace", "10")
        self.dither("budget", "charge", "visits", "--plan", "too much", "--laplace", "1/9", status=3)
        self.dither("budget", "freeze", "visits", "--by", "Ada", "--why", "under audit")
        page = self.json("budget", "statement", "visits")
        self.assertEqual([release["title"] for release in page["releases"]], ["visits per day"])
        self.assertEqual([refusal["title"] for refusal in page["refusals"]], ["too much"])
        self.assertEqual([entry["why"] for entry in page["decisions"]], ["test", "under audit"])
        text = self.dither("budget", "statement", "visits")
        for word in ("one person more or less (add-remove)", "counts of visits", page["releases"][0]["answer"][:16],
                     "frozen", page["head"]["hash"]):
            self.assertIn(word, text)

    def test_markdown_cannot_be_broken_by_what_people_write(self):
        self.make("--epsilon", "1")
        self.charge("<script>|[x](y)|", "--laplace", "10")
        text = self.dither("budget", "statement", "visits", "--markdown", "--out", "page.md")
        self.assertEqual(text, "")
        page = (self.folder / "page.md").read_text(encoding="utf-8")
        self.assertTrue(page.startswith("# Privacy statement: visits, "))
        self.assertIn(r"\<script\>\|\[x\]\(y\)\|", page)

    def test_one_data_set_needs_no_name(self):
        self.make("--epsilon", "1")
        self.assertEqual(self.json("budget", "statement")["budget"], "visits")
        self.json("budget", "create", "--dataset", "bills", "--unit", "person", "--neighbours", "add-remove",
                  "--epsilon", "1", "--why", "test")
        self.dither("budget", "statement", status=2)

    # Spec: P-33
    def test_the_promise_is_that_of_one_period_where_a_budget_renews(self):
        self.make("--epsilon", "0.1", "--renews", "month")
        text = " ".join(self.dither("budget", "statement").split())
        self.assertIn("The budget is epsilon 0.1 in each period", text)
        self.assertIn("Once all of one period is spent, the promise is epsilon 0.1 at delta 0.", text)

    def test_grants_and_other_budgets_are_not_hidden(self):
        self.make("--epsilon", "1")
        text = " ".join(self.dither("budget", "statement").split())
        self.assertNotIn("was raised", text)
        self.assertNotIn("comes on top", text)
        self.json("budget", "grant", "visits", "--epsilon", "0.3", "--why", "more")
        text = " ".join(self.dither("budget", "statement").split())
        self.assertIn("The limit was raised once, by decisions that are listed below.", text)
        self.assertIn("the promise is epsilon 1.3 at delta 0.", text)
        self.json("budget", "create", "--budget", "visits/a", "--kind", "project", "--epsilon", "0.5", "--why", "test")
        self.charge("one", "--laplace", "10")
        text = " ".join(self.dither("budget", "statement", "visits/a").split())
        self.assertIn("This is one budget of the data set \"visits\". What its other budgets spend about the same "
                      "person comes on top: of the whole data set epsilon 0.1 is spent, of epsilon 1.3.", text)

    def test_a_curve_needs_a_delta(self):
        self.make("--mu", "1")
        self.dither("budget", "statement", "visits", status=2)
        odds = self.json("budget", "statement", "visits", "--delta", "1e-6")["attack"]
        self.assertAlmostEqual(odds["accuracy"], 0.6914624613, places=9)  # Phi(1/2)


class Edits(LedgerCase):
    # Spec: P-26
    def test_an_edit_by_hand_is_found_and_named(self):
        self.make("--epsilon", "1")
        self.charge("visits per day", "--laplace", "10")
        whole = (self.folder / "v.ledger").read_bytes()
        at = whole.index(b"visits per day")
        (self.folder / "v.ledger").write_bytes(whole[:at] + b"V" + whole[at + 1:])
        for name in ("v.ledger-wal", "v.ledger-shm"):
            (self.folder / name).unlink(missing_ok=True)
        found = self.json("budget", "verify", status=1)
        self.assertFalse(found["ok"])
        self.assertEqual(found["findings"][0]["record"], 3)  # the reservation
        self.dither("budget", status=4)  # pages have checksums: nobody reads on


if __name__ == "__main__":
    unittest.main()
