"""Tables: whatever Python holds them in, the same rows give the same numbers."""
from __future__ import annotations

import datetime
import gc
import os
import subprocess
import sys
from decimal import Decimal
from typing import Any

import dither
import numpy
import pandas
import pytest
from sessions import CITIES, COSTS, PEOPLE, SURE, SURE_OF_SUMS, count, session, visits


def one_column(cells: Any, declared: Any) -> dither.Session:
    """A table of two columns: `person`, a number for each row, and `x`."""
    frame = cells if hasattr(cells, "__arrow_c_stream__") and not isinstance(cells, pandas.Series) else None
    if frame is None:
        frame = pandas.DataFrame({"x": cells})
        frame["person"] = numpy.arange(len(frame))
    return session(frame, columns={"person": "integer", "x": declared})


def holds(cells: Any, declared: Any, condition: str) -> Any:
    return count(one_column(cells, declared), condition)


def in_every_way() -> dict[str, Any]:
    import polars
    import pyarrow

    frame = visits()
    columns = {"person": PEOPLE, "city": CITIES, "cost": COSTS}
    return {
        "pandas": frame,
        "pandas objects": frame.astype(object),
        "pandas nullable": frame.convert_dtypes(dtype_backend="numpy_nullable"),
        "pandas arrow": frame.convert_dtypes(dtype_backend="pyarrow"),
        "pandas strings": frame.astype({"city": pandas.StringDtype("python")}),
        "pandas categories": frame.astype({"city": "category", "cost": "category"}),
        "pandas sliced": pandas.concat([frame, frame]).iloc[:8],
        "pandas reversed": frame.iloc[::-1],
        "pandas with an index": frame.set_index(pandas.Index(list("abcdefgh"))),
        "pandas texts": frame.astype(str),
        "polars": polars.DataFrame(columns),
        "polars categories": polars.DataFrame(columns).with_columns(polars.col("city").cast(polars.Categorical)),
        "polars chunks": polars.concat([polars.DataFrame(columns)[:3], polars.DataFrame(columns)[3:]], rechunk=False),
        "pyarrow": pyarrow.table(columns),
        "pyarrow batch": pyarrow.record_batch(columns),
        "pyarrow reader": pyarrow.table(columns).to_reader(max_chunksize=3),
        "pyarrow dictionary": pyarrow.table({**columns, "city": pyarrow.array(CITIES).dictionary_encode()}),
        "pyarrow sliced": pyarrow.concat_tables([pyarrow.table(columns)] * 2)[8:],
        "numpy": frame.to_records(index=False),
        "numpy texts": numpy.rec.fromarrays([PEOPLE, CITIES, COSTS], names="person,city,cost"),
        "numpy bytes": numpy.array(
            list(zip(PEOPLE, CITIES, COSTS)), dtype=[("person", ">i2"), ("city", "S9"), ("cost", "<u1")]
        ),
        "numpy masked": numpy.ma.array(numpy.rec.fromarrays([PEOPLE, CITIES, COSTS], names="person,city,cost")),
    }


@pytest.mark.parametrize("way", sorted(in_every_way()))
def test_the_same_rows_give_the_same_numbers(way: str) -> None:
    s = session(in_every_way()[way])
    counts = s.sql("SELECT city, COUNT(*) FROM visits GROUP BY city", epsilon=SURE)
    assert set(counts) == {("Bonn", 4), ("Jena", 1), ("Kiel", 3), ("other", 0)}
    sums = s.sql("SELECT city, SUM(cost) FROM visits GROUP BY city", epsilon=SURE_OF_SUMS)
    assert set(sums) == {("Bonn", 24), ("Jena", 50), ("Kiel", 25), ("other", 0)}


@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
                                  "float32", "float64", "longdouble", "Int8", "UInt64", "Float32", "object", "str"])
def test_numbers_of_every_width(name: str) -> None:
    cells = pandas.Series([0, 1, 100]).astype(name)
    assert holds(cells, BOUNDED, "x = 100") == 1
    assert holds(cells, {"type": "real"}, "x >= 1") == 2


