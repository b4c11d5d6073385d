"""run_unittest.py FILE OUT: runs the unittest cases of one file and writes [{name, passed, seconds, output}] to OUT."""
import fnmatch
import importlib.util
import json
import os
import sys
import time
import unittest

import watchdog  # beside this file


class Recorder(unittest.TestResult):
    """One entry per test method, however many subtests fail inside it. A skipped case has not passed."""

    def __init__(self, out):
        super().__init__()
        self.out = out
        self.cases = []

    def startTest(self, test):
        super().startTest(test)
        name = ".".join(test.id().split(".")[-2:])
        watchdog.note(self.out, self.cases, name)
        self.cases.append({"name": name, "passed": True, "output": "", "seconds": time.monotonic()})

    def stopTest(self, test):
        super().stopTest(test)
        self.cases[-1]["seconds"] = time.monotonic() - self.cases[-1]["seconds"]

    def mark(self, text):
        self.cases[-1]["passed"] = False
        self.cases[-1]["output"] += text + "\n"

    def addError(self, test, err):
        if not hasattr(test, "_testMethodName"):  # a class's own set-up failed: no case was started
            self.startTest(test)
        super().addError(test, err)
        self.mark(self.errors[-1][1])

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.mark(self.failures[-1][1])

    def addSkip(self, test, reason):
        self.mark(f"skipped: {reason}")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.mark((self.errors + self.failures)[-1][1])


def flatten(suite):
    return [case for part in suite for case in (flatten(part) if isinstance(part, unittest.TestSuite) else [part])]


def main():
    path, out = sys.argv[1:]
    watchdog.begin()
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    pattern = os.environ.get("GTEST_FILTER", "*")
    cases = flatten(unittest.defaultTestLoader.loadTestsFromModule(module))
    chosen = unittest.TestSuite(case for case in cases if fnmatch.fnmatch(".".join(case.id().split(".")[-2:]), pattern))
    recorder = Recorder(out)
    chosen.run(recorder)
    with open(out, "w", encoding="utf-8") as file:
        json.dump(recorder.cases, file)
    sys.exit(0 if all(case["passed"] for case in recorder.cases) else 1)


if __name__ == "__main__":
    main()
