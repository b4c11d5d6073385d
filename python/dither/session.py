"""A project opened, or declared in code: questions in, answers with their error and their price out."""
from __future__ import annotations

import json
import os
import sys
import warnings
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping, Optional, Sequence

from dither import _core, _processes
from dither._numbers import Number, exact
from dither.budget import Budget, Budgets
from dither.declarations import file_path, said_in_python
from dither.errors import BadInput, Error
from dither.explanation import Explanation, Report

if TYPE_CHECKING:
    from dither.answer import Answer
    from dither.query import Query


class SessionOnlyWarning(UserWarning):
    """A ledger in memory: what was spent is forgotten with the session."""


class Session:
    """Tables, whom they are about, what may be spent, and the ledger that keeps count: the project file in code.

    Nothing about privacy has a default. `unit`, `neighbours`, `budget` and `ledger` must be given; the words in
    `columns`, `bounds`, `expected`, `unique` and `multiplicity` are those of the project file. With one table they may
    stand alone; with several they are given by table: `bounds={"visits": {...}}`.

    tables        name -> DataFrame (pandas, polars), pyarrow Table, structured array, or the path of a file
    unit          whose a row is: the column that names its owner, "row", {"rows": 5}, or {"through": ..., "by": ...}
    neighbours    "add-remove" or "replace-one"
    columns       name -> type, or {"type": ...} with "bounds", "keys", "max_length", "outside", "grid" and "null_as"
    bounds        what one unit may contribute: {"rows_per_unit": 6, "keys_per_unit": 3, "rows_per_key": 2}
    budget        what may be spent; `budgets` are those below it, by name
    ledger        path of the file that keeps count, or ":memory:", which is forgotten with the session
    dataset       name of the data set in the ledger, and `data_version` the label of its state; both are needed for
                  tables in memory with a ledger file, since nothing else tells it what the numbers are about
    public        names of the tables that are nobody's
    hardened      as a server answers: no progress; with `deadline` (seconds) a child process reads the data, and every
                  answer, refusal or interrupt leaves when that time has passed

    >>> import numpy
    >>> visits = numpy.rec.fromarrays([[1, 1, 2], [5, 7, 20]], names="person,cost")
    >>> s = Session(tables={"visits": visits}, unit="person", neighbours="add-remove", ledger=":memory:",
    ...             columns={"person": "integer", "cost": {"type": "integer", "bounds": (0, 50), "outside": "clamp"}},
    ...             bounds={"rows_per_unit": 2}, budget=Budget(epsilon=3))
    >>> s.explain("SELECT SUM(cost) FROM visits", epsilon=1).fits
    True
    >>> s.budget.left.epsilon
    3.0
    """

    def __init__(
        self,
        *,
        tables: Optional[Mapping[str, Any]] = None,
        unit: Any = None,
        neighbours: Optional[str] = None,
        columns: Optional[Mapping[str, Any]] = None,
        budget: Optional[Budget] = None,
        ledger: Optional[str | os.PathLike[str]] = None,
        bounds: Optional[Mapping[str, Any]] = None,
        expected: Optional[Mapping[str, Any]] = None,
        public: Sequence[str] = (),
        unique: Any = None,
        multiplicity: Optional[Mapping[str, Any]] = None,
        budgets: Optional[Mapping[str, Budget]] = None,
        dataset: Optional[str] = None,
        data_version: Optional[str] = None,
        unit_name: Optional[str] = None,
        deadline: Optional[Number] = None,
        anchor: Optional[str | os.PathLike[str]] = None,
        memory: Optional[str] = None,
        threads: Optional[int] = None,
        hardened: bool = False,
        progress: bool = True,
        **unknown: Any,
    ) -> None:
        from dither import _project

        _project.refuse_unknown("Session", unknown, Session.__init__)
        _truth("hardened", hardened)
        _truth("progress", progress)
        given = _project.Given(
            tables=tables, unit=unit, neighbours=neighbours, columns=columns, budget=budget, ledger=ledger,
            bounds=bounds, expected=expected, public=public, unique=unique, multiplicity=multiplicity, budgets=budgets,
            dataset=dataset, data_version=data_version, unit_name=unit_name, deadline=deadline, anchor=anchor,
        )
        project = given.project()
        self._place: Optional[Callable[[int], str]] = project.text.place
        with self._said():
            core = _core.Session(project.text.text(), project.name, project.tables, _limits(memory, threads))
            self._begin(core, hardened, progress)
        if core.accounted == "session only":
            warnings.warn(
                'the ledger is ":memory:": what is spent is forgotten with this session, and answers say so',
                SessionOnlyWarning,
                stacklevel=2,
            )

    def _begin(self, core: _core.Session, hardened: bool, progress: bool) -> None:
        _processes.require_own_ledger(core)
        core.begin()
        self._core = core
        self._hardened = hardened
        self._progress = progress
        _processes.add(core)

    @classmethod
    def _opened(cls, path: str, options: dict[str, str], hardened: bool, progress: bool) -> Session:
        session = cls.__new__(cls)
        session._place = None
        with session._said():
            core = _core.Session(path, options)
            session._begin(core, hardened, progress)
        return session

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Errors in the words of a Python program, and what an interrupt leaves behind."""
        try:
            yield
        except Error as error:
            message, hint = said_in_python(error, self._place)
            if (message, hint) == (error.message, error.hint):
                raise
            raise type(error)(error.code, message, hint) from None
        except KeyboardInterrupt as stop:
            _note(stop, "what was opened by then stays charged; `session.history` lists it")
            raise

    def explain(
        self,
        sql: str,
        *positional: Any,
        epsilon: Optional[Number] = None,
        rho: Optional[Number] = None,
        error: Optional[Number] = None,
        delta: Optional[Number] = None,
        expect: Optional[int] = None,
        cut_units: bool = False,
        as_: Optional[str] = None,
        **unknown: Any,
    ) -> Explanation:
        """What a statement would cost and how exact it would be. Reads no data, spends nothing.

        `epsilon` or `rho` is the price; `error` asks the other way round, for the price of a 95% interval of +- so much
        (200, or "5%" of a public size). `delta` is for what needs one: keys that nobody listed, Gaussian noise.
        `cut_units` asks for one column more: how many units are cut (rows or keys), by key.
        """
        _refuse(self.explain, unknown, positional)
        options = _wanted(cut_units, epsilon=epsilon, rho=rho, error=error, delta=delta, expect=expect)
        if as_ is not None:
            options["as"] = _text("as_", as_)
        with self._said():
            fields, text = self._core.explain(_text("sql", sql), options)
        return Explanation(json.loads(fields), text)

    def sql(
        self,
        sql: str,
        *positional: Any,
        epsilon: Optional[Number] = None,
        rho: Optional[Number] = None,
        error: Optional[Number] = None,
        delta: Optional[Number] = None,
        expect: Optional[int] = None,
        cut_units: bool = False,
        as_: Optional[str] = None,
        again: bool = False,
        title: str = "",
        progress: Optional[bool] = None,
        **unknown: Any,
    ) -> Answer:
        """Answers a statement: charges its price, reads the data, adds noise once, gives values with their error.

        A question that was answered before is answered from the ledger and costs nothing, unless `again`. `as_` names
        the budget that pays; `title` is kept in the ledger instead of the statement. `cut_units` buys one column more:
        how many units are cut (rows or keys), by key. Ctrl-C stops it: what was opened by then stays charged.
        """
        _refuse(self.sql, unknown, positional)
        options = _wanted(cut_units, epsilon=epsilon, rho=rho, error=error, delta=delta, expect=expect)
        return self._ask(sql, False, options, as_, again, title, progress)[0]

    def script(
        self,
        text: str,
        *positional: Any,
        epsilon: Optional[Number] = None,
        rho: Optional[Number] = None,
        error: Optional[Number] = None,
        delta: Optional[Number] = None,
        expect: Optional[int] = None,
        cut_units: bool = False,
        as_: Optional[str] = None,
        again: bool = False,
        title: str = "",
        progress: Optional[bool] = None,
        **unknown: Any,
    ) -> list[Answer]:
        """Answers several statements, each at this price. All are priced first, and charged together or not at all."""
        _refuse(self.script, unknown, positional)
        options = _wanted(cut_units, epsilon=epsilon, rho=rho, error=error, delta=delta, expect=expect)
        return self._ask(text, True, options, as_, again, title, progress)

    def _ask(
        self,
        text: str,
        script: bool,
        options: dict[str, str],
        as_: Optional[str],
        again: bool,
        title: str,
        progress: Optional[bool],
    ) -> list[Answer]:
        if as_ is not None:
            options["as"] = _text("as_", as_)
        if _truth("again", again):
            options["again"] = ""
        if self._hardened:
            options["hardened"] = ""
        draws = self._progress if progress is None else _truth("progress", progress)
        draws = draws and not self._hardened and sys.stderr is not None and sys.stderr.isatty()
        with self._said():
            answers: list[Answer] = self._core.ask(_text("sql", text), script, options, _text("title", title), draws)
        return answers

    def table(self, name: str) -> Query:
        """The beginning of a question about a table, for those who prefer steps to SQL."""
        from dither.query import Query

        return Query(self, name)

    @property
    def budget(self) -> Budgets:
        """What is spent and what is left, as the next charge finds it."""
        with self._said():
            return Budgets(json.loads(self._core.budgets()), self._core.accounted)

    @property
    def history(self) -> list[dict[str, Any]]:
        """What was released, oldest first: the fields of `dither history --json`."""
        with self._said():
            releases: list[dict[str, Any]] = json.loads(self._core.history())
        return releases

    def describe(self, table: str = "") -> Report:
        """The tables and columns that can be asked for, and what is promised about them: as `dither tables --json`."""
        with self._said():
            fields, text = self._core.describe(_text("table", table))
        return Report(json.loads(fields), text)

    @property
    def accounted(self) -> str:
        """Where charges are kept: the path of the ledger, or "session only"."""
        return self._core.accounted

    def close(self) -> None:
        """Lets go of data and ledger. What runs in other threads goes on; new questions are refused."""
        self._core.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: Optional[type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<dither.Session, accounted: {self.accounted}>"

    def __reduce__(self) -> Any:
        raise BadInput("not-supported", "a session cannot be pickled: it holds private rows", "pickle its answers")


def open(
    path: str | os.PathLike[str] = "",
    *,
    memory: Optional[str] = None,
    threads: Optional[int] = None,
    hardened: bool = False,
    progress: bool = True,
    **unknown: Any,
) -> Session:
    """Opens a project file, or the nearest dither.yaml here or above. Reads no data, spends nothing.

    `hardened` answers as a server does: see `dither.Session`.
    """
    _refuse(open, unknown)
    _truth("hardened", hardened)
    _truth("progress", progress)
    name = file_path("path", path)
    return Session._opened(name and os.path.abspath(name), _limits(memory, threads), hardened, progress)


def _refuse(function: Callable[..., Any], unknown: Mapping[str, Any], positional: Sequence[Any] = ()) -> None:
    if positional:
        name, price = function.__name__, positional[0]
        example = price if isinstance(price, (int, float)) and not isinstance(price, bool) else 1
        said = f"{name}() takes one argument without a name, and a price must say what it is"
        raise BadInput("bad-argument", said, f"write {name}(..., epsilon={example}), rho=... or error=...")
    if unknown:
        from dither import _project

        _project.refuse_unknown(function.__qualname__.rpartition(".")[2], unknown, function)


def _options(**numbers: Optional[Number]) -> dict[str, str]:
    return {name: exact(name, value) for name, value in numbers.items() if value is not None}


def _wanted(cut_units: bool, **numbers: Optional[Number]) -> dict[str, str]:
    return _options(**numbers) | ({"cut-units": ""} if _truth("cut_units", cut_units) else {})


def _limits(memory: Optional[str], threads: Optional[int]) -> dict[str, str]:
    return _options(memory=memory, threads=threads)


def _truth(name: str, value: Any) -> bool:
    if isinstance(value, bool):
        return value
    raise BadInput("wrong-type", f"{name} is of type {type(value).__name__}", f"write {name}=True or {name}=False")


def _text(name: str, text: Any) -> str:
    if not isinstance(text, str):
        raise BadInput("wrong-type", f"{name} is of type {type(text).__name__}, not text", f"write {name} as text")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise BadInput("bad-sql", f"{name} holds half a character", "write it in Unicode's own characters") from None
    return text


def _note(error: BaseException, text: str) -> None:
    if hasattr(error, "add_note"):  # from Python 3.11 on
        error.add_note(text)
    else:
        error.args = (*error.args, text)
