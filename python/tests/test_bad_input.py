"""Mistakes in a session's arguments: each names the argument, the rule and the way out, before anything is charged."""
from __future__ import annotations

from typing import Any

import dither
import numpy
import pandas
import pytest
from sessions import COLUMNS, SURE, count, session, visits


def cost(**words: Any) -> dict[str, Any]:
    """The columns, with this one declared in other words."""
    return {"columns": {**COLUMNS, "cost": {"type": "integer", **words}}}


def refused(**changes: Any) -> dither.Error:
    with pytest.raises(dither.BadInput) as error:
        session(**changes)
    return error.value


@pytest.mark.parametrize("name", ["unit", "neighbours", "budget", "ledger"])
def test_nothing_about_privacy_has_a_default(name: str) -> None:
    error = refused(**{name: None})
    assert error.code == "missing-key" and error.message.startswith(f"{name} is not given") and f"{name}=" in error.hint


def test_a_seed_is_refused_with_the_reason() -> None:
    for error in (
        refused(seed=1),
        pytest.raises(dither.BadInput, session().sql, "SELECT COUNT(*) FROM visits", epsilon=1, seed=1).value,
        pytest.raises(dither.BadInput, session().explain, "SELECT 1", epsilon=1, seed=1).value,
        pytest.raises(dither.BadInput, dither.open, seed=1).value,
    ):
        assert error.code == "bad-argument" and "subtract" in error.message and "stored" in error.hint


def test_an_unknown_argument_has_a_neighbour() -> None:
    assert "did you mean neighbours?" in refused(neighbors="add-remove").hint


def test_a_ledger_file_must_know_what_it_is_about(tmp_path: Any) -> None:
    ledger = str(tmp_path / "x.ledger")
    assert "data_version is not given" in refused(ledger=ledger, dataset="visits").message
    assert "dataset is not given" in refused(ledger=ledger, data_version="1").message
    assert not (tmp_path / "x.ledger").exists()


@pytest.mark.parametrize(
    ("changes", "code", "place"),
    [
        ({"neighbours": "add"}, "unknown-neighbours", "neighbours: "),
        ({"unit": "nobody"}, "unknown-column", "unit"),
        (cost(bounds=(0, 50)), "missing-key", 'columns["cost"]["bounds"]: '),
        (cost(type="intger"), "unknown-type", 'columns["cost"]["type"]: '),
        (cost(grid=numpy.array([1, 2])), "wrong-type", 'columns["cost"]["grid"]'),
        (cost(bound=(0, 5)), "unknown-key", 'columns["cost"]["bound"]: '),
        ({"columns": {"visits": {**COLUMNS, "cost": 3}}}, "wrong-type", 'columns["visits"]["cost"]'),
        ({"columns": {**COLUMNS, 3: "integer"}}, "bad-name", "columns has the name 3"),
        (cost(bounds=(9, 3), outside="clamp"), "bad-bounds", "columns"),
        (cost(type="real", bounds=(0, float("nan")), outside="null"), "bad-number", "columns"),
        ({"bounds": {"rows_per_unit": 0}}, "bad-limit", 'bounds["rows_per_unit"]: '),
        ({"bounds": {"rows": 1}}, "unknown-key", 'bounds["rows"]: '),
        ({"budget": 3}, "wrong-type", "budget"),
        ({"budget": dither.Budget(epsilon=-1)}, "out-of-range", 'budget["epsilon"]: '),
        ({"budget": dither.Budget(epsilon="many")}, "bad-number", "budget: epsilon"),
        ({"budgets": {"al": dither.Budget(epsilon=1, parent="nobody")}}, "unknown-budget", 'budgets["al"]["parent"]: '),
        ({"public": ["regions"]}, "unknown-table", "public"),
        ({"tables": None}, "missing-key", "tables is not given"),
        ({"tables": {}}, "wrong-type", "tables is no map"),
        ({"tables": {3: visits()}}, "bad-name", "tables has the name 3"),
        ({"data_version": 3}, "wrong-type", "data_version"),
        ({"threads": 0}, "bad-count", "threads is"),
        ({"memory": "much"}, "bad-argument", "memory is"),
        ({"memory": 3}, "bad-argument", "memory is"),
        ({"ledger": 3}, "wrong-type", "ledger is"),
        ({"dataset": 3}, "wrong-type", "dataset is"),
        ({"budgets": {3: dither.Budget(epsilon=1)}}, "wrong-type", "the name of a budget"),
        ({"bounds": 3}, "wrong-type", "bounds: "),
        ({"unit": 3}, "wrong-type", "unit: "),
    ],
)
def test_mistakes_name_the_argument(changes: dict[str, Any], code: str, place: str) -> None:
    error = refused(**changes)
    assert error.code == code and error.message.startswith(place), str(error)
    assert error.hint and ".yaml" not in str(error) and "Session(...):" not in str(error)


