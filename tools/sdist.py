"""Installs the Python package as people do who have its source distribution alone, and asks it for one count.

Makes the distribution, unpacks it where nothing of this checkout lies, runs `pip install .` there into a new virtual
environment (pip gets what the build needs, as it does for everybody) and starts a program elsewhere. `./dev test
--nightly` runs it; it compiles everything.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import python_package

HOOK = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
COUNT = """
import warnings, numpy, dither
warnings.simplefilter("ignore")
rows = numpy.rec.fromarrays([numpy.arange(1000)], names="person")
with dither.Session(tables={"visits": rows}, unit="person", neighbours="add-remove", columns={"person": "integer"},
                    bounds={"rows_per_unit": 1}, budget=dither.Budget(epsilon=1000), ledger=":memory:") as s:
    found = s.sql("SELECT COUNT(*) FROM visits", epsilon=1000).value
assert found == 1000, found  # noise shows in one of exp(1000) answers
print(dither.__file__, found)
"""


def unpacked(folder):
    """The source distribution of this checkout, made and unpacked in the folder."""
    python = python_package.environment(python_package.BUILD_ENVIRONMENT)
    subprocess.run([python, "-c", HOOK, folder], cwd=python_package.ROOT, check=True)
    archive, = folder.glob("dither-*.tar.gz")
    shutil.unpack_archive(archive, folder)
    return folder / archive.name.removesuffix(".tar.gz")


def main():
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="dither-sdist-") as scratch:
        source, home = unpacked(Path(scratch)), Path(scratch) / "environment"
        subprocess.run([python_package.interpreter(), "-m", "venv", home], check=True)
        env = {**os.environ, "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count())}
        install = [home / "bin/python", "-m", "pip", "install", "--disable-pip-version-check", "--no-cache-dir", "."]
        subprocess.run(install, cwd=source, env=env, check=True)
        said = subprocess.run([home / "bin/python", "-I", "-c", COUNT], cwd=scratch, check=True, text=True,
                              stdout=subprocess.PIPE).stdout
        if str(home) not in said:
            sys.exit(f"another package answered: {said}")
    print(f"installed from source, and counted, in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
