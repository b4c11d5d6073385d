"""The query builder: it makes the plan that SQL makes, and nothing given to it leaves its place."""
from __future__ import annotations

import datetime
import doctest
import itertools
import warnings
from typing import Any, Callable, cast

import dither
import pytest
from dither import aggregates, sql_text
from dither.query import Query
from sessions import SURE, SURE_OF_SUMS, visits

COLUMNS: dict[str, Any] = {
    "visits": {
        "person": "integer",
        "city": {"type": "text", "keys": ["Bonn", "Kiel", "Jena"], "outside": "other"},
        "cost": {"type": "integer", "bounds": (0, 50), "outside": "clamp"},
        "weight": "real",
        "town": "text",
        "Unit price": "integer",
        "day": "date",
    },
    "regions": {"city": "text", "region": {"type": "text", "keys": ["north", "south"], "outside": "other"}},
}
TOTAL = dither.sum("cost")


def tables() -> dict[str, Any]:
    """Visits with more columns, and a public table beside them."""
    import pandas

    frame = visits()
    frame["weight"] = [0.25 * one for one in frame["cost"]]
    frame["town"] = ["T" + one for one in frame["city"]]
    frame["Unit price"] = frame["cost"]
    frame["day"] = [datetime.date(2024, 1, 1 + one % 3) for one in frame["cost"]]
    regions = pandas.DataFrame({"city": ["Bonn", "Kiel", "Jena"], "region": ["south", "north", "south"]})
    return {"visits": frame, "regions": regions}


@pytest.fixture(name="asked", scope="module")
def asked_fixture() -> dither.Session:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dither.SessionOnlyWarning)
        return dither.Session(
            tables=tables(),
            columns=COLUMNS,
            bounds={"visits": {"rows_per_unit": 3, "keys_per_unit": 2, "rows_per_key": 2}},
            unit={"visits": "person"},
            public=["regions"],
            unique={"regions": ["city"]},
            neighbours="add-remove",
            budget=dither.Budget(epsilon=10**9, delta=0.1),
            ledger=":memory:",
        )


Build = Callable[[Query], Query]
count, agg = dither.count, {"n": dither.count()}

