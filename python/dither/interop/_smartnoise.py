"""SmartNoise's metadata as declarations."""
from __future__ import annotations

import os
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Optional, Union

from dither import _core
from dither.accounting._texts import file_name, text_of
from dither.errors import BadInput
from dither.interop._declarations import Declarations

TYPES = {"int": "integer", "float": "real", "string": "text", "boolean": "boolean", "datetime": "timestamp"}
OF_TABLES = ("rows", "rows_exact", "row_privacy", "max_ids", "sample_max_ids", "clamp_counts", "clamp_columns",
             "use_dpsu", "censor_dims")
OF_COLUMNS = ("type", "private_id", "lower", "upper", "nullable", "missing_value", "sensitivity", "cardinality",
              "bounded")


def read_smartnoise(source: Union[str, os.PathLike[str]]) -> Declarations:
    """The declarations of SmartNoise metadata: a path, or the text itself where it has more than one line.

    Units, bounds, types and expected sizes are taken over, with the neighbours that SmartNoise means (add-remove).
    What has no counterpart is in `notes`, nothing is dropped in silence. Refused is what would release something for
    free: an exact number of rows, and a sensitivity that no bounds enforce.

    >>> import dither
    >>> declared = dither.interop.read_smartnoise('''
    ... "":
    ...   clinic:
    ...     visits:
    ...       max_ids: 3
    ...       rows: 4000
    ...       person: {type: int, private_id: True}
    ...       cost: {type: float, lower: 0.0, upper: 5000.0}
    ... ''')
    >>> declared.unit, declared.neighbours
    ({'visits': 'person'}, 'add-remove')
    >>> declared.columns["visits"]["cost"]
    {'type': 'real', 'bounds': [0, 5000], 'outside': 'clamp'}
    """
    text, name = _text_of(source)
    # What SmartNoise's own writer prints, and the strict reader does not take: True and False with capitals.
    plain = re.sub(r"(?m)(:[ \t]+)(True|TRUE|False|FALSE)(?=[ \t]*([,}#]|$))",
                   lambda found: found.group(1) + found.group(2).lower(), text)
    return _Reading(name).read(_core.read_document(plain, name))


def _text_of(source: Union[str, os.PathLike[str]]) -> tuple[str, str]:
    hint = "name a file of SmartNoise metadata, or give its text"
    if isinstance(source, str) and "\n" in source:
        return text_of("the metadata", source, hint), "metadata"
    path = file_name(source, hint)
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(), path
    except (OSError, UnicodeDecodeError):
        raise BadInput("cannot-read", f"{path}: cannot be read", hint) from None


