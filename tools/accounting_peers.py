"""What dp-accounting and prv-accountant say about lists of events, each with both of its ends.

Runs inside the environment of the peers (see peers.py): reads a JSON list of questions from standard input and writes
a JSON list of answers, {peer: {lower, upper, seconds} or {refused: why}}, one for each question. A question is
{neighbours, events: [{mechanism, ..., times}], delta, grid, error}, perhaps with rounds, of which the fastest counts;
an event may be
    gaussian sigma | laplace scale | discrete-laplace scale | randomised-response epsilon categories
and gaussian or laplace may have `rate`, for Poisson sampling.
"""
import json
import logging
import math
import sys
import time
import warnings

PINS = ["dp-accounting==0.6.0", "numpy==2.4.6", "prv-accountant==0.2.0", "scipy==1.17.1"]
ENVIRONMENT = "peers-accounting"


def google_loss(event, relation, grid, pessimistic):
    """The privacy loss distribution of one release."""
    from dp_accounting.pld import privacy_loss_distribution as pld
    usual = {"pessimistic_estimate": pessimistic, "value_discretization_interval": grid}
    dots = {"use_connect_dots": pessimistic}
    rate = {"sampling_prob": event.get("rate", 1.0)}
    kind = event["mechanism"]
    if kind == "gaussian":
        return pld.from_gaussian_mechanism(event["sigma"], neighboring_relation=relation, **usual, **dots, **rate)
    if kind == "laplace":
        return pld.from_laplace_mechanism(event["scale"], **usual, **dots, **rate)
    if kind == "discrete-laplace":
        return pld.from_discrete_laplace_mechanism(1 / event["scale"], **usual, **rate)
    if kind == "randomised-response":
        k = event["categories"]
        noise = k / (math.exp(event["epsilon"]) + k - 1)  # the probability of a uniform answer
        return pld.from_randomized_response(noise, k, neighboring_relation=relation, **usual)
    raise ValueError(f"no {kind}")


def google_end(question, pessimistic):
    import dp_accounting
    relations = dp_accounting.NeighboringRelation
    relation = {"add-remove": relations.ADD_OR_REMOVE_ONE, "replace-one": relations.REPLACE_ONE}[question["neighbours"]]
    total = None
    for event in question["events"]:
        loss = google_loss(event, relation, question["grid"], pessimistic).self_compose(event["times"])
        total = loss if total is None else total.compose(loss)
    return total.get_epsilon_for_delta(question["delta"])


def google(question):
    if question["neighbours"] == "replace-one" and any(e["mechanism"] == "laplace" for e in question["events"]):
        raise ValueError("its Laplace noise knows add-remove only")
    return google_end(question, False), google_end(question, True)


def microsoft_variable(event):
    from prv_accountant import GaussianMechanism, LaplaceMechanism, PoissonSubsampledGaussianMechanism
    if event["mechanism"] == "gaussian" and "rate" in event:
        return PoissonSubsampledGaussianMechanism(noise_multiplier=event["sigma"], sampling_probability=event["rate"])
    if event["mechanism"] == "gaussian":
        return GaussianMechanism(event["sigma"])
    if event["mechanism"] == "laplace" and "rate" not in event:
        return LaplaceMechanism(1 / event["scale"])
    raise ValueError(f"no {event['mechanism']}" + (" after sampling" if "rate" in event else ""))


def microsoft(question):
    from prv_accountant import PRVAccountant
    if question["neighbours"] != "add-remove":
        raise ValueError("its Poisson sampling knows add-remove only")
    times = [event["times"] for event in question["events"]]
    accountant = PRVAccountant(prvs=[microsoft_variable(event) for event in question["events"]],
                               max_self_compositions=times, eps_error=question["error"],
                               delta_error=question["delta"] / 1000)
    lower, _, upper = accountant.compute_epsilon(question["delta"], times)
    return lower, upper


PEERS = {"dp-accounting": google, "prv-accountant": microsoft}


def answer(peer, question):
    fastest = math.inf
    for _ in range(question.get("rounds", 1)):
        start = time.perf_counter()
        try:
            lower, upper = PEERS[peer](question)
        except (ValueError, RuntimeError, NotImplementedError, AssertionError, MemoryError) as error:
            return {"refused": str(error).splitlines()[0] if str(error) else type(error).__name__}
        fastest = min(fastest, time.perf_counter() - start)
    return {"lower": float(lower), "upper": float(upper), "seconds": fastest}


def calibrate_google():
    """Seconds and sigma for q = 0.01, 10^4 steps, (1, 1e-5)."""
    import dp_accounting
    from dp_accounting.pld import PLDAccountant
    start = time.perf_counter()

    def event(sigma):
        step = dp_accounting.PoissonSampledDpEvent(0.01, dp_accounting.GaussianDpEvent(sigma))
        return dp_accounting.SelfComposedDpEvent(step, 10_000)

    sigma = dp_accounting.calibrate_dp_mechanism(PLDAccountant, event, 1.0, 1e-5,
                                                 dp_accounting.ExplicitBracketInterval(1, 10), tol=1e-5)
    return {"sigma": float(sigma), "seconds": time.perf_counter() - start}


def dropped_counts():
    """Releases whose number dp-accounting forgets: {what: [epsilon of one, epsilon of ten]}, or why not tried."""
    import dp_accounting
    from dp_accounting.pld import PLDAccountant
    from dp_accounting.rdp import RdpAccountant
    relation = dp_accounting.NeighboringRelation.REPLACE_ONE

    def epsilons(make, event):
        found = []
        for count in (1, 10):
            accountant = make()
            accountant.compose(event, count)
            found.append(float(accountant.get_epsilon(1e-6)))
        return found

    coin = dp_accounting.RandomizedResponseDpEvent(0.5, 2)
    result = {"PLD accountant, randomised response": epsilons(lambda: PLDAccountant(relation), coin),
              "RDP accountant, randomised response":
                  epsilons(lambda: RdpAccountant(neighboring_relation=relation), coin)}
    choice = getattr(dp_accounting, "ExponentialMechanismDpEvent", None)
    name = "RDP accountant, exponential mechanism"
    result[name] = epsilons(RdpAccountant, choice(1.0)) if choice else "this release has no such event"
    return result


def main():
    logging.disable(logging.WARNING)
    warnings.simplefilter("ignore")
    import dp_accounting.pld.privacy_loss_distribution  # noqa: F401  so that no clock below measures imports
    import prv_accountant  # noqa: F401
    request = json.load(sys.stdin)
    output = {"answers": [{peer: answer(peer, question) for peer in PEERS} for question in request["questions"]]}
    if request.get("calibrate"):
        output["calibrate"] = calibrate_google()
    if request.get("dropped"):
        output["dropped"] = dropped_counts()
    print(json.dumps(output))


if __name__ == "__main__":
    main()
