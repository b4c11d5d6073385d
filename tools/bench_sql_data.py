"""Data and projects for bench_sql.py, under build/bench-data, and DuckDB itself as the yardstick, by its library."""
import ctypes
import os
import time

import duckdb
from building import ROOT

KEYS = 50
COUNT_AND_SUM = "SELECT g, COUNT(*), SUM(v) FROM events GROUP BY g"
FOLDER = ROOT / "build/bench-data"

PROJECT = """version: 1
data_version: "1"
privacy: {{unit: person, neighbours: add-remove}}
tables:
  events:
    source: {source}
    unit: uid
    bounds: {{rows_per_unit: 6, keys_per_unit: 3, rows_per_key: 2}}
    columns:
      uid: {{type: integer}}
      g: {{type: integer, keys: {keys}, outside: {{other: -1}}}}
      v: {{type: decimal, grid: 0.01, bounds: [0, 100], outside: clamp}}
budgets: {{main: {{epsilon: 1000000}}}}
ledger: {ledger}
"""


class Result(ctypes.Structure):
    _fields_ = [("words", ctypes.c_void_p * 6)]


class PlainDuckDb:
    """The same library that Dither loads, with nothing of ours."""

    def __init__(self, file=""):
        self.library = ctypes.CDLL(str(duckdb.need_duckdb() / "libduckdb.so"))
        self.library.duckdb_result_error.restype = ctypes.c_char_p
        self.database, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        if self.library.duckdb_open(os.fsencode(file) or None, ctypes.byref(self.database)):
            raise RuntimeError(f"DuckDB does not open {file}")
        self.library.duckdb_connect(self.database, ctypes.byref(self.connection))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.library.duckdb_disconnect(ctypes.byref(self.connection))
        self.library.duckdb_close(ctypes.byref(self.database))

    def seconds(self, sql):
        """How long the statement took, its whole result in memory; and the same added up over all cores."""
        result = Result()
        start, core_start = time.perf_counter(), time.process_time()
        failed = self.library.duckdb_query(self.connection, sql.encode(), ctypes.byref(result))
        seconds, core_seconds = time.perf_counter() - start, time.process_time() - core_start
        text = self.library.duckdb_result_error(ctypes.byref(result)) if failed else b""
        self.library.duckdb_destroy_result(ctypes.byref(result))
        if failed:
            raise RuntimeError((text or b"").decode())
        return seconds, core_seconds

    def best_seconds(self, sql, times=5):
        each = [self.seconds(sql) for _ in range(times)]
        return tuple(map(min, zip(*each)))


def rows_sql(rows):
    """Ten rows a person, all uniform: uid BIGINT, g INTEGER from 0 to 49, v in hundredths from 0 to 100."""
    return (f"SELECT (hash(i) % {max(rows // 10, 1)})::BIGINT AS uid, (hash(i + 10000000019) % {KEYS})::INTEGER AS g, "
            f"(hash(i + 20000000033) % 10001)::DOUBLE / 100 AS v FROM range({rows}) r(i)")


def data_file(rows, kind):
    """So many rows as "csv", "parquet" or "duckdb" (there a table `events`); kept for the next time."""
    file = FOLDER / f"events-{rows}.{kind}"
    if not file.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        part = FOLDER / f"part-{os.getpid()}.{kind}"
        with PlainDuckDb(part if kind == "duckdb" else "") as plain:
            plain.seconds("SET memory_limit = '2GB'")
            plain.seconds("SET preserve_insertion_order = false")
            plain.seconds(f"CREATE TABLE events AS {rows_sql(rows)}" if kind == "duckdb"
                          else f"COPY ({rows_sql(rows)}) TO '{part}'")
        part.rename(file)
    return file


def project(file):
    """A project over the file, with a ledger that starts empty; returns the path of its dither.yaml."""
    folder = FOLDER / f"project-{file.name}"
    folder.mkdir(exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    path = folder / "dither.yaml"
    source = os.path.relpath(file, folder)
    path.write_text(PROJECT.format(source=source, keys=list(range(KEYS)), ledger="dither.ledger"), encoding="utf-8")
    return path
