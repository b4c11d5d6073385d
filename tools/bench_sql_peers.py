"""The same file through Dither, plain DuckDB and other people's libraries: rows a second, and how many times ours.

Used by `./dev bench sql --peers`. Each library has an environment of its own under build/, pinned, and runs as a
process of its own (bench_sql_peer.py). One that cannot be installed or run is named with its reason.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile

import bench_sql_page
from bench_sql_data import COUNT_AND_SUM, PlainDuckDb, data_file, project
from bench_sql_run import build_programs, time_query
from building import ROOT
from peers import environment

ROWS = 5_000_000
LIMIT = 900  # seconds for each
ARROW = "pyarrow==26.0.1"
PINS = {
    "qrlew": ["pyqrlew==0.9.27", "duckdb==1.5.6"],
    "smartnoise": ["smartnoise-sql==1.0.10", "psycopg2-binary==2.9.13", ARROW],
    "opendp": ["opendp[polars]==0.16.0"],
    "tumult": ["tmlt.analytics==0.21.0"],
    "pipeline-dp": ["pipeline-dp==0.3.1", ARROW],
    "diffprivlib": ["diffprivlib==0.6.6", "scikit-learn==1.5.2", ARROW],
}
FEWER = {"pipeline-dp": 1_000_000}  # whose rows are tuples of Python: at most so many


def last_line(text, otherwise):
    lines = [line for line in text.splitlines() if line.strip()]
    return lines[-1].strip()[:200] if lines else otherwise


def run_limited(command, limit=LIMIT, **more):
    """The command with its output; None when its time was up: then all that it started is ended too. `more`: variables
    of its environment."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o711)  # a server that it starts as another user finds its own folder there
        env = {**os.environ, "TMPDIR": folder, **more}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        # Some leave folders behind where they are started.
        with subprocess.Popen(command, cwd=folder, env=env, start_new_session=True, **pipes) as process:
            try:
                out, err = process.communicate(timeout=limit)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return None
            return subprocess.CompletedProcess(command, process.returncode, out, err)


def peer(name, rows, times=3):
    """{rows, seconds, each, note}: the fastest, and each of so many; or {reason} why there is no figure."""
    rows = min(rows, FEWER.get(name, rows))
    file = data_file(rows, "parquet")
    try:
        python = environment(f"peers-sql-{name}", PINS[name])
    except subprocess.CalledProcessError as failure:
        return {"reason": f"cannot be installed: pip exited with {failure.returncode}"}
    done = run_limited([python, ROOT / "tools/bench_sql_peer.py", name, file, str(rows), str(times)])
    if done is None:
        return {"reason": f"not done within {LIMIT} seconds"}
    if done.returncode != 0:
        return {"reason": last_line(done.stderr, f"exited with {done.returncode}")}
    answer = json.loads(done.stdout.splitlines()[-1])
    return {"rows": rows, "seconds": min(answer["seconds"]), "each": answer["seconds"], "note": answer["note"]}


def plain(rows):
    file = data_file(rows, "parquet")
    with PlainDuckDb() as database:
        seconds, _ = database.best_seconds(COUNT_AND_SUM.replace("events", f"'{file}'"))
    return {"rows": rows, "seconds": seconds, "note": "not private"}


def ours(rows, kind):
    seconds = min(time_query(project(data_file(rows, kind)), COUNT_AND_SUM, times=5)["seconds"])
    return {"rows": rows, "seconds": seconds, "note": "the ledger included"}


def compare(as_json, rows, to_page):
    build_programs()
    figures = {"dither, from Parquet": ours(rows, "parquet"), "dither, from a table": ours(rows, "duckdb"),
               "plain DuckDB": plain(rows)}
    for name in PINS:
        print(f"{name} ...", file=sys.stderr, flush=True)
        figures[name] = peer(name, rows)
    for figure in figures.values():
        if "seconds" in figure:
            figure["rows_per_second"] = figure["rows"] / figure["seconds"]
    base = figures["dither, from Parquet"]["rows_per_second"]
    for figure in figures.values():
        if "rows_per_second" in figure:
            figure["times_as_fast"] = base / figure["rows_per_second"]
    if to_page:
        bench_sql_page.write_peers(rows, figures)
    if as_json:
        print(json.dumps({"rows": rows, "cores": os.cpu_count(), "figures": figures}, indent=1))
        return
    print(f"COUNT and SUM by 50 keys, {rows:,} rows, {rows // 10:,} people, {os.cpu_count()} cores")
    print(f"{'':<22}{'M rows/s':>10}{'we are':>12}")
    for name, figure in figures.items():
        if "reason" in figure:
            print(f"{name:<22}{'-':>10}{'':>12}   {figure['reason']}")
            continue
        fewer = f"{figure['rows']:,} rows; " if figure["rows"] != rows else ""
        print(f"{name:<22}{figure['rows_per_second'] / 1e6:>10.3g}{figure['times_as_fast']:>11.3g}x"
              f"   {fewer}{figure['note']}")
