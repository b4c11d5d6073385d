"""Runs the programs of the bench build for bench_sql.py and reads what they say."""
import json
import os
import resource
import statistics
import subprocess
import time
from pathlib import Path

from building import ROOT, build

BUILD = Path(os.environ.get("DITHER_BUILD", ROOT / "build/bench"))


def build_programs(more=()):
    """What is run here, and more; nothing where DITHER_BUILD names a folder that was built already."""
    if "DITHER_BUILD" not in os.environ:
        build("bench", ["dither", "dither-figures", "bare_count", "time_query", "engine_bounding_bench",
                        "sql_query_bench", *more])


def time_query(project, sql, times, memory=0):
    """Warm, in one process, each a fresh draw: {seconds: [..], core_seconds: [..], peak_kib, rows}.
    `memory`: the engine's limit in bytes, 0 for its own."""
    command = [BUILD / "testing/time_query", project, str(times), str(memory), sql]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout)


def taking_turns(commands, times):
    """{name: [(seconds, core seconds)]} of commands from start to end, by turns; the first round is not counted."""
    each = {name: [] for name in commands}
    for _ in range(times + 1):
        for name, command in commands.items():
            start, core_start = time.perf_counter(), children_core_seconds()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            each[name].append((time.perf_counter() - start, children_core_seconds() - core_start))
    return {name: found[1:] for name, found in each.items()}


def children_core_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def cold_command(project, file, sql, times=20):
    """`dither query` beside a bare program that opens DuckDB and counts the same file, in milliseconds."""
    query = [BUILD / "apps/cli/dither", "query", "--epsilon", "1", "--again", "--json", "--project", project, sql]
    each = taking_turns({"query": query, "bare": [BUILD / "testing/bare_count", file]}, times)
    result = {}
    for word, column, middle in (("best", 0, min), ("median", 0, statistics.median), ("on cores", 1, min)):
        found = {name: 1e3 * middle(pair[column] for pair in pairs) for name, pairs in each.items()}
        result[word] = {**found, "difference": found["query"] - found["bare"]}
    return result
