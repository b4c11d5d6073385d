"""What an answer cost, and what is left."""
from __future__ import annotations

from typing import Any, Mapping, Optional

from dither.budget import Amounts


class Left(Amounts):
    """What is left of one budget: exact text by name, numbers by attribute."""

    @property
    def budget(self) -> str:
        """The path of the budget: "main", "main/alice"."""
        return self["budget"]


class Priced:
    """The fields of an answer that are about its price."""

    _facts: Mapping[str, Any]
    _accounted: str

    @property
    def epsilon(self) -> Optional[float]:
        """The price as asked, or as found for a wanted error; None where it was asked in rho."""
        return _number(self._facts["epsilon"])

    @property
    def delta(self) -> Optional[float]:
        """The delta of the price; None where there is none."""
        return _number(self._facts["delta"])

    @property
    def rho(self) -> Optional[float]:
        """The price as asked, in zero-concentrated differential privacy; None where it was asked in epsilon."""
        return _number(self._facts["rho"])

    @property
    def price(self) -> Amounts:
        """Epsilon, delta and rho as exact text, those that were asked."""
        asked = {name: self._facts[name] for name in ("epsilon", "delta", "rho")}
        return Amounts({name: text for name, text in asked.items() if text is not None})

    @property
    def cost(self) -> Optional[Amounts]:
        """What the data set was charged, in its own measure; of a stored answer what it cost then; None for nothing."""
        return None if self._facts["cost"] is None else Amounts(self._facts["cost"])

    @property
    def stored(self) -> bool:
        """Whether it was given before."""
        return bool(self._facts["stored"])

    @property
    def charged(self) -> bool:
        """Whether something was charged now."""
        return bool(self._facts["charged"])

    @property
    def left(self) -> list[Left]:
        """What is left, from the budget that asked upward."""
        return [Left(one) for one in self._facts["left"]]

    @property
    def release_id(self) -> Optional[str]:
        """Of the release in the ledger; None where nothing was charged."""
        return None if self._facts["release_id"] is None else str(self._facts["release_id"])

    @property
    def notes(self) -> list[str]:
        """What a reader should know."""
        return list(self._facts["notes"])

    @property
    def accounted(self) -> str:
        """Where the charge is kept: the path of the ledger, or "session only"."""
        return self._accounted


def _number(text: Optional[str]) -> Optional[float]:
    return None if text is None else float(text)
