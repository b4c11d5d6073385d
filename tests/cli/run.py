"""run.py FILE.test [OUT]: runs a script of commands and compares what they print. One case per command.

A script is plain text:

    # A comment; `# Spec: D-71` above a case names the rows it tests.
    $ dither noise --law nope --count 1
    ! error: unknown-law: ...
    ! /hint:  .*discrete-laplace.*/
    exit 2

    $ dither noise --law discrete-laplace --scale 100 --count 2
    /-?[0-9]+/
    /-?[0-9]+/

After `$ ` stands a bash command line, with `dither` on the PATH, in a scratch folder that the cases of one file share.
Below it stand the lines it prints, all of them and in order; after `! ` those of standard error. Nothing below means
nothing printed. Inside a line `...` stands for any text; alone it stands for any number of lines; a line between
slashes is a regular expression for the whole line. `exit N` is the status, 0 when not given. Blank lines at the end of
a case do not count. A printed line that would look like one of these starts with a backslash here.
Cases run with LC_ALL=C.UTF-8 and COLUMNS=100, and keep the key that signs ledgers in the scratch folder. When OUT is
given, [{name, passed, seconds, output}] is written to it.
"""
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

SECONDS = 120


@dataclass
class Case:
    line: int
    command: str
    stdout: list = field(default_factory=list)
    stderr: list = field(default_factory=list)
    status: int = 0

    def name(self):
        return f"line {self.line}: {self.command}"


def parse(text):
    cases = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("$ "):
            cases.append(Case(number, line[2:]))
        elif line.startswith("#") or (not cases and not line.strip()):
            continue
        elif not cases:
            raise ValueError(f"line {number}: expected `$ command`, found `{line}`")
        elif line.startswith("! ") or line == "!":
            cases[-1].stderr.append(line[2:])
        elif re.fullmatch(r"exit \d+", line):
            cases[-1].status = int(line.split()[1])
        else:
            cases[-1].stdout.append(line)
    for case in cases:
        while case.stdout and not case.stdout[-1].strip():
            case.stdout.pop()
    return cases


def line_matches(expected, line):
    if len(expected) > 2 and expected[0] == expected[-1] == "/":
        return re.fullmatch(expected[1:-1], line) is not None
    literal = expected[1:] if expected.startswith("\\") else expected
    return re.fullmatch(".*".join(re.escape(part) for part in literal.split("...")), line) is not None


def matches(expected, lines):
    if not expected:
        return not lines
    if expected[0] == "...":
        return any(matches(expected[1:], lines[skip:]) for skip in range(len(lines) + 1))
    return bool(lines) and line_matches(expected[0], lines[0]) and matches(expected[1:], lines[1:])


def complaint(stream, expected, text):
    if matches(expected, text.splitlines()):
        return ""
    return f"{stream}, expected:\n" + "".join(f"  {line}\n" for line in expected) + f"{stream}, printed:\n" + \
        "".join(f"  {line}\n" for line in text[:4000].splitlines())


def run_case(case, folder, env):
    start = time.monotonic()
    try:
        done = subprocess.run(["bash", "-c", case.command], cwd=folder, env=env, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=SECONDS, check=False)
        stdout, stderr = (stream.decode(errors="replace") for stream in (done.stdout, done.stderr))
        output = complaint("stdout", case.stdout, stdout) + complaint("stderr", case.stderr, stderr)
        if done.returncode != case.status:
            output += f"exit {case.status} expected, exit {done.returncode} found\n"
    except subprocess.TimeoutExpired:
        output = f"stopped after {SECONDS} s\n"
    return {"name": case.name(), "passed": not output, "seconds": time.monotonic() - start, "output": output}


def run_script(path, programs):
    """Runs every case of a script; `programs` is the folder that holds `dither`."""
    pattern = os.environ.get("GTEST_FILTER", "*")
    with tempfile.TemporaryDirectory(prefix="dither-cli-") as folder:
        env = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8", "COLUMNS": "100",
               "DITHER_KEY": f"{folder}/ledger.key"}
        cases = parse(Path(path).read_text(encoding="utf-8"))
        return [run_case(case, folder, env) for case in cases if fnmatch.fnmatch(case.name(), pattern)]


def main():
    root = Path(__file__).resolve().parents[2]
    build = Path(os.environ.get("DITHER_BUILD", root / "build/release"))
    results = run_script(sys.argv[1], build / "apps/cli")
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(json.dumps(results), encoding="utf-8")
    else:
        for case in results:
            print("ok  " if case["passed"] else "FAIL", case["name"])
            print(case["output"], end="")
    sys.exit(0 if all(case["passed"] for case in results) else 1)


if __name__ == "__main__":
    main()
