"""dither.audit: planted leaks are found, right mechanisms are not called violated, and the report is the command's."""
from __future__ import annotations

import json
import pickle
import random
import signal
import subprocess
import sys
import threading
from typing import Any

import numpy
import pytest

import dither

noise = numpy.random.default_rng()

# False alarm of every test below that expects no violation: 1e-6, as asked for.
SURE: dict[str, Any] = {"false_alarm": 1e-6, "runs": 20_000}


def laplace(scale: float) -> Any:
    """On a grid: without it the last bits of a sum of doubles tell what was added to the noise."""
    return lambda x, runs: numpy.round(x + noise.laplace(scale=scale, size=runs), 3)


def gaussian_noise(sigma: float) -> Any:
    return lambda x, runs: numpy.round(x + noise.normal(scale=sigma, size=runs), 3)


def test_half_the_scale_is_found_and_the_right_scale_is_not() -> None:
    right = dither.audit(laplace(1.0), claim=dither.Pure(1.0), inputs=[(0, 1)], batch=True, **SURE)
    assert not right.violated and right.verdict == "no violation found" and right.lower_bound <= 1
    half = dither.audit(laplace(0.5), claim=dither.Pure(1.0), inputs=[(0, 1)], batch=True, **SURE)
    assert half.violated and half.verdict == "VIOLATED" and 1 < half.lower_bound <= 2
    assert half.witness is not None and {half.witness["first"], half.witness["second"]} == {"0", "1"}
    assert half.false_alarm == 1e-6 and half.promised == 1
    assert repr(half).startswith("verdict         VIOLATED\n")


def test_the_bits_of_doubles_tell_what_the_noise_should_hide() -> None:
    found = dither.audit(lambda x, runs: x + noise.laplace(size=runs), claim=dither.Pure(1.0), inputs=[(0, 1)],
                         batch=True, **SURE)
    assert found.violated and found.witness is not None and "bits" in found.witness["event"]


def test_one_run_at_a_time_and_on_this_thread() -> None:
    threads = set()

    def response(x: bool) -> bool:
        threads.add(threading.get_ident())
        return x if random.random() < 0.9 else not x

    found = dither.audit(response, claim=dither.Pure(1.0), inputs=[(True, False)], runs=5000, false_alarm=1e-6)
    assert found.violated  # epsilon is log 9
    assert threads == {threading.get_ident()}
    assert found.target == "response"


def test_exceptions_are_outputs() -> None:
    def fails_on_one(x: int) -> float:
        if x == 1 and random.random() < 0.5:
            raise ValueError("a secret")
        return random.random()

    found = dither.audit(fails_on_one, claim=dither.Pure(1.0), inputs=[(0, 1)], runs=5000, false_alarm=1e-6)
    assert found.violated
    assert found.witness is not None and "secret" not in repr(found)
    assert any("runs failed" in note and "ValueError" in note for note in found.notes)


def test_failing_always_proves_nothing() -> None:
    with pytest.raises(dither.BadInput) as refused:
        dither.audit(lambda x: 1 / 0, claim=dither.Pure(1.0), inputs=[(0, 1)])
    assert refused.value.code == "bad-source" and "ZeroDivisionError" in refused.value.message


def test_an_output_that_never_varies_is_said() -> None:
    found = dither.audit(lambda x: "always", claim=dither.Pure(1.0), inputs=[(0, 1)], **SURE)
    assert not found.violated and any("never varied" in note for note in found.notes)


@pytest.mark.parametrize("output", [
    lambda x: (x, "word", None, True), lambda x: [float(x), 2**70 + x], lambda x: numpy.array([x, 1]),
    lambda x: numpy.int64(x),
    lambda x: numpy.array([[x, 1], [2, 3]]), lambda x: {"key": x}, lambda x: str(x), lambda x: None if x else "none",
    lambda x: [[x], [1]], lambda x: numpy.bool_(x), lambda x: b"x" * x, lambda x: "\ud800" * x, lambda x: 10**400 + x,
    lambda x: float("nan") if x else float("inf"),
])
def test_outputs_of_every_kind_differ_where_they_differ(output: Any) -> None:
    assert dither.audit(output, claim=dither.Pure(1.0), inputs=[(0, 1)], runs=1000, false_alarm=1e-6).violated


