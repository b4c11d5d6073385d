"""What every runner of Python tests begins with: Ctrl-C as a terminal has it, and an end to what hangs.

Shells and some continuous integration start jobs in the background with SIGINT ignored, and programs inherit that:
Python then raises no KeyboardInterrupt, and a test that waits for one would wait for ever.
"""
import faulthandler
import json
import os
import signal
from pathlib import Path

SECONDS, NIGHTLY_SECONDS = 600, 3 * 3600  # of one program; a longer one hangs


def limit():
    usual = NIGHTLY_SECONDS if os.environ.get("DITHER_NIGHTLY") else SECONDS
    return float(os.environ.get("DITHER_TEST_SECONDS", usual))


def begin():
    """Call it before the first test. At its limit the program ends, and standard error says where each thread was."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    errors = os.dup(2)  # a test may capture standard error
    faulthandler.dump_traceback_later(limit(), exit=True, file=errors)


def note(out, cases, name):
    """Writes the cases so far, with the one that begins now as failed: so it stays if the program ends within it."""
    running = {"name": name, "passed": False, "seconds": 0.0, "output": "the program ended within this case\n",
               "unended": True}
    Path(out).write_text(json.dumps([*cases, running]), encoding="utf-8")
