"""Events of dp-accounting, by the names of their classes and the numbers in them; the package itself is not needed."""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from types import ModuleType
from typing import Any, Optional

from dither.accounting import Releases, compose
from dither.accounting._events import Event, exact_member, whole
from dither.accounting._releases import event_of
from dither.accounting._texts import word
from dither.errors import BadInput

DEEPEST = 100
NOISE = ("gaussian", "laplace", "discrete-laplace")


def from_dp_accounting(event: Any, *, neighbours: Optional[str] = None) -> Releases:
    """Releases from a `DpEvent`, from what its `to_named_tuple()` gives, or from what `to_dp_accounting` gives.

    dp-accounting's events name no neighbour relation, but what their noise costs depends on it: it is stated over the
    norm of one record's value, and under replace-one two values may lie twice that apart. So
    `neighbours="replace-one"`, or "both", gives noise outside samplers sensitivity 2, and dp-accounting's PLD
    accountant for REPLACE_ONE gives the same epsilon (its RDP accountant ignores the relation, and gives about half).
    Without `neighbours` a list with such noise is for add-remove and cannot be asked for more. Noise under a sampler
    has sensitivity 1: Poisson samples are accounted for as theirs under either relation; for batches of a fixed size it
    is noise over the sensitivity under replace-one, as their RDP accountant has it.

    Refused, by name, are NonPrivateDpEvent and events that have no counterpart.

    >>> import dither
    >>> dither.interop.from_dp_accounting({"class_name": "SelfComposedDpEvent", "count": 10,
    ...                                    "event": {"class_name": "GaussianDpEvent", "noise_multiplier": 2.0}})
    Gaussian(sigma=2, sensitivity=1).times(10).under(neighbours='add-remove')
    """
    word("neighbours", neighbours, "\"add-remove\"")
    releases = _Read(event, 1, 1 if neighbours in (None, "add-remove") else 2).releases()
    adds_noise = any(one.sample is None and one.mechanism["mechanism"] in NOISE for one in releases.events)
    return releases.under(neighbours=neighbours or ("add-remove" if adds_noise else None))


def to_dp_accounting(releases: Releases, module: Optional[ModuleType] = None, *, neighbours: Optional[str] = None,
                     unit: Optional[str] = None) -> Any:
    """The releases in dp-accounting's vocabulary: a tree of maps with `class_name` and the numbers, or with
    `module=dp_accounting` its own objects. Numbers are doubles there, rounded to the side of more loss.

    Its events name neither neighbour relation nor unit. Where these releases do, name the same here: the accountant
    there must then be made for them. Noise is written over the sensitivity here: an accountant there that doubles it
    for REPLACE_ONE finds more loss, never less. Refused are numbers that are unknown, and groups of more than one unit.

    >>> import dither
    >>> dither.interop.to_dp_accounting(dither.accounting.Laplace(scale=2))
    {'class_name': 'LaplaceDpEvent', 'noise_multiplier': 2.0}
    """
    _refuse_what_is_lost(releases, {"neighbours": neighbours, "unit": unit})
    trees = [_tree(event) for event in releases.events]
    if not trees:
        tree: dict[str, Any] = {"class_name": "NoOpDpEvent"}
    else:
        tree = trees[0] if len(trees) == 1 else {"class_name": "ComposedDpEvent", "events": trees}
    return tree if module is None else _object(tree, module)


class _Read:
    """An event of theirs, whose members are read by name."""

    def __init__(self, event: Any, depth: int, distance: int) -> None:
        self.event = event
        self.depth = depth
        self.distance = distance  # of neighbouring sums of values of norm 1
        if isinstance(event, Mapping):
            self.name = str(event.get("class_name", "an event without a class_name"))
        else:
            self.name = str(getattr(event, "class_name", type(event).__name__))

    def __call__(self, member: str) -> Any:
        missing = object()
        event = self.event
        value = event.get(member, missing) if isinstance(event, Mapping) else getattr(event, member, missing)
        if value is missing:
            raise BadInput("missing-key", f"{self.name} has no {member}", "give the event as dp-accounting makes it")
        return value

    def number(self, member: str) -> Fraction:
        """A member that is a number, exactly."""
        return Fraction(exact_member(member, self(member)))

    def releases(self) -> Releases:
        """The event in our words."""
        if self.depth > DEEPEST:
            raise BadInput("too-deep", f"the events are nested more than {DEEPEST} deep",
                           "compose in one list, and repeat by one count")
        if self.name == "NonPrivateDpEvent":
            raise BadInput("no-theorem", "NonPrivateDpEvent releases the data: no epsilon holds",
                           "leave the release out, or make it private")
        if self.name not in READERS:
            raise BadInput("unknown-mechanism", f"{self.name} has no counterpart", f"known are {', '.join(READERS)}")
        return READERS[self.name](self)

    def inner(self, distance: Optional[int] = None) -> Releases:
        """The one event inside."""
        return _Read(self("event"), self.depth + 1, distance or self.distance).releases()

    def parts(self) -> list[Releases]:
        """The events inside."""
        events = self("events")
        if not isinstance(events, (list, tuple)):
            raise BadInput("wrong-type", f"events of {self.name} is a {type(events).__name__}", "give a list of events")
        return [_Read(event, self.depth + 1, self.distance).releases() for event in events]


