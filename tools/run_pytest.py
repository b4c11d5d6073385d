"""run_pytest.py FILE OUT: runs the pytest cases of one file and writes [{name, passed, seconds, output}] to OUT.

Where FILE is a module's name, such as `dither`, the examples in the docstrings of that installed package are the cases.
A case is named after its class or its file: `Answers.test_value`, `test_answers.test_value`. $GTEST_FILTER chooses.
"""
import fnmatch
import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest

# Isolated as it runs, Python does not look beside this file; nor shall tests find there what is called like a package.
TOOLS = str(Path(__file__).resolve().parent)
sys.path.append(TOOLS)
import watchdog  # noqa: E402

sys.path.remove(TOOLS)


class Recorder:
    """One entry for each case. A skipped case has not passed."""

    def __init__(self, out):
        self.out = out
        self.cases = {}
        self.names = {}

    def pytest_collection_modifyitems(self, items):
        pattern = os.environ.get("GTEST_FILTER", "*")
        for item in items:
            owner = item.cls.__name__ if getattr(item, "cls", None) else item.path.stem
            self.names[item.nodeid] = item.name if item.name.startswith("dither") else f"{owner}.{item.name}"
        items[:] = [item for item in items if fnmatch.fnmatchcase(self.names[item.nodeid], pattern)]

    def pytest_collectreport(self, report):
        if report.failed:
            self.cases[report.nodeid] = {"name": report.nodeid, "passed": False, "seconds": 0.0,
                                         "output": report.longreprtext[-8000:]}

    def pytest_runtest_logstart(self, nodeid):
        watchdog.note(self.out, self.cases.values(), self.names[nodeid])

    def pytest_runtest_logreport(self, report):
        case = self.cases.setdefault(report.nodeid, {"name": self.names[report.nodeid], "passed": True, "seconds": 0.0,
                                                     "output": ""})
        case["seconds"] += report.duration
        if not report.passed:
            case["passed"] = False
            case["output"] += report.longreprtext[-8000:] if report.failed else f"skipped: {report.longreprtext}\n"


def arguments(what):
    if what.endswith(".py"):
        return [what]
    folder = Path(importlib.util.find_spec(what).origin).parent
    return ["--doctest-modules", "--collect-in-virtualenv", "--rootdir", str(folder.parent), str(folder)]


def main():
    what, out = sys.argv[1:]
    watchdog.begin()
    recorder = Recorder(out)
    status = pytest.main([*arguments(what), "-q", "--tb=short", "--no-header"], plugins=[recorder])
    if recorder.cases or status == pytest.ExitCode.NO_TESTS_COLLECTED:
        Path(out).write_text(json.dumps(list(recorder.cases.values())), encoding="utf-8")
    sys.exit(0 if status in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED) else 1)


if __name__ == "__main__":
    main()
