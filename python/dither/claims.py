"""What is claimed about a mechanism, for `dither.audit`."""
from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Union

from dither._numbers import Number, exact
from dither.errors import BadInput

if TYPE_CHECKING:
    from dither.accounting import Releases


@dataclass(frozen=True)
class Pure:
    """epsilon-differential privacy.

    >>> import dither
    >>> dither.Pure(1.0)
    Pure(epsilon=1.0)
    """

    epsilon: Number

    def words(self) -> tuple[str, bool]:
        """The claim as the core reads it, and whether it is a document."""
        return f"eps={exact('epsilon', self.epsilon)}", False


@dataclass(frozen=True)
class Approximate:
    """(epsilon, delta)-differential privacy."""

    epsilon: Number
    delta: Number

    def words(self) -> tuple[str, bool]:
        """The claim as the core reads it, and whether it is a document."""
        return f"eps={exact('epsilon', self.epsilon)},delta={exact('delta', self.delta)}", False


@dataclass(frozen=True)
class Zcdp:
    """rho-zero-concentrated differential privacy."""

    rho: Number

    def words(self) -> tuple[str, bool]:
        """The claim as the core reads it, and whether it is a document."""
        return f"rho={exact('rho', self.rho)}", False


@dataclass(frozen=True)
class Gdp:
    """mu-Gaussian differential privacy."""

    mu: Number

    def words(self) -> tuple[str, bool]:
        """The claim as the core reads it, and whether it is a document."""
        return f"mu={exact('mu', self.mu)}", False


@dataclass(frozen=True)
class Curve:
    """A whole curve: of releases (`dither.accounting`), which must name their relation, or of a file with either.

    >>> import dither
    >>> noise = dither.accounting.Gaussian(sigma=2).under(neighbours="add-remove")
    >>> dither.Curve(noise)
    Curve(of=Gaussian(sigma=2, sensitivity=1).under(neighbours='add-remove'))
    """

    of: Union[Releases, str, os.PathLike[str]]

    def __post_init__(self) -> None:
        from dither.accounting import Releases
        from dither.accounting._texts import file_name

        hint = "give releases such as dither.accounting.Gaussian(sigma=2), or the path of a file"
        if isinstance(self.of, (str, os.PathLike)):
            file_name(self.of, hint)
        elif not isinstance(self.of, Releases):
            raise BadInput("wrong-type", f"the curve is of a {type(self.of).__name__}", hint)

    def words(self) -> tuple[str, bool]:
        """The claim as the core reads it, and whether it is a document."""
        if isinstance(self.of, (str, os.PathLike)):
            return os.path.join(os.curdir, os.fsdecode(self.of)), False  # a file, also where it is named like a claim
        return self.of.to_json(), True


Claim = Union[Pure, Approximate, Zcdp, Gdp, Curve]
