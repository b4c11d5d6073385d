"""Lists of releases, and the questions they can be asked."""
from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Optional, Union

from dither import _core
from dither._numbers import Number, exact
from dither.accounting._answers import Attack, Attempts, Certified, DeltaCurve
from dither.accounting._events import (Event, Given, Unknown, checked, event_from, exact_member, one_unknown, plainly,
                                       whole)
from dither.accounting._texts import file_name, text_of, word
from dither.errors import BadInput

BOTH = ("no neighbour relation was named, so this is for both, as the sensitivities must be; "
        "neighbours=\"add-remove\" alone may cost less")


@dataclass(frozen=True)
class Releases:
    """Releases about the same people, every parameter fixed in advance. Immutable; lists add with `+` and `sum`.

    `neighbours` is the relation the answers hold for: "add-remove", "replace-one" or "both". It has no default. A
    list that names none is accounted for under both relations at once, the stronger statement, which may cost more
    than the one you need, and its answers say so. `group` protects that many units together; `unit` says whom one
    record stands for.
    """

    events: tuple[Event, ...]
    neighbours: Optional[str] = None
    unit: str = "record"
    group: int = 1

    def subsample(self, *, poisson: Optional[Given] = None, max_batch: Optional[int] = None,
                  population: Optional[int] = None, without_replacement: Optional[int] = None,
                  with_replacement: Optional[int] = None, shuffled_batches: Optional[int] = None,
                  random_allocation: Optional[int] = None, all_or_nothing: Optional[Number] = None) -> Releases:
        """The release on a random part of the records, chosen afresh each time. The sampler must be the one that
        really ran.

        >>> import dither.accounting as accounting
        >>> accounting.Gaussian(sigma=1).subsample(without_replacement=100, population=50_000)
        Gaussian(sigma=1, sensitivity=1).subsample(without_replacement=100, population=50000)
        """
        given: dict[str, Any] = {"poisson": poisson, "max_batch": max_batch, "population": population,
                 "without_replacement": without_replacement, "with_replacement": with_replacement,
                 "shuffled_batches": shuffled_batches, "random_allocation": random_allocation,
                 "all_or_nothing": all_or_nothing}
        event = self._only("subsample", "sample each release first, then add them: they do not share a sample")
        if event.sample is not None or event.times != 1:
            raise BadInput("bad-argument", "what is sampled is one release, neither sampled before nor repeated",
                           "write mechanism.subsample(...).times(n): every repetition draws its own sample")
        missing = None
        if isinstance(poisson, Unknown):
            given["poisson"], missing = 1, one_unknown(event, "rate")
        sample = {name: exact_member(name, value) if name in ("poisson", "all_or_nothing") else whole(name, value)
                  for name, value in given.items() if value is not None}
        return self._with(replace(event, sample=sample, unknown=missing or event.unknown))

    def times(self, count: Union[int, Unknown]) -> Releases:
        """Every release that often, up to 10^12 in all."""
        if isinstance(count, Unknown):
            event = self._only("times(unknown)", "ask for the number of one event, and add the others")
            return self._with(replace(event, unknown=one_unknown(event, "times")))
        often = whole("times", count)
        return replace(self, events=tuple(checked([replace(e, times=e.times * often) for e in self.events])))

    def under(self, *, neighbours: Optional[str] = None, unit: Optional[str] = None,
              group: Optional[int] = None) -> Releases:
        """The same releases with a relation, a unit, a group that answers hold for. A relation once named stays."""
        word("neighbours", neighbours, "\"add-remove\"")
        word("unit", unit, "\"person\"")
        if self.neighbours is not None and neighbours not in (None, self.neighbours):
            raise BadInput("mixed-neighbours", f"neighbours is {neighbours!r}, but the list is for {self.neighbours}",
                           "leave neighbours out, or state the events for that relation")
        changed = replace(self, neighbours=neighbours or self.neighbours, unit=self.unit if unit is None else unit,
                          group=self.group if group is None else whole("group", group))
        if changed != self:
            plainly(lambda: _core.events(changed._text(), "events"))
        return changed

    def epsilon(self, *, delta: Number, neighbours: Optional[str] = None, unit: Optional[str] = None,
                group: Optional[int] = None, accountant: Optional[str] = None,
                width: Optional[Number] = None) -> Certified:
        """The least epsilon at this delta, by the best accountant there is or by the one named."""
        return self._asked("epsilon", "delta", delta, (neighbours, unit, group), accountant, width)

    def delta(self, *, epsilon: Number, neighbours: Optional[str] = None, unit: Optional[str] = None,
              group: Optional[int] = None, accountant: Optional[str] = None,
              width: Optional[Number] = None) -> Certified:
        """The least delta at this epsilon; `width` is relative to it."""
        return self._asked("delta", "epsilon", epsilon, (neighbours, unit, group), accountant, width)

    def all_accountants(self, *, delta: Number, neighbours: Optional[str] = None, unit: Optional[str] = None,
                        group: Optional[int] = None, width: Optional[Number] = None) -> Attempts:
        """Every accountant side by side."""
        text = self._known(neighbours, unit, group)._text()
        narrow = None if width is None else exact("width", width)
        return Attempts(*plainly(lambda: _core.all_accountants(text, exact("delta", delta), narrow)))

    def curve(self, *, least_delta: Number, points: int = 101, neighbours: Optional[str] = None,
              unit: Optional[str] = None, group: Optional[int] = None) -> DeltaCurve:
        """delta against epsilon as arrays, from epsilon 0 to where delta falls to `least_delta`."""
        if not isinstance(points, int) or not 2 <= points <= 10_000:
            raise BadInput("bad-count", f"points is {points!r}, but must be a whole number from 2 to 10000", "give 101")
        text = self._known(neighbours, unit, group)._text()
        return DeltaCurve(*plainly(lambda: _core.curve(text, exact("least_delta", least_delta), points)))

    def attack(self, *, neighbours: Optional[str] = None, unit: Optional[str] = None,
               group: Optional[int] = None) -> Attack:
        """What the best attacker can do who must tell neighbours apart, at most."""
        text = self._known(neighbours, unit, group)._text()
        return Attack(*plainly(lambda: _core.attack(text)))

    def to_json(self, *, neighbours: Optional[str] = None) -> str:
        """The canonical form, as `dither account` reads it: every number exact, equal lists equal bytes."""
        known = self._known(neighbours, None, None, must_name=True)
        return str(plainly(lambda: _core.events(known._text(), "events")))

    def write(self, path: Union[str, os.PathLike[str]], *, neighbours: Optional[str] = None) -> None:
        """A file of events for `dither account`; a relation must be named."""
        text = self.to_json(neighbours=neighbours)
        name = file_name(path, "name a file that can be written")
        try:
            with open(name, "w", encoding="utf-8") as file:
                file.write(text + "\n")
        except OSError as error:
            raise BadInput("cannot-write", f"{name}: {error.strerror}",
                           "name a file that can be written") from None

    def __add__(self, other: object) -> Releases:
        if not isinstance(other, Releases):
            return NotImplemented
        for name, usual in (("neighbours", None), ("unit", "record"), ("group", 1)):
            mine, others = getattr(self, name), getattr(other, name)
            if usual not in (mine, others) and mine != others:
                raise BadInput("mixed-neighbours" if name == "neighbours" else "bad-argument",
                               f"one list is for {name} {mine!r}, the other for {others!r}",
                               f"state both for one {name}: what holds for one need not hold for the other")
        return Releases(tuple(checked([*self.events, *other.events])), self.neighbours or other.neighbours,
                        other.unit if self.unit == "record" else self.unit, max(self.group, other.group))

    def __radd__(self, other: object) -> Releases:
        return self if other == 0 else NotImplemented  # sum() begins with 0

    def __mul__(self, count: int) -> Releases:
        return self.times(count)

    __rmul__ = __mul__

    def __len__(self) -> int:
        return len(self.events)

    def __iter__(self) -> Iterator[Releases]:
        return (replace(self, events=(event,)) for event in self.events)

    def __hash__(self) -> int:
        return hash(self._text())

    def __repr__(self) -> str:
        from dither.accounting._words import words_of

        return words_of(self)

    def _asked(self, solved: str, given: str, at: Number, protected: tuple[Optional[str], Optional[str], Optional[int]],
               accountant: Optional[str], width: Optional[Number]) -> Certified:
        known = self._known(*protected)
        narrow = None if width is None else exact("width", width)
        accountant = word("accountant", accountant, "\"renyi\"")
        members, text, explained = plainly(
            lambda: _core.account(known._text(), solved, exact(given, at), accountant, narrow))
        return Certified(solved, members, text, explained, [] if known.neighbours else [BOTH])

    def _known(self, neighbours: Optional[str], unit: Optional[str], group: Optional[int],
               must_name: bool = False) -> Releases:
        """The list for whom it is asked, every number in it."""
        for event in self.events:
            if event.unknown is not None:
                raise BadInput("bad-argument", f"the {event.unknown} of an event is unknown",
                               "ask dither.accounting.calibrate for it, or give the number")
        known = self.under(neighbours=neighbours, unit=unit, group=group)
        if must_name and known.neighbours is None:
            raise BadInput("bad-argument", "no neighbour relation is given",
                           "give neighbours=\"add-remove\" (one record more or less) or neighbours=\"replace-one\"")
        return known

    def _only(self, what: str, hint: str) -> Event:
        if len(self.events) == 1:
            return self.events[0]
        raise BadInput("bad-argument", f"{what} is for one release, and these are {len(self.events)}", hint)

    def _with(self, event: Event) -> Releases:
        return replace(self, events=tuple(checked([event])))

    def _text(self) -> str:
        return json.dumps({"neighbours": self.neighbours or "both", "unit": self.unit, "group": self.group,
                           "events": [event.members() for event in self.events]})


