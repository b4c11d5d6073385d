"""An answer for people: the command's table, and a richer one in notebooks."""
from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from dither import _core

if TYPE_CHECKING:
    from dither.answer import Answer

_MOST_ROWS = 60  # shown; the others are counted


def _arguments(answer: Answer) -> tuple[Any, ...]:
    rows = min(len(answer), _MOST_ROWS)
    return answer.columns, answer.types, answer._cells, answer._interval_columns(0.95), answer.cut_by, rows


def _more(answer: Answer) -> str:
    return f"... and {len(answer) - _MOST_ROWS} more rows" if len(answer) > _MOST_ROWS else ""


def text_of(answer: Answer) -> str:
    """The table of `dither query`, cut after 60 rows; then notes, price and budgets."""
    parts = [_core.rows_text(*_arguments(answer)).rstrip("\n")]
    parts += [more for more in [_more(answer)] if more]
    if answer.notes:
        parts.append("\n" + "\n".join(f"note: {_core.printable(note)}" for note in answer.notes))
    parts.append("\n" + answer._price_text.rstrip("\n"))
    parts.append(f"accounted: {_core.printable(answer.accounted)}")
    return "\n".join(parts)


def _cells(tag: str, cells: list[str], numbers: list[bool]) -> str:
    made = (
        f'<{tag} style="text-align:{"right" if number else "left"}">{escape(cell)}</{tag}>'
        for cell, number in zip(cells, numbers)
    )
    return f"<tr>{''.join(made)}</tr>"


def _table(answer: Answer) -> str:
    titles, numbers, rows = _core.shown_table(*_arguments(answer))
    body = "".join(_cells("td", row, numbers) for row in rows)
    more = f'<tr><td colspan="{len(titles)}">{escape(_more(answer))}</td></tr>' if _more(answer) else ""
    return f"<table><thead>{_cells('th', titles, numbers)}</thead><tbody>{body}{more}</tbody></table>"


def _bar(budget: str, share: float, left: str, limit: str) -> str:
    used = min(100, max(0, round(100 * share)))
    box = "display:inline-block;width:12em;height:0.8em;border:1px solid #888;vertical-align:middle;"
    fill = f"background:linear-gradient(to right,#c66 {used}%,#dfd {used}%)"
    return (
        f'<div><code>{escape(budget)}</code> <span style="{box}{fill}" title="{used}% used"></span> '
        f"{escape(left)} left of {escape(limit)}</div>"
    )


def _price(answer: Answer) -> str:
    asked = ", ".join(f"{name} {text}" for name, text in answer.price.items()) or "nothing"
    how = "stored answer" if answer.stored else "charged" if answer.charged else "nothing charged"
    if answer.stored and answer.charged:
        how = "stored answer, charged"
    release = f", release <code>{escape(answer.release_id)}</code>" if answer.release_id else ""
    return f"<div>price: {escape(asked)} ({how}){release}; accounted: {escape(answer.accounted)}</div>"


def html_of(answer: Answer) -> str:
    """A table with intervals, the price, and a bar for each budget. All of it escaped."""
    notes = "".join(f"<div>note: {escape(note)}</div>" for note in answer.notes)
    bars = "".join(_bar(*payer) for payer in answer._payers)
    return f"<div>{_table(answer)}{notes}{_price(answer)}{bars}</div>"
