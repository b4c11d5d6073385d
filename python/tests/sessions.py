"""What tests of sessions share: a small table that is made up, and a session about it."""
from __future__ import annotations

import warnings
from typing import Any

import dither

PEOPLE = [1, 1, 2, 3, 3, 3, 4, 5]
CITIES = ["Bonn", "Bonn", "Kiel", "Bonn", "Kiel", "Kiel", "Jena", "Bonn"]
COSTS = [5, 7, 20, 1, 2, 3, 50, 11]

COLUMNS: dict[str, Any] = {
    "person": "integer",
    "city": {"type": "text", "keys": ["Bonn", "Kiel", "Jena"], "outside": "other"},
    "cost": {"type": "integer", "bounds": (0, 50), "outside": "clamp"},
}
BOUNDS = {"rows_per_unit": 3, "keys_per_unit": 2, "rows_per_key": 2}
# Epsilons at which a count of at most four rows a person, and a sum of at most 200, have noise of scale 0.01 or less:
# some noise shows in one of exp(100) answers.
SURE = 1000
SURE_OF_SUMS = 20_000


def visits() -> Any:
    """The table as pandas has it."""
    import pandas

    return pandas.DataFrame({"person": PEOPLE, "city": CITIES, "cost": COSTS})


def session(table: Any = None, **changes: Any) -> dither.Session:
    """A session about it, with a ledger that is forgotten."""
    given: dict[str, Any] = {
        "tables": {"visits": visits() if table is None else table},
        "unit": "person",
        "neighbours": "add-remove",
        "columns": COLUMNS,
        "bounds": BOUNDS,
        "budget": dither.Budget(epsilon=10**9),
        "ledger": ":memory:",
    }
    given.update(changes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dither.SessionOnlyWarning)
        return dither.Session(**given)


def count(asked: dither.Session, condition: str = "TRUE") -> Any:
    """How many rows meet a condition, exactly, as far as bounds allow."""
    return asked.sql(f"SELECT COUNT(*) FROM visits WHERE {condition}", epsilon=SURE).value
