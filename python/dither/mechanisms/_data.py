"""Private data on its way in, released values on their way out. Nothing here shows a value."""
from __future__ import annotations

import struct
from decimal import Decimal
from fractions import Fraction
from numbers import Rational, Real
from typing import Any, Mapping, NoReturn, Union

from dither.errors import BadInput
from dither.mechanisms._forms import core

EXACT_REALS = 2**53  # beyond it a whole number may have no double of its own
LARGEST = 2**127  # whole numbers of the core end here; beyond counts as the end, which moves no two apart


def _refuse(what: str, hint: str) -> NoReturn:
    raise BadInput("wrong-type", what, hint)


def _array(x: Any) -> Any:
    """A plain numpy array. What type it has is public; what is in it, and whether anything is missing, is not."""
    import numpy as np

    if isinstance(x, np.ma.MaskedArray):
        _refuse("masked arrays are not taken: which values are missing is private", "fill them: x.filled(0)")
    if not isinstance(getattr(x, "dtype", None), np.dtype):
        _refuse(f"{type(x).__name__} is no array of plain numbers", "give a numpy array: x.to_numpy(), nulls filled")
    return x.to_numpy() if hasattr(x, "to_numpy") else np.asarray(x)


def _integers(x: Any) -> Any:
    import numpy as np

    if x.dtype.kind == "f":
        raise BadInput("needs-grid", "the array is of reals, but this mechanism was made for whole numbers",
                       "make it with grid=0.01 (and size=...), or convert to whole units yourself")
    if x.dtype.kind == "u" and x.dtype.itemsize >= 8:
        _refuse("uint64 has no room for negative noise", 'give x.astype("int64")')
    if x.dtype.kind not in "iub":
        _refuse(f"the array is of {x.dtype}, not of numbers", 'give whole numbers: x.astype("int64")')
    return np.ascontiguousarray(x, dtype=np.int64).reshape(-1)


def _reals(x: Any) -> Any:
    import numpy as np

    if x.dtype.kind not in "fiub" or x.dtype.itemsize > 8:
        _refuse(f"the array is of {x.dtype}, not of reals", 'give x.astype("float64")')
    if x.dtype.kind in "iu" and x.dtype.itemsize == 8:  # beyond 2^53 doubles are coarse; to count as 2^53 moves no two
        x = np.minimum(np.maximum(x, -EXACT_REALS), EXACT_REALS) if x.dtype.kind == "i" else np.minimum(x, EXACT_REALS)
    return np.ascontiguousarray(x, dtype=np.float64).reshape(-1)


def _whole(mechanism: Any, values: list[Any], step: Fraction) -> Any:
    """Whole numbers of any size, exactly; several answers as they come."""
    ends = [max(-LARGEST, min(LARGEST, int(value))) for value in values]
    released = core.release_big(mechanism, [str(value) for value in ends])
    if not all(isinstance(one, str) for one in released):
        return keyed_answer(released)
    return [int(digits) if step == 1 else float(int(digits) * step) for digits in released]


def _is_whole(x: Any) -> bool:
    kind = getattr(getattr(x, "dtype", None), "kind", None)
    return isinstance(x, int) or (getattr(x, "ndim", 1) == 0 and kind in ("i", "u", "b"))


def _plain(x: Any) -> Any:
    """A number or text of numpy as one of Python; all else as it is."""
    import numpy as np

    return x.item() if issubclass(type(x), np.generic) and x.dtype.kind in "biufUS" else x


def _own(x: Any) -> Union[int, float, Decimal, Fraction]:
    """The number that an object is, as a type whose comparisons are Python's own; raises where it is none."""
    number = _plain(x[()] if getattr(x, "ndim", None) == 0 else x)
    if isinstance(number, int):
        return int.__int__(number)
    if isinstance(number, float):
        return float.__float__(number)
    if isinstance(number, Decimal):
        return Decimal(number)
    if isinstance(number, Rational):
        return Fraction(int(number.numerator), int(number.denominator))
    if isinstance(number, Real):
        return Decimal(float(number))
    raise TypeError


def _listed(x: Any, reals: bool) -> Union[int, float]:
    """A number of a list, which has no type: each is read by itself, so that one cannot change what others count as.

    Exact numbers end where not every whole one has a place of its own. What is none (None, a text, an object that
    raises) counts as 0, as NaN does, and so does a fraction where whole numbers are wanted.
    """
    try:
        number = _own(x)
        if number != number:
            return 0
        if reals and isinstance(number, float):
            return number
        most = EXACT_REALS if reals else LARGEST
        if not -most < number < most:
            return most if number > 0 else -most
        whole = int(number)
        return whole if whole == number else float(number) if reals else 0
    except (KeyboardInterrupt, MemoryError):  # the machine's, as in columns of objects
        raise
    except BaseException:
        return 0


