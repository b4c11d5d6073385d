"""Claims and code agree: whatever the rooms make is in the list that `dither mechanisms` prints, and each promise there
names tests that exist."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests")]
import claims_scan as scan  # noqa: E402
import coverage  # noqa: E402

BUILD = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release"))
DITHER = BUILD / "apps/cli/dither"

def test_files(root):
    files = [path for folder in ("src", "testing") for path in (root / folder).rglob("*_test.cc")]
    return [path.read_text(encoding="utf-8") for path in files]


def test_names(root):
    """How often each C++ test is defined: {"Suite.Name": 1}."""
    return Counter(name for text in test_files(root) for _, name in coverage.tests_in(text, ".cc"))


def unlisted(root, claims):
    """What the rooms make and nobody claims, and claims of what no room makes."""
    listed = {(claim["name"], claim["room"]) for claim in claims}
    made = scan.everything(root)
    for name, room in sorted(set(made) - listed):
        yield f"{made[name, room]}: {name} is not in {room}/claims.cc"
    for name, room in sorted(listed - set(made)):
        yield f"{room}/claims.cc: nothing in the room makes {name}"


def unused_exceptions(root, helpers):
    """Exceptions for what the rooms do not make."""
    there = set()
    for room in scan.rooms(root):
        for text in map(scan.plain, scan.headers(root, room)):
            there |= {(room, name) for name in [*scan.MAKE.findall(text), *scan.step_names(text)]}
    for room, name in sorted(set(helpers) - there):
        yield f"{room}: {name} is an exception, and nothing is called so"


def unused_headers(root, prices):
    """Headers of accounting that a table of their claims names and the room does not have."""
    for name in sorted(set(prices) - {path.stem for path in (root / "src/accounting").glob("*.h")}):
        yield f"accounting: there is no {name}.h"


def unproven(root, claims):
    """Tests that claims name and the tree does not have."""
    tests = test_names(root)
    for claim in claims:
        for test in claim["testers"] + claim["mutants"]:
            if tests[test] != 1:
                yield f"{claim['name']}: {tests[test]} tests are called {test}"
        for test in claim["mutants"]:
            if not re.search(r"\.Planted\w+(Is|Are)Caught", test):
                yield f"{claim['name']}: {test} is not the name of a planted bug"


def untested_rows(root, claims):
    """Rows that a claim names and the tags of its own tests do not."""
    tagged = {tag for text in test_files(root) for tag in coverage.tags_in(text, ".cc")[0]}
    for claim in claims:
        for row in claim["rows"]:
            if not any((row, test) in tagged for test in claim["testers"] + claim["mutants"]):
                yield f"{claim['name']}: none of its tests is tagged with {row}"


def unknown_rows(rows, claims):
    for claim in claims:
        for row in claim["rows"]:
            if not coverage.ID.fullmatch(row) or row not in rows:
                yield f"{claim['name']}: there is no row {row}"


def printed(*words):
    return subprocess.run([DITHER, *words], capture_output=True, text=True, check=True).stdout


class Claims(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.claims = json.loads(printed("mechanisms", "--json"))["mechanisms"]

    def none(self, complaints):
        found = list(complaints)
        self.assertFalse(found, "\n".join(["", *found]))

    def test_all_that_is_made_is_claimed(self):
        self.assertGreater(len(scan.makes(ROOT)), 40)
        self.assertGreater(len(scan.combinators(ROOT)), 10)
        self.assertGreater(len(scan.samplers(ROOT)), 20)
        self.assertGreater(len(scan.accounts(ROOT)), 25)
        self.assertGreater(len(scan.statements(ROOT)), 16)
        self.none(unlisted(ROOT, self.claims))

    def test_exceptions_are_of_what_there_is(self):
        self.none(unused_exceptions(ROOT, scan.HELPERS))
        self.none(unused_headers(ROOT, scan.PRICES))
        self.assertTrue(all(scan.HELPERS.values()))

    def test_every_law_of_the_command_is_claimed(self):
        laws = {f"draw-{law['law']}" for law in json.loads(printed("noise", "--list", "--json"))["laws"]}
        self.assertLessEqual(laws, {claim["name"] for claim in self.claims})

    # Spec: D-74
    def test_testers_and_mutants_exist(self):
        self.none(unproven(ROOT, self.claims))

    def test_rows_exist(self):
        self.none(unknown_rows(coverage.requirements(), self.claims))

    def test_rows_are_tested_by_the_tests_of_the_claim(self):
        self.none(untested_rows(ROOT, self.claims))

    def test_the_reference_page_is_what_the_command_prints(self):
        page = (ROOT / "docs/mechanisms.md").read_text(encoding="utf-8")
        self.assertEqual(page, printed("mechanisms", "--markdown"), "run ./dev docs")


class Checker(unittest.TestCase):
    """The checker itself, on a small made-up tree and its claims: it passes the right ones and fails each wrong one."""

    FILES = {
        "src/mechanisms/fog.h": "// As make_mist(), but less.\nMeasurement<L1, Pure> make_fog(int scale);\n",
        "src/audit/zoo.h": "AnyMeasurement make_wrong(int x);\n",
        "src/mechanisms/toy_check.h": "int make_toy(int x);\n",
        "src/calculus/makers.h": "AnyTransformation make_transformation(const Recipe& recipe);\n",
        "src/calculus/keep.h": "AnyTransformation make_keep_rows(const Domain& domain,\n    int rows);\n",
        "src/random/fog.h": "class Fog {\n public:\n  int draw(Source& source) const;\n};\n"
                            "class Entropy {\n};\nnamespace detail {\nint inner(int n, Source& source);\n"
                            "}  // namespace detail\ninline int fog(int n, Source& source) { return n; }\n",
        "src/mechanisms/fog_test.cc": "// Spec: F-67\nTEST(Fog, FollowsTheLaw) {\n}\n"
                                      "TEST(Fog, PlantedSunIsCaught) {\n}\n",
    }
    EVIDENCE = {"rows": ["F-67"], "testers": ["Fog.FollowsTheLaw"], "mutants": ["Fog.PlantedSunIsCaught"]}
    CLAIMS = [{"name": "fog", "room": "mechanisms", **EVIDENCE}, {"name": "keep-rows", "room": "calculus", **EVIDENCE},
              {"name": "draw-fog", "room": "random", **EVIDENCE}]

    def write(self, folder, files=()):
        for name, text in {**self.FILES, **dict(files)}.items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def complaints(self, files=(), claims=None):
        claims = self.CLAIMS if claims is None else claims
        with tempfile.TemporaryDirectory() as folder:
            self.write(folder, files)
            return [*unlisted(Path(folder), claims), *unproven(Path(folder), claims),
                    *untested_rows(Path(folder), claims), *unknown_rows({"F-67": "Geometric", "F-68": "Cut"}, claims)]

    def changed(self, **parts):
        return self.complaints(claims=[{**self.CLAIMS[0], **parts}, *self.CLAIMS[1:]])

    def test_right_tree_passes(self):
        self.assertEqual(self.complaints(), [])

    def test_planted_unlisted_mechanism_is_caught(self):
        self.assertEqual(self.complaints(claims=self.CLAIMS[1:]),
                         ["src/mechanisms/fog.h: fog is not in mechanisms/claims.cc"])
        header = {"src/calculus/haze.h": "Transformation<L1,\n  L1> make_haze_2(\n  int);\n"}
        self.assertEqual(self.complaints(header), ["src/calculus/haze.h: haze-2 is not in calculus/claims.cc"])

    def test_planted_unlisted_combinators_are_caught(self):
        for text, name in {"AnyMeasurement stir_twice(int times,\n    const AnyMeasurement& one);\n": "stir-twice",
                           "template <class M>\nMeasurement<M,\n    Pure> stir(int times);\n": "stir",
                           "class Crowd {\n  Release<Data> ask(const AnyMeasurement& one);\n};\n": "crowd",
                           "class Crowd {\n  const Queryable of(int who);\n};\n": "crowd"}.items():
            with self.subTest(text):
                self.assertEqual(self.complaints({"src/calculus/stir.h": text}),
                                 [f"src/calculus/stir.h: {name} is not in calculus/claims.cc"])
        other = "calculus::AnyMeasurement mist(int scale);\n"
        self.assertEqual(self.complaints({"src/mechanisms/mist.h": other}),
                         ["src/mechanisms/mist.h: mist is not in mechanisms/claims.cc"])

    def test_planted_makers_of_all_rooms_are_caught(self):
        for room in ("session", "sql/detail", "mechanisms/detail", "release", "base"):
            with self.subTest(room):
                self.assertEqual(self.complaints({f"src/{room}/hail.h": "int make_hail(int x);\n"}),
                                 [f"src/{room}/hail.h: hail is not in {room.split('/')[0]}/claims.cc"])

    def test_planted_steps_inside_others_are_caught(self):
        for text, name in {"std::optional<AnyMeasurement> hail();\n": "hail",
                           "std::shared_ptr<const calculus::AnyTransformation> hail(int x);\n": "hail",
                           "const AnyMeasurement& hail();\n": "hail",
                           "auto hail(int x) -> std::vector<AnyMeasurement>;\n": "hail",
                           "struct Hail {\n  int size = 0;\n  calculus::AnyMeasurement measurement;\n};\n": "hail",
                           "struct Hail {\n  std::function<AnyMeasurement()> make = {};\n};\n": "hail",
                           "class Hail {\n public:\n  static AnyMeasurement of(int x);\n};\n": "hail",
                           "class Cloud {\n  struct Hail {\n    AnyTransformation step;\n  };\n};\n": "hail",
                           "template <class A>\nclass Hail {\n  Measurement<A, Pure> of();\n};\n": "hail",
                           "class Hail {\n  int fill(int n, random::Source& source) const;\n};\n": "hail",
                           "int hail(random::Source&, int n);\n": "hail"}.items():
            for room in ("session", "mechanisms/detail"):
                with self.subTest(text, room=room):
                    self.assertEqual(self.complaints({f"src/{room}/hail.h": text}),
                                     [f"src/{room}/hail.h: {name} is not in {room.split('/')[0]}/claims.cc"])
        other = ("class AnyMeasurement;\nusing Make = AnyMeasurement (*)(int x);\n"
                 "int size(const AnyMeasurement& one);\n"
                 "struct Hail {\n  friend class AnyMeasurement;\n  AnyMeasurement::Map map;\n};\n"
                 "inline int twice(const AnyMeasurement& one) {\n  return chain(AnyMeasurement(one), one);\n}\n")
        self.assertEqual(self.complaints({"src/session/hail.h": other}), [])

    def test_planted_exceptions_of_nothing_are_caught(self):
        with tempfile.TemporaryDirectory() as folder:
            self.write(folder)
            root = Path(folder)
            self.assertEqual([*unused_exceptions(root, {("mechanisms", "make_fog"): "", ("random", "make_fog"): ""})],
                             ["random: make_fog is an exception, and nothing is called so"])
            self.assertEqual([*unused_headers(root, {"fog": []})], ["accounting: there is no fog.h"])

    def test_planted_unlisted_samplers_are_caught(self):
        for text, name in {"class Hail {\n  void fill(std::span<int> out, Source& source) const;\n};\n": "hail",
                           "struct Hail {\n  int one(Source& source) const;\n};\n": "hail",
                           "int hail(Source&, int n);\n": "hail",
                           "int hail(Source& source, int n) {\n  return n;\n}\n": "hail",
                           "template <BitSource S>\nint hail(int, S&);\n": "hail",
                           "template <class T, BitSource S>\nT hail(S& source, int n);\n": "hail",
                           "int hail(BitSource auto& source);\n": "hail"}.items():
            with self.subTest(text):
                self.assertEqual(self.complaints({"src/random/hail.h": text}),
                                 [f"src/random/hail.h: draw-{name} is not in random/claims.cc"])
        for text, name in {"class BigHail {\n  template <BitSource S>\n  int draw(S& source) const;\n};\n": "big-hail",
                           "std::vector<int> hail(int n,\n                      Source& source);\n": "hail",
                           "class RealLaw {\n  static RealLaw hail_t(int n);\n};\n": "hail-t"}.items():
            with self.subTest(name):
                self.assertEqual(self.complaints({"src/random/hail.h": text}),
                                 [f"src/random/hail.h: draw-{name} is not in random/claims.cc"])

    def test_planted_unlisted_rules_and_aggregates_are_caught(self):
        rule = {"src/accounting/filter_rule.h": "struct FogRule {\n  int epsilon;\n};\n"}
        self.assertEqual(self.complaints(rule),
                         ["src/accounting/filter_rule.h: filter-fog is not in accounting/claims.cc"])
        kind = {"src/plan/aggregate_call.h": "enum class AggregateKind {\n  haze,  // HAZE(x)\n};\n"}
        self.assertIn("src/plan/aggregate_call.h: sql-haze is not in sql/claims.cc", self.complaints(kind))

    def test_planted_unlisted_compositions_are_caught(self):
        mist = "// Adds up.\n//\n// Guarantee  the sum.\n// Refuses    nothing.\nCharge mist(int a,\n    int b);\n"
        for text, name in {mist: "mist",
                           "// Guarantee  the sum.\nclass Haze {\n};\n": "haze",
                           "class FogOdometer {\n};\n": "fog-odometer",
                           "struct FogFilter final {\n};\n": "fog-filter",
                           "class SlowComposition : Other {\n};\n": "slow-composition",
                           "struct Mist {\n};\nMist charged(const Mist& mist, const Charge& charge);\n": "mist",
                           "class Mist {\n  friend Mist charged(Mist mist, const Charge& charge);\n};\n": "mist",
                           "using Sampler =\n    std::variant<Poisson, Drizzle>;\n": "drizzle",
                           "struct Mechanism {\n  using Kind = std::variant<Gaussian, Drizzle>;\n};\n": "drizzle",
                           "// Promise    rounded up.\nint drizzle(int a);\n": "mist",
                           "int drizzle(int a);\n": "mist"}.items():
            with self.subTest(text):
                self.assertIn(f"src/accounting/mist.h: {name} is not in accounting/claims.cc",
                              self.complaints({"src/accounting/mist.h": text}))
        bound = "// Promise    rounded up.\nint mist(int a);\n"  # of a header that is said to price nothing
        self.assertEqual(self.complaints({"src/accounting/limits.h": bound}), [])

    def test_planted_unlisted_kinds_of_plans_are_caught(self):
        joins = "enum class JoinKind { inner, outer };\n"
        noise = {"src/session/priced_plan.h": "enum class Noise {\n  none,  // nothing\n  hail,\n};\n"}
        self.assertEqual(self.complaints(noise), ["src/session/priced_plan.h: sql-hail is not in sql/claims.cc"])
        measures = {"src/plan/bounded_aggregate.h": "enum class MeasureKind { distinct, hail };\n"}
        self.assertEqual(self.complaints(measures), ["src/plan/bounded_aggregate.h: sql-hail is not in sql/claims.cc"])
        for name, text, claim in [("relation.h", "using Step = std::variant<Scan, Window>;\n" + joins, "window"),
                                  ("relation.h", "using Step = std::variant<Scan,\n Join>;\n" + joins, "outer"),
                                  ("relation.h", "using Step = std::variant<Scan,\n Join>;\n" + joins, "join"),
                                  ("project.h", "using Unit = std::variant<UnitRow, UnitDay>;\n", "unit-day")]:
            with self.subTest(claim):
                self.assertIn(f"src/plan/{name}: sql-{claim} is not in sql/claims.cc",
                              self.complaints({f"src/plan/{name}": text}))

    def test_planted_unlisted_release_is_caught(self):
        slowly = {"src/mechanisms/slowly.h": "class Slowly {\n  void release(int size, const Take& take) const;\n};\n"}
        self.assertEqual(self.complaints(slowly), ["src/mechanisms/slowly.h: slowly is not in mechanisms/claims.cc"])

    def test_planted_claim_of_another_room_is_caught(self):
        self.assertEqual(self.changed(room="calculus"), ["src/mechanisms/fog.h: fog is not in mechanisms/claims.cc",
                                                         "calculus/claims.cc: nothing in the room makes fog"])

    def test_planted_missing_tests_are_caught(self):
        self.assertEqual(self.changed(testers=["Fog.FollowsTheLaw", "Fog.Missing"]),
                         ["fog: 0 tests are called Fog.Missing"])
        self.assertEqual(self.changed(mutants=["Fog.PlantedRainIsCaught"]),
                         ["fog: 0 tests are called Fog.PlantedRainIsCaught"])

    def test_planted_mutant_that_is_an_ordinary_test_is_caught(self):
        self.assertEqual(self.changed(mutants=["Fog.FollowsTheLaw"]),
                         ["fog: Fog.FollowsTheLaw is not the name of a planted bug"])

    def test_planted_test_of_two_files_is_caught(self):
        again = {"src/random/fog_test.cc": "TEST(Fog, PlantedSunIsCaught) {\n}\n"}
        self.assertIn("fog: 2 tests are called Fog.PlantedSunIsCaught", self.complaints(again))

    def test_planted_rows_are_caught(self):
        self.assertIn("fog: there is no row F-1", self.changed(rows=["F-67", "F-1"]))
        self.assertIn("fog: there is no row F67", self.changed(rows=["F67"]))
        self.assertEqual(self.changed(rows=["F-68"]), ["fog: none of its tests is tagged with F-68"])


if __name__ == "__main__":
    unittest.main()