# Pairs of a question in steps and in SQL. Names of columns differ where SQL leaves them to itself.
PAIRS: list[tuple[Build, str]] = [
    (lambda q: q.agg(n=count()), "SELECT COUNT(*) FROM visits"),
    (lambda q: q.agg(n=count("cost")), "SELECT COUNT(cost) FROM visits"),
    (lambda q: q.agg(n=dither.count_distinct("person")), "SELECT COUNT(DISTINCT person) FROM visits"),
    (lambda q: q.agg(n=count(where="cost > 5")), "SELECT COUNT(*) FILTER (WHERE 5 < cost) FROM visits"),
    (lambda q: q.where("cost > 0").agg(n=count()), "SELECT COUNT(*) FROM visits WHERE cost > 0"),
    (lambda q: q.where("cost > 0", "city = 'Bonn'").agg(n=count()),
     "SELECT COUNT(*) FROM visits WHERE city = 'Bonn' AND cost > 0"),
    (lambda q: q.where("cost > 0 OR city = 'Bonn'", "cost < 9").agg(n=count()),
     "SELECT COUNT(*) FROM visits WHERE (cost > 0 OR city = 'Bonn') AND cost < 9"),
    (lambda q: q.where("cost > 0").where("cost < 9").agg(n=count()),
     "SELECT COUNT(*) FROM visits WHERE cost < 9 AND cost > 0"),
    (lambda q: q.group_by("city").agg(n=count()), "SELECT city, COUNT(*) AS n FROM visits GROUP BY city"),
    (lambda q: q.group_by("city", "cost").agg(n=count()),
     "SELECT city, cost, COUNT(*) FROM visits GROUP BY city, cost"),
    (lambda q: q.group_by(big="cost > 20").agg(n=count()), "SELECT cost > 20, COUNT(*) FROM visits GROUP BY 20 < cost"),
    (lambda q: q.group_by("cost > 20").agg(n=count()), "SELECT COUNT(*) FROM visits GROUP BY cost > 20"),
    (lambda q: q.group_by(half="BIN(cost, 25)").agg(n=count()),
     "SELECT BIN(cost, 25) AS half, COUNT(*) FROM visits GROUP BY half"),
    (lambda q: q.group_by("city").agg(n=count(), total=TOTAL),
     "SELECT city, SUM(cost), COUNT(*) FROM visits GROUP BY city"),
    (lambda q: q.group_by("city", keys=["Bonn", "Kiel"]).agg(n=count()),
     "SELECT CASE city WHEN 'Bonn' THEN 'Bonn' ELSE 'Kiel' END, COUNT(*) FROM visits WHERE city IN ('Bonn', 'Kiel')"
     " GROUP BY 1"),
    (lambda q: q.group_by("town", keys=["TBonn", "TKiel", None]).agg(n=count()),
     "SELECT CASE town WHEN 'TBonn' THEN 'TBonn' WHEN 'TKiel' THEN 'TKiel' END, COUNT(*) FROM visits"
     " WHERE town IN ('TBonn', 'TKiel') OR town IS NULL GROUP BY 1"),
    (lambda q: q.group_by("town", keys=["it's"]).agg(n=count()),
     "SELECT 'it''s', COUNT(*) FROM visits WHERE town IN ('it''s') GROUP BY 1"),
    (lambda q: q.group_by("day", keys=[datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)]).agg(n=count()),
     "SELECT CASE day WHEN '2024-01-01' THEN DATE '2024-01-01' ELSE DATE '2024-01-02' END, COUNT(*) FROM visits"
     " WHERE day IN ('2024-01-01', '2024-01-02') GROUP BY 1"),
    (lambda q: q.group_by("city", "town", keys={"town": ["TBonn"]}).agg(n=count()),
     "SELECT city, 'TBonn', COUNT(*) FROM visits WHERE town = 'TBonn' GROUP BY 1, 2"),
    (lambda q: q.agg(s=dither.sum("cost", bounds=(0, 10))), "SELECT SUM(CLAMP(cost, 0, 10)) FROM visits"),
    (lambda q: q.agg(s=dither.sum("weight", bounds=(0, 10), grid=0.01)),
     "SELECT SUM(ROUND(CLAMP(weight, 0, 10), 2)) FROM visits"),
    (lambda q: q.agg(s=dither.sum("cost", where="city = 'Bonn'")),
     "SELECT SUM(CASE WHEN city = 'Bonn' THEN cost END) FROM visits"),
    (lambda q: q.agg(s=dither.sum("cost * 2")), "SELECT SUM(2 * cost) FROM visits"),
    (lambda q: q.agg(s=dither.sum(dither.column("Unit price"), bounds=(0, 5))),
     'SELECT SUM(CLAMP("Unit price", 0, 5)) FROM visits'),
    (lambda q: q.with_columns(twice="cost * 2").agg(s=dither.sum("twice")), "SELECT SUM(cost * 2) FROM visits"),
    (lambda q: q.where("cost > 1").with_columns(twice="cost * 2").where("twice < 20").agg(n=count()),
     "SELECT COUNT(*) FROM visits WHERE cost * 2 < 20 AND cost > 1"),
    (lambda q: q.join("regions", on="city").group_by("region").agg(n=count()),
     "SELECT region, COUNT(*) FROM visits JOIN regions USING (city) GROUP BY region"),
    (lambda q: q.join("regions", on={"city": "city"}).group_by("region").agg(n=count()),
     "SELECT r.region, COUNT(*) FROM visits AS v JOIN regions AS r ON r.city = v.city GROUP BY 1"),
    (lambda q: q.join("regions", on="city", how="left").group_by("region").agg(n=count()),
     "SELECT region, COUNT(*) FROM visits LEFT JOIN regions USING (city) GROUP BY region"),
    (lambda q: q.where("cost > 3").join("regions", on=["city"]).agg(n=count()),
     "SELECT COUNT(*) FROM visits JOIN regions USING (city) WHERE cost > 3"),
    (lambda q: q.group_by("city").agg(n=count()).having("n > 10"),
     "SELECT city, COUNT(*) FROM visits GROUP BY city HAVING COUNT(*) > 10"),
    (lambda q: q.group_by("city").agg(n=count()).order_by("n DESC").limit(2),
     "SELECT city, COUNT(*) FROM visits GROUP BY city ORDER BY 2 DESC LIMIT 2"),
    (lambda q: q.group_by("city").agg(n=count()).order_by("n", "city", descending=True).limit(2, offset=1),
     "SELECT city, COUNT(*) FROM visits GROUP BY city ORDER BY 2 DESC, 1 DESC LIMIT 2 OFFSET 1"),
]
NAMES = [name for name in aggregates.names() if not name.startswith("count")]
for _name in NAMES:
    _make = getattr(dither, _name)
    PAIRS += [
        (lambda q, m=_make: q.agg(x=m("cost")), f"SELECT {_name}(cost) FROM visits"),  # type: ignore[misc]
        (lambda q, m=_make: q.group_by("city").agg(x=m("cost", bounds=(1, 9), where="cost > 2")),  # type: ignore[misc]
         f"SELECT city, {_name.upper()}(CLAMP(cost, 1, 9)) FILTER (WHERE cost > 2) FROM visits GROUP BY city"),
    ]
