"""One event as the core has it, and numbers as it takes them."""
from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Optional, TypeVar, Union

from dither import _core
from dither._numbers import Number, exact
from dither.accounting._texts import in_python
from dither.errors import BadInput, Error

T = TypeVar("T")


class Unknown:
    """The one number that `calibrate` is to find: `Gaussian(sigma=dither.accounting.unknown)`."""

    def __repr__(self) -> str:
        return "unknown"


unknown = Unknown()
Given = Union[Number, Unknown]


@dataclass(frozen=True)
class Event:
    """One kind of release as the core writes it; where a number is unknown, 1 stands for it."""

    mechanism: Mapping[str, Any]
    sample: Optional[Mapping[str, Any]] = None
    times: int = 1
    unknown: Optional[str] = None

    def members(self) -> dict[str, Any]:
        """The event as files of events have it."""
        if self.sample is None:
            return {**self.mechanism, "times": self.times}
        return {"sample": self.sample, "of": self.mechanism, "times": self.times}


def plainly(call: Callable[[], T]) -> T:
    """What the core says about a text that we wrote, without the place in it, in Python's words."""
    try:
        return call()
    except Error as error:
        message = re.sub(r"^(event 1: )?events:\d+:\d+: ", "", error.message)
        raise type(error)(error.code, message, in_python(error.hint)) from None


def checked(events: Iterable[Event]) -> list[Event]:
    """The events as the core writes them, or its refusal: a mistake is told where it is made."""
    given = list(events)
    text = json.dumps({"neighbours": "both", "events": [event.members() for event in given]})
    canonical = json.loads(plainly(lambda: _core.events(text, "events")))["events"]
    return [replace(event_from(members), unknown=event.unknown) for members, event in zip(canonical, given)]


def event_from(members: Mapping[str, Any]) -> Event:
    """The event of what a file of events says."""
    times = members["times"]
    if "sample" in members:
        return Event(members["of"], members["sample"], times)
    return Event({name: value for name, value in members.items() if name != "times"}, None, times)


def one_unknown(event: Event, name: str) -> str:
    """The name of what is unknown now, if nothing else is."""
    if event.unknown is not None:
        raise BadInput("bad-argument", f"2 numbers are unknown: {event.unknown}, {name}",
                       "give all but the one to solve for")
    return name


def whole(name: str, value: object) -> int:
    """A count."""
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63:
        return value
    raise BadInput("bad-count", f"{name} is {value!r}, which is no whole number", "give e.g. 100")


def exact_member(name: str, value: Number) -> Union[int, str]:
    """A number as files of events have it: 3, or "1/3"."""
    text = exact(name, value)
    if not re.fullmatch(r"[+-]?(\d+/\d+|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?)", text) or len(text) > 1000:
        raise BadInput("bad-number", f"{name} is {text[:60]!r}, which is no number",
                       "give e.g. 0.5, or \"1/3\" as text")
    if re.fullmatch(r".*/0+", text):
        raise BadInput("division-by-zero", f"{name} is {text[:60]!r}", "give e.g. \"1/3\"")
    number = Fraction(text)
    return number.numerator if number.denominator == 1 else str(number)
