"""Sessions: declared in code and opened from a file, asked, charged, closed."""
from __future__ import annotations

import json
import math
import os
import pickle
import subprocess
import sys
import warnings
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import dither
import pytest
from sessions import BOUNDS, COLUMNS, SURE, count, session, visits

PROJECT = """
version: 1
data_version: "1"
privacy: {unit: person, neighbours: add-remove}
tables:
  visits:
    source: visits.csv
    unit: person
    bounds: {rows_per_unit: 3, keys_per_unit: 2, rows_per_key: 2}
    columns:
      person: {type: integer}
      city: {type: text, keys: [Bonn, Kiel, Jena], outside: other}
      cost: {type: integer, bounds: [0, 50], outside: clamp}
budgets:
  main: {epsilon: 1000000000}
  alice: {parent: main, epsilon: 5}
"""


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Ledgers and keys of a test go with it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def project(own_folder: Path) -> Path:
    visits().to_csv(own_folder / "visits.csv", index=False)
    (own_folder / "dither.yaml").write_text(PROJECT)
    return own_folder / "dither.yaml"


def test_an_answer_has_its_value_and_its_price() -> None:
    with session(budget=dither.Budget(epsilon=3)) as s:
        answer = s.sql("SELECT COUNT(*) FROM visits", epsilon="1/2")
        assert s.budget.spent["epsilon"] == "0.5"
        assert s.budget.left.epsilon == 2.5
        assert answer.accounted == "session only"
        assert answer.charged and not answer.stored


# Spec: W-28
def test_a_file_and_the_same_declarations_in_code_make_one_plan(project: Path) -> None:
    sql = "SELECT city, COUNT(*), SUM(cost) FROM visits GROUP BY city"
    opened = dither.open(project)
    declared = session("visits.csv")
    one, other = opened.explain(sql, epsilon=1), declared.explain(sql, epsilon=1)
    assert one.plan_hash == other.plan_hash
    assert one.price == other.price and one.cost == other.cost


def test_the_nearest_project_is_found_and_a_missing_one_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project.parent / "below").mkdir()
    monkeypatch.chdir(project.parent / "below")
    assert dither.open().explain("SELECT COUNT(*) FROM visits", epsilon=1).fits
    project.unlink()
    with pytest.raises(dither.BadInput, match="cannot-read") as refused:
        dither.open()
    assert 'dither.open("PATH")' in refused.value.hint


def test_exact_where_noise_is_negligible() -> None:
    s = session()
    assert count(s) == 8
    grouped = s.sql("SELECT city, COUNT(*) AS n FROM visits GROUP BY city", epsilon=SURE)
    assert {row[0]: row[1] for row in grouped.rows} == {"Bonn": 4, "Kiel": 3, "Jena": 1, "other": 0}


def test_a_question_asked_again_is_stored_and_again_pays() -> None:
    s = session(budget=dither.Budget(epsilon=2))
    first = s.sql("SELECT COUNT(*) FROM visits", epsilon=1)
    second = s.sql("SELECT COUNT(*) FROM visits", epsilon=1)
    assert second.stored and not second.charged and second.value == first.value
    assert s.sql("SELECT COUNT(*) FROM visits", epsilon=1, again=True).charged
    with pytest.raises(dither.OverBudget) as refused:
        s.sql("SELECT COUNT(*) FROM visits", epsilon=1, again=True)
    assert refused.value.code == "over-budget"
    assert s.budget.left.epsilon == 0


def test_a_script_is_charged_as_one() -> None:
    s = session(budget=dither.Budget(epsilon=2))
    text = "SELECT COUNT(*) FROM visits; SELECT SUM(cost) FROM visits; SELECT AVG(cost) FROM visits"
    with pytest.raises(dither.OverBudget):
        s.script(text, epsilon=1)
    assert s.budget.spent.epsilon == 0
    assert len(s.script(text, epsilon="0.5")) == 3
    assert s.budget.spent["epsilon"] == "1.5"


def test_cut_units_are_a_column_more() -> None:
    sql = "SELECT COUNT(*) AS n FROM visits"
    with session(budget=dither.Budget(epsilon=1000)) as s:
        assert [one["column"] for one in s.explain(sql, epsilon=1, cut_units=True).columns] == ["n", "cut_units"]
        answer = s.sql(sql, epsilon=200, cut_units=True)
        assert answer.columns == ["n", "cut_units"]
        assert s.sql(sql, epsilon=200).columns == ["n"]
        with pytest.raises(dither.BadInput):
            s.sql(sql, epsilon=1, cut_units=cast(Any, 1))


