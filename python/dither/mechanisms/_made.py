"""What `dither.mechanisms.NAME(...)` makes of its parameters."""
from __future__ import annotations

from fractions import Fraction
from typing import Any, Union

from dither.errors import BadInput
from dither.mechanisms._distance import fraction
from dither.mechanisms._forms import Form, check_names, core, count_of, forms, metric_of, with_rows
from dither.mechanisms._steps import Measurement, Recipe, Step, behind


def _size_of(form: Form, given: dict[str, Any]) -> Any:
    """How many numbers the form says that vectors have."""
    if given.get("size") is not None or not form.size:
        return count_of("size", given.get("size"))
    if form.size == "1":
        return 1
    if form.size != "matrix":
        return count_of(form.size, given[form.size])
    return len(given["matrix"]) // max(1, count_of("rows", given["rows"]))


def _metric(form: Form, given: dict[str, Any]) -> str:
    named = given.get("from_")
    return form.metric if named is None else metric_of(named)


def _on_vectors(form: Form, given: dict[str, Any]) -> Measurement:
    """A mechanism for vectors, for the input that the options describe."""
    metric, grid, bounds = _metric(form, given), given.get("grid"), given.get("bounds")
    size = _size_of(form, given)
    before: list[Recipe] = []
    unit = Fraction(1)
    if grid is not None:
        if size is None and metric != "linf":
            raise BadInput("missing-key",
                           f"{form.word} on a grid needs the number of reals: each may round its own way",
                           "give size=1 for a single number, size=len(x) for an array")
        unit = fraction("grid", grid)
        at = core.reals_input(size, metric)
        before.append(Recipe(forms()["reals_to_grid"], {"step": grid}))
    else:
        at = core.vector_input(size, "1", None, metric)
    if bounds is not None:
        if not isinstance(bounds, (list, tuple)) or len(bounds) != 2:
            raise BadInput("bad-bounds", "bounds are two numbers", "write bounds=(0, 100)")
        low, high = (fraction("bounds", bound) / unit for bound in bounds)
        before.append(Recipe(forms()["clamp_vector"], {"low": str(low), "high": str(high)}))
    recipe = Recipe(form, given)
    made = behind(at, (*before, recipe))
    assert isinstance(made, Measurement)
    described = any(given.get(name) is not None for name in form.options)
    return Measurement(made._core, None if described else (recipe,))


def made(form: Form, parts: tuple[Any, ...], given: dict[str, Any]) -> Union[Step, Measurement]:
    """What `dither.mechanisms.NAME(...)` gives."""
    given = with_rows(form, given)
    if form.takes == "same as parts":
        return _of_parts(form, parts, given)
    names = [p.name for p in form.parameters]
    if len(parts) > len(names):
        raise BadInput("bad-count", f"{form.word} has {len(names)} parameters, but was given more", f"give {names}")
    given = {**dict(zip(names, parts)), **given}
    check_names(form, given)
    if not form.measures:
        return Step((Recipe(form, given),))
    if form.takes == "vector":
        return _on_vectors(form, given)
    recipe = Recipe(form, given)
    at = core.keyed_input(None, _metric(form, given))
    return Measurement(recipe.behind(at), (recipe,) if given.get("from_") is None else None)


def _of_parts(form: Form, parts: tuple[Any, ...], given: dict[str, Any]) -> Measurement:
    """A measurement made of measurements."""
    if len(parts) == 1 and isinstance(parts[0], (list, tuple)):
        parts = tuple(parts[0])
    if not parts or not all(isinstance(part, Measurement) for part in parts):
        raise BadInput("wrong-type", f"{form.word} is made of measurements",
                       f"write {form.word}(laplace(scale=2), ...)")
    if form.name == "change-relation":
        check_names(form, {"from": None, **{k: v for k, v in given.items() if k != "to"}})
        return Measurement(core.change_relation(parts[0]._core, metric_of(given.get("to"))))
    check_names(form, given)
    return Measurement(Recipe(form, given, parts).behind(_shared_input(form, parts)))


def _shared_input(form: Form, parts: tuple[Measurement, ...]) -> Any:
    inputs = [part._core.input for part in parts]
    if form.name == "partition":
        return core.tables_input(inputs, f"sum of {inputs[0].metric}")
    return inputs[0]
