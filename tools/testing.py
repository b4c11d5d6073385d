"""Builds and runs the tests of a preset: gtest programs, file by file, other commands that CMake registered, the Python
files tests/*_test.py, the scripts tests/cli/*.test and tests/sql/*.test, and all that checks the Python package. Ends
in one line, `N passed, N failed`, counted by test case."""
import concurrent.futures
import fnmatch
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import building
import python_package
import watchdog
from building import ROOT

GRACE = 30  # seconds that a program which ends itself at its limit (watchdog.py, testing/main.cc) has for that
SAVED = ("room", "file", "name", "passed", "seconds")


@dataclass
class Job:
    """One process that runs test cases and may write them to the path in `$GTEST_OUTPUT` or to its last argument."""
    room: str
    name: str
    file: str
    command: list
    target: str = ""
    folder: Path = ROOT
    env: dict = field(default_factory=dict)
    takes_out: bool = False


def registered(folder):
    """The tests CMake knows: the program of each room, and other commands."""
    listing = ["ctest", "--show-only=json-v1"]
    text = subprocess.run(listing, cwd=folder, capture_output=True, text=True, check=True).stdout
    jobs = []
    for test in json.loads(text)["tests"]:
        name, properties = test["name"], {p["name"]: p["value"] for p in test.get("properties", [])}
        room = properties.get("LABELS", [name.split("/")[0]])[0]
        # For a program not built yet ctest gives no command, but we know where it will be.
        command = test.get("command", [str(folder / "tests" / room / f"{room}_tests")])
        target = Path(command[0]).name if Path(command[0]).is_relative_to(folder) else ""
        jobs.append(Job(room, name, name, command, target, Path(properties.get("WORKING_DIRECTORY", folder)),
                        dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))))
    return jobs


def listed(program, env):
    """{file name: {suite: [case]}} of the cases of a test program that `env` does not filter out."""
    with tempfile.TemporaryDirectory(prefix="dither-test-") as scratch:
        out = Path(scratch) / "cases.json"
        subprocess.run([program, "--gtest_list_tests", f"--gtest_output=json:{out}"], env=env, check=False,
                       stdout=subprocess.DEVNULL)
        suites = json.loads(out.read_text())["testsuites"] if out.exists() else []
    files = {}
    for suite in suites:
        for case in suite["testsuite"]:
            files.setdefault(Path(case["file"]).name, {}).setdefault(suite["name"], []).append(case["name"])
    return files


def by_file(job, env):
    """The program of a room as one job for each source, so that what forks, or dies, does so among few cases."""
    files = listed(job.command[0], env)
    sources = {path.name: path.relative_to(ROOT) for path in building.sources("_test.cc")
               if building.room_of(path) == job.room}
    if not env.get("GTEST_FILTER"):
        files = {**dict.fromkeys(sources, {}), **files}  # a source without a case fails
    places = [suite for suites in files.values() for suite in suites]
    jobs = []
    for name, suites in sorted(files.items()):
        whole = [suite for suite in suites if not env.get("GTEST_FILTER") and places.count(suite) == 1]
        chosen = [f"{suite}.*" for suite in whole]
        chosen += [f"{suite}.{case}" for suite in suites if suite not in whole for case in suites[suite]]
        stem = Path(name).stem
        jobs.append(replace(job, name=f"{job.room}/{stem}", file=str(sources.get(name, name)),
                            command=[*job.command, f"--gtest_filter={':'.join(chosen) or '-*'}"]))
    return jobs


def longest_first(jobs, folder):
    """By what each took the last time here; what is new comes first."""
    try:
        last = json.loads((folder / "test-results.json").read_text())
    except (OSError, ValueError):
        return jobs
    seconds = {}
    for case in last:
        seconds[case["file"]] = seconds.get(case["file"], 0) + case["seconds"]
    return sorted(jobs, key=lambda job: -seconds.get(job.file, float("inf")))


def scripts(folder):
    env = {"DITHER_BUILD": str(folder)}
    return [Job(kind, path.stem, str(path.relative_to(ROOT)), [sys.executable, ROOT / f"tests/{kind}/run.py", path],
                target="dither-verify", env=env, takes_out=True)
            for kind in ("cli", "sql") for path in sorted((ROOT / f"tests/{kind}").glob("*.test"))]