for _place, (_city, _least) in enumerate(itertools.product(["Bonn", "Kiel", "Jena"], [1, 10])):
    PAIRS.append((
        lambda q, c=_city, low=_least: (  # type: ignore[misc]
            q.where(f"city = '{c}'", f"cost >= {low}").agg(s=TOTAL, n=count())),
        f"SELECT COUNT(*), SUM(cost) FROM visits WHERE NOT (cost < {_least}) AND '{_city}' = city",
    ))


# Spec: W-28
def test_there_are_fifty_pairs() -> None:
    assert len(PAIRS) >= 50


# Spec: W-28
@pytest.mark.parametrize("build, sql", PAIRS, ids=[sql for _, sql in PAIRS])
def test_steps_and_sql_make_the_same_plan(asked: dither.Session, build: Build, sql: str) -> None:
    query = build(asked.table("visits"))
    price: dict[str, Any] = {"epsilon": "0.7", "delta": "1e-6"}
    mine, theirs = query.explain(**price), asked.explain(sql, **price)
    assert mine.plan_hash == theirs.plan_hash
    assert mine.cost == theirs.cost and mine.price == theirs.price


def test_other_questions_have_other_plans(asked: dither.Session) -> None:
    table = asked.table("visits")
    hashes = [
        query.explain(epsilon=1).plan_hash
        for query in (
            table.agg(n=count()),
            table.where("cost > 0").agg(n=count()),
            table.where("cost > 1").agg(n=count()),
            table.group_by("city").agg(n=count()),
            table.group_by("city", keys=["Bonn"]).agg(n=count()),
            table.agg(n=TOTAL),
            table.agg(n=dither.sum("cost", bounds=(0, 5))),
        )
    ]
    assert len(set(hashes)) == len(hashes)


def test_answers(asked: dither.Session) -> None:
    answer = asked.table("visits").where("cost > 1").group_by("city").agg(total=TOTAL).run(epsilon=SURE_OF_SUMS)
    assert answer.columns == ["city", "total"]
    assert answer.rows == [("Bonn", 23.0), ("Jena", 50.0), ("Kiel", 25.0), ("other", 0.0)]
    cities = asked.table("visits").group_by("city").agg(n=dither.count())
    same = cities.having("n > 1").order_by("n").answer(epsilon=SURE)
    assert same.rows == [("Kiel", 3), ("Bonn", 4)]
    assert all(interval is not None for _, interval in same.intervals())
    best = cities.order_by("n DESC").limit(1).run(epsilon=SURE)
    assert best.rows == [("Bonn", 4)] and best.stored


def test_listed_keys_are_public(asked: dither.Session) -> None:
    table = asked.table("visits")
    towns = table.group_by("town", keys=["TBonn", "Atlantis", "TBonn"]).agg(n=dither.count())
    assert towns.run(epsilon=SURE).rows == [("Atlantis", 0), ("TBonn", 4)]  # without a delta: nothing is selected
    with pytest.raises(dither.Error) as refused:
        table.group_by("town").agg(n=dither.count()).run(epsilon=1)
    assert refused.value.code == "needs-delta"
    some = table.group_by("city", keys=["Bonn"]).agg(n=dither.count()).run(epsilon=SURE)
    assert some.columns == ["city", "n"] and some.rows == [("Bonn", 4)]
    odd = table.group_by(price=dither.column("Unit price"), keys=[5, 7]).agg(n=dither.count()).run(epsilon=SURE)
    assert odd.columns == ["price", "n"] and odd.rows == [(5, 1), (7, 1)]


DAYS = [datetime.date(2024, 1, 1), datetime.date(1999, 1, 1), datetime.date(2024, 1, 3)]


