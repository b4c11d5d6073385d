"""Differential privacy: private answers in SQL and in Python, with their error and their price."""
from typing import TYPE_CHECKING, Any

from dither import aggregates
from dither._core import __version__
from dither.aggregates import count, count_distinct
from dither.budget import Budget
from dither.errors import BadInput, Error, Failed, OverBudget, Refused
from dither.session import Session, SessionOnlyWarning
from dither.session import open as open
from dither.sql_text import column

if TYPE_CHECKING:
    from dither.aggregates import avg, stddev, stddev_pop, stddev_samp, var_pop, var_samp, variance
    from dither.aggregates import sum as sum
    from dither import accounting, interop, mechanisms
    from dither._audit import audit
    from dither.answer import Answer
    from dither.claims import Approximate, Curve, Gdp, Pure, Zcdp
    from dither.query import Query

__all__ = ["BadInput", "Budget", "Error", "Failed", "OverBudget", "Refused", "Session", "SessionOnlyWarning"]
__all__ += ["__version__", "Answer", "Query", "aggregates", "column", "count", "count_distinct"]
__all__ += ["Approximate", "Curve", "Gdp", "Pure", "Zcdp", "accounting", "audit", "interop", "mechanisms"]
__all__ += ["avg", "stddev", "stddev_pop", "stddev_samp", "var_pop", "var_samp", "variance"]


def __getattr__(name: str) -> Any:
    """Aggregates by their names in SQL, also those that a new core brings; and what is imported when it is used."""
    if name in ("Answer", "Query"):
        from importlib import import_module

        return getattr(import_module(f"dither.{name.lower()}"), name)
    if name in ("accounting", "interop", "mechanisms"):
        from importlib import import_module

        return import_module(f"dither.{name}")
    if name in ("Approximate", "Curve", "Gdp", "Pure", "Zcdp", "audit"):
        from importlib import import_module

        return getattr(import_module("dither._audit" if name == "audit" else "dither.claims"), name)
    if name in aggregates.names():
        return getattr(aggregates, name)
    raise AttributeError(f"module 'dither' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "open", "sum"])  # those two are left out where all is imported: Python has its own
