"""dither.accounting: the numbers of the core, and the same answers as the command."""
from __future__ import annotations

import json
import pickle
import subprocess
import sys
from fractions import Fraction
from typing import Any

import pytest

import dither
from dither.accounting import (BlackBox, DiscreteLaplace, Gaussian, KeyRelease, Laplace, Mixture, RandomisedResponse,
                               Renyi, Releases, Tree, Tuning, Zcdp, calibrate, compose, from_json, read, unknown)
from dither.accounting._kinds import kinds

ADD_REMOVE: dict[str, Any] = {"neighbours": "add-remove"}
half: Any = 1.5
wrong: Any = 5


def command(*words: str) -> Any:
    """What `dither ... --json` says."""
    said = subprocess.run([sys.executable, "-m", "dither", *words, "--json"], capture_output=True, text=True,
                          check=False)
    assert said.returncode == 0, said.stderr
    return json.loads(said.stdout)


def without_seconds(members: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in members.items() if name != "seconds"}


# Spec: O-22, O-25, A-39
def test_subsampled_gaussians() -> None:
    training = Gaussian(sigma=1.1).subsample(poisson="256/60000").times(14062)
    epsilon = training.epsilon(delta=1e-5, **ADD_REMOVE)
    assert epsilon == pytest.approx(2.3815969, abs=2e-7)
    assert epsilon.lower is not None and 0 <= epsilon.upper - epsilon.lower <= 1e-6
    assert training.epsilon(delta=1e-5, neighbours="replace-one") == pytest.approx(4.2212967, abs=2e-7)


# Spec: O-26, A-67
def test_a_mixed_list() -> None:
    mixed = (Gaussian(sigma=5).times(10) + Laplace(scale=10).times(20) + RandomisedResponse(epsilon=0.2).times(5)
             + Gaussian(sigma=1).subsample(poisson=0.01).times(100))
    epsilon = mixed.epsilon(delta=1e-6, width=1e-7, **ADD_REMOVE)
    assert epsilon == pytest.approx(4.2229256, abs=2e-7)
    assert epsilon.accountant == "fourier"
    assert mixed.delta(epsilon=2, **ADD_REMOVE) == pytest.approx(0.010007998, abs=2e-9)
    assert sum(event["share"] for event in epsilon.events) == pytest.approx(1)


# Spec
def test_without_delta_losses_add() -> None:
    epsilon = (Laplace(scale=10).times(50) + Laplace(scale=5).times(25)).epsilon(delta=0, **ADD_REMOVE)
    assert (epsilon.lower, epsilon.upper, epsilon.interval, epsilon.accountant) == (10, 10, (10, 10), "basic")
    assert Gaussian(sigma=1).epsilon(delta=0, **ADD_REMOVE) == float("inf")


def test_the_line_without_a_relation_holds_for_both() -> None:
    training = dither.accounting.Gaussian(sigma=1).subsample(poisson=0.01).times(10_000)
    either = training.epsilon(delta=1e-6)
    assert either.neighbours == "both"
    assert either == training.epsilon(delta=1e-6, neighbours="both")
    assert either >= max(training.epsilon(delta=1e-6, neighbours=one) for one in ("add-remove", "replace-one"))
    assert any("no neighbour relation was named" in note for note in either.notes)
    assert "no neighbour relation was named" in either.explain() and "no neighbour relation" in repr(either)
    assert not any("no neighbour relation" in note for note in training.epsilon(delta=1e-6, **ADD_REMOVE).notes)


def test_answers_are_those_of_the_command(tmp_path: Any) -> None:
    training = Gaussian(sigma=1).subsample(poisson=0.01).times(10_000)
    told = command("account", "--gaussian", "1", "--sample", "poisson:0.01", "--times", "10000",
                   "--neighbours", "add-remove", "--delta", "1e-6")
    assert training.epsilon(delta=1e-6, **ADD_REMOVE).to_dict() == without_seconds(told)
    told = command("account", "--laplace", "2", "--times", "20", "--neighbours", "both", "--delta", "1e-6", "--all",
                   "--attack")
    noise = Laplace(scale=2).times(20)
    attempts = noise.all_accountants(delta=1e-6)
    assert [attempt.accountant for attempt in attempts] == [entry["accountant"] for entry in told["accountants"]]
    assert attempts["fourier"].epsilon == noise.epsilon(delta=1e-6, accountant="fourier")
    for attempt, entry in zip(attempts, told["accountants"]):
        assert attempt.epsilon == entry["epsilon"] and attempt.why_not == entry.get("why_not", "")
    found, attack = noise.attack(), told["attack"]
    assert (found.accuracy, found.advantage) == (attack["accuracy"], attack["advantage"])
    assert found.true_positive.tolist() == [point["true_positive"] for point in attack["region"]]
    path = tmp_path / "events.json"
    mixed = training + Laplace(scale=0.1, sensitivity="1/3").times(2)
    mixed.write(path, **ADD_REMOVE)
    told = command("account", str(path), "--epsilon", "1.5", "--group", "2")
    assert mixed.delta(epsilon=1.5, group=2, **ADD_REMOVE).to_dict() == without_seconds(told)
    assert read(path) == mixed.under(**ADD_REMOVE)


