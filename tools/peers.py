"""Other people's libraries, to measure ours beside them: pinned, in a throw-away virtual environment under build/."""
import subprocess
import sys

from building import ROOT


def environment(name, pins):
    """The Python of build/NAME, a virtual environment that holds these pins; the name of the stamp holds them too."""
    home = ROOT / "build" / name
    stamp = home / ("-".join(pins).replace("==", "_") + ".stamp")
    if not stamp.exists():
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
        subprocess.run([home / "bin/pip", "install", "--quiet", *pins], check=True)
        stamp.touch()
    return home / "bin/python"


def smallest(runs):
    """Merges nested dictionaries of numbers by their minimum."""
    first = runs[0]
    if isinstance(first, dict):
        return {key: smallest([run[key] for run in runs]) for key in first}
    return min(runs)
