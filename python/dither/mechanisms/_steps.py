"""Steps, what they stand behind, and what they become together: transformations and measurements."""
from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Optional, Union

from dither._numbers import Number, exact
from dither.errors import BadInput
from dither.mechanisms import _data
from dither.mechanisms._distance import Cells, Distance, Loss, fraction, in_units, loss, steps
from dither.mechanisms._forms import Form, core, forms, value_of

if TYPE_CHECKING:
    from dither.accounting import Releases


@dataclass(frozen=True)
class Recipe:
    """A step as it was asked for, not yet behind any input."""

    form: Form
    given: dict[str, Any]
    parts: tuple[Measurement, ...] = ()

    def behind(self, at: Any) -> Any:
        """The core's step behind this input."""
        step = Fraction(at.step) if at.step else Fraction(1)
        values = {p.name: value_of(self.form, p, self.given[p.name], step)
                  for p in self.form.parameters if p.name in self.given}
        recipe = core.recipe(self.form.name, values, [part._core for part in self.parts])
        return core.mechanism(recipe, at) if self.form.measures else core.transformation(recipe, at)


def unfit(other: object) -> BadInput:
    """What is no step."""
    return BadInput("wrong-type", f"{type(other).__name__} is no step that could come next",
                    "put steps behind an input, a measurement last: table(...) >> count() >> laplace(scale=2)")


class Step:
    """One or more steps that need an input: put them behind `table(...)`, `vector(...)` or another step with `>>`."""

    def __init__(self, recipes: tuple[Recipe, ...]) -> None:
        self._recipes = recipes

    def __rshift__(self, other: Union[Step, Measurement]) -> Step:
        if isinstance(other, (Step, Measurement)):
            return Step(self._recipes + (other._recipes if isinstance(other, Step) else other._remade()))
        raise unfit(other)

    def __repr__(self) -> str:
        return " >> ".join(recipe.form.word for recipe in self._recipes) + "  (needs an input: table(...) >> ...)"


def behind(first: Any, recipes: tuple[Recipe, ...]) -> Union[Transformation, Measurement]:
    """All of them behind an input or a transformation of the core."""
    made: Any = None if hasattr(first, "metric") else first
    at = first if made is None else first.output
    for recipe in recipes:
        step = recipe.behind(at)
        made = step if made is None else core.chain(made, step)
        if recipe.form.measures:
            return Measurement(made)
        at = made.output
    return Transformation(made)


class Input:
    """What a first step stands behind: a kind of data, and the metric of distances between two of them."""

    def __init__(self, made: Any) -> None:
        self._core = made

    @property
    def metric(self) -> str:
        """The sense of distances."""
        return str(self._core.metric)

    def __rshift__(self, other: Union[Step, Measurement]) -> Any:
        if isinstance(other, Step):
            return behind(self._core, other._recipes)
        if isinstance(other, Measurement):
            return behind(self._core, other._remade())
        raise unfit(other)

    def __repr__(self) -> str:
        return f"<{self._core.describe}, distances in {self.metric}>"


class Transformation:
    """A deterministic step with a stability map. Data only leaves through a measurement: add one with `>>`."""

    def __init__(self, made: Any) -> None:
        self._core = made

    def map(self, d: Distance, *, squared: Optional[Number] = None) -> Union[Fraction, Cells]:
        """How far apart outputs can be of inputs at distance d, in units of the data; of l2 the square. Exact."""
        at, to = self._core.input, self._core.output
        return in_units(to.metric, to.step, self._core.map(steps(at.metric, at.step, d, squared)))

    @property
    def json(self) -> str:
        """The canonical text of the plan."""
        return str(self._core.json)

    def __rshift__(self, other: Union[Step, Transformation, Measurement]) -> Any:
        if isinstance(other, Step):
            return behind(self._core, other._recipes)
        if isinstance(other, Transformation):
            return Transformation(core.chain(self._core, other._core))
        if isinstance(other, Measurement):
            if other._recipes is not None:
                return behind(self._core, other._recipes)
            return Measurement(core.chain(self._core, other._core))
        raise unfit(other)

    def __repr__(self) -> str:
        out = self._core.output
        return f"<transformation of {self._core.input.describe} into {out.describe}, distances in {out.metric}>"

    def __reduce__(self) -> Any:
        return transformation_from_json, (self.json,)