def test_a_sum_is_the_list() -> None:
    a, b, c = Gaussian(sigma=2), Laplace(scale="1/3").times(3), Zcdp(rho=0.1).times(2)
    for whole in (a + b + c, a + (b + c), sum([a, b, c]), compose([a, b, c]), compose([a + b, c])):
        assert whole == compose([a, b, c]) and hash(whole) == hash(compose([a, b, c]))
        assert whole.to_json(**ADD_REMOVE) == compose([a, b, c]).to_json(**ADD_REMOVE)
    assert (a + b).times(4) == a.times(4) + b.times(4) == 4 * (a + b)
    assert [*(a + b)] == [a, b] and len(a + b) == 2
    assert compose([]).epsilon(delta=0, **ADD_REMOVE) == 0.0


def test_numbers_are_exact_as_written() -> None:
    assert Laplace(scale=0.1) == Laplace(scale=Fraction(1, 10)) == Laplace(scale="0.1") == Laplace(scale="1/10")
    third = from_json(Laplace(scale="1/3").to_json(**ADD_REMOVE))
    assert third == Laplace(scale=Fraction(1, 3)).under(**ADD_REMOVE)
    assert repr(third) == "Laplace(scale=\"1/3\", sensitivity=1).under(neighbours='add-remove')"
    shown = "Gaussian(sigma=1, sensitivity=1).subsample(poisson=0.01).times(7)"
    assert repr(Gaussian(sigma=1).subsample(poisson=0.01).times(7)) == shown


def test_every_mechanism_of_the_catalogue_is_there() -> None:
    listed = [entry["mechanism"] for entry in command("account", "--list")["mechanisms"]]
    assert [kind.mechanism for kind in kinds().values()] == listed
    assert set(kinds()) < set(dir(dither.accounting))
    assert "sigma" in str(Gaussian.__signature__) and "sensitivity" in str(Gaussian.__doc__)


def test_mechanisms_inside_of_others() -> None:
    keys = KeyRelease(noise=Laplace(scale=2), keys=1, threshold=30)
    assert 0 < keys.delta(epsilon=1, **ADD_REMOVE) < 1e-5
    mixture = Mixture(parts=[(0.5, Gaussian(sigma=4)), (0.5, Gaussian(sigma=8))])
    assert eval(repr(mixture)) == mixture  # the representation is the Python that makes it
    assert eval(repr(keys)) == keys
    tuned = Tuning(base=Gaussian(sigma=10), stop=0.1)
    assert tuned.epsilon(delta=1e-6, **ADD_REMOVE) > Gaussian(sigma=10).epsilon(delta=1e-6, **ADD_REMOVE)
    curve = Renyi(orders=[2, 4, 8], epsilons=[0.1, 0.2, 0.4])
    assert 0 < curve.epsilon(delta=1e-6, **ADD_REMOVE) < 5


# Spec: B-28
def test_calibrate_noise_rate_times_and_epsilon() -> None:
    sigma = calibrate(Gaussian(sigma=unknown), epsilon=1, delta=1e-6)
    assert sigma == pytest.approx(4.2246788893268, abs=4e-11) and sigma.solved == "sigma"
    assert sigma.releases == Gaussian(sigma=sigma.exact) and sigma.reached is not None and sigma.reached <= 1e-6
    training = Gaussian(sigma=unknown).subsample(poisson=0.01).times(10_000)
    assert calibrate(training, epsilon=1, delta=1e-5, digits=6, **ADD_REMOVE) == pytest.approx(3.81282, abs=2e-5)
    times = calibrate(Gaussian(sigma=4).subsample(poisson=0.01).times(unknown), epsilon=1, delta=1e-5, **ADD_REMOVE)
    assert isinstance(times.value, int) and times.value > 10_000
    more = times.releases + Gaussian(sigma=4).subsample(poisson=0.01)
    assert more.delta(epsilon=1, **ADD_REMOVE).upper > 1e-5 >= times.releases.delta(epsilon=1, **ADD_REMOVE).upper
    rate = calibrate(Gaussian(sigma=2).subsample(poisson=unknown).times(1000), epsilon=1, delta=1e-6, digits=4,
                     **ADD_REMOVE)
    assert 0 < rate < 1 and rate.releases.epsilon(delta=1e-6, **ADD_REMOVE) <= 1
    each = calibrate(BlackBox(epsilon=unknown).times(4), epsilon=1, delta=0)
    assert each == 0.25
    beside = calibrate(Laplace(scale=unknown) + BlackBox(epsilon=0.5), epsilon=1, delta=0)
    assert beside == 2.0


