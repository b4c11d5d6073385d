"""The one number that is missing, from all the others."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional, Union

from dither import _core
from dither._numbers import Number, exact
from dither.accounting._answers import Certified
from dither.accounting._events import Event, checked, plainly
from dither.accounting._releases import Releases
from dither.errors import BadInput

NOISE = ("sigma", "scale")


class Calibrated(float):
    """The number found, rounded to the safe side and certified.

    `solved` names it, `exact` is the same number as a fraction, `releases` is the list with it in place. `reached` is
    the delta certified with it (None where no budget was given), `error` the largest error (None where no `beta` was
    given).
    """

    solved: str
    exact: Fraction
    releases: Releases
    reached: Optional[Certified]
    error: Optional[float]

    def __new__(cls, solved: str, value: Fraction, releases: Releases, reached: Optional[Certified] = None,
                error: Optional[float] = None) -> Calibrated:
        made = super().__new__(cls, value)
        made.solved, made.exact, made.releases, made.reached, made.error = solved, value, releases, reached, error
        return made

    @property
    def value(self) -> Union[int, float]:
        """The number: whole for `times`."""
        return int(self) if self.solved == "times" else float(self)

    def __repr__(self) -> str:
        lines = [f"{self.solved:<12}{self.value!r}"]
        if self.error is not None:
            lines.append(f"{'error':<12}at most {self.error!r}")
        return "\n".join(lines + ([repr(self.reached)] if self.reached is not None else []))

    __str__ = float.__repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return (Calibrated, (self.solved, self.exact, self.releases, self.reached, self.error))


def calibrate(releases: Releases, *, epsilon: Optional[Number] = None, delta: Optional[Number] = None,
              error: Optional[Number] = None, beta: Optional[Number] = None, coordinates: int = 1, digits: int = 12,
              neighbours: Optional[str] = None, unit: Optional[str] = None, group: Optional[int] = None) -> Calibrated:
    """Finds the number for which `unknown` stands: the least noise, the largest epsilon of one release, the largest
    rate of Poisson sampling, or the most repetitions, that keep (epsilon, delta) for the whole list.

    >>> from dither.accounting import Gaussian, calibrate, unknown
    >>> training = Gaussian(sigma=unknown).subsample(poisson=0.01).times(10_000)
    >>> calibrate(training, epsilon=1, delta=1e-5, neighbours="add-remove", digits=4).value
    3.813

    Noise may be asked for by its error instead, which no value exceeds but for a probability of `beta`:

    >>> from dither.accounting import Laplace
    >>> calibrate(Laplace(scale=unknown), error=100, beta=0.05, digits=4).value
    33.38
    """
    if not isinstance(releases, Releases):
        raise BadInput("wrong-type", f"what is to be calibrated is a {type(releases).__name__}",
                       "give releases such as dither.accounting.Gaussian(sigma=unknown)")
    if not isinstance(digits, int) or isinstance(digits, bool) or not 1 <= digits <= 15:
        raise BadInput("bad-count", f"digits is {digits!r}, but must be a whole number from 1 to 15", "give 12")
    if error is None and (epsilon is None or delta is None):
        raise BadInput("bad-argument", "neither a budget nor an error is given",
                       "give epsilon and delta, or error and beta; for epsilon itself ask releases.epsilon(delta=...)")
    index = _the_unknown(releases)
    for_whom = releases.under(neighbours=neighbours, unit=unit, group=group)
    solved = str(releases.events[index].unknown)
    if error is not None:
        value = _for_error(releases.events[index], error, beta, coordinates, digits, epsilon)
    else:
        if solved not in (*NOISE, "epsilon", "rate", "times"):
            raise BadInput("bad-argument",
                           f"{solved} of {releases.events[index].mechanism['mechanism']} cannot be solved for",
                           "ask for sigma, scale or epsilon of a mechanism, the rate of its sampling, or times")
        budget = (exact("epsilon", epsilon or 0), exact("delta", delta or 0))
        value = plainly(lambda: _core.calibrate(for_whom._text(), index, solved, *budget, digits))
    complete = _in_place(for_whom, index, Fraction(value))
    reached = None
    if delta is not None:
        reached = complete.delta(epsilon=epsilon) if epsilon is not None else complete.epsilon(delta=delta)
    return Calibrated(solved, Fraction(value), complete, reached, _error_of(complete.events[index], beta, coordinates))


def _the_unknown(releases: Releases) -> int:
    places = [index for index, event in enumerate(releases.events) if event.unknown is not None]
    if len(places) == 1:
        return places[0]
    raise BadInput("bad-argument", f"{len(places)} numbers are unknown" if places else "nothing is left to solve for",
                   "write dither.accounting.unknown for the one number to solve for, such as Gaussian(sigma=unknown)")


def _in_place(releases: Releases, index: int, value: Fraction) -> Releases:
    event = replace(releases.events[index], unknown=None)
    number = value.numerator if value.denominator == 1 else str(value)
    solved = releases.events[index].unknown
    if solved == "times":
        event = replace(event, times=int(value))
    elif solved == "rate":
        event = replace(event, sample={**(event.sample or {}), "poisson": number})
    else:
        event = replace(event, mechanism={**event.mechanism, str(solved): number})
    events = [*releases.events[:index], event, *releases.events[index + 1:]]
    return replace(releases, events=tuple(checked(events)))


def _for_error(event: Event, error: Number, beta: Optional[Number], coordinates: int, digits: int,
               epsilon: Optional[Number]) -> str:
    if event.unknown not in NOISE or epsilon is not None:
        raise BadInput("bad-argument",
                       f"an error is asked for, but what is unknown is {event.unknown}" if epsilon is None
                       else "an error and an epsilon are both given",
                       "write unknown for the noise, and leave epsilon out: it is then what is reached at delta")
    if beta is None:
        raise BadInput("bad-argument", "an accuracy is asked for without beta, the probability of missing it",
                       "give e.g. error=30, beta=0.05")
    given = (exact("error", error), exact("beta", beta), exact("coordinates", coordinates))
    noise = str(event.unknown)
    return plainly(lambda: _core.noise_for_error(event.mechanism["mechanism"], noise, *given, digits))


def _error_of(event: Event, beta: Optional[Number], coordinates: int) -> Optional[float]:
    """Of the noise now in place."""
    noise = next((event.mechanism[name] for name in NOISE if name in event.mechanism), None)
    if beta is None or noise is None:
        return None
    given = (exact("beta", beta), exact("coordinates", coordinates))
    return plainly(lambda: _core.error_of_noise(event.mechanism["mechanism"], str(noise), *given))
