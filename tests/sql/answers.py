"""Statements answered end to end at a huge epsilon, and compared with plain SQL over the same rows.

At epsilon 900 the noise of a count is 0 but for a chance below 1e-9; of other numbers it is far below what is compared:
ten times the half width of the interval that the answer states and thirty of its standard errors (the noise of a sum is
0 nearly always, and so is the width then; beyond thirty errors it is once in 10^8), plus what rounding to a grid does.
"""
import json
import re
import subprocess
import tempfile
import threading
from pathlib import Path

import plain

EPSILON, DELTA = "900", "1e-6"
SECONDS = 60


class World:
    """A project with data, in a folder of its own, and the same data in plain DuckDB."""

    def __init__(self, project):
        self.folder = tempfile.TemporaryDirectory(prefix="dither-answers-")
        self.plain = plain.Plain()
        self.lock = threading.Lock()
        plain.make_data(self.folder.name, self.plain)
        text = Path(project).read_text(encoding="utf-8")
        budgets = "budgets:\n  main: {epsilon: 1000000, delta: 0.5}\n"
        self.project = Path(self.folder.name) / "dither.yaml"
        self.project.write_text(text[:text.index("budgets:")] + budgets, encoding="utf-8")

    def close(self):
        self.plain.close()
        self.folder.cleanup()

    def plain_rows(self, sql):
        with self.lock:
            return self.plain.rows(sql)

    def query(self, dither, sql):
        """The answer as `dither query --json` gives it, with delta only where the statement cannot do without."""
        for delta in ([], ["--delta", DELTA]):
            done = subprocess.run([dither, "query", "--json", "--project", self.project, "--epsilon", EPSILON, *delta,
                                   "-"], input=sql, capture_output=True, text=True, timeout=SECONDS, check=False)
            if done.returncode == 0 or "needs-delta" not in done.stderr:
                break
        if done.returncode != 0:
            raise plain.Failed(f"dither query: exit {done.returncode}: {done.stderr}")
        return json.loads(done.stdout)


def as_number(value):
    if isinstance(value, bool) or value is None:
        return None
    try:
        return float(value)
    except ValueError:
        return None


def key_of(row, noisy):
    """What names a row: the columns without an interval, in one spelling."""
    def spelled(value):
        number = as_number(value)
        return str(value).lower() if number is None else repr(number)

    return tuple(spelled(value) for i, value in enumerate(row) if i not in noisy)


def slack(interval, error):
    if error is None and interval and interval[0] == interval[1]:
        return 4  # an expression states no standard error: as of a sum
    return 10 * ((interval[1] - interval[0]) / 2 if interval else 0) + 30 * (error or 0)


def differences(row, expected, intervals, errors, noisy):
    for i in noisy:
        found, wanted = as_number(row[i]), as_number(expected[i])
        if wanted is None or found is None:
            if wanted is not None and abs(wanted) > 1e-9:
                yield f"column {i} is {row[i]!r}, plain SQL says {expected[i]!r}"
            continue
        interval = intervals[i]
        width = (interval[1] - interval[0]) / 2 if interval else 0
        if abs(found - wanted) > slack(interval, errors[i]) + 1e-6 * max(1, abs(wanted)):
            yield f"column {i} is {found!r}, plain SQL says {wanted!r}"
        if width > max(1, abs(wanted)) / 10 and interval:
            yield f"column {i}: an interval of {interval} compares nothing"


def complaints(sql, answer, expected):
    # A column that is a noisy number somewhere is one everywhere.
    known = [*answer["standard_errors"], *answer["intervals"]]
    noisy = sorted({i for row in known for i, error in enumerate(row) if error is not None})
    if not answer["rows"] and not expected:
        return
    if not noisy:
        yield "no column of the answer has an error"
    wanted = {key_of(row, noisy): row for row in expected}
    seen = set()
    for row, intervals, errors in zip(answer["rows"], answer["intervals"], answer["standard_errors"]):
        key = key_of(row, noisy)
        seen.add(key)
        if key in wanted:
            yield from (f"{key}: {text}" for text in differences(row, wanted[key], intervals, errors, noisy))
        elif any(abs(as_number(row[i]) or 0) > 2 * slack(intervals[i], errors[i]) + 1e-9 for i in noisy
                 if intervals[i]) and not re.search(r"avg|var|stddev|case", sql, re.I):
            yield f"{key}: not in the data, but answered with {row}"
    yield from (f"{key}: missing" for key in wanted if key not in seen)
    if re.search(r"\border by\b", sql, re.I) and [key_of(row, noisy) for row in answer["rows"]] != list(wanted):
        yield "another order"


def check(world, dither, sql):
    """What is wrong, in lines; "" when all agrees."""
    try:
        expected = world.plain_rows(sql)
        answer = world.query(dither, sql)
    except plain.Failed as failed:
        return f"{failed}\n"
    return "".join(f"{line}\n" for line in complaints(sql, answer, expected))
