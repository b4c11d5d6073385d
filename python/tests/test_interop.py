"""dither.interop: declarations of SmartNoise and OpenDP, events of dp-accounting, there and back."""
from __future__ import annotations

import collections
import functools
import types
from dataclasses import replace
from typing import Any

import pytest

import dither
from dither.accounting import BlackBox, DiscreteLaplace, Gaussian, Laplace, RandomisedResponse, Zcdp, compose, unknown
from dither.interop import from_dp_accounting, from_opendp, loss_of, read_smartnoise, to_dp_accounting, unit_of

METADATA = """
engine: postgres
"":
  clinic:
    visits:
      row_privacy: False
      max_ids: 3
      sample_max_ids: False
      censor_dims: False
      clamp_counts: True
      clamp_columns: False
      use_dpsu: True
      rows: 4000
      person: {type: int, private_id: True}
      city: {type: string, cardinality: 12, missing_value: nowhere}
      cost: {type: float, lower: 0.0, upper: 5000.0, nullable: False, sensitivity: 5000}
      age: {type: int, lower: 0, upper: 110.0, missing_value: 40}
      day: {type: datetime}
      blob: {type: unknown}
      half: {type: int, lower: 0}
    surveys:
      row_privacy: True
      answer: {type: boolean}
"""


# Spec: W-58
def test_smartnoise_metadata_becomes_declarations() -> None:
    declared = read_smartnoise(METADATA)
    assert declared.neighbours == "add-remove"
    assert declared.unit == {"visits": "person", "surveys": "row"}
    assert declared.bounds == {"visits": {"rows_per_unit": 3, "keys_per_unit": 3, "rows_per_key": 3}}
    assert declared.expected == {"visits": {"rows": 4000}}
    assert declared.columns["surveys"] == {"answer": {"type": "boolean"}}
    assert declared.columns["visits"] == {
        "person": {"type": "integer"},
        "city": {"type": "text", "null_as": "nowhere"},
        "cost": {"type": "real", "bounds": [0, 5000], "outside": "clamp"},
        "age": {"type": "integer", "bounds": [0, 110], "outside": "clamp", "null_as": 40},
        "day": {"type": "timestamp"},
        "half": {"type": "integer"},
    }


# Spec: W-58
@pytest.mark.parametrize("said", [
    "engine: postgres", "schema clinic", "max_ids 3", "sample_max_ids: false", "censor_dims: false", "clamp_counts",
    "clamp_columns: false", "use_dpsu", "visits.city: cardinality", "visits.cost: nullable: false",
    "visits.cost: sensitivity",
    "visits.cost: sums of real numbers need a grid", "visits.blob is of unknown type",
    "visits.half: bounds need both ends",
])
def test_what_has_no_counterpart_is_noted(said: str) -> None:
    assert any(said in note for note in read_smartnoise(METADATA).notes)


# Spec: W-58
def test_smartnoise_metadata_makes_a_session_and_a_project(tmp_path: Any) -> None:
    pandas = pytest.importorskip("pandas")
    declared = read_smartnoise(METADATA)
    visits = pandas.DataFrame({name: [1, 2] for name in ("person", "cost", "age", "half")})
    visits["city"], visits["day"] = ["a", "b"], ["2024-01-01"] * 2
    surveys = pandas.DataFrame({"answer": [True, False]})
    with pytest.warns(dither.SessionOnlyWarning):
        session = dither.Session(tables={"visits": visits, "surveys": surveys}, budget=loss_of(epsilon=2),
                                 ledger=":memory:", **declared.arguments())
    with session:
        assert session.explain("SELECT COUNT(*) FROM visits", epsilon=1)
    for name, frame in (("visits", visits), ("surveys", surveys)):
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    path = tmp_path / "dither.yaml"
    sources = {"visits": "visits.csv", "surveys": "surveys.csv"}
    path.write_text(declared.project(sources=sources, budget=loss_of(epsilon=2), data_version="1", unit_name="person"))
    with dither.open(path) as opened:
        assert opened.explain("SELECT COUNT(*) FROM surveys", epsilon=1)


def test_smartnoise_metadata_is_read_from_files(tmp_path: Any) -> None:
    path = tmp_path / "metadata.yaml"
    path.write_text(METADATA)
    assert read_smartnoise(path) == read_smartnoise(str(path)) == read_smartnoise(METADATA)


def table(options: str, column: str = "{type: int, private_id: true}") -> str:
    return f"c:\n  s:\n    t:\n      {options}\n      x: {column}\n"