def test_the_price_of_an_error() -> None:
    explained = session().explain("SELECT COUNT(*) FROM visits", error=20)
    assert explained.columns[0]["within95"] <= 20
    assert explained.price.epsilon > 0
    assert explained["fits"] is True and "epsilon" in repr(explained)


def test_a_question_with_an_error_is_charged_what_it_takes() -> None:
    with session(budget=dither.Budget(epsilon=10)) as s:
        sql = "SELECT COUNT(*) FROM visits"
        price = s.explain(sql, error=20).price["epsilon"]
        answer = s.sql(sql, error=20)
        assert Fraction(answer.price["epsilon"]) == Fraction(s.budget.spent["epsilon"]) == Fraction(price)
        # Three rows a person, Laplace noise: scale 3 / epsilon, and 20 = scale * log 20 where noise is continuous.
        assert answer.epsilon == pytest.approx(3 * math.log(20) / 20, rel=0.05)
        assert 19 <= half_width(answer) <= 20
        dearer = s.sql(sql, error="10", again=True)
        assert half_width(dearer) <= 10 and dearer.epsilon == pytest.approx(2 * answer.epsilon, rel=0.06)
        cheaper = s.sql(sql, epsilon=0.9 * answer.epsilon, again=True)  # less does not buy it
        assert half_width(cheaper) > 20


def half_width(answer: dither.Answer) -> float:
    low, high = answer.interval(0.95) or (0, math.inf)
    return (high - low) / 2


def test_explain_charges_nothing_and_has_the_fields_of_the_command() -> None:
    s = session()
    explained = s.explain("SELECT COUNT(*) FROM visits", epsilon=1, delta="1e-9")
    for field in ("statement", "plan_hash", "steps", "parts", "keys", "columns", "cost", "how_many", "budgets"):
        assert field in explained
    assert s.history == [] and s.budget.spent.epsilon == 0


def test_numbers_are_exact_as_written() -> None:
    s = session(budget=dither.Budget(epsilon=3, delta=1e-8))
    s.sql("SELECT COUNT(*) FROM visits", epsilon=0.1)
    assert s.budget.spent["epsilon"] == "0.1"
    assert s.budget.limit["delta"] == "0.00000001"


def test_history_lists_releases_in_both_kinds_of_ledger(own_folder: Path) -> None:
    for ledger in (":memory:", "visits.ledger"):
        s = session(ledger=ledger, dataset="visits", data_version="1")
        s.sql("SELECT COUNT(*) FROM visits", epsilon=1, title="how many")
        (release,) = s.history
        assert (release["title"], release["state"]) == ("how many", "committed")
        assert release["cost"]["epsilon"] == "1"
        s.close()
    assert (own_folder / "visits.ledger").exists()


def test_a_ledger_outlives_its_session(own_folder: Path) -> None:
    with session(ledger="visits.ledger", dataset="visits", data_version="1") as s:
        first = s.sql("SELECT COUNT(*) FROM visits", epsilon=1)
        assert first.accounted == str(own_folder / "visits.ledger")
    with session(ledger=Path("visits.ledger"), dataset="visits", data_version="1") as s:
        again = s.sql("SELECT COUNT(*) FROM visits", epsilon=1)
        assert again.stored and again.value == first.value
        assert s.budget.spent["epsilon"] == "1"
        assert str(s.budget.accounted) == str(own_folder / "visits.ledger")


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "dither", *words], capture_output=True, text=True, check=True)


def in_file(table: Any, **changes: Any) -> dither.Session:
    """A session about these rows, whose ledger is a file."""
    return session(table, ledger="visits.ledger", dataset="visits", data_version="1", **changes)


def refused_alone(table: Any, question: str, **changes: Any) -> None:
    with in_file(table, **changes) as s, pytest.raises(dither.BadInput, match="are not those") as refused:
        s.sql(question, epsilon=1)
    assert refused.value.code == "bad-source" and "dither budget version" in refused.value.hint


