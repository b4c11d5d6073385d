"""Counts the rows of docs/requirements.tsv that passed tests name.

A tag is a comment, `// Spec: W-74, D-72` (`# Spec:` in Python and command scripts, `-- spec:` in SQL scripts), above a
test, or in C++ and SQL at the end of the line that starts it. It counts when that test passed in the last run, which
left its results in build/release/test-results.json.
"""
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

from building import ROOT, sources

TAG = {".cc": re.compile(r"// ?Spec:(.*)"), ".py": re.compile(r"^\s*# ?Spec:(.*)"),
       ".test": re.compile(r"^# ?Spec:(.*)|-- ?spec:(.*)")}
ID = re.compile(r"[A-Z]+-\d+")
CPP_TEST = re.compile(r"^[ \t]*(?:TEST|TEST_F|TEST_P|TYPED_TEST|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)"
                      r"\(\s*(\w+)\s*,\s*(\w+)", re.M)
PYTHON_TEST = re.compile(r"^class (\w+)|^    def (test\w*)|^def (test\w*)", re.M)
SCRIPT_TEST = re.compile(r"^(?!#|--|!|exit \d)(?:\$ )?(\S.*)$", re.M)


def requirements():
    """{id: title}"""
    lines = (ROOT / "docs/requirements.tsv").read_text(encoding="utf-8").splitlines()[1:]
    return dict(line.split("\t", 1) for line in lines)


def test_files():
    tests = ROOT / "tests"
    package = ROOT / "python/tests"
    return [*sources("_test.cc"), *sorted(tests.glob("*_test.py")), *sorted(tests.rglob("*.test")),
            *sorted(package.glob("test_*.py"))]


def tests_in(text, suffix, stem=""):
    """[(line, name)] of the tests a file defines, named as the test runner names them. Of file STEM."""
    def line(found):
        return text.count("\n", 0, found.start()) + 1

    if suffix == ".cc":
        return [(line(found), f"{found[1]}.{found[2]}") for found in CPP_TEST.finditer(text)]
    if suffix == ".test":
        commands = [found for found in SCRIPT_TEST.finditer(text) if found[0].startswith("$ ")]
        statements = commands or SCRIPT_TEST.finditer(text)  # a SQL script has a case a line, without a mark
        return [(line(found), f"line {line(found)}: {found[1]}") for found in statements]
    tests, suite = [], ""
    for found in PYTHON_TEST.finditer(text):
        suite = found[1] or suite
        if found[2] or found[3]:
            tests.append((line(found), f"{suite}.{found[2]}" if found[2] else f"{stem}.{found[3]}"))
    return tests


def tags_in(text, suffix, stem=""):
    """([(id, test name)], [complaint]) of one file."""
    tests = tests_in(text, suffix, stem)
    tagged, complaints = [], []
    for number, line in enumerate(text.splitlines(), 1):
        found = TAG[suffix].search(line)
        if not found:
            continue
        follows = next((name for at, name in tests if at >= number), None)
        ids = [word.strip(" .") for word in found[found.lastindex].split(",")]
        if follows is None:
            complaints.append(f"line {number}: the tag stands above no test")
        for word in ids:
            if not ID.fullmatch(word):
                complaints.append(f"line {number}: `{word}` is not the id of a row")
            elif follows is not None:
                tagged.append((word, follows))
    return tagged, complaints


def plain_name(name):
    """A name without its parameters: "All/Laws.Fit/3", "Laws/0.Fit" and, of pytest, "Laws.Fit[3]" are "Laws.Fit"."""
    found = re.fullmatch(r"([\w/]+)\.(\w+)(?:/\w+|\[.*\])?", name, re.S)
    return f"{[part for part in found[1].split('/') if not part.isdigit()][-1]}.{found[2]}" if found else name


def passed_tests():
    """{(file, name)} of tests all of whose instances passed."""
    path = ROOT / "build/release/test-results.json"
    if not path.exists():
        print("error: no test results yet\nhint:  run ./dev coverage without --last", file=sys.stderr)
        sys.exit(2)
    verdicts = defaultdict(list)
    for case in json.loads(path.read_text(encoding="utf-8")):
        verdicts[case["file"], plain_name(case["name"])].append(case["passed"])
    return {key for key, passed in verdicts.items() if all(passed)}


def collect(rows):
    """({id: [(file, test)]}, [complaint]) over all test files."""
    tested, complaints = defaultdict(list), []
    for path in test_files():
        name = str(path.relative_to(ROOT))
        tagged, wrong = tags_in(path.read_text(encoding="utf-8"), path.suffix, path.stem)
        complaints += [f"{name}: {text}" for text in wrong]
        for row, test in tagged:
            tested[row].append((name, test))
            if row not in rows:
                complaints.append(f"{name}: {test}: there is no row {row}")
    return tested, complaints


def report(show_rows=False):
    rows = requirements()
    tested, complaints = collect(rows)
    passed = passed_tests()
    covered = {row: [test for test in tests if test in passed] for row, tests in tested.items()}
    covered = {row: tests for row, tests in covered.items() if tests and row in rows}
    if show_rows:
        for row in (row for row in rows if row in covered):
            print(f"{row:<7}{rows[row]}")
            for file, test in covered[row]:
                print(f"         {Path(file).name}: {test}")
    families = defaultdict(lambda: [0, 0])
    for row in rows:
        family = families[row.split("-")[0]]
        family[0] += row in covered
        family[1] += 1
    print(f"{'family':<8}{'tested':>7}{'rows':>7}")
    for name, (done, count) in sorted(families.items()):
        print(f"{name:<8}{done:>7}{count:>7}")
    print(f"{'total':<8}{len(covered):>7}{len(rows):>7}")
    for complaint in complaints:
        print(f"error: {complaint}", file=sys.stderr)
    return 1 if complaints else 0
