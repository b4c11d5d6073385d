"""Lists of releases as the Python that makes them."""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Optional

from dither.accounting._events import Event

if TYPE_CHECKING:
    from dither.accounting._releases import Releases


def words_of(releases: Releases) -> str:
    """One line: Gaussian(sigma=1, sensitivity=1).subsample(poisson=0.01).times(10000) + ..."""
    text = " + ".join(_event(event) for event in releases.events) or "nothing is released"
    said = {"neighbours": releases.neighbours, "unit": None if releases.unit == "record" else releases.unit,
            "group": None if releases.group == 1 else releases.group}
    given = ", ".join(f"{name}={value!r}" for name, value in said.items() if value is not None)
    if not given:
        return text
    return f"({text}).under({given})" if len(releases.events) != 1 else f"{text}.under({given})"


def _event(event: Event) -> str:
    text = _mechanism(event.mechanism, event.unknown)
    if event.sample is not None:
        text += f".subsample({_members(event.sample, 'poisson' if event.unknown == 'rate' else None)})"
    if event.unknown == "times":
        return text + ".times(unknown)"
    return text if event.times == 1 else f"{text}.times({event.times})"


def _mechanism(members: Mapping[str, Any], unknown: Optional[str] = None) -> str:
    from dither.accounting._kinds import python_name

    name = python_name(members["mechanism"])
    return f"{name}({_members({key: value for key, value in members.items() if key != 'mechanism'}, unknown)})"


def _members(members: Mapping[str, Any], unknown: Optional[str]) -> str:
    return ", ".join(f"{name}={'unknown' if name == unknown else _value(value)}" for name, value in members.items())


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        inner = {key: part for key, part in value.items() if key != "weight"}
        return f"({_value(value['weight'])}, {_mechanism(inner)})" if "weight" in value else _mechanism(inner)
    if isinstance(value, list):
        return f"[{', '.join(_value(item) for item in value)}]"
    if isinstance(value, str) and "/" in value:
        return _fraction(Fraction(value))
    return repr(value)


def _fraction(value: Fraction) -> str:
    """As a decimal where that is exact and short, else in quotes."""
    decimal = repr(float(value))
    return decimal if Fraction(decimal) == value else f"\"{value}\""