def test_other_content_is_refused_alone_and_charged_nothing(own_folder: Path) -> None:
    question = "SELECT COUNT(*) FROM visits"
    with in_file(visits()) as s:
        first = s.sql(question, epsilon=1)
    more = visits().assign(more=1.5)
    renamed = visits().assign(extra=1).rename(columns={"extra": "other"})
    for other in (visits().iloc[1:], visits().iloc[::-1], more, renamed):
        refused_alone(other, question)  # not even what is stored
        refused_alone(other, "SELECT SUM(cost) FROM visits")
    with in_file(visits()) as s:  # nobody else is refused
        again = s.sql(question, epsilon=1)
        assert again.stored and again.value == first.value
        assert s.sql("SELECT SUM(cost) FROM visits", epsilon=1).charged
        assert s.budget.spent["epsilon"] == "2"
    said = command("budget", "--ledger", "visits.ledger")
    assert "visits was asked about other data" in said.stderr and "HMAC-SHA-256" in said.stderr
    history = command("history", "--ledger", "visits.ledger", "--refusals").stdout
    assert history.count("the data are not those") == 8
    assert b"rows, HMAC" not in (own_folder / "visits.ledger").read_bytes()


def test_a_differing_declaration_is_the_same_content(own_folder: Path) -> None:
    """Whatever is declared, in whatever order columns stand, however they lie, and whichever library holds them."""
    import numpy
    import polars
    import pyarrow

    whole = visits().assign(
        note=["a", None, "c", "d", "e", "f", "g", ""], share=[0.5, None, 2, 3, 4, 5, 6, 7.25], here=[True, False] * 4
    )
    whole["seen"] = numpy.array(["2026-01-02T03:04:05.000006"] * 8, "datetime64[us]")
    arrow = pyarrow.Table.from_pandas(whole, preserve_index=False)
    frame = polars.from_arrow(arrow)
    assert isinstance(frame, polars.DataFrame)
    records = whole.to_records(index=False)
    kinds = [
        whole[list(reversed(whole.columns))],
        whole.astype({"cost": "int16", "city": "category", "note": "string", "share": "Float64", "here": "boolean"}),
        whole.astype({"cost": object, "share": object, "seen": object, "here": object}),
        whole.convert_dtypes(dtype_backend="pyarrow"),
        arrow,
        pyarrow.concat_tables([arrow.slice(0, 3), arrow.slice(3)]),
        frame,
        polars.concat([frame.slice(0, 5), frame.slice(5)], rechunk=False),
        records,
    ]
    question = "SELECT COUNT(*) FROM visits"
    with in_file(whole) as s:
        first = s.sql(question, epsilon=1)
    for kind in kinds:
        for columns in (COLUMNS, {**COLUMNS, "note": "text", "share": "real", "here": "boolean", "seen": "timestamp"}):
            with in_file(kind, columns=columns) as s:
                assert s.sql("SELECT COUNT(*) FROM visits WHERE cost > 3", epsilon=1).value is not None
    fewer = {name: COLUMNS[name] for name in ("cost", "person")}
    with in_file(whole, columns=fewer, bounds={"rows_per_unit": 3}) as s:  # as an analyst who needs less
        assert s.sql("SELECT SUM(cost) FROM visits", epsilon=1).charged
    with in_file(whole) as s:
        assert s.sql(question, epsilon=1).value == first.value
    refused_alone(whole.assign(share=[0.5, None, 2, 3, 4, 5, 6, 7.5]), question)
    refused_alone(whole.assign(here=[1, 0] * 4), question)


def test_large_numbers_are_the_same_content_in_every_type(own_folder: Path) -> None:
    import pyarrow

    question = "SELECT COUNT(*) FROM visits"
    most = Decimal(2**63)
    digits = Decimal("9" * 38)
    wide = pyarrow.array([digits] * 8, pyarrow.decimal128(38, 0))
    given = visits().assign(large=[2.0**63] * 8, huge=[1e300] * 8, digits=[digits] * 8)
    arrow = pyarrow.Table.from_pandas(visits(), preserve_index=False)
    kinds = [
        given.astype({"large": "uint64"}),
        given.astype({"large": object}),
        given.assign(large=[most] * 8, huge=[Decimal(1e300)] * 8),
        arrow.append_column("large", pyarrow.array([2**63] * 8, pyarrow.uint64()))
        .append_column("huge", pyarrow.array([1e300] * 8))
        .append_column("digits", wide),
    ]
    with in_file(given) as s:
        assert s.sql(question, epsilon=1).charged
    for kind in kinds:
        with in_file(kind) as s:
            assert s.sql(question, epsilon=1).stored
    refused_alone(given.assign(large=[2.0**64] * 8), question)
    refused_alone(given.assign(digits=[digits - 1] * 8), question)


