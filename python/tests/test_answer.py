"""Answers: values, intervals at any level, conversions, what is shown, what a pickle holds."""
from __future__ import annotations

import copy
import datetime
import math
import pickle
import sys
from typing import Any, cast

import dither
import pytest
from sessions import SURE, session, visits

BY_CITY = "SELECT city, COUNT(*) AS n, AVG(cost) AS mean FROM visits GROUP BY city"


@pytest.fixture(name="clinic", scope="module")
def clinic_fixture() -> dither.Session:
    """One session for all: each asks its own question."""
    return session()


def test_one_cell(clinic: dither.Session) -> None:
    answer = clinic.sql("SELECT COUNT(*) AS n FROM visits", epsilon=SURE)
    assert answer.value == 8 and float(answer) == 8.0 and len(answer) == 1
    assert answer.interval(0.95) == (8.0, 8.0)
    assert answer.standard_error is not None and answer.standard_error < 1e-9
    assert answer.columns == ["n"] and answer.types == ["integer"] and answer.rows == [(8,)]


def test_a_table_is_no_cell(clinic: dither.Session) -> None:
    answer = clinic.sql(BY_CITY, epsilon=1)
    for read in (lambda: answer.value, answer.interval, lambda: answer.standard_error, lambda: float(answer)):
        with pytest.raises(dither.BadInput, match="not one cell") as refused:
            read()
        assert refused.value.code == "bad-argument" and "rows" in refused.value.hint


def test_fields_are_those_of_the_command(clinic: dither.Session) -> None:
    answer = clinic.sql(BY_CITY, epsilon="0.5")
    fields = answer.to_dict()
    names = "columns types rows intervals standard_errors cut_by epsilon delta rho cost stored charged left release_id"
    assert set(fields) == {*names.split(), "notes", "accounted"}
    assert fields["rows"] == [list(row) for row in answer.rows] and fields["intervals"] == answer.intervals(0.95)
    for name in ("columns", "types", "standard_errors", "cut_by", "cost", "left", "release_id", "notes", "accounted"):
        assert fields[name] == getattr(answer, name)
    assert answer.epsilon == 0.5 and answer.price == {"epsilon": "0.5"} and answer.delta is None and answer.rho is None
    assert answer.cost is not None and answer.cost.epsilon == 0.5
    assert answer.left[0].budget == "main" and answer.left[0].epsilon > 1
    assert answer.charged and not answer.stored and answer.accounted == "session only"
    again = clinic.sql(BY_CITY, epsilon="0.5")
    assert again.stored and not again.charged and again.rows == answer.rows and again.release_id == answer.release_id


def test_columns_by_name(clinic: dither.Session) -> None:
    answer = clinic.sql(BY_CITY, epsilon=2 * SURE)
    assert answer["city"] == ["Bonn", "Jena", "Kiel", "other"] and answer["n"] == [4, 1, 3, 0]
    assert [city for city, _, _ in answer] == answer["city"]
    assert answer["mean"][3] is None and answer.intervals()[3][2] is None  # nobody is there
    with pytest.raises(dither.BadInput) as refused:
        answer["town"]
    assert refused.value.code == "unknown-column" and "'city'" in refused.value.hint
    twice = clinic.sql("SELECT COUNT(*), COUNT(*) FROM visits", epsilon=1)
    with pytest.raises(dither.BadInput) as refused:
        twice[twice.columns[0]]
    assert refused.value.code == "ambiguous-name"


# Spec: W-36
def test_intervals_at_any_level_follow_the_law(clinic: dither.Session) -> None:
    # Scale 3 / 0.3 = 10: a radius r holds with probability 1 - 2 q^(r+1) / (1 + q), q = exp(-1/10).
    answer = clinic.sql("SELECT COUNT(*) FROM visits", epsilon="0.3")
    q = math.exp(-0.1)
    for level in (0.1, 0.5, 0.8, 0.95, 0.99, 0.999999):
        interval = answer.interval(level)
        assert interval is not None
        radius = interval[1] - answer.value
        assert interval[0] == answer.value - radius and radius == int(radius)
        assert 2 * q ** (radius + 1) / (1 + q) <= 1 - level < 2 * q**radius / (1 + q) or radius == 0
    assert answer.standard_error == pytest.approx(math.sqrt(2 * q) / (1 - q))