def python_files(folder):
    env = {"DITHER_BUILD": str(folder)}
    return [Job("tests", path.stem, str(path.relative_to(ROOT)), [sys.executable, ROOT / "tools/run_unittest.py", path],
                target="all", env=env, takes_out=True) for path in sorted((ROOT / "tests").glob("*_test.py"))]


def python_jobs():
    """The wheel as people install it: its tests, the examples of its documents, its types, the notebooks."""
    python = [python_package.TEST_PYTHON, "-IB"]  # nothing of this checkout is found before the wheel
    runner = [*python, ROOT / "tools/run_pytest.py"]
    cache = python_package.TEST_ENVIRONMENT / "mypy"
    strict = [*python, "-m", "mypy", "--strict", "--cache-dir", cache, "-p", "dither"]

    def job(name, file, command, **more):
        return Job("python", name, str(file), command, **more)

    return [*[job(path.stem, path.relative_to(ROOT), [*runner, path], takes_out=True)
              for path in sorted((ROOT / "python/tests").glob("test_*.py"))],
            job("doctests", "python/dither", [*runner, "dither"], takes_out=True),
            job("mypy", "python/dither", strict),
            *[job(path.stem, path.relative_to(ROOT), [*python, ROOT / "tools/notebooks.py", path])
              for path in sorted((ROOT / "docs/python").glob("*.ipynb"))]]


def gtest_output(name, text):
    """What one gtest case printed, or everything when it did not come to its end."""
    found = re.search(rf"\[ RUN      \] {re.escape(name)}\n(.*?)\[  FAILED  \]", text, re.S)
    return (found.group(1) if found else text)[-8000:]


def gtest_cases(document, text):
    for suite in document["testsuites"]:
        for case in suite["testsuite"]:
            name = f"{suite['name']}.{case['name']}"
            if case["status"] == "NOTRUN" and not case["name"].startswith("DISABLED_"):
                continue  # filtered out
            passed = case["status"] == "RUN" and case["result"] == "COMPLETED" and not case.get("failures")
            output = "" if passed else gtest_output(name, text) if case.get("failures") else "skipped or disabled"
            yield {"name": name, "passed": passed, "seconds": float(case["time"].rstrip("s")), "output": output}


def unended(text):
    """The gtest case within which a program ended, or ""."""
    marks = re.findall(r"^\[ (RUN     |      OK| FAILED | SKIPPED) \] (\S+)", text, re.M)
    return marks[-1][1] if marks and marks[-1][0].startswith("RUN") else ""


def cases_of(job, status, text, out, seconds, pattern):
    """The cases of a finished process. A crash, or a failure that no case explains, is a failed case of its own."""
    whole = {"name": unended(text) or job.name, "passed": status == 0, "seconds": seconds, "output": text[-8000:]}
    if not out.exists() or not out.read_text().strip():
        return [whole] if status != 0 or pattern == "*" or fnmatch.fnmatch(job.name, pattern) else []
    document = json.loads(out.read_text())
    cases = list(gtest_cases(document, text)) if isinstance(document, dict) else document
    for case in cases:
        if case.pop("unended", False):
            case["output"] += text[-8000:]
    if status != 0 and all(case["passed"] for case in cases):
        cases.append(whole)
    if not cases and pattern == "*":
        cases.append({**whole, "passed": False, "output": "holds no test"})
    return cases


def execute(job, env, limit, pattern):
    with tempfile.TemporaryDirectory(prefix="dither-test-") as scratch:
        out = Path(scratch) / "cases.json"
        command = [*job.command, out] if job.takes_out else job.command
        start = time.monotonic()
        own = {"GTEST_OUTPUT": f"json:{out}", "DITHER_TEST_SECONDS": str(limit)}
        process = subprocess.Popen(command, cwd=job.folder, env={**env, **job.env, **own},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors="replace", start_new_session=True)
        try:
            text, _ = process.communicate(timeout=limit + GRACE)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            text = process.communicate()[0] + f"\nstopped after {limit + GRACE} s"
        seconds = time.monotonic() - start
        if process.returncode < 0:
            text += f"\nkilled by signal {-process.returncode}"
        return cases_of(job, process.returncode, text, out, seconds, pattern), seconds


