"""Sessions at the end of the interpreter, and on both sides of a fork."""
from __future__ import annotations

import atexit
import os
import weakref

from dither import _core
from dither.errors import BadInput

_open: weakref.WeakSet[_core.Session] = weakref.WeakSet()
_left_open: set[str] = set()  # ledgers that could not be closed before a fork
_inherited: set[str] = set()  # those of the parent process, in a child


def add(session: _core.Session) -> None:
    """To be ended with the interpreter, and to rest while the process forks."""
    _open.add(session)


def require_own_ledger(session: _core.Session) -> None:
    """Refuses a ledger that was open on the other side of a fork: SQLite would lose what one of them writes. Before it
    is looked at: a thread that stayed behind may hold its locks."""
    if _ledger(session) in _inherited:
        raise BadInput(
            "wrong-state",
            "this process was forked while a session of its parent was asking the same ledger",
            'fork while nobody asks, or start processes with multiprocessing\'s "spawn"',
        )


def _ledger(session: _core.Session) -> str:
    return os.path.realpath(session.accounted)


def _all_open() -> list[_core.Session]:
    while True:
        try:
            return list(_open)
        except RuntimeError:  # another thread opened one meanwhile
            continue


@atexit.register
def _end() -> None:
    """Threads that are still at work are stopped before the interpreter goes; what they had opened stays charged."""
    _core.end_calls()
    for session in _all_open():
        session.close()


def _before_fork() -> None:
    """What can be closed is, and opened again when it is needed."""
    _left_open.clear()
    _left_open.update(_ledger(session) for session in _all_open() if not session.rest())


def _in_child() -> None:
    _inherited.update(_left_open)


os.register_at_fork(before=_before_fork, after_in_child=_in_child)
