"""Mechanisms: what there is, what it costs, and what is refused."""
from __future__ import annotations

import inspect
import pickle
from fractions import Fraction

import numpy as np
import pytest

import dither
import dither.mechanisms as m
from refusals import refused

KEYS = ["a", "b", "c"]
# One of every mechanism, by name, and something that it can release.
ONE_OF_EACH = {
    "discrete_laplace": (dict(scale=2), 5),
    "laplace": (dict(scale=2), 5),
    "truncated_geometric": (dict(scale=2, bounds=(0, 10)), 5),
    "gaussian": (dict(sigma=2), 5),
    "real_gaussian": (dict(sigma=2, measure="gaussian"), 5),
    "binomial": (dict(trials=100, epsilon=1), 5),
    "skellam": (dict(variance=20, epsilon=1), 5),
    "staircase": (dict(epsilon=1, sensitivity=10, first=4), 5),
    "k_norm": (dict(epsilon=1, matrix=[[1, 1], [0, 1]]), [3, 4]),
    "distributed_binomial": (dict(parties=3, colluding=1, trials=100, epsilon=1), [1, 2, 3]),
    "distributed_skellam": (dict(parties=3, colluding=1, variance=20, epsilon=1), [1, 2, 3]),
    "distributed_laplace": (dict(parties=3, colluding=1, scale=2), [1, 2, 3]),
    "laplace_histogram": (dict(scale=2, keys=KEYS), {"a": 5, "x": 9}),
    "gaussian_histogram": (dict(sigma=2, keys=KEYS), {"a": 5}),
    "laplace_threshold": (dict(scale=1, threshold=20), {"a": 500, "b": 1}),
    "gaussian_threshold": (dict(scale=1, threshold=20), {"a": 500, "b": 1}),
    "partition_selection": (dict(epsilon=1, delta="1e-6", keys=1), {"a": 500, "b": 1}),
    "sparse_histogram": (dict(size=1000, ratio="1/2", threshold=10), {3: 500}),
}


# Spec: W-12
def test_every_mechanism_of_the_table_is_made_and_released():
    forms = {name: form for name, form in m.forms().items() if form.measures and form.takes != "same as parts"}
    assert set(forms) == set(ONE_OF_EACH)  # a new one wants a line above
    for name, (given, x) in ONE_OF_EACH.items():
        made = getattr(m, name)(**given)
        d = m.cells(1) if made.metric == "cells" else 1
        cost = made.map(d)
        assert cost.measure == made.measure and str(cost)
        zero = made.map(m.cells(0) if made.metric == "cells" else 0)
        assert all(Fraction(text) == 0 for text in zero.exact.values())
        released = made.release(x)
        assert released is not None
        assert m.from_json(made.json) == made and pickle.loads(pickle.dumps(made)) == made
        assert len(made.events(d)) >= 1 and isinstance(made.events(d), dither.accounting.Releases)


def test_dir_and_help_come_from_the_table():
    assert {"laplace", "gaussian", "count", "clamp", "compose", "find_scale"} <= set(dir(m))
    text = inspect.getdoc(m.laplace)
    assert "epsilon = d / scale" in text and "Holds if" in text and "W-12" in text and "scale" in text
    assert list(inspect.signature(m.laplace).parameters) == ["scale", "size", "grid", "bounds", "from_"]
    with pytest.raises(AttributeError, match="laplace"):
        m.laplcae  # noqa: B018
    for name, form in m.forms().items():
        assert form.guarantee and form.conditions, name


def test_wrong_and_missing_parameters_are_named():
    error = refused("missing-key", lambda: m.laplace())
    assert "scale" in error.message and "scale=..." in error.hint
    error = refused("unknown-key", lambda: m.laplace(sclae=1))
    assert "sclae" in error.message and "scale" in error.hint and "grid" in error.hint
    refused("bad-number", lambda: m.laplace(scale=float("nan")))
    refused("bad-number", lambda: m.laplace(scale="many"))
    refused("bad-scale", lambda: m.laplace(scale=0))
    refused("bad-scale", lambda: m.gaussian(sigma=-1))
    refused("wrong-type", lambda: m.laplace_histogram(scale=1, keys="abc"))
    refused("bad-count", lambda: m.laplace(1, 2, 3))
    refused("mixed-metrics", lambda: m.laplace(scale=1, from_="l2"))
    refused("wrong-type", lambda: m.compose(3))