class ErrorBar(NamedTuple):
    """How far a released number may be from the exact one: of the noise alone, and a 95% interval."""

    standard_error: Optional[float]
    low: float
    high: float


class Measurement:
    """A randomised step with a privacy map: what it costs is known before it touches data, and depends on no data.

    `map(d)` says what inputs at distance d cost, `release(x)` draws once. Releases charge nobody: keep account of them
    yourself (`events` gives them to dither.accounting), or ask a Session.
    """

    def __init__(self, made: Any, recipes: Optional[tuple[Recipe, ...]] = None) -> None:
        self._core = made
        self._recipes = recipes  # what may be made again behind another input; none once the input was described

    def _remade(self) -> tuple[Recipe, ...]:
        if self._recipes is None:
            raise BadInput("mixed-domains", "this measurement was already made for an input of its own",
                           "leave out size, grid, bounds and from_, and describe the input before it alone")
        return self._recipes

    def _d(self, d: Distance, squared: Optional[Number]) -> list[str]:
        at = self._core.input
        return steps(at.metric, at.step, d, squared)

    @property
    def metric(self) -> str:
        """The sense of distances: "l1", "symmetric"."""
        return str(self._core.input.metric)

    @property
    def measure(self) -> str:
        """How losses are stated: pure, approximate, concentrated, gaussian, renyi, tradeoff."""
        return str(self._core.measure)

    @property
    def json(self) -> str:
        """The canonical text of the plan: no data, no noise. `from_json` makes it again."""
        return str(self._core.json)

    def map(self, d: Distance, *, squared: Optional[Number] = None) -> Loss:
        """What inputs at distance d cost, exactly or rounded up; of l2 `squared` takes the square of a distance.

        Counts by key are one number a key: where a Series has a label twice, or labels that no key can be (they count
        as None), their numbers are added before all else, and d is the distance between the sums.

        >>> import dither.mechanisms as m
        >>> m.gaussian(sigma=10).map(3).exact["rho"]
        '9/200'
        """
        numbers, text = self._core.loss(self._d(d, squared))
        return loss(self.measure, numbers, text)

    def epsilon(self, d: Distance, *, delta: Number, squared: Optional[Number] = None) -> float:
        """The least epsilon at this delta that is proven for inputs at distance d, rounded up."""
        known = self if self.measure in ("pure", "approximate") else self._of("fix_delta", delta=delta)
        cost = known.map(d, squared=squared)
        enough = Fraction(cost.exact["delta"]) <= fraction("delta", delta)
        return cost.epsilon if enough and cost.epsilon is not None else math.inf

    def check(self, d: Distance, *, epsilon: Optional[Number] = None, delta: Optional[Number] = None,
              rho: Optional[Number] = None, mu: Optional[Number] = None, squared: Optional[Number] = None) -> bool:
        """Whether inputs at distance d cost no more than this."""
        known, wanted = self._against(epsilon, delta, rho, mu)
        return bool(known._core.check(self._d(d, squared), wanted))

    def events(self, d: Distance, *, squared: Optional[Number] = None) -> Releases:
        """The release as dither.accounting describes it, for inputs at distance d: composes better than losses add.

        The exact mechanism needs to know how many numbers differ: make it with size=1, or with distances in cells or
        linf. Otherwise this is a bound (Zcdp, BlackBox), which holds but costs more: at sigma 10, delta 1e-6 epsilon
        is 0.43 instead of 0.40.

        >>> import dither.mechanisms as m
        >>> twice = m.discrete_laplace(scale=2).events(1) + m.gaussian(sigma=10).events(1)
        >>> twice.epsilon(delta=1e-6, neighbours="add-remove") < 1.1
        True
        """
        from dither import accounting

        texts, neighbours = self._core.events(self._d(d, squared))
        listed = ",".join(texts)
        all_events = accounting.from_json(f'{{"neighbours":"{neighbours or "both"}","events":[{listed}]}}')
        return all_events if neighbours else replace(all_events, neighbours=None)

    def error(self, released: Number = 0) -> Optional[ErrorBar]:
        """Standard error of the noise and 95% interval for the exact value behind a released number, if known."""
        unit = Fraction(self._core.step)
        bar = self._core.bar(str(round(fraction("released", released) / unit)))
        if bar is None:
            return None
        error = None if bar[0] is None else bar[0] * float(unit)
        return ErrorBar(error, float(Fraction(bar[1]) * unit), float(Fraction(bar[2]) * unit))

    def release(self, x: Any) -> Any:
        """One release: draws fresh secret noise, every time. The answer has the shape of what was given.

        Whole numbers stay whole, reals come back on the grid; counts by key are dicts or pandas Series. An array is
        taken or refused by its type. A list has none, nor has a dict of counts: each cell is read by itself. Numbers
        count by their value, also Decimal, Fraction and other real ones, and True as 1. As 0 count NaN, what is no real
        number (None, a text, a complex one, an object that raises), and fractions where whole numbers are wanted. Where
        reals are wanted, what is no float counts as the nearest one, and beyond 2^53 as 2^53.
        """
        at = self._core.input
        if at.takes in ("vector", "reals"):
            return _data.release_numbers(self._core, x, at.takes == "reals", Fraction(self._core.step))
        if at.takes == "keyed":
            return _data.release_keyed(self._core, x)
        return _data.release_table(self._core, at.columns, x, at.takes == "tables")

    def _of(self, name: str, **given: Any) -> Measurement:
        return Measurement(Recipe(forms()[name], given, (self,)).behind(self._core.input))

    def _against(self, epsilon: Optional[Number], delta: Optional[Number], rho: Optional[Number],
                 mu: Optional[Number]) -> tuple[Measurement, list[str]]:
        """This, in the measure of the loss that is asked about, and that loss."""
        if sum(one is not None for one in (epsilon, rho, mu)) != 1:
            raise BadInput("missing-key", "the loss is not clear", "give epsilon (and delta), or rho, or mu")
        small = exact("delta", delta) if delta is not None else "0"
        if mu is not None:
            if self.measure != "gaussian":
                raise BadInput("no-theorem", f"losses are stated as {self.measure} here, not as mu",
                               'ask about rho or epsilon, or make it with real_gaussian(..., measure="gaussian")')
            return self, [str(fraction("mu", mu) ** 2)]
        if rho is not None:
            known = self if self.measure == "concentrated" else self._of("cast_measure", to="concentrated")
            return known, [exact("rho", rho), small]
        if self.measure in ("pure", "approximate"):
            same = self.measure == "approximate" or delta is None
            return self if same else self._of("cast_measure", to="approximate"), [exact("epsilon", epsilon or 0), small]
        if delta is None:
            raise BadInput("needs-delta", f"a {self.measure} loss has an epsilon only at a delta",
                           "give delta=1e-9, say")
        return self._of("fix_delta", delta=delta), [exact("epsilon", epsilon or 0), small]

    def __rshift__(self, other: Any) -> Any:
        raise BadInput("mixed-domains", "nothing private stands behind a measurement: its answer is public",
                       "work on what release() gives, or put transformations before the measurement")

    def __repr__(self) -> str:
        at = self._core.input
        return f"<measurement of {at.describe}, distances in {at.metric}, loss {self.measure}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measurement) and self.json == other.json

    def __hash__(self) -> int:
        return hash(self.json)

    def __reduce__(self) -> Any:
        return from_json, (self.json,)


def from_json(text: str) -> Measurement:
    """The measurement of a canonical plan text, made again."""
    if not isinstance(text, str):
        raise BadInput("wrong-type", "a plan is text", "give what `json` of a measurement says")
    return Measurement(core.mechanism_from_json(text))


def transformation_from_json(text: str) -> Transformation:
    """The transformation of a canonical plan text, made again."""
    return Transformation(core.transformation_from_json(text))
