"""OpenDP's words for units and losses."""
from __future__ import annotations

import re
from typing import Any, Optional

from dither._numbers import Number
from dither.budget import Budget
from dither.errors import BadInput


def unit_of(*, contributions: Optional[int] = None, changes: Optional[int] = None, identifier: Optional[str] = None,
            local: Optional[bool] = None, **others: Any) -> dict[str, Any]:
    """The unit and the neighbours that `opendp.prelude.unit_of` means, as arguments of `dither.Session`.

    | OpenDP | here |
    |---|---|
    | `contributions=1` | `unit="row"`, add-remove |
    | `contributions=k` | `unit={"rows": k}`, add-remove: any k rows |
    | `contributions=1, identifier="person"` | `unit="person"`, add-remove: whoever has that id, with all rows |
    | `changes=k` | the same with replace-one |

    Refused are units that are no rows of a table: `local=True`, `absolute`, `l1`, `l2` and `linf`; distances of
    values belong to `dither.mechanisms`, whose `.map(d)` takes them.

    >>> unit_of(contributions=1, identifier="person")
    {'unit': 'person', 'neighbours': 'add-remove'}
    """
    if local:
        raise BadInput("bad-argument", "local=True: every person randomises alone, before there is a table",
                       "describe what each person sends with dither.accounting.RandomisedResponse(epsilon=...)")
    for name, value in others.items():
        if value is not None and value is not False:
            raise BadInput("bad-argument", f"{name}={value!r} is a distance of values, not of rows in a table",
                           "give contributions=k or changes=k; for values ask dither.mechanisms, .map(d)")
    if (contributions is None) == (changes is None):
        raise BadInput("bad-argument", "give one of contributions and changes", "write e.g. unit_of(contributions=1)")
    rows = contributions if changes is None else changes
    if not isinstance(rows, int) or isinstance(rows, bool) or rows < 1:
        raise BadInput("bad-count", f"{rows!r} rows are no unit", "give a whole number from 1")
    neighbours = "add-remove" if changes is None else "replace-one"
    if identifier is None:
        return {"unit": "row" if rows == 1 else {"rows": rows}, "neighbours": neighbours}
    if rows > 1:
        raise BadInput("bad-argument", f"{rows} ids of one person have no counterpart: a unit is one id",
                       "give contributions=1, or a column that names the person")
    return {"unit": identifier, "neighbours": neighbours}


def loss_of(*, epsilon: Optional[Number] = None, delta: Optional[Number] = None,
            rho: Optional[Number] = None) -> Budget:
    """The budget that `opendp.prelude.loss_of` means.

    >>> loss_of(rho=0.5, delta=1e-9)
    Budget(delta=1e-09, rho=0.5)
    """
    if (epsilon is None) == (rho is None):
        raise BadInput("bad-argument", "give one of epsilon and rho", "write e.g. loss_of(epsilon=1, delta=1e-8)")
    return Budget(epsilon=epsilon, delta=delta, rho=rho)


def from_opendp(*, privacy_unit: tuple[Any, Any], privacy_loss: tuple[Any, Any],
                identifier: Optional[str] = None) -> dict[str, Any]:
    """Arguments of `dither.Session` from what OpenDP's `Context` is given: pairs of a metric or measure and a number.

    The metric and the measure are taken by name, so they may be OpenDP's objects or text:

    >>> from_opendp(privacy_unit=("SymmetricDistance()", 1), privacy_loss=("MaxDivergence", 0.5))
    {'unit': 'row', 'neighbours': 'add-remove', 'budget': Budget(epsilon=0.5)}
    """
    words, rows = _pair("privacy_unit", privacy_unit)
    measure, loss = _pair("privacy_loss", privacy_loss)
    metric, identifier = _metric(words, identifier)
    if metric in ("SymmetricDistance", "InsertDeleteDistance", "SymmetricIdDistance", "InsertDeleteIdDistance"):
        unit = unit_of(contributions=rows, identifier=identifier)
    elif metric in ("ChangeOneDistance", "HammingDistance", "ChangeOneIdDistance", "HammingIdDistance"):
        unit = unit_of(changes=rows, identifier=identifier)
    else:
        raise BadInput("bad-argument", f"the metric {metric} has no counterpart",
                       "give unit_of(contributions=...) or changes")
    return {**unit, "budget": _budget(re.sub(r"<.*?>|\(\)|\s", "", measure), loss)}


def _metric(words: str, identifier: Optional[str]) -> tuple[str, Optional[str]]:
    """Its name, and the column of ids, which OpenDP prints too: `SymmetricIdDistance { identifier: col("person") }`."""
    found = re.fullmatch(r"(\w+)(?:<.*?>)?(?:\(\))?\s*(?:\{\s*identifier:\s*(.*?)\s*\})?", words.strip(), re.S)
    if found is None:
        return words, identifier
    metric, expression = found.groups()
    if expression is not None:
        column = re.fullmatch(r'col\("([^"\\]+)"\)', expression)
        if column is None or identifier not in (None, column[1]):
            raise BadInput("bad-argument", f"the ids of {metric} are {expression}, which is no column named here",
                           "make a column of the ids, and name it in unit_of")
        identifier = column[1]
    if metric.endswith("IdDistance") and identifier is None:
        raise BadInput("bad-argument", f"{metric} is about ids, and names no column of them",
                       'write from_opendp(..., identifier="person")')
    return metric, identifier


def _budget(measure: str, loss: Any) -> Budget:
    if measure == "MaxDivergence":
        return loss_of(epsilon=loss)
    if measure == "ZeroConcentratedDivergence":
        return loss_of(rho=loss)
    approximate = {"Approximate(MaxDivergence)": "epsilon", "Approximate(ZeroConcentratedDivergence)": "rho"}
    if measure in approximate and isinstance(loss, (list, tuple)) and len(loss) == 2:
        return loss_of(delta=loss[1], **{approximate[measure]: loss[0]})
    raise BadInput("bad-argument", f"the measure {measure} has no counterpart for a budget",
                   "give a loss in epsilon or rho, with or without delta: loss_of(epsilon=1, delta=1e-8)")


def _pair(what: str, given: Any) -> tuple[str, Any]:
    """A metric or measure as OpenDP prints it, and the number."""
    if not isinstance(given, tuple) or len(given) != 2:
        raise BadInput("bad-argument", f"{what} is no pair", "give what OpenDP's unit_of and loss_of return")
    return str(given[0]), given[1]