def test_a_straight_line_has_a_standard_error_and_a_folded_one_no_larger(clinic: dither.Session) -> None:
    columns = "COUNT(*), 10 * COUNT(*), 5 - COUNT(*) * 0.5, ABS(COUNT(*)), COUNT(*) * COUNT(*)"
    one, ten, half, folded, square = clinic.sql(f"SELECT {columns} FROM visits", epsilon="0.3").standard_errors[0]
    assert one is not None and folded == one and square is None
    assert ten == pytest.approx(10 * one) and half == pytest.approx(one / 2)


@pytest.mark.parametrize("statement", ["SELECT COUNT(*) AS n FROM visits LIMIT 0", "SELECT SUM(0) AS n FROM visits"])
def test_what_is_the_same_for_all_data_costs_nothing(statement: str) -> None:
    with session() as asked:
        answer = asked.sql(statement, epsilon=1)
        assert answer.columns == ["n"] and answer.rows in ([], [(0.0,)], [(0,)])
        assert answer.release_id is None and not answer.charged and answer.cost is None
        assert asked.budget.spent.epsilon == 0 and len(asked.history) == 0


def test_what_is_the_same_for_all_neighbours_is_recorded() -> None:
    with session(unit="row", neighbours="replace-one", bounds=None) as asked:
        answer = asked.sql("SELECT COUNT(*) FROM visits", epsilon=1)
        assert answer.value == len(visits()) and answer.interval() == (answer.value, answer.value)
        assert answer.release_id is not None and not answer.charged and asked.budget.spent.epsilon == 0
        assert len(asked.history) == 1


def test_intervals_of_tables_are_nested(clinic: dither.Session) -> None:
    answer = clinic.sql(BY_CITY + " ORDER BY city DESC", epsilon=5)
    narrow, usual, wide = (answer.intervals(level) for level in (0.5, 0.95, 0.999))
    for rows in zip(narrow, usual, wide):
        assert [cells[0] for cells in rows] == [None, None, None]  # keys
        for at in (1, 2):
            if rows[1][at] is None:
                continue
            (a, b), (c, d), (e, f) = (cells[at] for cells in rows)  # type: ignore[misc]
            assert e <= c <= a and b <= d <= f
    assert answer.intervals() == usual


@pytest.mark.parametrize("level", [0, 1, 95, -0.1, float("nan"), "high", None])
def test_levels_that_are_none_are_refused(clinic: dither.Session, level: Any) -> None:
    with pytest.raises(dither.BadInput) as refused:
        clinic.sql("SELECT COUNT(*) FROM visits", epsilon=1).interval(level)
    assert refused.value.code == "bad-probability" and "0.95" in refused.value.hint


def test_pickles_hold_released_values_only(clinic: dither.Session) -> None:
    answer = clinic.sql(BY_CITY, epsilon=2)
    answer.intervals(0.8)
    data = pickle.dumps(answer)
    assert b"Session" not in data and b"_core" not in data and b"DataFrame" not in data
    copies = (copy.copy(answer), copy.deepcopy(answer))
    for other in (pickle.loads(data), *copies):
        assert other == answer and other.to_dict() == answer.to_dict() and repr(other) == repr(answer)
        assert other.intervals(0.8) == answer.intervals(0.8) and other.left == answer.left
    with pytest.raises(dither.BadInput, match="0.7"):
        pickle.loads(data).intervals(0.7)
    assert all(other.intervals(0.7) == answer.intervals(0.7) for other in copies)


def test_names_of_python_stay() -> None:
    import builtins

    assert not {*dither.__all__} & {*dir(builtins)} and {"open", "sum"} <= {*dir(dither)}


