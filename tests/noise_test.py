"""What a script of commands cannot check about `dither noise`: signals, terminals, sizes."""
import json
import os
import pty
import signal
import statistics
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release"))
DITHER = BUILD / "apps/cli/dither"
LAPLACE = [DITHER, "noise", "--law", "discrete-laplace", "--scale", "100"]


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


class Stopped(unittest.TestCase):
    def stop(self, number):
        """Stops a long run in the middle; returns its status and what its folder holds afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "noise.txt"
            out.write_text("old\n")
            # A shell in the background has its children ignore interrupts, and that is inherited.
            run = subprocess.Popen([*LAPLACE, "--count", "1e12", "--out", out],
                                   preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
            try:
                self.assertTrue(wait_for(lambda: any(path.stat().st_size > 100_000 for path in Path(folder).iterdir())))
                self.assertEqual(out.read_text(), "old\n")  # nothing under the final name yet
                run.send_signal(number)
                status = run.wait(timeout=30)
            finally:
                run.kill()
                run.wait()
            return status, {path.name: path.read_text() for path in Path(folder).iterdir()}

    def test_term_leaves_the_old_file_and_nothing_else(self):
        self.assertEqual(self.stop(signal.SIGTERM), (-signal.SIGTERM, {"noise.txt": "old\n"}))

    def test_interrupt_leaves_the_old_file_and_nothing_else(self):
        self.assertEqual(self.stop(signal.SIGINT), (-signal.SIGINT, {"noise.txt": "old\n"}))

    def test_stops_while_a_reader_sleeps(self):
        with subprocess.Popen([*LAPLACE, "--count", "1e12"], stdout=subprocess.PIPE) as run:
            time.sleep(0.3)  # the pipe is full long before
            run.send_signal(signal.SIGTERM)
            self.assertEqual(run.wait(timeout=30), -signal.SIGTERM)


class Formats(unittest.TestCase):
    def output(self, *words):
        return subprocess.run([*LAPLACE, *words], capture_output=True, check=True).stdout

    def test_int64_has_eight_bytes_a_number(self):
        self.assertEqual(len(self.output("--count", "100001", "--format", "int64")), 8 * 100001)

    # P(|K| >= 3000) at scale 100 is 9.4e-14, and 3000 numbers are looked at: false alarm below 3e-10.
    def test_formats_hold_numbers_of_the_size_of_the_scale(self):
        raw = self.output("--count", "1000", "--format", "int64")
        little = [int.from_bytes(raw[at:at + 8], "little", signed=True) for at in range(0, len(raw), 8)]
        text = [int(line) for line in self.output("--count", "1000").split()]
        document = json.loads(self.output("--count", "1000", "--json"))
        self.assertEqual((document["law"], document["parameters"], document["count"]),
                         ("discrete-laplace", {"scale": "100"}, 1000))
        for numbers in (little, text, document["values"]):
            self.assertEqual(len(numbers), 1000)
            self.assertLess(max(map(abs, numbers)), 3000)
            self.assertTrue(min(numbers) < 0 < max(numbers))

    def test_json_of_many_blocks_is_one_document(self):
        self.assertEqual(len(json.loads(self.output("--count", "70000", "--json"))["values"]), 70000)

    def test_two_runs_differ(self):
        self.assertNotEqual(self.output("--count", "100"), self.output("--count", "100"))


class Terminal(unittest.TestCase):
    def stderr_of(self, on_terminal):
        """What a run of about three seconds writes to standard error."""
        controller, terminal = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "COLUMNS": "80"}
        with subprocess.Popen([*LAPLACE, "--count", "1e12", "--out", "/dev/null"], env=env,
                              stderr=terminal if on_terminal else subprocess.PIPE) as run:
            time.sleep(3)
            run.send_signal(signal.SIGTERM)
            text = b"" if on_terminal else run.stderr.read()
        os.close(terminal)
        if on_terminal:
            text = os.read(controller, 100_000)
        os.close(controller)
        return text

    def test_long_runs_show_a_bar_on_a_terminal_only(self):
        self.assertIn(b"drawing", self.stderr_of(on_terminal=True))
        self.assertEqual(self.stderr_of(on_terminal=False), b"")


class Start(unittest.TestCase):
    def test_help_starts(self):
        times = []
        for _ in range(10):
            start = time.monotonic()
            subprocess.run([DITHER, "--help"], capture_output=True, check=True)
            times.append(time.monotonic() - start)
        print(f"dither --help: {statistics.median(times) * 1000:.1f} ms")  # a figure, not a verdict


if __name__ == "__main__":
    unittest.main()
