"""Questions step by step, for those who prefer it to SQL. Each makes one statement, with the same plan and price."""
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Callable, Iterable, Mapping, NamedTuple, Optional, Sequence, TypeVar, Union

from dither.aggregates import Aggregate
from dither.errors import BadInput, Error
from dither.sql_text import chosen, column, expression, is_name, listed, literals

if TYPE_CHECKING:
    from dither.answer import Answer
    from dither.explanation import Explanation
    from dither.session import Session

_DIRECTION = re.compile(r"\s+(ASC|DESC)\s*$", re.IGNORECASE)

# Ways out that SQL words, in the words of the aggregates here.
_WAYS_OUT = {
    "write CLAMP(x, LOW, HIGH)": 'give bounds: dither.sum("x", bounds=(LOW, HIGH))',
    "write ROUND(x, 2)": 'give a grid: dither.sum("x", grid=0.01)',
}

Given = TypeVar("Given")
Keys = Union[None, Iterable[Any], Mapping[str, Iterable[Any]]]


class Key(NamedTuple):
    """What a question groups by."""

    name: Optional[str]  # in the answer; None: as SQL names it
    value: str
    choices: Optional[tuple[str, ...]]  # constants, all that are answered; None: as the column declares them


class Behind(NamedTuple):
    """What is done with an answer, in this order."""

    having: tuple[str, ...] = ()
    order: tuple[str, ...] = ()
    limit: Optional[tuple[int, int]] = None  # rows and offset; what comes later is done with these rows


