"""Runs the programs of bench_python.py, each as a process of its own with a limit, and reads what they say."""
import json
import os
import statistics
import subprocess
import time

import python_package
from bench_peers import PEERS
from bench_sql_peers import PINS, last_line, run_limited
from building import ROOT
from peers import environment

LIMIT = 600  # seconds for each figure
# Which environment of the other benchmarks has the library.
HOMES = {"python-dp": ("peers", PEERS), **{name: (f"peers-sql-{name}", pins) for name, pins in PINS.items()}}


def our_python():
    """(Python, variables) of an environment with the package: that which lies in the folder DITHER_PACKAGE names, else
    the wheel of the sources as they are."""
    if "DITHER_PACKAGE" in os.environ:
        python = python_package.environment(python_package.TEST_ENVIRONMENT)
        return python, {"PYTHONPATH": os.path.abspath(os.environ["DITHER_PACKAGE"])}
    return python_package.tested_python(), {}


def ended(command, **variables):
    """(its output, why there is none) of a program."""
    done = run_limited(list(map(str, command)), LIMIT, **variables)
    if done is None:
        return None, f"not done within {LIMIT} seconds"
    if done.returncode != 0:
        return None, last_line(done.stderr, f"exited with {done.returncode}")
    return done.stdout, None


def answer(command, **variables):
    """What the program's last line says, or {reason} why there is none."""
    output, reason = ended(command, **variables)
    return {"reason": reason} if reason else json.loads(output.splitlines()[-1])


class Ours:
    """The package, in an environment that has it."""

    def __init__(self):
        self.python, self.variables = our_python()

    def command(self, figure, *arguments):
        return [self.python, ROOT / "tools/bench_python_ours.py", figure, *arguments]

    def ask(self, figure, *arguments):
        return answer(self.command(figure, *arguments), **self.variables)


def peer_command(library, figure, *arguments):
    """How the library is asked, its environment made first."""
    return [environment(*HOMES[library]), ROOT / "tools/bench_python_peer.py", figure, library, *arguments]


def ask_peer(library, figure, *arguments, how=answer):
    """What the library says, or how long it took from outside; {reason} when it cannot be had."""
    try:
        command = peer_command(library, figure, *arguments)
    except subprocess.CalledProcessError as failure:
        return {"reason": f"cannot be installed: pip exited with {failure.returncode}"}
    return how(command)


def from_outside(command, times, **variables):
    """{seconds} of the program from start to end; the first time, which reads it from disk, is not counted."""
    seconds = []
    for _ in range(times + 1):
        start = time.perf_counter()
        _, reason = ended(command, **variables)
        seconds.append(time.perf_counter() - start)
        if reason:
            return {"reason": reason}
    return {"seconds": seconds[1:]}


def quartiles(seconds):
    """[lower quartile, median, upper quartile]"""
    return statistics.quantiles(seconds, n=4, method="inclusive") if len(seconds) > 1 else 3 * seconds
