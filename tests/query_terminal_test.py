"""`dither query` with a person at the keyboard: prompt, completion, history, Ctrl-C."""
import fcntl
import json
import os
import pty
import re
import resource
import select
import signal
import stat
import subprocess
import sys
import tempfile
import termios
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from query_project import DITHER, project  # noqa: E402

SECONDS = 30  # until a test gives up

COLUMNS = {"cost": "type: integer, bounds: [0, 100], outside: clamp"}
BOUNDS = "rows_per_unit: 1"


def sit_down():
    """In the new process: the terminal is its own, Ctrl-C is not ignored as in background jobs, and it may leave core
    files as large as they come."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    most = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))


class Terminal:
    """A program that believes it has a person before it."""

    def __init__(self, folder, *arguments):
        env = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", "DITHER_KEY": f"{folder}/key",
               "XDG_STATE_HOME": f"{folder}/state", "TMPDIR": f"{folder}/temporary"}
        (folder / "temporary").mkdir(exist_ok=True)
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen([DITHER, *arguments], cwd=folder, env=env, stdin=slave, stdout=slave,
                                        stderr=slave, start_new_session=True, preexec_fn=sit_down)
        os.close(slave)
        self.shown = b""

    def read(self):
        if not select.select([self.master], [], [], 0.2)[0]:
            return
        try:
            self.shown += os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return
        self.shown = re.sub(rb"\x1b\[[0-9;?]*[A-Za-z]", b"", self.shown)

    def wait_for(self, text):
        """What was shown up to the first `text`; it is not looked at again."""
        end = time.monotonic() + SECONDS
        while text.encode() not in self.shown:
            if time.monotonic() > end:
                raise AssertionError(f"no {text!r} in {self.shown!r}")
            self.read()
        before, self.shown = self.shown.split(text.encode(), 1)
        return before.decode(errors="replace") + text

    def type(self, text):
        os.write(self.master, text.encode())

    def end_of_input(self):
        """Ctrl-D, once single keys are read: before that it would be part of a line."""
        end = time.monotonic() + SECONDS
        while termios.tcgetattr(self.master)[3] & termios.ICANON and time.monotonic() < end:
            self.read()
        self.type("\x04")

    def end(self):
        end = time.monotonic() + SECONDS
        while self.process.poll() is None and time.monotonic() < end:
            self.read()
        self.process.kill()
        status = self.process.wait()
        os.close(self.master)
        return status


class AtTheKeyboard(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="dither-terminal-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        (self.folder / "dither.yaml").write_text(project(COLUMNS, BOUNDS))
        rows = "".join(f"{i},{i % 100}\n" for i in range(300))
        (self.folder / "visits.csv").write_text("person,cost\n" + rows)

    def test_the_prompt_shows_the_price(self):
        terminal = Terminal(self.folder, "query")
        terminal.wait_for("dither no epsilon> ")
        terminal.type("SELECT COUNT(*) FROM visits;\n")
        self.assertIn("no price is set", terminal.wait_for("dither no epsilon> "))
        terminal.type("\\epsilon 100\n")
        terminal.wait_for("dither epsilon=100> ")
        terminal.type("SELECT COUNT(*) AS n\n")
        terminal.wait_for("    -> ")
        terminal.type("FROM visits;\n")
        self.assertIn("300  300 to 300", terminal.wait_for("dither epsilon=100> "))
        terminal.type("\\q\n")
        self.assertEqual(terminal.end(), 0)
        history = self.folder / "state/dither/history"
        self.assertIn("FROM", history.read_text())
        self.assertEqual(stat.S_IMODE(history.stat().st_mode), 0o600)
        self.assertEqual(stat.S_IMODE(history.parent.stat().st_mode), 0o700)

    def test_history_comes_back(self):
        first = Terminal(self.folder, "query", "--epsilon", "100")
        first.wait_for("> ")
        first.type("\\d\n")
        first.wait_for("visits.csv (csv)")
        first.wait_for("> ")
        first.end_of_input()
        self.assertEqual(first.end(), 0)
        second = Terminal(self.folder, "query", "--epsilon", "100")
        second.wait_for("> ")
        second.type("\x1b[A\n")  # up
        second.wait_for("visits.csv (csv)")
        second.wait_for("> ")
        second.end_of_input()
        self.assertEqual(second.end(), 0)

    def test_two_at_once_keep_the_history_of_both(self):
        first = Terminal(self.folder, "query")
        first.wait_for("> ")
        second = Terminal(self.folder, "query")
        second.wait_for("> ")
        for terminal, line in ((first, "\\d visits"), (second, "\\d")):
            terminal.type(line + "\n")
            terminal.wait_for("no epsilon> ")
            terminal.type("\\q\n")
            self.assertEqual(terminal.end(), 0)
        history = (self.folder / "state/dither/history").read_text()
        self.assertRegex(history, r"(?s)d\\040visits.*d\n")

    def test_commands_take_a_statement_of_several_lines(self):
        terminal = Terminal(self.folder, "query", "--epsilon", "100")
        terminal.wait_for("> ")
        terminal.type("\\explain SELECT COUNT(*)\n")
        terminal.wait_for("    -> ")
        terminal.type("FROM visits;\n")
        self.assertIn("answer: count", terminal.wait_for("epsilon=100> "))
        terminal.type("\\again SELECT COUNT(*) AS n\n")
        terminal.wait_for("    -> ")
        terminal.type("\x03")
        terminal.wait_for("epsilon=100> ")
        terminal.type("SELECT COUNT(*) AS n FROM visits;\n")  # begins anew
        self.assertIn("300  300 to 300", terminal.wait_for("epsilon=100> "))
        terminal.type("\\q\n")
        self.assertEqual(terminal.end(), 0)

    def core_limit(self, terminal):
        return re.search(r"Max core file size +(\S+)", Path(f"/proc/{terminal.process.pid}/limits").read_text())[1]

    # Spec: W-76
    def test_what_was_read_never_reaches_a_core_file(self):
        terminal = Terminal(self.folder, "query", "--epsilon", "100")
        terminal.wait_for("> ")
        self.assertEqual(self.core_limit(terminal) == "0", resource.getrlimit(resource.RLIMIT_CORE)[1] == 0)
        terminal.type("SELECT COUNT(*) AS n FROM visits;\n")
        terminal.wait_for("epsilon=100> ")
        self.assertEqual(self.core_limit(terminal), "0")  # also behind the answer
        terminal.type("\\q\n")
        self.assertEqual(terminal.end(), 0)

    def test_tab_completes(self):
        terminal = Terminal(self.folder, "query", "--epsilon", "100")
        terminal.wait_for("> ")
        for typed, completed in (("SEL\t", "ECT "), ("COUN\t", "T "), ("(*) AS n fro\t", "m "), ("vis\t", "its ")):
            terminal.type(typed)
            terminal.wait_for(completed)
        terminal.type(";\n")
        self.assertIn("95% interval, after cuts", terminal.wait_for("epsilon=100> "))
        terminal.type("\\exp\t")
        terminal.wait_for("lain ")
        terminal.type("\x03")
        terminal.wait_for("> ")
        terminal.type("\\q\n")
        self.assertEqual(terminal.end(), 0)

    def test_two_words_are_listed(self):
        terminal = Terminal(self.folder, "query")
        terminal.wait_for("> ")
        terminal.type("stddev_\t")
        terminal.wait_for("stddev_pop")
        terminal.wait_for("stddev_samp")
        terminal.wait_for("no epsilon> ")
        terminal.type("\x03")
        terminal.wait_for("no epsilon> ")
        terminal.type("\\q\n")
        self.assertEqual(terminal.end(), 0)

    def test_interrupt_forgets_the_statement_and_not_the_program(self):
        terminal = Terminal(self.folder, "query", "--epsilon", "100")
        terminal.wait_for("> ")
        terminal.type("SELECT COUNT(*)\n")
        terminal.wait_for("-> ")
        terminal.type("FROM nonsense\x03")
        terminal.wait_for("epsilon=100> ")
        terminal.type("SELECT COUNT(*) AS n FROM visits;\n")
        self.assertIn("300 to 300", terminal.wait_for("epsilon=100> "))
        terminal.type("\\q\n")
        self.assertEqual(terminal.end(), 0)

    def test_bytes_do_not_fill_a_terminal(self):
        terminal = Terminal(self.folder, "query", "--epsilon", "1", "--format", "parquet",
                            "SELECT COUNT(*) FROM visits")
        terminal.wait_for("would fill the terminal with bytes")
        self.assertEqual(terminal.end(), 2)
        self.assertFalse((self.folder / "dither.ledger").exists())

    def unfinished(self):
        """What is written of the answer. What the ledger was writing when it was ended is taken up at the next use."""
        return [name for name in os.listdir(self.folder) if "answer" in name]

    def test_a_second_signal_leaves_no_unfinished_file(self):
        with open(self.folder / "dither.yaml", "a", encoding="utf-8") as file:
            file.write("deadline: 600\n")  # after the first signal it waits for that, and only the second one ends it
        for second in (signal.SIGINT, signal.SIGTERM):
            run = subprocess.Popen([DITHER, "query", "--hardened", "--epsilon", "1", "--out", "answer.txt",
                                    "SELECT COUNT(*) FROM visits"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   env={**os.environ, "DITHER_KEY": f"{self.folder}/key"},
                                   # Background jobs ignore it, and so would what they start.
                                   preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
            self.addCleanup(run.kill)
            while not self.unfinished() and run.poll() is None:
                time.sleep(0.01)
            self.assertIsNone(run.poll())
            run.send_signal(signal.SIGINT)
            deadline = time.monotonic() + 60
            while run.poll() is None and time.monotonic() < deadline:
                time.sleep(0.05)
                run.send_signal(second)
            self.assertEqual(run.returncode, -second)
            self.assertEqual(self.unfinished(), [])

    def test_other_alphabets(self):
        terminal = Terminal(self.folder, "query", "--epsilon", "100")
        terminal.wait_for("> ")
        terminal.type("SELECT COUNT(*) AS größe FROM visits;\n")
        self.assertIn("größe", terminal.wait_for("300 to 300"))
        terminal.type("\\q\n")
        self.assertEqual(terminal.end(), 0)


class Stopped(unittest.TestCase):
    """Ctrl-C while data is read: the same rows over and over, gigabytes of them, so that there is time."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="dither-terminal-")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        (self.folder / "dither.yaml").write_text(project(COLUMNS, BOUNDS, source="visits-*.csv"))
        rows = "".join(f"{i},{i % 100}\n" for i in range(1_000_000))
        (self.folder / "visits-0.csv").write_text("person,cost\n" + rows)
        for i in range(1, 500):
            (self.folder / f"visits-{i}.csv").symlink_to("visits-0.csv")

    def spent(self):
        shown = subprocess.run([DITHER, "budget", "--ledger", "dither.ledger", "--json"], cwd=self.folder, check=True,
                               capture_output=True, text=True).stdout
        return json.loads(shown)["budgets"][0]["spent"]["epsilon"]

    # Spec: W-76
    def test_the_charge_stays_and_it_says_so(self):
        terminal = Terminal(self.folder, "query", "--epsilon", "1", "SELECT SUM(cost) FROM visits")
        terminal.wait_for("reading")
        limits = Path(f"/proc/{terminal.process.pid}/limits").read_text()
        self.assertRegex(limits, r"Max core file size +0 ")
        terminal.type("\x03")
        text = terminal.wait_for("hint:")
        self.assertRegex(text, r"error: cancelled: .*stays charged")
        self.assertEqual(terminal.end(), 4)
        self.assertEqual(self.spent(), "1")
        self.assertEqual(os.listdir(self.folder / "temporary"), [])

    def test_the_prompt_goes_on(self):
        terminal = Terminal(self.folder, "query", "--epsilon", "1")
        terminal.wait_for("> ")
        terminal.type("SELECT SUM(cost) FROM visits;\n")
        terminal.wait_for("reading")
        terminal.type("\x03")
        terminal.wait_for("error: cancelled: ")
        terminal.wait_for("epsilon=1> ")
        terminal.type("\\q\n")
        self.assertEqual(terminal.end(), 0)
        self.assertEqual(self.spent(), "1")


if __name__ == "__main__":
    unittest.main()
