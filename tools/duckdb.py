"""Installs the DuckDB library and its header, pinned by checksum, once for all checkouts of a user.

The library comes inside an npm package and the header inside a Go module, both fetched by their own clients.
DITHER_DUCKDB names a folder with another libduckdb.so and the duckdb.h that belongs to it.

Run as a program (`pip install` of the Python package does), it installs no packages of the system for that.
"""
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import packages
from packages import fail

VERSION = "1.5.6"
LIBRARY = ("@duckdb/node-bindings-linux-x64@1.5.6-r.1", "package/libduckdb.so",
           "3f4962cdd266eab2b479a5b5a4a6d063d279b2954ae814ed00385d553b747633")
HEADER = ("github.com/duckdb/duckdb-go-bindings@v0.10506.0", "include/duckdb.h",
          "e85f70155b5948c8575e59f66e60d43575cec8b252293534c9e8598eb313a293")
FILES = {"libduckdb.so": LIBRARY, "duckdb.h": HEADER}


def folder():
    """Where the two files lie."""
    if os.environ.get("DITHER_DUCKDB"):
        return Path(os.environ["DITHER_DUCKDB"]).absolute()
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return cache / "dither" / f"duckdb-{VERSION}"


def digest(path):
    found = hashlib.sha256()
    with open(path, "rb") as file:
        while part := file.read(2**20):
            found.update(part)
    return found.hexdigest()


def run(*command, cwd):
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        fail(f"`{' '.join(command)}` failed:\n{done.stderr.strip()}", "is the network up? then try again")
    return done.stdout


def fetch_library(scratch):
    package, member, _ = LIBRARY
    archive = run("npm", "pack", "--silent", package, cwd=scratch).split()[-1]
    with tarfile.open(Path(scratch) / archive) as tar, tar.extractfile(member) as source:
        (Path(scratch) / "libduckdb.so").write_bytes(source.read())


def fetch_header(scratch):
    module, member, _ = HEADER
    shutil.copy(Path(json.loads(run("go", "mod", "download", "-json", module, cwd=scratch))["Dir"]) / member, scratch)


def missing_clients():
    """The Debian packages of those clients that are not here."""
    return [package for tool, package in (("npm", "npm"), ("go", "golang-go")) if shutil.which(tool) is None]


def install(target):
    if platform.machine() not in ("x86_64", "AMD64"):
        fail(f"the pinned DuckDB {VERSION} is for x86-64, but this machine is {platform.machine()}",
             "let DITHER_DUCKDB name a folder with a libduckdb.so for it and the duckdb.h that belongs to it")
    missing = missing_clients()
    if missing:  # any version will do: what they fetch is checked
        packages.require_debian_12()
        packages.install(missing)
    print(f"installing DuckDB {VERSION}", file=sys.stderr)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        fetch_library(scratch)
        fetch_header(scratch)
        for name, (package, _, wanted) in FILES.items():
            found = digest(Path(scratch) / name)
            if found != wanted:
                fail(f"{name} of {package} has SHA-256 {found}, not {wanted}",
                     "do not use it: compare with the packages' own pages, then set the checksum in tools/duckdb.py")
        target.mkdir(exist_ok=True)
        for name in FILES:
            os.replace(Path(scratch) / name, target / name)


def is_whole(target):
    """Whether both files lie there and are the pinned ones."""
    return all((target / name).exists() and digest(target / name) == wanted for name, (_, _, wanted) in FILES.items())


def need_duckdb():
    """Makes sure library and header are there and are the pinned ones; returns their folder."""
    target = folder()
    if os.environ.get("DITHER_DUCKDB"):
        missing = [name for name in FILES if not (target / name).exists()]
        if missing:
            fail(f"DITHER_DUCKDB is {target}, where {' and '.join(missing)} is missing",
                 "put libduckdb.so and the duckdb.h of the same version there, or unset DITHER_DUCKDB")
        return target
    if not is_whole(target):
        install(target)
    return target


if __name__ == "__main__":
    if missing_clients() and not os.environ.get("DITHER_DUCKDB") and not is_whole(folder()):
        fail(f"DuckDB {VERSION} is not in {folder()}, and to fetch it {' and '.join(missing_clients())} is missing",
             "install those, or let DITHER_DUCKDB name a folder with libduckdb.so and the duckdb.h that belongs to it")
    need_duckdb()
