"""The runners themselves: command scripts, Python cases and test programs are counted right, and failures are seen."""
import argparse
import contextlib
import importlib.util
import io
import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import python_package  # noqa: E402
import testing  # noqa: E402

spec = importlib.util.spec_from_file_location("cli_run", ROOT / "tests/cli/run.py")
cli_run = importlib.util.module_from_spec(spec)
sys.modules["cli_run"] = cli_run
spec.loader.exec_module(cli_run)

FAKE = r"""#!/usr/bin/env bash
case "$1" in
  two) printf 'one 17\ntwo\n' ;;
  wrong) printf 'error: bad-scale: scale is -1\nhint:  more\n' >&2; exit 2 ;;
  many) seq 1 50 ;;
  dollar) echo '$ sign' ;;
  gap) printf 'a\n\nb\n' ;;
esac
"""


def write_program(path, text):
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


class CommandScripts(unittest.TestCase):
    def run_text(self, text):
        """[passed] of the cases of a script run against a fake `dither`."""
        with tempfile.TemporaryDirectory() as folder, mock.patch.dict(os.environ):
            os.environ.pop("GTEST_FILTER", None)
            write_program(Path(folder) / "dither", FAKE)
            script = Path(folder) / "x.test"
            script.write_text(text)
            return [case["passed"] for case in cli_run.run_script(script, folder)]

    def test_right_scripts_pass(self):
        for text in ("$ dither two\none 17\ntwo\n", "$ dither two\none ...\n/t[a-z]+/\n", "$ dither many\n1\n...\n50\n",
                     "$ dither wrong\n! error: bad-scale: ...\n! hint:  more\nexit 2\n", "$ dither none\n\n\n",
                     "# Spec: D-71\n$ dither dollar\n\\$ sign\n", "$ dither gap\na\n\nb\n\n",
                     "$ dither many | head -1\n1\n",
                     "$ dither two > f && wc -l < f\n2\n", "$ dither many\n...\n", "$ dither wrong\n! ...\nexit 2\n"):
            with self.subTest(text):
                self.assertEqual(self.run_text(text), [True])

    def test_wrong_scripts_fail(self):
        for text in ("$ dither two\none 17\n", "$ dither two\ntwo\none 17\n", "$ dither two\none 17\ntwo\nthree\n",
                     "$ dither two\n/one/\ntwo\n", "$ dither two\n", "$ dither two\none 17\ntwo\nexit 1\n",
                     "$ dither wrong\n! error: bad-scale: ...\n! hint:  more\n", "$ dither wrong\nexit 2\n",
                     "$ dither wrong\nerror: bad-scale: ...\nhint:  more\nexit 2\n", "$ dither many\n1\n...\n51\n",
                     "$ dither gap\na\nb\n", "$ no-such-command-here\n"):
            with self.subTest(text):
                self.assertEqual(self.run_text(text), [False])

    def test_each_command_is_a_case_and_shares_the_folder(self):
        self.assertEqual(self.run_text("$ dither two > kept\n\n$ cat kept\none 17\ntwo\n\n$ cat kept\nthree\n"),
                         [True, True, False])

    def test_text_before_the_first_command_is_refused(self):
        with self.assertRaisesRegex(ValueError, "line 2"):
            cli_run.parse("# fine\nnot fine\n$ dither two\n")