def environment(args):
    env = dict(os.environ)
    if args.nightly:
        env["DITHER_NIGHTLY"] = "1"
    if args.filter:
        env["GTEST_FILTER"] = args.filter
    if args.seed is not None:
        env.update(DITHER_SEED=str(args.seed), GTEST_RANDOM_SEED=str(args.seed % 100000), RC_PARAMS=f"seed={args.seed}")
    return env


def choose(preset, folder, rooms):
    """The jobs of these rooms. Scripts in Python, and the Python package, are about the released build alone."""
    jobs = python_files(folder) + python_jobs() if preset == "release" else []  # first: the longest are among them
    jobs += registered(folder) + scripts(folder)
    known = {job.room for job in jobs}
    unknown = [room for room in rooms if room not in known]
    if unknown:
        print(f"error: no tests in `{unknown[0]}`\nhint:  rooms with tests: {' '.join(sorted(known))}", file=sys.stderr)
        sys.exit(2)
    return [job for job in jobs if not rooms or job.room in rooms]


def nightly_jobs():
    """What only a night is long enough for; each counts as one case."""
    dev = str(ROOT / "dev")
    build = "import sys; sys.path.insert(0, 'tools'); import building; building.build('clang')"
    return [Job("nightly", "lint-all", "dev", [dev, "lint", "--all"]),
            Job("nightly", "clang-build", "CMakePresets.json", [sys.executable, "-c", build]),
            Job("nightly", "sdist", "pyproject.toml", [sys.executable, ROOT / "tools/sdist.py"])]


def show_times(rooms, out):
    print(f"\n{'room':<12}{'cases':>8}{'seconds':>10}", file=out)
    for room, (count, seconds) in sorted(rooms.items()):
        print(f"{room:<12}{count:>8}{seconds:>10.1f}", file=out)


def build_for(preset, jobs, everything):
    """Builds what the jobs need. Packages from the network and the compiler do not wait for each other."""
    targets = {job.target for job in jobs if job.room != "python"}
    python = any(job.room == "python" for job in jobs)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        ready = pool.submit(python_package.environments) if python else None
        if everything or targets & {"", "all"}:
            building.build(preset, ["all"])
        elif targets:
            building.build(preset, sorted(targets))
        if ready:
            ready.result()
    if python:
        python_package.tested_python()


def run(preset, args, out=sys.stdout):
    folder = building.configure(preset)
    jobs = choose(preset, folder, args.room)
    try:
        build_for(preset, jobs, not args.room)
    except subprocess.CalledProcessError:
        print("the build failed, so no test ran\n0 passed, 1 failed", file=out)
        return 1
    limit = watchdog.NIGHTLY_SECONDS if args.nightly else watchdog.SECONDS
    if args.nightly and preset == "release" and not args.room and not args.filter:
        jobs += nightly_jobs()

    results, rooms = [], {}
    env = environment(args)
    programs = {job.target: by_file(job, env) for job in jobs if job.target.endswith("_tests")}
    jobs = [one for job in jobs for one in programs.get(job.target, [job])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1) as pool:  # some of them mostly wait
        ordered = longest_first(jobs, folder)
        started = {pool.submit(execute, job, env, limit, args.filter or "*"): job for job in ordered}
        for future in concurrent.futures.as_completed(started):
            job = started[future]
            cases, seconds = future.result()
            failed = [case for case in cases if not case["passed"]]
            if cases:
                word, name = "FAIL" if failed else "ok", f"{job.room}/{job.name.split('/')[-1]}"
                print(f"{word:<5}{name:<40}{len(cases):>5} {seconds:8.2f} s", file=out)
            for case in failed:
                print(f"--- {job.file}: {case['name']}\n{case['output'].rstrip()}\n---", file=out)
            out.flush()
            count, total = rooms.get(job.room, (0, 0.0))
            rooms[job.room] = (count + len(cases), total + seconds)
            results += [{"room": job.room, "file": job.file, **case} for case in cases]

    failed = sum(not case["passed"] for case in results)
    with open(folder / "test-results.json", "w", encoding="utf-8") as file:
        json.dump([{key: case[key] for key in SAVED} for case in results], file, indent=0)
    if args.times:
        show_times(rooms, out)
    print(f"{len(results) - failed} passed, {failed} failed", file=out, flush=True)
    return 0 if results and not failed else 1
