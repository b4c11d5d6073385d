"""The mechanisms by name, as the core lists them: a new one there is a new one here."""
from __future__ import annotations

import functools
import inspect
from typing import Any

from dither import _core
from dither.accounting._releases import Releases, event_of
from dither.errors import BadInput


class Kind:
    """A mechanism that can be accounted for. Calling it with its parameters makes one release.

    >>> import dither.accounting as accounting
    >>> accounting.Laplace(scale=2)
    Laplace(scale=2, sensitivity=1)
    """

    def __init__(self, mechanism: str, required: list[str], optional: list[str]) -> None:
        self.mechanism = mechanism
        self.__name__ = python_name(mechanism)
        self.required = tuple(required)
        named, either = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
        self.__signature__ = inspect.Signature(
            [inspect.Parameter(name, either if len(required) == 1 else named) for name in required]
            + [inspect.Parameter(name, named, default=None) for name in optional],
            return_annotation=Releases)
        also = f"; may have {', '.join(optional)}" if optional else ""
        self.__doc__ = f"One release by the mechanism \"{mechanism}\". Takes {', '.join(required)}{also}."

    def __call__(self, *values: Any, **parameters: Any) -> Releases:
        if values:
            if len(self.required) > 1 or len(values) > 1 or self.required[0] in parameters:
                raise BadInput("bad-argument",
                               f"{self.__name__} is given {len(values)} values without a name beside "
                               f"{', '.join(parameters) or 'nothing else'}",
                               f"give {', '.join(f'{name}=...' for name in self.required)}")
            parameters = {self.required[0]: values[0], **parameters}
        given = {name: value for name, value in parameters.items() if value is not None}
        return event_of(self.mechanism, given)

    def __repr__(self) -> str:
        return f"dither.accounting.{self.__name__}{self.__signature__}"


def python_name(mechanism: str) -> str:
    """`discrete-laplace` is DiscreteLaplace."""
    return "".join(word.capitalize() for word in mechanism.split("-"))


@functools.lru_cache(maxsize=None)
def kinds() -> dict[str, Kind]:
    """Every mechanism under its Python name."""
    made = [Kind(*entry) for entry in _core.accounting_catalogue()]
    return {kind.__name__: kind for kind in made}
