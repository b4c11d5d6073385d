"""Makes the wheel of the Python package, and the environment in which it is tested.

Everything lies under build/: python-env (what makes the wheel), python-build (CMake's folder; its objects come from
ccache, where build/release has left them), python (the wheel), python-test-env (the wheel and what its tests need).
"""
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import duckdb
import linting
from building import ROOT
from packages import fail

BUILD_ENVIRONMENT, TEST_ENVIRONMENT = ROOT / "build/python-env", ROOT / "build/python-test-env"
TEST_PYTHON = TEST_ENVIRONMENT / "bin/python"
WHEELS = ROOT / "build/python"
REQUIREMENTS = {BUILD_ENVIRONMENT: ROOT / "tools/python-requirements.txt",
                TEST_ENVIRONMENT: ROOT / "tools/python-test-requirements.txt"}
SOURCES = ("CMakeLists.txt", "LICENSE", "NOTICE", "README.md", "pyproject.toml", "cmake/", "src/", "apps/", "examples/",
           "python/", "tools/licences.txt", "tools/python-requirements.txt", "tools/python_package.py")
NOT_SOURCES = ("_test.cc", "_bench.cc", "_fuzz.cc", "_check.h")
# Every Linux has these, or (libedit and what it needs) the wheel may not hold them; the others come with the wheel.
NOT_BUNDLED = {"libc6", "libgcc-s1", "libstdc++6", "libedit2", "libbsd0", "libmd0", "libtinfo6"}
HOOK = ("import sys; from scikit_build_core.build import build_wheel; "
        "build_wheel(sys.argv[1], dict(word.split('=', 1) for word in sys.argv[2:]))")


def interpreter():
    """This Python where modules can be compiled for it, else Debian's, whose headers `./dev` has installed."""
    own = Path(sysconfig.get_path("include")) / "Python.h"
    return sys.executable if own.exists() else "/usr/bin/python3"


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(path):
    """{package: version}"""
    lines = [line.split("==") for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return {plain(name): version for name, version in lines}


def installed(home):
    """{package: version}, without starting the environment's Python."""
    found = [path.name.removesuffix(".dist-info").split("-") for path in home.glob("lib/*/site-packages/*.dist-info")]
    return {plain(name): version for name, version in found}


def pip_install(home, *what):
    usual = ["--quiet", "--disable-pip-version-check", "--no-deps"]
    subprocess.run([home / "bin/python", "-m", "pip", "install", *usual, *what], stdout=sys.stderr, check=True)


def environment(home):
    """The Python of a virtual environment that holds the pinned packages."""
    wanted = pins(REQUIREMENTS[home])
    if not (home / "bin/python").exists():
        subprocess.run([interpreter(), "-m", "venv", "--clear", home], stdout=sys.stderr, check=True)
    have = installed(home)
    if any(have.get(name) != version for name, version in wanted.items()):
        print(f"installing {len(wanted)} packages into {home.relative_to(ROOT)}", file=sys.stderr, flush=True)
        pip_install(home, "--only-binary", ":all:", "-r", REQUIREMENTS[home])
    return home / "bin/python"


def environments():
    for home in REQUIREMENTS:
        environment(home)


def key():
    """Changes whenever a wheel made now would be another one."""
    digest = hashlib.sha256(interpreter().encode() + sys.version.encode())
    for name in linting.repository_files():
        if name.startswith(SOURCES) and not name.endswith(NOT_SOURCES) and not name.startswith("python/tests/"):
            digest.update(name.encode() + b"\0" + (ROOT / name).read_bytes() + b"\0")
    return digest.hexdigest()


def licence_packages():
    """{library: package} of what is bundled or compiled in, from tools/licences.txt."""
    rows = linting.read_licences((ROOT / "tools/licences.txt").read_text())
    return {library: package for library, (package, _, linked) in rows.items()
            if ":" not in package and linked != "loaded" and package not in NOT_BUNDLED}


def gather_licences(folder):
    """Copies the licences of other people's libraries, and the texts they refer to, into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    common = set()
    for package in sorted(set(licence_packages().values())):
        text = Path(f"/usr/share/doc/{package}/copyright").read_text(encoding="utf-8")
        (folder / f"{package}.txt").write_text(text, encoding="utf-8")
        common |= {name.rstrip(".") for name in re.findall(r"/usr/share/common-licenses/([\w.-]+)", text)}
    for name in sorted(common):
        shutil.copy(f"/usr/share/common-licenses/{name}", folder / f"{name}.txt")
    nanobind, = BUILD_ENVIRONMENT.glob("lib/*/site-packages/nanobind-*.dist-info/licenses/LICENSE")
    shutil.copy(nanobind, folder / "nanobind.txt")


def check_bundled(path):
    """Refuses a wheel with a library whose licence it does not carry."""
    names = zipfile.ZipFile(path).namelist()
    licences = {Path(name).stem for name in names if "/licenses/bundled/" in name}
    packages = licence_packages()
    for name in (Path(name).name for name in names if name.startswith("dither.libs/") and not name.endswith("/")):
        library = re.sub(r"-[0-9a-f]{8}$", "", name.split(".so")[0])
        if packages.get(library) not in licences:
            fail(f"the wheel bundles {name}, but not its licence", "list it in tools/licences.txt, or do not link it")


def make_wheel(python):
    """Builds, bundles the system's libraries, and returns the path of the one wheel in build/python."""
    licences, plain_wheels = ROOT / "build/python-licences", ROOT / "build/python-plain"
    gather_licences(licences)
    for folder in (plain_wheels, WHEELS):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    env = {**os.environ, "PATH": f"{python.parent}:{os.environ['PATH']}",
           "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count()), "PYTHONDONTWRITEBYTECODE": "1"}
    settings = ["build-dir=build/python-build", "cmake.define.CMAKE_CXX_COMPILER=g++",
                "cmake.define.DITHER_WERROR=ON",  # as build/release has it, also so that its objects serve here
                f"cmake.define.DITHER_LICENCES={licences}"]
    def run(*command):
        subprocess.run([python, *command], cwd=ROOT, env=env, stdout=sys.stderr, check=True)

    run("-c", HOOK, plain_wheels, *settings)
    run("-m", "auditwheel", "repair", "-w", WHEELS, *plain_wheels.glob("*.whl"))
    made, = WHEELS.glob("*.whl")
    check_bundled(made)
    return made


def wheel():
    """The wheel of the sources as they are: (path, whether it was made now)."""
    duckdb.need_duckdb()
    stamp, now = WHEELS / "key", key()
    found = list(WHEELS.glob("*.whl"))
    if len(found) == 1 and stamp.exists() and stamp.read_text() == now:
        return found[0], False
    made = make_wheel(environment(BUILD_ENVIRONMENT))
    stamp.write_text(now)
    return made, True


def install(path):
    """Puts the wheel, and nothing else of this checkout, into the environment of the tests."""
    python = environment(TEST_ENVIRONMENT)
    stamp = TEST_ENVIRONMENT / "wheel-key"
    now = (WHEELS / "key").read_text()
    if not stamp.exists() or stamp.read_text() != now:
        pip_install(TEST_ENVIRONMENT, "--no-index", "--force-reinstall", path)
        stamp.write_text(now)
    return python


def tested_python():
    """A Python that has the package as it is now, and what its tests need."""
    return install(wheel()[0])
