"""Tables of a session: what is given, and how the core reads it.

Arrow (pyarrow, polars, anything with `__arrow_c_stream__`) is referenced and not copied, but for polars columns whose
chunks differ, which polars merges; pandas and numpy are copied once, the declared columns alone. Files are read by the
core. Types come from the declarations: a cell that cannot be read is NULL, and a column of a type that a library chose
by looking at other cells is refused by the core (src/engine/detail/typed_cell.h).

A ledger file recognises a table by the digest of all its columns, whatever is declared of them. Of columns that are not
copied, or not as they are (objects), the digest is made here.
"""
from __future__ import annotations

import os
from typing import Any, Callable, Iterable, Mapping, Union

from dither import _core
from dither._cells import TIMES, cell_value, content_value
from dither.errors import BadInput

# name, kind, data, missing, numerator and denominator: python/core/columns.h says what each kind is.
Column = tuple[str, str, Any, Any, int, int]

# Types that objects are read as; text where a declaration has none of them, which the core refuses.
_TYPES = {name: name for name in ("boolean", "integer", "real", "text", "date", "timestamp")} | {"decimal": "real"}


def source_of(
    place: str, given: Any, columns: Mapping[str, Any], recognised: bool
) -> Union[str, Mapping[str, Any], _core.Table]:
    """The `source` of a table as a project file has it, or the table itself where it lies in memory.

    `columns` has the declared type of each; `recognised`: a ledger will ask for its digest. Refuses what is no table,
    and a table without a declared column, by name and before anything is read.
    """
    if isinstance(given, (str, os.PathLike)):
        path = os.fspath(given)
        if isinstance(path, str):
            return path
    if isinstance(given, Mapping):
        if "path" in given:
            return given
        raise _no_table(place, given, 'write {"path": "visits.txt", "kind": "csv"}, or make a DataFrame of the columns')
    library = type(given).__module__.partition(".")[0]
    if library == "polars" and type(given).__name__ == "LazyFrame":
        raise _no_table(place, given, f"call .collect() on it: {place}=frame.collect()")
    if library == "pandas" and type(given).__name__ == "Series":
        raise _no_table(place, given, "make a table of it: series.to_frame()")
    if library == "pandas" and hasattr(given, "columns") and hasattr(given, "dtypes"):
        return _pandas_table(place, given, columns, recognised)
    if hasattr(given, "dtype") and hasattr(given, "__array_interface__"):
        return _numpy_table(place, given, columns, recognised)
    if hasattr(given, "__arrow_c_stream__"):
        if library == "polars" and hasattr(given, "to_struct"):
            given = _without_objects(place, given, columns)
            if given.width > 0:
                given = given.to_struct("")  # chunk by chunk; a frame itself would be merged into one, and so copied
        table = _core.table_of_stream(given.__arrow_c_stream__())
        _require_columns(place, [name for name, _ in table.columns], columns)
        return table
    raise _no_table(place, given, "give a DataFrame of pandas or polars, a pyarrow Table, a structured array, a path")


def _without_objects(place: str, frame: Any, wanted: Mapping[str, Any]) -> Any:
    """A frame of polars without its columns of Python objects, of which polars gives nothing away."""
    objects = [name for name, dtype in frame.schema.items() if str(dtype) == "Object"]
    for name in objects:
        if name in wanted:
            raise _unfit(place, name, "Python objects")
    return frame.drop(objects)


def _no_table(place: str, given: Any, hint: str) -> BadInput:
    kind = type(given)
    name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__.partition('.')[0]}.{kind.__name__}"
    return BadInput("wrong-type", f"{place} is of type {name}, which is no table", hint)


def _require_columns(place: str, found: Iterable[Any], wanted: Iterable[str]) -> None:
    """Every declared column is there, once."""
    names = list(found)
    for column in wanted:
        count = names.count(column)
        if count == 1:
            continue
        if count > 1:
            raise BadInput(
                "bad-source", f'{place} has {count} columns named "{column}"', "rename them: each has a name of its own"
            )
        from difflib import get_close_matches

        near = get_close_matches(column, [name for name in names if isinstance(name, str)], 1, 0.6)
        hint = f'did you mean "{near[0]}"?' if near else "name the columns as the table does, in the same capitals"
        if not near and any(str(name) == column for name in names):
            hint = "names of columns are texts: rename them with frame.columns = [str(name) for name in frame.columns]"
        raise BadInput("bad-source", f'{place} has no column "{column}"', hint)


def _unfit(place: str, name: str, kind: str) -> BadInput:
    return BadInput(
        "bad-source",
        f'the column "{name}" of {place} holds {kind}, which no type of ours reads',
        "convert it to numbers, texts or dates before, or do not declare it",
    )


def _table(columns: list[Column], rows: int, declared: Mapping[str, Any], others: list[Column]) -> _core.Table:
    typed = [(*column, _TYPES.get(str(declared[column[0]]), "text")) for column in columns]
    seen = [(*column, "text") for column in others]
    return _core.table_of_columns(typed, rows, cell_value, seen, content_value)


def _seen(columns: list[Column], others: Iterable[tuple[Any, Callable[[str], Column]]]) -> list[Column]:
    """The columns whose digest is made here: those of objects, and those that are not declared, which are made now."""
    seen = [column for column in columns if column[1] == "object"]
    for name, made in others:
        text = name if isinstance(name, str) else f"{type(name).__name__} {name!r}"
        try:
            seen.append(made(text))
        except Exception:  # nobody declares it, so it may hold anything
            seen.append((text, "unfit", None, None, 1, 1))
    return seen


