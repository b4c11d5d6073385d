"""The figures of `./dev bench python`: the package beside the C++ call it makes and, with --peers, beside other
people's libraries, in one run on one machine. No figure is asserted; docs/speed.md says what was found on one machine.

A figure is {title, lines}; its first line is ours, and `times` says how many times as long the others took. A goal is
the ratio we want there. Each number comes with its quartiles, from a process of its own with a limit.
"""
import json
import os
import subprocess
import sys

import accounting_peers
import bench_accounting
import bench_python_page
from bench_python_run import Ours, ask_peer, from_outside, quartiles
from bench_sql_data import COUNT_AND_SUM, data_file, project
from bench_sql_peers import PINS, peer
from bench_sql_run import BUILD, build_programs, time_query
from peers import environment

COORDINATES, BINS = 1_000_000, 1000
ROWS, SMALL = 5_000_000, 10_000
GIBIBYTE = 2**30
NOISE_GOALS = {"opendp": 100, "diffprivlib": 100, "python-dp": 50}
GROUP_GOALS = {"pipeline-dp": 100, "tumult": 100, "opendp": 30, "qrlew": 10}
STEP = {"sigma": 1.0, "rate": 0.01, "times": 10_000, "delta": 1e-6}  # bench_accounting.CASES has the same


def line(name, said, note="", goal=None, field="seconds"):
    """A line of a figure out of a program's answer."""
    if field not in said:
        return {"name": name, "reason": said.get("reason", "not measured")}
    found = {"name": name, "quartiles": quartiles(said[field]), "note": note or said.get("note", "")}
    return {**found, "goal": goal} if goal else found


def figure(title, lines, **more):
    own = lines[0].get("quartiles")
    for each in lines[1:]:
        if own and "quartiles" in each:
            each["times"] = each["quartiles"][1] / own[1]
    return {"title": title, "lines": lines, **more}


def noise(ours, peers, _):
    said = {"dither": ours.ask("noise", COORDINATES)}
    said |= {name: ask_peer(name, "noise", COORDINATES) for name in NOISE_GOALS if peers}
    laws = [law for law in said["dither"] if law != "reason"] or ["integers, Laplace"]
    return [figure(f"noise on {COORDINATES:,} {law}", [line(name, each, goal=NOISE_GOALS.get(name), field=law)
                                                       for name, each in said.items()]) for law in laws]


def histogram(ours, peers, _):
    lines = [line("dither", ours.ask("histogram", COORDINATES, BINS))]
    if peers:
        lines += [line("opendp", ask_peer("opendp", "histogram", COORDINATES, BINS), goal=3),
                  line("diffprivlib", ask_peer("diffprivlib", "histogram", COORDINATES, BINS), "draws with doubles")]
    return [figure(f"histogram of {COORDINATES:,} integers over {BINS:,} declared bins", lines)]


def small(ours, peers, _):
    """A question to a stored table, warm; the C++ call asks the same of the same project."""
    own = ours.ask("small", project(data_file(SMALL, "duckdb")), COUNT_AND_SUM)
    inside = time_query(project(data_file(SMALL, "duckdb")), COUNT_AND_SUM, times=101)
    inside["seconds"] = inside["seconds"][1:]
    lines = [line("dither", own), line("the C++ call", inside)]
    if "quartiles" in lines[0]:
        over = lines[0]["quartiles"][1] - lines[1]["quartiles"][1]
        lines[1]["note"] = f"Python takes {over * 1e3:.2f} ms more (wanted: at most 2 ms)"
    for name in PINS if peers else ():
        said = peer(name, SMALL, times=21)
        goal = None if name == "diffprivlib" else 7  # which bounds nobody: another question
        lines.append(line(name, {**said, "seconds": said["each"]} if "each" in said else said, goal=goal))
    return [figure(f"a small question, warm, {SMALL:,} rows", lines)]


def group(ours, peers, rows):
    """Count and sum by key with bounded people. Files are read each time; tables in memory are there already."""
    parquet = data_file(rows, "parquet")
    lines = []
    for kind in ("parquet", "arrow", "polars", "pandas"):
        said = ours.ask("group", kind, parquet, COUNT_AND_SUM)
        start = f"session begun in {said['start'] * 1e3:.0f} ms" if "start" in said else ""
        lines.append(line(f"dither, {kind}", said, start))
    for name in PINS if peers else ():
        said = peer(name, rows)
        if "each" in said:  # the time of as many rows, where it was asked of fewer
            fewer = f"{said['rows']:,} rows, times {rows // said['rows']}; " if said["rows"] != rows else ""
            said = {"seconds": [each * rows / said["rows"] for each in said["each"]], "note": fewer + said["note"]}
        lines.append(line(name, said, goal=GROUP_GOALS.get(name)))
    return [figure(f"count and sum by 50 keys, people bounded, {rows:,} rows", lines)]


