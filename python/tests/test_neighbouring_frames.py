"""A search over neighbours: tables that differ in one cell end alike, and all other cells are the same.

A library chooses the type of a column by looking at all its cells. So pairs of neighbours are made of lists of cells by
pandas, polars and pyarrow, from Python's objects, from CSV and through Parquet. Where both have the same types, both
are answered or both are refused with the same words. Where the library chose two types, one may be refused by its type,
before anything is charged; two answers, though, differ by one row.

Left out is what happens before a table is given, and stays (docs/python/README.md, "What types columns are read
from"): texts that pandas keeps as objects of another kind, floats that are made whole numbers again (also by
convert_dtypes), and what polars makes NULL with strict=False.
"""
from __future__ import annotations

import datetime
import io
import os
import random
import time
from decimal import Decimal
from typing import Any, Callable, NamedTuple, Optional

import dither
import pandas
import polars
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest
from sessions import SURE, session

SECONDS = float(os.environ.get("DITHER_SEARCH_SECONDS", "25"))
ROWS = 12

Cells = list[Any]


class Theme(NamedTuple):
    """Cells that most rows have, cells that one may have instead, and conditions on what they are read as."""

    usual: Cells
    odd: Cells
    conditions: dict[str, list[str]]


DAY, MOMENT = datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29, 12, 30, 0, 250)
ID = 1_700_000_000_000_000_000  # beyond 2^53: doubles merge 256 of them
ODD = [None, 7, 2.5, "X", "", True, ID + 1, 2**63, -(2**63), 2**64, 10**30, 1e300, float("nan"), float("inf"),
       Decimal("0.25"), Decimal("1e-25"), Decimal("nan"), DAY, MOMENT, datetime.datetime(1, 1, 1), b"\xff", "\ud800",
       [1], {"a": 1}, object()]

THEMES = {
    "ids": Theme([ID + i for i in range(5)], ODD, {
        "integer": [f"x = {ID + i}" for i in range(5)], "bounded": ["x = 90"], "text": [f"x = '{ID}'"],
        "real": [f"x = {ID}"], "keys": ["x = -1"]}),
    "numbers": Theme([1, 2, 3, 7], ODD, {
        "integer": ["x = 1", "x = 7"], "bounded": ["x = 1", "x = 90"], "real": ["x = 1", "x = 7"], "text": ["x = '1'"],
        "boolean": ["x"], "keys": ["x = 1", "x = -1"]}),
    "edges": Theme([2**63 - 1, 2**63 - 513, -(2**63), 2**53 + 1, 2**53 - 1], ODD, {
        "integer": [f"x = {2**63 - 1}"], "bounded": ["x = 90", "x = -90"], "real": ["x > 9e18"], "keys": ["x = -1"]}),
    "wide": Theme([2**63 + 5, 2**64 - 1, 3], ODD, {
        "integer": ["x = 3"], "bounded": ["x = 90", "x = 3"], "real": ["x > 9e18", "x = 3"], "keys": ["x = -1"]}),
    "truths": Theme([True, False], ODD, {
        "boolean": ["x", "NOT x"], "integer": ["x = 1"], "bounded": ["x = 1"], "text": ["x = 'true'", "x = 'True'"],
        "real": ["x = 1"]}),
    "reals": Theme([0.1, 2.5, -3.0, 123456.78], ODD, {
        "real": ["x = 0.1", "x = 2.5", "x = 123456.78"], "bounded": ["x = 2", "x = -3", "x = 90"],
        "text": ["x = '0.1'"], "boolean": ["x"], "integer": ["x = 2"]}),
    "decimals": Theme([Decimal("123456.78"), Decimal("0.1"), Decimal("3"), Decimal("98765.4321")], ODD, {
        "real": ["x = 123456.78", "x = 0.1", "x = 98765.4321"], "bounded": ["x = 3", "x = 90"], "integer": ["x = 3"],
        "text": ["x = '0.1'"]}),
    "texts": Theme(["08001", "8001", "true", "a"], ODD, {
        "text": ["x = '08001'", "x = '8001'", "x = 'true'"], "integer": ["x = 8001"], "bounded": ["x = 90"],
        "boolean": ["x"], "real": ["x = 8001"]}),
    "days": Theme([DAY, DAY + datetime.timedelta(1)], ODD, {
        "date": [f"x = DATE '{DAY}'"], "timestamp": [f"x = TIMESTAMP '{DAY} 00:00:00'"], "text": [f"x = '{DAY}'"]}),
    "moments": Theme([MOMENT, MOMENT + datetime.timedelta(1)], ODD, {
        "date": [f"x = DATE '{DAY}'"], "timestamp": [f"x = TIMESTAMP '{MOMENT}'"], "text": [f"x = '{MOMENT}'"]}),
    "nothing": Theme([None], ODD, {
        name: ["x IS NOT NULL"] for name in ("boolean", "integer", "bounded", "real", "text", "date", "timestamp")}),
}
# What a CSV file may have in a column: libraries guess types of it.
WORDS = {
    "numbers": Theme(["1", "2", " 3", "+4", "7"], ["", "X", "1.5", "9.0", "1e1", "1e300", "9" * 20, "9" * 30], {
        name: conditions for name, conditions in THEMES["numbers"].conditions.items() if name != "text"}),
    "zip codes": Theme(["08001", "8001", "10115"], ["", "X", "1.5", "1e1"], THEMES["texts"].conditions),
    "ids": Theme([str(ID + i) for i in range(5)], ["", "X", "1.5", "9" * 20, "-1"], {
        name: conditions for name, conditions in THEMES["ids"].conditions.items() if name != "text"}),
    "reals": Theme(["0.1", "2.5", " -3.0", "123456.78"], ["", "X", "1e400", "inf", "7"], THEMES["reals"].conditions),
    "truths": Theme(["True", "False"], ["", "X", "1"], {
        name: conditions for name, conditions in THEMES["truths"].conditions.items() if name != "text"}),
    "days": Theme(["2024-02-29", "2024-03-01"], ["", "X", "2024-02-30", "29.2.2024"], THEMES["days"].conditions),
}
DECLARED: dict[str, Any] = {
    "bounded": {"type": "integer", "bounds": (-90, 90), "outside": "clamp"},
    "keys": {"type": "integer", "keys": [1, 2, 3], "outside": {"other": -1}},
}