def test_cells_that_cannot_be_read_are_null() -> None:
    readable = [1, "2", 3.0, Decimal("5"), numpy.int32(6), b"7"]
    nothing = [None, float("nan"), pandas.NA, pandas.NaT, Decimal("nan"), numpy.float64("nan")]
    other = ["x", [4], {}, "true", "\ud800", object(), b"\xff"]
    mixed = numpy.array([*readable, *nothing, *other], dtype=object)
    s = one_column(mixed, BOUNDED)
    assert count(s) == 19
    assert count(s, "x IS NOT NULL") == 6
    assert sorted(i for i in range(9) if count(s, f"x = {i}")) == [1, 2, 3, 5, 6, 7]


# Numbers, and what a column of floats makes of them that is declared integer with bounds.
REALS = [2.5, 3.5, -0.5, 1e16, 7.0]
BOUNDED = {"type": "integer", "bounds": (-1000, 1000), "outside": "clamp"}
ROUNDED = [2, 4, 0, 1000, 7]
MOMENT = datetime.datetime(2024, 2, 29, 12, 30, 0, 250)


def as_objects(cells: list[Any]) -> dict[str, Any]:
    """The same cells alone, among texts and strange objects, and as categories."""
    return {
        "alone": numpy.array(cells, dtype=object),
        "mixed": numpy.array([*cells, "x", None, object(), [1]], dtype=object),
        "categories": pandas.Series(pandas.Categorical(numpy.array(cells, dtype=object))),
        "mixed categories": pandas.Series(pandas.Categorical(numpy.array([*cells, "x", None], dtype=object))),
    }


@pytest.mark.parametrize("make", [float, numpy.float64, lambda x: Decimal(repr(x))])
@pytest.mark.parametrize("way", as_objects([1]))
def test_numbers_as_objects_are_rounded_as_typed_ones_are(make: Any, way: str) -> None:
    s = one_column(as_objects([make(x) for x in REALS])[way], BOUNDED)
    typed = one_column(pandas.Series(REALS), BOUNDED)
    for place, whole in enumerate(ROUNDED):
        assert count(typed, f"x = {whole} AND person = {place}") == 1
        assert count(s, f"x = {whole} AND person = {place}") == 1
    assert count(s, "x IS NOT NULL") == len(REALS)


@pytest.mark.parametrize("way", as_objects([1]))
def test_objects_of_every_other_kind_are_read_as_typed_ones_are(way: str) -> None:
    nothing = {"integer": [True, False], "real": [True, False], "boolean": [2, 0, 1.0, Decimal(1)],
               "text": [1, 2.5, True, datetime.date(2024, 1, 1), Decimal(1)]}
    for declared, wrong in nothing.items():  # as columns of these are refused; pandas makes such a column of categories
        cells = as_objects(wrong)[way]
        if way != "categories":
            assert holds(cells, declared, "x IS NULL") == len(cells) - ("mixed" in way and declared == "text")
    assert holds(as_objects([2**63, 1])[way], "integer", "x IS NOT NULL") == 1
    assert holds(as_objects([Decimal("1E+999999999"), Decimal("1e-999999")])[way], BOUNDED, "x = 0") == 1
    bounded = {"type": "real", "bounds": (0, 9), "outside": "clamp"}
    limits = as_objects([float("inf"), Decimal("Infinity"), 1e300])[way]
    assert holds(limits, bounded, "x = 9") == 1
    assert holds(limits, bounded, "x IS NULL") == len(limits) - 1
    assert holds(as_objects([1.5, 2, Decimal("0.1")])[way], "real", "x IN (1.5, 2, 0.1)") == 3
    moments = as_objects([MOMENT, pandas.Timestamp(MOMENT), numpy.datetime64(MOMENT, "us")])[way]
    assert holds(moments, "date", "x = DATE '2024-02-29'") == 3
    assert holds(moments, "timestamp", f"x = TIMESTAMP '{MOMENT}'") == 3


def test_moments_are_cut_toward_zero_as_arrow_does() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    ticks = numpy.array([-1, -1001, 1, 1999], dtype="datetime64[ns]")
    frame = pandas.DataFrame({"person": range(4), "x": ticks})
    objects = frame.assign(x=numpy.array(list(frame["x"]), dtype=object))
    raw = frame.assign(x=numpy.array([*ticks, None], dtype=object)[:-1])
    for table in (frame, pyarrow.Table.from_pandas(frame), objects, raw, frame.astype({"x": "category"})):
        s = session(table, columns={"person": "integer", "x": "timestamp"})
        assert count(s, "x = TIMESTAMP '1970-01-01 00:00:00'") == 2
        assert count(s, "x = TIMESTAMP '1969-12-31 23:59:59.999999'") == 1


