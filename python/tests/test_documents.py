"""The documents about the package: notebooks as readers find them, and the page that is made from docstrings."""
import importlib.util
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs/python"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
NAMES = [path.stem for path in NOTEBOOKS]


def cells(path):
    return json.loads(path.read_text(encoding="utf-8"))["cells"]


def test_there_are_five_notebooks():
    assert [name[:3] for name in NAMES] == ["01-", "02-", "03-", "04-", "05-"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_a_notebook_is_in_the_format_that_others_read(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_a_notebook_shows_what_its_cells_said(path):
    code = [cell for cell in cells(path) if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    for cell in code:
        raises = "raises-exception" in cell["metadata"].get("tags", [])
        errors = [output for output in cell["outputs"] if output["output_type"] == "error"]
        assert bool(errors) == raises
        assert all("hint:" in output["evalue"] for output in errors), "an error that is shown names its way out"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_a_notebook_names_no_place_of_the_machine_it_was_run_on(path):
    assert re.findall(r"/(?:tmp|home|root|work|usr)/[^\"\\\s]*", path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=NAMES)
def test_links_of_a_notebook_lead_somewhere(path):
    text = "".join("".join(cell["source"]) for cell in cells(path) if cell["cell_type"] == "markdown")
    targets = re.findall(r"\]\(([^)#\s]+)\)", text)
    assert [target for target in targets if not (FOLDER / target).exists()] == []


def test_the_tour_of_the_readme_runs(tmp_path, monkeypatch):
    pandas = pytest.importorskip("pandas")
    code, = re.findall(r"^```python\n(.*?)^```$", (FOLDER / "README.md").read_text(encoding="utf-8"), re.M | re.S)
    monkeypatch.chdir(tmp_path)
    names = {"frame": pandas.DataFrame({"person": range(300), "city": ["a", "b", "z"] * 100, "cost": [12.5] * 300})}
    exec(code, names)
    names["s"].close()
    assert names["a"].charged and (tmp_path / "visits.ledger").exists()


def test_the_reference_is_what_the_docstrings_say():
    spec = importlib.util.spec_from_file_location("python_reference", ROOT / "tools/python_reference.py")
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert (FOLDER / "reference.md").read_text(encoding="utf-8") == generator.page(), "run ./dev docs"
