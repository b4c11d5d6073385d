"""A statement before it is paid for."""
from __future__ import annotations

from html import escape
from typing import Any, Iterator, Mapping

from dither.budget import Amounts


class Report(Mapping[str, Any]):
    """Fields by name, as `--json` of the command has them, and the command's text as what is shown."""

    def __init__(self, fields: Mapping[str, Any], text: str) -> None:
        self._fields = dict(fields)
        self._text = text

    def __getitem__(self, name: str) -> Any:
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __getattr__(self, name: str) -> Any:
        fields = self.__dict__.get("_fields", {})
        if name in fields:
            return fields[name]
        raise AttributeError(f"there is no field {name!r}, but {', '.join(fields)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._fields]

    def to_dict(self) -> dict[str, Any]:
        """The fields."""
        return dict(self._fields)

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        return f"<pre>{escape(repr(self))}</pre>"


class Explanation(Report):
    """What a statement would cost and how exact it would be: the fields of `dither explain --json`.

    `fits` says whether the budget pays for it, `how_many` how many such statements it pays for; `columns` has the
    predicted error of each, `steps` how far one unit reaches, `parts` the noise, `plan_hash` names the plan.
    """

    @property
    def cost(self) -> Amounts:
        """What would be charged."""
        return Amounts(self["cost"])

    @property
    def price(self) -> Amounts:
        """The price of the statement, as asked or as found for a wanted error."""
        return Amounts(self["price"])

    @property
    def fits(self) -> bool:
        """Whether every budget that pays for it has so much left."""
        return bool(self["fits"])
