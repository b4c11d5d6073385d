"""Nothing that is released holds a source of randomness that somebody can choose."""
import os
import re
import subprocess
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("DITHER_BUILD", ROOT / "build/release"))

# Names of code in testing/, as demangled symbols or as text, and of the environment variable that seeds tests.
FORBIDDEN = re.compile(r"dither::testing|dither7testing|SourceTestAccess::make|SourceTestAccess4make|seeded_source|"
                       r"SeededEntropy|DITHER_SEED")


def findings(path):
    """The forbidden names among the symbols and the text of a program or library."""
    def printed(*command):
        return subprocess.run([*command, path], capture_output=True, text=True, errors="replace", check=True).stdout

    return sorted(set(FORBIDDEN.findall(printed("nm", "-C") + printed("strings", "-a", "-n", "6"))))


class Released(unittest.TestCase):
    # Spec: W-74, D-72
    def test_programs_hold_no_seeded_source(self):
        self.assertEqual(findings(BUILD / "apps/cli/dither"), [])
        self.assertEqual(findings(BUILD / "apps/cli/dither-verify"), [])

    # Spec: W-74, D-72
    def test_rooms_hold_no_seeded_source(self):
        rooms = sorted((BUILD / "src").glob("*/libdither_*.a"))
        self.assertIn("libdither_random.a", [path.name for path in rooms])
        for path in rooms:
            with self.subTest(path.name):
                self.assertEqual(findings(path), [])

    def test_the_check_sees_one_where_there_is_one(self):
        self.assertIn("dither::testing", findings(BUILD / "testing/libdither_testing.a"))
        self.assertIn("seeded_source", findings(BUILD / "tests/random/random_tests"))


if __name__ == "__main__":
    unittest.main()
