"""Configures and builds presets of CMakePresets.json. All build output goes to standard error."""
import os
import subprocess
import sys
from pathlib import Path

import duckdb

ROOT = Path(__file__).resolve().parent.parent
# Objects are the same in every build folder of every clone, so that one finds in ccache what another has compiled.
os.environ.setdefault("CCACHE_NOHASHDIR", "1")
os.environ.setdefault("CCACHE_BASEDIR", str(ROOT))

SOURCE_FOLDERS = ("src", "apps", "python", "testing")


def sources(ending):
    """Every source file with this ending, sorted, as absolute paths."""
    return sorted(path for folder in SOURCE_FOLDERS for path in (ROOT / folder).rglob(f"*{ending}"))


def room_of(path):
    """The room of a source: "base" for src/base/..., "cli" for apps/cli/..., "python", "testing"."""
    parts = path.relative_to(ROOT).parts
    return parts[0] if parts[0] in ("python", "testing") else parts[1]


def configure(preset):
    """Brings the build folder up to date with the presets and every CMakeLists.txt."""
    duckdb.need_duckdb()
    folder = ROOT / "build" / preset
    presets = ROOT / "CMakePresets.json"
    ninja = folder / "build.ninja"
    if not ninja.exists() or ninja.stat().st_mtime < presets.stat().st_mtime:
        subprocess.run(["cmake", "--preset", preset], cwd=ROOT, stdout=sys.stderr, check=True)
        os.utime(ninja)
    if "no work to do" not in ninja_says(folder, "build.ninja"):
        subprocess.run(["ninja", "-C", folder, "build.ninja"], stdout=sys.stderr, check=True)
    return folder


def ninja_says(folder, *targets):
    """What ninja would do."""
    return subprocess.run(["ninja", "-C", folder, "-n", *targets], capture_output=True, text=True, check=False).stdout


def build(preset, targets=("all",)):
    """Builds the targets; says nothing when there is nothing to do."""
    folder = configure(preset)
    if "no work to do" not in ninja_says(folder, *targets):
        subprocess.run(["ninja", "-C", folder, "-j", str(os.cpu_count()), *targets], stdout=sys.stderr, check=True)
