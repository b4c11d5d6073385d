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
sys.path.insert(0, str(ROOT / "tools"))
import coverage  # noqa: E402

BUILD = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release"))
DITHER = BUILD / "apps/cli/dither"

MAKERS = ("calculus", "mechanisms")
# Functions that make whatever a recipe or a text says, so that they promise nothing of their own.
NOT_ONE_THING = {"make_transformation", "make_measurement", "measurement_from_json", "transformation_from_json"}
# A maker `make_foo` is claimed as "foo", the name of its recipe; these make others' recipes.
SAME_RECIPE = {"make_real_gaussian_gdp": "real-gaussian"}
# A class that keeps several promises.
ALSO = {"Queryable": ["odometer"]}
# A sampler `Foo` or `foo` is claimed as "draw-foo", but for these.
SAMPLER_NAMES = {
    "Source": "random-source",
    "RealNoise": "draw-normal", "rounded_real": "draw-normal",  # each law of RealLaw has its own claim
    "uniform_below": "draw-uniform", "uniform_below_wide": "draw-uniform", "fill_uniform_below": "draw-uniform",
    "shuffle": "draw-permutation", "choose": "draw-subset",
}

# Accounting: whatever a header says a Guarantee of; rules; classes that compose; states that charges are added to; and
# the samples that events are made on. Each is claimed under its name, but for these.
ACCOUNTS = {
    "parallel": [("parallel-composition", "accounting")],
    "FilterState": [],  # its rules have the claims
    "PureOdometer": [("odometer", "calculus")], "Odometer": [("odometer", "calculus")],
    "Poisson": [("sampled-composition", "accounting")],
    # No room draws these: events of others, which the accountant prices.
    **dict.fromkeys(("WithoutReplacement", "WithReplacement", "ShuffledBatches", "RandomAllocation", "AllOrNothing"),
                    [("composition", "accounting")]),
}
RULE = re.compile(r"^struct (\w+)Rule \{", re.M)
GUARANTEE = re.compile(r"^// Guarantee .*\n(?://.*\n)*(?:template.*\n)?(?:(?:class|struct) (\w+)|[^(;{]*?(\w+)\()",
                       re.M)
COMPOSES = re.compile(r"^(?:class|struct) (\w*(?:Filter|FilterState|Odometer|Composition))\b[^;]*?\{", re.M)
CHARGED = re.compile(r"^ *(?:friend )?(\w+) charged\(", re.M)
SAMPLERS = re.compile(r"^using Sampler\s*=\s*std::variant<(.*?)>;", re.M | re.S)
# Statements: the claims of the aggregates, steps, joins and units that plans have; others are claimed as "sql-" and
# their name.
AGGREGATES = {"count_rows": ["sql-count"], "count": ["sql-count-values"], "count_units": ["sql-count-units"],
              **dict.fromkeys(("var_pop", "var_samp", "stddev_pop", "stddev_samp"), ["sql-variance"])}
STEPS = {"Scan": ["sql-count"], "Filter": ["sql-sum", "sql-above"], "Projection": ["sql-public-keys", "sql-above"],
         "Aggregate": ["sql-public-keys", "sql-unknown-keys"], "Sort": ["sql-above"], "Limit": ["sql-above"]}
JOINS = {"inner": ["sql-join"], "left": ["sql-join"]}
UNITS = {"UnitColumn": ["sql-count"], "UnitRow": ["sql-row-unit"], "UnitRows": ["sql-rows-unit"],
         "UnitThrough": ["sql-foreign-key"]}
# {header of plan: (what lists the kinds there, their claims)}
PLANS = {"aggregate_call.h": [(r"enum class AggregateKind \{(.*?)\};", AGGREGATES)],
         "relation.h": [(r"using Step = std::variant<(.*?)>;", STEPS), (r"enum class JoinKind \{(.*?)\};", JOINS)],
         "project.h": [(r"using Unit = std::variant<(.*?)>;", UNITS)]}

COMMENT = re.compile(r"//.*")
MAKE = re.compile(r"\b(make_\w+)\s*\(")
DETAIL = re.compile(r"^namespace detail \{.*?^\}  // namespace detail$", re.M | re.S)
CLASS = re.compile(r"^class (\w+)[^;{]*\{(.*?)^\};", re.M | re.S)
DRAWS_FROM = re.compile(r"^[\w:<>, ]+[ >](\w+)\([^;{}]*\bSource& \w+\)", re.M)
LAW = re.compile(r"static RealLaw (\w+)\(")
# A function that returns a step and is not called make_*.
STEP = r"(?:Any)?(?:Measurement|Transformation)(?:<[^;{}()]*>)?"
RETURNS = re.compile(rf"^(?:calculus::)?{STEP}\s+(?!make_)(\w+)\(", re.M)
ANSWERS = re.compile(r"\bask\(|\bQueryable \w+\(|\bvoid release\(")