def test_a_zero_has_no_sign() -> None:
    from dither.answer import _ends

    lows, highs = _ends(([None, [-0.0, None]], [None, [0.0, None]]))
    assert str(lows) == "[None, [0.0, None]]" == str(highs)


def test_an_answer_outlives_its_session() -> None:
    with session() as asked:
        answer = asked.sql(BY_CITY, epsilon=2)
    assert len(answer.intervals(0.6)) == 4 and answer.to_pandas().shape == (4, 3)


@pytest.fixture(name="kinds", scope="module")
def kinds_fixture() -> dither.Session:
    import pandas

    day, moment = datetime.date(2024, 2, 29), datetime.datetime(1999, 12, 31, 23, 59, 59, 250000)
    table = pandas.DataFrame(
        {
            "person": [1, 2, 3],
            "good": [True, False, None],
            "day": [day, datetime.date(1, 1, 1), None],
            "moment": [moment, datetime.datetime(9999, 12, 31), None],
            "size": [0.5, -1.5, None],
            "number": [2**62, -1, None],
        },
        dtype=object,
    )
    columns: dict[str, Any] = {
        "person": "integer",
        "good": "boolean",
        "day": {"type": "date", "keys": ["2024-02-29", "0001-01-01"], "outside": "null"},
        "moment": {"type": "timestamp", "keys": ["1999-12-31 23:59:59.25", "9999-12-31 00:00:00"], "outside": "null"},
        "size": {"type": "real", "keys": [0.5, -1.5], "outside": "null"},
        "number": {"type": "integer", "keys": [2**62, -1], "outside": "null"},
    }
    return session(table, columns=columns, bounds={"rows_per_unit": 1, "keys_per_unit": 1, "rows_per_key": 1})


EXPECTED: dict[str, set[Any]] = {
    "good": {True, False, None},
    "day": {datetime.date(2024, 2, 29), datetime.date(1, 1, 1), None},
    "moment": {datetime.datetime(1999, 12, 31, 23, 59, 59, 250000), datetime.datetime(9999, 12, 31), None},
    "size": {0.5, -1.5, None},
    "number": {2**62, -1, None},
}


@pytest.mark.parametrize("column", EXPECTED)
def test_every_type_comes_back(kinds: dither.Session, column: str) -> None:
    answer = kinds.sql(f"SELECT {column}, COUNT(*) AS n FROM visits GROUP BY {column}", epsilon=SURE)
    assert set(answer[column]) == EXPECTED[column] and answer["n"] == [1, 1, 1]
    assert {type(one) for one in answer[column]} == {type(one) for one in EXPECTED[column]}
    assert set(answer.to_polars()[column].to_list()) == EXPECTED[column]
    assert set(answer.to_arrow()[column].to_pylist()) == EXPECTED[column]
    frame = answer.to_pandas()
    assert list(frame[column].isna()) == [one is None for one in answer[column]] and str(frame["n"].dtype) == "Int64"
    there = frame[column].dropna().tolist()
    assert len(there) == 2 and {one.date() if column == "day" else one for one in there} == EXPECTED[column] - {None}


@pytest.mark.parametrize("column", EXPECTED)
def test_tables_without_rows_are_typed(kinds: dither.Session, column: str) -> None:
    import polars
    import pyarrow

    statement = f"SELECT {column}, COUNT(*) AS n, AVG(number) AS m FROM visits GROUP BY {column} LIMIT 0"
    statement = statement.replace("AVG(number)", "AVG(CLAMP(number, 0, 5))")
    answer = kinds.sql(statement, epsilon=1)
    assert len(answer) == 0 and answer.rows == [] and answer.intervals() == [] and answer.standard_errors == []
    frame = answer.to_pandas()
    names = {"good": "boolean", "day": "datetime64[s]", "moment": "datetime64[us]", "size": "Float64"}
    assert [str(kind) for kind in frame.dtypes] == [names.get(column, "Int64"), "Int64", "Float64"]
    types = {"good": polars.Boolean, "day": polars.Date, "moment": polars.Datetime("us"), "size": polars.Float64,
             "number": polars.Int64}
    assert answer.to_polars().dtypes == [types[column], polars.Int64, polars.Float64]
    arrow = {"good": pyarrow.bool_(), "day": pyarrow.date32(), "moment": pyarrow.timestamp("us"),
             "size": pyarrow.float64(), "number": pyarrow.int64()}
    assert answer.to_arrow().schema.types == [arrow[column], pyarrow.int64(), pyarrow.float64()]
    assert "(no rows)" in repr(answer) and "<table>" in answer._repr_html_()