def test_whether_a_column_of_objects_can_be_read_depends_on_no_cell() -> None:
    moments = [MOMENT, MOMENT]
    for declared in ("boolean", "integer", "real", "text", "date", "timestamp"):
        for cells in (moments, [MOMENT, "x"], [1.5, 2], [True, 2.5], [None, None]):
            assert count(one_column(pandas.Series(cells, dtype=object), declared)) == 2


@pytest.mark.parametrize("cells", [[1.5, None], ["a", None], [MOMENT, None], [True, None], []])
def test_categories_may_be_missing_or_none(cells: list[Any]) -> None:
    declared = {float: "real", str: "text", datetime.datetime: "timestamp", bool: "boolean"}
    s = one_column(pandas.Series(cells, dtype="category"), declared[type(cells[0])] if cells else "text")
    assert count(s) == len(cells) and count(s, "x IS NULL") == len(cells) // 2
    none = pandas.Series([None, None], dtype=pandas.CategoricalDtype(numpy.array([], dtype="int64")))
    assert holds(none, "integer", "x IS NULL") == 2


def test_an_interrupt_is_no_cell() -> None:
    class Stops(Decimal):
        def is_finite(self) -> bool:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        one_column(numpy.array([Stops(1)], dtype=object), "integer")


def test_a_long_double_beyond_a_double_is_null_without_a_warning() -> None:
    import warnings

    cells = numpy.array([(1, numpy.longdouble("1e400"))], dtype=[("person", "i8"), ("x", "longdouble")])
    declared = {"type": "real", "bounds": (0, 9), "outside": "clamp"}
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        s = session(cells, columns={"person": "integer", "x": declared})
    assert count(s, "x IS NULL") == 1


def test_an_array_that_was_handed_over_is_refused_by_name() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    from dither import _core
    from dither._cells import cell_value, content_value

    column = ("x", "arrow", pyarrow.array([1]).__arrow_c_array__(), None, 1, 1, "integer")
    _core.table_of_columns([column], 1, cell_value, [], content_value)
    with pytest.raises(dither.BadInput, match="bad-source"):
        _core.table_of_columns([column], 1, cell_value, [], content_value)


def test_a_missing_id_drops_nobody_else(tmp_path: Any) -> None:
    for ids, name in (([1, 2, 3], "whole"), ([1, 2, None], "missing")):
        frame = pandas.DataFrame({"person": ids, "cost": [1, 2, 3]})
        objects = frame.astype({"person": object})
        columns = {"person": "integer"}
        if name == "missing":
            with pytest.raises(dither.BadInput, match="floats.*ids beyond 2\\^53 would merge"):
                session(frame, columns=columns)
        frame.to_csv(tmp_path / f"{name}.csv", index=False)  # 1.0, 2.0 where one is missing
        for table in (frame.astype({"person": "Int64"}), objects, tmp_path / f"{name}.csv"):
            assert count(session(table, columns=columns, data_version="1")) == (3 if name == "whole" else 2)


@pytest.mark.parametrize("error", [RuntimeError, SystemExit, GeneratorExit, BaseException])
def test_a_cell_that_raises_harms_itself_alone(error: type[BaseException]) -> None:
    class Bad(Decimal):
        def is_finite(self) -> bool:
            raise error("no")

    class Worse:
        @property
        def to_datetime64(self) -> Any:
            raise error("no")

    for declared in ("boolean", "integer", "real", "text", "date", "timestamp"):
        cells = numpy.array([Bad(1), Worse(), None], dtype=object)
        assert holds(cells, declared, "x IS NULL") == 3
    assert holds(numpy.array([Bad(1), Worse(), 2], dtype=object), "integer", "x IS NULL") == 2