def test_columns_that_cannot_be_declared_count_by_their_names(own_folder: Path) -> None:
    question = "SELECT COUNT(*) FROM visits"
    strange = visits().assign(lists=[[1]] * 8, pairs=[(1, 2)] * 8)
    strange[0] = range(8)
    strange.insert(0, "more", 1)
    strange.insert(0, "more", 2, allow_duplicates=True)
    with in_file(strange) as s:
        assert s.sql(question, epsilon=1).charged
    with in_file(strange.assign(lists=[[2]] * 8)) as s:  # nobody can ask about them
        assert s.sql(question, epsilon=1).stored
    refused_alone(strange.drop(columns=["lists"]), question)
    refused_alone(strange.assign(pairs=5), question)
    refused_alone(strange.drop(columns=[0]), question)


def test_rows_in_a_ledger_about_people_are_labelled_as_weaker(own_folder: Path) -> None:
    question = "SELECT COUNT(*) FROM visits"
    with in_file(visits()) as s:
        s.sql(question, epsilon=1)
        assert "weaker" not in str(s.explain(question, epsilon=1))
    with in_file(visits(), unit="row", unit_name="person", bounds=None) as s:
        explained = s.explain(question, epsilon=1)
        assert "row of visits" in str(explained) and "weaker than one person" in str(explained)
        answer = s.sql(question, epsilon=2)
        assert any("weaker" in note for note in answer.notes)
    with session(unit="row", bounds=None) as s:
        assert "weaker" not in str(s.explain(question, epsilon=1))


def test_thousands_of_questions_leave_the_process_its_keys() -> None:
    """Each statement took one of 1,024 for good; who came next found none: TLS, other libraries, the next statement."""
    program = """
import dither, numpy, ssl
table = numpy.rec.fromarrays([[1, 2]], names="person")
s = dither.Session(tables={"visits": table}, unit="person", neighbours="add-remove", ledger=":memory:",
                   columns={"person": "integer"}, bounds={"rows_per_unit": 1}, budget=dither.Budget(epsilon=1))
for i in range(1500):
    s.explain(f"SELECT COUNT(*) FROM visits WHERE person > {i}", epsilon=0.1)
ssl.create_default_context()
import pandas, polars
assert s.sql("SELECT COUNT(*) FROM visits", epsilon=0.1).charged
print("asked")
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "asked\n", done.stderr


def test_a_table_that_does_not_fit_is_no_first_use(own_folder: Path) -> None:
    import pyarrow

    right = pyarrow.table(visits())
    place = right.column_names.index("cost")
    wrong = right.set_column(place, "cost", pyarrow.array([[1]] * right.num_rows))
    options = {"ledger": "visits.ledger", "dataset": "visits", "data_version": "1"}
    with pytest.raises(dither.BadInput, match="bad-source"):
        session(wrong, **options)
    with session(right, **options) as s:
        assert s.sql("SELECT SUM(cost) FROM visits", epsilon=1).charged


def test_a_ledger_in_memory_warns_once_and_writes_nothing(own_folder: Path) -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        s = dither.Session(
            tables={"visits": visits()}, unit="person", neighbours="add-remove", columns=COLUMNS, bounds=BOUNDS,
            budget=dither.Budget(epsilon=3), ledger=":memory:",
        )
        s.sql("SELECT COUNT(*) FROM visits", epsilon=1)
    assert [one.category for one in seen] == [dither.SessionOnlyWarning]
    assert seen[0].filename == __file__
    assert list(own_folder.iterdir()) == []


def test_analysts_pay_from_budgets_of_their_own() -> None:
    s = session(budget=dither.Budget(epsilon=3), budgets={"alice": dither.Budget(epsilon=1, parent="main")})
    s.sql("SELECT COUNT(*) FROM visits", epsilon=1, as_="alice")
    assert s.budget["alice"].left.epsilon == 0 and s.budget.left.epsilon == 2
    with pytest.raises(dither.OverBudget):
        s.sql("SELECT SUM(cost) FROM visits", epsilon=1, as_="alice")
    with pytest.raises(dither.BadInput, match="unknown-budget"):
        s.explain("SELECT SUM(cost) FROM visits", epsilon=1, as_="bob")
    assert [row.budget for row in s.budget] == ["main", "main/alice"]
    assert "[##########]" in repr(s.budget)


@pytest.mark.parametrize(
    ("budget", "rule"),
    [
        (dither.Budget(epsilon=1), "pure"),
        (dither.Budget(epsilon=1, delta="1e-8"), "basic"),
        (dither.Budget(rule="advanced", epsilon=2, delta=1e-8, slack=1e-9), "advanced"),
        (dither.Budget(rho="1/2", delta=1e-9), "zcdp"),
        (dither.Budget(mu=1), "gdp"),
    ],
)
def test_every_rule_can_be_written(budget: dither.Budget, rule: str) -> None:
    assert next(iter(session(budget=budget).budget)).rule == rule


def test_describe_is_what_the_command_shows(project: Path) -> None:
    shown = dither.open(project).describe()
    assert [table["table"] for table in shown["tables"]] == ["visits"]
    assert shown["neighbours"] == "add-remove" and "visits" in repr(shown)
    with pytest.raises(dither.BadInput, match="unknown-table"):
        dither.open(project).describe("vists")


def test_public_tables_and_foreign_keys_can_be_declared() -> None:
    import pandas

    orders = pandas.DataFrame({"id": [1, 2, 3], "person": [1, 1, 2]})
    items = pandas.DataFrame({"order": [1, 1, 2, 3], "city": ["Bonn", "Kiel", "Bonn", "Bonn"]})
    regions = pandas.DataFrame({"city": ["Bonn", "Kiel"], "region": ["west", "north"]})
    s = session(
        tables={"orders": orders, "items": items, "regions": regions},
        public=["regions"],
        unit={"orders": "person", "items": {"through": "orders", "by": {"order": "id"}}},
        columns={
            "orders": {"id": int, "person": int},
            "items": {"order": int, "city": str},
            "regions": {"region": {"type": str, "keys": ["west", "north"], "outside": "null"}},
        },
        bounds={"orders": {"rows_per_unit": 2}, "items": {"rows_per_unit": 9, "keys_per_unit": 2, "rows_per_key": 3}},
        unique={"orders": ["id"], "regions": ["city"]},
    )
    joined = "SELECT region, COUNT(*) FROM items JOIN regions USING (city) GROUP BY region"
    assert dict(tuple(row) for row in s.sql(joined, epsilon=SURE).rows) == {"west": 3, "north": 1, None: 0}


def test_a_closed_session_is_refused_by_name() -> None:
    with session() as s:
        pass
    for ask in (lambda: s.sql("SELECT 1", epsilon=1), lambda: s.budget, lambda: s.history, s.describe):
        with pytest.raises(dither.BadInput, match="wrong-state"):
            ask()
    s.close()


def test_sessions_do_not_pickle_and_show_no_rows() -> None:
    s = session()
    with pytest.raises(dither.BadInput, match="private rows"):
        pickle.dumps(s)
    assert repr(s) == "<dither.Session, accounted: session only>"


def test_the_interpreter_ends_quietly_with_a_session_open(own_folder: Path) -> None:
    program = """
