"""The checks of `./dev lint`. Each returns a list of complaints; none means it passed."""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import building
from building import ROOT

PERMITTED = {"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "MIT", "Zlib", "MPL-2.0", "blessing",
             "LGPL-2.1-or-later", "LGPL-3.0-or-later", "GPL-3.0-with-GCC-exception"}
LGPL_NEEDS = "dynamic"  # what users must be able to replace may not be linked statically
# Found below by soname, or used by tests only.
BUILD_TOOLS = {"Threads", "GTest", "Python", "rapidcheck", "benchmark", "OpenSSL", "SQLite3", "ZLIB", "fmt",
               "yaml-cpp"}


def output(*command, check=True):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=check).stdout


def repository_files():
    """Tracked files and new ones that are not ignored; everything outside build/ where there is no git."""
    if (ROOT / ".git").exists():
        names = output("git", "ls-files", "-co", "--exclude-standard").splitlines()
    else:
        names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]
        names = [name for name in names if not name.startswith(("build/", ".cache/"))]
    return sorted(name for name in set(names) if (ROOT / name).is_file())


def cpp_files():
    return [name for name in repository_files() if name.endswith((".cc", ".h"))]


def check_format():
    done = subprocess.run(["clang-format-14", "--dry-run", "-Werror", *cpp_files()], cwd=ROOT, capture_output=True,
                          text=True, check=False)
    files = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, re.M)))
    complaints = [f"{name} is not formatted; run ./dev format" for name in files]
    return complaints or ([done.stderr] if done.returncode else [])


def commit(name):
    return output("git", "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", check=False).strip()


def changed_files():
    """What differs from origin/main, or from the last commit but one when we are on it; None when that is unknown."""
    if not (ROOT / ".git").exists():
        return None
    head, main = commit("HEAD"), commit("origin/main")
    base = output("git", "merge-base", head, main).strip() if main and main != head else commit("HEAD~1")
    if not head or not base:
        return None
    new = output("git", "ls-files", "-o", "--exclude-standard").splitlines()
    return set(output("git", "diff", "--name-only", base).splitlines() + new)


def tidy_files(everything):
    """Sources to look at: the changed ones, and those that stand beside a changed header."""
    known = [name for name in cpp_files() if name.endswith(".cc") and name.startswith(building.SOURCE_FOLDERS)]
    compiled = (ROOT / "build/release/compile_commands.json").read_text()
    known = [name for name in known if name.startswith("python/") or f'{ROOT}/{name}"' in compiled]
    changed = None if everything else changed_files()
    if changed is None or ".clang-tidy" in changed:
        return known
    stems = {name[:-2] for name in changed if name.endswith(".h")}
    return [name for name in known if name in changed or name[:-3] in stems or name[:-3].removesuffix("_test") in stems]


def plain_commands(folder):
    """The compile commands of a build folder without precompiled headers, which are for g++ alone."""
    commands = json.loads((folder / "compile_commands.json").read_text())
    for command in commands:
        command["command"] = re.sub(r" -Winvalid-pch -include \S+", "", command["command"])
    (folder / "tidy").mkdir(exist_ok=True)
    (folder / "tidy/compile_commands.json").write_text(json.dumps(commands))
    return folder / "tidy"


