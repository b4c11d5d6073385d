"""The package as people install it: what the wheel holds, what an import brings, and how it lives with others."""
from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from importlib.metadata import Distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SYSTEM = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libstdc++.so.6", "libgcc_s.so.1",
          "ld-linux-x86-64.so.2", "libz.so.1"}
SESSION = """
import warnings, numpy, dither
warnings.simplefilter("ignore")
rows = numpy.rec.fromarrays([[1, 1, 2, 3], [5, 7, 20, 9]], names="person,cost")
s = dither.Session(tables={"visits": rows}, unit="person", neighbours="add-remove", ledger=":memory:",
                   columns={"person": "integer", "cost": {"type": "integer", "bounds": (0, 50), "outside": "clamp"}},
                   bounds={"rows_per_unit": 2}, budget=dither.Budget(epsilon=100))
"""
OURS = "assert isinstance(s.sql('SELECT COUNT(*) FROM visits', epsilon=1, again=True).value, int)\n"
THEIRS = "assert duckdb.sql('SELECT sum(range) FROM range(10)').fetchall() == [(45,)]\n"


@pytest.fixture(scope="module")
def distribution() -> Distribution:
    return Distribution.from_name("dither")


@pytest.fixture(scope="module")
def files(distribution: Distribution) -> list[str]:
    """The files of the wheel, but not what pip added."""
    assert distribution.files is not None
    return [str(file) for file in distribution.files if "__pycache__" not in str(file)]


def run(code: str, folder: Path) -> str:
    """Standard output of a program, which must end well and say nothing else."""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def dynamic(path: Path, tags: str) -> list[str]:
    """What the loader reads in a library under these tags."""
    text = subprocess.run(["readelf", "-dW", path], capture_output=True, text=True, check=True).stdout
    return re.findall(rf"\((?:{tags})\).*\[(.+)\]", text)


def test_import_brings_nothing_heavy(tmp_path: Path) -> None:
    code = "import sys; before = set(sys.modules); import dither; print(*sorted(set(sys.modules) - before))"
    brought = run(code, tmp_path).split()
    heavy = {"numpy", "pandas", "polars", "pyarrow", "matplotlib", "duckdb", "yaml", "asyncio", "multiprocessing"}
    assert heavy.isdisjoint(name.split(".")[0] for name in brought)
    assert "dither._core" in brought
    assert len(brought) <= 100  # each costs a fraction of a millisecond


def test_version_is_that_of_cmake(distribution: Distribution, tmp_path: Path) -> None:
    found = re.search(r"project\(dither VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    assert found is not None
    assert distribution.version == found[1]
    assert run("import dither; print(dither.__version__)", tmp_path) == found[1] + "\n"


def test_wheel_says_what_it_runs_on(distribution: Distribution) -> None:
    text = distribution.read_text("WHEEL")
    assert text is not None
    version = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    assert re.search(rf"^Tag: {version}-{version}-manylinux_2_\d+_x86_64$", text, re.M)
    assert "Root-Is-Purelib: false" in text


def test_numpy_is_the_one_requirement(distribution: Distribution) -> None:
    required = [text for text in distribution.requires or [] if "extra ==" not in text]
    assert [re.split(r"[<>=!~ ]", text)[0] for text in required] == ["numpy"]
    assert set(distribution.metadata.get_all("Provides-Extra") or []) == {"arrow", "pandas", "plot", "polars"}
    assert distribution.metadata["Requires-Python"] == "<3.14,>=3.10"
    assert distribution.metadata["License-Expression"] == "Apache-2.0"


def test_wheel_is_whole_and_bundles_no_more_than_it_may(distribution: Distribution, files: list[str]) -> None:
    assert {"dither/libduckdb.so", "dither/py.typed", "dither/_core.pyi", "dither/__init__.py"} <= set(files)
    bundled = {Path(name).name for name in files if name.startswith("dither.libs/")}
    libraries = [name for name in files if re.search(r"\.so(\.|$)", name)]
    assert len(libraries) == len(bundled) + 2  # the module and DuckDB
    for name in libraries:
        path = Path(str(distribution.locate_file(name)))
        assert set(dynamic(path, "NEEDED")) <= SYSTEM | bundled, name
        places = [place for text in dynamic(path, "RUNPATH|RPATH") for place in text.split(":")]
        assert all(re.match(r"\$ORIGIN(/|$)", place) for place in places), name  # and nowhere on the builder's machine
        if name.startswith("dither/_core."):
            assert set(places) == {"$ORIGIN", "$ORIGIN/../dither.libs"}
    assert not [name for name in bundled if re.match(r"lib(pq|edit|readline|bsd|tinfo)\b", name)]


def test_licences_of_all_that_is_bundled(distribution: Distribution, files: list[str]) -> None:
    texts = {name.split("/licenses/")[1]: name for name in files if "/licenses/" in name}
    assert {"LICENSE", "NOTICE", "python/licences/duckdb.txt", "bundled/nanobind.txt"} <= set(texts)
    lines = (ROOT / "tools/licences.txt").read_text(encoding="utf-8").splitlines()
    packages = dict(line.split()[:2] for line in lines if line and not line.startswith("#"))
    for name in (name for name in files if name.startswith("dither.libs/")):
        library = re.sub(r"-[0-9a-f]{8}$", "", Path(name).name.split(".so")[0])
        text = Path(str(distribution.locate_file(texts[f"bundled/{packages[library]}.txt"])))
        assert len(text.read_text(encoding="utf-8")) > 500, library
    for package in ("libgmp10", "libmpfr6"):  # these refer to texts that must be there too
        assert f"bundled/{package}.txt" in texts
    assert {"bundled/GPL-3.txt", "bundled/LGPL-3.txt"} <= set(texts)


def test_no_debug_information_is_shipped(distribution: Distribution, files: list[str]) -> None:
    for name in (name for name in files if re.search(r"\.so(\.|$)", name)):
        path = str(distribution.locate_file(name))
        sections = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True).stdout
        assert ".debug_info" not in sections, name


