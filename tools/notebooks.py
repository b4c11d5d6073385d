"""Runs notebooks: the code of each in order, in one namespace, in a scratch folder, within a time limit.

    notebooks.py [--write] NOTEBOOK...

A cell passes when it runs; one with the tag `raises-exception` when it raises. What a cell prints, and the value of its
last line, are its outputs; --write stores them in the file as text, and HTML where the value has it.
"""
import argparse
import ast
import contextlib
import io
import json
import os
import signal
import sys
import tempfile
import traceback
from pathlib import Path

SECONDS = 300  # for all cells of one notebook; they take few, but machines may be busy


class Failure(BaseException):  # no Exception: what a cell raises must not be taken for it
    """A cell that did not do what it should."""


def last_value(tree):
    """Takes the last line off when it is an expression whose value a notebook shows."""
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        return None
    return ast.Expression(tree.body.pop().value)


def lines(text):
    return text.splitlines(keepends=True)


def shown(value):
    """A value as a notebook's output."""
    data = {"text/plain": lines(repr(value))}
    html = getattr(value, "_repr_html_", None)
    if html is not None:
        data["text/html"] = lines(html())
    return data


def run_cell(source, names, place):
    """(outputs, the text of what was raised or None)"""
    printed, outputs, raised = io.StringIO(), [], None
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        try:
            tree = ast.parse(source, place)
            last = last_value(tree)
            exec(compile(tree, place, "exec"), names)
            value = eval(compile(last, place, "eval"), names) if last else None
            if value is not None:
                outputs.append({"output_type": "execute_result", "metadata": {}, "data": shown(value)})
        except Exception as error:  # whatever a cell raises is its result
            raised = traceback.format_exc()
            outputs.append({"output_type": "error", "ename": type(error).__name__, "evalue": str(error),
                            "traceback": lines(f"{type(error).__name__}: {error}")})
    if printed.getvalue():
        outputs.insert(0, {"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())})
    return outputs, raised


def run(notebook, name):
    """Runs the cells of a notebook and puts their outputs into it; raises Failure at the first that fails."""
    names = {"__name__": "__main__"}
    number = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        number += 1
        source = "".join(cell["source"])
        outputs, raised = run_cell(source, names, f"{name}[{number}]")
        wanted = "raises-exception" in cell.get("metadata", {}).get("tags", [])
        if wanted != (raised is not None):
            raise Failure(f"cell {number} of {name}:\n{source}\n\n{raised or 'should have raised, but did not'}")
        for output in outputs:
            if output["output_type"] == "execute_result":
                output["execution_count"] = number
        cell["execution_count"], cell["outputs"] = number, outputs


def out_of_time(*_):
    raise Failure(f"took longer than {SECONDS} s")


def run_file(path, write):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    before = os.getcwd()
    signal.signal(signal.SIGALRM, out_of_time)
    signal.alarm(SECONDS)
    with tempfile.TemporaryDirectory(prefix="dither-notebook-") as scratch:
        os.chdir(scratch)
        try:
            run(notebook, path.name)
        finally:
            signal.alarm(0)
            os.chdir(before)
    if write:
        text = json.dumps(notebook, indent=1, ensure_ascii=False).replace(f"{scratch}/", "")  # where it ran is no news
        path.write_text(text + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Run notebooks.")
    parser.add_argument("--write", action="store_true", help="store the outputs in the files")
    parser.add_argument("notebook", nargs="+", type=Path)
    args = parser.parse_args()
    os.environ["MPLBACKEND"] = "agg"  # nobody looks at a window
    for path in args.notebook:
        try:
            run_file(path.absolute(), args.write)
        except Failure as failure:
            sys.exit(f"{path}: {failure}")


if __name__ == "__main__":
    main()
