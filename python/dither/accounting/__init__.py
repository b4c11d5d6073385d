"""What releases cost together, as numbers that provably hold.

Events are made by name, sampled, repeated and added; questions are then asked of the list:

>>> import dither.accounting as accounting
>>> training = accounting.Gaussian(sigma=1).subsample(poisson=0.01).times(10_000)
>>> epsilon = training.epsilon(delta=1e-6, neighbours="add-remove")
>>> f"{epsilon:.4f}"
'6.9074'
>>> epsilon.upper - epsilon.lower < 1e-6
True
>>> both = training + accounting.Laplace(scale=10)
>>> both.epsilon(delta=1e-6, neighbours="add-remove") > epsilon
True

Every mechanism that the accountant knows is here under its name: `dir(dither.accounting)` lists them, `help()` of one
says what it takes. Numbers are taken as they are written (0.1 is 1/10; "1/3" is a third), and every rounding is
outward.
"""
from __future__ import annotations

from dither.accounting._answers import Attack, Attempt, Attempts, Certified, DeltaCurve
from dither.accounting._calibrate import Calibrated, calibrate
from dither.accounting._events import unknown
from dither.accounting._kinds import Kind, kinds
from dither.accounting._releases import Releases, compose, from_json, read

__all__ = ["Attack", "Attempt", "Attempts", "Calibrated", "Certified", "DeltaCurve", "Kind", "Releases", "calibrate",
           "compose", "from_json", "read", "unknown"]


def __getattr__(name: str) -> Kind:
    if name in kinds():
        return kinds()[name]
    known = ', '.join(kinds())
    raise AttributeError(f"module 'dither.accounting' has no attribute {name!r}; its mechanisms are {known}")


def __dir__() -> list[str]:
    return sorted([*__all__, *kinds()])
