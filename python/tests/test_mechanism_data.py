"""Mechanisms on arrays, tables and counts by key: shapes, laws of noise, the interpreter's lock."""
from __future__ import annotations

import datetime
import pickle
import signal
import sys
import threading
import time
from decimal import Decimal
from fractions import Fraction
from math import exp, lgamma, log, tanh

import numpy as np
import pytest

import dither
import dither.mechanisms as m
from refusals import refused


def binomial_accepts(hits: int, n: int, p: float, false_alarm: float) -> bool:
    """Exact tails, summed in logarithms from the nearer side: each is compared with half of the false alarm."""
    def tail(values):
        total = 0.0
        for k in values:
            term = exp(lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1) + k * log(p) + (n - k) * log(1 - p))
            total += term
            if term < total * 1e-17:
                break
        return total
    return tail(range(hits, n + 1) if hits > n * p else range(hits, -1, -1)) > false_alarm / 2


def test_shapes_and_types_come_back():
    noise = m.discrete_laplace(scale=2)
    assert type(noise.release(7)) is int and type(noise.release(np.int16(7))) is int
    assert type(noise.release(np.array(7))) is int
    assert noise.release([10**30])[0] > 10**29 and type(noise.release([1, 2])) is list
    for huge in (10**50, 10**5000):  # beyond 128 bits counts as their end
        assert noise.release(huge) > 10**37 and noise.release([-huge])[0] < -10**37
    for x in (np.arange(24).reshape(2, 3, 4), np.asfortranarray(np.arange(24).reshape(6, 4)) * 100,
              np.arange(48)[::2].reshape(4, 6), np.arange(24, dtype=">i4").reshape(4, 6), np.zeros((0, 3), int),
              np.arange(24, dtype=np.uint32), np.arange(24, dtype=np.int8), np.ones(24, bool)):
        y = noise.release(x)
        assert y.shape == x.shape and y.dtype == np.int64
        assert (np.abs(y - x.astype(np.int64)) < 200).all()  # P(|noise| >= 200) < 1e-43
    big = np.full(10_000, 2**63 - 1)
    assert (noise.release(big) > 2**63 - 1000).all()  # saturates, never wraps
    reals = m.discrete_laplace(scale=0.5, grid=0.25, from_="linf", size=4)
    for kind in (np.float16, np.float32, ">f8"):
        y = reals.release(np.array([[1, 2.1], [-3, 1e4]], dtype=kind))
        assert y.dtype == np.float64 and y.shape == (2, 2) and (y * 4 == np.round(y * 4)).all()
        assert abs(y[1, 1] - 10_000) < 50
    one = m.discrete_laplace(scale=0.5, grid=0.25, size=1)
    assert type(one.release(1.1)) is float and type(one.release(3)) is float
    for strange in (float("nan"), float("inf"), -float("inf"), 1e308):
        assert isinstance(one.release(strange), float)  # total: no value makes a release fail
    for huge in (2**70, 10**5000, np.int64(2**62), np.array(2**62)):
        assert abs(one.release(huge) - 2**53) < 200 and abs(one.release([huge])[0] - 2**53) < 200
    for kind in (np.float16, np.float32, np.float64, np.int8, np.uint8, np.int32, np.uint64, np.bool_):
        assert abs(one.release(kind(1)) - 1) < 200 and type(one.release(kind(1))) is float
        assert abs(one.release(np.array([1], kind))[0] - 1) < 200 and abs(one.release([kind(1)])[0] - 1) < 200
    whole = m.discrete_laplace(scale=0.5, grid=0.25, size=8192)
    assert (np.abs(whole.release(np.full(8192, 7.5)) - 7.5) < 200).all()  # two pieces, and nothing left