def fitted(cells: Cells, read: Callable[[Any], Any]) -> Cells:
    """The cells that a type can hold, one by one."""
    def one(cell: Any) -> Any:
        try:
            return read(cell)
        except Exception:
            return None
    return [one(cell) for cell in cells]


def pandas_of(dtype: str) -> Callable[[Cells], Any]:
    """Of one type, which somebody wrote down."""
    return lambda cells: pandas.DataFrame({"x": pandas.Series(
        fitted(cells, lambda cell: pandas.Series([cell], dtype=dtype)[0]), dtype=dtype)})


def arrow_of(kind: Any) -> Callable[[Cells], Any]:
    def make(cells: Cells) -> Any:
        plain = kind.value_type if pyarrow.types.is_dictionary(kind) else kind
        array = pyarrow.array(fitted(cells, lambda cell: pyarrow.scalar(cell, type=plain).as_py()), type=plain)
        return pyarrow.table({"x": array.cast(kind)})
    return make


class Parquet(NamedTuple):
    """A file of a table, some of whose groups of rows may have NULL alone."""

    table: Any
    rows_of_a_group: int = 3


def through_parquet(make: Callable[[Cells], Any]) -> Callable[[Cells], Any]:
    def written(cells: Cells) -> Any:
        made = make(cells)
        if isinstance(made, pandas.DataFrame):
            return Parquet(pyarrow.Table.from_pandas(made))
        return Parquet(made if isinstance(made, pyarrow.Table) else made.to_arrow())
    return written


def inferred_pandas(cells: Cells) -> Any:
    return pandas.DataFrame({"x": cells})


def objects(cells: Cells) -> Any:
    return pandas.DataFrame({"x": pandas.Series(cells, dtype=object)})


def inferred_polars(cells: Cells) -> Any:
    return polars.DataFrame({"x": cells})


def inferred_arrow(cells: Cells) -> Any:
    return pyarrow.table({"x": pyarrow.array(cells, from_pandas=True)})


def chunks(table: Any) -> Any:
    return pyarrow.Table.from_batches(table.to_batches(max_chunksize=3), table.schema)


KINDS = [pyarrow.int8(), pyarrow.int64(), pyarrow.uint64(), pyarrow.float32(), pyarrow.float64(), pyarrow.string(),
         pyarrow.large_string(), pyarrow.bool_(), pyarrow.date32(), pyarrow.timestamp("us"), pyarrow.timestamp("ns"),
         pyarrow.decimal128(38, 10), pyarrow.decimal128(38, 0), pyarrow.decimal128(9, 2), pyarrow.null(),
         pyarrow.list_(pyarrow.int64()), pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
         pyarrow.dictionary(pyarrow.int32(), pyarrow.int64())]
