"""Threads that are at work when the interpreter ends: it ends quietly, whatever they do."""
from __future__ import annotations

import os
import subprocess
import sys

import pytest

WORK = {
    "noise on a long array": "m.release(numpy.zeros(1_000_000, dtype=numpy.int64))",
    "noise on a short array": "short.release(numpy.zeros(1000, dtype=numpy.int64))",
    "accounting": "dither.accounting.Gaussian(sigma=1).subsample(poisson=0.01).times(1000).epsilon(delta=1e-6)",
    "an audit": "dither.audit(lambda x: x, claim=dither.Pure(1.0), inputs=[(0, 1)])",
    "intervals": "a.intervals(level())",
    "questions": 's.sql("SELECT COUNT(*) FROM visits", epsilon=1, again=True)',
    "sessions": "sessions.session()",
    "mistakes": 's.sql("SELECT", epsilon=1)',
    "a mechanism that is audited": "dither.audit(lambda x: short.release(numpy.zeros(1000, dtype=numpy.int64))[0] + x,"
    " claim=dither.Pure(1.0), inputs=[(0, 1)])",
}

PROGRAM = """
import dither, numpy, itertools, sessions, threading, time, warnings
warnings.simplefilter("ignore")
s = sessions.session()
a = s.sql("SELECT COUNT(*) FROM visits", epsilon=1)
m = dither.mechanisms.discrete_laplace(scale=10, size=1_000_000)
short = dither.mechanisms.discrete_laplace(scale=10, size=1000)
levels = itertools.count(1)
level = lambda: 0.5 + 0.4 / next(levels)
begun = threading.Event()
def work():
    begun.set()
    while True:
        try:
            {work}
        except dither.Error as error:
            assert error.code in ("cancelled", "wrong-state", "not-supported"), error
for _ in range(2):
    threading.Thread(target=work, daemon=True).start()
assert begun.wait(60)
time.sleep(0.2)
"""


@pytest.mark.parametrize("work", WORK)
def test_the_interpreter_ends_quietly_while_daemon_threads_work(work: str) -> None:
    paths = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    for _ in range(10 if os.environ.get("DITHER_NIGHTLY") else 1):
        ended = subprocess.run([sys.executable, "-c", PROGRAM.format(work=WORK[work])], capture_output=True, text=True,
                               env={**os.environ, "PYTHONPATH": paths}, timeout=300)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
