"""run.py FILE.test [OUT]: prices the statements of a script with `dither explain` and compares. One case per line.

A script is plain text; a comment starts with `--`, and two comments say what follows is about:

    -- project: visits.yaml            a project file beside the script; holds until the next one
    -- with: R=6 h=(5000-0)/2          names for the derivations below, each an expression
    -- spec: W-08                      the rows that the next line tests
    priced   epsilon=0.5 noise=laplace scale=R/epsilon     SELECT COUNT(*) FROM visits;
    priced   epsilon=0.5 part=rows:laplace:2*R/epsilon part=sum:laplace:2*R*h/epsilon     SELECT AVG(cost) FROM visits;
    refused  missing-bounds epsilon=0.5                    SELECT SUM(cost) FROM visits;
    same     daily epsilon=0.5                             SELECT COUNT(*) FROM visits WHERE cost > 5;
    answers                                                SELECT city, COUNT(*) FROM visits GROUP BY city;

`answers` runs the statement with `dither query` and in plain SQL over small data (answers.py). `-- answers: FILE...`
does so with every statement that these scripts price or compare under the same project file.

epsilon, rho, delta, error, expect and as are handed to `dither explain`; without any price epsilon is 1.

    noise=LAW scale=E      of the only number: laplace, gaussian, discrete-gaussian, none
    part=KIND:LAW:SCALE[:SHARE]   of each number, in the order of the kinds units, rows, sum, squares
    keys=none | public:N | private:RULE[:PRICE[:SHOWN_FROM]]
    se=E[,E...]            standard errors of the columns; `-` where none can be predicted
    solved=E               the epsilon found for a wanted error; it is rounded up to three digits, so at most 1% above
    cost=NAME:E[,NAME:E]   what the ledger is asked for
    fits=yes | no

Values are expressions over the names, the price (epsilon, rho, delta) and the functions below; they agree within 1e-9.
All `same` lines of one name have one plan hash, and no two names share one. `{N*text}` in a statement stands for the
text N times. Statements go through standard input, so they may be long. When OUT is given, [{name, passed, seconds,
output}] is written to it.
"""
import concurrent.futures
import contextlib
import fnmatch
import json
import math
import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import answers  # noqa: E402  (beside this file)

SECONDS = 60
PRICES = ("epsilon", "rho", "delta", "error", "expect", "as")
LAWS = {"laplace": "discrete-laplace", "gaussian": "real-gaussian", "discrete-gaussian": "discrete-gaussian",
        "none": "none"}
CHECKS = ("noise", "scale", "part", "keys", "se", "solved", "cost", "fits")
WORD = re.compile(r"(\w+)=(\S+)\s+")


def laplace_se(scale):
    """Of discrete Laplace noise on whole numbers."""
    q = math.exp(-1 / scale)
    return math.sqrt(2 * q) / (1 - q)


def laplace_rate(error):
    """The least 1 / scale at which discrete Laplace noise X has P(|X| > error) <= 1/20: 2 q^(error + 1) / (1 + q)."""
    low, high = 1e-12, 100.0
    for _ in range(200):
        middle = math.sqrt(low * high)
        too_wide = 2 * math.exp(-middle * (error + 1)) / (1 + math.exp(-middle)) > 0.05
        low, high = (middle, high) if too_wide else (low, middle)
    return high


def gauss(epsilon, delta):
    """The least sigma for sensitivity 1: Phi(1/2s - es) - e^e Phi(-1/2s - es) = delta, found by halving."""
    def phi(x):
        return math.erfc(-x / math.sqrt(2)) / 2

    def excess(sigma):
        return phi(0.5 / sigma - epsilon * sigma) - math.exp(epsilon) * phi(-0.5 / sigma - epsilon * sigma) - delta

    low, high = 1e-3, 1e6
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return high


def select(epsilon, delta):
    """The least number of units at which the best rule for one key shows it with probability 1/2 or more."""
    shown, units = 0.0, 0
    while shown < 0.5:
        grown, shrunk = math.exp(epsilon) * shown + delta, 1 - math.exp(-epsilon) * (1 - shown - delta)
        shown, units = min(grown, shrunk, 1.0), units + 1
    return units


FUNCTIONS = {"sqrt": math.sqrt, "cbrt": lambda x: float(x) ** (1 / 3), "pow": pow, "log": math.log, "exp": math.exp,
             "min": min, "max": max, "laplace_se": laplace_se,
             "laplace_rate": laplace_rate, "gauss": gauss, "select": select}