def release_numbers(mechanism: Any, x: Any, reals: bool, step: Fraction) -> Any:
    """A number, a list or an array; the answer has the same shape."""
    import numpy as np

    if isinstance(x, (str, bytes)) or x is None:
        _refuse(f"{type(x).__name__} is no number", "give a number or an array of numbers")
    if isinstance(x, (list, tuple)):
        if not reals:
            return _whole(mechanism, [_listed(one, reals) for one in x], step)
        return core.release_reals(mechanism, np.array([_listed(one, reals) for one in x], dtype=np.float64))
    if _is_whole(x) and not reals:
        answer = _whole(mechanism, [x], step)
        return answer[0] if len(answer) == 1 else answer
    if isinstance(x, int):
        x = float(_listed(x, True))
    array = _array(np.float64(x) if isinstance(x, float) else x)
    if array.ndim == 0:
        return release_scalar(mechanism, array, reals)
    flat = _reals(array) if reals else _integers(array)
    released = core.release_reals(mechanism, flat) if reals else core.release_integers(mechanism, flat)
    same = hasattr(released, "reshape") and released.size == array.size
    return released.reshape(array.shape) if same else released


def release_scalar(mechanism: Any, array: Any, reals: bool) -> Any:
    """One number, as an array without dimensions."""
    flat = _reals(array) if reals else _integers(array)
    released = core.release_reals(mechanism, flat) if reals else core.release_integers(mechanism, flat)
    return released.item() if hasattr(released, "item") else released


def _key(spelled: bytes) -> Any:
    """The value of canonical bytes."""
    tag, rest = spelled[:1], spelled[1:]
    if tag == b"i":
        return int(rest)
    if tag == b"t":
        return rest.decode("utf-8")
    if tag == b"b":
        return rest == b"1"
    return struct.unpack(">d", bytes.fromhex(rest.decode()))[0] if tag == b"r" else None


def _keys_of_index(index: Any) -> list[Any]:
    """The labels of a pandas index. Its type is public, and all that is refused here."""
    import pandas as pd

    kind = index.categories.dtype if hasattr(index, "categories") else index.dtype
    types = pd.api.types
    held = types.is_object_dtype(kind) or types.is_string_dtype(kind) or types.is_bool_dtype(kind) or (
        types.is_numeric_dtype(kind) and not types.is_complex_dtype(kind))
    if isinstance(index, pd.MultiIndex) or not held:
        _refuse(f"the index is of {kind}, which no key can be", "give an index of text or numbers: index.astype(str)")
    return list(index.tolist())


def release_keyed(mechanism: Any, x: Any) -> Any:
    """A dict of counts by key, or a pandas Series whose index has the keys. No key makes it fail: keys are private."""
    import numpy as np

    series = hasattr(x, "index") and hasattr(x, "to_numpy")
    if not series and not isinstance(x, dict):
        _refuse(f"{type(x).__name__} has no keys", "give a dict of counts by key, or a pandas Series")
    keys = _keys_of_index(x.index) if series else list(x)
    if series:
        numbers = _integers(_array(x))
    else:
        most = 2**63 - 1
        numbers = np.array([max(-most, min(most, _listed(one, False))) for one in x.values()], dtype=np.int64)
    return keyed_answer(core.release_keyed(mechanism, [_plain(key) for key in keys], numbers), series)


def keyed_answer(released: Any, series: bool = False) -> Any:
    """(keys, numbers) of the core as a dict or a Series; lists of several answers one by one."""
    if isinstance(released, list):
        return [keyed_answer(one, series) for one in released]
    if not isinstance(released, tuple):
        return released
    answer = dict(zip([_key(key) for key in released[0]], released[1].tolist()))
    if not series:
        return answer
    import pandas as pd

    return pd.Series(answer, dtype=released[1].dtype)


