"""Puts what was measured into docs/speed.md, between the marks there. Used by `./dev bench sql --page`."""
import re

from building import ROOT

PAGE = ROOT / "docs/speed.md"
CASES = {"u50": "50 keys, from a table", "u50_parquet": "50 keys, from Parquet",
         "t50": "50 keys, people named by 36 letters", "u100k": "100,000 keys", "four_sums": "COUNT and four SUMs",
         "mean": "COUNT and AVG", "all_cut": "COUNT and AVG, all people beyond `rows_per_unit`"}


def put(name, titles, rows):
    """A table between `<!-- NAME: ... -->` and `<!-- end of NAME -->`."""
    lines = [titles, ["---"] * len(titles), *rows]
    table = "\n".join(f"| {' | '.join(map(str, line))} |".replace("|  |", "| |") for line in lines)
    text = PAGE.read_text(encoding="utf-8")
    text, count = re.subn(f"(<!-- {name}: [^\n]*-->\n).*?(<!-- end of {name} -->)", rf"\1{table}\n\2", text, flags=re.S)
    assert count == 1, name
    PAGE.write_text(text, encoding="utf-8")


def write_figures(found):
    rows = []
    for name, each in found["bounding"].items():
        faster = f"{each['x_faster_than_rewrite']:.0f}" if "x_faster_than_rewrite" in each else ""
        rows.append([CASES.get(name, name), f"{each['best_ms']:.0f} ms", f"{each['x_plain']:.1f}", faster])
    millions = f"{found['rows'] / 1e6:g} million rows"
    put("bounding", [millions, "time", "times plain", "times as fast as the rewrite"], rows)
    put("questions", ["", "rows", "time", "times plain", "on cores", "million rows a second", "most memory"],
        [[name, f"{each['rows'] / 1e6:g} million", f"{each['seconds'] * 1e3:.0f} ms", f"{each['x_plain']:.1f}",
          f"{each['x_plain_on_cores']:.1f}", f"{each['rows_per_second'] / 1e6:.0f}", f"{each['peak_mib']:.0f} MiB"]
         for name, each in found["question"].items()])
    put("small", ["10,000 rows, warm", "time", "on cores"],
        [[name, f"{each['ms']:.1f} ms", f"{each['core_ms']:.1f} ms"] for name, each in found["small"].items()])
    put("command", ["10,000 rows, 20 times", "`dither query`", "bare program", "more"],
        [[f"{kind}, {word}", *(f"{times[name]:.0f} ms" for name in ("query", "bare", "difference"))]
         for kind, each in found["cold_command_ms"].items() for word, times in each.items()])


def write_peers(rows, figures):
    lines = []
    for name, each in figures.items():
        if "reason" in each:
            lines.append([name, "", "", each["reason"]])
            continue
        note = f"{each['rows'] / 1e6:g} million rows; {each['note']}" if each["rows"] != rows else each["note"]
        lines.append([name, f"{each['rows_per_second'] / 1e6:.3g}", f"{each['times_as_fast']:.3g}", note])
    put("peers", [f"{rows / 1e6:g} million rows", "million rows a second", "we are times as fast", ""], lines)


def write_growth(points):
    put("growth", ["rows", "time", "a row", "times plain", "most memory"],
        [[f"{each['rows'] / 1e6:g} million", f"{each['seconds']:.2f} s",
          f"{each['seconds'] / each['rows'] * 1e9:.1f} ns", f"{each['seconds'] / each['plain_seconds']:.1f}",
          f"{each['peak_mib']:.0f} MiB"] for each in points])
