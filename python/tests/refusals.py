"""What tests of refusals share."""
from __future__ import annotations

import pytest

from dither import BadInput


def refused(code, call):
    """The refusal of the call, which has this code and a hint."""
    with pytest.raises(BadInput) as caught:
        call()
    assert caught.value.code == code, caught.value
    assert caught.value.hint
    return caught.value