def test_calibrate_is_the_command() -> None:
    told = command("calibrate", "gaussian", "--epsilon", "1", "--delta", "1e-5", "--sample", "poisson:0.01",
                   "--times", "1000", "--neighbours", "add-remove")
    found = calibrate(Gaussian(sigma=unknown).subsample(poisson=0.01).times(1000), epsilon=1, delta=1e-5, **ADD_REMOVE)
    assert found.value == told["value"] and found.reached is not None
    members = {name: value for name, value in told.items() if name not in ("mechanism", "solved", "value", "seconds")}
    assert found.reached.to_dict() == members
    told = command("calibrate", "laplace", "--error", "100", "--beta", "0.05")
    found = calibrate(Laplace(scale=unknown), error=100, beta=0.05)
    assert (found.value, found.error, found.reached) == (told["value"], told["error"], None)


def test_curves_are_arrays() -> None:
    curve = Gaussian(sigma=2).curve(least_delta=1e-9, points=11, **ADD_REMOVE)
    assert curve.epsilon.shape == curve.delta_upper.shape == (11,) and len(curve) == 11
    assert (curve.delta_lower <= curve.delta_upper).all() and (curve.delta_upper[1:] <= curve.delta_upper[:-1]).all()
    third = Gaussian(sigma=2).delta(epsilon=float(curve.epsilon[3]), **ADD_REMOVE)
    assert curve.delta_upper[3] == pytest.approx(third, rel=1e-6)


# Spec: A-09
def test_the_attacker_of_one_gaussian() -> None:
    found = Gaussian(sigma=1).attack(**ADD_REMOVE)
    assert found.accuracy == pytest.approx(0.69146246127, abs=1e-9)
    assert (found.true_positive >= found.false_positive).all()


def test_groups_and_units() -> None:
    pair = Laplace(scale=1).epsilon(delta=0, group=2, unit="person", **ADD_REMOVE)
    assert (pair.upper, pair.group, pair.unit) == (2, 2, "person")
    assert "groups of 2: person" in repr(pair)


def test_numbers_survive_pickling() -> None:
    for thing in (Gaussian(sigma=1).times(3), Gaussian(sigma=1).epsilon(delta=1e-6),
                  calibrate(Laplace(scale=unknown), epsilon=1, delta=0)):
        again = pickle.loads(pickle.dumps(thing))
        assert again == thing and repr(again) == repr(thing)