def test_intervals_become_columns(clinic: dither.Session) -> None:
    answer = clinic.sql("SELECT city, COUNT(*) AS n, COUNT(*) AS n, city AS n_low FROM visits GROUP BY city", epsilon=4)
    frame = answer.to_pandas(intervals=0.9)
    assert list(frame.columns) == ["city", "n", "n_low", "n_high", "n_2", "n_2_low", "n_2_high", "n_low_2"]
    assert [tuple(row) for row in frame[["n_low", "n_high"]].itertuples(index=False)] == [
        row[1] for row in answer.intervals(0.9)
    ]
    assert answer.to_polars(intervals=0.9).columns == list(frame.columns) == answer.to_arrow(intervals=0.9).column_names
    assert list(answer.to_pandas().columns) == ["city", "n", "n_2", "n_low"]


def test_what_is_shown(clinic: dither.Session) -> None:
    answer = clinic.sql(BY_CITY, epsilon=1)
    text = repr(answer)
    assert "95% interval" in text and "Bonn" in text and "epsilon 1" in text and "accounted: session only" in text
    page = answer._repr_html_()
    assert page.count("<tr>") == 5 and "linear-gradient" in page and "left of" in page


def test_columns_that_bounds_may_cut_are_marked(clinic: dither.Session) -> None:
    answer = clinic.sql("SELECT city, COUNT(DISTINCT person) AS u, SUM(cost) AS s FROM visits GROUP BY city", epsilon=2)
    keys, rows, row_limit, values = (
        "visits.keys_per_unit = 2: keys dropped",
        "visits.rows_per_key = 2: rows cut",
        "visits.rows_per_unit = 3: rows cut",
        "visits.cost bounds [0, 50]: values clamped",
    )
    assert answer.cut_by == [[], [keys], [keys, rows, row_limit, values]]
    for text in (repr(answer), answer._repr_html_()):
        assert text.count("95% interval, after cuts") == 2 and "visits.keys_per_unit = 2: a person" in text
    assert pickle.loads(pickle.dumps(answer)).cut_by == answer.cut_by
    people = clinic.sql("SELECT COUNT(DISTINCT person) AS u FROM visits", epsilon=2)
    assert people.cut_by == [[]] and "after cuts" not in repr(people)


def test_pages_are_escaped() -> None:
    evil = "<script>alert('&')</script>"
    columns: dict[str, Any] = {"person": "integer", "city": {"type": "text", "keys": [evil], "outside": "other"},
                               "cost": "integer"}
    answer = session(columns=columns).sql('SELECT city AS "<b>", COUNT(*) FROM visits GROUP BY city', epsilon=1)
    page = answer._repr_html_()
    assert "<script" not in page and "<b>" not in page and "&lt;script&gt;" in page and "&lt;b&gt;" in page
    assert evil in answer["<b>"]


def test_long_answers_are_cut_for_people_alone(clinic: dither.Session) -> None:
    answer = clinic.sql("SELECT cost, city, COUNT(*) FROM visits GROUP BY cost, city", epsilon=SURE)
    assert len(answer) == 52 * 4 and "... and 148 more rows" in repr(answer) and "148 more rows" in answer._repr_html_()
    assert len(answer.to_pandas()) == 208