@pytest.mark.parametrize("key, keys", [
    ("cost", [5, 60, 70]), ("cost", [-1, 5, 7]), ("cost", list(range(150))), ("cost", [60]), ("cost", [60, None, 5]),
    ("cost", [5, 6.5, 99]), ("city", ["Rome", "Paris", "Bonn"]), ("city", ["Rome", None, "Oslo"]), ("day", DAYS),
    ("day", [None, *DAYS]), ("cost > 20", [False, True]), ("cost > 20", [True, None]), ("cost > 99", [True, False]),
])
def test_every_listed_key_is_answered(asked: dither.Session, key: str, keys: list[Any]) -> None:
    answer = asked.table("visits").group_by(k=key, keys=keys).agg(n=dither.count()).run(epsilon=SURE)
    assert len(answer) == len(keys) and set(answer["k"]) == set(keys)


def test_keys_of_numpy_and_pandas(asked: dither.Session) -> None:
    import numpy
    import pandas

    moment = datetime.datetime(2024, 1, 1, 12)
    for one in (numpy.datetime64(moment, "ns"), pandas.Timestamp(moment), pandas.Timestamp(moment, tz="UTC")):
        assert sql_text.literal(one) == "TIMESTAMP '2024-01-01 12:00:00'"
    for one in (float("nan"), numpy.float64("nan"), numpy.datetime64("NaT"), pandas.NaT, pandas.NA):
        with pytest.raises(dither.BadInput, match="write None"):
            asked.table("visits").group_by("cost", keys=[5, one])


def test_steps_keep_their_order(asked: dither.Session) -> None:
    cities = asked.table("visits").group_by("city").agg(n=dither.count()).order_by("n DESC").limit(2)  # Bonn and Kiel
    assert cities.having("n < 4").run(epsilon=SURE).rows == [("Kiel", 3)]
    assert cities.order_by("n").run(epsilon=SURE).rows == [("Kiel", 3), ("Bonn", 4)]
    assert cities.order_by("n").limit(1).run(epsilon=SURE).rows == [("Kiel", 3)]


def test_a_number_is_no_place(asked: dither.Session) -> None:
    assert asked.table("visits").group_by("2").agg(n=dither.count()).run(epsilon=SURE).rows == [(2, 8)]


def test_ways_out_are_those_of_the_steps(asked: dither.Session) -> None:
    table = asked.table("visits")
    for make, way in ((dither.sum("weight"), "grid="), (dither.sum("weight", grid=0.01), "bounds=")):
        with pytest.raises(dither.Error, match=way):
            table.agg(s=make).run(epsilon=1)
    with pytest.raises(dither.BadInput, match="after the rows were grouped"):
        table.group_by("city").where("cost > 0")


def test_many_keys(asked: dither.Session) -> None:
    keys = [f"T{number:04}" for number in range(1500)] + ["TBonn", None]
    answer = asked.table("visits").group_by("town", keys=keys).agg(n=dither.count()).run(epsilon=SURE)
    assert len(answer) == 1502 and {town: n for town, n in answer if n} == {"TBonn": 4}
    alone = asked.table("visits").group_by("town", keys=keys[:-1]).agg(n=dither.count()).run(epsilon=SURE)
    assert len(alone) == 1501 and {town: n for town, n in alone if n} == {"TBonn": 4}


def test_queries_do_not_change(asked: dither.Session) -> None:
    table = asked.table("visits").group_by("city")
    table.agg(n=dither.count()).having("n > 1").limit(2)
    assert table.agg(n=dither.count()).sql == "SELECT city, COUNT(*) AS n FROM visits GROUP BY city"
    assert repr(table).startswith("<a question about visits")
    assert repr(table.agg(n=dither.count())) == table.agg(n=dither.count()).sql


BREAKS = ["cost > 0) OR (1 = 1", "1; DROP TABLE visits", "1 -- ", "1 /* ", "1, 2", "", "1 GROUP BY city", "'", "(1"]


@pytest.mark.parametrize("text", BREAKS)
@pytest.mark.parametrize("step", [
    lambda q, t: q.where(t),
    lambda q, t: q.group_by(t),
    lambda q, t: q.group_by(x=t),
    lambda q, t: q.with_columns(x=t),
    lambda q, t: q.agg(n=dither.count(t)),
    lambda q, t: q.agg(n=dither.sum(t)),
    lambda q, t: q.agg(n=dither.count(where=t)),
    lambda q, t: q.agg(n=dither.count()).having(t),
    lambda q, t: q.agg(n=dither.count()).order_by(t),
])
def test_expressions_stay_in_their_place(asked: dither.Session, step: Any, text: str) -> None:
    with pytest.raises(dither.BadInput) as refused:
        step(asked.table("visits"), text)
    assert refused.value.code == "bad-sql" and "dither.column" in refused.value.hint


