"""What a session is told about its data, as the text of a project file: the same words, checked by the same reader."""
from __future__ import annotations

import datetime
import json
import os
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any, Callable, Mapping, Optional, Sequence

from dither._numbers import exact
from dither.budget import AMOUNTS, Budget
from dither.errors import BadInput, Error

# Types that Python has a name of its own for.
_TYPES: dict[Any, str] = {
    bool: "boolean",
    int: "integer",
    float: "real",
    str: "text",
    datetime.date: "date",
    datetime.datetime: "timestamp",
}
_WORDS = {"type", "bounds", "keys", "max_length", "outside", "grid", "null_as"}


class ProjectText:
    """JSON, a value to a line, with the Python argument that every line comes from."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._places: list[str] = []

    def add(self, place: str, key: str, value: object) -> None:
        """A member of the map that is open: text, number, true, false, null, lists and maps of them."""
        self._value(place, f"{_quoted(key)}: ", value)

    def open(self, place: str, key: str = "") -> None:
        self._line(place, (f"{_quoted(key)}: " if key else "") + "{")

    def close(self) -> None:
        self._lines[-1] = self._lines[-1].rstrip(",")
        self._line("", "},")

    def text(self) -> str:
        return "\n".join(self._lines).rstrip(",") + "\n"

    def place(self, line: int) -> str:
        """The argument behind a line, from 1."""
        return self._places[line - 1] if 0 < line <= len(self._places) else ""

    def _line(self, place: str, text: str) -> None:
        self._lines.append(text)
        self._places.append(place)

    def _value(self, place: str, key: str, value: object) -> None:
        if isinstance(value, Mapping):
            self._line(place, key + "{")
            for name, inner in value.items():
                if not isinstance(name, str):
                    raise BadInput("bad-name", f"{place} has the key {name!r}, which is no text", "names are texts")
                self._value(f'{place}["{name}"]', f"{_quoted(name)}: ", inner)
            self.close()
        elif isinstance(value, (list, tuple, range)):
            self._line(place, key + "[")
            for inner in value:
                self._value(place, "", inner)
            self._lines[-1] = self._lines[-1].rstrip(",")
            self._line("", "],")
        else:
            self._line(place, key + _scalar(place, value) + ",")


def _quoted(text: str) -> str:
    return json.dumps(text)


def _scalar(place: str, value: Any) -> str:
    if hasattr(value, "item") and hasattr(value, "dtype") and value.ndim == 0:  # a number of numpy
        value = value.item()
    if value is None or isinstance(value, (bool, str)):
        return json.dumps(value)
    if isinstance(value, datetime.datetime):
        utc = value.astimezone(datetime.timezone.utc) if value.tzinfo else value
        return _quoted(utc.replace(tzinfo=None).isoformat(sep=" "))
    if isinstance(value, datetime.date):
        return _quoted(value.isoformat())
    if isinstance(value, Fraction):
        return _quoted(exact(place, value))
    if isinstance(value, (int, float, Decimal)):
        return exact(place, value)
    raise BadInput("wrong-type", f"{place} is of type {type(value).__name__}", "write text, a number or a list")


def file_path(name: str, value: Any) -> str:
    """A path as text."""
    try:
        path = os.fspath(value)
    except TypeError:
        path = b""
    if isinstance(path, str):
        return path
    raise BadInput("wrong-type", f"{name} is of type {type(value).__name__}, which is no path", "write a path as text")


def by_table(argument: str, given: Any, tables: Sequence[str]) -> dict[str, tuple[str, Any]]:
    """What an argument says of each table, with its place in words: of tables by name, or of the only one."""
    if given is None:
        return {}
    if isinstance(given, Mapping) and given and all(name in tables for name in given) and not (
        len(tables) == 1 and _stands_alone(argument, given)
    ):
        return {name: (f'{argument}["{name}"]', value) for name, value in given.items()}
    if len(tables) == 1:
        return {tables[0]: (argument, given)}
    if isinstance(given, Mapping):
        other = next((name for name in given if name not in tables), "")
        raise BadInput(
            "unknown-table",
            f"{argument} names {other!r}, which is no table" if other else f"{argument} is empty",
            f"with several tables write {argument}={{\"{tables[0]}\": ...}}; there are {', '.join(tables)}",
        )
    raise BadInput(
        "wrong-type",
        f"{argument} does not say which table it is about",
        f"with several tables write {argument}={{\"{tables[0]}\": ...}}",
    )


def _stands_alone(argument: str, given: Mapping[str, Any]) -> bool:
    """Whether a map is about the columns or words of the only table, which is called like one of them."""
    if argument == "columns":
        return all(isinstance(value, (str, type)) or _is_column(value) for value in given.values())
    return argument in ("bounds", "expected", "multiplicity") and not isinstance(next(iter(given.values())), Mapping)


def _is_column(value: Any) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("type"), (str, type)) and set(value) <= _WORDS


def column_words(place: str, declared: Any) -> Mapping[str, Any]:
    """The map of a column, also for `"integer"` and `int`."""
    if isinstance(declared, str):
        return {"type": declared}
    if isinstance(declared, type) and declared in _TYPES:
        return {"type": _TYPES[declared]}
    if not isinstance(declared, Mapping):
        raise BadInput(
            "wrong-type",
            f"{place} is of type {type(declared).__name__}",
            'write a type such as "integer", or {"type": "integer", "bounds": (0, 5000), "outside": "clamp"}',
        )
    words = dict(declared)
    if words.get("type") in _TYPES:
        words["type"] = _TYPES[words["type"]]
    for name in ("keys", "bounds"):
        if name in words and not isinstance(words[name], (list, tuple, range)):
            raise BadInput(
                "wrong-type",
                f'{place}["{name}"] is of type {type(words[name]).__name__}, not a list',
                "write (low, high)" if name == "bounds" else "write them out: what is read off the data is not public",
            )
    return words


def budget_words(place: str, budget: Any, parent: Optional[str]) -> dict[str, Any]:
    """The map of a budget."""
    if not isinstance(budget, Budget):
        raise BadInput(
            "wrong-type", f"{place} is of type {type(budget).__name__}", f"write {place}=dither.Budget(epsilon=1)"
        )
    words: dict[str, Any] = {}
    for name, text in budget.fields.items():
        words[name] = _number(place, name, text) if name in AMOUNTS else text
    if parent is not None:
        words.setdefault("parent", parent)
    return words


def _number(place: str, name: str, text: str) -> Any:
    """A number that was written as text stays exact: "1/3", "1e-8"."""
    try:
        return Decimal(text) if "/" not in text else Fraction(text)
    except (ArithmeticError, ValueError):
        said = f"{place}: {name} is {text!r}, which is no number"
        raise BadInput("bad-number", said, 'give e.g. 0.5, or "1/3"') from None


_PLACE = re.compile(r"^[^\n]*?Session\(\.\.\.\):(\d+):\d+: ")
_OPTION = re.compile(r"--(epsilon|rho|delta|error|expect|as|memory|threads)\b( (?=[\d.]|[A-Z]+\b))?")
_KEY = re.compile(r"`(\w+):(?: ([^`]*))?`")
_WORD = re.compile(r"(?<![\w.\"-])[a-z_][\w.-]*(?: [a-z]\w*)*")
_TABLE = re.compile(r'\btables?(?: |\[)"([^"]+)"')


def said_in_python(error: Error, place: Optional[Callable[[int], str]]) -> tuple[str, str]:
    """Message and hint in the words of a Python program, where a source is what `tables` has for its name."""
    message, hint = in_python(error.message, place), in_python(error.hint, place)
    if place is not None and (table := _TABLE.search(message)):
        hint = hint.replace('`"source"` in Session(...)', f'tables["{table[1]}"]')
        hint = hint.replace('`"source": {', f'`"{table[1]}": {{')
    return message, hint


def in_python(text: str, place: Optional[Callable[[int], str]]) -> str:
    """A message or hint about a project file or an option, in the words of a Python program.

    `place` names the argument behind a line; None where there is a project file, which keeps its words.
    """
    text = text.replace("--cut-units", "cut_units=True").replace("--again", "again=True")
    text = text.replace("--project PATH", 'dither.open("PATH")')
    text = text.replace("; a single - reads standard input", "").replace("`dither tables`", "session.describe()")
    text = _OPTION.sub(lambda option: option[1] + ("_" if option[1] == "as" else "") + ("=" if option[2] else ""), text)
    if place is None:
        return text
    if found := _PLACE.match(text):
        text = (place(int(found[1])) or "Session(...)") + ": " + text[found.end() :]
    text = re.sub(r"[^\s`\"]*Session\(\.\.\.\)", "Session(...)", text)
    text = text.replace("in dither.yaml", "in Session(...)")
    text = text.replace("in the project file", "in Session(...)").replace("the project file", "Session(...)")
    return _KEY.sub(_member, text)


def _member(found: re.Match[str]) -> str:
    """`outside: clamp` as "outside": "clamp", `expected: {rows: N}` as "expected": {"rows": N}."""
    key, value = found[1], found[2]
    return f'`"{key}"' + (f": {_WORD.sub(_word, value)}" if value else "") + "`"


def _word(found: re.Match[str]) -> str:
    return {"true": "True", "false": "False"}.get(found[0], f'"{found[0]}"')