def test_wrong_arrays_are_refused_by_type_alone():
    noise = m.discrete_laplace(scale=2)
    for x, code in ((np.array([1.5]), "needs-grid"), (1.5, "needs-grid"), (np.array([1], np.uint64), "wrong-type"),
                    (np.array([1 + 2j]), "wrong-type"), (np.array(["secret"]), "wrong-type"), ("secret", "wrong-type"),
                    (np.array([1, None]), "wrong-type"), (np.ma.array([1], mask=[True]), "wrong-type"),
                    (None, "wrong-type"), ({"secret": 1}, "wrong-type"),
                    (np.array(["2020-01-01"], "M8[D]"), "wrong-type"),
                    (object(), "wrong-type"), (np.float32(1), "needs-grid"), (np.longdouble(1), "needs-grid")):
        error = refused(code, lambda: noise.release(x))
        assert "secret" not in str(error)
    real = m.discrete_laplace(scale=0.5, grid=0.25, size=1)
    for x in (np.longdouble(1), np.datetime64(5, "ns"), np.complex64(1), np.array(["secret"]), np.array(None)):
        refused("wrong-type", lambda: real.release(x))
    three = m.discrete_laplace(scale=2, size=3)
    refused("wrong-type", lambda: three.release(np.arange(4)))
    refused("wrong-type", lambda: three.release(np.arange(10_000)))
    refused("wrong-type", lambda: m.laplace_threshold(scale=1, threshold=20).release([1, 2]))


class Raises:
    """A cell that nobody can read."""

    @property
    def ndim(self):
        raise SystemExit("nobody")


HALF = 2.5


# A list has no type: what is in one place decides neither whether there is an answer nor what other places count as.
@pytest.mark.parametrize("odd", [
    None, "secret", HALF, float("nan"), Raises(), [3], np.array([1, 2]), object(), b"x", Decimal("sNaN"),
    Decimal("nan"), np.datetime64(5, "ns"), 1j,
], ids=lambda odd: type(odd).__name__)
def test_what_is_no_number_in_a_list_counts_as_0(odd):
    noise = m.discrete_laplace(scale="1/1000")  # none, but with probability exp(-1000)
    assert noise.release([odd, 2**80, -3, 4.0, np.uint64(2**63), True]) == [0, 2**80, -3, 4, 2**63, 1]
    assert noise.release((odd,)) == [0]
    reals = m.discrete_laplace(scale="1/4000", grid=0.25, from_="linf", size=4)
    released = reals.release([odd, 2**60, -3, np.float32(4.5)])
    assert released.tolist() == [2.5 if odd is HALF else 0, 2**53, -3, 4.5]
    assert m.laplace_histogram(scale="1/1000", keys=["a", "b"]).release({"a": odd, "b": 5}) == {"a": 0, "b": 5}


def raises(*_):
    raise ValueError("nobody")


EVIL = {name: raises for name in ("__lt__", "__gt__", "__le__", "__eq__", "__ne__", "__int__", "__float__", "__neg__",
                                  "__index__", "__abs__", "__str__", "__hash__")}


# No number of the standard library or numpy is silently 0, and none that raises ends the run.
@pytest.mark.parametrize("three", [
    Decimal(3), Fraction(3), np.longdouble(3), np.int8(3), np.array(3), type("Int", (int,), EVIL)(3),
    type("Float", (float,), EVIL)(3), type("Decimal", (Decimal,), EVIL)(3),
], ids=lambda three: type(three).__name__)
def test_numbers_in_a_list_count_by_their_value(three):
    noise = m.discrete_laplace(scale="1/1000")
    assert noise.release([1, three, 2]) == [1, 3, 2] and noise.release((three,)) == [3]
    reals = m.discrete_laplace(scale="1/4000", grid=0.25, from_="linf", size=3)
    assert reals.release([1.5, three, 2]).tolist() == [1.5, 3, 2]
    assert m.laplace_histogram(scale="1/1000", keys=["a", "b"]).release({"a": three, "b": 5}) == {"a": 3, "b": 5}


def test_exact_fractions_in_a_list():
    fractions = [Decimal("-1.5"), Fraction(5, 2), Decimal("1e-999999"), Decimal(2**53) + Decimal("0.5")]
    assert m.discrete_laplace(scale="1/1000").release(fractions) == [0, 0, 0, 0]
    reals = m.discrete_laplace(scale="1/4000", grid=0.25, from_="linf", size=4)
    assert reals.release(fractions).tolist() == [-1.5, 2.5, 0, 2**53]
    beyond = [Decimal(2**53 + 1), Fraction(-(10**400)), np.longdouble("inf"), Decimal("-Infinity")]
    assert reals.release(beyond).tolist() == [2**53, -(2**53), 2**53, -(2**53)]


