"""Mechanisms and the steps before them, on numpy arrays and tables, each with the price that is proven for it.

Every mechanism of the core is here by its name: `dir(dither.mechanisms)` lists them, `help(dither.mechanisms.laplace)`
shows what one promises. Lengths of noise (`scale`, `sigma`) are in the units of the data, and nothing about privacy has
a default. `discrete_laplace` and `gaussian` on whole numbers are the quick ones, a million in some milliseconds;
`laplace` and `real_gaussian` draw the continuous laws exactly, a hundred times slower.

>>> import dither.mechanisms as m
>>> noise = m.discrete_laplace(scale=10)
>>> noise.map(3)
<epsilon 3/10>
>>> type(noise.release(42))
<class 'int'>

Steps are put together with `>>`, and prices follow: three rows of a person at sigma 10.

>>> people = m.table({"person": "integer"}, from_="units-added")
>>> counted = people >> m.total_count(rows=3, to="l2") >> m.gaussian(sigma=10)
>>> counted.map(1)
<rho 9/200>
"""
from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from dither._numbers import Number
from dither.errors import BadInput
from dither.mechanisms._distance import Cells, Distance, Loss, cells
from dither.mechanisms._distance import steps as _steps_of
from dither.mechanisms._forms import Form, core, count_of, forms, metric_of
from dither.mechanisms._made import made
from dither.mechanisms._steps import (ErrorBar, Input, Measurement, Step, Transformation, from_json,
                                      transformation_from_json)

__all__ = ["Cells", "ErrorBar", "Input", "Loss", "Measurement", "Step", "Transformation", "cells", "chain",
           "find_scale", "from_json", "keyed", "reals", "table", "tables", "transformation_from_json", "vector"]


def vector(*, size: Optional[int] = None, from_: Optional[str] = None) -> Input:
    """Vectors of whole numbers; `from_` is the metric of distances: l1, l2, linf or cells. It must be named."""
    return Input(core.vector_input(count_of("size", size), "1", None, metric_of(from_)))


def reals(*, size: Optional[int] = None, from_: Optional[str] = None) -> Input:
    """Vectors of reals, any a double can hold: put `clamp_reals` and `reals_to_grid` behind."""
    return Input(core.reals_input(count_of("size", size), metric_of(from_)))


def keyed(*, keys: Optional[Sequence[Any]] = None, from_: Optional[str] = None) -> Input:
    """Counts by key. With `keys` the keys are public, and exactly these; without, they are private.

    Numbers of equal keys are added before all else, and distances are between the sums: see Measurement.map.
    """
    return Input(core.keyed_input(None if keys is None else list(keys), metric_of(from_)))


def table(columns: Mapping[str, str], *, from_: Optional[str] = None) -> Input:
    """Tables with these columns, {"age": "integer"}: boolean, integer, real or text. Every cell may be missing.

    `from_` is the metric, and must be named: "symmetric" (rows added or removed), "change-one", "units-added" (all rows
    of the unit in the first column), ... Whatever else is true of a table is made true by a step: clamp, impute,
    keep_rows, resize.
    """
    if not isinstance(columns, Mapping):
        raise BadInput("wrong-type", "columns are given by name, with their types",
                       'write table({"age": "integer"}, from_=...)')
    return Input(core.table_input([(str(name), str(kind)) for name, kind in columns.items()], metric_of(from_)))


def tables(parts: Sequence[Input], *, from_: Optional[str] = None) -> Input:
    """Several tables; `from_` is e.g. "units-added" or "sum of symmetric"."""
    listed = isinstance(parts, Sequence)
    if not listed or not all(isinstance(part, Input) and part._core.takes == "table" for part in parts):
        raise BadInput("wrong-type", "only tables can stand side by side",
                       "write tables([table(...), table(...)], from_=...)")
    return Input(core.tables_input([part._core for part in parts], metric_of(from_)))


def chain(first: Any, *others: Any) -> Any:
    """first >> second >> third."""
    for other in others:
        first = first >> other
    return first


def find_scale(make: Callable[[Fraction], Measurement], d_in: Distance, *, epsilon: Optional[Number] = None,
               delta: Optional[Number] = None, rho: Optional[Number] = None, mu: Optional[Number] = None,
               squared: Optional[Number] = None) -> float:
    """The least scale at which make(scale) costs no more than this for inputs at distance d_in.

    The check holds at the answer, as Python writes it, and fails at the second double below. For one number say so:
    without size=1 `gaussian` is priced for vectors of any size, by its rho alone, and needs more noise at a delta,
    sigma 4.53 instead of 4.23 for epsilon 1, delta 1e-6.

    >>> import dither.mechanisms as m
    >>> m.find_scale(lambda scale: m.laplace(scale=scale), 1, epsilon=0.5)
    2.0
    """
    probe = make(Fraction(1)) if callable(make) else None
    if not isinstance(probe, Measurement):
        raise BadInput("wrong-type", "the function does not give a measurement",
                       "write find_scale(lambda scale: laplace(scale=scale), ...)")
    known, wanted = probe._against(epsilon, delta, rho, mu)
    at = probe._core.input

    def core_of(scale: str) -> Any:
        return make(Fraction(scale))._against(epsilon, delta, rho, mu)[0]._core

    text = core.find_scale(core_of, _steps_of(at.metric, at.step, d_in, squared), known.measure, wanted, at.metric)
    least = float(Fraction(text))
    return least if Fraction(repr(least)) >= Fraction(text) else math.nextafter(least, math.inf)


def _maker(form: Form) -> Callable[..., Any]:
    """A function of the form's name, with its parameters and its promise as the documentation."""
    import inspect

    def make(*parts: Any, **given: Any) -> Union[Step, Measurement]:
        return made(form, parts, given)

    make.__name__ = make.__qualname__ = form.word
    make.__doc__ = form.help()
    kinds = inspect.Parameter
    signature = [kinds("measurements", kinds.VAR_POSITIONAL)] if form.takes == "same as parts" else []
    names = [(p.name, None if p.optional else kinds.empty) for p in form.parameters]
    names += [(name, None) for name in form.options]
    signature += [kinds(name, kinds.KEYWORD_ONLY, default=default) for name, default in names if name != "from"]
    make.__signature__ = inspect.Signature(signature)  # type: ignore[attr-defined]
    return make


def __getattr__(name: str) -> Callable[..., Any]:
    if name.startswith("_"):
        raise AttributeError(name)
    form = forms().get(name)
    if form is None:
        import difflib

        near = difflib.get_close_matches(name, list(forms()) + __all__, 1)
        hint = f"did you mean {near[0]}?" if near else "dir(dither.mechanisms) lists what there is"
        raise AttributeError(f"there is no mechanism \"{name}\": {hint}")
    maker = _maker(form)
    globals()[name] = maker
    return maker


def __dir__() -> list[str]:
    return sorted(__all__ + list(forms()))
