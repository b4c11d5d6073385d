"""What a person is told when a request cannot be carried out."""
from __future__ import annotations


class Error(Exception):
    """Refusals and failures: `code`, a stable word with a page in docs/errors, `message` and `hint`, the way out."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(code, message, hint)
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.code}: {self.message}" + (f"\nhint:  {self.hint}" if self.hint else "")


class BadInput(Error):
    """A mistake in the request, a file or a table."""


class Refused(Error):
    """Refused by policy or budget."""


class OverBudget(Refused):
    """What is left does not pay for it. Nothing was charged."""


class Failed(Error):
    """Failed on the way. What was charged by then stays charged."""


def made(code: str, status: int, message: str, hint: str) -> Error:
    """The exception of a code; `status` is the exit status that the command has for it."""
    if code == "over-budget":
        return OverBudget(code, message, hint)
    return {3: Refused, 4: Failed}.get(status, BadInput)(code, message, hint)
