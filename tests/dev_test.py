"""`./dev` itself: help, packages with and without root, tags and licences."""
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import coverage  # noqa: E402
import linting  # noqa: E402
import packages  # noqa: E402

VERBS = "setup build run test python bench crosscheck figures docs lint format coverage asan tsan fuzz".split()


def dev(*arguments, fakes=None):
    """Runs ./dev; `fakes` maps program names to the bash that stands in for them."""
    with tempfile.TemporaryDirectory() as folder:
        for name, body in (fakes or {}).items():
            path = Path(folder) / name
            path.write_text(f"#!/bin/bash\n{body}\n")
            path.chmod(0o755)
        env = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
        return subprocess.run([ROOT / "dev", *arguments], env=env, capture_output=True, text=True, check=False)


class Help(unittest.TestCase):
    def test_every_verb_has_help(self):
        listing = dev("--help").stdout
        for verb in VERBS:
            with self.subTest(verb):
                self.assertRegex(listing, rf"\n    {verb}\s")
                shown = dev(verb, "--help")
                self.assertEqual(shown.returncode, 0)
                self.assertIn(f"usage: ./dev {verb}", shown.stdout)

    def test_unknown_verb_is_refused(self):
        self.assertEqual(dev("cook").returncode, 2)


class Packages(unittest.TestCase):
    NOTHING = "exit 1"  # dpkg-query when no package is installed

    def test_without_root_the_commands_are_printed(self):
        done = dev("build", fakes={"dpkg-query": self.NOTHING, "id": "echo 1000", "apt-get": "echo called >&2"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("  apt-get update -q\n  apt-get install -y --no-install-recommends g++ ccache mold", done.stderr)
        self.assertNotIn("called", done.stderr)
        self.assertNotIn("clang", done.stderr)  # nothing that the verb does not need

    def test_with_root_apt_installs_what_is_missing(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log"
            versions = packages.read_list()["bench"]
            have = "".join(f"{name}\\t{version}\\tinstall ok installed\\n" for name, version in versions.items())
            done = dev("setup", "bench", fakes={
                "dpkg-query": f"test -e {log} && printf '{have}'",
                "id": "echo 0", "apt-get": f'echo "$DEBIAN_FRONTEND $*" >> {log}'})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(log.read_text().splitlines(), [
                "noninteractive update -q", "noninteractive install -y --no-install-recommends libbenchmark-dev"])

    def test_failed_install_stops(self):
        done = dev("setup", "bench", fakes={"dpkg-query": self.NOTHING, "id": "echo 0", "apt-get": "exit 100"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("error: `apt-get update -q` failed", done.stderr)

    def test_another_major_version_is_refused(self):
        have = "libbenchmark-dev\\t2.0.0-1\\tinstall ok installed\\n"
        done = dev("setup", "bench", fakes={"dpkg-query": f"printf '{have}'"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("libbenchmark-dev is 2.0.0-1, but Dither is tested with 1.7.1-1", done.stderr)

    def test_a_newer_revision_is_fine(self):
        have = "libbenchmark-dev\\t1.9.0-1+deb12u1\\tinstall ok installed\\n"
        self.assertEqual(dev("setup", "bench", fakes={"dpkg-query": f"printf '{have}'"}).returncode, 0)

    def test_removed_package_is_missing(self):
        have = "libbenchmark-dev\\t1.7.1-1\\tdeinstall ok config-files\\n"
        done = dev("setup", "bench", fakes={"dpkg-query": f"printf '{have}'", "id": "echo 1000"})
        self.assertEqual(done.returncode, 2)

    def test_unknown_group_is_named(self):
        self.assertIn("the groups are build test", dev("setup", "kitchen").stderr)

    def test_nothing_to_do_takes_under_two_seconds(self):
        start = time.monotonic()
        self.assertEqual(dev("setup").returncode, 0)
        self.assertLess(time.monotonic() - start, 2)

    def test_major_versions(self):
        for version, major in {"4:12.2.0-3": "12", "1:14.0.6-12": "14", "0~1033-08b5058-3": "0", "1.74.0.3": "1",
                               "4.8+really4.7.5-1": "4", "9-2": "9"}.items():
            self.assertEqual(packages.major(version), major)


class Tags(unittest.TestCase):
    CPP = """
// Spec: W-74, D-72
TEST(Source, ForkedChildrenDiffer) {}
TEST(Source, Plain) {}
RC_GTEST_PROP(Source, Property, (int a)) {  // Spec: F-01
}
// Words about it.
// Spec: F-02
// More words.
TEST_P(
    Laws, Fit) {}
"""

    def test_cpp(self):
        tagged, complaints = coverage.tags_in(self.CPP, ".cc")
        self.assertEqual(complaints, [])
        self.assertEqual(tagged, [("W-74", "Source.ForkedChildrenDiffer"), ("D-72", "Source.ForkedChildrenDiffer"),
                                  ("F-01", "Source.Property"), ("F-02", "Laws.Fit")])

    def test_python(self):
        text = "class A(unittest.TestCase):\n    # Spec: F-01\n    def test_x(self):\n        pass\n"
        self.assertEqual(coverage.tags_in(text, ".py"), ([("F-01", "A.test_x")], []))

    def test_python_function(self):
        text = "class A:\n    def test_x(self):\n        pass\n\n\n# Spec: F-01\ndef test_y():\n    pass\n"
        self.assertEqual(coverage.tags_in(text, ".py", "test_file"), ([("F-01", "test_file.test_y")], []))

    def test_command_script(self):
        text = "# Spec: F-01\n$ dither --help\n...\n\n$ dither\n"
        self.assertEqual(coverage.tags_in(text, ".test"), ([("F-01", "line 2: dither --help")], []))

    def test_sql_script(self):
        text = "-- spec: F-01\nrefused missing-bounds SELECT 1;\npriced x SELECT 2;  -- spec: F-02\n"
        tagged, complaints = coverage.tags_in(text, ".test")
        self.assertEqual([(row, test.split(":")[0]) for row, test in tagged], [("F-01", "line 2"), ("F-02", "line 3")])
        self.assertEqual(complaints, [])

    def test_mistakes_are_named(self):
        self.assertIn("stands above no test", coverage.tags_in("TEST(A, B) {}\n// Spec: F-01\n", ".cc")[1][0])
        self.assertIn("`later` is not", coverage.tags_in("// Spec: F-01, later\nTEST(A, B) {}\n", ".cc")[1][0])

    def test_parameterised_names(self):
        for name in ("Laws.Fit", "All/Laws.Fit/3", "Laws/0.Fit", "All/Laws.Fit/name_x", "Laws.Fit[a.b-1]"):
            self.assertEqual(coverage.plain_name(name), "Laws.Fit")

    def test_every_tag_of_the_tree_names_a_row(self):
        rows = coverage.requirements()
        self.assertEqual(len(rows), 1027)
        self.assertEqual(coverage.collect(rows)[1], [])

    def test_unknown_row_is_named(self):
        rows = coverage.requirements()
        del rows["D-72"]  # named in tests/release_test.py
        self.assertTrue(any("there is no row D-72" in text for text in coverage.collect(rows)[1]))


class Licences(unittest.TestCase):
    LIST = linting.read_licences("# words\nliba pa MIT dynamic\nlibg pg GPL-3.0 dynamic\n"
                                 "libl pl LGPL-3.0-or-later static\n")

    def test_listed_library_passes(self):
        self.assertEqual(linting.licence_complaints({"liba": "pa"}, self.LIST), [])

    def test_wrong_ones_are_named(self):
        for used, words in (({"libx": "px"}, "not in tools/licences.txt"), ({"liba": "pb"}, "comes from package pb"),
                            ({"libg": "pg"}, "licence GPL-3.0"), ({"libl": "pl"}, "must be linked dynamically")):
            with self.subTest(words):
                found = linting.licence_complaints(used, self.LIST)
                self.assertEqual(len(found), 1)
                self.assertIn(words, found[0])

    def test_a_real_program_is_read(self):
        self.assertEqual(linting.linked_libraries("/bin/true")["libc"], "libc6")


if __name__ == "__main__":
    unittest.main()