# What a column of a table may be given as, where it has a type of its own: libraries choose these by looking at all
# cells, and one cell more must not change what the others are read as.
_READ_FROM = {"integer": ("integer",), "real": ("integer", "real"), "boolean": ("boolean",), "text": ("text",)}
_KINDS = {"i": "integer", "u": "integer", "f": "real", "b": "boolean", "U": "text", "S": "text", "T": "text"}
_WORDS = {"int": "integer", "uint": "integer", "float": "real", "double": "real", "halffloat": "real",
          "decimal": "real", "bool": "boolean", "str": "text", "large_str": "text", "cat": "text", "enum": "text"}


def _type_of(values: Any) -> str:
    """The type that a column has: one of ours, another one in words, or "" where its cells are objects."""
    dtype = getattr(values, "dtype", None) if hasattr(values, "dtype") else getattr(values, "type", None)
    dtype = getattr(getattr(dtype, "categories", None), "dtype", dtype)
    kind = getattr(dtype, "kind", None)
    if kind == "O" or dtype is None:
        return "text" if str(dtype).startswith(("str", "large_str")) else ""
    if isinstance(kind, str):
        return _KINDS.get(kind, str(dtype))
    name = str(dtype).lower().removeprefix("dictionary<values=")
    return next((known for word, known in _WORDS.items() if name.startswith(word)), "" if name == "null" else name)


def _column(name: str, declared: str, values: Any) -> Any:
    """An array of 64 bits, or a list of what Python has for cells."""
    import numpy as np

    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        _refuse(f"{type(values).__name__} is no column of a table", "give an array or a list of its cells")
    if (found := _type_of(values)) and found not in _READ_FROM[declared]:
        _refuse(f'the column "{name}" holds {found}, and is not read as {declared} from that',
                'convert the column: in pandas with dtype="Int64", dtype=str or dtype="boolean" where it is read')
    if isinstance(getattr(values, "dtype", None), np.dtype) and getattr(values, "ndim", 1) == 1:
        array = values if isinstance(values, np.ndarray) else values.to_numpy()
        if array.dtype.kind == "i" or (array.dtype.kind == "u" and array.dtype.itemsize < 8):
            return np.ascontiguousarray(array, dtype=np.int64)
        if array.dtype.kind == "f" and array.dtype.itemsize <= 8:
            return np.ascontiguousarray(array, dtype=np.float64)
        return array.tolist()
    for convert in ("to_pylist", "to_list", "tolist"):
        if hasattr(values, convert):
            return getattr(values, convert)()
    return [_plain(one) for one in values]


def _columns(types: list[tuple[str, str]], x: Any) -> list[Any]:
    """The declared columns of a table, however it comes."""
    import numpy as np

    names = [name for name, _ in types]
    if isinstance(x, np.ndarray) and x.dtype.names is None:
        if x.ndim != 1 or len(names) != 1:
            _refuse("an array without names is a table of one column", "give a DataFrame or a dict of columns")
        return [_column(*types[0], x)]
    if isinstance(x, (list, tuple)):
        if not all(isinstance(row, (list, tuple)) and len(row) == len(names) for row in x):
            _refuse(f"a row does not have {len(names)} cells", f"give rows of {', '.join(names)}")
        return [_column(*types[i], [row[i] for row in x]) for i in range(len(names))]
    held = x if isinstance(x, Mapping) else getattr(x, "column_names", None) or getattr(x, "columns", None)
    held = x.dtype.names if isinstance(x, np.ndarray) else held
    if held is None:
        _refuse(f"{type(x).__name__} is no table", "give a DataFrame, a dict of columns or a list of rows")
    for name in names:
        if name not in list(held):
            raise BadInput("unknown-column", f'there is no column "{name}" in the table given',
                           f"give the columns {', '.join(names)}")
    columns = [_column(name, declared, x[name]) for name, declared in types]
    if len({len(column) for column in columns}) > 1:
        raise BadInput("bad-count", "the columns are not equally long", "give one cell of each row in every column")
    return columns


def release_table(mechanism: Any, types: list[list[tuple[str, str]]], x: Any, several: bool) -> Any:
    """A table, or a list of tables."""
    if not several:
        columns = _columns(types[0], x)
        if len(columns) == 1 and not isinstance(columns[0], list):
            counted = core.release_counted(mechanism, columns[0])
            if counted is not None:
                return keyed_answer(counted)
        return keyed_answer(core.release_tables(mechanism, [columns]))
    if not isinstance(x, (list, tuple)) or len(x) != len(types):
        _refuse(f"this takes {len(types)} tables", "give a list of tables")
    return keyed_answer(core.release_tables(mechanism, [_columns(one, table) for one, table in zip(types, x)]))
