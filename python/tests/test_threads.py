"""Threads, forks and interrupts."""
from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import dither
import pytest
from sessions import SURE, count, session


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def large() -> Any:
    """A table that takes long enough to be interrupted."""
    import numpy

    return numpy.rec.fromarrays([numpy.arange(2_000_000), numpy.arange(2_000_000) % 50], names="person,cost")


@pytest.mark.parametrize("ledger", [":memory:", "visits.ledger"])
def test_many_threads_ask_one_session(ledger: str) -> None:
    s = session(ledger=ledger, dataset="visits", data_version="1", budget=dither.Budget(epsilon=10**12))
    found: list[Any] = []

    def ask(number: int) -> None:
        found.append((number, count(s, f"cost > {number}")))
        assert s.explain("SELECT COUNT(*) FROM visits", epsilon=1).fits
        assert s.budget.limit.epsilon == 1e12
        assert len(s.history) >= 1

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    costs = [5, 7, 20, 1, 2, 3, 50, 11]
    assert sorted(found) == [(number, sum(cost > number for cost in costs)) for number in range(12)]
    assert s.budget.spent.epsilon == 12 * SURE
    assert len(s.history) == 12


def test_one_question_of_many_threads_is_charged_once() -> None:
    s = session(budget=dither.Budget(epsilon=2))
    answers: list[Any] = []
    threads = [
        threading.Thread(target=lambda: answers.append(s.sql("SELECT COUNT(*) FROM visits", epsilon=1).value))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8 and len(set(answers)) == 1
    assert s.budget.spent.epsilon == 1


def in_child(work: Any) -> int:
    """Its exit status; a child that hangs is ended."""
    child = multiprocessing.get_context("fork").Process(target=work)
    child.start()
    child.join(60)
    if child.is_alive():
        child.kill()
        return -1
    return child.exitcode if child.exitcode is not None else -1


def test_a_child_process_is_refused_by_name_and_may_open_its_own(own_folder: Path) -> None:
    given = {"ledger": "visits.ledger", "dataset": "visits", "data_version": "1"}
    s = session(**given)
    assert count(s) == 8
    held = [s]

    def work() -> None:
        inherited = held.pop()
        for ask in (lambda: count(inherited), lambda: inherited.budget, lambda: inherited.history, inherited.describe):
            try:
                ask()
            except dither.BadInput as error:
                assert error.code == "wrong-state" and "forked" in error.message
            else:
                os._exit(3)
        inherited.close()
        del inherited
        gc.collect()
        with session(**given) as own:
            assert count(own) == 8 and count(own, "cost > 10") == 3
            assert own.budget.spent.epsilon == 2 * SURE

    assert in_child(work) == 0
    held.append(s)
    assert count(s, "cost > 20") == 1
    assert s.budget.spent.epsilon == 3 * SURE
    s.close()
    with session(**given) as later:  # nothing that either wrote was lost
        assert len(later.history) == 3


def test_a_ledger_that_is_in_use_at_a_fork_is_refused_in_the_child() -> None:
    given = {"ledger": "visits.ledger", "dataset": "visits", "data_version": "1", "columns": {"person": "integer"}}
    s = session(large(), **given)
    done = threading.Event()

    def ask() -> None:
        while not done.is_set():
            s.sql("SELECT COUNT(*) FROM visits", epsilon="0.001", again=True)

    def work() -> None:
        try:
            session(large(), **given).close()
        except dither.BadInput as error:
            os._exit(7 if error.code == "wrong-state" and "forked" in error.message else 8)

    thread = threading.Thread(target=ask)
    thread.start()
    ends, until = [in_child(work)], time.monotonic() + 120
    while ends[-1] == 0 and len(ends) < 200 and time.monotonic() < until:
        ends.append(in_child(work))  # the last fork came between two questions, and found the ledger closed
    done.set()
    thread.join()
    assert ends[-1] == 7, ends


def test_a_child_of_a_session_in_memory_may_open_its_own() -> None:
    s = session()
    assert count(s) == 8

    def work() -> None:
        with pytest.raises(dither.BadInput, match="wrong-state"):
            count(s)
        assert count(session()) == 8

    assert in_child(work) == 0
    assert count(s, "cost > 10") == 3


def test_an_interrupt_stops_the_work_and_keeps_the_charge() -> None:
    columns = {"person": "integer", "cost": {"type": "integer", "bounds": (0, 50), "outside": "clamp"}}
    s = session(large(), columns=columns, budget=dither.Budget(epsilon=100))
    sql = "SELECT cost % 7, COUNT(*), SUM(cost) FROM visits GROUP BY 1"
    timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
    asked = 0
    with pytest.raises(KeyboardInterrupt) as stopped:
        timer.start()
        while asked < 10_000:
            s.sql(sql, epsilon="0.001", again=True)
            asked += 1
        pytest.fail("no interrupt came")
    timer.join()
    inside = any("dither" in str(line.path) for line in stopped.traceback)
    notes = " ".join([*getattr(stopped.value, "__notes__", []), *map(str, stopped.value.args)])
    assert not inside or "stays charged" in notes
    spent = s.budget.spent.epsilon
    assert asked / 1000 <= spent + 1e-9 and spent <= (asked + 1) / 1000 + 1e-9
    assert s.sql("SELECT COUNT(*) FROM visits", epsilon=1).charged


def resident() -> int:
    """KiB that the process holds now."""
    gc.collect()
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:"))


@pytest.mark.parametrize("stay", [False, True])
def test_sessions_come_and_go_without_leaving_memory(stay: bool) -> None:
    frame, kept = large(), []
    for turn in range(8):
        if turn == 2:
            before = resident()
        s = session(frame, columns={"person": "integer"})
        count(s)
        kept.append(s if stay else None)
        del s
    # Each session copies 16 MB; six that stay are 96 MB.
    assert (resident() - before > 50_000) == stay
