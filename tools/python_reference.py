"""Writes docs/python/reference.md: signature and docstring of every public name of the package. Used by `./dev docs`.

    python_reference.py PAGE        with a Python that has the package
"""
import importlib
import inspect
import re
import sys
from pathlib import Path

HEAD = """# Python reference

Every public name of the package, from its docstrings; `./dev docs` writes this page. [README.md](README.md) is where to
begin.
"""
MODULES = ("dither", "dither.accounting", "dither.mechanisms", "dither.interop")


def signature(thing):
    """The parameters as text; nothing where Python knows none, or where nobody calls it."""
    try:
        text = str(inspect.signature(thing))
    except (TypeError, ValueError):
        return ""
    text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
    text = re.sub(r"\bdither\.(?:\w+\.)*(?=[A-Z])", "", text)  # types by their plain names
    text = re.sub(r", \*\*unknown: [^,)]+", "", text).replace("(self, ", "(").replace("(self)", "()")
    if inspect.isclass(thing):
        text = text.removesuffix(" -> None")
        return "" if text == "()" or issubclass(thing, BaseException) else text
    return text


def shown(name, text):
    """A call as a block of code, a parameter a line where it is long."""
    if len(name + text) > 100:
        head, _, tail = text.partition("(")[2].rpartition(")")
        inside = re.sub(r", (?=\*|\w+(?:: | = |=))", ",\n    ", head)
        text = f"(\n    {inside}\n){tail}"
    return ["```python", name + text, "```"]


def words(thing):
    """A docstring as Markdown: examples and tables stay as they are written."""
    text = inspect.getdoc(thing) or ""
    parts, block = [], []
    for line in [*text.splitlines(), ""]:
        # Lines that are laid out in columns, and examples, are shown as they stand.
        laid_out = line.startswith((">>>", "...")) or re.match(r"\S.*\S {2,}\S", line) is not None
        if laid_out or (block and line.strip()):
            block.append(line)
            continue
        if block:
            parts += ["```python" if block[0].startswith(">>>") else "```text", *block, "```"]
            block = []
        parts.append(line)
    return "\n".join(parts).strip()


def members(thing):
    """(name, member) of what a class itself says and documents."""
    for name, value in vars(thing).items():
        value = getattr(value, "__func__", value)
        shown = not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property))
        if shown and inspect.getdoc(value):
            yield name, value


def entry(prefix, name, thing):
    """The lines of one public name."""
    call = signature(thing) if callable(thing) else ""
    lines = [f"### `{prefix}.{name}`", "", *(shown(f"{prefix}.{name}", call) if call else []), "", words(thing), ""]
    if inspect.isclass(thing):
        for member, value in members(thing):
            call = "" if isinstance(value, property) else signature(value)
            lines += [*(shown(f".{member}", call) if call else [f"**`.{member}`**"]), "", words(value), ""]
    return lines


def public(module):
    """(name, value) of what a module offers; first what it lists, then what it takes from the core's tables."""
    names = list(module.__all__)
    if "__dir__" in vars(module):
        names += [name for name in dir(module) if name not in names]
    found = [(name, getattr(module, name)) for name in names if not name.startswith("_")]
    return [(name, value) for name, value in found if not inspect.ismodule(value) and documented(value)]


def documented(value):
    """Whether the value has words of its own, not only those of its class."""
    text = inspect.getdoc(value)
    return bool(text) and (callable(value) or text != inspect.getdoc(type(value)))


def page():
    lines = [HEAD]
    for name in MODULES:
        module = importlib.import_module(name)
        lines += [f"## {name}", "", words(module), ""]
        for member, value in public(module):
            lines += entry(name, member, value)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def main():
    sys.path.pop(0)  # this folder: its modules are not the libraries of that name
    Path(sys.argv[1]).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
