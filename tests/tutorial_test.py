"""docs/tutorial.md as it stands: every command is run, in order, in one folder.

Under a command stands what must be in its output. `error: code:` there means that it is refused with that code, and
nothing else is: the status of every other command is 0. A block of YAML becomes dither.yaml.
"""
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release"))
PAGE = ROOT / "docs/tutorial.md"


def steps(text):
    """("yaml", text) or ("run", command, [expected]) for each block and command, in order."""
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S):
        if language == "yaml":
            yield ("yaml", block, [])
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M) if language == "console" else []:
            yield ("run", command, [line for line in shown.splitlines() if line.strip()])


class Tutorial(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="dither-tutorial-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.env = {**os.environ, "PATH": f"{BUILD / 'apps/cli'}:{os.environ['PATH']}",
                    "DITHER_KEY": str(self.folder / "key")}

    def run_command(self, command, expected):
        done = subprocess.run(["bash", "-c", command], cwd=self.here, env=self.env, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=120, check=False)
        refused = [line for line in expected if line.startswith("error: ")]
        if refused:
            self.assertIn(done.returncode, (2, 3), done.stdout)
            self.assertTrue(done.stderr.startswith(refused[0]), done.stderr)
            self.assertIn("\nhint:  ", done.stderr)
        else:
            self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        for line in expected:
            self.assertIn(line, done.stdout + done.stderr)

    # Spec: D-67
    def test_every_command_runs_as_the_page_says(self):
        self.here, ran = self.folder, 0
        for kind, text, expected in steps(PAGE.read_text(encoding="utf-8")):
            with self.subTest(text.splitlines()[0]):
                if kind == "yaml":
                    (self.here / "dither.yaml").write_text(text, encoding="utf-8")
                elif text.startswith("cd "):
                    self.here = self.here / text[3:]
                else:
                    self.run_command(text, expected)
            ran += 1
        self.assertGreater(ran, 25)
        self.assertIn("<svg", (self.here / "visits.svg").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
