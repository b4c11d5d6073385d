"""One of our figures for `./dev bench python`. Runs in an environment that has the package.

    bench_python_ours.py FIGURE ARGUMENT...

The last line of output is a JSON object. Seconds are lists, one number for each repetition, the first of all (which
loads and grows things) left out. Questions that are asked again are fresh draws and paid for: nothing is looked up.
"""
import gc
import json
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.pop(0)  # this folder: its modules are not the libraries of that name

import dither  # noqa: E402

KEYS = 50
ENOUGH = 20  # seconds


def repeated(call, times):
    """The seconds of each call; fewer when they take long."""
    call()
    seconds = []
    while len(seconds) < times and sum(seconds) < ENOUGH:
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return seconds


def session(table, folder, keys=KEYS, **more):
    """The project of bench_sql_data.py over a table or a path, with a ledger in the folder."""
    columns = {"uid": {"type": "integer"},
               "g": {"type": "integer", "keys": list(range(keys)), "outside": {"other": -1}},
               "v": {"type": "decimal", "grid": 0.01, "bounds": (0, 100), "outside": "clamp"}}
    given = {"unit": "uid", "bounds": {"rows_per_unit": 6, "keys_per_unit": 3, "rows_per_key": 2}, **more}
    return dither.Session(tables={"events": table}, neighbours="add-remove", columns=columns,
                          budget=dither.Budget(epsilon=1_000_000), ledger=str(Path(folder) / "dither.ledger"),
                          dataset="events", data_version="1", **given)


def asked(opened, sql):
    return lambda: opened.sql(sql, epsilon=1, again=True)


def noise(count):
    """Noise of scale 10 on so many coordinates, integers and reals on a grid of hundredths."""
    import numpy

    mechanisms = dither.mechanisms
    whole, real = numpy.zeros(int(count), dtype=numpy.int64), numpy.zeros(int(count))
    laws = {"integers, Laplace": (mechanisms.discrete_laplace(scale=10), whole),
            "integers, Gaussian": (mechanisms.gaussian(sigma=10), whole),
            "reals, Laplace": (mechanisms.discrete_laplace(scale=10, grid=0.01, size=len(real)), real)}
    return {name: repeated(lambda m=m, x=x: m.release(x), 9) for name, (m, x) in laws.items()}


def histogram(count, bins):
    """Counts of so many integers over declared bins, with noise."""
    import numpy

    values = numpy.random.default_rng(1).integers(0, int(bins), int(count))
    mechanisms = dither.mechanisms
    counted = mechanisms.histogram(column="g", categories=range(int(bins)), other=False)
    measured = mechanisms.table({"g": "integer"}, from_="symmetric") >> counted >> mechanisms.discrete_laplace(scale=10)
    return {"seconds": repeated(lambda: measured.release(values), 21)}


def small(project, sql):
    """A question to a project on disk, warm; a fresh draw each."""
    with dither.open(project) as opened:
        return {"seconds": repeated(asked(opened, sql), 101)}


def group(kind, file, sql):
    """The question by people and keys: the session's start (which copies, for pandas), then the question."""
    table = loaded(kind, file)
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        opened = session(table, folder)
        begun = time.perf_counter() - start
        with opened:
            return {"start": begun, "seconds": repeated(asked(opened, sql), 9)}


def loaded(kind, file):
    if kind == "arrow":
        import pyarrow.parquet
        return pyarrow.parquet.read_table(file)
    if kind == "polars":
        import polars
        return polars.read_parquet(file)
    if kind == "pandas":
        import pandas
        return pandas.read_parquet(file)
    return file


def cold(file):
    """All that a program does that asks one count of a file: timed from outside."""
    with tempfile.TemporaryDirectory() as folder, session(file, folder) as opened:
        return {"count": opened.sql("SELECT COUNT(*) FROM events", epsilon=1).value}


def accounting(sigma, rate, steps, delta):
    """The certified epsilon of DP-SGD."""
    def ask():
        step = dither.accounting.Gaussian(sigma=float(sigma)).subsample(poisson=float(rate))
        return step.times(int(steps)).epsilon(delta=float(delta), neighbours="add-remove")

    found = ask()
    return {"seconds": repeated(ask, 21), "lower": found.lower, "upper": found.upper}


def status(name):
    """A line of /proc/self/status, in bytes."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith(name + ":"):
            return 1024 * int(line.split()[1])
    raise KeyError(name)


def table_of(size, people):
    """An Arrow table of so many bytes, in chunks, so that making it never takes more than it holds."""
    import numpy
    import pyarrow

    rng, rows = numpy.random.default_rng(1), 1_000_000
    batches = []
    for _ in range(-(-int(size) // (24 * rows))):
        arrays = [rng.integers(0, people, rows), rng.integers(0, 10, rows), rng.integers(0, 10001, rows) / 100]
        batches.append(pyarrow.record_batch(arrays, names=["uid", "g", "v"]))
    return pyarrow.Table.from_batches(batches)


def memory(size, people, limit):
    """What a question by ten keys takes beyond the table it is asked of: the peak of the process, less what it held
    before the session began. People 0: each row is a unit of its own. The limit is that of the session; "" its own."""
    people = int(people)
    table = table_of(size, people or 1)
    more = {} if people else {"unit": "row", "bounds": {}}
    if limit:
        more["memory"] = limit
    gc.collect()
    before = status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak begins anew
    with tempfile.TemporaryDirectory() as folder, session(table, folder, keys=10, **more) as opened:
        start = time.perf_counter()
        opened.sql("SELECT g, COUNT(*), SUM(v) FROM events GROUP BY g", epsilon=1)
        seconds = time.perf_counter() - start
    return {"table_bytes": table.nbytes, "extra_bytes": status("VmHWM") - before, "rows": table.num_rows,
            "seconds": [seconds]}


FIGURES = {figure.__name__: figure for figure in (noise, histogram, small, group, cold, accounting, memory)}


def main():
    warnings.simplefilter("ignore")
    print(json.dumps(FIGURES[sys.argv[1]](*sys.argv[2:])))


if __name__ == "__main__":
    main()
