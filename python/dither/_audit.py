"""dither.audit: attacks on the claim of any Python function."""
from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Optional, Union

from dither import _core
from dither._numbers import Number, exact
from dither.claims import Approximate, Claim, Curve, Gdp, Pure, Zcdp
from dither.errors import BadInput

if TYPE_CHECKING:
    from dither.accounting import Releases

MOST_PAIRS = 10_000
EXAMPLE = "give a list of pairs of neighbouring inputs, such as inputs=[([1, 2, 3], [1, 2])]"


class Report:
    """What one tester found, with the fields of `dither verify --json`.

    A test refutes, it never proves: `violated` is False where nothing was found, and `ceiling`, `power_1_5` and
    `power_2` say what could have been: by the event `power_event` alone, and nothing of leaks that show elsewhere.
    `rarest` is about how often an event that one input alone shows must come to be found (None where something was, or
    where the tester does not say). `witness` is the event that shows it: the pair of inputs (`first`, `second`), the
    `event`, how often it was seen, and what the probabilities are at least and at most.
    """

    target: str
    tester: str
    verdict: str
    order: Optional[float]
    promised: float
    delta: float
    lower_bound: float
    ceiling: float
    power_1_5: float
    power_2: float
    power_event: Optional[str]
    rarest: Optional[float]
    false_alarm: float
    runs: int
    seconds: float
    witness: Optional[dict[str, Any]]
    notes: list[str]

    def __init__(self, members: Mapping[str, Any], text: str) -> None:
        self._members = dict(members)
        self._text = text

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self._members:
            raise AttributeError(name)
        value = self._members[name]
        return float(value) if value in ("inf", "-inf", "nan") and name not in ("target", "tester") else value

    @property
    def violated(self) -> bool:
        """Whether the claim was refuted."""
        return bool(self.verdict == "VIOLATED")

    def to_dict(self) -> dict[str, Any]:
        """The members of one report of `dither verify --json`."""
        return dict(self._members)

    def __repr__(self) -> str:
        return self._text.rstrip("\n")


class Audit(Report):
    """What all testers found: the fields are those of the report that found most, `reports` has every one."""

    def __init__(self, reports: Sequence[Report]) -> None:
        most = max(reports, key=lambda report: (report.violated, report.lower_bound))
        super().__init__(most.to_dict(), "\n\n".join(repr(report) for report in reports))
        self.reports = tuple(reports)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Audit, (self.reports,))


def audit(fn: Callable[..., Any], *, claim: Union[Claim, Releases], inputs: Optional[Sequence[tuple[Any, Any]]] = None,
          length: Optional[int] = None, adjacent: Optional[str] = None, runs: int = 100_000, seconds: Number = 60,
          tester: str = "likelihood", false_alarm: Number = 0.001, seed: int = 1, batch: bool = False,
          name: Optional[str] = None) -> Audit:
    """Attacks the claim that `fn` makes, with the testers of `dither verify`, and reports what was found.

    `fn(x)` runs the mechanism once, with fresh noise, on an input and returns a number, text, True, False, None, or a
    tuple, list, array, mapping, or Series or table of pandas with these, whose index is part of it; an empty one is an
    output too. What it raises is an output like any other, SystemExit included: the name of the exception's type. With
    `batch=True`, `fn(x, runs)` returns that many outputs at once (an array, a Series, or a list), which is much faster;
    it must not raise then.

    `inputs` are pairs of neighbouring inputs, whatever `fn` takes; or, for vectors of `length` numbers, patterns that
    leaks were found with are tried: `adjacent` is "one" where a record moves one of the answers by up to 1, "all"
    where it may move each. A function that keeps its claim is called violated with probability `false_alarm` at most,
    whatever the number of pairs and testers; `seed` chooses events, never noise. The test takes at most `runs` runs
    of each input and `seconds` in all. `fn` is called on this thread only, and Ctrl-C stops it.

    >>> import dither, random
    >>> def leaky(x):                              # Laplace noise of scale 1/2: epsilon is 2
    ...     return x + random.expovariate(2) - random.expovariate(2)
    >>> found = dither.audit(leaky, claim=dither.Pure(1.0), inputs=[(0, 1)], runs=20_000)
    >>> found.violated, found.lower_bound > 1
    (True, True)
    """
    pairs = _pairs(inputs, length, adjacent)
    words = [(_words(first), _words(second)) for first, second in pairs]
    called = _name_of(fn)
    reports = _core.audit(fn, _cells, _rows if batch else None, pairs, words, _word("name", name) or called,
                          _claimed(claim), _word("tester", tester), _count("runs", runs, 100, 10**9),
                          _between("seconds", seconds, 0.01, 100_000),
                          _between("false_alarm", false_alarm, 0, 1, open_ends=True), _count("seed", seed, 0, 2**63))
    return Audit([Report(json.loads(members), text) for members, text in reports])