def cold(ours, peers, _):
    """Programs from start to end: one that imports the library, and one that also asks for one count."""
    bare = from_outside([ours.python, "-c", "pass"], 11)
    alone = from_outside([ours.python, "-c", "import dither"], 21, **ours.variables)
    imported = [line("dither", alone, "wanted: under 150 ms"), line("python, nothing imported", bare)]
    file = data_file(SMALL, "parquet")
    lines = [line("dither", from_outside(ours.command("cold", file), 11, **ours.variables), "wanted: under 400 ms"),
             line("python, nothing imported", bare)]
    for name in ("opendp", "tumult", "diffprivlib") if peers else ():
        lines.append(line(name, ask_peer(name, "cold", file, how=lambda command: from_outside(command, 3))))
    return [figure("import in a fresh process", imported),
            figure(f"import and one count in a fresh process, {SMALL:,} rows", lines)]


def accounting(ours, peers, _):
    """The epsilon of 10,000 steps of DP-SGD."""
    own = ours.ask("accounting", STEP["sigma"], STEP["rate"], STEP["times"], STEP["delta"])
    width = f"certified within {own['upper'] - own['lower']:.2g}" if "upper" in own else ""
    command = [BUILD / "apps/cli/dither", "account", "--gaussian", STEP["sigma"], "--sample", f"poisson:{STEP['rate']}",
               "--times", STEP["times"], "--neighbours", "add-remove", "--delta", STEP["delta"], "--json"]
    lines = [line("dither", own, width),
             line("the C++ call", {"seconds": [bench_accounting.ours()["BM_dp_sgd"]["seconds"]]}),
             line("the command, from start to end", from_outside(command, 11))]
    for name, each in accountants().items() if peers else ():
        lines.append(line(name, {"seconds": [each["seconds"]]} if "seconds" in each else {"reason": each["refused"]}))
    return [figure(f"epsilon of {STEP['times']:,} steps of DP-SGD", lines)]


def accountants():
    """What other accountants say to the same question."""
    python = environment(accounting_peers.ENVIRONMENT, accounting_peers.PINS)
    question = json.dumps({"questions": [bench_accounting.CASES["BM_dp_sgd"]]})
    command = [python, accounting_peers.__file__]
    done = subprocess.run(command, input=question, check=True, capture_output=True, text=True)
    return json.loads(done.stdout)["answers"][0]


def memory(ours, _, __):
    """What a question by ten keys takes beyond a table of 1 GiB."""
    lines = []
    for people, limit, name in ((100_000, "64M", 'people, memory="64M"'), (100_000, "", "people"), (0, "", "rows")):
        said = ours.ask("memory", GIBIBYTE, people, limit)
        note = (f"{said['extra_bytes'] / 2**20:.0f} MiB beyond a table of {said['table_bytes'] / 2**20:.0f} MiB "
                "(wanted: under 100)") if "extra_bytes" in said else ""
        lines.append(line(f"dither, {name}", said, note))
    return [figure("ten keys of 1 GiB of Arrow in memory", lines)]


FIGURES = {each.__name__: each for each in (noise, histogram, small, group, cold, accounting, memory)}


def show(found):
    for each in found:
        print(f"\n{each['title']}")
        for row in each["lines"]:
            if "reason" in row:
                print(f"  {row['name']:<32}{'-':>12}   {row['reason']}")
                continue
            low, middle, high = (1e3 * seconds for seconds in row["quartiles"])
            times = f"{row['times']:.3g}x" if "times" in row else ""
            goal = f"wanted: {row['goal']}x; " if "goal" in row else ""
            spread = f"({low:.4g} to {high:.4g})"
            print(f"  {row['name']:<32}{middle:>9.4g} ms {spread:<24}{times:>8}   {goal}{row['note']}")


def run(as_json=False, peers=False, rows=ROWS, to_page=False, only=None):
    """Measures; `only`: the figures to measure, all of them otherwise."""
    build_programs(["accounting_accountant_bench"])
    ours, found = Ours(), []
    for name in only or FIGURES:
        print(f"{name} ...", file=sys.stderr, flush=True)
        found += FIGURES[name](ours, peers, rows)
    if to_page:
        bench_python_page.write(found)
    if as_json:
        print(json.dumps({"cores": os.cpu_count(), "rows": rows, "figures": found}, indent=1))
    else:
        show(found)