@pytest.mark.parametrize(("mistake", "code"), [
    (lambda: Gaussian(sigma=-1), "bad-scale"),
    (lambda: Gaussian(sigma=float("nan")), "bad-number"),
    (lambda: Gaussian(sigma="a lot"), "wrong-type"),
    (lambda: Gaussian(sigma="1e99999"), "bad-number"),
    (lambda: Gaussian(sigma="1/0"), "division-by-zero"),
    (lambda: Gaussian(sgima=1), "unknown-key"),
    (lambda: Gaussian(), "missing-key"),
    (lambda: Gaussian(sigma=1).times(-1), "bad-count"),
    (lambda: Gaussian(sigma=1).times(half), "bad-count"),
    (lambda: Gaussian(sigma=1).times(10**13), "bad-count"),
    (lambda: Gaussian(sigma=1).subsample(), "missing-key"),
    (lambda: Gaussian(sigma=1).subsample(poisson=2), "bad-probability"),
    (lambda: Gaussian(sigma=1).subsample(poisson=0.1, all_or_nothing=0.1), "bad-argument"),
    (lambda: Gaussian(sigma=1).times(2).subsample(poisson=0.1), "bad-argument"),
    (lambda: (Gaussian(sigma=1) + Laplace(scale=1)).subsample(poisson=0.1), "bad-argument"),
    (lambda: Gaussian(sigma=1).subsample(all_or_nothing=0.1).epsilon(delta=1e-6), "no-theorem"),
    (lambda: Gaussian(sigma=1).epsilon(delta=2), "bad-probability"),
    (lambda: Gaussian(sigma=1).epsilon(delta="many"), "bad-number"),
    (lambda: Gaussian(sigma=1).epsilon(delta=1e-6, width=2), "bad-number"),
    (lambda: Gaussian(sigma=1).epsilon(delta=1e-6, accountant="best"), "bad-argument"),
    (lambda: Gaussian(sigma=1).epsilon(delta=1e-6, neighbours="next door"), "unknown-neighbours"),
    (lambda: Gaussian(sigma=1).under(neighbours="both").epsilon(delta=1e-6, neighbours="add-remove"),
     "mixed-neighbours"),
    (lambda: Gaussian(sigma=1).under(neighbours="both") + Gaussian(sigma=1).under(**ADD_REMOVE), "mixed-neighbours"),
    (lambda: Gaussian(sigma=1).to_json(), "bad-argument"),
    (lambda: Gaussian(sigma=unknown).epsilon(delta=1e-6), "bad-argument"),
    (lambda: calibrate(Gaussian(sigma=1), epsilon=1, delta=1e-6), "bad-argument"),
    (lambda: calibrate(Zcdp(rho=unknown), epsilon=1, delta=1e-6), "bad-argument"),
    (lambda: calibrate(Gaussian(sigma=unknown), epsilon=1), "bad-argument"),
    (lambda: calibrate(Gaussian(sigma=unknown), error=3), "bad-argument"),
    (lambda: calibrate(Laplace(scale=unknown) + BlackBox(epsilon=2), epsilon=1, delta=0), "unreachable"),
    (lambda: Gaussian(sigma=1).curve(least_delta=1e-6, points=1), "bad-count"),
    (lambda: read("no/such/file.yaml"), "cannot-read"),
    (lambda: from_json("{\n\"events\": []}"), "missing-key"),
    (lambda: calibrate(wrong), "wrong-type"),
    (lambda: compose(wrong), "wrong-type"),
    (lambda: compose([Gaussian(sigma=1), wrong]), "wrong-type"),
    (lambda: from_json(wrong), "wrong-type"),
    (lambda: from_json("\ud800"), "wrong-type"),
    (lambda: read(wrong), "wrong-type"),
    (lambda: Gaussian(sigma=1).write(wrong, **ADD_REMOVE), "wrong-type"),
    (lambda: Gaussian(sigma=1).under(neighbours=wrong), "wrong-type"),
    (lambda: Gaussian(sigma=1).epsilon(delta=1e-6, accountant=wrong), "wrong-type"),
    (lambda: Gaussian(1, sigma=2), "bad-argument"),
    (lambda: Gaussian(1, 2), "bad-argument"),
    (lambda: Tree(1), "bad-argument"),
])
def test_mistakes_are_named(mistake: Any, code: str) -> None:
    with pytest.raises(dither.BadInput) as refused:
        mistake()
    assert refused.value.code == code and refused.value.hint
    assert "--" not in refused.value.message and "events:" not in refused.value.message


@pytest.mark.parametrize(("mistake", "hint"), [
    (lambda: Gaussian(), "give sigma=..."),
    (lambda: Gaussian(sigma="x"), "give a number such as 10, 0.5 or 1e-6"),
    (lambda: Gaussian(sigma=1).subsample(), "write e.g. poisson=0.01"),
    (lambda: Gaussian(sigma=1).subsample(poisson=0.1, max_batch=3), "give population=..."),
    (lambda: Gaussian(sigma=1).under(group=0), "write group=1 for single units"),
    (lambda: calibrate(Gaussian(sigma=unknown), epsilon=0, delta=1e-6), "give e.g. epsilon=1"),
    (lambda: Mixture(parts=5), "give a list such as [1, 2, 3]"),
    (lambda: KeyRelease(noise=5), "give a mechanism such as dither.accounting.Laplace(scale=1)"),
    (lambda: Tuning(base=Gaussian(sigma=1)), "write e.g. shape=1, stop=0.1 or runs=10"),
    (lambda: read("no/such/file.yaml"), "name a file of events, as Releases.write makes it"),
])
def test_hints_speak_of_arguments(mistake: Any, hint: str) -> None:
    with pytest.raises(dither.BadInput) as refused:
        mistake()
    assert refused.value.hint == hint


def test_one_parameter_needs_no_name() -> None:
    assert Gaussian(2) == Gaussian(sigma=2) and Laplace(2, sensitivity=3) == Laplace(scale=2, sensitivity=3)


def test_discrete_noise_is_not_the_continuous_one() -> None:
    assert DiscreteLaplace(scale=1).epsilon(delta=0, **ADD_REMOVE) == 1.0
    assert isinstance(DiscreteLaplace(scale=1), Releases)
