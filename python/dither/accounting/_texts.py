"""Words, names of files and texts as the core takes them, and its hints as Python says them."""
from __future__ import annotations

import os
import re
from typing import Any, Optional

from dither.errors import BadInput

# What the core says about files and options, for calls that have neither.
IN_PYTHON = (
    (r"add the key `weight:` and its value", "give pairs of a weight and a mechanism: (0.5, Gaussian(sigma=1))"),
    (r"add the key `(\w+):` and its value", r"give \1=..."),
    (r"write a map such as .*", "give a mechanism such as dither.accounting.Laplace(scale=1)"),
    (r"write a list such as (\[[^]]*\]).*", r"give a list such as \1"),
    (r"write a (.*), without quotes", r"give a \1"),
    (r"write (true or false), without quotes", "give True or False"),
    (r"put the text in quotes", "give text"),
    (r"`dither account --list` shows", "dir(dither.accounting) shows"),
    (r"--(\w+) ([\d.]+)", r"\1=\2"),
    (r"--(\w+)", r"\1"),
    (r"`sample: \{([^}`]*)\}`", r"`\1`"),
    (r"`(\w+):`", r"\1"),
)


def in_python(hint: str) -> str:
    """The hint with arguments instead of keys and options."""
    for ours, theirs in IN_PYTHON:
        hint = re.sub(ours, theirs, hint)
    return re.sub(r"`([^`]*)`", lambda found: _arguments(found.group(1)), hint)


def _arguments(members: str) -> str:
    """`neighbours: add-remove` is neighbours="add-remove"."""
    numbers = re.sub(r"(\w+): (-?[\d.]+)", r"\1=\2", members)
    return re.sub(r"(\w+): ([a-z][\w-]*)", r'\1="\2"', numbers)


def word(name: str, value: Any, example: str) -> Optional[str]:
    """A word, or None."""
    if value is None or isinstance(value, str) and is_unicode(value):
        return value
    raise BadInput("wrong-type", f"{name} is {value!r}, which is no text", f"give e.g. {example}")


def text_of(name: str, value: Any, hint: str) -> str:
    """A text, whose content is not repeated."""
    if isinstance(value, str) and is_unicode(value):
        return value
    why = "is no Unicode" if isinstance(value, str) else f"is a {type(value).__name__}, no text"
    raise BadInput("wrong-type", f"{name} {why}", hint)


def file_name(value: Any, hint: str) -> str:
    """The name of a file."""
    if not isinstance(value, (str, os.PathLike)):
        raise BadInput("wrong-type", f"the path is a {type(value).__name__}", hint)
    name = os.fsdecode(value)
    if not is_unicode(name) or "\0" in name:
        raise BadInput("cannot-read", f"{ascii(name)} is no name of a file", hint)
    return name


def is_unicode(text: str) -> bool:
    """Whether it can be written: half of a surrogate pair cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
