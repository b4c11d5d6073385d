"""Puts what bench_python.py found into docs/speed.md. Used by `./dev bench python --page`."""
from bench_sql_page import put


def shown(seconds):
    if seconds >= 1:
        return f"{seconds:.3g} s"
    return f"{1e3 * seconds:.3g} ms"


def write(found):
    rows = []
    for figure in found:
        for index, each in enumerate(figure["lines"]):
            title = figure["title"] if index == 0 else ""
            if "reason" in each:
                rows.append([title, each["name"], "", "", "", each["reason"]])
                continue
            low, middle, high = map(shown, each["quartiles"])
            times = f"{each['times']:.3g}" if "times" in each else ""
            rows.append([title, each["name"], middle, f"{low} to {high}", times, each["note"]])
    put("python", ["", "", "median", "quartiles", "times ours", ""], rows)