def value_of(expression, names):
    return float(eval(expression, {"__builtins__": {}}, {**FUNCTIONS, **names}))  # our own scripts, not input


@dataclass
class Case:
    line: int
    text: str
    kind: str
    label: str      # a code, or the name of a group of equal plans
    words: list     # [(name, value)]
    sql: str
    project: Path
    names: dict

    def name(self):
        return f"line {self.line}: {self.text}"

    def given(self, name):
        return [value for key, value in self.words if key == name]

    def value(self, expression):
        prices = {key: float(Fraction(value)) for key, value in self.words if key in ("epsilon", "rho", "delta")}
        return value_of(expression, {"epsilon": 1.0, **self.names, **prices})


def parse_line(number, line, project, names):
    kind, rest = re.fullmatch(r"(\w+)\s+(.*)", line).groups()
    if kind not in ("priced", "refused", "same", "answers"):
        raise ValueError(f"line {number}: expected `priced`, `refused`, `same` or `answers`, found `{kind}`")
    label = ""
    if kind in ("refused", "same"):
        label, rest = re.fullmatch(r"(\S+)\s+(.*)", rest).groups()
    words = []
    while found := WORD.match(rest):
        words.append((found[1], found[2]))
        rest = rest[found.end():]
    unknown = [key for key, _ in words if key not in PRICES + (CHECKS if kind == "priced" else ())]
    if unknown or (kind == "priced" and not any(key in CHECKS for key, _ in words)):
        raise ValueError(f"line {number}: " + (f"`{unknown[0]}` means nothing here" if unknown else "checks nothing"))
    sql = re.sub(r"\{(\d+)\*(.*?)\}", lambda found: int(found[1]) * found[2], rest)
    return Case(number, line, kind, label, words, sql, project, names)


