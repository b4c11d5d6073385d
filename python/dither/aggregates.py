"""Aggregates for the query builder: every one that SQL has here, by its name in small letters.

`count()` counts rows, `count("x")` rows with a value, `count_distinct("person")` units. All others take an expression,
and where the column has no declared bounds or grid, these:

>>> import dither
>>> dither.sum("cost", bounds=(0, 5000), where="city = 'Bonn'")
SUM(CLAMP(cost, 0, 5000)) FILTER (WHERE city = 'Bonn')
>>> dither.avg("height", bounds=(0, 3), grid=0.01)
AVG(ROUND(CLAMP(height, 0, 3), 2))

The list is the core's: what a new version answers in SQL is here too.
"""
from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Any, Optional, Protocol

from dither import _core
from dither._numbers import Number
from dither.errors import BadInput
from dither.sql_text import decimals_of, expression, number


@lru_cache(maxsize=None)
def _table() -> dict[str, tuple[str, str]]:
    """Usage and meaning of each, as the core lists them."""
    return {name: (usage, does) for name, usage, does in _core.aggregates()}


class Aggregate:
    """One column of an answer: `sql` is its text."""

    __slots__ = ("_sql",)

    def __init__(self, sql: str) -> None:
        self._sql = sql

    @property
    def sql(self) -> str:
        """As a statement has it."""
        return self._sql

    def __repr__(self) -> str:
        return self._sql


class Maker(Protocol):
    """An aggregate of an expression."""

    def __call__(
        self,
        of: str,
        *,
        bounds: Optional[tuple[Number, Number]] = None,
        grid: Optional[Number] = None,
        where: Optional[str] = None,
    ) -> Aggregate:
        """`bounds` clamps every value, `grid` (0.01, 1, 10 ...) rounds it, `where` takes only some of the rows."""


sum: Maker
avg: Maker
var_pop: Maker
var_samp: Maker
variance: Maker
stddev_pop: Maker
stddev_samp: Maker
stddev: Maker


def _filtered(sql: str, where: Optional[str]) -> Aggregate:
    return Aggregate(sql if where is None else f"{sql} FILTER (WHERE {expression('where', where)})")


def count(of: Optional[str] = None, *, where: Optional[str] = None) -> Aggregate:
    """How many rows there are, or how many have a value.

    >>> count(), count("cost"), count(where="cost > 0")
    (COUNT(*), COUNT(cost), COUNT(*) FILTER (WHERE cost > 0))
    """
    return _filtered(f"COUNT({'*' if of is None else expression('count', of)})", where)


def count_distinct(unit: str, *, where: Optional[str] = None) -> Aggregate:
    """How many units there are, by the column that names them.

    >>> count_distinct("person")
    COUNT(DISTINCT person)
    """
    return _filtered(f"COUNT(DISTINCT {expression('count_distinct', unit)})", where)


def _bounded(name: str, of: str, bounds: Any) -> str:
    if bounds is None:
        return of
    if not isinstance(bounds, (tuple, list)) or len(bounds) != 2:
        raise BadInput("bad-bounds", f"the bounds of {name} are not a pair", "write bounds=(0, 5000)")
    low, high = number("bounds", bounds[0]), number("bounds", bounds[1])
    if Decimal(high) < Decimal(low):
        raise BadInput("bad-bounds", f"the bounds of {name} run from {low} to {high}", f"write bounds=({high}, {low})")
    return f"CLAMP({of}, {low}, {high})"


def _maker(name: str) -> Maker:
    usage, does = _table()[name]

    def make(
        of: str,
        *,
        bounds: Optional[tuple[Number, Number]] = None,
        grid: Optional[Number] = None,
        where: Optional[str] = None,
    ) -> Aggregate:
        value = _bounded(name, expression(name, of), bounds)
        if grid is not None:
            value = f"ROUND({value}, {decimals_of(grid)})"
        return _filtered(f"{name.upper()}({value})", where)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"{usage}: {does}.\n\n{Maker.__call__.__doc__}"
    return make


def __getattr__(name: str) -> Any:
    if name in _table() and name != "count":
        made = globals()[name] = _maker(name)
        return made
    raise AttributeError(f"there is no aggregate {name!r}, but {', '.join(names())}")


def names() -> list[str]:
    """All aggregates there are."""
    return sorted({*_table(), "count_distinct"})


def __dir__() -> list[str]:
    return [*globals(), *names()]