def test_batches_of_every_kind() -> None:
    for batch in (lambda x, runs: [x] * runs, lambda x, runs: numpy.full((runs, 2), x),
                  lambda x, runs: [(x, "a")] * runs,
                  lambda x, runs: numpy.full(runs, 2**60 + x), lambda x, runs: numpy.full(runs, str(x))):
        assert dither.audit(batch, claim=dither.Pure(1.0), inputs=[(0, 1)], runs=1000, false_alarm=1e-6,
                            batch=True).violated
    for wrong in (lambda x, runs: [x], lambda x, runs: 1 / 0, lambda x, runs: 5, lambda x, runs: None,
                  lambda x, runs: numpy.array(5.0), lambda x, runs: numpy.zeros(0), lambda x, runs: "a" * runs):
        with pytest.raises(dither.BadInput) as refused:
            dither.audit(wrong, claim=dither.Pure(1.0), inputs=[(0, 1)], batch=True)
        assert refused.value.code == "bad-source"


def test_every_claim_and_every_tester() -> None:
    gaussian = dither.accounting.Gaussian(sigma=1).under(neighbours="add-remove")
    for claim in (dither.Approximate(4, 1e-5), dither.Zcdp(0.5), dither.Gdp(1), dither.Curve(gaussian), gaussian):
        found = dither.audit(gaussian_noise(1), claim=claim, inputs=[(0, 1)], batch=True, **SURE)
        assert not found.violated
    assert dither.audit(gaussian_noise(0.3), claim=dither.Zcdp(0.5), inputs=[(0, 1)], batch=True, **SURE).violated
    every = dither.audit(laplace(0.3), claim=dither.Pure(1.0), inputs=[(0, 1)], batch=True, runs=2000, tester="all",
                         seconds=30)
    assert every.violated and len(every.reports) > 5
    assert {report.tester for report in every.reports} >= {"likelihood", "stat-dp", "dp-sniper"}


def noisy_max(shows_value: bool) -> Any:
    """The place of the largest of some answers with Laplace noise of scale 1: 2-DP where each moves by at most 1."""
    def released(answers: list[float], runs: int) -> Any:
        noisy = numpy.round(numpy.array(answers) + noise.laplace(size=(runs, len(answers))), 3)
        place = noisy.argmax(axis=1).astype(float)
        return numpy.column_stack([place, numpy.full(runs, max(answers))]) if shows_value else place

    return released


def test_patterns_of_vectors() -> None:
    # The planted one also shows the largest answer itself, without noise: some pattern of answers changes it.
    given: dict[str, Any] = {"claim": dither.Pure(2.0), "length": 4, "adjacent": "all", "batch": True, **SURE}
    right = dither.audit(noisy_max(False), **given)
    assert not right.violated and right.lower_bound <= 2
    leak = dither.audit(noisy_max(True), **given)
    assert leak.violated and leak.lower_bound > 4


def test_the_report_is_the_commands() -> None:
    program = ("import json,sys\nfor line in sys.stdin:\n q=json.loads(line)\n"
               " for _ in range(q['runs']): print(q['input'])\n sys.stdout.flush()")
    path = sys.executable
    words = ["verify", "--command", f"{path} -c \"{program}\"", "--claim", "1.0", "--length", "1", "--adjacent", "one",
             "--runs", "200", "--json"]
    said = subprocess.run([path, "-m", "dither", *words], capture_output=True, text=True, check=False)
    told = json.loads(said.stdout)["reports"][0]
    mine = dither.audit(lambda x: x, claim=dither.Pure(1.0), length=1, adjacent="one", runs=200)
    assert list(mine.to_dict()) == list(told) and set(mine.witness or {}) == set(told["witness"])
    for name in ("verdict", "tester", "promised", "delta", "false_alarm", "runs"):
        assert mine.to_dict()[name] == told[name], name
    # The command keeps an eighth of the false alarm for programs that crash: its bounds are a little lower.
    for name in ("lower_bound", "ceiling"):
        assert mine.to_dict()[name] - 0.05 < told[name] < mine.to_dict()[name], name