def parse(path):
    cases, project, names = [], None, {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if found := re.match(r"-- project: (\S+)", line):
            project = path.parent / found[1]
        elif found := re.match(r"-- with: (.*)", line):
            names = dict(names)
            for pair in found[1].split():
                key, expression = pair.split("=", 1)
                names[key] = value_of(expression, names)
        elif found := re.match(r"-- answers: (.*)", line):
            for name in found[1].split():
                cases += answered(number, path.parent / name, project)
        elif line.strip() and not line.startswith("--"):
            cases.append(parse_line(number, line, project, names))
    return cases


def answered(number, path, project):
    """The statements of another script under this project file, each once, to be answered."""
    found = {case.sql: case for case in parse(path) if case.kind in ("priced", "same") and case.project == project}
    return [Case(number, f"{path.name}: {sql}", "answers", "", [], sql, project, {}) for sql in found]


def close(found, expected):
    return abs(found - expected) <= 1e-9 * max(abs(found), abs(expected))


def number(text):
    return float(Fraction(text)) if isinstance(text, str) and text not in ("inf", "nan") else float(text)


def differ(what, found, expected):
    return "" if close(found, expected) else f"{what} is {found!r}, expected {expected!r}\n"


def check_part(case, part, expected):
    kind, law, scale, *share = expected.split(":")
    complaint = ""
    if (part["measure"], part["noise"]) != (kind, LAWS[law]):
        complaint += f"{part['measure']} with {part['noise']}, expected {kind} with {LAWS[law]}\n"
    complaint += differ(f"scale of {kind}", number(part["scale"]), case.value(scale))
    if share:
        complaint += differ(f"share of {kind}", number(part["share"]), case.value(share[0]))
    return complaint


def check_parts(case, answer):
    parts = answer["parts"]
    if law := case.given("noise"):
        if len(parts) != 1:
            return f"{len(parts)} numbers, expected one\n"
        scale = case.given("scale") or ["0"]
        return check_part(case, parts[0], f"{parts[0]['measure']}:{law[0]}:{scale[0]}")
    expected = case.given("part")
    if expected and len(parts) != len(expected):
        return f"{len(parts)} numbers, expected {len(expected)}\n"
    return "".join(check_part(case, part, one) for part, one in zip(parts, expected))


def check_keys(case, answer):
    for expected in case.given("keys"):
        kind, *more = expected.split(":")
        keys = answer["keys"]
        if kind != keys["kind"]:
            return f"keys are {keys['kind']}, expected {kind}\n"
        if kind == "public":
            return differ("the number of keys", keys["count"], case.value(more[0]))
        if kind == "private":
            complaint = "" if keys["rule"] == more[0] else f"keys by {keys['rule']}, expected {more[0]}\n"
            for what, one in zip(("price", "shown_from"), more[1:]):
                complaint += differ(f"{what} of keys", number(keys[what]), case.value(one))
            return complaint
    return ""


def check_rest(case, answer):
    complaint = ""
    for expected in case.given("se"):
        found = [column["standard_error"] for column in answer["columns"]]
        wanted = expected.split(",")
        if len(found) != len(wanted):
            return f"{len(found)} columns, expected {len(wanted)}\n"
        for i, (one, other) in enumerate(zip(found, wanted)):
            if other == "-" or one is None:
                complaint += "" if other == "-" and one is None else f"column {i}: error {one}, expected {other}\n"
            else:
                complaint += differ(f"standard error of column {i}", one, case.value(other))
    for expected in case.given("solved"):
        found, wanted = number(answer["price"]["epsilon"]), case.value(expected)
        if not (1 - 1e-9) * wanted <= found <= 1.0101 * wanted:
            complaint += f"epsilon {found}, expected {wanted} or at most 1% more\n"
    for expected in case.given("cost"):
        for pair in expected.split(","):
            key, one = pair.split(":")
            complaint += differ(key, number(answer["cost"].get(key, "nan")), case.value(one))
    for expected in case.given("fits"):
        if answer["fits"] != (expected == "yes"):
            complaint += f"fits is {answer['fits']}\n"
    return complaint


def explain(case, dither):
    options = [word for key, value in case.words if key in PRICES for word in (f"--{key}", value)]
    if not any(case.given(key) for key in ("epsilon", "rho", "error")) and "OPTIONS" not in case.sql:
        options += ["--epsilon", "1"]
    return subprocess.run([dither, "explain", "--json", "--project", case.project, *options, "-"], capture_output=True,
                          input=case.sql.encode("utf-8", "surrogateescape"), timeout=SECONDS, check=False)


def run_case(case, dither, worlds):
    """(complaint, plan hash)"""
    if case.kind == "answers":
        return answers.check(worlds[case.project], dither, case.sql), ""
    done = explain(case, dither)
    error = done.stderr.decode(errors="replace")
    if case.kind == "refused":
        found = re.match(r"error: ([\w-]+): .*\nhint:  .+", error)
        if done.returncode not in (2, 3) or done.stdout or not found:
            return f"not refused (exit {done.returncode}): {error}", ""
        return ("" if found[1] == case.label else f"refused otherwise: {error}"), ""
    if done.returncode != 0:
        return f"exit {done.returncode}: {error}", ""
    answer = json.loads(done.stdout)
    return check_parts(case, answer) + check_keys(case, answer) + check_rest(case, answer), answer["plan_hash"]


def compare_plans(cases, results):
    """Adds complaints where plans that are the same differ, or others are equal."""
    first = {}
    for case, result in zip(cases, results):
        if case.kind != "same":
            continue
        own, line = first.setdefault(case.label, (result["hash"], case.line))
        if own != result["hash"]:
            result["output"] += f"another plan than line {line}\n"
    owners = {}
    for case, result in zip(cases, results):
        if case.kind == "same" and owners.setdefault(result["hash"], case.label) != case.label:
            result["output"] += f"the plan of {owners[result['hash']]}\n"


def run_script(path, programs):
    pattern = os.environ.get("GTEST_FILTER", "*")
    cases = [case for case in parse(Path(path)) if fnmatch.fnmatch(case.name(), pattern)]

    worlds = {project: answers.World(project) for project in {one.project for one in cases if one.kind == "answers"}}

    def timed(case):
        start = time.monotonic()
        try:
            output, plan = run_case(case, Path(programs) / "dither", worlds)
        except subprocess.TimeoutExpired:
            output, plan = f"stopped after {SECONDS} s\n", ""
        return {"name": case.name(), "seconds": time.monotonic() - start, "output": output, "hash": plan}

    with contextlib.ExitStack() as at_the_end, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for world in worlds.values():
            at_the_end.callback(world.close)
        results = list(pool.map(timed, cases))
    compare_plans(cases, results)
    return [{"name": one["name"], "passed": not one["output"], "seconds": one["seconds"], "output": one["output"]}
            for one in results]


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