# Spec: W-07
def test_three_rows_then_sigma_ten_costs_rho_0045():
    people = m.table({"person": "integer"}, from_="units-added")
    counted = people >> m.total_count(rows=3, to="l2") >> m.gaussian(sigma=10)
    assert counted.map(1).exact["rho"] == "9/200"  # not 3 x 0.005
    assert Fraction(counted.map(1).rho) >= Fraction(9, 200) and counted.map(1).rho == pytest.approx(0.045)
    assert str(counted.map(1)) == "rho 9/200"
    assert counted == people >> (m.total_count(rows=3, to="l2") >> m.gaussian(sigma=10))
    assert counted == m.chain(people, m.total_count(rows=3, to="l2"), m.gaussian(sigma=10))


def test_prices_are_exact_and_round_up():
    assert m.laplace(scale=10).map(3).exact == {"epsilon": "3/10", "delta": "0"}
    assert m.discrete_laplace(scale="1/3").map(1).exact["epsilon"] == "3"
    assert m.gaussian(sigma=2).map(0, squared=2).exact["rho"] == "1/4"
    assert m.gaussian(sigma=3, size=9, from_="linf").map(1).exact["rho"] == "1/2"
    assert m.real_gaussian(sigma=2, measure="gaussian").map(1).mu == 0.5
    assert Fraction(m.laplace(scale=3).map(1).epsilon) >= Fraction(1, 3)
    loss = m.laplace_threshold(scale=1, threshold=20).map(m.cells(2))
    assert loss.epsilon == 2 and 0 < loss.delta < 1e-7
    refused("bad-distance", lambda: m.laplace_threshold(scale=1, threshold=20).map(1))
    refused("bad-distance", lambda: m.laplace(scale=1).map(m.cells(1)))
    refused("bad-distance", lambda: m.laplace(scale=1).map(-1))
    refused("no-theorem", lambda: m.laplace(scale=1, from_="linf"))


def test_units_are_those_of_the_data():
    # 0.01 is a step, so the scale is 250 steps; one real may round its own way: 100 + 1 steps.
    assert m.laplace(scale=2.5, grid=0.01, size=1).map(1).exact["epsilon"] == str(Fraction(101, 250))
    assert m.laplace(scale=2.5, grid=0.01, size=10).map(1).exact["epsilon"] == str(Fraction(110, 250))
    assert m.laplace(scale=2.5, grid=0.01, size=1).error(7.0).standard_error == pytest.approx(2.5 * 2**0.5, rel=1e-4)
    # (100 + sqrt(4))^2 / (2 250^2), floor of the square
    assert m.gaussian(sigma=2.5, grid=0.01, size=4).map(1).exact["rho"] == str(Fraction(102**2, 2 * 250**2))
    error = refused("missing-key", lambda: m.laplace(scale=2.5, grid=0.01))
    assert "size=" in error.hint
    costs = m.table({"cost": "real"}, from_="symmetric")
    total = (costs >> m.clamp(column="cost", low=0, high=50, nan="null") >> m.sum(column="cost", step=0.01)
             >> m.laplace(scale=100))
    assert total.map(1).exact["epsilon"] == "1/2"
    assert abs(total.release({"cost": [1.005, 3, None, float("nan"), 1e9]}) - 54) < 10_000


