"""Events of dp-accounting, by the names of their classes and the numbers in them; the package itself is not needed."""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any, Optional

from dither._numbers import exact
from dither.accounting import Releases, compose
from dither.accounting._events import Event
from dither.accounting._releases import event_of
from dither.errors import BadInput


def from_dp_accounting(event: Any) -> Releases:
    """Releases from a `DpEvent`, from what its `to_named_tuple()` gives, or from what `to_dp_accounting` gives.

    dp-accounting's events name no neighbour relation, so neither do these: say it when you ask. Refused, by name, are
    NonPrivateDpEvent and events that have no counterpart.

    >>> import dither
    >>> dither.interop.from_dp_accounting({"class_name": "SelfComposedDpEvent", "count": 10,
    ...                                    "event": {"class_name": "GaussianDpEvent", "noise_multiplier": 2.0}})
    Gaussian(sigma=2, sensitivity=1).times(10)
    """
    name = _class_name(event)
    if name == "NonPrivateDpEvent":
        raise BadInput("no-theorem", "NonPrivateDpEvent releases the data: no epsilon holds",
                       "leave the release out, or make it private")
    if name not in READERS:
        raise BadInput("unknown-mechanism", f"{name} has no counterpart", f"known are {', '.join(READERS)}")
    return READERS[name](lambda member: _member(event, name, member))


def to_dp_accounting(releases: Releases, module: Optional[ModuleType] = None) -> Any:
    """The releases in dp-accounting's vocabulary: a tree of maps with `class_name` and the numbers, or with
    `module=dp_accounting` its own objects. Numbers are doubles there, rounded to the side of more loss.

    >>> import dither
    >>> dither.interop.to_dp_accounting(dither.accounting.Laplace(scale=2))
    {'class_name': 'LaplaceDpEvent', 'noise_multiplier': 2.0}
    """
    trees = [_tree(event) for event in releases.events]
    if not trees:
        tree: dict[str, Any] = {"class_name": "NoOpDpEvent"}
    else:
        tree = trees[0] if len(trees) == 1 else {"class_name": "ComposedDpEvent", "events": trees}
    return tree if module is None else _object(tree, module)


Read = Callable[[str], Any]


def _class_name(event: Any) -> str:
    if isinstance(event, Mapping):
        return str(event.get("class_name", "an event without a class_name"))
    return str(getattr(event, "class_name", type(event).__name__))


def _member(event: Any, name: str, member: str) -> Any:
    missing = object()
    value = event.get(member, missing) if isinstance(event, Mapping) else getattr(event, member, missing)
    if value is missing:
        raise BadInput("missing-key", f"{name} has no {member}", "give the event as dp-accounting makes it")
    return value


def _sampled(read: Read, **sampler: Any) -> Releases:
    inner = from_dp_accounting(read("event"))
    if len(inner) != 1 or inner.events[0].times != 1 or inner.events[0].sample is not None:
        raise BadInput("no-theorem", "several releases on one sample have no counterpart",
                       "sample each release by itself: SelfComposedDpEvent goes around the sampled event")
    return inner.subsample(**sampler)


def _randomised_response(read: Read) -> Releases:
    """Keeps its input with probability 1 - p, else any of the k buckets: e^epsilon is 1 + k (1 - p) / p."""
    p, buckets = Fraction(exact("noise_parameter", read("noise_parameter"))), read("num_buckets")
    if not 0 < p <= 1:
        raise BadInput("bad-probability", f"noise_parameter is {float(p)}", "give a probability above 0 and at most 1")
    ratio = 1 + buckets * (1 - p) / p
    up = Context(prec=25, rounding=ROUND_CEILING)
    # The quotient is rounded up, and ln is within one in the 25th digit: the next number of 20 digits lies above.
    log = up.ln(up.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)))
    epsilon = Context(prec=20, rounding=ROUND_CEILING).plus(log * (1 + Decimal("1e-23")))
    return event_of("randomised-response", {"epsilon": str(epsilon), "categories": buckets})


def _zcdp(read: Read) -> Releases:
    if read("xi") != 0:
        raise BadInput("no-theorem", "ZCDpEvent with xi has no counterpart", "give xi=0")
    return event_of("zcdp", {"rho": read("rho")})


def _truncated(read: Read) -> Releases:
    noise = event_of("gaussian", {"sigma": read("noise_multiplier")})
    return noise.subsample(poisson=read("sampling_probability"), max_batch=read("truncated_batch_size"),
                           population=read("dataset_size"))


def _inverse(name: str, value: Any) -> str:
    number = Fraction(exact(name, value))
    if number <= 0:
        raise BadInput("bad-scale", f"{name} is {value!r}", "give a positive number")
    return str(1 / number)