def check_tidy(everything):
    release = plain_commands(ROOT / "build/release")

    def one(name):
        # The compile commands are those of g++, which knows warnings that clang does not.
        place = ["-p", release]
        if name.startswith("python/"):
            place = ["-p", "build/python-build/tidy", "--header-filter=/(src|apps|python)/"]
        command = ["clang-tidy-14", "--quiet", *place, "--extra-arg=-Wno-unknown-warning-option", name]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        return f"clang-tidy, {name}:\n{done.stdout or done.stderr}" if done.returncode else ""

    files = tidy_files(everything)
    if any(name.startswith("python/") for name in files):
        import python_package
        python_package.wheel()  # whose build folder has their compile commands
        plain_commands(ROOT / "build/python-build")
    print(f"     clang-tidy looks at {len(files)} files", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [text for text in pool.map(one, files) if text]


def check_rooms():
    done = subprocess.run([sys.executable, "tests/rooms_test.py", "-q"], cwd=ROOT, capture_output=True, text=True,
                          check=False)
    return [done.stderr] if done.returncode else []


def read_licences(text):
    """{library: (package, licence, how linked)}"""
    rows = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {row[0]: tuple(row[1:]) for row in rows}


def licence_complaints(used, licences):
    """`used` is {library: package}, with no package for header-only libraries."""
    complaints = []
    for library, package in sorted(used.items()):
        if library not in licences:
            complaints.append(f"{library} (package {package or 'unknown'}) is linked but not in tools/licences.txt")
            continue
        listed, licence, linked = licences[library]
        if package and package != listed:
            complaints.append(f"{library} comes from package {package}, but tools/licences.txt says {listed}")
        if licence not in PERMITTED:
            complaints.append(f"{library} has licence {licence}, which a released program may not link")
        if licence.startswith("LGPL") and linked != LGPL_NEEDS:
            complaints.append(f"{library} is {licence} and must be linked dynamically, not `{linked}`")
    return complaints


def owner(path):
    """The Debian package of a library file."""
    real = os.path.realpath(path)
    for spelling in (path, real, real.removeprefix("/usr"), path.removeprefix("/usr")):
        found = output("dpkg-query", "-S", spelling, check=False)
        if found:
            return found.split(":")[0]
    return "unknown"


def linked_libraries(program):
    """{library: package} of every shared library that is loaded with the program."""
    paths = re.findall(r"(/\S+) \(0x", output("ldd", str(program)))
    return {Path(path).name.split(".so")[0]: owner(path) for path in paths}


def check_licences():
    building.build("release", ["dither-verify"])
    program = ROOT / "build/release/apps/cli/dither-verify"
    used = linked_libraries(program)
    for name in repository_files():
        if Path(name).name == "CMakeLists.txt":
            packages = set(re.findall(r"find_package\(([\w-]+)", (ROOT / name).read_text())) - BUILD_TOOLS
            used.update({package: "" for package in packages})
    rules = (ROOT / "build/release/build.ninja").read_text()
    line = re.search(r"build apps/cli/dither-verify:.*?(?=\n\n)", rules, re.S)
    static = [word for word in line.group(0).split() if word.startswith("/") and word.endswith(".a")]
    used.update({Path(word).name: owner(word) for word in static})
    return licence_complaints(used, read_licences((ROOT / "tools/licences.txt").read_text()))


def check_scripts():
    complaints = []
    for name in repository_files():
        path = ROOT / name
        if name.endswith(".py"):
            text = path.read_text(encoding="utf-8")
            long = [str(at) for at, line in enumerate(text.splitlines(), 1) if len(line) > 120]
            complaints += [f"{name}: lines past column 120: {' '.join(long)}"] if long else []
            try:
                compile(text, name, "exec")
            except SyntaxError as wrong:
                complaints.append(f"{name}: {wrong}")
        elif name.endswith(".sh") or path.read_bytes().startswith(b"#!/usr/bin/env bash"):
            done = subprocess.run(["bash", "-n", path], capture_output=True, text=True, check=False)
            complaints += [done.stderr] if done.returncode else []
    return complaints


def run(everything):
    building.configure("release")
    checks = {"scripts": check_scripts, "rooms": check_rooms, "format": check_format, "licences": check_licences,
              "tidy": lambda: check_tidy(everything)}
    failed = False
    for name, check in checks.items():
        try:
            complaints = check()
        except subprocess.CalledProcessError as failure:
            complaints = [str(failure)]
        print(f"{'FAIL' if complaints else 'ok':<5}{name}", flush=True)
        for complaint in complaints:
            print(complaint.rstrip(), flush=True)
        failed = failed or bool(complaints)
    print("lint: failed" if failed else "lint: clean")
    return 1 if failed else 0
