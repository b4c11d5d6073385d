"""How far apart two inputs are, and what that costs, as the core takes and gives it."""
from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional, Union

from dither._numbers import Number, exact
from dither.errors import BadInput


def fraction(name: str, value: Number) -> Fraction:
    """A number exactly as it is written."""
    try:
        return Fraction(exact(name, value))
    except (ValueError, ZeroDivisionError):
        raise BadInput("bad-number", f"{name} is {value!r}, which is no number",
                       'give e.g. 0.5, or "1/3" as text') from None


@dataclass(frozen=True)
class Cells:
    """A distance between vectors or counts by key: how many numbers differ, and by how much; see `cells`."""

    cells: Fraction
    l1: Fraction
    l2_squared: Fraction
    largest: Fraction


def cells(count: Number, each: Number = 1) -> Cells:
    """At most `count` numbers differ, none by more than `each`: one person in 3 counts is cells(3) away from none.

    >>> cells(3).l1
    Fraction(3, 1)
    """
    number, most = fraction("count", count), fraction("each", each)
    return Cells(number, number * most, number * most * most, most)


Distance = Union[Number, Cells]


def steps(metric: str, step: str, d: Distance, squared: Optional[Number] = None) -> list[str]:
    """A distance as the core takes it: in steps of the grid (where the input has one), l2 as its square."""
    unit = Fraction(step) if step else Fraction(1)
    if metric == "cells":
        if not isinstance(d, Cells):
            raise BadInput("bad-distance", "distances here are in cells: how many numbers differ, and by how much",
                           "write e.g. map(dither.mechanisms.cells(3)) for one person in 3 counts")
        return [str(d.cells), str(d.l1 / unit), str(d.l2_squared / unit**2), str(d.largest / unit)]
    if isinstance(d, Cells):
        raise BadInput("bad-distance", f"distances here are in {metric}: one number", "write e.g. map(1)")
    if metric == "l2":
        square = fraction("squared", squared) if squared is not None else fraction("the distance", d) ** 2
        return [str(square / unit**2)]
    return [str(fraction("the distance", d) / unit)]


def in_units(metric: str, step: str, texts: list[str]) -> Union[Fraction, Cells]:
    """The reverse: what the core says, in units of the data; of l2 the square."""
    unit = Fraction(step) if step else Fraction(1)
    numbers = [Fraction(text) for text in texts]
    if metric == "cells":
        return Cells(numbers[0], numbers[1] * unit, numbers[2] * unit**2, numbers[3] * unit)
    return numbers[0] * (unit**2 if metric == "l2" else unit)


@dataclass(frozen=True)
class Loss:
    """What inputs at a distance cost: `epsilon` and `delta`, `rho` (and `delta`), or `mu`, whichever `measure` has.

    Floats are rounded up; `exact` has the numbers as text, exactly as they were proven.
    """

    measure: str
    epsilon: Optional[float]
    delta: Optional[float]
    rho: Optional[float]
    mu: Optional[float]
    exact: dict[str, str]
    renyi: tuple[tuple[float, float], ...]
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<{self.text}>"


def loss(measure: str, numbers: dict[str, Any], text: str) -> Loss:
    """The loss that the core describes so."""
    orders = tuple(numbers.pop("renyi", ()))
    texts = {name: pair[0] for name, pair in numbers.items()}
    floats = {name: float(pair[1]) for name, pair in numbers.items()}
    mu = None
    if "squared_mu" in floats:
        mu = math.sqrt(floats["squared_mu"])
        mu = mu if Fraction(mu) ** 2 >= Fraction(texts["squared_mu"]) else math.nextafter(mu, math.inf)
    return Loss(measure, floats.get("epsilon"), floats.get("delta"), floats.get("rho"), mu, texts, orders, text)