DTYPES = ["object", "int64", "float64", "bool", "str", "string", "Int64", "Float64", "boolean", "datetime64[us]",
          "int64[pyarrow]", "double[pyarrow]", "string[pyarrow]", "category"]
OF_OBJECTS: dict[str, Callable[[Cells], Any]] = {
    "pandas": inferred_pandas,
    "pandas objects": objects,
    "pandas nullable": lambda cells: pandas.DataFrame({"x": pandas.array(cells)}),
    "pandas categories": lambda cells: inferred_pandas(cells).astype("category"),
    "pandas parquet": through_parquet(inferred_pandas),
    "polars": inferred_polars,
    "polars parquet": through_parquet(inferred_polars),
    "pyarrow": inferred_arrow,
    "pyarrow dictionary": lambda cells: pyarrow.table({"x": inferred_arrow(cells)["x"].dictionary_encode()}),
    "pyarrow chunks": lambda cells: chunks(inferred_arrow(cells)),
    "pyarrow parquet": through_parquet(inferred_arrow),
    **{f"pyarrow {kind}": arrow_of(kind) for kind in KINDS},
    **{f"parquet {kind}": through_parquet(arrow_of(kind)) for kind in KINDS},
    **{f"pandas {dtype}": pandas_of(dtype) for dtype in DTYPES},
}


def csv(cells: Cells) -> io.BytesIO:
    return io.BytesIO(("x,y\n" + "".join(f"{cell},0\n" for cell in cells)).encode())


OF_CSV: dict[str, Callable[[Cells], Any]] = {
    "pandas csv": lambda cells: pandas.read_csv(csv(cells)),
    "pandas csv of texts": lambda cells: pandas.read_csv(csv(cells), dtype=str),
    "pandas csv nullable": lambda cells: pandas.read_csv(csv(cells), dtype_backend="numpy_nullable"),
    "pandas csv arrow": lambda cells: pandas.read_csv(csv(cells), dtype_backend="pyarrow"),
    "pandas csv categories": lambda cells: pandas.read_csv(csv(cells)).astype("category"),
    "polars csv": lambda cells: polars.read_csv(csv(cells), infer_schema_length=None),
    "pyarrow csv": lambda cells: pyarrow.csv.read_csv(csv(cells)),
    "csv parquet": through_parquet(lambda cells: pandas.read_csv(csv(cells))),
    "csv itself": csv,
}


def types_of(made: Any) -> str:
    if isinstance(made, io.BytesIO):
        return "csv"
    if isinstance(made, Parquet):
        return types_of(made.table)
    if isinstance(made, pandas.DataFrame):
        return f"{made['x'].dtype} {getattr(getattr(made['x'].dtype, 'categories', None), 'dtype', '')}"
    return str(made.schema.field("x").type if isinstance(made, pyarrow.Table) else made.schema["x"])


class Asked(NamedTuple):
    declared: str
    is_unit: bool
    conditions: list[str]


def with_persons(made: Any) -> Any:
    """With a column that tells rows apart."""
    persons = list(range(ROWS))
    if isinstance(made, pyarrow.Table):
        return made.append_column("person", pyarrow.chunked_array([persons]))
    if isinstance(made, pandas.DataFrame):
        return made.assign(person=persons)
    return made.with_columns(person=polars.Series(persons))


def outcome(made: Any, asked: Asked, folder: Any) -> tuple[str, Any]:
    """What comes of a question about a table: the words of a refusal, or how many rows meet each condition."""
    if isinstance(made, io.BytesIO):
        lines = made.getvalue().decode().splitlines()
        path = folder / "visits.csv"
        path.write_text("\n".join([lines[0] + ",person", *(f"{line},{i}" for i, line in enumerate(lines[1:]))]) + "\n")
        table: Any = path
    elif isinstance(made, Parquet):
        table = folder / "visits.parquet"
        pyarrow.parquet.write_table(with_persons(made.table), table, row_group_size=made.rows_of_a_group)
    else:
        table = with_persons(made)
    columns = {"x": DECLARED.get(asked.declared, asked.declared)}
    columns |= {} if asked.is_unit else {"person": "integer"}
    counts = [f"SUM(CASE WHEN {one} THEN 1 ELSE 0 END) AS c{i}" for i, one in enumerate(asked.conditions)]
    try:
        s = session(table, columns=columns, unit="x" if asked.is_unit else "person", bounds={"rows_per_unit": 1},
                    data_version="1")
        answer = s.sql(f"SELECT COUNT(*), {', '.join(counts)} FROM visits", epsilon=SURE)
    except dither.Error as error:
        return "refused", (error.code, error.message, error.hint)
    return "answered", [round(value) for value in answer.rows[0]]


