"""The arguments of dither.Session as a project: its text, and its tables in memory."""
from __future__ import annotations

import inspect
import os
from difflib import get_close_matches
from typing import Any, Callable, Mapping

from dither import _core, tables
from dither.declarations import ProjectText, budget_words, by_table, column_words, file_path
from dither.errors import BadInput

IN_MEMORY = ":memory:"

_SEED = (
    "noise cannot be repeated: whoever knows the seed can subtract it, and nothing would be private",
    "leave seed out; an answer that was given is stored, and reading it again is free and bit-identical",
)

# What must be said, and an example of how.
_NEEDED = {
    "tables": ("which tables", 'tables={"visits": frame}'),
    "unit": ("whose a row is", 'unit="person_id", or unit="row" where nobody has two rows'),
    "neighbours": ("how neighbouring data differ", 'neighbours="add-remove" or neighbours="replace-one"'),
    "budget": ("what may be spent", "budget=dither.Budget(epsilon=1)"),
    "ledger": ("where charges are kept", 'ledger="visits.ledger", or ":memory:" to forget them with the session'),
}


def refuse_unknown(where: str, unknown: Mapping[str, Any], function: Callable[..., Any]) -> None:
    """Names every argument that there is not; `seed` with the reason."""
    for name in unknown:
        if name == "seed":
            raise BadInput("bad-argument", f"{where}(seed=...): {_SEED[0]}", _SEED[1])
        hidden = ("self", "positional", "unknown")
        names = [name for name in inspect.signature(function).parameters if name not in hidden]
        near = get_close_matches(name, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
        raise BadInput("bad-argument", f"{where}() has no argument {name}", hint)


class Project:
    """What the core is given."""

    def __init__(self, text: ProjectText, name: str, held: dict[str, _core.Table]) -> None:
        self.text = text
        self.name = name
        """Stands for the project file: paths are relative to its folder, the working directory."""
        self.tables = held


class Given:
    """The arguments of a session, by name; None for what was not given."""

    def __init__(self, **arguments: Any) -> None:
        self._given = arguments
        for name, (what, example) in _NEEDED.items():
            if arguments[name] is None and (name != "unit" or self._private()):
                raise BadInput("missing-key", f"{name} is not given: {what}? There is no default", f"write {example}")
        if not isinstance(arguments["tables"], Mapping) or not arguments["tables"]:
            raise BadInput("wrong-type", "tables is no map of tables, or empty", 'write tables={"visits": frame}')
        for name in arguments["tables"]:
            if not isinstance(name, str):
                raise BadInput("bad-name", f"tables has the name {name!r}, which is no text", "name tables by text")
        self._ledger = file_path("ledger", arguments["ledger"])
        self._names: list[str] = list(arguments["tables"])
        self._public = self._public_names()

    def project(self) -> Project:
        """Refuses what can be seen here, in the words of the arguments; the rest is for the core."""
        held: dict[str, _core.Table] = {}
        text = ProjectText()
        text.open("Session(...)")
        text.add("", "version", 1)
        sources = self._sources(held)
        text.add("data_version", "data_version", self._data_version())
        text.open("", "privacy")
        text.add("unit_name" if self._given["unit_name"] else "unit", "unit", self._unit_name())
        text.add("neighbours", "neighbours", self._given["neighbours"])
        text.close()
        self._write_tables(text, sources)
        self._write_budgets(text, bool(held))
        text.add("ledger", "ledger", self._ledger)
        for name in ("deadline", "anchor"):
            value = self._given[name]
            if value is not None:
                text.add(name, name, file_path(name, value) if name == "anchor" else value)
        text.close()
        return Project(text, os.path.join(os.getcwd(), "Session(...)"), held)

    def _private(self) -> bool:
        names = self._given["tables"] or {}
        return not names or any(name not in self._public_names() for name in names)

    def _public_names(self) -> list[str]:
        public = self._given["public"]
        names = [public] if isinstance(public, str) else list(public)
        for name in names:
            if name not in (self._given["tables"] or {}):
                raise BadInput("unknown-table", f"public names {name!r}, which is no table", 'write public=["regions"]')
        return names

    def _of(self, argument: str) -> dict[str, tuple[str, Any]]:
        """What an argument says, by table. A unit that stands alone is that of every private table."""
        given = self._given[argument]
        private = [name for name in self._names if name not in self._public]
        if argument == "unit" and given is not None:
            alone = not isinstance(given, Mapping) or not all(name in self._names for name in given)
            return {name: ("unit", given) for name in private} if alone else by_table("unit", given, self._names)
        if argument in ("bounds", "expected") and len(private) == 1 and isinstance(given, Mapping):
            if not any(name in self._names for name in given):  # public tables have neither
                return {private[0]: (argument, given)}
        return by_table(argument, given, self._names)

    def _unit_name(self) -> str:
        """Whom one unit stands for, in words; the column's name says it where there is one."""
        if self._given["unit_name"] is not None:
            return _name("unit_name", self._given["unit_name"])
        units = [unit for _, unit in self._of("unit").values()]
        columns = sorted({unit for unit in units if isinstance(unit, str) and unit != "row"})
        if len(columns) > 1:
            raise BadInput(
                "missing-key",
                f"unit has several columns, {', '.join(columns)}",
                'say whom they name: unit_name="person"',
            )
        return columns[0] if columns else "row"

    def _data_version(self) -> str:
        version = self._given["data_version"]
        if version is not None:
            return _name("data_version", version)
        if self._in_memory():
            return "1"
        raise BadInput(
            "missing-key",
            "data_version is not given: the ledger outlives this session, and must know of which data it tells",
            'write data_version="1", and another label once the data changed',
        )

    def _in_memory(self) -> bool:
        return self._ledger == IN_MEMORY

    def _dataset(self, in_memory: bool) -> str:
        dataset = self._given["dataset"]
        if dataset is not None:
            return _name("dataset", dataset)
        if in_memory and not self._in_memory():
            raise BadInput(
                "missing-key",
                "dataset is not given: the ledger outlives this session, and a table in memory has no name of its own",
                'write dataset="visits": all sessions about these people share one budget',
            )
        return "main"

    def _columns(self) -> dict[str, dict[str, tuple[str, Any]]]:
        """By table, then by column: the place, and the words."""
        result: dict[str, dict[str, tuple[str, Any]]] = {name: {} for name in self._names}
        for table, (place, columns) in self._of("columns").items():
            if not isinstance(columns, Mapping):
                raise BadInput("wrong-type", f"{place} is no map of columns", f'write {place}={{"cost": "integer"}}')
            for name, declared in columns.items():
                if not isinstance(name, str):
                    raise BadInput("bad-name", f"{place} has the name {name!r}, no text", "name columns by text")
                at = f'{place}["{name}"]'
                result[table][name] = (at, column_words(at, declared))
        return result

    def _sources(self, held: dict[str, _core.Table]) -> dict[str, Any]:
        """What `source:` says of each table; those in memory are put into `held`."""
        columns = self._columns()
        named = {argument: self._of(argument) for argument in ("unique", "multiplicity")}
        sources: dict[str, Any] = {}
        for table in self._names:
            wanted = {name: words.get("type") for name, (_, words) in columns[table].items()}
            if table in self._public:
                for argument in named.values():
                    for name in _names_in(argument[table][1]) if table in argument else []:
                        wanted.setdefault(name, "text")
            recognised = table not in self._public and not self._in_memory()
            source = tables.source_of(f'tables["{table}"]', self._given["tables"][table], wanted, recognised)
            if isinstance(source, _core.Table):
                held[table] = source
                sources[table] = {"kind": "memory"}
            else:
                sources[table] = source
        return sources

    def _write_tables(self, text: ProjectText, sources: Mapping[str, Any]) -> None:
        columns = self._columns()
        said = {name: self._of(name) for name in ("unit", "bounds", "expected", "unique", "multiplicity")}
        text.open("tables", "tables")
        for table, source in sources.items():
            place = f'tables["{table}"]'
            text.open(place, table)
            text.add(place, "source", source)
            if table in self._public:
                text.add("public", "public", True)
            for name, by_name in said.items():
                if table in by_name:
                    text.add(by_name[table][0], name, by_name[table][1])
            if columns[table]:
                text.open("columns", "columns")
                for column, (at, words) in columns[table].items():
                    text.add(at, column, words)
                text.close()
            text.close()
        text.close()

    def _write_budgets(self, text: ProjectText, in_memory: bool) -> None:
        top = self._dataset(in_memory)
        text.open("budget", "budgets")
        text.add("budget", top, budget_words("budget", self._given["budget"], None))
        below = self._given["budgets"]
        if below is not None and not isinstance(below, Mapping):
            raise BadInput("wrong-type", "budgets is no map", 'write budgets={"alice": dither.Budget(epsilon=1)}')
        for name, budget in (below or {}).items():
            place = f'budgets["{name}"]'
            text.add(place, _name("the name of a budget", name), budget_words(place, budget, top))
        text.close()


def _name(argument: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    raise BadInput("wrong-type", f"{argument} is of type {type(value).__name__}, not text", f'write {argument}="..."')


def _names_in(value: Any) -> list[str]:
    """The columns that `unique` or `multiplicity` name: ["a"], [["a", "b"], ["c"]], {"a": 3}."""
    names: list[str] = []
    for one in value if isinstance(value, (list, tuple, Mapping)) else [value]:
        names += [one] if isinstance(one, str) else _names_in(one) if isinstance(one, (list, tuple)) else []
    return names