def test_duckdb_beside_the_module_is_the_one_loaded(distribution: Distribution, tmp_path: Path) -> None:
    show = "print(*{line.split()[-1] for line in open('/proc/self/maps') if 'libduckdb' in line})"
    loaded = run(SESSION + OURS + show, tmp_path).split()
    assert [Path(name).resolve() for name in loaded] == [
        Path(str(distribution.locate_file("dither/libduckdb.so"))).resolve()
    ]


@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_another_duckdb_in_the_same_process(first: str, tmp_path: Path) -> None:
    # Each is imported, and has answered, before the other one is; then they take turns.
    ours, theirs = SESSION + OURS, "import duckdb\n" + THEIRS
    start = ours + theirs if first == "ours" else theirs + ours
    versions = "assert duckdb.__version__ != '1.5.6'\nprint('both')\n"
    assert run(start + (OURS + THEIRS) * 3 + versions, tmp_path) == "both\n"


def test_interpreter_ends_quietly_with_an_open_session(tmp_path: Path) -> None:
    assert run(SESSION + OURS + "print(len(s.history))", tmp_path) == "1\n"
    assert run(SESSION + "import sys; kept = [s, s.explain('SELECT COUNT(*) FROM visits', epsilon=1)]; sys.exit(0)",
               tmp_path) == ""


# A life of a session: a question, a price, a mistake, its end. LIVES counts the blocks that Python has handed out (the
# objects of the core are among them) and the memory of the process, after 10 lives and after 30.
LIFE = SESSION.replace("[1, 1, 2, 3], [5, 7, 20, 9]", "numpy.arange(200_000), numpy.arange(200_000) % 50") + """
answer = s.sql("SELECT COUNT(*) FROM visits", epsilon=1)
price = s.explain("SELECT SUM(cost) FROM visits", epsilon=1)
try:
    s.sql("SELECT nothing FROM visits", epsilon=1)
except dither.Error as error:
    refusal = error
"""
LIVES = f"""
import gc, sys
kept = []
def life():
{textwrap.indent(LIFE, "    ")}
    ENDS
def held():
    gc.collect()
    status = dict(line.split(":", 1) for line in open("/proc/self/status"))
    return sys.getallocatedblocks(), int(status["VmRSS"].split()[0]) // 1024
for turn in range(30):
    life()
    if turn == 9:
        blocks, mebibytes = held()
after = held()
print(after[0] - blocks, after[1] - mebibytes)
"""