def _pandas_table(place: str, frame: Any, wanted: Mapping[str, Any], recognised: bool) -> _core.Table:
    _require_columns(place, frame.columns, wanted)
    columns = [_pandas_column(place, name, frame[name]) for name in wanted]

    def other(at: int) -> Callable[[str], Column]:
        return lambda name: _pandas_column(place, name, frame.iloc[:, at])

    others = [(name, other(at)) for at, name in enumerate(frame.columns) if name not in wanted]
    return _table(columns, len(frame), wanted, _seen(columns, others) if recognised else [])


def _pandas_column(place: str, name: str, series: Any) -> Column:
    dtype = series.dtype
    if isinstance(dtype, _numpy().dtype):
        return _numpy_column(place, name, series.to_numpy())
    kind = str(getattr(dtype, "name", dtype))
    if type(dtype).__name__ == "ArrowDtype" or getattr(dtype, "storage", "") == "pyarrow":
        return _arrow_column(name, series)
    if type(dtype).__name__ == "SparseDtype":
        return _pandas_column(place, name, series.sparse.to_dense())
    if type(dtype).__name__ == "DatetimeTZDtype":
        return _pandas_column(place, name, series.dt.tz_convert("UTC").dt.tz_localize(None))
    if type(dtype).__name__ == "CategoricalDtype":
        return _category_column(place, name, series)
    if getattr(dtype, "storage", "") == "python":
        return (name, "object", series.to_numpy(dtype=object), None, 1, 1)
    numpy_type = getattr(dtype, "numpy_dtype", None)  # of Int64, Float64, boolean
    if numpy_type is not None and numpy_type.kind in "iufb":
        return _numpy_column(place, name, series.to_numpy(dtype=numpy_type, na_value=0), series.isna().to_numpy())
    raise _unfit(place, name, kind)


def _category_column(place: str, name: str, series: Any) -> Column:
    """As a column of its categories' own type."""
    categories, codes = series.dtype.categories, series.cat.codes.to_numpy()
    if not isinstance(categories.dtype, _numpy().dtype):
        return _pandas_column(place, name, type(series)(categories.array.take(codes, allow_fill=True)))
    cells = categories.to_numpy() if len(categories) else _numpy().zeros(1, categories.dtype)
    return _numpy_column(place, name, cells[codes], codes < 0)  # nothing is -1: the last one, which is missing then


def _arrow_column(name: str, series: Any) -> Column:
    """One that lies in pyarrow's memory already."""
    array = series.array.__arrow_array__()
    if hasattr(array, "combine_chunks"):
        array = array.combine_chunks()
    if hasattr(array, "num_chunks"):  # of more than one array, also when they are combined
        return (name, "object", series.to_numpy(dtype=object, na_value=None), None, 1, 1)
    return (name, "arrow", array.__arrow_c_array__(), None, 1, 1)


def _numpy_table(place: str, array: Any, wanted: Mapping[str, Any], recognised: bool) -> _core.Table:
    if array.dtype.names is None:
        raise _no_table(place, array, 'name its columns: numpy.rec.fromarrays([...], names="person,cost")')
    if array.ndim != 1:
        raise BadInput("bad-source", f"{place} has {array.ndim} dimensions", "give one record a row: array.ravel()")
    _require_columns(place, array.dtype.names, wanted)
    numpy = _numpy()

    def column(name: str) -> Column:
        cells = array[name]
        missing = numpy.ma.getmaskarray(cells) if isinstance(cells, numpy.ma.MaskedArray) else None
        return _numpy_column(place, name, numpy.asarray(cells), missing)

    columns = [column(name) for name in wanted]
    others = [(name, column) for name in array.dtype.names if name not in wanted]
    return _table(columns, len(array), wanted, _seen(columns, others) if recognised else [])


def _numpy_column(place: str, name: str, cells: Any, missing: Any = None) -> Column:
    dtype = cells.dtype
    if cells.ndim != 1:
        raise _unfit(place, name, "arrays")
    if not dtype.isnative:
        cells = cells.astype(dtype.newbyteorder("="))
    if dtype.kind == "M":
        return _time_column(name, cells, missing)
    if dtype.kind == "f" and dtype.itemsize > 8:
        with _numpy().errstate(all="ignore"):  # beyond a double is infinite
            return (name, "float64", cells.astype("float64"), missing, 1, 1)
    if dtype.kind in "iufb":
        return (name, "bool" if dtype.kind == "b" else dtype.name, cells, missing, 1, 1)
    if dtype.kind in "US":
        return (name, "wide" if dtype.kind == "U" else "bytes", cells, missing, 1, 1)
    if dtype.kind in "OT":
        return (name, "object", cells.astype(object, copy=False), missing, 1, 1)
    raise _unfit(place, name, str(dtype))


def _time_column(name: str, cells: Any, missing: Any) -> Column:
    unit, count = _numpy().datetime_data(cells.dtype)
    if unit not in TIMES:  # years, months, weeks, days; also the type without a unit, which holds NaT alone
        return (name, "days", cells.astype("datetime64[D]").view("int64"), missing, 1, 1)
    numerator, denominator = TIMES[unit]
    return (name, "time", cells.view("int64"), missing, count * numerator, denominator)


def _numpy() -> Any:
    import numpy  # only where there is an array already

    return numpy