def _claimed(claim: Any) -> tuple[str, bool]:
    from dither.accounting import Releases

    if isinstance(claim, Releases):
        claim = Curve(claim)
    if isinstance(claim, (Pure, Approximate, Zcdp, Gdp, Curve)):
        return claim.words()
    raise BadInput("bad-argument", f"the claim is a {type(claim).__name__}",
                   "give e.g. dither.Pure(1.0), dither.Approximate(1, 1e-6), dither.Zcdp(0.5) or dither.Gdp(1)")


def _pairs(inputs: Any, length: Optional[int], adjacent: Optional[str]) -> list[tuple[Any, Any]]:
    if (inputs is None) == (length is None):
        raise BadInput("bad-argument",
                       "inputs and length are both given" if length else "neither inputs nor length is given",
                       EXAMPLE + ", or length=5, adjacent=\"one\"")
    if length is not None:
        if adjacent not in ("one", "all"):
            raise BadInput("bad-argument", f"adjacent is {adjacent!r}, but must be \"one\" or \"all\"",
                           "\"one\" where a record moves one of the answers by up to 1, \"all\" where it may move each")
        return list(_core.pattern_inputs(_count("length", length, 1, 1000), adjacent == "one"))
    if adjacent is not None:
        raise BadInput("bad-argument", "adjacent is given without length", "leave it out: the inputs say it all")
    given = list(inputs) if isinstance(inputs, (list, tuple)) else None
    if given is None or any(not isinstance(pair, (list, tuple)) or len(pair) != 2 for pair in given):
        raise BadInput("bad-argument", "inputs is no list of pairs", EXAMPLE)
    if not 1 <= len(given) <= MOST_PAIRS:
        raise BadInput("bad-count", f"{len(given)} pairs of inputs, but must be 1 to {MOST_PAIRS}", EXAMPLE)
    return [(pair[0], pair[1]) for pair in given]


def _words(value: Any) -> str:
    """An input in words, for the witness."""
    plain = value.tolist() if hasattr(value, "tolist") else value
    try:
        return json.dumps(plain)[:1000]
    except (TypeError, ValueError, RecursionError):
        return _unicode(repr(value)[:1000])


def _word(name: str, value: Optional[str]) -> str:
    """A word; of None, none."""
    if value is None or isinstance(value, str):
        return _unicode(value or "")
    raise BadInput("wrong-type", f"{name} is a {type(value).__name__}", f"give {name} as text")