class Query:
    """A question about a table: `session.table("visits")`. Every step gives a new one, and none asks anything.

    where           conditions; a row must meet all
    with_columns    columns that are worked out, for the steps behind
    join            with another table
    group_by        keys of the answer, with all values of a key in `keys` where no column declares them
    agg             what is worked out, by the names of its columns in the answer
    having          conditions on the columns of the answer; order_by and limit likewise
    sql             the statement; `explain(epsilon=1)` prices it, `run(epsilon=1)` asks it

    Texts are expressions of SQL; each must be one expression, and is checked as one. `dither.column("unit price")` is a
    name that needs quotes.
    """

    __slots__ = ("_session", "_from", "_name", "_where", "_keys", "_aggregates", "_behind")

    def __init__(self, session: Session, table: str) -> None:
        self._session = session
        self._name = column(table)
        self._from = self._name
        self._where: tuple[str, ...] = ()
        self._keys: tuple[Key, ...] = ()
        self._aggregates: tuple[tuple[str, Aggregate], ...] = ()
        self._behind: tuple[Behind, ...] = ()

    def _with(self, **changes: Any) -> Query:
        made = Query.__new__(Query)
        for name in Query.__slots__:
            setattr(made, name, changes.get(name, getattr(self, name)))
        return made

    def where(self, *conditions: str) -> Query:
        """Rows that meet all of these conditions, and those of earlier steps."""
        self._require_rows("where", "write having() for conditions on the answer")
        return self._with(_where=(*self._where, *(expression("where", one) for one in conditions)))

    def with_columns(self, **columns: str) -> Query:
        """Adds columns that are worked out row by row: `with_columns(year="EXTRACT(YEAR FROM day)")`."""
        self._require_rows("with_columns", "put it before group_by() and agg()")
        added = ", ".join(f"{expression(name, text)} AS {column(name)}" for name, text in columns.items())
        return self._with(_from=f"(SELECT *, {added}{self._rows()}) AS {self._name}", _where=()) if columns else self

    def join(
        self, other: Union[str, Query], on: Union[str, Sequence[str], Mapping[str, str]], how: str = "inner"
    ) -> Query:
        """Rows side by side with those of another table whose columns are equal.

        `on` names them: one, several, or {here: there}. Private tables meet on their unit; a public table is met by
        columns that are unique there.
        """
        self._require_rows("join", "put it before group_by() and agg()")
        if how not in ("inner", "left"):
            raise BadInput("bad-argument", f"how is {how!r}, which is no join here", 'write "inner" or "left"')
        if isinstance(other, Query):
            other._require_rows("join", "join rows, not answers")
            there, item = other._name, other._item()
        else:
            there = item = column(other)
        if not isinstance(on, (str, Iterable)) or not (names := [on] if isinstance(on, str) else list(on)):
            raise BadInput("bad-argument", "on names no columns", 'write on="city", or on={"here": "there"}')
        if isinstance(on, Mapping):
            pairs = (f"{self._name}.{column(a)} = {there}.{column(b)}" for a, b in on.items())
            condition = f"ON {' AND '.join(pairs)}"
        else:
            condition = f"USING ({', '.join(map(column, names))})"
        return self._with(_from=f"{self._item()} {'LEFT ' if how == 'left' else ''}JOIN {item} {condition}", _where=())

    def group_by(self, *expressions: str, keys: Keys = None, **named: str) -> Query:
        """Keys of the answer; `group_by(month="DATE_TRUNC('month', day)")` names one.

        `keys` lists all values that are answered: they are public then, whatever the data holds, and rows with other
        values are left out. One list for one key; for several {key: list} by expression or name. Without it they are
        those that the column declares, or else keys are chosen by their numbers of units, which costs delta.
        """
        self._require_rows("group_by", "put it before agg()")
        given = [(None, text) for text in expressions] + [(name, text) for name, text in named.items()]
        values = [expression("group_by", text) for _, text in given]
        choices = _choices(keys, [name or text for name, text in given])
        added = tuple(
            Key(name and column(name), value, choices.get(name or text)) for (name, text), value in zip(given, values)
        )
        return self._with(_keys=(*self._keys, *added))

    def agg(self, **aggregates: Aggregate) -> Query:
        """What is worked out for every key, by name: `agg(n=dither.count(), total=dither.sum("cost"))`."""
        for name, one in aggregates.items():
            if not isinstance(one, Aggregate):
                raise BadInput(
                    "wrong-type",
                    f"{name} is {type(one).__name__}, which is no aggregate",
                    'write e.g. n=dither.count() or total=dither.sum("cost")',
                )
        return self._with(_aggregates=(*self._aggregates, *aggregates.items()))

    def having(self, *conditions: str) -> Query:
        """Rows of the answer that meet these conditions, by the names of its columns. Costs nothing."""
        before, last = self._layers("having")
        having = (*last.having, *(expression("having", one) for one in conditions))
        return self._with(_behind=(*before, last._replace(having=having)))

    def order_by(self, *expressions: str, descending: bool = False) -> Query:
        """The order of the answer, by the names of its columns; `"n DESC"` turns one round, `descending` all."""
        before, last = self._layers("order_by")
        order = (*last.order, *(_ordered(text, descending) for text in expressions))
        return self._with(_behind=(*before, last._replace(order=order)))

    def limit(self, rows: int, offset: int = 0) -> Query:
        """So many rows of the answer, without the first `offset`."""
        before, last = self._layers("limit")
        for name, count in (("rows", rows), ("offset", offset)):
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise BadInput("bad-count", f"limit: {name} is {count!r}", "give a whole number from 0 on")
        return self._with(_behind=(*before, last._replace(limit=(rows, offset))))

    @property
    def sql(self) -> str:
        """The statement.

        >>> from dither import aggregates
        >>> Query(None, "visits").where("cost > 0").group_by("city").agg(n=aggregates.count()).sql  # a session asks it
        'SELECT city, COUNT(*) AS n FROM visits WHERE cost > 0 GROUP BY city'
        """
        self._require_answer("sql")
        shown = [_shown(key) for key in self._keys]
        shown += [f"{one.sql} AS {column(name)}" for name, one in self._aggregates]
        statement = f"SELECT {', '.join(shown)}{self._rows(_conditions(self._keys))}"
        if self._keys:
            places = (key.value if _is_plain(key) else str(place) for place, key in enumerate(self._keys, 1))
            statement += f" GROUP BY {', '.join(places)}"
        for layer in self._behind:
            statement = _around(statement, layer)
        return statement

    def explain(self, **price: Any) -> Explanation:
        """What it would cost and how exact it would be: the arguments of `Session.explain`."""
        return _in_steps(self._session.explain, self.sql, price)

    def run(self, **price: Any) -> Answer:
        """Asks it: the arguments of `Session.sql`."""
        return _in_steps(self._session.sql, self.sql, price)

    answer = run

    def __repr__(self) -> str:
        return self.sql if self._aggregates else f"<a question about {self._from}; agg() is still to come>"

    def _rows(self, more: Sequence[str] = ()) -> str:
        conditions = [*self._where, *more]
        if len(conditions) > 1:
            conditions = [f"({one})" for one in conditions]
        return f" FROM {self._from}" + (f" WHERE {' AND '.join(conditions)}" if conditions else "")

    def _item(self) -> str:
        """What stands in FROM."""
        return f"(SELECT *{self._rows()}) AS {self._name}" if self._where else self._from

    def _layers(self, step: str) -> tuple[tuple[Behind, ...], Behind]:
        """What is done with the answer before, and what the step may still add to."""
        self._require_answer(step)
        if not self._behind or self._behind[-1].limit:
            return self._behind, Behind()
        return self._behind[:-1], self._behind[-1]

    def _require_rows(self, step: str, hint: str) -> None:
        if self._aggregates or (self._keys and step != "group_by"):
            raise BadInput("bad-argument", f"{step}() comes after the rows were grouped", hint)

    def _require_answer(self, step: str) -> None:
        if not self._aggregates:
            raise BadInput(
                "bad-argument",
                f"{step} needs an answer, and nothing is worked out yet",
                "put agg() before it: agg(n=dither.count())",
            )


