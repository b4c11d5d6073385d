"""Other systems' words: declarations of SmartNoise and OpenDP, events of dp-accounting. None of them need be installed.

>>> import dither
>>> dither.interop.unit_of(contributions=3)
{'unit': {'rows': 3}, 'neighbours': 'add-remove'}
>>> dither.interop.loss_of(epsilon=1, delta=1e-8)
Budget(epsilon=1, delta=1e-08)
"""
from __future__ import annotations

from dither.interop._declarations import Declarations
from dither.interop._dp_accounting import from_dp_accounting, to_dp_accounting
from dither.interop._opendp import from_opendp, loss_of, unit_of
from dither.interop._smartnoise import read_smartnoise

__all__ = ["Declarations", "from_dp_accounting", "from_opendp", "loss_of", "read_smartnoise", "to_dp_accounting",
           "unit_of"]