def test_what_is_beyond_in_a_list_counts_as_the_end():
    noise = m.discrete_laplace(scale=2)
    for huge in (float("inf"), 1e300, 10**5000, Decimal("Infinity"), Decimal("1e999999"), Fraction(10**400)):
        assert noise.release([huge])[0] > 10**37 and noise.release([-huge])[0] < -10**37


# A library chose these types by looking at all cells: one cell more, and others would count as something else.
def test_columns_of_types_that_a_library_chose_are_refused_by_name():
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    wrong = {
        "integer": [[1.5, None], ["1", "2"], [True, False]],
        "real": [["1", "2"], [True, False]],
        "text": [[1, 2], [1.5, None], [True, False]],
        "boolean": [[1, 0], ["true", "false"], [1.5, None]],
    }
    right = {"integer": [1, 2], "real": [1.5, 2.5], "text": ["a", "b"], "boolean": [True, False]}
    makers = [lambda cells: pandas.DataFrame({"x": cells}), lambda cells: polars.DataFrame({"x": cells}),
              lambda cells: pyarrow.table({"x": cells}), lambda cells: {"x": pyarrow.array(cells).dictionary_encode()},
              lambda cells: pandas.DataFrame({"x": cells}).convert_dtypes(),
              lambda cells: pandas.DataFrame({"x": cells}).convert_dtypes(dtype_backend="pyarrow"),
              lambda cells: pandas.DataFrame({"x": cells}, dtype="category")]
    for declared, columns in wrong.items():
        chain = m.table({"x": declared}, from_="symmetric") >> m.count() >> m.discrete_laplace(scale="1/1000")
        for make in makers:
            assert chain.release(make(right[declared])) == [2]
            for cells in columns:
                error = refused("wrong-type", lambda: chain.release(make(cells)))
                assert '"x"' in str(error) and declared in str(error) and "dtype" in error.hint
        for cells in ([None, 1], ["a", 2.5], [Raises(), True]):  # objects and lists: cell by cell
            assert chain.release({"x": cells}) == [2]
            assert chain.release({"x": np.array(cells, dtype=object)}) == [2]


def test_numbers_by_key():
    shown = m.laplace_threshold(scale=1, threshold=20).release({"Rome": 1000, "Oslo": 1, 7: 900, None: 800})
    assert set(shown) == {"Rome", 7, None} and all(type(n) is int for n in shown.values())
    everything = m.laplace_histogram(scale=1, keys=["a", "b"]).release({"a": 1000, "other": 5})
    assert list(everything) == ["a", "b"] and abs(everything["a"] - 1000) < 200 and abs(everything["b"]) < 200
    pandas = pytest.importorskip("pandas")
    series = m.laplace_threshold(scale=1, threshold=20).release(pandas.Series({"x": 1000, "y": 1}))
    assert list(series.index) == ["x"] and abs(series["x"] - 1000) < 200
    votes = (m.table({"person": "integer", "word": "text"}, from_="units-added") >> m.keep_keys(keys=1)
             >> m.units_by_key(rows=1, to="cells") >> m.laplace_threshold(scale=1, threshold=20))
    words = votes.release([(i, "the") for i in range(500)] + [(1000, "rare")])
    assert list(words) == ["the"]


# Keys are private: whatever they are, the release is one. What no cell can hold is the key None.
STRANGE_KEYS = [2**70, -2**70, b"bytes", "\ud800", ("a", 1), np.datetime64("2020-01-01"), np.datetime64(5, "ns"),
                np.longdouble(1), datetime.date(2020, 1, 1), frozenset(), 1j]