class Jobs(unittest.TestCase):
    """One process at a time, with programs made up here."""

    def cases(self, script, pattern="*", limit=20):
        with tempfile.TemporaryDirectory() as folder:
            write_program(Path(folder) / "program", "#!/usr/bin/env bash\n" + script)
            job = testing.Job("base", "base/x_test", "src/base/x_test.cc", [f"{folder}/program"])
            cases, _ = testing.execute(job, dict(os.environ), limit, pattern)
            return [(case["name"], case["passed"]) for case in cases]

    def gtest(self, *cases):
        """A program that reports these (name, extra fields) as gtest does."""
        usual = {"status": "RUN", "result": "COMPLETED", "time": "0.1s"}
        rows = [{"name": name, **usual, **extra} for name, extra in cases]
        document = json.dumps({"testsuites": [{"name": "S", "testsuite": rows}]})
        return f"cat > ${{GTEST_OUTPUT#json:}} <<'END'\n{document}\nEND\n"

    def test_gtest_cases_are_counted_one_by_one(self):
        script = self.gtest(("A", {}), ("B", {"failures": [{"failure": "no"}]})) + "exit 1"
        self.assertEqual(self.cases(script), [("S.A", True), ("S.B", False)])

    def test_skipped_and_disabled_cases_have_not_passed(self):
        script = self.gtest(("A", {"result": "SKIPPED"}), ("DISABLED_B", {"status": "NOTRUN", "result": "SUPPRESSED"}))
        self.assertEqual(self.cases(script), [("S.A", False), ("S.DISABLED_B", False)])

    def test_crash_is_a_failure(self):
        self.assertEqual(self.cases("kill -SEGV $$"), [("base/x_test", False)])

    def test_crash_after_the_report_is_a_failure(self):
        self.assertEqual(self.cases(self.gtest(("A", {})) + "kill -ABRT $$"), [("S.A", True), ("base/x_test", False)])

    def test_hang_is_a_failure(self):
        with mock.patch.object(testing, "GRACE", 0):
            self.assertEqual(self.cases("sleep 60", limit=0.2), [("base/x_test", False)])

    def test_a_program_that_ends_within_a_case_fails_by_its_name(self):
        begun = "echo '[ RUN      ] S.A'; echo '[       OK ] S.A (0 ms)'; echo '[ RUN      ] S.B'; "
        self.assertEqual(self.cases(begun + "echo '[  FAILED  ] S.B'; exit 1"), [("base/x_test", False)])
        self.assertEqual(self.cases(begun + "kill -SEGV $$"), [("S.B", False)])
        with mock.patch.object(testing, "GRACE", 0):
            self.assertEqual(self.cases(begun + "sleep 60", limit=0.5), [("S.B", False)])

    def test_program_without_cases_is_a_failure_unless_filtered(self):
        self.assertEqual(self.cases(self.gtest()), [("base/x_test", False)])
        self.assertEqual(self.cases(self.gtest(), pattern="S.Z"), [])

    def test_plain_command_counts_as_one_case(self):
        self.assertEqual(self.cases("exit 0"), [("base/x_test", True)])
        self.assertEqual(self.cases("exit 1"), [("base/x_test", False)])


class Verdict(unittest.TestCase):
    """The last line and the exit status of a whole run."""

    def run_jobs(self, *scripts):
        with tempfile.TemporaryDirectory() as folder:
            jobs = [testing.Job("base", f"t{i}", "f", ["bash", "-c", script]) for i, script in enumerate(scripts)]
            args = argparse.Namespace(room=[], filter=None, seed=None, nightly=False, times=False)
            out = io.StringIO()
            with mock.patch.object(testing.building, "configure", return_value=Path(folder)), \
                    mock.patch.object(testing.building, "build"), \
                    mock.patch.object(testing, "choose", return_value=jobs):
                status = testing.run("release", args, out)
            saved = json.loads((Path(folder) / "test-results.json").read_text())
            return status, out.getvalue().splitlines()[-1], saved

    def test_all_pass(self):
        status, line, saved = self.run_jobs("exit 0", "exit 0")
        self.assertEqual((status, line), (0, "2 passed, 0 failed"))
        self.assertEqual([case["passed"] for case in saved], [True, True])

    def test_one_fails(self):
        status, line, saved = self.run_jobs("exit 0", "exit 3")
        self.assertEqual((status, line), (1, "1 passed, 1 failed"))
        self.assertEqual({case["name"]: case["passed"] for case in saved}, {"t0": True, "t1": False})

    def test_nothing_ran(self):
        self.assertEqual(self.run_jobs()[:2], (1, "0 passed, 0 failed"))


