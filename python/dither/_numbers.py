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
        return value
    if not isinstance(value, bool):
        if isinstance(value, int):
            return str(value)
        if isinstance(value, Fraction):
            return f"{value.numerator}/{value.denominator}"
        if isinstance(value, (float, Decimal)) and math.isfinite(value):
            return repr(float(value)) if isinstance(value, float) else str(value)
        if hasattr(value, "item"):  # a number of numpy
            return exact(name, value.item())
    raise BadInput("bad-number", f"{name} is {value!r}, which is no finite number", "give e.g. 0.5, or \"1/3\" as text")
