"""What the accountant answers: numbers with their proof."""
from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    import numpy
    import numpy.typing


class Certified(float):
    """A proven bound that is used like any number: its value is the upper end, below which the truth lies.

    `lower` is an end above which it lies, None where none is known; `accountant` and `theorem` say what proves it;
    `epsilon`, `delta`, `neighbours`, `unit`, `group` say the whole guarantee; `events` has each event's `share`;
    `notes` what is assumed.
    """

    solved: str
    _told: tuple[str, str, str, list[str]]

    def __new__(cls, solved: str, members: str, text: str, explained: str, notes: list[str]) -> Certified:
        value = super().__new__(cls, real(json.loads(members)[solved]))
        value.solved = solved
        value._told = (members, text, explained, notes)
        return value

    @property
    def upper(self) -> float:
        """The certified end."""
        return float(self)

    @property
    def lower(self) -> Optional[float]:
        """The best possible is not below it; None where no lower bound is known."""
        end = self.to_dict()[f"{self.solved}_lower"]
        return None if end is None else real(end)

    @property
    def interval(self) -> tuple[float, float]:
        """Holds the best possible value; 0 below where no lower bound is known."""
        return (self.lower or 0.0, self.upper)

    @property
    def epsilon(self) -> float:
        """Of the guarantee: found, or as it was given."""
        return real(self.to_dict()["epsilon"])

    @property
    def delta(self) -> float:
        """Of the guarantee: found, or as it was given."""
        return real(self.to_dict()["delta"])

    @property
    def neighbours(self) -> str:
        """The relation it holds for: "add-remove", "replace-one" or "both"."""
        return str(self.to_dict()["neighbours"])

    @property
    def unit(self) -> str:
        """Whom one record stands for."""
        return str(self.to_dict()["unit"])

    @property
    def group(self) -> int:
        """How many units are protected together."""
        return int(self.to_dict()["group"])

    @property
    def accountant(self) -> str:
        """Who found it."""
        return str(self.to_dict()["accountant"])

    @property
    def theorem(self) -> str:
        """What proves it, in words."""
        return str(self.to_dict()["theorem"])

    @property
    def events(self) -> list[dict[str, Any]]:
        """The events, exactly, each with its share in the loss."""
        return list(self.to_dict()["events"])

    @property
    def notes(self) -> list[str]:
        """What is assumed and what is not covered."""
        return list(self.to_dict()["notes"])

    def to_dict(self) -> dict[str, Any]:
        """The members of `dither account --json`."""
        members = dict(json.loads(self._told[0]))
        members["notes"] = [*members["notes"], *self._told[3]]
        return members

    def explain(self) -> str:
        """The guarantee in words: the theorem, each event's share, and what is assumed."""
        extra = "".join(f"{'note':<12}{note}\n" for note in self._told[3])
        head, gap, table = self._told[2].partition("\n\n")
        return (head + "\n" + extra + "\n" + table) if gap else head + extra

    def __repr__(self) -> str:
        return self._told[1].rstrip("\n") + "".join(f"\n{'note':<12}{note}" for note in self._told[3])

    __str__ = float.__repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return (Certified, (self.solved, *self._told))


@dataclass(frozen=True)
class Attempt:
    """What one accountant says, or why it cannot say anything."""

    accountant: str
    epsilon: Optional[Certified]
    why_not: str


class Attempts(Sequence[Attempt]):
    """Every accountant side by side; `["renyi"]` is one of them."""

    def __init__(self, members: str, text: str, guarantees: Sequence[Optional[tuple[str, str, str]]]) -> None:
        self._text = text
        self._attempts = [
            Attempt(str(entry["accountant"]), None if told is None else Certified("epsilon", *told, []),
                    str(entry.get("why_not", "")))
            for entry, told in zip(json.loads(members), guarantees)]

    def __getitem__(self, which: Any) -> Any:
        if isinstance(which, str):
            return {attempt.accountant: attempt for attempt in self._attempts}[which]
        return self._attempts[which]

    def __len__(self) -> int:
        return len(self._attempts)

    def __iter__(self) -> Iterator[Attempt]:
        return iter(self._attempts)

    def __repr__(self) -> str:
        return self._text.rstrip("\n")


class DeltaCurve:
    """delta against epsilon, as arrays: at each `epsilon` the delta lies between `delta_lower` and `delta_upper`."""

    def __init__(self, epsilon: list[float], delta_lower: list[float], delta_upper: list[float]) -> None:
        import numpy

        self.epsilon: numpy.typing.NDArray[numpy.float64] = numpy.array(epsilon)
        self.delta_lower: numpy.typing.NDArray[numpy.float64] = numpy.array(delta_lower)
        self.delta_upper: numpy.typing.NDArray[numpy.float64] = numpy.array(delta_upper)

    def __len__(self) -> int:
        return len(self.epsilon)

    def __repr__(self) -> str:
        return (f"delta falls from {self.delta_upper[0]:.6g} to {self.delta_upper[-1]:.6g} while epsilon grows from "
                f"{self.epsilon[0]:.6g} to {self.epsilon[-1]:.6g}, in {len(self)} points")


class Attack:
    """What the best attacker can do: `accuracy` of the best guess and `advantage` (hits minus false alarms), at most.

    `false_positive` and `true_positive` are arrays: at each rate of false alarms no test has more hits.
    """

    def __init__(self, members: str, text: str) -> None:
        import numpy

        fields: Mapping[str, Any] = json.loads(members)
        self.accuracy = float(fields["accuracy"])
        self.advantage = float(fields["advantage"])
        self.false_positive: numpy.typing.NDArray[numpy.float64] = numpy.array(
            [point["false_positive"] for point in fields["region"]])
        self.true_positive: numpy.typing.NDArray[numpy.float64] = numpy.array(
            [point["true_positive"] for point in fields["region"]])
        self._text = text

    def __repr__(self) -> str:
        return self._text.rstrip("\n")


def real(value: Any) -> float:
    """A number of the core's JSON, which writes infinities as words."""
    return math.inf if value in ("infinity", "inf") else float(value)