READERS: dict[str, Callable[[Read], Releases]] = {
    "NoOpDpEvent": lambda read: compose([]),
    "GaussianDpEvent": lambda read: event_of("gaussian", {"sigma": read("noise_multiplier")}),
    "LaplaceDpEvent": lambda read: event_of("laplace", {"scale": read("noise_multiplier")}),
    "DiscreteLaplaceDpEvent": lambda read: event_of(
        "discrete-laplace",
        {"scale": _inverse("noise_parameter", read("noise_parameter")), "sensitivity": read("sensitivity")}),
    "RandomizedResponseDpEvent": _randomised_response,
    "EpsilonDeltaDpEvent": lambda read: event_of("black-box", {"epsilon": read("epsilon"), "delta": read("delta")}),
    "ZCDpEvent": _zcdp,
    "SelfComposedDpEvent": lambda read: from_dp_accounting(read("event")).times(read("count")),
    "ComposedDpEvent": lambda read: compose(from_dp_accounting(event) for event in read("events")),
    "PoissonSampledDpEvent": lambda read: _sampled(read, poisson=read("sampling_probability")),
    "SampledWithoutReplacementDpEvent": lambda read: _sampled(
        read, without_replacement=read("sample_size"), population=read("source_dataset_size")),
    "SampledWithReplacementDpEvent": lambda read: _sampled(
        read, with_replacement=read("sample_size"), population=read("source_dataset_size")),
    "TruncatedSubsampledGaussianDpEvent": _truncated,
}


def _tree(event: Event) -> dict[str, Any]:
    tree = _mechanism(event.mechanism)
    if event.sample is not None:
        tree = _sampler(event.sample, tree)
    return tree if event.times == 1 else {"class_name": "SelfComposedDpEvent", "event": tree, "count": event.times}


def _mechanism(members: Mapping[str, Any]) -> dict[str, Any]:
    kind = members["mechanism"]
    number = {name: Fraction(value) for name, value in members.items()
              if isinstance(value, int) or isinstance(value, str) and "/" in value}
    if kind in ("gaussian", "laplace"):
        noise = number["sigma" if kind == "gaussian" else "scale"] / number["sensitivity"]
        return {"class_name": f"{kind.capitalize()}DpEvent", "noise_multiplier": _down(noise)}
    if kind == "discrete-laplace" and number["sensitivity"].denominator == 1:
        return {"class_name": "DiscreteLaplaceDpEvent", "noise_parameter": _up(1 / number["scale"]),
                "sensitivity": int(number["sensitivity"])}
    if kind == "randomised-response":
        buckets = int(number["categories"])
        stay = math.expm1(_up(number["epsilon"])) * (1 + 1e-14)  # e^epsilon - 1, not below it
        return {"class_name": "RandomizedResponseDpEvent", "noise_parameter": buckets / (stay + buckets) * (1 - 1e-14),
                "num_buckets": buckets}
    if kind == "black-box":
        return {"class_name": "EpsilonDeltaDpEvent", "epsilon": _up(number["epsilon"]), "delta": _up(number["delta"])}
    if kind == "zcdp" and number["delta"] == 0:
        return {"class_name": "ZCDpEvent", "rho": _up(number["rho"]), "xi": 0.0}
    raise BadInput("unknown-mechanism", f"{kind} with these parameters has no counterpart in dp-accounting",
                   "leave it out there, and account for it here")


def _sampler(sample: Mapping[str, Any], inner: dict[str, Any]) -> dict[str, Any]:
    if "poisson" in sample:
        rate = _up(Fraction(sample["poisson"]))
        if "max_batch" not in sample:
            return {"class_name": "PoissonSampledDpEvent", "sampling_probability": rate, "event": inner}
        if inner["class_name"] == "GaussianDpEvent":
            return {"class_name": "TruncatedSubsampledGaussianDpEvent", "dataset_size": sample["population"],
                    "sampling_probability": rate, "truncated_batch_size": sample["max_batch"],
                    "noise_multiplier": inner["noise_multiplier"]}
    for name, size in (("SampledWithoutReplacementDpEvent", "without_replacement"),
                       ("SampledWithReplacementDpEvent", "with_replacement")):
        if size in sample:
            return {"class_name": name, "source_dataset_size": sample["population"], "sample_size": sample[size],
                    "event": inner}
    raise BadInput("unknown-mechanism", f"sampling by {', '.join(sample)} has no counterpart in dp-accounting",
                   "leave it out there, and account for it here")


def _object(tree: Any, module: ModuleType) -> Any:
    if isinstance(tree, list):
        return [_object(item, module) for item in tree]
    if not isinstance(tree, dict):
        return tree
    name = str(tree["class_name"])
    made = getattr(module, name, None) or getattr(getattr(module, "dp_event", None), name, None)
    if made is None:
        raise BadInput("unknown-mechanism", f"this dp_accounting has no {name}", "take a newer version of it")
    return made(**{name: _object(value, module) for name, value in tree.items() if name != "class_name"})


def _up(value: Fraction) -> float:
    near = float(value)
    return near if _is_written(near, value) or Fraction(near) > value else math.nextafter(near, math.inf)


def _down(value: Fraction) -> float:
    near = float(value)
    return near if _is_written(near, value) or Fraction(near) < value else math.nextafter(near, -math.inf)


def _is_written(near: float, value: Fraction) -> bool:
    """Whether this double, as it is written, is the number: so it is read here, and so it came."""
    return Fraction(repr(near)) == value
