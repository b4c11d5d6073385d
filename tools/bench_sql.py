"""The figures of `./dev bench sql` that are not Google Benchmarks: ratios to plain DuckDB, from one run on one machine.

The bounding operator beside the plain GROUP BY and the full rewrite (src/engine/bounding_bench.cc); a whole question,
from text to stored answer, beside the plain GROUP BY; the command from start to end beside a bare program. No figure is
asserted: machines differ, and docs/speed.md says what was found on one.
"""
import json
import os
import subprocess

import bench_sql_page
from bench_sql_data import COUNT_AND_SUM, PlainDuckDb, data_file, project
from bench_sql_run import BUILD, build_programs, cold_command, time_query

ROWS = 20_000_000
SMALL = 10_000
FILTERED = "SELECT g, COUNT(*) FROM events WHERE v > 50 GROUP BY g"  # W-79: 10^7 rows within 2 s on two cores


def bounding(rows):
    """{case: {best_ms, plain_ms, x_plain, x_faster_than_rewrite}} as src/engine/bounding_bench.cc finds them."""
    env = {**os.environ, "DITHER_BENCH_ROWS": str(rows)}
    command = [BUILD / "bench/engine/engine_bounding_bench", "--benchmark_format=json"]
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, text=True, check=True)
    counters = ("best_ms", "plain_ms", "x_plain", "x_faster_than_rewrite")
    return {row["name"].split("/")[1]: {name: row[name] for name in counters if name in row}
            for row in json.loads(done.stdout)["benchmarks"]}


def small():
    """{benchmark: {ms, core_ms}} of src/sql/query_bench.cc: a small question, warm, the ledger included."""
    command = [BUILD / "bench/sql/sql_query_bench", "--benchmark_format=json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    return {row["name"].split("/")[0].removeprefix("BM_small_").replace("_", ", "):
            {"ms": row["real_time"], "core_ms": row["cpu_time"]} for row in json.loads(done.stdout)["benchmarks"]}


def whole_question(rows, kind, sql):
    """A statement through a session, beside the plain one by DuckDB."""
    file = data_file(rows, kind)
    ours = time_query(project(file), sql, times=5)
    with PlainDuckDb(file if kind == "duckdb" else "") as database:
        plain_sql = sql if kind == "duckdb" else sql.replace("events", f"'{file}'")
        plain, core_plain = database.best_seconds(plain_sql)
    seconds, core_seconds = min(ours["seconds"]), min(ours["core_seconds"])
    return {"rows": rows, "seconds": seconds, "core_seconds": core_seconds, "plain_seconds": plain,
            "x_plain": seconds / plain, "x_plain_on_cores": core_seconds / core_plain,
            "rows_per_second": rows / seconds, "peak_mib": ours["peak_kib"] / 1024}


def figures(rows, to_page):
    build_programs()
    cold = {}
    for kind in ("csv", "parquet"):
        file = data_file(SMALL, kind)
        cold[kind] = cold_command(project(file), file, COUNT_AND_SUM)
    found = {"rows": rows, "cores": os.cpu_count(), "bounding": bounding(rows),
             "question": {"from a table": whole_question(rows, "duckdb", COUNT_AND_SUM),
                          "from Parquet": whole_question(rows, "parquet", COUNT_AND_SUM),
                          "filter and histogram": whole_question(rows // 2, "duckdb", FILTERED)},
             "small": small(), "cold_command_ms": cold}
    if to_page:
        bench_sql_page.write_figures(found)
    return found


def show(found):
    print(f"\nbounding, {found['rows']:,} rows, {found['cores']} cores")
    print(f"{'':<24}{'ms':>9}{'x plain':>9}{'x faster than the rewrite':>27}")
    for name, each in found["bounding"].items():
        print(f"{name:<24}{each['best_ms']:>9.0f}{each['x_plain']:>9.1f}{each.get('x_faster_than_rewrite', 0):>27.1f}")
    print("\na whole question, text to stored answer")
    print(f"{'':<24}{'rows':>12}{'s':>9}{'x plain':>9}{'on cores':>9}{'M rows/s':>10}{'peak MiB':>10}")
    for name, each in found["question"].items():
        print(f"{name:<24}{each['rows']:>12,}{each['seconds']:>9.3f}{each['x_plain']:>9.1f}"
              f"{each['x_plain_on_cores']:>9.1f}{each['rows_per_second'] / 1e6:>10.1f}{each['peak_mib']:>10.0f}")
    print(f"\na small question, warm, {SMALL:,} rows, ms")
    for name, each in found["small"].items():
        print(f"{name:<24}{each['ms']:>9.1f}, {each['core_ms']:.1f} on cores")
    print(f"\nthe command from start to end, {SMALL:,} rows, ms of 20 runs")
    print(f"{'':<20}{'dither query':>14}{'bare program':>14}{'difference':>12}")
    for kind, each in found["cold_command_ms"].items():
        for word, times in each.items():
            print(f"{kind + ', ' + word:<20}{times['query']:>14.0f}{times['bare']:>14.0f}{times['difference']:>12.0f}")
