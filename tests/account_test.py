"""What a script of commands cannot check about `dither account`: terminals and signals."""
import os
import pty
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release"))
# Ten thousand points of a curve whose loss is spread out: far more than three seconds.
LONG = [BUILD / "apps/cli/dither", "account", "--gaussian", "0.4", "--sample", "poisson:1e-4", "--times", "10000",
        "--neighbours", "add-remove", "--delta", "1e-5", "--points", "10000", "--curve"]


class Terminal(unittest.TestCase):
    def stopped(self, *words, on_terminal):
        """What a run of three seconds writes to standard error, its status, and the files it leaves."""
        controller, terminal = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
        with tempfile.TemporaryDirectory() as folder:
            with subprocess.Popen([*LONG, f"{folder}/c.csv", *words], env=env, stdout=subprocess.DEVNULL,
                                  stderr=terminal if on_terminal else subprocess.PIPE) as run:
                time.sleep(3)
                run.send_signal(signal.SIGTERM)
                text = b"" if on_terminal else run.stderr.read()
            left = sorted(path.name for path in Path(folder).iterdir())
        os.close(terminal)
        if on_terminal:
            os.set_blocking(controller, False)
            try:
                text = os.read(controller, 100_000)
            except (BlockingIOError, OSError):
                text = b""
        os.close(controller)
        return text, run.returncode, left

    def test_long_work_shows_that_it_goes_on(self):
        text, status, left = self.stopped(on_terminal=True)
        self.assertIn(b"accounting, seconds", text)
        self.assertEqual((status, left), (-signal.SIGTERM, []))

    def test_nothing_is_shown_to_programs(self):
        self.assertEqual(self.stopped(on_terminal=False), (b"", -signal.SIGTERM, []))
        self.assertEqual(self.stopped("--json", on_terminal=True), (b"", -signal.SIGTERM, []))


if __name__ == "__main__":
    unittest.main()