def test_check_and_find_scale():
    assert m.laplace(scale=2).check(1, epsilon=0.5)
    assert not m.laplace(scale=1.99).check(1, epsilon=0.5)
    assert m.laplace(scale=2).check(1, epsilon=0.5, delta=1e-9)
    assert m.gaussian(sigma=10).check(3, rho=0.045) and not m.gaussian(sigma=10).check(3, rho=0.0449)
    assert m.find_scale(lambda scale: m.laplace(scale=scale), 1, epsilon=0.5) == 2.0
    assert m.find_scale(lambda scale: m.gaussian(sigma=scale), 1, rho=0.5) == 1.0
    sigma = m.find_scale(lambda scale: m.gaussian(sigma=scale), 1, epsilon=1, delta=1e-6)
    assert m.gaussian(sigma=sigma).check(1, epsilon=1, delta=1e-6)
    below = np.nextafter(np.nextafter(sigma, 0), 0)
    assert not m.gaussian(sigma=below).check(1, epsilon=1, delta=1e-6)
    assert m.gaussian(sigma=sigma).epsilon(1, delta=1e-6) <= 1 < m.gaussian(sigma=below).epsilon(1, delta=1e-6)
    assert m.laplace(scale=2).epsilon(1, delta=0) == 0.5
    assert m.laplace_threshold(scale=1, threshold=2).epsilon(m.cells(1), delta=1e-9) == float("inf")
    refused("needs-delta", lambda: m.gaussian(sigma=1).check(1, epsilon=1))
    refused("missing-key", lambda: m.gaussian(sigma=1).check(1))
    refused("unreachable", lambda: m.find_scale(lambda scale: m.laplace(scale=1), 1, epsilon=0.5))
    with pytest.raises(ZeroDivisionError):  # what the caller's own function raises is not swallowed
        m.find_scale(lambda scale: m.laplace(scale=1 if scale == 1 else 1 / 0), 1, epsilon=0.5)


def test_combinators():
    both = m.compose(m.laplace(scale=2), m.discrete_laplace(scale=4))
    assert both.map(1).exact["epsilon"] == "3/4"
    answers = both.release(np.array([1000, 2000]))
    assert [len(one) for one in answers] == [2, 2] and abs(answers[1][1] - 2000) < 400
    assert m.compose([m.laplace(scale=2)]).map(1).epsilon == 0.5
    assert m.group(m.laplace(scale=2), k=3).map(1).epsilon == 1.5
    assert m.cast_measure(m.laplace(scale=1), to="concentrated").map(1).rho <= 0.5
    assert m.fix_delta(m.gaussian(sigma=10), delta=1e-6).map(1).delta == pytest.approx(1e-6)
    rows = m.table({"x": "integer"}, from_="symmetric") >> m.count() >> m.laplace(scale=2)
    assert m.change_relation(rows, to="change-one").map(1).epsilon == 1.0
    assert m.sample(rows, rate=0.1).map(1).epsilon < 0.5
    refused("mixed-domains", lambda: m.laplace(scale=1) >> m.count())
    refused("mixed-domains", lambda: m.count() >> m.laplace(scale=1, size=1))
    for wrong in (lambda: m.count() >> 3, lambda: m.vector(from_="l1") >> m.vector(from_="l1"),
                  lambda: (m.vector(size=2, from_="l1") >> m.total()) >> None):
        refused("wrong-type", wrong)
    refused("mixed-metrics", lambda: m.compose(m.laplace(scale=1), m.gaussian(sigma=1)))


def test_accountants_see_the_release_itself():
    rows = m.table({"x": "integer"}, from_="symmetric") >> m.count() >> m.gaussian(sigma=10)
    assert rows.events(1).neighbours == "add-remove"
    assert m.gaussian(sigma=10).events(1).neighbours is None  # distances of vectors are steps of no relation
    exact = dither.accounting.DiscreteGaussian(sigma=10, sensitivity=1)
    assert rows.events(1) == exact.under(neighbours="add-remove")
    assert m.gaussian(sigma=10, size=1).events(1) == exact
    assert m.gaussian(sigma=10, from_="cells").events(m.cells(3)) == exact.times(3)
    assert m.discrete_laplace(scale=2, size=1).events(3) == dither.accounting.DiscreteLaplace(scale=2, sensitivity=3)
    many = m.compose([m.gaussian(sigma=10, size=1)] * 50)
    assert many.events(1) == dither.accounting.compose([exact] * 50)
    assert len(m.gaussian(sigma=10).events(0)) == 0


