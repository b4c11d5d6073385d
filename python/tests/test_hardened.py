"""Hardened sessions: what a server's analysts see of time."""
from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import Any, Callable, Optional

import dither
import pytest
from sessions import SURE, session, visits

COUNT = "SELECT COUNT(*) FROM visits"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


def in_time(ask: Callable[[float], Any]) -> Any:
    """What it gives; a machine on which nothing is ready in time is given more."""
    for deadline in (1, 10, 100):
        try:
            return ask(deadline)
        except dither.Failed as late:
            assert late.code == "run-failed"
    raise AssertionError("no answer came in time")


def children() -> list[str]:
    """The processes that this one has started, and that still run."""
    found = []
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            try:
                state = Path(f"/proc/{child}/stat").read_text().rpartition(") ")[2]
            except OSError:  # it ended just now
                continue
            if not state.startswith("Z"):
                found.append(child)
    return found


@pytest.mark.parametrize("ledger", [":memory:", "visits.ledger"])
@pytest.mark.parametrize("arrow", [False, True])
def test_tables_in_memory_are_answered_by_a_child_process(ledger: str, arrow: bool) -> None:
    table = visits()
    if arrow:
        table = pytest.importorskip("pyarrow").Table.from_pandas(table)

    def ask(deadline: float) -> None:
        with session(table, ledger=ledger, dataset="visits", data_version="1", deadline=deadline, hardened=True) as s:
            began = time.monotonic()
            assert s.sql(COUNT, epsilon=SURE, again=True).value == 8
            assert time.monotonic() - began >= deadline
            cities = s.sql("SELECT city, COUNT(*) AS n FROM visits GROUP BY city ORDER BY n DESC", epsilon=SURE)
            assert cities.rows[0] == ("Bonn", 4)
            assert s.history[-1]["state"] == "committed"

    in_time(ask)


def test_files_are_answered_too(own_folder: Path) -> None:
    visits().to_csv(own_folder / "visits.csv", index=False)

    def ask(deadline: float) -> None:
        with session(table="visits.csv", data_version="1", deadline=deadline, hardened=True) as s:
            assert s.sql(COUNT, epsilon=SURE).value == 8

    in_time(ask)


def test_a_question_that_takes_too_long_leaves_no_process() -> None:
    numpy = pytest.importorskip("numpy")
    table = numpy.rec.fromarrays([numpy.arange(2_000_000), numpy.arange(2_000_000) % 50], names="person,cost")
    columns = {"person": "integer", "cost": {"type": "integer", "bounds": (0, 50), "outside": "clamp"}}
    for terms in (20, 200, 2000):  # whoever answers all that in time is asked for more
        sum_of = " + ".join(f"LN(cost + {term} + 1)" for term in range(terms))
        with session(table, columns=columns, bounds={"rows_per_unit": 1}, deadline=0.5, hardened=True) as s:
            try:
                s.sql(f"SELECT COUNT(*) FROM visits WHERE {sum_of} > 1", epsilon=1)
            except dither.Failed as late:
                assert late.code == "run-failed"
                while children():
                    time.sleep(0.01)
                if s.history[-1]["state"] == "voided":  # it did not begin in time
                    continue
                assert s.history[-1]["state"] == "lost"
                assert s.budget.spent.epsilon == 1
                with pytest.raises(dither.Refused, match="answer-lost"):
                    s.sql(f"SELECT COUNT(*) FROM visits WHERE {sum_of} > 1", epsilon=1)
                return
    raise AssertionError("every question was answered in time")


def test_many_threads_ask_at_once() -> None:
    def ask(deadline: float) -> None:
        found: list[Any] = []
        with session(deadline=deadline, hardened=True) as s, session() as other:

            def count(number: int) -> None:
                condition = f"cost > {number} ORDER BY 1"
                try:
                    found.append(s.sql(f"{COUNT} WHERE {condition}", epsilon=SURE).value)
                except dither.Failed as late:
                    found.append(late)

            def busy() -> None:  # DuckDB's threads run here too while the children are made
                for number in range(20):
                    other.sql(f"{COUNT} WHERE cost > {number}", epsilon=1)

            threads = [threading.Thread(target=count, args=(number,)) for number in range(4)]
            threads.append(threading.Thread(target=busy))
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        failed: Optional[dither.Failed] = next((one for one in found if isinstance(one, dither.Failed)), None)
        if failed:
            raise failed
        assert sorted(found) == [5, 6, 7, 8]

    in_time(ask)


def test_hardened_is_true_or_false() -> None:
    with pytest.raises(dither.BadInput, match="wrong-type"):
        session(hardened="yes")
    with pytest.raises(dither.BadInput, match="wrong-type"):
        dither.open(os.devnull, hardened=1)