def event_of(mechanism: str, parameters: Mapping[str, Any]) -> Releases:
    """One release by the mechanism of this name in files."""
    missing = [name for name, value in parameters.items() if isinstance(value, Unknown)]
    if len(missing) > 1:
        raise BadInput("bad-argument", f"{len(missing)} numbers are unknown: {', '.join(missing)}",
                       "give all but the one to solve for")
    members: dict[str, Any] = {"mechanism": mechanism}
    for name, value in parameters.items():
        members[name] = 1 if isinstance(value, Unknown) else _parameter(name, value)
    return Releases(tuple(checked([Event(members, unknown=missing[0] if missing else None)])))


def compose(releases: Iterable[Releases]) -> Releases:
    """All of them, one after the other: `a + b + ...`; of none, nothing is released."""
    given = list(releases) if isinstance(releases, Iterable) else [releases]
    wrong = [part for part in given if not isinstance(part, Releases)]
    if wrong:
        raise BadInput("wrong-type", f"what is to be composed has a {type(wrong[0]).__name__}",
                       "give a list of releases such as [Gaussian(sigma=1), Laplace(scale=2)]")
    return sum(given, Releases(()))


def from_json(text: str) -> Releases:
    """The list of a text: the canonical form, or what a file of events may say, YAML too."""
    return _listed(_core.events(text_of("the list", text, "give the text that to_json() wrote"), "text"))


