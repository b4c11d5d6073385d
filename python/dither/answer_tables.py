"""Answers as tables of other libraries. Each is imported when it is asked for."""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from dither.errors import BadInput

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

Columns = list[tuple[str, str, list[Any]]]  # name, type, values


def needed(library: str, why: str) -> Any:
    """A library that may be missing: refused by name, with the command that installs it."""
    try:
        return importlib.import_module(library)
    except ImportError:
        package = library.partition(".")[0]
        missing = f"{why} needs {package}, which is not installed"
        raise BadInput("not-supported", missing, f"pip install {package}") from None


def to_pandas(columns: Columns) -> pandas.DataFrame:
    """Nullable types, also where there are no rows: Int64, Float64, boolean, string, datetime64."""
    pd, np = needed("pandas", "to_pandas()"), needed("numpy", "to_pandas()")
    series = {}
    for name, kind, values in columns:
        missing = np.array([value is None for value in values], dtype=bool)
        if kind == "integer":
            held = np.array([0 if value is None else value for value in values], dtype="int64")
            series[name] = pd.arrays.IntegerArray(held, missing)
        elif kind == "real":
            held = np.array([0.0 if value is None else value for value in values], dtype="float64")
            series[name] = pd.arrays.FloatingArray(held, missing)
        elif kind == "boolean":
            series[name] = pd.arrays.BooleanArray(np.array([bool(value) for value in values], dtype=bool), missing)
        elif kind == "text":
            series[name] = pd.array(values, dtype="string")
        else:
            unit = "s" if kind == "date" else "us"
            series[name] = pd.array(np.array(values, dtype=f"datetime64[{unit}]"), dtype=f"datetime64[{unit}]")
    return pd.DataFrame(series)


def to_polars(columns: Columns) -> polars.DataFrame:
    """Typed, also where there are no rows."""
    pl = needed("polars", "to_polars()")
    types = {
        "boolean": pl.Boolean,
        "integer": pl.Int64,
        "real": pl.Float64,
        "text": pl.String,
        "date": pl.Date,
        "timestamp": pl.Datetime("us"),
    }
    series = [pl.Series(name, values, dtype=types[kind]) for name, kind, values in columns]
    frame: polars.DataFrame = pl.DataFrame(series)
    return frame


def to_arrow(columns: Columns) -> pyarrow.Table:
    """Typed, also where there are no rows."""
    pa = needed("pyarrow", "to_arrow()")
    types = {
        "boolean": pa.bool_(),
        "integer": pa.int64(),
        "real": pa.float64(),
        "text": pa.string(),
        "date": pa.date32(),
        "timestamp": pa.timestamp("us"),
    }
    arrays = [pa.array(values, type=types[kind], from_pandas=False) for _, kind, values in columns]
    return pa.Table.from_arrays(arrays, names=[name for name, _, _ in columns])