def _sampled(read: _Read, **sampler: Any) -> Releases:
    inner = read.inner(distance=1)
    if len(inner) != 1 or inner.events[0].times != 1 or inner.events[0].sample is not None:
        raise BadInput("no-theorem", "several releases on one sample have no counterpart",
                       "sample each release by itself: SelfComposedDpEvent goes around the sampled event")
    return inner.subsample(**sampler)


def _randomised_response(read: _Read) -> Releases:
    """Keeps its input with probability 1 - p, else any of the k buckets: e^epsilon is 1 + k (1 - p) / p."""
    p, buckets = read.number("noise_parameter"), whole("num_buckets", read("num_buckets"))
    if not 0 < p <= 1:
        raise BadInput("bad-probability", f"noise_parameter is {float(p)}", "give a probability above 0 and at most 1")
    ratio = 1 + buckets * (1 - p) / p
    up = Context(prec=25, rounding=ROUND_CEILING)
    # The quotient is rounded up, and ln is within one in the 25th digit: the next number of 20 digits lies above.
    log = up.ln(up.divide(Decimal(ratio.numerator), Decimal(ratio.denominator)))
    epsilon = Context(prec=20, rounding=ROUND_CEILING).plus(log * (1 + Decimal("1e-23")))
    return event_of("randomised-response", {"epsilon": str(epsilon), "categories": buckets})


def _zcdp(read: _Read) -> Releases:
    if read("xi") != 0:
        raise BadInput("no-theorem", "ZCDpEvent with xi has no counterpart", "give xi=0")
    return event_of("zcdp", {"rho": read("rho")})


def _truncated(read: _Read) -> Releases:
    noise = event_of("gaussian", {"sigma": read("noise_multiplier")})
    return noise.subsample(poisson=read("sampling_probability"), max_batch=read("truncated_batch_size"),
                           population=read("dataset_size"))


def _discrete_laplace(read: _Read) -> Releases:
    parameter = read.number("noise_parameter")
    if parameter <= 0:
        raise BadInput("bad-scale", f"noise_parameter is {parameter}", "give a positive number")
    sensitivity = read.number("sensitivity") * read.distance
    return event_of("discrete-laplace", {"scale": 1 / parameter, "sensitivity": sensitivity})


def _noise(mechanism: str, width: str) -> Callable[[_Read], Releases]:
    return lambda read: event_of(mechanism, {width: read("noise_multiplier"), "sensitivity": read.distance})


READERS: dict[str, Callable[[_Read], Releases]] = {
    "NoOpDpEvent": lambda read: compose([]),
    "GaussianDpEvent": _noise("gaussian", "sigma"),
    "LaplaceDpEvent": _noise("laplace", "scale"),
    "DiscreteLaplaceDpEvent": _discrete_laplace,
    "RandomizedResponseDpEvent": _randomised_response,
    "EpsilonDeltaDpEvent": lambda read: event_of("black-box", {"epsilon": read("epsilon"), "delta": read("delta")}),
    "ZCDpEvent": _zcdp,
    "SelfComposedDpEvent": lambda read: read.inner().times(read("count")),
    "ComposedDpEvent": lambda read: compose(read.parts()),
    "PoissonSampledDpEvent": lambda read: _sampled(read, poisson=read("sampling_probability")),
    "SampledWithoutReplacementDpEvent": lambda read: _sampled(
        read, without_replacement=read("sample_size"), population=read("source_dataset_size")),
    "SampledWithReplacementDpEvent": lambda read: _sampled(
        read, with_replacement=read("sample_size"), population=read("source_dataset_size")),
    "TruncatedSubsampledGaussianDpEvent": _truncated,
}


def _refuse_what_is_lost(releases: Any, said: Mapping[str, Optional[str]]) -> None:
    if not isinstance(releases, Releases):
        raise BadInput("wrong-type", f"what is to be written is a {type(releases).__name__}",
                       "give releases such as dither.accounting.Gaussian(sigma=1)")
    for event in releases.events:
        if event.unknown is not None:
            raise BadInput("bad-argument", f"the {event.unknown} of an event is unknown",
                           "ask dither.accounting.calibrate for it, or give the number")
    if releases.group != 1:
        raise BadInput("bad-argument", f"the releases are for groups of {releases.group}, which dp-accounting lacks",
                       "write them with group=1, and keep the group for what you ask here")
    for name, usual in (("neighbours", None), ("unit", "record")):
        mine = getattr(releases, name)
        if said[name] is not None and mine not in (usual, said[name]) or said[name] is None and mine != usual:
            raise BadInput("bad-argument", f"the releases are for {name} {mine!r}, which events of dp-accounting lose",
                           f"give {name}={mine!r}, and make the accountant there for it")


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
    if kind == "randomised-response" and number["epsilon"] <= 700:  # above, their probability is no double
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