def test_hints_are_written_in_python() -> None:
    error = refused(columns={**COLUMNS, "cost": {"type": "integer", "bounds": (0, 50)}})
    assert '"outside": "clamp"' in error.hint
    bare = session(columns={"person": "integer", "cost": "integer"})
    with pytest.raises(dither.BadInput, match="missing-bounds") as missing:
        bare.explain("SELECT SUM(cost) FROM visits", epsilon=1)
    assert '`"bounds": [LOW, HIGH]`' in missing.value.hint and "in Session(...)" in missing.value.hint


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: session().sql("SELECT COUNT(*) FROM visits"), "give one of epsilon=E, rho=R and error=WANTED"),
        (lambda: count(session(bounds=None)), '`"bounds": {"rows_per_unit": N}`'),
        (lambda: session().explain("SELECT COUNT(*) FROM visits", error="5%"), '`"expected": {"rows": N}`'),
        (lambda: session(**cost(bounds=(0, 50))), '`"outside": "null"`'),
        (lambda: session(neighbours="x"), '`"neighbours": "add-remove"`'),
        (lambda: session("nowhere.csv").sql("SELECT COUNT(*) FROM visits", epsilon=1), 'correct tables["visits"]'),
        (lambda: session("visits.unknown"), '`"visits": {"path": ..., "kind": "csv"}`'),
        (lambda: session().describe("nope"), "session.describe()"),
    ],
)
def test_hints_can_be_written_as_they_are(call: Any, hint: str) -> None:
    with pytest.raises(dither.BadInput) as error:
        call()
    assert hint in error.value.hint, error.value.hint


def test_a_project_is_no_standard_input() -> None:
    with pytest.raises(dither.BadInput) as error:
        dither.open("nowhere.yaml")
    assert error.value.hint == "check the path"


def test_what_is_neither_true_nor_false_is_named() -> None:
    s = session()
    for wrong in ({"again": "no"}, {"again": 1}, {"progress": "no"}):
        with pytest.raises(dither.BadInput, match="wrong-type") as error:
            s.sql("SELECT COUNT(*) FROM visits", epsilon=1, **wrong)
        assert error.value.message.startswith(next(iter(wrong)))
    assert s.history == []
    assert refused(progress="no").code == "wrong-type"
    assert pytest.raises(dither.BadInput, dither.open, progress=3).value.code == "wrong-type"


def test_a_price_has_a_name() -> None:
    s = session()
    for ask in (s.sql, s.script, s.explain):
        with pytest.raises(dither.BadInput, match="bad-argument") as error:
            ask("SELECT COUNT(*) FROM visits", 1)
        assert "epsilon=1" in error.value.hint
    assert s.history == []


def test_what_is_no_number_is_named() -> None:
    for number in (numpy.array([1, 2]), numpy.array([1]), 10**5000, numpy.longdouble(1), [1]):
        with pytest.raises(dither.BadInput, match="bad-number"):
            session().explain("SELECT COUNT(*) FROM visits", epsilon=number)


def test_numbers_are_read_as_everywhere_and_not_as_python_reads_texts() -> None:
    """Python takes "1_0" for 10, and digits of other scripts."""
    for number in ("1_0", " 1", "1\n", "\uff11", "1_0/3"):
        for made in (lambda: dither.Budget(epsilon=number), lambda: session().explain("SELECT 1", epsilon=number),
                     lambda: dither.accounting.Gaussian(sigma=number), lambda: dither.mechanisms.laplace(scale=number),
                     lambda: dither.sum("cost", bounds=(0, number))):
            with pytest.raises(dither.BadInput, match="bad-number|wrong-type"):
                made()
    assert dither.Budget(epsilon="1e1").fields == {"epsilon": "1e1"}


def test_a_table_may_be_called_like_its_column() -> None:
    frame = visits()
    declared = {"person": {"type": "integer"}}
    for columns in (declared, {"person": {"person": "integer"}}, {"person": "integer"}, {"person": declared}):
        s = session(tables={"person": frame}, columns=columns)
        assert s.sql("SELECT COUNT(*) FROM person", epsilon=SURE).value == 8