def _unicode(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def _name_of(fn: Any) -> str:
    if not callable(fn):
        raise BadInput("bad-argument", f"what is to be tested is a {type(fn).__name__}, which cannot be called",
                       "give a function of one input")
    return _unicode(str(getattr(fn, "__name__", type(fn).__name__)))


def _cells(said: Any) -> list[Any]:
    """An output that is neither simple nor a list of simple ones, as such a list: arrays with their shape, mappings
    and Series key by key, tables with the names of their columns and rows, whatever lies inside of these in words.
    Outputs that differ become lists that differ."""
    if _has_index(said):
        return [cell for pair in _labelled(said) for cell in pair] + _name_of_series(said)
    if hasattr(said, "itertuples"):  # tables of pandas
        names = [_label(name) for name in said.columns]
        return [f"table of {len(names)} columns", *names, *(cell for row in _rows_of_table(said) for cell in row)]
    if hasattr(said, "tolist"):  # arrays and numbers of numpy
        plain = said.tolist()
        shape = getattr(said, "shape", ())
        return [f"shape {tuple(shape)}", *_flat(plain)] if len(shape) > 1 else _cells_of_list(plain)
    if isinstance(said, Mapping):
        return [cell for key, value in said.items() for cell in (_cell(key), _cell(value))]
    return _cells_of_list(list(said) if isinstance(said, (list, tuple)) else said)


def _has_index(said: Any) -> bool:
    """Whether it is a Series of pandas: its index is said as its values are."""
    return hasattr(said, "index") and hasattr(said, "items") and hasattr(said, "dtype")


def _has_labels(said: Any) -> bool:
    """Whether it is a Series whose index says more than the order of its values."""
    return _has_index(said) and list(said.index) != list(range(len(said)))


def _labelled(said: Any) -> list[list[Any]]:
    return [[_label(label), _cell(value)] for label, value in said.items()]


def _name_of_series(said: Any) -> list[Any]:
    return [] if said.name is None else ["name", _label(said.name)]


def _rows_of_table(said: Any) -> list[list[Any]]:
    return [[_label(label), *map(_cell, values)] for label, *values in said.itertuples(name=None)]


def _label(value: Any) -> Any:
    """What rows and columns are called may be anything, such as a day."""
    return value if value is None or isinstance(value, (bool, int, float)) else _unicode(str(value))


def _cells_of_list(plain: Any) -> list[Any]:
    return [_cell(item) for item in plain] if isinstance(plain, list) else [_cell(plain)]


def _flat(plain: Any) -> list[Any]:
    return [cell for item in plain for cell in _flat(item)] if isinstance(plain, list) else [_cell(plain)]


def _cell(value: Any) -> Any:
    if hasattr(value, "tolist") and not isinstance(value, (str, bytes)):
        value = value.tolist()
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return _unicode(value)
    if isinstance(value, bytes):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return repr([_cell(item) for item in value])
    raise BadInput("wrong-type", f"an output holds a {type(value).__name__}",
                   "return numbers, text, True, False, None, or a list or array of these")


def _rows(said: Any) -> Any:
    """The outputs of a batch: a matrix of doubles where that loses nothing, else a list."""
    if not isinstance(said, Iterable) or isinstance(said, (str, bytes, Mapping, Set)) or (
            getattr(said, "shape", None) == ()):
        raise BadInput("bad-source", f"the function returned a {type(said).__name__} for a batch of runs",
                       "return one output for each run: fn(x, runs) gives an array or a list of that length")
    if _has_labels(said):
        return _labelled(said)
    if hasattr(said, "itertuples"):
        return _rows_of_table(said)
    if not hasattr(said, "dtype"):
        return _items_of_batch(said)
    import numpy

    array = numpy.asarray(said)
    exactly = array.dtype.kind == "f" and array.dtype.itemsize <= 8 or array.dtype.kind in "iu" and (
        array.size == 0 or max(abs(int(array.min())), abs(int(array.max()))) <= 2**53)
    if exactly and array.ndim in (1, 2):
        rows = array if array.ndim == 2 else array[:, None]
        return numpy.ascontiguousarray(rows, dtype=numpy.float64)
    return list(array)


def _items_of_batch(said: Iterable[Any]) -> list[Any]:
    try:
        return list(said)  # which runs what a generator has still to do
    except (Exception, SystemExit) as raised:
        hint = "which run it was is not known: return what a failed run says, or leave batch=True out"
        raise BadInput("bad-source", f"the function raised {type(raised).__name__} in a batch of runs", hint) from None


def _count(name: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
        return value
    raise BadInput("bad-count", f"{name} is {value!r}, but must be a whole number from {least} to {most}",
                   "give a whole number in that range")


def _between(name: str, value: Number, least: float, most: float, open_ends: bool = False) -> float:
    from fractions import Fraction

    try:
        number = float(Fraction(exact(name, value)))
    except (ValueError, ZeroDivisionError, OverflowError):
        number = float("nan")
    if (least < number < most) if open_ends else (least <= number <= most):
        return number
    raise BadInput("bad-probability" if open_ends else "out-of-range",
                   f"{name} is {value!r}, but must be between {least:g} and {most:g}", f"give a {name} in that range")