import dither, sessions, threading
s = sessions.session()
print(s.sql("SELECT COUNT(*) FROM visits", epsilon=sessions.SURE).value)
def ask():
    try:
        while True:
            s.sql("SELECT COUNT(*) FROM visits", epsilon=1, again=True)
    except dither.Error as error:
        assert error.code in ("cancelled", "wrong-state")
threading.Thread(target=ask, daemon=True).start()
"""
    ended = _run(program)
    assert ended.returncode == 0 and ended.stderr == "" and ended.stdout == "8\n"


def test_importing_takes_no_heavy_library() -> None:
    heavy = {"numpy", "pandas", "polars", "pyarrow", "matplotlib"}
    ended = _run(f"import sys, dither; print(sorted({heavy!r} & set(sys.modules)))")
    assert ended.stdout == "[]\n", ended.stderr


def _run(program: str) -> Any:
    paths = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    environment = {**os.environ, "PYTHONPATH": paths}
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, timeout=120)


def test_the_command_reads_what_a_session_wrote(own_folder: Path) -> None:
    with session(ledger="visits.ledger", dataset="visits", data_version="1") as s:
        s.sql("SELECT COUNT(*) FROM visits", epsilon=1)
        s.sql("SELECT SUM(cost) FROM visits", epsilon="0.5")
        history = s.history
    words = ["history", "--ledger", "visits.ledger", "--json"]
    ended = subprocess.run([sys.executable, "-m", "dither", *words], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert json.loads(ended.stdout) == {"releases": history}
    assert len(history) == 2 and [one["payers"] for one in history] == [["visits"]] * 2
