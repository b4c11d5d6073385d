"""What stands around the Python package: the runner of notebooks, pinned packages, what a wheel is made from."""
import contextlib
import io
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import notebooks  # noqa: E402
import python_package  # noqa: E402


def notebook(*cells):
    """A notebook of these code cells; a cell may be (source, tag)."""
    made = []
    for cell in cells:
        source, tags = cell if isinstance(cell, tuple) else (cell, [])
        made.append({"cell_type": "code", "source": source.splitlines(keepends=True), "metadata": {"tags": tags},
                     "outputs": [], "execution_count": None})
    return {"cells": [{"cell_type": "markdown", "source": ["# Words"]}, *made], "nbformat": 4, "nbformat_minor": 5}


class Notebooks(unittest.TestCase):
    def test_cells_share_names_and_show_their_last_value(self):
        document = notebook("x = 20", "print('and')\nx + 1", "x;\nNone")
        notebooks.run(document, "a.ipynb")
        first, second, third = document["cells"][1:]
        self.assertEqual(first["outputs"], [])
        self.assertEqual(second["outputs"][0]["text"], ["and\n"])
        self.assertEqual(second["outputs"][1]["data"], {"text/plain": ["21"]})
        self.assertEqual((second["execution_count"], third["outputs"]), (2, []))

    def test_rich_values_are_kept_as_html_too(self):
        document = notebook("class A:\n    def _repr_html_(self):\n        return '<b>1</b>'\nA()")
        notebooks.run(document, "a.ipynb")
        self.assertEqual(document["cells"][1]["outputs"][0]["data"]["text/html"], ["<b>1</b>"])

    def test_a_cell_that_raises_fails(self):
        with self.assertRaises(notebooks.Failure) as caught:
            notebooks.run(notebook("1", "1 / 0"), "a.ipynb")
        self.assertIn("cell 2 of a.ipynb", str(caught.exception))
        self.assertIn("ZeroDivisionError", str(caught.exception))

    def test_a_cell_that_should_raise(self):
        tags = ["raises-exception"]
        document = notebook(("1 / 0", tags))
        notebooks.run(document, "a.ipynb")
        self.assertEqual(document["cells"][1]["outputs"][0]["ename"], "ZeroDivisionError")
        with self.assertRaises(notebooks.Failure):
            notebooks.run(notebook(("1", tags)), "a.ipynb")

    def test_what_lasts_too_long_is_stopped_even_inside_a_catch_all(self):
        limit, notebooks.SECONDS = notebooks.SECONDS, 1
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "a.ipynb"
                stubborn = "while True:\n    try:\n        pass\n    except Exception:\n        pass"
                path.write_text(json.dumps(notebook(stubborn)))
                with self.assertRaises(notebooks.Failure), contextlib.redirect_stderr(io.StringIO()):
                    notebooks.run_file(path, False)
        finally:
            notebooks.SECONDS = limit

    def test_writing_keeps_all_else(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.ipynb"
            path.write_text(json.dumps(notebook("open('made', 'w').close()\n2 + 2")))
            notebooks.run_file(path, True)
            written = json.loads(path.read_text())
            self.assertEqual([entry.name for entry in Path(folder).iterdir()], ["a.ipynb"])  # cells work elsewhere
            self.assertEqual(written["cells"][0], {"cell_type": "markdown", "source": ["# Words"]})
            self.assertEqual(written["cells"][1]["outputs"][0]["data"]["text/plain"], ["4"])


class Requirements(unittest.TestCase):
    def test_every_package_has_one_exact_version(self):
        for path in python_package.REQUIREMENTS.values():
            lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
            for line in lines:
                self.assertRegex(line, r"^[\w.-]+==[\w.]+$")
            self.assertEqual(len(python_package.pins(path)), len(lines))

    def test_those_who_build_elsewhere_get_the_same_tools(self):
        text = (ROOT / "pyproject.toml").read_text()
        named = re.findall(r'"([\w-]+)==([\w.]+)"', re.search(r"requires = \[(.*)\]", text)[1])
        pins = python_package.pins(python_package.REQUIREMENTS[python_package.BUILD_ENVIRONMENT])
        self.assertEqual({name: pins[name] for name, _ in named}, dict(named))
        self.assertEqual({name for name, _ in named}, {"scikit-build-core", "nanobind"})

    def test_what_is_installed_is_read_from_the_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("Pygments-2.21.0.dist-info", "ast_serialize-0.13.1.dist-info", "pip"):
                (Path(folder) / "lib/python3.11/site-packages" / name).mkdir(parents=True)
            self.assertEqual(python_package.installed(Path(folder)), {"pygments": "2.21.0", "ast-serialize": "0.13.1"})


class Licences(unittest.TestCase):
    def test_system_libraries_and_the_line_editor_stay_outside(self):
        packages = python_package.licence_packages()
        self.assertEqual(packages["libgmp"], "libgmp10")
        self.assertEqual({"libc", "libstdc++", "libedit", "libbsd", "DuckDB", "nanobind"} & set(packages), set())


if __name__ == "__main__":
    unittest.main()
