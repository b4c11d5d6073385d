"""How time and memory grow with the rows, under a limit of 2 GiB: the figure of docs/speed.md.

Used by `./dev bench sql --growth`; `--rows` names other points, `--page` writes the document. Each point is a process
of its own, whose most memory is what the kernel says (VmHWM). The data is a DuckDB table with ten rows a person.
"""
import json
import subprocess
import sys

import bench_sql_page
from bench_sql_data import COUNT_AND_SUM, PlainDuckDb, data_file, project
from bench_sql_run import BUILD, build_programs, time_query
from building import ROOT

POINTS = [2_000_000, 20_000_000, 60_000_000, 120_000_000, 200_000_000]
MEMORY = 2 << 30
FIGURE = ROOT / "docs/figures/growth.csv"


def point(rows):
    file = data_file(rows, "duckdb")
    ours = time_query(project(file), COUNT_AND_SUM, times=3, memory=MEMORY)
    with PlainDuckDb(file) as database:
        plain, _ = database.best_seconds(COUNT_AND_SUM, times=3)
    return {"rows": rows, "seconds": min(ours["seconds"]), "core_seconds": min(ours["core_seconds"]),
            "plain_seconds": plain, "peak_mib": ours["peak_kib"] / 1024}


def write_figure(points):
    lines = ["million rows,Dither under 2 GiB,plain GROUP BY"]
    lines += [f"{each['rows'] / 1e6:g},{each['seconds']:.4g},{each['plain_seconds']:.4g}" for each in points]
    FIGURE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    subprocess.run([BUILD / "apps/figures/dither-figures", FIGURE.parent], check=True)


def run(as_json, chosen, to_page):
    build_programs()
    points = []
    for rows in chosen or POINTS:
        print(f"{rows:,} rows ...", file=sys.stderr, flush=True)
        points.append(point(rows))
    if to_page:
        bench_sql_page.write_growth(points)
        write_figure(points)
    if as_json:
        print(json.dumps({"memory_limit": MEMORY, "points": points}, indent=1))
        return
    print(f"{'rows':>12}{'s':>10}{'ns a row':>10}{'on cores':>10}{'x plain':>10}{'peak MiB':>10}")
    for each in points:
        print(f"{each['rows']:>12,}{each['seconds']:>10.3f}{each['seconds'] / each['rows'] * 1e9:>10.1f}"
              f"{each['core_seconds'] / each['rows'] * 1e9:>10.1f}"
              f"{each['seconds'] / each['plain_seconds']:>10.1f}{each['peak_mib']:>10.0f}")