def complaint(types: tuple[str, str], ends: tuple[tuple[str, Any], tuple[str, Any]]) -> Optional[str]:
    """What is wrong with the ends of two neighbours, if anything is."""
    (one, first), (other, second) = ends
    if one == other == "answered":
        moved = [abs(a - b) for a, b in zip(first, second)]
        return None if max(moved) <= 1 else f"other rows changed: {first} {second}"
    if types[0] == types[1]:
        return None if ends[0] == ends[1] else f"one type, two ends: {ends}"
    refusals = [said for end, said in ends if end == "refused"]
    return None if all(code == "bad-source" for code, _, _ in refusals) else f"refused for more than a type: {ends}"


def one_pair(draw: random.Random, makers: dict[str, Callable[[Cells], Any]], themes: dict[str, Theme], folder: Any
             ) -> Optional[str]:
    """What is wrong with a random pair, if anything is."""
    name, way = draw.choice(sorted(themes)), draw.choice(sorted(makers))
    theme = themes[name]
    declared = draw.choice(sorted(theme.conditions))
    is_unit = declared in ("integer", "text") and draw.random() < 0.3
    conditions = [*draw.sample(theme.conditions[declared], min(2, len(theme.conditions[declared]))), "x IS NULL"]
    cells = [draw.choice(theme.usual) for _ in range(ROWS)]
    if draw.random() < 0.3:
        cells[draw.randrange(ROWS)] = draw.choice(theme.odd)
    other, place = list(cells), draw.randrange(ROWS)
    other[place] = draw.choice(theme.odd if draw.random() < 0.9 else theme.usual)
    try:
        made = makers[way](cells), makers[way](other)
    except (Exception, polars.exceptions.PanicException):  # the library itself takes one of them for no table
        return None
    asked = Asked(declared, is_unit, conditions)
    wrong = complaint((types_of(made[0]), types_of(made[1])),
                      (outcome(made[0], asked, folder), outcome(made[1], asked, folder)))
    return wrong and f"{way}, {asked}:\n{cells}\n{other}\n{types_of(made[0])} {types_of(made[1])}\n{wrong}"


def search(makers: dict[str, Callable[[Cells], Any]], themes: dict[str, Theme], folder: Any, seconds: float) -> None:
    seed = int(os.environ.get("DITHER_SEARCH_SEED", random.randrange(2**32)))
    draw, end = random.Random(seed), time.monotonic() + seconds
    while time.monotonic() < end:
        wrong = one_pair(draw, makers, themes, folder)
        assert wrong is None, f"DITHER_SEARCH_SEED={seed}: {wrong}"


def merged(cells: Cells) -> Any:
    """What pandas makes of ids of which one is missing, given on as whole numbers."""
    frame = inferred_pandas(cells)
    return frame.astype("float64").astype("Int64") if None in cells else frame


def zip_codes(cells: Cells) -> Any:
    """What pandas makes of zip codes, given on as texts."""
    return pandas.read_csv(csv(cells)).astype(str)


@pytest.mark.parametrize(("planted", "theme", "declared"), [
    (merged, THEMES["ids"]._replace(odd=[None]), "integer"), (zip_codes, WORDS["zip codes"], "text"),
])
def test_the_search_notices_what_is_planted(
    planted: Callable[[Cells], Any], theme: Theme, declared: str, tmp_path: Any
) -> None:
    themes = {"planted": theme._replace(conditions={declared: theme.conditions[declared]})}
    draw = random.Random(1)
    assert any(one_pair(draw, {"planted": planted}, themes, tmp_path) for _ in range(100))


def test_neighbours_of_python_objects_end_alike(tmp_path: Any) -> None:
    search(OF_OBJECTS, THEMES, tmp_path, 0.7 * SECONDS)


def test_neighbours_of_words_end_alike(tmp_path: Any) -> None:
    search(OF_CSV, WORDS, tmp_path, 0.3 * SECONDS)