def _is_plain(key: Key) -> bool:
    """A column that is shown as it is. Anything else is grouped by its place: a number would be taken for one."""
    return key.name is None and key.choices is None and is_name(key.value)


def _shown(key: Key) -> str:
    value = key.value if key.choices is None else chosen(key.value, key.choices)
    name = key.name
    if name is None and key.choices is not None:
        name = key.value if is_name(key.value) else "key"
    return value if name is None else f"{value} AS {name}"


def _ordered(text: str, descending: bool) -> str:
    found = _DIRECTION.search(text) if isinstance(text, str) else None
    down = descending != (found is not None and found.group(1).upper() == "DESC")
    return expression("order_by", text[: found.start()] if found else text) + (" DESC" if down else "")


def _choices(keys: Keys, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The constants that are listed, by key."""
    if keys is None:
        return {}
    if not isinstance(keys, Mapping):
        if len(names) != 1 or isinstance(keys, str):
            hint = f"write keys={{{names[0]!r}: [...]}}" if names else "name a key"
            raise BadInput("bad-argument", "keys is not a list for one key", hint)
        keys = {names[0]: keys}
    for name in keys:
        if name not in names:
            hint = f"the keys are {', '.join(names)}"
            raise BadInput("unknown-key", f"keys are given for {name!r}, which is no key", hint)
    return {name: literals(name, choices) for name, choices in keys.items()}


def _conditions(keys: Sequence[Key]) -> list[str]:
    """They leave out rows with values that are not listed."""
    return [listed(key.value, key.choices) for key in keys if key.choices is not None]


def _around(statement: str, layer: Behind) -> str:
    """What is done with the answer stands around it, where its columns have names."""
    if layer == Behind():
        return statement
    statement = f"SELECT * FROM ({statement}) AS answer"
    if layer.having:
        statement += f" WHERE {' AND '.join(f'({one})' for one in layer.having)}"
    if layer.order:
        statement += f" ORDER BY {', '.join(layer.order)}"
    if layer.limit:
        statement += f" LIMIT {layer.limit[0]}" + (f" OFFSET {layer.limit[1]}" if layer.limit[1] else "")
    return statement


def _in_steps(ask: Callable[..., Given], statement: str, price: Mapping[str, Any]) -> Given:
    try:
        return ask(statement, **price)
    except Error as error:
        hint = error.hint
        for in_sql, here in _WAYS_OUT.items():
            hint = hint.replace(in_sql, here)
        if hint == error.hint:
            raise
        raise type(error)(error.code, error.message, hint) from None
