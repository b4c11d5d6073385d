"""What was declared elsewhere, in our words."""
from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from dither.budget import Budget
from dither.declarations import budget_words


@dataclass
class Declarations:
    """Declarations by table, as `dither.Session` takes them, and `notes`: everything that has no counterpart here.

    Budget, ledger and data are not declared elsewhere and must be given: `dither.Session(tables={"visits": frame},
    budget=..., ledger=..., **declared.arguments())`, or as a file: `declared.project(sources=..., budget=..., ...)`.
    """

    neighbours: str
    unit: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    bounds: dict[str, dict[str, int]] = field(default_factory=dict)
    expected: dict[str, dict[str, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def arguments(self) -> dict[str, Any]:
        """The arguments of `dither.Session` that these declarations give."""
        given = {"unit": self.unit, "neighbours": self.neighbours, "columns": self.columns, "bounds": self.bounds,
                 "expected": self.expected}
        return {name: value for name, value in given.items() if value}

    def project(self, *, sources: Mapping[str, str], budget: Budget, data_version: str, unit_name: str) -> str:
        """The text of a project file (JSON, which is YAML), the notes as comments above it; `unit_name` says whom one
        unit stands for. A table without a source is FILL_IN, which no project may keep."""
        tables: dict[str, Any] = {}
        for name, columns in self.columns.items():
            source = sources.get(name)
            tables[name] = {"source": source if source is not None else "FILL_IN", "unit": self.unit[name]}
            for key, given in (("bounds", self.bounds), ("expected", self.expected)):
                if name in given:
                    tables[name][key] = given[name]
            tables[name]["columns"] = columns
        document = {"version": 1, "data_version": data_version,
                    "privacy": {"unit": unit_name, "neighbours": self.neighbours}, "tables": tables,
                    "budgets": {"main": budget_words("budget", budget, None)}}
        comments = "".join(f"# {' '.join(note.split())}\n" for note in self.notes)
        return comments + _json(document) + "\n"


def _json(value: Any, indent: str = "") -> str:
    """Exact: numbers as they are written."""
    deeper = indent + "  "
    if isinstance(value, Mapping):
        members = [f"{deeper}{json.dumps(key)}: {_json(item, deeper)}" for key, item in value.items()]
        return "{\n" + ",\n".join(members) + f"\n{indent}}}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_json(item, deeper) for item in value) + "]"
    if isinstance(value, Decimal):
        return str(value)
    return json.dumps(value if value is None or isinstance(value, (bool, int, float, str)) else str(value))
