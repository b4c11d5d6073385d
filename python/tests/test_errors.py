"""Errors: stable words, a hint, the right class, and nothing private."""
from __future__ import annotations

import pickle

import dither
import pytest
from dither import _core, errors
from sessions import session


def test_every_code_has_a_class_and_they_all_are_errors() -> None:
    for code in _core.codes:
        made = errors.made(code, 2, "message", "hint")
        assert isinstance(made, dither.Error) and (made.code, made.message, made.hint) == (code, "message", "hint")
    assert isinstance(errors.made("over-budget", 3, "", ""), dither.OverBudget)
    assert isinstance(errors.made("frozen", 3, "", ""), dither.Refused)
    assert isinstance(errors.made("run-failed", 4, "", ""), dither.Failed)
    assert isinstance(errors.made("bad-sql", 2, "", ""), dither.BadInput)
    assert issubclass(dither.OverBudget, dither.Refused)


def test_errors_show_code_message_and_hint_and_pickle() -> None:
    with pytest.raises(dither.BadInput) as caught:
        session().sql("SELECT COUNT(*) FROM vists", epsilon=1)
    error = caught.value
    assert error.code == "unknown-table" and str(error).startswith("unknown-table: ") and "\nhint:  " in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error) and str(again) == str(error)


def test_what_is_not_left_is_over_budget() -> None:
    s = session(budget=dither.Budget(epsilon=1))
    with pytest.raises(dither.Refused) as caught:
        s.sql("SELECT COUNT(*) FROM visits", epsilon=2)
    assert caught.value.code == "over-budget" and s.budget.spent.epsilon == 0
