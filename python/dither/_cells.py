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
_WIDE = 38  # as many always fit in 128 bits


def _of_python(value: Any) -> Any:
    """A scalar of pandas or numpy as Python has it; None for what is missing."""
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "to_datetime64"):  # pandas: a moment may be finer than datetime's
        value = value.to_datetime64()
    if hasattr(value, "dtype") and hasattr(value, "item"):
        kind = value.dtype.kind
        return _moment(value) if kind in "Mm" else float(value) if kind == "f" else value.item()
    return value


def cell_value(value: Any, declared: str) -> Union[None, str, int, float]:
    """What a cell gives that is declared so: a text, an integer of 64 bits, a float, or None for what is no value.

    The same as in a column that holds nothing else; so what no column is read from gives None: numbers are no texts,
    booleans are no numbers. What this raises for a strange object makes the cell NULL.
    """
    value = _of_python(value)
    if isinstance(value, (str, bytes)):
        return value if isinstance(value, str) else value.decode("utf-8")
    if isinstance(value, bool):
        return ("true" if value else "false") if declared == "boolean" else None
    if isinstance(value, (int, float, Decimal)):
        return _number(value, declared)
    if isinstance(value, datetime.date) and declared in ("date", "timestamp"):
        return _day_or_moment(value, declared)
    return None


def _number(value: Union[int, float, Decimal], declared: str) -> Union[None, str, int, float]:
    if declared not in ("integer", "real"):
        return None
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Decimal):
        if not value.is_finite() or value.adjusted() >= _LONG or value != value.to_integral_value():
            return float(value)
        value = int(value)
    return int(value) if -(2**63) <= value < 2**63 else float(value)


def _day_or_moment(value: datetime.date, declared: str) -> str:
    if not isinstance(value, datetime.datetime):
        return value.isoformat()
    utc = value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if value.tzinfo else value
    midnight = utc.time() == datetime.time()
    return utc.date().isoformat() if midnight or declared == "date" else utc.isoformat(sep=" ")


def content_value(value: Any) -> Union[None, str, float, bool, tuple[int, ...]]:
    """What a cell is, whatever its column is declared to be, for the digest of a table: None, a text, a float or a
    boolean, (high, low, scale) for the number (high * 2^64 + low) / 10^scale, (microseconds,) since 1970 for a moment.

    The same as the core finds in a column that holds nothing else. What this raises makes the cell NULL.
    """
    value = _of_python(value)
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, float):
        return float(value)
    if isinstance(value, Decimal):
        return _exact_number(value) if value.is_finite() else float(value)
    if isinstance(value, int):
        return _exact_number(Decimal(int(value)))
    if isinstance(value, datetime.datetime):
        utc = value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if value.tzinfo else value
        return ((utc - datetime.datetime(1970, 1, 1)) // datetime.timedelta(microseconds=1),)
    if isinstance(value, datetime.date):
        return ((value - datetime.date(1970, 1, 1)).days * 86_400_000_000,)
    return value.decode("utf-8") if isinstance(value, bytes) else None


def _exact_number(value: Decimal) -> Union[str, float, tuple[int, int, int]]:
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)  # it is finite
    if len(digits) + max(exponent, 0) > _WIDE or exponent <= -_LONG:
        return float(value) if Decimal(float(value)) == value else str(value)
    whole = int("".join(map(str, digits))) * 10 ** max(exponent, 0) * (-1 if sign else 1)
    return whole >> 64, whole & (2**64 - 1), max(-exponent, 0)


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
