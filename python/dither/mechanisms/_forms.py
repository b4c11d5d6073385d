"""What mechanisms there are, from the core's own table: names, parameters, promises."""
from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Iterable, Sequence

from dither import _core
from dither._numbers import exact
from dither.errors import BadInput
from dither.mechanisms._distance import fraction

core: Any = _core.mechanisms  # type: ignore[attr-defined,unused-ignore]

VECTOR_OPTIONS = {
    "size": "how many numbers a vector has, where the price depends on it",
    "grid": "the vector is of reals, put on this grid before the noise",
    "bounds": "(low, high): each number is moved into these bounds before the noise",
    "from_": "the metric of distances: l1, l2, linf or cells",
}
KEYED_OPTIONS = {"from_": "the metric of distances: l1, l2 or cells"}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a recipe."""

    name: str
    kind: str
    about: str
    optional: bool


@dataclass(frozen=True)
class Form:
    """What a recipe of this name needs and promises."""

    name: str
    takes: str
    metric: str
    measures: bool
    size: str
    parameters: tuple[Parameter, ...]
    guarantee: str
    conditions: str
    rows: tuple[str, ...]

    @property
    def word(self) -> str:
        """The name as Python writes it."""
        return self.name.replace("-", "_")

    @property
    def options(self) -> dict[str, str]:
        """What can be said about the input besides the parameters."""
        if not self.measures:
            return {}
        options = {"vector": VECTOR_OPTIONS, "keyed": KEYED_OPTIONS}.get(self.takes, {})
        return {name: about for name, about in options.items() if name not in [p.name for p in self.parameters]}

    def help(self) -> str:
        """The text that help() shows."""
        lines = [f"{self.guarantee}.", "", f"Holds if: {self.conditions}."]
        if self.rows:
            lines += [f"Specification: {', '.join(self.rows)}."]
        if self.takes != "same as parts":
            metric = f", distances in {self.metric} unless another metric is named" if self.metric else ""
            lines += [f"Takes: {self.takes}{metric}."]
        if self.takes == "keyed":
            lines += ["Numbers of equal keys are added first, what no key can be counts as None: distances are between",
                      "the numbers by key after that."]
        for title, entries in (("Parameters", [(p.name, p.about) for p in self.parameters]),
                               ("About the input", list(self.options.items()))):
            if entries:
                lines += ["", f"{title}:"] + [f"  {name:<12} {about}" for name, about in entries]
        return "\n".join(lines) + "\n"


@lru_cache(maxsize=None)
def forms() -> dict[str, Form]:
    """All forms, by the names that Python uses."""
    made = [Form(name=f["name"], takes=f["takes"], metric=f["metric"], measures=f["measures"], size=f["size"],
                 parameters=tuple(Parameter(*p) for p in f["parameters"]), guarantee=f["guarantee"],
                 conditions=f["conditions"], rows=tuple(f["rows"])) for f in core.forms()]
    return {form.word: form for form in made}


def count_of(name: str, value: Any) -> Any:
    """A whole number, or None."""
    value = _plain(value)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63):
        return value
    raise BadInput("bad-count", f"{name} is {value!r}, which is no whole number", f"write e.g. {name}=3")


def metric_of(value: Any) -> str:
    """The name of a metric; there is no default for an input that is described by hand."""
    if isinstance(value, str):
        return value
    raise BadInput("missing-key", "the metric of distances is not named: what counts as one step is what is protected",
                   'write from_="symmetric" (rows), "units-added" (units), "l1" or "l2" (vectors)')


def check_names(form: Form, given: Iterable[str]) -> None:
    """Refuses names that the form does not have, and says which it has; then those that are missing."""
    names = [p.name for p in form.parameters]
    known = names + list(form.options)
    for name in given:
        if name not in known:
            has = ", ".join(known) or "none"
            raise BadInput("unknown-key", f"{form.word} has no parameter \"{name}\"", f"its parameters: {has}")
    for parameter in form.parameters:
        if not parameter.optional and parameter.name not in given:
            shown = ["measurement"] * (form.takes == "same as parts") + [f"{name}=..." for name in names]
            raise BadInput("missing-key", f"{form.word} needs {parameter.name}: {parameter.about}",
                           f"write {form.word}({', '.join(shown)})")


def _flat(form: Form, parameter: Parameter, value: Any) -> tuple[list[Any], int]:
    """The entries of a matrix (or list), and its rows (0 for a list)."""
    rows = [row.tolist() if hasattr(row, "tolist") else row for row in _listed(form, parameter, value)]
    if not rows or not all(isinstance(row, (list, tuple)) for row in rows):
        return rows, 0
    if len({len(row) for row in rows}) > 1:
        raise BadInput("bad-count", f"the rows of {parameter.name} are not equally long", "give a matrix")
    return [entry for row in rows for entry in row], len(rows)


def with_rows(form: Form, given: dict[str, Any]) -> dict[str, Any]:
    """The same parameters; a matrix that is given row by row says itself how many rows it has."""
    all_given = dict(given)
    if "rows" in [p.name for p in form.parameters]:
        for parameter in form.parameters:
            if parameter.kind == "numbers" and parameter.name in given:
                entries, rows = _flat(form, parameter, given[parameter.name])
                all_given[parameter.name] = entries
                if rows:
                    all_given.setdefault("rows", rows)
    return all_given


def _plain(value: Any) -> Any:
    """A number or text of numpy as one of Python."""
    return value.item() if hasattr(value, "item") and getattr(value, "ndim", 0) == 0 else value


def _listed(form: Form, parameter: Parameter, value: Any) -> Sequence[Any]:
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise BadInput("wrong-type", f"{parameter.name} of {form.word} is a list: {parameter.about}",
                       f"write {parameter.name}=[...]")
    return [_plain(one) for one in value]


def value_of(form: Form, parameter: Parameter, value: Any, step: Any) -> Any:
    """A parameter as the core takes it. Lengths of noise are in units of the data; recipes have them in steps."""
    name, kind = f"{parameter.name} of {form.word}", parameter.kind
    if kind in ("number", "count"):
        return exact(name, value)
    if kind in ("width", "square"):
        return str(fraction(name, value) / (step if kind == "width" else step * step))
    if kind == "truth":
        return bool(value)
    if kind in ("numbers", "counts"):
        return [exact(name, one) for one in _listed(form, parameter, value)]
    if kind in ("cell", "bytes"):
        return [_plain(value)]
    if kind == "text":
        if isinstance(value, str):
            return value
        raise BadInput("wrong-type", f"{name} is text: {parameter.about}", f'write {parameter.name}="..."')
    return list(_listed(form, parameter, value))