# Spec: W-58
@pytest.mark.parametrize(("text", "code"), [
    (table("rows_exact: 10"), "bad-argument"),
    (table("rows: 1", "{type: int, sensitivity: 3}"), "missing-key"),
    (table("row_privacy: true", "{type: int, sensitivity: 3}"), "missing-bounds"),
    (table("row_privacy: true", "{type: int, lower: 3, upper: 2}"), "bad-bounds"),
    (table("row_privacy: true", "{type: int, lower: a, upper: b}"), "wrong-type"),
    (table("row_privacy: true", "{type: complex}"), "wrong-type"),
    (table("row_privacy: true", "{type: int, secret: 3}"), "unknown-key"),
    (table("row_privacy: 1"), "wrong-type"),
    (table("row_privacy: yes"), "bad-syntax"),
    (table("max_ids: 0"), "bad-count"),
    (table("other: {type: int, private_id: true}"), "two-owners"),
    ("a:\n  s: {}\nb:\n  s: {}\n", "bad-syntax"),
    ("a:\n- b\n", "wrong-type"),
    ("no/such/file", "cannot-read"), ("a\0b", "cannot-read"), (5, "wrong-type"), ("a:\n\ud800", "wrong-type"),
])
def test_what_is_unsafe_or_unknown_is_refused(text: Any, code: str) -> None:
    with pytest.raises(dither.BadInput) as refused:
        read_smartnoise(text)
    assert refused.value.code == code and refused.value.hint


# Spec: W-58
def test_units_and_losses_of_opendp() -> None:
    assert unit_of(contributions=1) == {"unit": "row", "neighbours": "add-remove"}
    assert unit_of(changes=2) == {"unit": {"rows": 2}, "neighbours": "replace-one"}
    assert unit_of(contributions=1, identifier="person") == {"unit": "person", "neighbours": "add-remove"}
    assert loss_of(epsilon=1, delta=1e-8) == dither.Budget(epsilon=1, delta=1e-8)
    assert from_opendp(privacy_unit=("SymmetricDistance()", 3), privacy_loss=("ZeroConcentratedDivergence", 0.5)) == {
        "unit": {"rows": 3}, "neighbours": "add-remove", "budget": dither.Budget(rho=0.5)}
    assert from_opendp(privacy_unit=("ChangeOneDistance()", 1),
                       privacy_loss=("Approximate(MaxDivergence)", (1.0, 1e-9))) == {
        "unit": "row", "neighbours": "replace-one", "budget": dither.Budget(epsilon=1.0, delta=1e-9)}
    # What OpenDP 0.16 prints for unit_of(contributions=1, identifier="person id"), and for changes=1.
    for printed, neighbours in (('SymmetricIdDistance { identifier: col("person id") }', "add-remove"),
                                ('ChangeOneIdDistance { identifier: col("person id") }', "replace-one")):
        for given in ({}, {"identifier": "person id"}):
            assert from_opendp(privacy_unit=(printed, 1), privacy_loss=("MaxDivergence", 1), **given) == {
                "unit": "person id", "neighbours": neighbours, "budget": dither.Budget(epsilon=1)}


NO_PAIR: Any = 3


@pytest.mark.parametrize("mistake", [
    lambda: unit_of(local=True), lambda: unit_of(l1=3), lambda: unit_of(absolute=1),
    lambda: unit_of(contributions=1, changes=1),
    lambda: unit_of(contributions=0), lambda: unit_of(contributions=2, identifier="person"),
    lambda: loss_of(delta=1e-9),
    lambda: loss_of(epsilon=1, rho=1),
    lambda: from_opendp(privacy_unit=("L1Distance(f64)", 1), privacy_loss=("MaxDivergence", 1)),
    lambda: from_opendp(privacy_unit=("SymmetricDistance()", 1), privacy_loss=("RenyiDivergence", 1)),
    lambda: from_opendp(privacy_unit=("SymmetricIdDistance", 1), privacy_loss=("MaxDivergence", 1)),  # rows, otherwise
    lambda: from_opendp(privacy_unit=('SymmetricIdDistance { identifier: col("a") }', 1),
                        privacy_loss=("MaxDivergence", 1), identifier="b"),
    lambda: from_opendp(privacy_unit=('SymmetricIdDistance { identifier: [(col("a")) + (col("b"))] }', 1),
                        privacy_loss=("MaxDivergence", 1)),
    lambda: from_opendp(privacy_unit=("FrameDistance(SymmetricDistance())", []), privacy_loss=("MaxDivergence", 1)),
    lambda: from_opendp(privacy_unit=NO_PAIR, privacy_loss=("MaxDivergence", 1)),
])
def test_words_of_opendp_without_a_counterpart_are_refused(mistake: Any) -> None:
    with pytest.raises(dither.BadInput) as refused:
        mistake()
    assert refused.value.hint