def test_drawings(clinic: dither.Session) -> None:
    import matplotlib

    matplotlib.use("Agg")
    bars = clinic.sql(BY_CITY, epsilon=SURE).plot(level=0.8)  # with less, a mean may be missing
    assert len(bars.patches) == 8 and bars.get_legend_handles_labels()[1] == ["n, after cuts", "mean, after cuts"]
    line = clinic.sql("SELECT cost, COUNT(*) AS n FROM visits GROUP BY cost", epsilon=1).plot()
    assert len(line.lines) == 1 and len(cast(Any, line.lines[0].get_xdata())) == 51 and len(line.collections) == 1
    one = clinic.sql("SELECT COUNT(*) AS n FROM visits", epsilon=1).plot(ax=bars.figure.subplots())
    assert len(one.patches) == 1 and one.get_ylabel() == "n, after cuts"
    with pytest.raises(dither.BadInput, match="bars"):
        clinic.sql("SELECT cost, city, COUNT(*) FROM visits GROUP BY cost, city", epsilon=SURE).plot()
    with pytest.raises(dither.BadInput, match="town"):
        clinic.sql(BY_CITY, epsilon=1).plot("town")
    with pytest.raises(dither.BadInput, match="no noisy numbers"):
        clinic.sql(BY_CITY, epsilon=1).plot("city")
    with pytest.raises(dither.BadInput, match="names none"):
        clinic.sql(BY_CITY, epsilon=1).plot(cast(Any, 5))


@pytest.mark.parametrize("library, method", [("pandas", "to_pandas"), ("polars", "to_polars"), ("pyarrow", "to_arrow"),
                                             ("matplotlib.pyplot", "plot")])
def test_missing_libraries_are_named(
    clinic: dither.Session, monkeypatch: pytest.MonkeyPatch, library: str, method: str
) -> None:
    answer = clinic.sql(BY_CITY, epsilon=1)
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(dither.BadInput) as refused:
        getattr(answer, method)()
    assert "pip install" in refused.value.hint and library.partition(".")[0] in refused.value.message


def test_nobody_makes_answers() -> None:
    from dither.answer import Answer

    with pytest.raises(dither.BadInput, match="questions"):
        Answer()


def test_a_hundred_thousand_rows_convert() -> None:
    import numpy

    people = numpy.arange(100_000)
    table = numpy.zeros(100_000, dtype=[("person", "int64"), ("cost", "int64"), ("day", "int64")])
    table["person"], table["cost"], table["day"] = people, people % 1000, people % 99
    columns: dict[str, Any] = {"person": "integer", "cost": {"type": "integer", "bounds": (0, 999), "outside": "clamp"},
                               "day": {"type": "integer", "bounds": (0, 98), "outside": "clamp"}}
    asked = session(table, columns=columns, bounds={"rows_per_unit": 1, "keys_per_unit": 1, "rows_per_key": 1})
    answer = asked.sql("SELECT cost, day, COUNT(*) AS n FROM visits GROUP BY cost, day", epsilon=SURE)
    assert len(answer) == 1001 * 100 and sum(answer["n"]) == 100_000
    assert answer.to_pandas(intervals=0.9).shape == (100_100, 5)


def is_seen(digits: str, answer: Any) -> bool:
    """Whether an answer shows or keeps a number, also when it was pickled."""
    again = pickle.loads(pickle.dumps(answer))
    return any(digits in shown for shown in (repr(answer), answer._repr_html_(), repr(vars(answer)), repr(vars(again))))


# Twelve digits: among the addresses and digests in an answer they are there by chance with probability below 1e-9.
def test_private_rows_are_nowhere_in_an_answer() -> None:
    table = visits()
    table["cost"] = [486124861248000 + one for one in table["cost"]]  # clamped to 50: no such number may be seen
    answer = session(table).sql("SELECT SUM(cost) AS total FROM visits", epsilon=1)
    total = str(sum(table["cost"]))[:12]
    assert not is_seen("486124861248", answer) and not is_seen(total, answer)
    planted = copy.copy(answer)
    planted._facts = {**answer._facts, "kept": list(table["cost"])}
    assert is_seen("486124861248", planted)