def test_nothing_in_all_its_forms_is_null() -> None:
    for cells in (
        pandas.Series([1.5, float("nan")]),
        pandas.Series([1, None], dtype="Int64"),
        pandas.Series(["1.5", None]),
        pandas.Series(["1.5", None], dtype=object),
        pandas.Series([1.5, None], dtype="float64[pyarrow]"),
        pandas.Series([1.5, None], dtype="category"),
        pandas.arrays.SparseArray([1.5, float("nan")]),
    ):
        assert holds(cells, {"type": "real", "bounds": (0, 9), "outside": "clamp"}, "x IS NULL") == 1
    assert holds(pandas.Series([True, None], dtype="boolean"), "boolean", "x") == 1
    masked = numpy.ma.array([(1, 2), (2, 3)], mask=[(0, 1), (0, 0)], dtype=[("person", "i8"), ("x", "i8")])
    assert count(session(masked, columns={"person": "integer", "x": "integer"}), "x IS NULL") == 1


@pytest.mark.parametrize("unit", ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"])
def test_times_of_every_unit(unit: str) -> None:
    day = "1970-01-01" if unit in ("as", "fs", "ps") else "2024-01-01" if unit != "W" else "2024-01-04"
    cells = numpy.array([(1, numpy.datetime64(day, unit)), (2, numpy.datetime64("NaT", unit))],
                        dtype=[("person", "i8"), ("x", f"datetime64[{unit}]")])
    for declared in ("date", "timestamp"):
        s = session(cells, columns={"person": "integer", "x": declared})
        written = f"TIMESTAMP '{day} 00:00:00'" if declared == "timestamp" else f"DATE '{day}'"
        assert count(s, f"x = {written}") == 1
        assert count(s, "x IS NULL") == 1


def test_times_that_do_not_fit_are_null() -> None:
    far = numpy.array([(1, 2**62), (2, -(2**62)), (3, 0)], dtype=[("person", "i8"), ("x", "i8")])
    cells = far.astype([("person", "i8"), ("x", "datetime64[s]")])
    assert count(session(cells, columns={"person": "integer", "x": "timestamp"}), "x IS NULL") == 2


def test_time_zones_become_utc() -> None:
    moment = pandas.Timestamp("2024-01-01 01:00", tz="Europe/Berlin")
    for cells in (
        pandas.Series([moment, pandas.NaT]),
        pandas.Series([moment.to_pydatetime(), None], dtype=object),
        pandas.Series([moment, None], dtype="timestamp[us, tz=Europe/Berlin][pyarrow]"),
    ):
        assert holds(cells, "timestamp", "x = TIMESTAMP '2024-01-01 00:00:00'") == 1


def test_dates_and_decimals_as_objects() -> None:
    days = numpy.array([datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29), "2024-02-29"], dtype=object)
    assert holds(days, "date", "x = DATE '2024-02-29'") == 3
    assert holds(days, "timestamp", "x = TIMESTAMP '2024-02-29 00:00:00'") == 3
    prices = numpy.array([Decimal("0.10"), Decimal("1E+2"), Decimal("0.1")], dtype=object)
    declared = {"type": "decimal", "grid": 0.01, "bounds": (0, 500), "outside": "clamp"}
    total = one_column(prices, declared).sql("SELECT SUM(x) FROM visits", epsilon=1000 * SURE_OF_SUMS).value
    assert total == pytest.approx(100.2)


def test_decimals_of_arrow() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"person": [1, 2], "x": pyarrow.array([Decimal("1.25"), None], pyarrow.decimal128(38, 2))})
    declared = {"type": "decimal", "grid": 0.01, "bounds": (0, 5), "outside": "clamp"}
    s = session(table, columns={"person": "integer", "x": declared})
    assert s.sql("SELECT SUM(x) FROM visits", epsilon=10 * SURE_OF_SUMS).value == pytest.approx(1.25)


def test_texts_of_every_kind() -> None:
    texts = ["", "ä", "\U0001f600", "a" * 60_000, "a" * 100_000, "a\0b"]
    for cells in (pandas.Series(texts), pandas.Series(texts, dtype=object)):
        s = one_column(cells, "text")
        assert count(s, "x = ''") == 1 and count(s, "x = 'ä'") == 1 and count(s, "LENGTH(x) = 1") == 2
        assert count(s, "LENGTH(x) = 60000") == 1 and count(s, "x IS NULL") == 1  # more than 65,536 bytes
    wide = numpy.rec.fromarrays([[1, 2], numpy.array(["ä", "\U0001f600x"])], names="person,x")
    assert count(session(wide, columns={"person": "integer", "x": "text"}), "LENGTH(x) = 2") == 1