def kebab(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower().replace("_", "-")


def headers(root, room):
    """A room's public headers; those that its tests share are called *_check.h."""
    return [path for path in sorted((root / "src" / room).glob("*.h")) if not path.stem.endswith("_check")]


def makes(root):
    """{(name of the claim, room): header} of every make_* function that a room declares."""
    found = {}
    for room in MAKERS:
        for path in headers(root, room):
            for name in set(MAKE.findall(COMMENT.sub("", path.read_text(encoding="utf-8")))) - NOT_ONE_THING:
                found[SAME_RECIPE.get(name, kebab(name.removeprefix("make_"))), room] = path.relative_to(root)
    return found


def combinators(root):
    """The same for other functions that return steps, and for classes that answer questions."""
    found = {}
    for room in MAKERS:
        for path in headers(root, room):
            text = COMMENT.sub("", path.read_text(encoding="utf-8"))
            names = RETURNS.findall(text) + [name for name, body in CLASS.findall(text) if ANSWERS.search(body)]
            names += [other for name in names for other in ALSO.get(name, [])]
            found.update({(kebab(name), room): path.relative_to(root) for name in set(names) - NOT_ONE_THING})
    return found


def samplers(root):
    """{(name of the claim, "random"): header} of every class that draws, function that takes a source, and real law."""
    found = {}
    for path in headers(root, "random"):
        text = COMMENT.sub("", DETAIL.sub("", path.read_text(encoding="utf-8")))
        classes = dict(CLASS.findall(text))
        names = [name for name, body in classes.items() if re.search(r"\bdraw\(", body) or name == "Source"]
        names += DRAWS_FROM.findall(CLASS.sub("", text))
        names += [law for body in classes.values() for law in LAW.findall(body)]
        for name in names:
            found[SAMPLER_NAMES.get(name, f"draw-{kebab(name)}"), "random"] = path.relative_to(root)
    return found


def accounts(root):
    """The same for filters' rules and for what adds up releases."""
    found = {}
    for path in headers(root, "accounting"):
        text = path.read_text(encoding="utf-8")
        names = [one or other for one, other in GUARANTEE.findall(text)] + COMPOSES.findall(text)
        names += CHARGED.findall(text)
        names += [name for listed in SAMPLERS.findall(text) for name in re.findall(r"\w+", listed)]
        claimed = [(f"filter-{kebab(rule)}", "accounting") for rule in RULE.findall(text)]
        for name in names:
            claimed += ACCOUNTS.get(name, [(kebab(name), "accounting")])
        found.update((claim, path.relative_to(root)) for claim in claimed)
    return found


def statements(root):
    """The same for what statements are made of."""
    found = {}
    for name, lists in PLANS.items():
        path = root / "src/plan" / name
        text = COMMENT.sub("", path.read_text(encoding="utf-8")) if path.exists() else ""
        for pattern, claims in lists if text else []:
            for kind in re.findall(r"\w+", re.search(pattern, text, re.S)[1]):
                for claim in claims.get(kind, [f"sql-{kebab(kind)}"]):
                    found[claim, "sql"] = path.relative_to(root)
    return found


def test_files(root):
    files = [path for folder in ("src", "testing") for path in (root / folder).rglob("*_test.cc")]
    return [path.read_text(encoding="utf-8") for path in files]


def test_names(root):
    """How often each C++ test is defined: {"Suite.Name": 1}."""
    return Counter(name for text in test_files(root) for _, name in coverage.tests_in(text, ".cc"))


def unlisted(root, claims):
    """What the rooms make and nobody claims, and claims of what no room makes."""
    listed = {(claim["name"], claim["room"]) for claim in claims}
    made = {**makes(root), **combinators(root), **samplers(root), **accounts(root), **statements(root)}
    for name, room in sorted(set(made) - listed):
        yield f"{made[name, room]}: {name} is not in {room}/claims.cc"
    for name, room in sorted(listed - set(made)):
        yield f"{room}/claims.cc: nothing in the room makes {name}"


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
        self.assertGreater(len(makes(ROOT)), 40)
        self.assertGreater(len(combinators(ROOT)), 5)
        self.assertGreater(len(samplers(ROOT)), 20)
        self.assertGreater(len(accounts(ROOT)), 11)
        self.assertGreater(len(statements(ROOT)), 14)
        self.none(unlisted(ROOT, self.claims))

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
        "src/mechanisms/detail/inner.h": "int make_inner(int x);\n",
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

    def complaints(self, files=(), claims=None):
        claims = self.CLAIMS if claims is None else claims
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**self.FILES, **dict(files)}.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
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

    def test_planted_unlisted_samplers_are_caught(self):
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
                           "using Sampler =\n    std::variant<Poisson, Drizzle>;\n": "drizzle"}.items():
            with self.subTest(text):
                self.assertIn(f"src/accounting/mist.h: {name} is not in accounting/claims.cc",
                              self.complaints({"src/accounting/mist.h": text}))
        bound = "// Promise    rounded up.\nint mist(int a);\n"
        self.assertEqual(self.complaints({"src/accounting/mist.h": bound}), [])

    def test_planted_unlisted_kinds_of_plans_are_caught(self):
        joins = "enum class JoinKind { inner, outer };\n"
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
