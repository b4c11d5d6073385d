"""What a person gets for a price: values, how far off they may be, and what is left."""
from __future__ import annotations

import copy
import datetime
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Sequence, Union

from dither import _core
from dither.answer_price import Priced
from dither.errors import BadInput

if TYPE_CHECKING:
    import matplotlib.axes
    import pandas
    import polars
    import pyarrow

Cell = Union[None, bool, int, float, str, datetime.date, datetime.datetime]
Interval = Optional[tuple[float, float]]

_FIRST_DAY = datetime.date(1970, 1, 1).toordinal()
_FIRST_MOMENT = datetime.datetime(1970, 1, 1)
_USUAL = 0.95


class Answer(Priced):
    """Released values with their error and their price. The fields are those of `dither query --json`.

    An answer holds what was released and what is public about it, and nothing else: it may be pickled, copied, printed
    and published. Intervals hold the exact value with the probability that is asked for; they are made of the law of
    the noise and of what was released, never of the data. Where bounds may cut a column (keys, rows, values), its exact
    value is that of what they leave: `cut_by` names these bounds, `notes` says what each does.

    One cell       `value`, `interval(0.95)`, `standard_error`
    A table        `columns`, `types`, `rows`, `intervals(0.95)`, `standard_errors`, `cut_by`, `answer["n"]`, iteration
    Its price      `epsilon`, `delta`, `rho` as asked; `cost` as charged; `left` of every budget that paid
    Elsewhere      `to_pandas()`, `to_polars()`, `to_arrow()`, `to_dict()`, `plot()`
    """

    _cells: list[list[Any]]  # by column; days and microseconds as whole numbers
    _intervals: dict[float, tuple[list[Any], list[Any]]]  # by level: lows and highs by column
    _errors: list[Optional[list[Optional[float]]]]
    _payers: list[tuple[str, float, str, str]]
    _price_text: str
    _basis: Optional[_core.Basis]

    def __init__(self) -> None:
        raise BadInput("bad-argument", "answers are made by questions alone", "call `session.sql(...)`")

    @classmethod
    def _made(
        cls,
        facts: Mapping[str, Any],
        cells: list[list[Any]],
        intervals: tuple[list[Any], list[Any]],
        errors: list[Optional[list[Optional[float]]]],
        payers: list[tuple[str, float, str, str]],
        price_text: str,
        accounted: str,
        basis: _core.Basis,
    ) -> Answer:
        """Called by the core."""
        made = cls.__new__(cls)
        made._facts, made._cells, made._intervals, made._errors = facts, cells, {_USUAL: _ends(intervals)}, errors
        made._payers, made._price_text, made._accounted, made._basis = payers, price_text, accounted, basis
        return made

    # One cell.

    @property
    def value(self) -> Any:
        """The value of an answer that has one cell."""
        self._require_one_cell()
        return self._column(0)[0]

    def interval(self, level: float = _USUAL) -> Interval:
        """Where the exact value of one cell, after cuts, lies with this probability; None where that is not known."""
        self._require_one_cell()
        return self.intervals(level)[0][0]

    @property
    def standard_error(self) -> Optional[float]:
        """Of the noise in one cell; None where it is not known."""
        self._require_one_cell()
        return self.standard_errors[0][0]

    def _require_one_cell(self) -> None:
        if len(self) == 1 and len(self.columns) == 1:
            return
        raise BadInput(
            "bad-argument",
            f"this answer has {len(self)} rows and {len(self.columns)} columns, not one cell",
            "read `rows`, `intervals()` and `standard_errors`, or `to_pandas()`; a column is answer[name]",
        )

    # A table.

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._facts["columns"])

    @property
    def types(self) -> list[str]:
        """Their types: boolean, integer, real, text, date, timestamp."""
        return list(self._facts["types"])

    @property
    def rows(self) -> list[tuple[Cell, ...]]:
        """The rows; NULL is None, dates and timestamps are those of `datetime`, timestamps in UTC without a zone."""
        return list(zip(*map(self._column, range(len(self._cells)))))

    def intervals(self, level: float = _USUAL) -> list[list[Interval]]:
        """By row and column where the exact value, after cuts, lies with this probability; None elsewhere.

        Each interval holds at this level by itself, not all of them at once. A pickled answer knows 0.95, and the
        levels that were asked for before.
        """
        lows, highs = self._interval_columns(level)
        pairs = [
            [None] * len(self) if low is None else [None if a is None else (a, b) for a, b in zip(low, high)]
            for low, high in zip(lows, highs)
        ]
        return [list(row) for row in zip(*pairs)]

    @property
    def standard_errors(self) -> list[list[Optional[float]]]:
        """By row and column that of the noise; None for keys and where it is not known."""
        return [list(row) for row in zip(*([None] * len(self) if one is None else one for one in self._errors))]

    @property
    def cut_by(self) -> list[list[str]]:
        """By column the bounds that may cut it ("visits.keys_per_unit = 3: keys dropped"), which no interval covers."""
        return [list(bounds) for bounds in self._facts["cut_by"]]

    def _interval_columns(self, level: float) -> tuple[list[Any], list[Any]]:
        level = _level(level)
        if level not in self._intervals:
            if self._basis is None:
                known = ", ".join(map(str, sorted(self._intervals)))
                raise BadInput(
                    "bad-argument",
                    f"a copy of an answer that was pickled knows the levels {known}, not {level}",
                    "ask for the level before it is pickled, or ask the question again: a stored answer costs nothing",
                )
            self._intervals[level] = _ends(self._basis.intervals(level, len(self._cells)))
        return self._intervals[level]

    def _column(self, place: int) -> list[Any]:
        kind, cells = self._facts["types"][place], self._cells[place]
        if kind == "date":
            return [None if c is None else datetime.date.fromordinal(_FIRST_DAY + c) for c in cells]
        if kind == "timestamp":
            return [None if c is None else _FIRST_MOMENT + datetime.timedelta(microseconds=c) for c in cells]
        return list(cells)

    def __getitem__(self, name: str) -> list[Any]:
        """The values of a column."""
        places = [place for place, one in enumerate(self.columns) if one == name]
        if len(places) == 1:
            return self._column(places[0])
        there = ", ".join(map(repr, self.columns))
        if not places:
            raise BadInput("unknown-column", f"this answer has no column {name!r}", f"its columns are {there}")
        raise BadInput("ambiguous-name", f"{len(places)} columns are called {name!r}", "name them apart with AS")

    def __iter__(self) -> Iterator[tuple[Cell, ...]]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self._cells[0])

    def __bool__(self) -> bool:
        return True  # also without rows: there is an answer

    def __float__(self) -> float:
        return float(self.value)

    # Elsewhere.

    def to_dict(self) -> dict[str, Any]:
        """All fields by the names of `--json`, intervals at 95%."""
        fields = dict(self._facts)
        fields.update(rows=[list(row) for row in self.rows], intervals=self.intervals())
        fields.update(standard_errors=self.standard_errors, accounted=self._accounted)
        return fields

    def to_pandas(self, intervals: Optional[float] = None) -> pandas.DataFrame:
        """A DataFrame with nullable types; with a level in `intervals` noisy columns have two more: `_low`, `_high`."""
        from dither import answer_tables

        return answer_tables.to_pandas(self._flat(intervals))

    def to_polars(self, intervals: Optional[float] = None) -> polars.DataFrame:
        """A DataFrame of polars, as `to_pandas()`."""
        from dither import answer_tables

        return answer_tables.to_polars(self._flat(intervals))

    def to_arrow(self, intervals: Optional[float] = None) -> pyarrow.Table:
        """A table of pyarrow, as `to_pandas()`."""
        from dither import answer_tables

        return answer_tables.to_arrow(self._flat(intervals))

    def _flat(self, level: Optional[float]) -> list[tuple[str, str, list[Any]]]:
        """Name, type and values of every column; no two have the same name."""
        lows, highs = self._interval_columns(_USUAL if level is None else level)
        measured = [level is not None and low is not None for low in lows]
        columns: list[tuple[str, list[Any]]] = []
        for place, kind in enumerate(self.types):
            columns.append((kind, self._column(place)))
            if measured[place]:
                columns += [("real", list(lows[place])), ("real", list(highs[place]))]
        return [(name, *column) for name, column in zip(_core.flat_names(self.columns, measured), columns)]

    def plot(
        self, columns: Union[None, str, Sequence[str]] = None, *, level: float = _USUAL, ax: Any = None
    ) -> matplotlib.axes.Axes:
        """Bars with their intervals, or a line with a band where many numbers are the keys. Needs matplotlib."""
        from dither import plotting

        return plotting.plot(self, columns, level, ax)

    def __repr__(self) -> str:
        from dither import answer_display

        return answer_display.text_of(self)

    def _repr_html_(self) -> str:
        from dither import answer_display

        return answer_display.html_of(self)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_basis": None}

    def __copy__(self) -> Answer:
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__, _intervals=dict(self._intervals))
        return made

    def __deepcopy__(self, memo: dict[int, Any]) -> Answer:
        made = type(self).__new__(type(self))
        made.__dict__.update(copy.deepcopy(self.__getstate__(), memo), _basis=self._basis)  # which never changes
        return made

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Answer):
            return NotImplemented
        same = ("_facts", "_cells", "_errors", "_payers", "_accounted")
        return all(getattr(self, name) == getattr(other, name) for name in same)

    __hash__ = None  # type: ignore[assignment]


def _ends(intervals: tuple[list[Any], list[Any]]) -> tuple[list[Any], list[Any]]:
    """Lows and highs by column, where a zero has no sign."""
    lows, highs = (
        [None if column is None else [None if end is None else end + 0.0 for end in column] for column in side]
        for side in intervals
    )
    return lows, highs


def _level(level: float) -> float:
    try:
        number = float(level)
    except (TypeError, ValueError):
        number = 0.0
    if 0 < number < 1:
        return number
    raise BadInput("bad-probability", f"the level is {level!r}, which is not between 0 and 1", "write 0.95 for 95%")