@pytest.mark.parametrize(("ends", "leaks"), [
    ("s.close()", ()), ("del s, refusal", ()), ("s.close(); kept.append(answer)", ("blocks",)),
    ("s.close(); kept.append(price)", ("blocks",)), ("s.close(); kept.append(refusal)", ("blocks", "memory")),
    ("kept.append(s)", ("blocks", "memory")),
])
def test_nothing_leaks(ends: str, leaks: tuple[str, ...], tmp_path: Path) -> None:
    blocks, mebibytes = map(int, run(LIVES.replace("ENDS", ends), tmp_path).split())
    # Of an answer, a price, an error or a session each of 20 lives would leave 45 blocks or more; looking takes fewer
    # than 100 in all. A session also leaves its copy of the table, an error the frames that name the table: 3 MiB.
    assert ("blocks" in leaks) == (blocks >= 300)
    assert ("memory" in leaks) == (mebibytes >= 30)


def test_forked_child_is_refused_by_name_and_may_open_its_own(tmp_path: Path) -> None:
    code = """
import os
s.sql("SELECT COUNT(*) FROM visits", epsilon=1)
child = os.fork()
if child == 0:
    try:
        s.sql("SELECT SUM(cost) FROM visits", epsilon=1)
    except dither.Error as error:
        code = error.code
    own = dither.Session(tables={"visits": rows}, unit="person", neighbours="add-remove", ledger=":memory:",
                         columns={"person": "integer", "cost": "integer"}, bounds={"rows_per_unit": 2},
                         budget=dither.Budget(epsilon=1))
    assert isinstance(own.sql("SELECT COUNT(*) FROM visits", epsilon=1).value, int)
    print(code, flush=True)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert len(s.history) == 1
"""
    assert run(SESSION + code, tmp_path) == "wrong-state\n"


def test_processes_of_a_pool_have_their_own_sessions(tmp_path: Path) -> None:
    code = """
import multiprocessing
def count(_):
    with dither.Session(tables={"visits": rows}, unit="person", neighbours="add-remove", ledger=":memory:",
                        columns={"person": "integer", "cost": "integer"}, bounds={"rows_per_unit": 2},
                        budget=dither.Budget(epsilon=1)) as own:
        return own.sql("SELECT COUNT(*) FROM visits", epsilon=1).value
with multiprocessing.get_context("fork").Pool(2) as pool:
    counts = pool.map(count, range(16))
assert len(counts) == 16 and all(isinstance(n, int) for n in counts)
print(len(set(counts)) > 1)
"""
    # Sixteen draws of noise with scale 2 are all equal with probability below 1e-9 (0.245^16), unless they are copies.
    assert run(SESSION + code, tmp_path) == "True\n"


def test_wheel_has_the_command(distribution: Distribution, tmp_path: Path) -> None:
    command = Path(sys.executable).parent / "dither"

    def dither(*words: str, text: str = "") -> tuple[int, str, str]:
        done = subprocess.run([command, *words], cwd=tmp_path, input=text, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    assert dither("--version") == (0, f"dither {distribution.version}\n", "")
    status, _, said = dither("cook")
    assert (status, said.split(":")[0]) == (2, "error")
    assert run("import runpy, sys; sys.argv = ['dither', '--version']\n"
               "try:\n    runpy.run_module('dither', run_name='__main__')\n"
               "except SystemExit as end:\n    assert end.code == 0", tmp_path) == f"dither {distribution.version}\n"
    # Lines of a pipe reach `dither query`, as they do in the program that is built without Python.
    assert dither("demo", "--help")[0] == 0
    status, _, said = dither("query", "--project", "nowhere.yaml", text="SELECT 1;\n")
    assert status == 2 and "nowhere.yaml" in said


def test_threads_share_a_session(tmp_path: Path) -> None:
    code = """
from concurrent.futures import ThreadPoolExecutor
def ask(_):
    return s.sql("SELECT COUNT(*) FROM visits", epsilon=1, again=True).value
with ThreadPoolExecutor(8) as pool:
    values = list(pool.map(ask, range(40)))
assert len(values) == 40 and len(set(values)) > 1
print(s.budget.left.epsilon, len(s.history))
"""
    assert run(SESSION + code, tmp_path) == "60.0 40\n"


def test_types_are_seen_by_those_who_use_it(tmp_path: Path) -> None:
    (tmp_path / "use.py").write_text(
        "import dither\n\n\ndef count(s: dither.Session) -> dither.Answer:\n"
        '    return s.sql("SELECT COUNT(*) FROM visits", epsilon=1)\n\n\n'
        "reveal_type(dither.Budget(epsilon=1))\n",
        encoding="utf-8",
    )
    cache = Path(sys.prefix) / "mypy-of-users"  # kept: reading numpy's types takes long
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache), "use.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    assert 'Revealed type is "dither.budget.Budget"' in done.stdout
    assert done.returncode == 0, done.stdout
