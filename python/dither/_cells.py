"""Cells that are objects, as the core reads them."""
from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any, Optional, Union

# Units of numpy's times in microseconds; those that are no fixed number of them are days first.
TIMES = {
    "h": (3_600_000_000, 1),
    "m": (60_000_000, 1),
    "s": (1_000_000, 1),
    "ms": (1000, 1),
    "us": (1, 1),
    "ns": (1, 1000),
    "ps": (1, 1_000_000),
    "fs": (1, 1_000_000_000),
    "as": (1, 1_000_000_000_000),
}
_LONG = 40  # digits of a number that is surely beyond 64 bits


def cell_value(value: Any, declared: str) -> Union[None, str, int, float]:
    """What a cell gives that is declared so: a text, an integer of 64 bits, a float, or None for what is no value.

    The same as in a column that holds nothing else: the core rounds floats and reads texts as it does there. What this
    raises for a strange object makes the cell NULL.
    """
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "to_datetime64"):  # pandas: a moment may be finer than datetime's
        value = value.to_datetime64()
    if hasattr(value, "dtype") and hasattr(value, "item"):
        kind = value.dtype.kind
        value = _moment(value) if kind in "Mm" else float(value) if kind == "f" else value.item()
    if isinstance(value, bool):
        return int(value) if declared in ("integer", "real") else "true" if value else "false"
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Decimal):
        if value.is_finite() and value.adjusted() < _LONG and value == value.to_integral_value():
            value = int(value)
        else:
            return str(value) if declared == "text" and value.is_finite() else float(value)
    if isinstance(value, int):
        return _whole(int(value), declared)
    if isinstance(value, datetime.datetime):
        utc = value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if value.tzinfo else value
        midnight = utc.time() == datetime.time()
        return utc.date().isoformat() if midnight or declared == "date" else utc.isoformat(sep=" ")
    if isinstance(value, datetime.date):
        return value.isoformat()
    return value.decode("utf-8") if isinstance(value, bytes) else None


def content_value(value: Any) -> Union[None, str, float, bool, tuple[int, ...]]:
    """What a cell is, whatever its column is declared to be, for the digest of a table: None, a text, a float or a boolean,
    (high, low, scale) for the number (high * 2^64 + low) / 10^scale, (microseconds,) since 1970 for a moment.

    The same as the core finds in a column that holds nothing else. What this raises makes the cell NULL.
    """
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "to_datetime64"):  # pandas: a moment may be finer than datetime's
        value = value.to_datetime64()
    if hasattr(value, "dtype") and hasattr(value, "item"):
        kind = value.dtype.kind
        value = _moment(value) if kind in "Mm" else float(value) if kind == "f" else value.item()
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Decimal):
        return _number(value) if value.is_finite() else float(value)
    if isinstance(value, int):
        return _number(Decimal(int(value)))
    if isinstance(value, datetime.datetime):
        utc = value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if value.tzinfo else value
        return ((utc - datetime.datetime(1970, 1, 1)) // datetime.timedelta(microseconds=1),)
    if isinstance(value, datetime.date):
        return ((value - datetime.date(1970, 1, 1)).days * 86_400_000_000,)
    return value.decode("utf-8") if isinstance(value, bytes) else None


def _number(value: Decimal) -> Union[str, tuple[int, int, int]]:
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)  # it is finite
    if len(digits) + max(exponent, 0) >= _LONG - 2 or exponent <= -_LONG:
        return str(value)
    whole = int("".join(map(str, digits))) * 10 ** max(exponent, 0) * (-1 if sign else 1)
    return whole >> 64, whole & (2**64 - 1), max(-exponent, 0)


def _whole(value: int, declared: str) -> Union[None, str, int, float]:
    if -(2**63) <= value < 2**63:
        return value
    if declared == "real":
        return float(value)
    return None if declared == "integer" else "true" if declared == "boolean" else str(value)


def _moment(value: Any) -> Optional[datetime.date]:
    """A time of numpy, cut toward zero as a column of them is."""
    if value.dtype.kind == "m" or value != value:
        return None
    import numpy

    unit, count = numpy.datetime_data(value.dtype)
    if unit not in TIMES:
        day = value.astype("datetime64[D]").item()
        return day if isinstance(day, datetime.date) else None
    numerator, denominator = TIMES[unit]
    ticks = int(value.view("int64")) * count * numerator
    microseconds = abs(ticks) // denominator
    return datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=microseconds if ticks > 0 else -microseconds)