def test_names_stay_in_their_place(asked: dither.Session) -> None:
    evil = 'n" FROM visits; --'
    answer = asked.table("visits").agg(**{evil: dither.count()}).run(epsilon=SURE)
    assert answer.columns == [evil] and answer.value == 8
    with pytest.raises(dither.Error) as refused:
        asked.table('visits" WHERE "x').agg(n=dither.count()).explain(epsilon=1)
    assert refused.value.code == "unknown-table"
    keys = ["'; DROP TABLE visits; --", "\\", "TBonn"]
    answer = asked.table("visits").group_by("town", keys=keys).agg(n=dither.count()).run(epsilon=SURE)
    assert {town: n for town, n in answer} == {keys[0]: 0, keys[1]: 0, "TBonn": 4}


@pytest.mark.parametrize("make, code", [
    (lambda q: q.agg(n="COUNT(*)"), "wrong-type"),
    (lambda q: q.where(5), "wrong-type"),
    (lambda q: q.where("cost > 0").sql, "bad-argument"),
    (lambda q: q.limit(1), "bad-argument"),
    (lambda q: q.agg(n=dither.count()).where("cost > 0"), "bad-argument"),
    (lambda q: q.agg(n=dither.count()).limit(-1), "bad-count"),
    (lambda q: q.agg(n=dither.count()).limit(1.5), "bad-count"),
    (lambda q: q.join("regions", on="city", how="outer"), "bad-argument"),
    (lambda q: q.group_by("city", keys="Bonn"), "bad-argument"),
    (lambda q: q.group_by("city", keys=[]), "bad-argument"),
    (lambda q: q.group_by("city", "town", keys=["a"]), "bad-argument"),
    (lambda q: q.group_by("city", keys={"town": ["a"]}), "unknown-key"),
    (lambda q: q.group_by("city", keys=[float("nan")]).agg(n=dither.count()).sql, "wrong-type"),
    (lambda q: q.group_by("city", keys=[b"x"]).agg(n=dither.count()).sql, "wrong-type"),
    (lambda q: q.group_by("city", keys=5), "bad-argument"),
    (lambda q: q.group_by("city", keys=[["a"]]), "wrong-type"),
    (lambda q: q.group_by("city", keys={"city": None}), "bad-argument"),
    (lambda q: q.group_by("city", keys={"city": "Bonn"}), "bad-argument"),
    (lambda q: q.join("regions", on=5), "bad-argument"),
    (lambda q: q.join("regions", on=[]), "bad-argument"),
    (lambda q: q.join("regions", on={}), "bad-argument"),
    (lambda q: dither.sum("cost", bounds=(50, 0)), "bad-bounds"),
    (lambda q: dither.sum("cost", bounds=cast(Any, (0,))), "bad-bounds"),
    (lambda q: dither.sum("cost", bounds=cast(Any, 5)), "bad-bounds"),
    (lambda q: dither.sum("cost", bounds=(0, float("inf"))), "bad-number"),
    (lambda q: dither.sum("cost", bounds=("0", "1) OR (1")), "bad-number"),
    (lambda q: dither.sum("cost", grid=0.3), "bad-argument"),
    (lambda q: dither.column(""), "bad-sql"),
])
def test_mistakes_are_named(asked: dither.Session, make: Any, code: str) -> None:
    with pytest.raises(dither.BadInput) as refused:
        make(asked.table("visits"))
    assert refused.value.code == code and refused.value.hint


def test_every_aggregate_of_the_core_is_here() -> None:
    from dither import _core

    for name, usage, does in _core.aggregates():
        made = getattr(dither, name)
        assert callable(made) and made.__doc__
        if name != "count":
            assert usage in made.__doc__ and does in made.__doc__ and made("x").sql == f"{name.upper()}(x)"
        assert name in dir(dither.aggregates)
    with pytest.raises(AttributeError, match="median_of_means"):
        getattr(aggregates, "median_of_means")


@pytest.mark.parametrize("module", [aggregates, sql_text, dither.query])
def test_examples(module: Any) -> None:
    assert doctest.testmod(module).failed == 0