def test_no_key_makes_a_release_fail():
    shown = m.laplace_threshold(scale=1, threshold=20)
    for key in STRANGE_KEYS:
        released = shown.release({key: 1000, "plain": 1000})
        assert set(released) == {None, "plain"} and abs(released[None] - 1000) < 200
    together = shown.release({key: 10_000 for key in STRANGE_KEYS} | {None: 10_000})
    assert list(together) == [None] and abs(together[None] - 10_000 * (len(STRANGE_KEYS) + 1)) < 200
    assert abs(m.laplace_histogram(scale=1, keys=["a"]).release({"a": 7, b"a": 10**6})["a"] - 7) < 200  # none of them
    assert abs(m.laplace_histogram(scale=1, keys=[None]).release({b"a": 10**6})[None] - 10**6) < 200
    for mechanism in (m.gaussian_threshold(scale=1, threshold=20), m.gaussian_histogram(sigma=2, keys=["a"]),
                      m.partition_selection(epsilon=1, delta="1e-6", keys=1),
                      m.sparse_histogram(size=1000, ratio="1/2", threshold=30)):
        assert isinstance(mechanism.release({key: 500 for key in STRANGE_KEYS}), dict)


def test_an_index_is_refused_by_its_type_alone():
    pandas = pytest.importorskip("pandas")
    shown = m.laplace_threshold(scale=1, threshold=20)
    mixed = pandas.Index(["a", pandas.NaT, 2**70, b"a"], dtype=object)
    released = shown.release(pandas.Series([1000] * 4, index=mixed))
    assert len(released) == 2 and abs(released["a"] - 1000) < 200 and abs(released.sum() - 4000) < 400
    for index in (["a", None], pandas.Index([1, 2**63], dtype="uint64"), pandas.CategoricalIndex(["a", "b"]),
                  pandas.Index([1, None], dtype="Int64"), [True, False], [0.5, float("nan")]):
        assert len(shown.release(pandas.Series([1000, 2000], index=index))) == 2
    for index in (pandas.to_datetime(["2020-01-01"]), pandas.MultiIndex.from_tuples([("secret", 1)]),
                  pandas.CategoricalIndex(pandas.to_datetime(["2020-01-01"])), pandas.Index([1j])):
        assert "secret" not in str(refused("wrong-type", lambda: shown.release(pandas.Series([1000], index=index))))


def test_numbers_of_equal_keys_are_added():
    pandas = pytest.importorskip("pandas")
    twice = pandas.Series([1000, 2000, 1], index=["a", "a", "b"])
    released = m.laplace_threshold(scale=1, threshold=20).release(twice)
    assert list(released.index) == ["a"] and abs(released["a"] - 3000) < 200


# Spec: W-08
def test_histograms_of_arrays_are_those_of_tables():
    source = np.random.default_rng(5)
    noise = m.discrete_laplace(scale="1/1000")  # none, but with probability exp(-1000)
    whole = source.integers(-3, 12, 5000)
    for other in (False, True):
        chain = (m.table({"x": "integer"}, from_="symmetric")
                 >> m.histogram(column="x", categories=range(10), other=other) >> noise)
        wanted = [int((whole == i).sum()) for i in range(10)] + ([int(((whole < 0) | (whole > 9)).sum())] * other)
        assert chain.release(whole).tolist() == wanted  # counted as it lies in memory
        assert chain.release({"x": whole.tolist()}).tolist() == wanted  # by way of a table
        assert chain.release({"x": whole.astype(np.int16)}).tolist() == wanted
    reals = np.append(source.normal(size=5000), [np.nan, np.inf, -np.inf, 0.1])
    edges = [Fraction(i, 10) for i in range(-20, 21)]
    binned = (m.table({"x": "real"}, from_="change-one") >> m.bucket(column="x", edges=edges)
              >> m.histogram(column="x", categories=range(1, 41), other=True) >> noise)
    assert binned.release(reals).tolist() == binned.release({"x": reals.tolist()}).tolist()
    assert binned.release(reals).sum() == len(reals)
    # A replaced row leaves one bin and enters another: 2 steps of noise of scale 1/1000 (W-75).
    assert binned.map(1).exact["epsilon"] == "2000"