class _Reading:
    """One document, read table by table."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.declared = Declarations("add-remove")

    def read(self, document: Any) -> Declarations:
        collections = dict(self._map("the document", document))
        engine = collections.pop("engine", None)
        if engine is not None:
            self._note(f"engine: {engine} has no counterpart: sources are files, databases of DuckDB, tables in memory")
        if len(collections) != 1:
            self._refuse("bad-syntax", f"{len(collections)} collections are described",
                         "SmartNoise takes one in a file")
        for collection, schemas in collections.items():
            for schema, tables in self._map(f"collection {collection!r}", schemas).items():
                for table, members in self._map(f"schema {schema!r}", tables).items():
                    self._table(str(table), schema, self._map(f"table {table!r}", members))
        return self.declared

    def _table(self, table: str, schema: str, members: Mapping[str, Any]) -> None:
        if table in self.declared.columns:
            self._refuse("bad-name", f"two schemas have a table {table}", "read them one by one, from a file each")
        if schema:
            self._note(f"{table}: schema {schema} has no counterpart: tables are named without one")
        options = {name: members[name] for name in OF_TABLES if name in members}
        columns = {name: self._map(f"column {table}.{name}", value)
                   for name, value in members.items() if name not in OF_TABLES}
        self._unit(table, options, columns)
        self._table_notes(table, options)
        self.declared.columns[table] = {}
        for name, column in columns.items():
            declared = self._column(table, name, column)
            if declared is not None:
                self.declared.columns[table][name] = declared

    def _unit(self, table: str, options: Mapping[str, Any], columns: Mapping[str, Mapping[str, Any]]) -> None:
        ids = [name for name, column in columns.items() if self._flag(table, column, "private_id", False)]
        most = self._count(table, options, "max_ids", 1)
        if self._flag(table, options, "row_privacy", False):
            self.declared.unit[table] = "row" if most == 1 else {"rows": most}
            if ids:
                self._note(f"{table}: private_id of {', '.join(ids)} is not used: row_privacy protects rows")
            return
        if len(ids) > 1:
            self._refuse("two-owners", f"{table} has {len(ids)} columns with private_id: {', '.join(ids)}",
                         "leave one: a row belongs to one unit")
        if not ids:
            self._refuse("missing-key", f"{table} says neither private_id of a column nor row_privacy",
                         "write `private_id: true` for the column that says whose a row is, or `row_privacy: true`")
        self.declared.unit[table] = ids[0]
        self.declared.bounds[table] = {"rows_per_unit": most, "keys_per_unit": most, "rows_per_key": most}
        if most > 1:
            self._note(f"{table}: max_ids {most} bounds all rows of a unit together; with GROUP BY keys and rows of a "
                       "key are bounded apart: lower keys_per_unit or rows_per_key, and answers get more exact")

    def _table_notes(self, table: str, options: Mapping[str, Any]) -> None:
        if "rows_exact" in options:
            self._refuse("bad-argument", f"{table} has rows_exact, by which SmartNoise answers counts without noise",
                         "write `rows:` with a public guess instead")
        rows = self._count(table, options, "rows", 0)
        if rows:
            self.declared.expected[table] = {"rows": rows}
        if not self._flag(table, options, "sample_max_ids", True):
            self._note(f"{table}: sample_max_ids: false is not followed: what a unit may contribute is always enforced")
        if not self._flag(table, options, "clamp_columns", True):
            self._note(f"{table}: clamp_columns: false is not followed: bounds are always enforced, here by clamping")
        if not self._flag(table, options, "censor_dims", True):
            self._note(f"{table}: censor_dims: false is not followed: keys that are not declared need a threshold")
        if self._flag(table, options, "clamp_counts", False):
            self._note(f"{table}: clamp_counts has no counterpart: counts below 0 are shown as they are, without bias")
        if self._flag(table, options, "use_dpsu", False):
            self._note(f"{table}: use_dpsu has no counterpart: keys are chosen by noisy numbers of units")

    def _column(self, table: str, name: str, column: Mapping[str, Any]) -> Optional[dict[str, Any]]:
        where = f"{table}.{name}"
        for key in column:
            if key not in OF_COLUMNS:
                self._refuse("unknown-key", f"{where} has {key!r}, which no column of SmartNoise has",
                             f"known are {', '.join(OF_COLUMNS)}")
        kind = column.get("type")
        if kind == "unknown":
            self._note(f"{where} is of unknown type and left out: it cannot be asked for")
            return None
        if kind not in TYPES:
            self._refuse("wrong-type", f"{where} has the type {kind!r}", f"known are {', '.join(TYPES)}")
        declared: dict[str, Any] = {"type": TYPES[str(kind)]}
        self._column_notes(where, column)
        if self.declared.unit[table] == name:
            if {"lower", "upper", "missing_value"} & set(column):
                self._note(f"{where} names the unit: its bounds and missing_value are left out, ids stay as they are")
            return declared
        self._bounds(where, column, declared)
        if column.get("missing_value") is not None:
            declared["null_as"] = _number(column["missing_value"], declared["type"])
        return declared

    def _bounds(self, where: str, column: Mapping[str, Any], declared: dict[str, Any]) -> None:
        lower, upper = column.get("lower"), column.get("upper")
        numeric = declared["type"] in ("integer", "real")
        if lower is not None and upper is not None and numeric:
            for end in (lower, upper):
                if isinstance(end, bool) or not isinstance(end, (int, Decimal)):
                    self._refuse("wrong-type", f"{where} has a bound that is no number", "write e.g. `lower: 0`")
            if lower > upper:
                self._refuse("bad-bounds", f"{where} has lower {lower} above upper {upper}", "exchange them")
            declared.update(bounds=[_number(lower, declared["type"]), _number(upper, declared["type"])],
                            outside="clamp")
        elif lower is not None or upper is not None:
            self._note(f"{where}: " + ("bounds need both ends: lower or upper alone is left out" if numeric
                                       else "lower and upper are for numbers, and left out"))
        if column.get("sensitivity") is not None:
            if "bounds" not in declared:
                self._refuse("missing-bounds", f"{where} has a sensitivity, but no bounds that enforce it",
                             "write `lower:` and `upper:`: a sensitivity that nothing enforces protects nobody")
            self._note(f"{where}: sensitivity is not used: the bounds, which are enforced, say it")
        if declared["type"] == "real" and "bounds" in declared:
            self._note(f"{where}: sums of real numbers need a grid: declare e.g. type decimal, grid 0.01")

    def _column_notes(self, where: str, column: Mapping[str, Any]) -> None:
        if column.get("nullable") is False:
            self._note(f"{where}: nullable: false has no counterpart: a NULL that is there is left out of sums")
        for key in ("cardinality", "bounded"):
            if column.get(key) is not None:
                self._note(f"{where}: {key} has no counterpart: declare `keys:`, all values, where they are public")

    def _map(self, what: str, value: Any) -> Mapping[str, Any]:
        if not isinstance(value, Mapping):
            self._refuse("wrong-type", f"{what} is no map",
                         "SmartNoise metadata nests collection, schema, table, column")
        return dict(value)

    def _flag(self, where: str, members: Mapping[str, Any], name: str, usual: bool) -> bool:
        value = members.get(name, usual)
        if not isinstance(value, bool):
            self._refuse("wrong-type", f"{where}: {name} is {value!r}", "write true or false")
        return bool(value)

    def _count(self, where: str, members: Mapping[str, Any], name: str, usual: int) -> int:
        value = members.get(name, usual)
        if isinstance(value, bool) or not isinstance(value, int) or value < usual:
            self._refuse("bad-count", f"{where}: {name} is {value!r}", f"write a whole number from {usual}")
        return int(value)

    def _note(self, note: str) -> None:
        self.declared.notes.append(note)

    def _refuse(self, code: str, message: str, hint: str) -> None:
        raise BadInput(code, f"{self.name}: {message}", hint)


def _number(value: Any, kind: str) -> Any:
    """7.0 is 7, which is what integer columns take."""
    if isinstance(value, Decimal) and value == value.to_integral_value():
        return int(value)
    return value