def test_a_missing_size_costs_what_is_documented():
    assert m.gaussian(sigma=10).events(1) == dither.accounting.Zcdp(rho="1/200", delta=0)
    assert m.discrete_laplace(scale=2).events(1) == dither.accounting.BlackBox(epsilon="1/2", delta=0)
    assert [round(m.gaussian(sigma=10, size=size).epsilon(1, delta=1e-6), 2) for size in (None, 1)] == [0.43, 0.40]
    found = [m.find_scale(lambda scale: m.gaussian(sigma=scale, size=size), 1, epsilon=1, delta=1e-6)
             for size in (None, 1)]
    assert [round(sigma, 2) for sigma in found] == [4.53, 4.23]


def test_distances_by_key_are_those_after_adding():
    for name in ("laplace_threshold", "gaussian_threshold", "partition_selection", "sparse_histogram",
                 "laplace_histogram", "gaussian_histogram"):
        assert "distances are between\nthe numbers by key after that" in inspect.getdoc(getattr(m, name))
    assert "equal keys" not in inspect.getdoc(m.laplace)


def test_error_bars():
    bar = m.discrete_laplace(scale=10).error(100)
    assert bar.low == 100 - 30 and bar.high == 100 + 30
    assert bar.standard_error == pytest.approx(14.136, abs=1e-3)
    assert m.k_norm(epsilon=1, matrix=[[1]]).error(3) is None


def test_mistakes_about_the_input_are_named():
    refused("bad-count", lambda: m.laplace(scale=1, size=-1))
    refused("bad-count", lambda: m.laplace(scale=1, size=2.5))
    refused("bad-count", lambda: m.distributed_laplace(parties="many", colluding=1, scale=2))
    refused("bad-bounds", lambda: m.laplace(scale=1, bounds=3))
    refused("bad-bounds", lambda: m.laplace(scale=1, bounds=(3, 1)))
    refused("bad-grid", lambda: m.laplace(scale=1, grid=0, size=1))
    refused("missing-key", lambda: m.table({"x": "integer"}))
    refused("missing-key", lambda: m.laplace(scale=1, from_=3))
    refused("missing-key", lambda: m.group(m.laplace(scale=1)))
    refused("missing-key", lambda: m.change_relation(m.laplace(scale=1)))
    refused("wrong-type", lambda: m.table(["x"], from_="symmetric"))
    refused("wrong-type", lambda: m.tables([m.vector(from_="l1")], from_="sum of symmetric"))
    refused("wrong-type", lambda: m.tables(5, from_="sum of symmetric"))
    refused("wrong-type", lambda: m.from_json(3))
    refused("wrong-type", lambda: m.find_scale(5, 1, epsilon=1))
    refused("wrong-type", lambda: m.find_scale(lambda scale: 3, 1, epsilon=1))
    refused("bad-count", lambda: m.k_norm(epsilon=1, matrix=[[1, 2], [3]]))
    refused("wrong-type", lambda: m.k_norm(epsilon=1, matrix=5))
    refused("duplicate-key", lambda: m.laplace_histogram(scale=1, keys=["a", "a"]))
    assert list(m.laplace_histogram(scale=1, keys=["b", "a"]).release({})) == ["a", "b"]  # listed as people like


# Spec: F-30
def test_parts_are_measured_side_by_side():
    rows = m.table({"x": "integer"}, from_="symmetric")
    one = rows >> m.count() >> m.discrete_laplace(scale="1/1000")
    parts = rows >> m.partition_by_key(column="x", keys=[1, 2], other=False) >> m.partition(one, one)
    assert [answer.tolist() for answer in parts.release({"x": [1, 1, 2, 3]})] == [[2], [1]]
    assert parts.map(1).epsilon == 1000 and parts.map(2).epsilon == 2000


def test_matrices_are_given_row_by_row():
    queries = m.vector(size=2, from_="l1") >> m.linear_map(entries=np.array([[1, 0.5], [3, 4]]), to="l1")
    assert queries.map(1) == Fraction(9, 2)  # the columns are 1 and 3, 1/2 and 4
    costs = m.table({"cost": "real"}, from_="symmetric") >> m.clamp(column="cost", low=0, high=50, nan="null")
    assert (costs >> m.sum(column="cost", step=0.01)).map(2) == 100
    assert (m.vector(size=4, from_="l2") >> m.scale(factor=3)).map(2) == 36  # squared
    assert (queries >> m.discrete_laplace(scale="1/1000")).release([100, 200]) == [200.0, 1100.0]
