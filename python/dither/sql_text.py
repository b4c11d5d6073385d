"""Parts of statements, so that each stays in its place: names, constants and expressions as SQL text."""
from __future__ import annotations

import datetime
import math
from decimal import Decimal, InvalidOperation
from typing import Any

from dither import _core
from dither._numbers import Number, exact
from dither.errors import BadInput, Error


def column(name: str) -> str:
    """The name of a column where an expression is wanted, in quotes where it needs them.

    >>> column("unit price"), column("cost")
    ('"unit price"', 'cost')
    """
    return _core.name_in_sql(_text("a name", name))


def expression(where: str, text: str) -> str:
    """A text that is one expression of SQL, and nothing that could leave its place."""
    try:
        _core.require_expression(_text(where, text))
    except Error as error:
        hint = f"{error.hint}; a name with blanks or capitals is dither.column(name)"
        raise type(error)(error.code, f"{where}: {error.message}", hint) from None
    return text.strip()


def number(where: str, value: Number) -> str:
    """A number as SQL has it, exactly."""
    text = exact(where, value)
    try:
        if Decimal(text).is_finite():
            return text.strip()
    except InvalidOperation:
        pass
    raise BadInput("bad-number", f"{where} is {value!r}, which is no decimal number", "give e.g. 0.5")


def decimals_of(grid: Number) -> int:
    """How many decimals a grid of 0.01, 1 or 10 keeps: 2, 0 or -1."""
    step = Decimal(number("grid", grid))
    decimals = -step.adjusted()
    if step == Decimal(1).scaleb(-decimals) and -22 <= decimals <= 22:
        return decimals
    raise BadInput("bad-argument", f"the grid is {grid!r}, which is no power of ten", "give e.g. 0.01, 1 or 10")


def literal(value: Any) -> str:
    """A constant. Times are taken to UTC; those without a zone are in UTC already.

    >>> literal("it's"), literal(5), literal(None), literal(datetime.date(2024, 2, 29))
    ("'it''s'", '5', 'NULL', "DATE '2024-02-29'")
    """
    if hasattr(value, "item") and getattr(value, "shape", None) == ():  # a scalar of numpy
        value = value.item()
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, int) or (isinstance(value, (float, Decimal)) and math.isfinite(value)):
        return number("a key", value)
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return f"TIMESTAMP '{value.isoformat(sep=' ')}'"
    if isinstance(value, datetime.date):
        return f"DATE '{value.isoformat()}'"
    raise BadInput(
        "wrong-type",
        f"a key is {type(value).__name__}, which SQL has no constant for",
        "give texts, whole or finite numbers, True, False, None, dates or times",
    )


def _text(where: str, text: Any) -> str:
    if isinstance(text, str):
        return text
    raise BadInput("wrong-type", f"{where} takes text, not {type(text).__name__}", "write an expression of SQL as text")