class PythonCases(unittest.TestCase):
    FILE = """
import unittest
class A(unittest.TestCase):
    def test_good(self): self.assertEqual(1, 1)
    def test_bad(self): self.assertEqual(1, 2)
    def test_raises(self): raise RuntimeError
    @unittest.skip("why")
    def test_skipped(self): pass
    def test_subtests(self):
        for i in range(3):
            with self.subTest(i): self.assertEqual(i, 0)
class B(unittest.TestCase):
    @classmethod
    def setUpClass(cls): raise RuntimeError
    def test_never_runs(self): pass
"""

    def cases(self, text, env=None, runner="run_unittest.py", limit=60):
        """(verdict, cases) of a file, whose runner is started as a background job is: SIGINT is ignored."""
        has_pytest = runner == "run_pytest.py" and python_package.TEST_PYTHON.exists()
        python = python_package.TEST_PYTHON if has_pytest else sys.executable
        with tempfile.TemporaryDirectory() as folder, mock.patch.object(testing, "GRACE", 600):
            (Path(folder) / "x_test.py").write_text(text)
            job = testing.Job("tests", "x_test", "x_test.py", ["bash", "-c", 'trap "" INT; exec "$@"', "-", python,
                                                               ROOT / "tools" / runner, f"{folder}/x_test.py"],
                              takes_out=True)
            clean = {key: value for key, value in os.environ.items() if key != "GTEST_FILTER"}
            return testing.execute(job, {**clean, **(env or {})}, limit, "*")[0]

    def run_file(self, text, env=None):
        cases = self.cases(text, env)
        return int(not all(case["passed"] for case in cases)), [case["passed"] for case in cases]

    def test_every_kind_of_outcome(self):
        status, passed = self.run_file(self.FILE)
        self.assertEqual((status, sorted(passed)), (1, [False] * 5 + [True]))

    def test_filter(self):
        self.assertEqual(self.run_file(self.FILE, {"GTEST_FILTER": "A.test_g*"}), (0, [True]))

    # A test of Ctrl-C would wait for ever where it is ignored.
    def test_interrupts_come_in_background_jobs_too(self):
        interrupted = """
import signal, subprocess, sys, unittest
CHILD = "import signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
class A(unittest.TestCase):
    def test_own(self):
        with self.assertRaises(KeyboardInterrupt): signal.raise_signal(signal.SIGINT)
    def test_of_children(self):
        self.assertEqual(subprocess.check_output([sys.executable, "-c", CHILD]), b"True\\n")
"""
        for runner in ("run_unittest.py", "run_pytest.py"):
            with self.subTest(runner):
                cases = self.cases(interrupted, runner=runner)
                self.assertEqual([case["passed"] for case in cases], [True, True], cases)

    def test_what_hangs_fails_by_name(self):
        hangs = """
import threading, unittest
class A(unittest.TestCase):
    def test_1(self): pass
    def test_2(self):
        def stuck_for_ever(): threading.Lock().acquire() and threading.Event().wait()
        stuck_for_ever()
    def test_3(self): pass
"""
        for runner in ("run_unittest.py", "run_pytest.py"):
            with self.subTest(runner):
                cases = self.cases(hangs, runner=runner, limit=3)
                found = [(case["name"], case["passed"]) for case in cases]
                self.assertEqual(found, [("A.test_1", True), ("A.test_2", False)])
                self.assertIn("stuck_for_ever", cases[1]["output"])


class UnknownRoom(unittest.TestCase):
    def test_is_named(self):
        errors = io.StringIO()
        with mock.patch.object(testing, "registered", return_value=[]), contextlib.redirect_stderr(errors), \
                self.assertRaises(SystemExit) as stopped:
            testing.choose("release", ROOT, ["kitchen"])
        self.assertEqual(stopped.exception.code, 2)
        self.assertIn("no tests in `kitchen`", errors.getvalue())


if __name__ == "__main__":
    unittest.main()