RELEASES = [
    compose([]), Gaussian(sigma=1.5), Laplace(scale="1/4"), DiscreteLaplace(scale=4, sensitivity=2),
    BlackBox(epsilon=1, delta=1e-6),
    Zcdp(rho=0.5), Gaussian(sigma=1).subsample(poisson=0.01).times(10_000),
    Gaussian(sigma=1).subsample(without_replacement=100, population=50_000),
    Gaussian(sigma=1).subsample(with_replacement=100, population=50_000).times(3),
    Gaussian(sigma=1).subsample(poisson=0.01, max_batch=80, population=5000),
    Gaussian(sigma=2).times(10) + Laplace(scale=5) + Zcdp(rho=0.1).times(2),
]


@pytest.mark.parametrize("releases", RELEASES)
def test_events_go_to_dp_accounting_and_come_back(releases: Any) -> None:
    back = from_dp_accounting(to_dp_accounting(releases))
    assert back.neighbours in (None, "add-remove") and replace(back, neighbours=None) == releases


# Noise is stated over the norm of one record's value: 4.886554 is the Gaussian curve at sensitivity 2, and what
# dp-accounting 0.6.0's PLD accountant gives for GaussianDpEvent(2.0) under REPLACE_ONE at delta 1e-6; under add-remove
# 2.254085. Poisson sampled, GaussianDpEvent(1.5) at rate 0.2 has 1.457620 and 1.672711 there.
def test_noise_of_dp_accounting_costs_as_much_here_under_each_relation() -> None:
    event = {"class_name": "GaussianDpEvent", "noise_multiplier": 2.0}
    sampled = {"class_name": "PoissonSampledDpEvent", "sampling_probability": 0.2,
               "event": {"class_name": "GaussianDpEvent", "noise_multiplier": 1.5}}
    for given, neighbours, epsilon in ((event, "add-remove", 2.254085), (event, "replace-one", 4.886554),
                                       (event, "both", 4.886554), (sampled, "add-remove", 1.457620),
                                       (sampled, "replace-one", 1.672711)):
        releases = from_dp_accounting(given, neighbours=neighbours)
        assert releases.epsilon(delta=1e-6) == pytest.approx(epsilon, abs=2e-6)
        listed = {"class_name": "ComposedDpEvent", "events": [given, {"class_name": "NoOpDpEvent"}]}
        assert from_dp_accounting(listed, neighbours=neighbours) == releases
    for noise, changed in (("LaplaceDpEvent", {"noise_multiplier": 2.0}),
                           ("DiscreteLaplaceDpEvent", {"noise_parameter": 0.5, "sensitivity": 1})):
        releases = from_dp_accounting({"class_name": noise, **changed}, neighbours="replace-one")
        assert releases.epsilon(delta=0) == pytest.approx(1)
    unnamed = from_dp_accounting(sampled)
    assert unnamed.epsilon(delta=1e-6, neighbours="replace-one") == pytest.approx(1.672711, abs=2e-6)


def test_noise_of_dp_accounting_without_a_relation_is_for_add_remove() -> None:
    event = {"class_name": "SelfComposedDpEvent", "count": 3,
             "event": {"class_name": "GaussianDpEvent", "noise_multiplier": 2.0}}
    releases = from_dp_accounting(event)
    assert releases.neighbours == "add-remove"
    with pytest.raises(dither.BadInput, match="mixed-neighbours"):
        releases.epsilon(delta=1e-6, neighbours="replace-one")
    with pytest.raises(dither.BadInput):
        from_dp_accounting(event, neighbours="bounded")


def test_objects_and_named_tuples_are_taken_by_name() -> None:
    tree = to_dp_accounting(RELEASES[6] + RELEASES[0])
    module = types.ModuleType("vocabulary")
    for name in ("GaussianDpEvent", "PoissonSampledDpEvent", "SelfComposedDpEvent", "ComposedDpEvent", "NoOpDpEvent"):
        setattr(module, name, type(name, (types.SimpleNamespace,), {}))
    made = to_dp_accounting(RELEASES[6], module)
    assert type(made).__name__ == tree["class_name"] == "SelfComposedDpEvent"
    assert made.event.sampling_probability == 0.01
    assert from_dp_accounting(made) == RELEASES[6]
    named = collections.namedtuple("named", ["module_name", "class_name", "noise_multiplier"])
    gaussian = from_dp_accounting(named("dp_accounting.dp_event", "GaussianDpEvent", 2.0))
    assert gaussian == Gaussian(sigma=2).under(neighbours="add-remove")
    with pytest.raises(dither.BadInput):
        to_dp_accounting(Zcdp(rho=1), module)


