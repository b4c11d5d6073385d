"""Answers as drawings."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence, Union

from dither.answer_tables import needed
from dither.errors import BadInput

if TYPE_CHECKING:
    import matplotlib.axes

    from dither.answer import Answer

_MOST_BARS = 200
_LINE_FROM = 30  # more numbers than this as keys make a line


def _drawn(answer: Answer, columns: Union[None, str, Sequence[str]]) -> list[int]:
    """Places of the columns that are drawn: those with noise, or those that were named."""
    if columns is not None:
        try:
            names = [columns] if isinstance(columns, str) else list(columns)
        except TypeError:
            wrong = f"columns is {type(columns).__name__}, which names none"
            raise BadInput("wrong-type", wrong, 'write plot("n") or plot(["n", "mean"])') from None
        for name in names:
            answer[name]  # refuses names that are not there, or twice
        return [answer.columns.index(name) for name in names]
    lows, _ = answer._interval_columns(0.95)
    return [place for place, low in enumerate(lows) if low is not None]


def _labels(answer: Answer, keys: list[int]) -> list[str]:
    if not keys:
        return [""] * len(answer)
    texts = (["NULL" if cell is None else str(cell) for cell in answer._column(place)] for place in keys)
    return [", ".join(row) for row in zip(*texts)]


def _name(answer: Answer, place: int) -> str:
    """Of a column that bounds may cut, with a mark: its intervals are for what they leave."""
    return answer.columns[place] + (", after cuts" if answer.cut_by[place] else "")


def plot(answer: Answer, columns: Union[None, str, Sequence[str]], level: float, ax: Any) -> matplotlib.axes.Axes:
    """See Answer.plot."""
    drawn = _drawn(answer, columns)
    if not drawn or any(answer.types[place] not in ("integer", "real") for place in drawn):
        hint = "name columns of numbers: plot(columns=...)"
        raise BadInput("not-supported", "there are no noisy numbers to draw", hint)
    keys = [place for place in range(len(answer.columns)) if place not in drawn and answer._errors[place] is None]
    line = len(keys) == 1 and len(answer) > _LINE_FROM and answer.types[keys[0]] not in ("text", "boolean")
    if len(answer) > _MOST_BARS and not line:
        raise BadInput(
            "not-supported",
            f"{len(answer)} rows make more bars than there is room for ({_MOST_BARS})",
            "keep some with ORDER BY and LIMIT: of the same question that costs nothing",
        )
    if ax is None:
        ax = needed("matplotlib.pyplot", "plot()").subplots()[1]
    if line:
        _draw_lines(answer, drawn, keys[0], level, ax)
    else:
        _draw_bars(answer, drawn, keys, level, ax)
    if len(drawn) > 1:
        ax.legend()
    else:
        ax.set_ylabel(_name(answer, drawn[0]))
    ax.set_xlabel(", ".join(answer.columns[place] for place in keys))
    drawing: matplotlib.axes.Axes = ax
    return drawing


def _ends(answer: Answer, place: int, level: float) -> tuple[list[float], list[float], list[float]]:
    """Values, lows and highs; where there is none, not a number."""
    lows, highs = answer._interval_columns(level)
    nothing = [None] * len(answer)
    triple = (answer._cells[place], lows[place] or nothing, highs[place] or nothing)
    values, low, high = ([float("nan") if cell is None else float(cell) for cell in column] for column in triple)
    return values, low, high


def _draw_bars(answer: Answer, drawn: list[int], keys: list[int], level: float, ax: Any) -> None:
    width = 0.8 / len(drawn)
    for number, place in enumerate(drawn):
        values, lows, highs = _ends(answer, place, level)
        at = [row + (number - (len(drawn) - 1) / 2) * width for row in range(len(answer))]
        down = [max(0.0, value - low) for value, low in zip(values, lows)]
        up = [max(0.0, high - value) for value, high in zip(values, highs)]
        ax.bar(at, values, width, yerr=[down, up], capsize=3, label=_name(answer, place))
    ax.set_xticks(range(len(answer)), _labels(answer, keys), rotation=45 if len(answer) > 8 else 0)


def _draw_lines(answer: Answer, drawn: list[int], key: int, level: float, ax: Any) -> None:
    order = sorted(row for row, cell in enumerate(answer._cells[key]) if cell is not None)
    order.sort(key=lambda row: answer._cells[key][row])
    keys = answer._column(key)
    for place in drawn:
        values, lows, highs = ([column[row] for row in order] for column in _ends(answer, place, level))
        (line,) = ax.plot([keys[row] for row in order], values, label=_name(answer, place))
        ax.fill_between([keys[row] for row in order], lows, highs, alpha=0.2, color=line.get_color())