def test_categories_of_no_type_of_ours_are_named() -> None:
    for cells in (pandas.interval_range(0, 8), pandas.period_range("2024-01-01", periods=8)):
        frame = visits()
        frame["cost"] = pandas.Categorical(cells)
        error = refused(tables={"visits": frame})
        assert error.code == "bad-source" and '"cost"' in error.message


def test_keys_read_off_the_data_are_refused() -> None:
    keys = visits()["city"].unique()
    error = refused(columns={**COLUMNS, "city": {"type": "text", "keys": keys, "outside": "other"}})
    assert error.code == "wrong-type" and "not public" in error.hint and "Bonn" not in str(error)


@pytest.mark.parametrize(
    "price",
    [{}, {"epsilon": 1, "rho": 1}, {"epsilon": float("nan")}, {"epsilon": 0}, {"epsilon": "x"}, {"error": -1},
     {"epsilon": True}],
)
def test_a_wrong_price_is_named_and_charges_nothing(price: dict[str, Any]) -> None:
    s = session()
    with pytest.raises(dither.BadInput) as caught:
        s.sql("SELECT COUNT(*) FROM visits", **price)
    assert "--" not in str(caught.value)
    assert s.history == []


def test_statements_that_are_none() -> None:
    s = session()
    for text in ("", "SELEC 1", "SELECT * FROM visits", "SELECT COUNT(*) FROM nowhere", 3, None, "\ud800", "\0"):
        with pytest.raises(dither.BadInput):
            s.sql(text, epsilon=1)  # type: ignore[arg-type]
    for wrong in ({"as_": 3}, {"title": 3}, {"as_": "nobody"}):
        with pytest.raises(dither.BadInput):
            s.sql("SELECT COUNT(*) FROM visits", epsilon=1, **wrong)
    assert s.history == []


@pytest.mark.parametrize(
    "table",
    [[1, 2], 3, None, object(), {"a": [1]}, numpy.zeros(3), numpy.zeros((2, 2), dtype=[("person", "i8")]),
     b"visits.csv", pandas.Series([1], name="person"), [{"person": 1}]],
)
def test_what_is_no_table_is_refused(table: Any) -> None:
    error = refused(tables={"visits": table})
    assert error.code in ("wrong-type", "bad-source") and 'tables["visits"]' in error.message


def test_lazy_frames_are_to_be_collected() -> None:
    polars = pytest.importorskip("polars")
    error = refused(tables={"visits": polars.LazyFrame({"person": [1]})})
    assert error.code == "wrong-type" and ".collect()" in error.hint


def test_columns_that_are_missing_or_there_twice() -> None:
    frame = visits().rename(columns={"cost": "Cost"})
    error = refused(tables={"visits": frame})
    assert error.code == "bad-source" and "Cost" in error.hint
    twice = pandas.concat([visits(), visits()[["cost"]]], axis=1)
    assert '2 columns named "cost"' in refused(tables={"visits": twice}).message
    pyarrow = pytest.importorskip("pyarrow")
    arrow = pyarrow.table([[1], [2]], names=["person", "person"])
    assert refused(tables={"visits": arrow}, columns={"person": "integer"}).code == "bad-source"


def test_a_column_that_is_not_declared_may_be_anything() -> None:
    frame = visits()
    frame[3] = [object()] * len(frame)
    frame["when"] = pandas.to_timedelta(frame["cost"], unit="s")
    assert count(session(frame)) == 8


@pytest.mark.parametrize("cells", [pandas.to_timedelta([1] * 8, unit="s"), [1j] * 8, pandas.interval_range(0, 8),
                                   pandas.period_range("2024-01-01", periods=8)])
def test_columns_of_no_type_of_ours_are_named(cells: Any) -> None:
    frame = visits()
    frame["cost"] = cells
    error = refused(tables={"visits": frame})
    assert error.code == "bad-source" and '"cost"' in error.message


def test_a_source_that_is_missing_is_found_before_the_charge() -> None:
    s = session("nowhere.csv")
    with pytest.raises(dither.BadInput, match="cannot-read"):
        s.sql("SELECT COUNT(*) FROM visits", epsilon=SURE)
    assert [release["state"] for release in s.history] == ["voided"] and s.budget.spent.epsilon == 0
    assert refused(tables={"visits": "visits.unknown"}).message.startswith('tables["visits"]: ')
