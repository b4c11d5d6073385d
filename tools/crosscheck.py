"""Random lists of events through our accountant and through dp-accounting and prv-accountant.

Used by `./dev crosscheck accounting`. Every accountant gives two ends between which the best epsilon lies, so two of
them disagree when their intervals do not meet: then the difference is larger than the sum of the widths. Numbers that
the peers are known to get wrong are asked for too, and must still come out wrong: otherwise docs/accounting.md, which
explains them, is out of date. Last, events go to dp-accounting and come back (crosscheck_events.py).
"""
import json
import os
import random
import shutil
import subprocess
import tempfile

import accounting_peers
import python_package
from building import ROOT
from peers import environment

GRID = 1e-3  # of dp-accounting
ERROR = 0.05  # of prv-accountant
SLACK = 1e-9  # relative; the peers compute in doubles, without a bound on their rounding


KINDS = [("add-remove", ["gaussian", "laplace", "sampled"]),
         ("add-remove", ["gaussian", "laplace", "sampled", "discrete-laplace"]),
         ("replace-one", ["gaussian", "sampled", "randomised-response"])]


def draw_event(rng, kinds):
    kind = rng.choice(kinds)
    if kind == "gaussian":
        return {"mechanism": kind, "sigma": round(rng.uniform(2, 40), 2), "times": rng.randint(1, 50)}
    if kind == "sampled":
        return {"mechanism": "gaussian", "sigma": round(rng.uniform(0.8, 3), 2),
                "rate": round(rng.uniform(1e-3, 0.05), 4), "times": rng.randint(1, 2000)}
    if kind == "randomised-response":
        return {"mechanism": kind, "epsilon": round(rng.uniform(0.01, 0.5), 3), "categories": rng.randint(2, 9),
                "times": rng.randint(1, 50)}
    return {"mechanism": kind, "scale": round(rng.uniform(5, 100), 1), "times": rng.randint(1, 50)}


def draw_question(rng):
    relation, kinds = rng.choices(KINDS, weights=[3, 1, 1])[0]
    events = [draw_event(rng, kinds) for _ in range(rng.randint(1, 4))]
    return {"neighbours": relation, "events": events, "delta": float(f"1e-{rng.randint(4, 9)}"), "grid": GRID,
            "error": ERROR}


def our_file(question):
    """The question as a file for `dither account`."""
    events = []
    for event in question["events"]:
        mechanism = {key: value for key, value in event.items() if key not in ("rate", "times")}
        if question["neighbours"] == "replace-one" and event["mechanism"] == "gaussian" and "rate" not in event:
            mechanism["sensitivity"] = 2  # dp-accounting states one record's contribution, and two are exchanged
        if "rate" in event:
            events.append({"sample": {"poisson": event["rate"]}, "of": mechanism, "times": event["times"]})
        else:
            events.append({**mechanism, "times": event["times"]})
    return json.dumps({"neighbours": question["neighbours"], "events": events})


def ours(question):
    command = [ROOT / "build/release/apps/cli/dither", "account", "-", "--delta", repr(question["delta"]), "--json"]
    done = subprocess.run(command, input=our_file(question), capture_output=True, text=True, check=True)
    answer = json.loads(done.stdout)
    return {"lower": answer["epsilon_lower"] or 0.0, "upper": answer["epsilon"], "seconds": answer["seconds"]}


def apart(a, b):
    """How far two intervals are from meeting, 0 when they do."""
    gap = max(a["lower"] - b["upper"], b["lower"] - a["upper"])
    return gap if gap > SLACK * max(1.0, a["upper"]) else 0.0


def ask_peers(questions):
    python = environment(accounting_peers.ENVIRONMENT, accounting_peers.PINS)
    request = json.dumps({"questions": questions, "dropped": True})
    done = subprocess.run([python, accounting_peers.__file__], input=request, check=True, stdout=subprocess.PIPE,
                          text=True)
    return json.loads(done.stdout)


def compare(questions, answers):
    """(differences, {peer: [asked, widest]}): each difference is (question, ours, peer, theirs, gap)."""
    differences, summary = [], {}
    for question, row in zip(questions, answers):
        own = ours(question)
        for peer, other in row.items():
            counts = summary.setdefault(peer, {"asked": 0, "refused": 0, "widest": 0.0, "seconds": 0.0})
            if "refused" in other:
                counts["refused"] += 1
                continue
            counts["asked"] += 1
            counts["widest"] = max(counts["widest"], other["upper"] - other["lower"])
            counts["seconds"] += other["seconds"]
            counts["ours_widest"] = max(counts.get("ours_widest", 0.0), own["upper"] - own["lower"])
            counts["ours_seconds"] = counts.get("ours_seconds", 0.0) + own["seconds"]
            if gap := apart(own, other):
                differences.append((question, own, peer, other, gap))
    return differences, summary


# dp-accounting 0.6.0: the PLD accountant composes randomised response once, however often it is told to.
DROPPED = "PLD accountant, randomised response"


def known_errors(dropped):
    """Prints what became of the known errors of the peers; True when one is not there any more."""
    changed = False
    print("\ncounts that dp-accounting drops: epsilon of 1 and of 10 releases at delta = 1e-6")
    for name, found in dropped.items():
        if isinstance(found, str):
            print(f"  {name}: {found}")
            continue
        forgets = found[0] == found[1]
        print(f"  {name}: {found[0]:.6g}, {found[1]:.6g}{'   their error: the count is dropped' if forgets else ''}")
        changed |= forgets != (name == DROPPED)
    return changed


def events_go_wrong():
    """Our events and theirs through the real package; True when one is not what it was."""
    python = environment(accounting_peers.ENVIRONMENT, accounting_peers.PINS)
    with tempfile.TemporaryDirectory(prefix="dither-crosscheck-") as package:
        shutil.unpack_archive(python_package.wheel()[0], package, "zip")
        print(flush=True)
        return subprocess.run([python, ROOT / "tools/crosscheck_events.py"], env={**os.environ, "PYTHONPATH": package},
                              check=False).returncode != 0


def run(count, seed):
    rng = random.Random(seed)
    questions = [draw_question(rng) for _ in range(count)]
    output = ask_peers(questions)
    differences, summary = compare(questions, output["answers"])
    print(f"{count} random lists, seed {seed}")
    for peer, counts in summary.items():
        print(f"  {peer}: {counts['asked']} compared, {counts['refused']} it cannot do; widths up to "
              f"{counts['widest']:.3g} (ours {counts.get('ours_widest', 0):.3g}), {counts['seconds']:.1f} s "
              f"(ours {counts.get('ours_seconds', 0):.3g} s)")
    for question, own, peer, other, gap in differences:
        print(f"DIFFERS by {gap:.3g} beyond the widths: {peer} [{other['lower']:.9g}, {other['upper']:.9g}], "
              f"ours [{own['lower']:.9g}, {own['upper']:.9g}]\n  {our_file(question)} delta {question['delta']}")
    changed = known_errors(output["dropped"])
    if changed:
        print("docs/accounting.md says otherwise about these: bring it up to date")
    wrong = events_go_wrong()
    print(f"{len(differences)} differences")
    return 1 if differences or changed or wrong else 0
