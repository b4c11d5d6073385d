"""Draws what the documents show: docs/figures/*.csv and *.svg, and the table of samplers in docs/accounting.md, which
is what `dither account` answers. Used by `./dev figures`."""
import json
import re
import subprocess

from building import ROOT

PAGE = ROOT / "docs/accounting.md"
BEGIN, END = "<!-- samplers: ./dev figures writes this table -->", "<!-- end of samplers -->"

SAMPLERS = {
    "none": None,
    "Poisson": {"poisson": 0.01},
    "Poisson, batches cut": {"poisson": 0.01, "max_batch": 500, "population": 20000},
    "without replacement": {"without_replacement": 200, "population": 20000},
    "with replacement": {"with_replacement": 10, "population": 1000},
    "shuffled batches": {"shuffled_batches": 100},
    "random allocation": {"random_allocation": 100},
    "all or nothing": {"all_or_nothing": 0.01},
}
MECHANISMS = {
    "gaussian": {"mechanism": "gaussian", "sigma": 2},
    "laplace": {"mechanism": "laplace", "scale": 2},
    "discrete": {"mechanism": "discrete-laplace", "scale": 2},
    "black-box": {"mechanism": "black-box", "epsilon": 0.5, "delta": 1e-9},
    "zcdp": {"mechanism": "zcdp", "rho": 0.1},
    "renyi": {"mechanism": "renyi", "orders": [2, 4, 8], "epsilons": [0.1, 0.2, 0.4]},
}
RELATIONS = ["add-remove", "replace-one"]


def accepted(dither, sampler, mechanism, relation):
    """Whether some accountant certifies a finite epsilon, and whether a lower end is known; "" when it is refused."""
    event = {"sample": sampler, "of": mechanism} if sampler else dict(mechanism)
    document = json.dumps({"neighbours": relation, "events": [{**event, "times": 10}]})
    done = subprocess.run([dither, "account", "-", "--delta", "1e-6", "--json"], input=document, capture_output=True,
                          text=True, check=False)
    if done.returncode == 2 and done.stderr.startswith("error: no-theorem"):
        return ""
    answer = json.loads(done.stdout)
    return "exact" if answer["epsilon_lower"] is not None else "bound"


def sampler_table(dither):
    """The table as Markdown: for each sampler and relation, the mechanisms with a theorem."""
    lines = ["| sampler | " + " | ".join(RELATIONS) + " |", "|---" * (1 + len(RELATIONS)) + "|"]
    for name, sampler in SAMPLERS.items():
        cells = []
        for relation in RELATIONS:
            found = {"exact": [], "bound": [], "": []}
            for word, mechanism in MECHANISMS.items():
                found[accepted(dither, sampler, mechanism, relation)].append(word)
            parts = [", ".join(found["exact"]), f"*{', '.join(found['bound'])}*" if found["bound"] else ""]
            cells.append("; ".join(part for part in parts if part) or "refused")
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def table_in_page():
    found = re.search(f"{re.escape(BEGIN)}\n(.*?)\n{re.escape(END)}", PAGE.read_text(encoding="utf-8"), re.S)
    return found.group(1)


def draw_all():
    folder = ROOT / "docs/figures"
    folder.mkdir(exist_ok=True)
    subprocess.run([ROOT / "build/release/apps/figures/dither-figures", folder], check=True)
    for path in sorted(folder.iterdir()):
        print(path.relative_to(ROOT))
    text = PAGE.read_text(encoding="utf-8")
    table = sampler_table(ROOT / "build/release/apps/cli/dither")
    PAGE.write_text(text.replace(table_in_page(), table), encoding="utf-8")
    print(PAGE.relative_to(ROOT))