def read(path: Union[str, os.PathLike[str]]) -> Releases:
    """The list of a file, as `dither account` reads it."""
    hint = "name a file of events, as Releases.write makes it"
    name = file_name(path, hint)
    try:
        return _listed(_core.read_events(os.path.join(os.curdir, name) if name == "-" else name))
    except BadInput as error:
        raise BadInput(error.code, error.message, hint if error.code == "cannot-read" else error.hint) from None


def _listed(canonical: str) -> Releases:
    members = json.loads(canonical)
    events = tuple(event_from(event) for event in members["events"])
    return Releases(events, members["neighbours"], members["unit"], members["group"])


def _parameter(name: str, value: Any) -> Any:
    """A parameter as files have it: numbers exactly, mechanisms inside of others, weighted parts of a mixture."""
    if isinstance(value, Releases):
        event = value._only(name, "give one release by one mechanism")
        if event.sample is not None or event.times != 1 or event.unknown is not None:
            raise BadInput("bad-argument", f"{name} is a release that is sampled, repeated or unknown",
                           "give a plain mechanism such as dither.accounting.Laplace(scale=1)")
        return dict(event.mechanism)
    if isinstance(value, bool) or isinstance(value, str) and not re.match(r"[+-]?\.?\d", value):
        return value  # a word; text that begins as a number is one
    if isinstance(value, (list, tuple)) or hasattr(value, "tolist"):
        items = value.tolist() if hasattr(value, "tolist") else value
        return [_part(name, item) for item in items] if isinstance(items, (list, tuple)) else exact_member(name, items)
    return int(value) if isinstance(value, int) else exact_member(name, value)


def _part(name: str, item: Any) -> Any:
    if isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], Releases):
        return {"weight": exact_member("weight", item[0]), **_parameter(name, item[1])}
    return _parameter(name, item)