def test_randomised_response_is_never_cheaper_there_or_here() -> None:
    # The input with probability 1 - p + p / k, each other bucket with p / k: here 0.75 and 0.25, epsilon is log 3.
    here = from_dp_accounting({"class_name": "RandomizedResponseDpEvent", "noise_parameter": 0.5, "num_buckets": 2})
    epsilon = here.epsilon(delta=0, neighbours="replace-one")
    assert 1.0986122886681098 <= epsilon < 1.0986122886681099 + 1e-12
    there = to_dp_accounting(RandomisedResponse(epsilon=1, categories=4))
    keep, other = 1 - there["noise_parameter"] * 0.75, there["noise_parameter"] / 4
    assert 2.718281828459045 <= keep / other < 2.7182818284595


@pytest.mark.parametrize(("event", "code"), [
    ({"class_name": "NonPrivateDpEvent"}, "no-theorem"),
    ({"class_name": "UnsupportedDpEvent"}, "unknown-mechanism"),
    ({"class_name": "GaussianDpEvent"}, "missing-key"),
    ({"class_name": "GaussianDpEvent", "noise_multiplier": 0}, "bad-scale"),
    ({"class_name": "ZCDpEvent", "rho": 1, "xi": 1}, "no-theorem"),
    ({"class_name": "RandomizedResponseDpEvent", "noise_parameter": 0, "num_buckets": 2}, "bad-probability"),
    ({"class_name": "DiscreteLaplaceDpEvent", "noise_parameter": 0, "sensitivity": 1}, "bad-scale"),
    ({"class_name": "PoissonSampledDpEvent", "sampling_probability": 0.1,
      "event": to_dp_accounting(Gaussian(sigma=1).times(2))},
     "no-theorem"),
    (3, "unknown-mechanism"),
    ({"class_name": "RandomizedResponseDpEvent", "noise_parameter": "x", "num_buckets": 2}, "bad-number"),
    ({"class_name": "RandomizedResponseDpEvent", "noise_parameter": 0.5, "num_buckets": "x"}, "bad-count"),
    ({"class_name": "DiscreteLaplaceDpEvent", "noise_parameter": "x", "sensitivity": 1}, "bad-number"),
    ({"class_name": "ComposedDpEvent", "events": None}, "wrong-type"),
    (functools.reduce(lambda inner, _: {"class_name": "ComposedDpEvent", "events": [inner]}, range(5000),
                      {"class_name": "NoOpDpEvent"}), "too-deep"),
    (functools.reduce(lambda inner, _: {"class_name": "SelfComposedDpEvent", "event": inner, "count": 1}, range(5000),
                      {"class_name": "NoOpDpEvent"}), "too-deep"),
], ids=lambda value: value if isinstance(value, str) else "event")
def test_events_without_a_counterpart_are_refused_by_name(event: Any, code: str) -> None:
    with pytest.raises(dither.BadInput) as refused:
        from_dp_accounting(event)
    assert refused.value.code == code and refused.value.hint


@pytest.mark.parametrize(("releases", "said"), [
    (Gaussian(sigma=unknown), "sigma"),
    (Gaussian(sigma=1).times(unknown), "times"),
    (Laplace(scale=1) + Gaussian(sigma=1).subsample(poisson=unknown), "rate"),
    (Gaussian(sigma=1).under(group=3), "groups of 3"),
    (Gaussian(sigma=1).under(neighbours="add-remove"), "neighbours 'add-remove'"),
    (Gaussian(sigma=1).under(unit="person"), "unit 'person'"),
    (RandomisedResponse(epsilon=1000), "randomised-response"),
    (5, "int"),
])
def test_nothing_is_lost_on_the_way_to_dp_accounting(releases: Any, said: str) -> None:
    with pytest.raises(dither.BadInput) as refused:
        to_dp_accounting(releases)
    assert said in refused.value.message and refused.value.hint


def test_a_relation_or_unit_goes_where_it_is_named_again() -> None:
    named = Gaussian(sigma=1).under(neighbours="add-remove", unit="person")
    tree = to_dp_accounting(named, neighbours="add-remove", unit="person")
    assert from_dp_accounting(tree).under(neighbours="add-remove", unit="person") == named
    with pytest.raises(dither.BadInput):
        to_dp_accounting(named, neighbours="replace-one", unit="person")


def test_mechanisms_that_dp_accounting_lacks_are_refused_by_name() -> None:
    with pytest.raises(dither.BadInput) as refused:
        to_dp_accounting(dither.accounting.SparseVector(epsilon=1))
    assert "sparse-vector" in refused.value.message
