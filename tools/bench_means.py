"""How exact AVG is at epsilon 1 where most people have more rows than count, beside dropping rows, OpenDP and Tumult.

    bench_means.py [--times N] [--peers]

Prints the figures of docs/query.md: for each file the root of the mean squared distance to the mean of all rows, and
to the mean in which each person counts for at most R rows. Dropping keeps R rows of each person, by a hash, with the
noise that Dither adds. With --peers the two libraries answer too, each in an environment of its own under build/.
"""
import argparse
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from building import ROOT
from peers import environment

DITHER = ROOT / "build/release/apps/cli/dither"
PEOPLE, EPSILON = 4000, 1.0
PINS = {"OpenDP": ["opendp[polars]==0.16.0"], "Tumult": ["tmlt.analytics==0.21.0"]}


def even(pick, person):
    return [pick.randrange(500, 1001) for _ in range(1 + person % 20)]


def heavy_pay_more(pick, person):
    rows = 1 + person % 20
    return [200 + 40 * rows + pick.randrange(201) for _ in range(rows)]


def few_very_heavy(pick, _):
    rows = min(500, int(1 / (1 - pick.random())))
    return [min(1000, int(pick.lognormvariate(4, 1))) for _ in range(rows)]


# name, rows of a person, R, upper bound
FILES = [("1 to 20 rows, cost 500 to 1000 of 10000", even, 3, 10_000),
         ("1 to 20 rows, more rows cost more, of 2000", heavy_pay_more, 3, 2000),
         ("few with up to 500 rows, of 1000", few_very_heavy, 5, 1000)]


def laplace(scale):
    return random.choice((-1, 1)) * random.expovariate(1 / scale)


def dropping(people, most, high):
    """R rows of each person, by a hash, then the mean as Dither makes it of a count and a centred sum.

    The hash is another one each time, so that its luck is part of the error.
    """
    middle, half = high / 2, EPSILON / 2

    def ask():
        salt = random.random()
        kept = [costs[at] for person, costs in enumerate(people)
                for at in sorted(range(len(costs)), key=lambda one, p=person: hash((salt, p, one)))[:most]]
        total = sum(cost - middle for cost in kept)
        return middle + (total + laplace(most * middle / half)) / (len(kept) + laplace(most / half))

    return ask


def ours(folder):
    command = [DITHER, "query", "--again", "--json", "--epsilon", str(EPSILON), "--project", folder / "dither.yaml",
               "SELECT AVG(cost) FROM visits"]

    def ask():
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)["rows"][0][0]

    return ask


def peer(name, folder, most, high, times):
    python = environment(f"means-{name.lower()}", PINS[name])
    program = ROOT / "tools/bench_means_peer.py"
    command = [python, program, name, folder / "visits.csv", str(most), str(high), str(times)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    answers = iter(json.loads(done.stdout.splitlines()[-1]))
    return lambda: next(answers)


def write(folder, people, most, high):
    rows = [f"{person},{cost}" for person, costs in enumerate(people) for cost in costs]
    (folder / "visits.csv").write_text("\n".join(["person,cost", *rows]) + "\n", encoding="utf-8")
    (folder / "dither.yaml").write_text(
        'version: 1\ndata_version: "1"\nprivacy: {unit: person, neighbours: add-remove}\ntables:\n  visits:\n'
        f"    source: visits.csv\n    unit: person\n    bounds: {{rows_per_unit: {most}}}\n    columns:\n"
        f"      person: {{type: integer}}\n      cost: {{type: integer, bounds: [0, {high}], outside: clamp}}\n"
        "budgets: {main: {epsilon: 1000000}}\n", encoding="utf-8")


def error(answers, target):
    return math.sqrt(statistics.fmean((answer - target) ** 2 for answer in answers))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=200)
    parser.add_argument("--peers", action="store_true")
    given = parser.parse_args()
    random.seed(2)
    print("| file | R | answered by | error of the mean of all rows | of the mean of at most R rows each |")
    print("|---|---|---|---|---|")
    for name, rows_of, most, high in FILES:
        pick = random.Random(1)
        people = [rows_of(pick, person) for person in range(PEOPLE)]
        all_rows = statistics.fmean(cost for costs in people for cost in costs)
        weights = [min(len(costs), most) for costs in people]
        at_most = sum(w * statistics.fmean(costs) for w, costs in zip(weights, people)) / sum(weights)
        with tempfile.TemporaryDirectory() as text:
            folder = Path(text)
            write(folder, people, most, high)
            asked = {"Dither": ours(folder), "rows dropped by hash": dropping(people, most, high)}
            if given.peers:
                asked.update({one: peer(one, folder, most, high, given.times) for one in PINS})
            for who, ask in asked.items():
                answers = [ask() for _ in range(given.times)]
                print(f"| {name} | {most} | {who} | {error(answers, all_rows):.3g} | {error(answers, at_most):.3g} |")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