def test_tables_of_every_kind():
    chain = m.table({"n": "integer", "s": "text"}, from_="symmetric") >> m.filter(
        column="s", comparison="equal", constant="yes") >> m.count() >> m.discrete_laplace(scale="1/1000")
    rows = {"n": [1, 2, 3, None], "s": ["yes", "no", "yes", "yes"]}
    assert chain.release(rows) == [3]
    assert chain.release(list(zip(rows["n"], rows["s"]))) == [3]
    pandas, polars, pyarrow = (pytest.importorskip(name) for name in ("pandas", "polars", "pyarrow"))
    assert chain.release(pandas.DataFrame(rows).astype({"n": "Int64"})) == [3]
    assert chain.release(polars.DataFrame(rows)) == [3]
    assert chain.release(pyarrow.table(rows)) == [3]
    assert chain.release(np.array([(1, "yes"), (2, "no")], dtype=[("n", "i8"), ("s", "U3")])) == [1]
    refused("unknown-column", lambda: chain.release({"n": [1]}))
    refused("bad-count", lambda: chain.release({"n": [1], "s": ["a", "b"]}))
    refused("wrong-type", lambda: chain.release(np.arange(3)))
    refused("wrong-type", lambda: chain.release([(1, 2, 3)]))
    for wrong in (None, 5, "n", object(), pandas.Series(["n", "s"]), {"n": 5, "s": None}, {"n": "yes", "s": "no"}):
        refused("wrong-type", lambda: chain.release(wrong))
    assert "yes" not in repr(chain) and "3" not in repr(chain.release)
    refused("unknown-type", lambda: m.table({"x": "decimal"}, from_="symmetric"))
    refused("unknown-metric", lambda: m.table({"x": "real"}, from_="nearby"))


# P(noise = 0) at scale 2 is tanh(1/4). False alarm <= 1e-9 (exact binomial tails); noise that is 10% too narrow is
# missed with probability below 1e-9: 0.0265 more, at a standard error of 0.0031.
def zeros_are_right(draw) -> bool:
    n = 20_000
    return binomial_accepts(int((draw(n) == 7).sum()), n, tanh(0.25), 1e-9)


# Spec: F-67
def test_noise_follows_the_law():
    assert zeros_are_right(lambda n: m.discrete_laplace(scale=2).release(np.full(n, 7)))
    one = m.discrete_laplace(scale=2, size=1)
    assert zeros_are_right(lambda n: np.array([one.release(7) for _ in range(n)]))


def test_planted_narrow_noise_is_caught():
    assert not zeros_are_right(lambda n: m.discrete_laplace(scale="9/5").release(np.full(n, 7)))


def test_noise_is_fresh_every_time():
    noise = m.discrete_laplace(scale=10**6)
    a, b = noise.release(np.zeros(1000, int)), noise.release(np.zeros(1000, int))
    assert (a != b).sum() > 990  # equal with probability below 1e-6 each


def turns_during(work) -> int:
    """How often this thread got its turn while another did the work, when nobody is made to give the lock away."""
    begun, done, turns, before = threading.Event(), threading.Event(), 0, sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        other = threading.Thread(target=lambda: (begun.set(), work(), done.set()))
        other.start()
        begun.wait()
        while not done.is_set():
            turns += 1
            time.sleep(0.0005)  # gives the lock away
        other.join()
    finally:
        sys.setswitchinterval(before)
    return turns


def test_the_interpreter_is_free_while_noise_is_drawn():
    noise, x = m.laplace(scale=10), np.zeros(100_000, int)
    assert any(turns_during(lambda: noise.release(x)) > 20 for _ in range(50))


def test_work_that_keeps_the_lock_is_noticed():
    assert all(turns_during(lambda: sum(range(300_000))) <= 20 for _ in range(5))


def test_nothing_private_is_kept():
    noise = m.discrete_laplace(scale=2)
    noise.release(np.array([123456789]))
    assert "123456789" not in repr(noise) and b"123456789" not in pickle.dumps(noise)
    assert dither.mechanisms is m


def test_interrupting_a_long_release_stops_it():
    noise, x = m.laplace(scale=10), np.zeros(1 << 22, int)  # some seconds
    main = threading.main_thread().ident
    assert main is not None
    signals = threading.Timer(0.2, lambda: signal.pthread_kill(main, signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        signals.start()
        while True:  # on a quick machine one release may be over before the signal comes
            noise.release(x)
    signals.join()
    assert noise.release(np.zeros(3, int)).shape == (3,)  # and nothing is left behind