def test_the_declared_type_decides() -> None:
    assert holds(pandas.Series(["1", "x", "3"]), "integer", "x > 0") == 2
    assert holds(pandas.Series(["2024-01-01", "?"]), "date", "x IS NOT NULL") == 1


def test_categories_are_data_unless_they_are_declared() -> None:
    s = one_column(pandas.Series(["a", "b"], dtype=pandas.CategoricalDtype(["a", "b", "c"])), "text")
    with pytest.raises(dither.BadInput, match="needs-delta"):
        s.explain("SELECT x, COUNT(*) FROM visits GROUP BY x", epsilon=1)


def test_empty_tables() -> None:
    import polars
    import pyarrow

    for table in (visits().iloc[:0], visits().iloc[:0].to_records(index=False), pyarrow.table(visits().iloc[:0]),
                  polars.DataFrame({"person": [], "city": [], "cost": []})):
        s = session(table)
        assert count(s) == 0
        assert len(s.sql("SELECT city, COUNT(*) FROM visits GROUP BY city", epsilon=SURE).rows) == 4


def test_a_copy_is_made_of_pandas_and_numpy() -> None:
    frame, records = visits(), visits().to_records(index=False)
    sessions = [session(frame), session(records)]
    frame.loc[:, "cost"] = 0
    records["cost"] = 0
    for s in sessions:
        assert s.sql("SELECT SUM(cost) FROM visits", epsilon=SURE_OF_SUMS).value == 99


def test_arrow_is_referenced_and_lives_as_long_as_the_session() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"person": numpy.arange(10**6), "x": pyarrow.array(["text"] * 10**6)})
    made = pyarrow.total_allocated_bytes()
    s = session(table, columns={"person": "integer", "x": "text"})
    assert pyarrow.total_allocated_bytes() < made + 100_000
    del table
    gc.collect()
    assert count(s, "x = 'text'") == 10**6
    del s
    gc.collect()
    assert pyarrow.total_allocated_bytes() < made - 4_000_000


BEGIN = """
import gc, sys, polars, sessions
from pathlib import Path

def resident():
    gc.collect()
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) // 1024

def part(start, rows=1_000_000):
    number = polars.int_range(start, start + rows)
    return polars.select(person=number, x=CELLS, y=number * 2)

declared = {"person": "integer", "x": "TYPE"}
sessions.count(sessions.session(part(0, 9), columns=declared))  # DuckDB is loaded
frame = kept = polars.concat([part(0), part(1_000_000)], rechunk=False)  # kept: what is let go may be used again
WAY
before = resident()
s = sessions.session(frame, columns=declared)
print(resident() - before, frame.n_chunks(), sessions.count(s))
"""


# 2 million rows: a copy of the person and of a number are 30 MiB, and texts are longer.
@pytest.mark.parametrize(("cells", "declared"), [
    ("number.cast(polars.Float64)", "real"), ("number.cast(polars.String) + ' is a long name'", "text"),
])
@pytest.mark.parametrize(("way", "chunks", "copied"), [
    ("", 2, False), ("frame = frame.rechunk()", 1, False), ("frame = frame[5:-5]", 2, False),
    ("frame = frame.with_columns(y=frame['y'].rechunk())", 2, True),
])
def test_polars_is_referenced_where_its_chunks_agree(
    cells: str, declared: str, way: str, chunks: int, copied: bool
) -> None:
    program = BEGIN.replace("CELLS", cells).replace("TYPE", declared).replace("WAY", way)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([os.path.dirname(__file__), *sys.path])}
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)
    assert ended.returncode == 0, ended.stderr
    grown, found, rows = map(int, ended.stdout.split())
    assert found == chunks and rows == 2_000_000 - (10 if "5" in way else 0)
    assert (grown > 15) == copied


def test_paths_and_sources_in_words(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    visits().to_csv(tmp_path / "visits.csv", index=False)
    visits().to_csv(tmp_path / "visits.txt", index=False)
    for source in ("visits.csv", tmp_path / "visits.csv", {"path": "visits.txt", "kind": "csv"}):
        assert count(session(source)) == 8


def test_repr_of_what_is_held_shows_no_rows() -> None:
    from dither import _core, tables

    table = tables.source_of("tables", visits(), {"person": "integer"}, True)
    assert isinstance(table, _core.Table)
    assert table.columns == [("person", "int64")]
    assert "Bonn" not in repr(table) and "8" not in str(table.columns)
