"""Small data for the project files beside, and plain SQL over it: what answers at a huge epsilon must equal.

Nobody in the data exceeds a bound and every value lies where it is declared to, so that nothing is clamped, cut or
dropped, and statements mean the same with and without Dither.
"""
import ctypes
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import duckdb  # noqa: E402  (tools/duckdb.py: where the library lies)

PEOPLE = 400
TYPES = {
    "visits": "person BIGINT, city VARCHAR, postcode VARCHAR, cost DOUBLE, temp BIGINT, day DATE, amount BIGINT, "
              "weight DOUBLE, height DOUBLE",
    "stays": "person BIGINT, ward VARCHAR, days BIGINT",
    "ticks": "person BIGINT, slot BIGINT",
    "trips": "person BIGINT, line BIGINT, fare BIGINT",
    "walks": "person BIGINT, line BIGINT",
    "events": "kind VARCHAR, label VARCHAR, temp BIGINT",
    "logs": "kind VARCHAR, temp BIGINT",
    "loose": "person BIGINT, city VARCHAR",
    "doctors": "person BIGINT, doctor BIGINT",
    "letters": "doctor BIGINT, pages BIGINT",
    "regions": "city VARCHAR, region VARCHAR",
    "offers": "city VARCHAR, price BIGINT",
}


class Failed(Exception):
    """What DuckDB says of a statement that it does not run."""


class Plain:
    """A DuckDB in memory, through its C API."""

    class _Result(ctypes.Structure):
        _fields_ = [("a", ctypes.c_uint64), ("b", ctypes.c_uint64), ("c", ctypes.c_uint64), ("d", ctypes.c_void_p),
                    ("e", ctypes.c_char_p), ("f", ctypes.c_void_p)]

    def __init__(self):
        self.lib = ctypes.CDLL(str(duckdb.folder() / "libduckdb.so"))
        self.lib.duckdb_value_varchar.restype = ctypes.c_void_p
        self.lib.duckdb_value_varchar.argtypes = [ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64]
        self.lib.duckdb_result_error.restype = ctypes.c_char_p
        for name in ("duckdb_row_count", "duckdb_column_count"):
            getattr(self.lib, name).restype = ctypes.c_uint64
        self.database, self.connection = ctypes.c_void_p(), ctypes.c_void_p()
        assert self.lib.duckdb_open(None, ctypes.byref(self.database)) == 0
        assert self.lib.duckdb_connect(self.database, ctypes.byref(self.connection)) == 0

    def close(self):
        self.lib.duckdb_disconnect(ctypes.byref(self.connection))
        self.lib.duckdb_close(ctypes.byref(self.database))

    def rows(self, sql):
        """Every row as a list of texts, None for NULL."""
        result = self._Result()
        at = ctypes.byref(result)
        try:
            if self.lib.duckdb_query(self.connection, sql.encode(), at) != 0:
                raise Failed(self.lib.duckdb_result_error(at).decode())
            height, width = self.lib.duckdb_row_count(at), self.lib.duckdb_column_count(at)
            return [[self._text(at, column, row) for column in range(width)] for row in range(height)]
        finally:
            self.lib.duckdb_destroy_result(at)

    def _text(self, result, column, row):
        text = self.lib.duckdb_value_varchar(result, column, row)
        if not text:
            return None
        value = ctypes.string_at(text).decode()
        self.lib.duckdb_free(ctypes.c_void_p(text))
        return value


def make_rows(seed=7):
    """{table: [row]}, cells as CSV writes them."""
    pick = random.Random(seed)
    tables = {name: [] for name in TYPES}
    for person in range(1, PEOPLE + 1):
        for _ in range(pick.choice((1, 1, 2))):
            cost = "" if pick.random() < 0.1 else f"{pick.randrange(0, 500001) / 100:.2f}"
            day = "" if pick.random() < 0.05 else f"2024-{pick.randrange(1, 13):02}-{pick.randrange(1, 29):02}"
            tables["visits"].append([person, pick.choice("aabbc") if pick.random() < 0.9 else "other",
                                     f"P{person % 8}", cost, pick.randrange(-10, 31), day, pick.randrange(-50, 51),
                                     f"{pick.randrange(300, 1200) / 10:.1f}", f"{pick.uniform(50, 240):.3f}"])
        for _ in range(pick.choice((0, 1, 2))):
            tables["stays"].append([person, pick.choice(("east", "west", "other")), pick.randrange(0, 31)])
        tables["ticks"] += [[person, slot] for slot in pick.sample(range(100), 3)]
        tables["trips"] += [[person, pick.randrange(30), pick.randrange(21)] for _ in range(4)]
        tables["walks"] += [[person, line] for line in pick.sample(range(30), 3)]
        tables["loose"].append([person, pick.choice("abc")])
        if person % 10 == 0:
            tables["doctors"].append([person, person * 3])
            tables["letters"] += [[person * 3, pick.randrange(0, 10)] for _ in range(pick.randrange(0, 5))]
    for _ in range(300):
        tables["events"].append([pick.choice(("call", "mail", "post", "other")), f"L{pick.randrange(3)}",
                                 pick.randrange(-10, 31)])
        tables["logs"].append([pick.choice(("call", "mail", "post")), pick.randrange(-10, 31)])
    tables["regions"] = [["a", "north"], ["b", "south"], ["c", "north"]]
    tables["offers"] = [["a", 3], ["a", 5], ["b", 2], ["c", 10], ["c", 0], ["c", 1]]
    return tables


def make_data(folder, plain):
    """Writes the sources of the project files into the folder, and the same rows as tables into `plain`."""
    for name, rows in make_rows().items():
        columns = [column.split()[0] for column in TYPES[name].split(", ")]
        path = Path(folder) / f"{name}.csv"
        path.write_text("\n".join(",".join(map(str, row)) for row in [columns, *rows]) + "\n", encoding="utf-8")
        typed = ", ".join(f"CAST({column.split()[0]} AS {column.split()[1]}) AS {column.split()[0]}"
                          for column in TYPES[name].split(", "))
        plain.rows(f"CREATE TABLE {name} AS SELECT {typed} FROM read_csv('{path}', all_varchar = true, header = true)")
    plain.rows(f"COPY ticks TO '{folder}/ticks.parquet'")
    plain.rows("CREATE MACRO clamp(x, low, high) AS least(greatest(x, low), high)")
