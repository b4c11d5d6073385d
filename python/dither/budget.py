"""What may be spent, and what is left of it."""
from __future__ import annotations

from typing import Any, Iterator, Mapping, Optional

from dither._numbers import Number, exact

AMOUNTS = ("epsilon", "delta", "rho", "mu", "slack")


class Budget:
    """What may be spent, in the words of the project file. The amounts say how charges add up:

    | amounts | adds up |
    |---|---|
    | `Budget(epsilon=1)` | epsilons (pure) |
    | `Budget(epsilon=3, delta=1e-8)` | epsilons, and deltas (basic) |
    | `Budget(rule="advanced", epsilon=2, delta=1e-8, slack=1e-9)` | squares of epsilons, and deltas |
    | `Budget(rho=0.5, delta=1e-9)` | rhos, and deltas (zcdp) |
    | `Budget(mu=1)` | squares of mus (gdp) |

    Numbers are taken as they are written: 0.1 is 1/10. `parent` is for budgets below another one (`budgets=`); without
    it they lie below the data set's own. Whether the amounts make a budget is decided by `dither.Session`.

    >>> Budget(epsilon=3, delta=1e-8)
    Budget(epsilon=3, delta=1e-08)
    """

    __slots__ = ("_fields",)

    def __init__(
        self,
        *,
        epsilon: Optional[Number] = None,
        delta: Optional[Number] = None,
        rho: Optional[Number] = None,
        mu: Optional[Number] = None,
        slack: Optional[Number] = None,
        rule: Optional[str] = None,
        parent: Optional[str] = None,
    ) -> None:
        given = dict(zip(AMOUNTS, (epsilon, delta, rho, mu, slack)))
        amounts = {name: exact(name, value) for name, value in given.items() if value is not None}
        words = {name: word for name, word in (("rule", rule), ("parent", parent)) if word is not None}
        self._fields: dict[str, str] = {**words, **amounts}

    @property
    def fields(self) -> Mapping[str, str]:
        """What was given: amounts as exact text, and the words."""
        return dict(self._fields)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Budget) and self._fields == other._fields

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._fields.items())))

    def __repr__(self) -> str:
        shown = (f"{name}={text if name in AMOUNTS else repr(text)}" for name, text in self._fields.items())
        return f"Budget({', '.join(shown)})"


class Amounts(dict[str, str]):
    """Amounts as exact text by name, and as numbers by attribute.

    >>> left = Amounts(epsilon="2.5", delta="0")
    >>> left["epsilon"], left.epsilon
    ('2.5', 2.5)
    """

    def __getattr__(self, name: str) -> float:
        if name in self:
            above, _, below = self[name].partition("/")
            return float(above) / float(below or 1)
        raise AttributeError(f"there is no amount {name!r} here, but {', '.join(self)}")

    def __str__(self) -> str:
        return ", ".join(f"{name} {text}" for name, text in self.items() if name != "delta" or text != "0") or "nothing"


class BudgetState:
    """One budget as the next charge finds it."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self.budget: str = fields["budget"]
        """Its path: "main", "main/alice"."""
        self.rule: str = fields["rule"]
        """How charges add up: "pure", "basic", "advanced", "zcdp", "gdp"."""
        self.limit = Amounts(fields["limit"])
        self.spent = Amounts(fields["spent"])
        self.left = Amounts(fields["left"])
        self.in_ledger: bool = fields["in_ledger"]
        """False before the first charge."""
        self.closed: str = fields.get("closed", "")
        """Why nothing can be charged to it now, or ""."""
        self._bar: str = fields["bar"]

    def __repr__(self) -> str:
        closed = f"  {self.closed}" if self.closed else ""
        return f"{self.budget}  {self._bar}  spent: {self.spent} of {self.limit}; left: {self.left}{closed}"


class Budgets:
    """All budgets of a session, the data set's own first; its `limit`, `spent` and `left` are those of that one.

    `budgets["main/alice"]` is another one, by path or by name.
    """

    def __init__(self, rows: list[Mapping[str, Any]], accounted: str) -> None:
        self.rows = [BudgetState(fields) for fields in rows]
        self.accounted = accounted
        """Where the charges are kept: the path of the ledger, or "session only"."""

    @property
    def limit(self) -> Amounts:
        """What the data set may lose in all."""
        return self.rows[0].limit

    @property
    def spent(self) -> Amounts:
        """What was charged so far."""
        return self.rows[0].spent

    @property
    def left(self) -> Amounts:
        """What may still be charged."""
        return self.rows[0].left

    def __iter__(self) -> Iterator[BudgetState]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, name: str) -> BudgetState:
        for row in self.rows:
            if name in (row.budget, row.budget.rpartition("/")[2]):
                return row
        from dither.errors import BadInput

        names = ", ".join(row.budget for row in self)
        raise BadInput("unknown-budget", f"there is no budget {name!r}", f"there are {names}")

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.rows)) + f"\naccounted: {self.accounted}"

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(repr(self))}</pre>"
