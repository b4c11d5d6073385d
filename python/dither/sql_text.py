"""Parts of statements, so that each stays in its place: names, constants and expressions as SQL text."""
from __future__ import annotations

import datetime
import math
import re
from decimal import Decimal, InvalidOperation
from typing import Any, Sequence

from dither import _core
from dither._numbers import Number, exact
from dither.errors import BadInput, Error

_MOST_CHOICES = 100  # of one CASE: an expression has a depth


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


def is_name(text: str) -> bool:
    """Whether an expression is the name of a column, and nothing else."""
    return re.fullmatch(r'[a-z_][a-z0-9_]*|"[^"]+"', text) is not None


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
    value = _plain(value)
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


def literals(name: str, keys: Any) -> tuple[str, ...]:
    """Constants of one type for all keys that are listed for a name, each once.

    >>> literals("size", [1, 0.5, None, 1.0])
    ('1.0', '0.5', 'NULL')
    """
    hint = "list all values that are answered: [1, 2, 3]"
    try:
        given = None if isinstance(keys, (str, bytes)) else list(keys)
    except TypeError:
        given = None
    if given is None:
        raise BadInput("bad-argument", f"the keys for {name!r} are {type(keys).__name__}, not a list", hint)
    if not given:
        raise BadInput("bad-argument", f"the list of keys for {name!r} is empty", hint)
    texts = [literal(one) for one in given]
    if isinstance(keys, (set, frozenset)):
        texts.sort()  # a set has no order, and the same question must be the same statement
    if any(_is_real(text) for text in texts):
        texts = [f"{text}.0" if re.fullmatch(r"-?\d+", text) else text for text in texts]
    once: dict[Any, str] = {}
    for text in texts:
        once.setdefault(Decimal(text) if _is_real(text) else text, text)
    return tuple(once.values())


def listed(value: str, constants: Sequence[str]) -> str:
    """The condition that a value is one of these."""
    values = [one for one in constants if one != "NULL"]
    parts = [f"({value}) IN ({', '.join(values)})"] if values else []
    return " OR ".join(parts + ([f"({value}) IS NULL"] if len(values) < len(constants) else []))


def chosen(value: str, constants: Sequence[str]) -> str:
    """The value again, as an expression of which all values are known: these, and each of them."""
    values = [one for one in constants if one != "NULL"]
    if not values:
        return "NULL"
    last = None if len(values) < len(constants) else values.pop()
    cases = []
    for start in range(0, len(values), _MOST_CHOICES):
        whens = " ".join(f"WHEN {one} THEN {one}" for one in values[start : start + _MOST_CHOICES])
        cases.append(f"CASE ({value}) {whens}")
    if len(cases) == 1:
        return f"{cases[0]} END" if last is None else f"{cases[0]} ELSE {last} END"
    parts = [f"{case} END" for case in cases] + ([] if last is None else [last])
    return f"COALESCE({', '.join(parts)})" if len(parts) > 1 else parts[0]


def _is_real(text: str) -> bool:
    return re.fullmatch(r"-?[\d.]+([eE][-+]?\d+)?", text) is not None and not text.lstrip("-").isdigit()


def _plain(value: Any) -> Any:
    """A scalar of numpy or pandas as Python has it."""
    if hasattr(value, "to_datetime64"):  # a moment of pandas; in UTC where it has a zone
        value = value.to_datetime64()
    kind = getattr(getattr(value, "dtype", None), "kind", "")
    missing = value != value if kind in ("f", "M", "m") or isinstance(value, float) else False
    if missing or type(value).__name__ == "NAType" or (isinstance(value, Decimal) and value.is_nan()):
        raise BadInput("wrong-type", "a key is not a number or not a time", "write None for rows without a value")
    if kind == "M" and not isinstance(value.item(), datetime.date):  # finer than microseconds, or in no calendar
        whole = value.astype("datetime64[us]")
        if whole != value or not isinstance(whole.item(), datetime.date):
            raise BadInput("wrong-type", "a key is no time in whole microseconds of the years 1 to 9999", "round it")
        return whole.item()
    if kind and kind != "m" and hasattr(value, "item") and getattr(value, "shape", None) == ():
        return value.item()
    return value


def _text(where: str, text: Any) -> str:
    if isinstance(text, str):
        return text
    raise BadInput("wrong-type", f"{where} takes text, not {type(text).__name__}", "write an expression of SQL as text")