def test_interrupts_stop_it() -> None:
    calls = 0

    def interrupted(x: int) -> int:
        nonlocal calls
        calls += 1
        if calls == 1000:
            raise KeyboardInterrupt
        return x

    with pytest.raises(KeyboardInterrupt):
        dither.audit(interrupted, claim=dither.Pure(1.0), inputs=[(0, 1)])
    assert calls == 1000


def test_reports_survive_pickling() -> None:
    found = dither.audit(lambda x: x, claim=dither.Pure(1.0), inputs=[(0, 1)], runs=200)
    again = pickle.loads(pickle.dumps(found))
    assert again.to_dict() == found.to_dict() and repr(again) == repr(found) and len(again.reports) == 1


def test_reading_outputs_runs_no_code_of_theirs() -> None:
    class Clears(int):
        def __str__(self) -> str:
            output.clear()
            return "gone"

        __repr__ = __str__

    output: list[Any] = []

    def run(x: int) -> list[Any]:
        output[:] = [Clears(2**70 + x), *map(str, range(50))]
        return output

    found = dither.audit(run, claim=dither.Pure(1.0), inputs=[(0, 1)], runs=200, false_alarm=1e-6)
    assert found.violated and len(output) == 51


def test_whole_numbers_of_any_length_are_outputs() -> None:
    assert dither.audit(lambda x: 10**5000 + x, claim=dither.Pure(1.0), inputs=[(0, 1)], runs=200).runs > 0


def test_the_hint_of_a_tester_names_all_of_them() -> None:
    with pytest.raises(dither.BadInput) as refused:
        dither.audit(identity, claim=dither.Pure(1.0), inputs=[(0, 1)], tester="best")
    assert refused.value.hint.startswith("choose one of: all, likelihood, stat-dp, ")


def identity(x: Any) -> Any:
    return x


@pytest.mark.parametrize(("changes", "code"), [
    ({"claim": 1.0}, "bad-argument"), ({"claim": dither.Pure(-1)}, "out-of-range"),
    ({"claim": dither.Pure("big")}, "bad-number"),
    ({"claim": dither.Approximate(1, 2)}, "bad-probability"), ({"claim": dither.Curve("no/such/file")}, "bad-argument"),
    ({"inputs": None}, "bad-argument"), ({"inputs": [1, 2]}, "bad-argument"), ({"inputs": []}, "bad-count"),
    ({"inputs": None, "length": 3}, "bad-argument"), ({"length": 3, "adjacent": "one"}, "bad-argument"),
    ({"runs": 5}, "bad-count"), ({"seconds": 0}, "out-of-range"), ({"tester": "best"}, "bad-argument"),
    ({"false_alarm": 0}, "bad-probability"), ({"seed": -1}, "bad-count"), ({"fn": 3}, "bad-argument"),
    ({"fn": lambda x: object()}, "wrong-type"), ({"name": 5}, "wrong-type"), ({"tester": 5}, "wrong-type"),
])
def test_mistakes_are_named(changes: dict[str, Any], code: str) -> None:
    given = {"claim": dither.Pure(1.0), "inputs": [(0, 1)], **changes}
    with pytest.raises(dither.BadInput) as refused:
        dither.audit(given.pop("fn", identity), **given)
    assert refused.value.code == code and refused.value.hint


def test_a_curve_is_of_releases_or_a_file() -> None:
    wrong: Any = 5
    with pytest.raises(dither.BadInput) as refused:
        dither.Curve(wrong)
    assert refused.value.code == "wrong-type" and refused.value.hint


def test_a_signal_stops_it() -> None:
    soon = threading.Timer(0.2, lambda: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):  # would otherwise go on for minutes
        soon.start()
        dither.audit(lambda x: random.getrandbits(1), claim=dither.Pure(1.0), inputs=[(0, 1)], runs=10**9, seconds=600)
    soon.join()
