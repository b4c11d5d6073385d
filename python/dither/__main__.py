"""The command `dither`: what `python -m dither` runs, and the program that the wheel installs."""
from __future__ import annotations

import sys
from typing import NoReturn

from dither import _core


def main() -> NoReturn:
    """Runs the command with the words of this process, and ends it with the command's exit status."""
    sys.exit(_core.main(sys.argv[1:]))


if __name__ == "__main__":
    main()
