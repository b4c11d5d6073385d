"""Numbers as the core takes them: exactly, as they are written."""
from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Union

from dither.errors import BadInput

Number = Union[int, float, str, Decimal, Fraction]


def exact(name: str, value: Number) -> str:
    """The text of a number: 0.1 is 1/10, as in a project file. Refuses what is no finite number."""
    if isinstance(value, str):
        if not value.isascii() or "_" in value or any(map(str.isspace, value)):  # Python would read "1_0" as 10
            raise BadInput("bad-number", f"{name} is {value[:60]!r}, which is no number", 'give e.g. 0.5, or "1/3"')
        return value
    try:
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, Fraction):
            return f"{value.numerator}/{value.denominator}"
    except ValueError:  # thousands of digits
        raise BadInput("bad-number", f"{name} has more digits than are read", "give e.g. 0.5") from None
    if isinstance(value, (float, Decimal)) and math.isfinite(value):
        return repr(float(value)) if isinstance(value, float) else str(value)
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:  # a number of numpy
        inner = value.item()
        if type(inner) is not type(value):
            return exact(name, inner)
    plain = value is None or isinstance(value, (bool, float, Decimal))
    shown = repr(value) if plain else f"of type {type(value).__name__}"
    raise BadInput("bad-number", f"{name} is {shown}, which is no finite number", "give e.g. 0.5, or \"1/3\" as text")
