"""What the rooms make, read off their headers: everything that should be in a list of claims."""
import re

# Not one thing with a promise of its own: {(room, name): why}.
HELPERS = {
    **dict.fromkeys([("calculus", "make_transformation"), ("calculus", "make_measurement"),
                     ("calculus", "transformation_from_json"), ("calculus", "measurement_from_json")],
                    "makes whatever a recipe or a text says"),
    **dict.fromkeys([("calculus", "keep_rows"), ("calculus", "map_column")], "what steps on rows are made of"),
    **dict.fromkeys([("calculus", "Release"), ("calculus", "Measurement"), ("calculus", "Transformation")],
                    "a view of a step that somebody made"),
    ("calculus", "AnyMeasurement"): "every measurement",
    ("calculus", "Bounded"): "how a measurement on a local bound draws",
    ("mechanisms", "NoisyMean"): "what the makers of means return, whose claims these are",
    **dict.fromkeys([("mechanisms", "add_noise"), ("mechanisms", "Centred")], "draws what its caller names"),
    **dict.fromkeys([("mechanisms", "BoxNoise"), ("mechanisms", "CrossNoise"), ("mechanisms", "KNormNoise")],
                    "the noise of k-norm"),
    ("mechanisms", "PolyaShare"): "a share of distributed-laplace",
    **dict.fromkeys([("session", "Part"), ("session", "KeyChoice"), ("sql", "Moves"), ("sql", "exact_measure"),
                     ("sql", "units_by_key")], "parts of a priced statement, whose kinds have the claims"),
    **dict.fromkeys([("accounting", "make_spectrum"), ("accounting", "make_plan"), ("accounting", "make_nodes")],
                    "grids of numbers"),
    **dict.fromkeys([("engine", "make_room"), ("engine", "make_folder"), ("engine", "make_layout")],
                    "memory of the bounding operator"),
    **dict.fromkeys([("ledger", "make_dataset"), ("ledger", "make_budget"), ("ledger", "make_private_folder"),
                     ("session", "make_ledger_in_memory")], "rows, files and books of the ledger"),
    ("session", "Worker"): "a process that does jobs for this one: what they draw is claimed where it is drawn",
    ("random", "make_now"): "builds a table on first use",
}
# A maker `make_foo` is claimed as "foo", the name of its recipe; these make others' recipes.
SAME_RECIPE = {"make_real_gaussian_gdp": "real-gaussian"}
# A class that keeps several promises.
ALSO = {"Queryable": ["odometer"]}
# A sampler `Foo` or `foo` is claimed as "draw-foo", but for these.
SAMPLER_NAMES = {
    "Source": "random-source",
    "RealNoise": "draw-normal", "rounded_real": "draw-normal",  # each law of RealLaw has its own claim
    "uniform_below": "draw-uniform", "uniform_below_wide": "draw-uniform", "fill_uniform_below": "draw-uniform",
    "shuffle": "draw-permutation", "choose": "draw-subset",
}

# Accounting: whatever a header says a Guarantee of; rules; classes that compose; states that charges are added to; the
# samples that events are made on, and the mechanisms. Each is claimed under its name, but for these.
WHATEVER_HAS_IT = []  # stated by whoever released it, and composed like all others
ACCOUNTS = {
    "parallel": [("parallel-composition", "accounting")],
    "FilterState": [],  # its rules have the claims
    "PureOdometer": [("odometer", "calculus")], "Odometer": [("odometer", "calculus")],
    "Poisson": [("sampled-composition", "accounting"), ("cut-batches", "accounting")],
    "AllOrNothing": [],  # refused under every relation: it amplifies nothing, and there is no price to attack
}
KINDS = {
    "Gaussian": [("real-gaussian", "mechanisms")], "DiscreteGaussian": [("gaussian", "mechanisms")],
    **dict.fromkeys(("Exponential", "PermuteAndFlip", "NoisyMax", "SparseVector"), [("selection", "accounting")]),
    **dict.fromkeys(("BlackBox", "Zcdp", "Renyi", "Gdp"), WHATEVER_HAS_IT),
    "Tree": [("matrix", "accounting")], "Mixture": [("mix", "calculus")],
    "KeyRelease": [("laplace-threshold", "mechanisms"), ("gaussian-threshold", "mechanisms")],
    **{name: [(claim, "mechanisms")] for name, claim in
       {"Laplace": "laplace", "DiscreteLaplace": "discrete-laplace", "Staircase": "staircase"}.items()},
}
# Every header of accounting: the claims whose price is worked out there, or why it prices nothing.
ENGINE = ["composition"]  # of the accountant: what it adds up is attacked as a whole
PRICES = {
    **dict.fromkeys(("accountant", "advanced", "cost", "curves", "fourier", "gaussian", "lattice", "loss",
                     "loss_distribution", "moments", "optimal", "profile", "renyi", "renyi_curves", "tradeoff", "zcdp"),
                    ENGINE),
    "allocation": ["random-allocation"],
    "batches": ["sampled-composition", "cut-batches", "without-replacement", "with-replacement", "shuffled-batches"],
    "cells": ["sampled-composition", "without-replacement"],
    "sampled_gaussian_renyi": ["sampled-composition"], "sampling_renyi": ["sampled-composition", "without-replacement"],
    "group": ["unit-groups"], "hidden_state": ["hidden-state"], "matrix": ["matrix"], "tuning": ["tuning"],
    "shuffle": ["shuffle"], "selection": ["selection"], "native_atoms": ["composition", "randomised-response"],
    "individual": ["individual-filter"], "parallel": ["parallel-composition"],
    "key_release": [("laplace-threshold", "mechanisms")], "odometer": [("odometer", "calculus")],
    "relations": [("change-relation", "calculus")],
    **dict.fromkeys(("accounting", "claims"), "the room's face, and its list of claims"),
    **dict.fromkeys(("event", "mechanism", "sampler", "neighbours", "catalogue"), "words for what was released"),
    **dict.fromkeys(("amount", "bounds", "certified", "failure", "spent"), "numbers, and how they are rounded"),
    **dict.fromkeys(("filter", "filter_rule"), "each rule has its claim"),
    "charge": "what a filter is told of a release: its rules have the claims",
    "calibrate": "asks the accountant for other parameters",
    "accuracy": "how far noise is off", "limits": "what no mechanism can do",
    "clt": "an estimate, which bounds nothing",
}
RULE = re.compile(r"^struct (\w+)Rule \{", re.M)
GUARANTEE = re.compile(r"^// Guarantee .*\n(?://.*\n)*(?:template.*\n)?(?:(?:class|struct) (\w+)|[^(;{]*?(\w+)\()",
                       re.M)
COMPOSES = re.compile(r"^(?:class|struct) (\w*(?:Filter|FilterState|Odometer|Composition))\b[^;]*?\{", re.M)
CHARGED = re.compile(r"^ *(?:friend )?(\w+) charged\(", re.M)
SAMPLERS = re.compile(r"^using Sampler\s*=\s*std::variant<(.*?)>;", re.M | re.S)
MECHANISMS = re.compile(r"^ *using Kind\s*=\s*std::variant<(.*?)>;", re.M | re.S)
# Statements: the claims of the aggregates, steps, joins and units that plans have, of the numbers that engines bring
# and of their noise; others are claimed as "sql-" and their name.
AGGREGATES = {"count_rows": ["sql-count"], "count": ["sql-count-values"], "count_units": ["sql-count-units"],
              "count_cut_units": ["sql-cut-units"],
              **dict.fromkeys(("var_pop", "var_samp", "stddev_pop", "stddev_samp"), ["sql-variance"])}
STEPS = {"Scan": ["sql-count"], "Filter": ["sql-sum", "sql-above"], "Projection": ["sql-public-keys", "sql-above"],
         "Aggregate": ["sql-public-keys", "sql-unknown-keys"], "Sort": ["sql-above"], "Limit": ["sql-above"]}
JOINS = {"inner": ["sql-join"], "left": ["sql-join"]}
UNITS = {"UnitColumn": ["sql-count"], "UnitRow": ["sql-row-unit"], "UnitRows": ["sql-rows-unit"],
         "UnitThrough": ["sql-foreign-key"]}
MEASURES = {"units": ["sql-count-units"], "rows": ["sql-count", "sql-count-values"], "sum": ["sql-sum", "sql-avg"],
            "squares": ["sql-variance"],
            "products": [], "distinct": [], "histogram": []}  # exact alone: no statement asks for them yet
NOISES = {"none": [],  # of what does not move
          "discrete_laplace": [("discrete-laplace", "mechanisms")],
          "real_gaussian": [("real-gaussian", "mechanisms")], "discrete_gaussian": [("gaussian", "mechanisms")]}
# {header: (what lists the kinds there, their claims)}
PLANS = {"plan/aggregate_call.h": [(r"enum class AggregateKind \{(.*?)\};", AGGREGATES)],
         "plan/bounded_aggregate.h": [(r"enum class MeasureKind \{(.*?)\};", MEASURES)],
         "plan/relation.h": [(r"using Step = std::variant<(.*?)>;", STEPS), (r"enum class JoinKind \{(.*?)\};", JOINS)],
         "plan/project.h": [(r"using Unit = std::variant<(.*?)>;", UNITS)],
         "session/priced_plan.h": [(r"enum class Noise \{(.*?)\};", NOISES)]}

COMMENT = re.compile(r"//.*|^#.*", re.M)
MAKE = re.compile(r"\b(make_\w+)\s*\(")
DETAIL = re.compile(r"^namespace detail \{.*?^\}  // namespace detail$", re.M | re.S)
OPENS = re.compile(r"(?<!enum )(?<!<)(?<!, )\b(?:class|struct) (\w+)[^;{}()]*\{")  # not those of templates
STEP = r"\b(?:Any)?(?:Measurement|Transformation)\b(?!\s*::)"
# The first words of a declaration, its name and what follows; a type such as std::function<int()> has no name there.
CALLED = re.compile(r"(.*?)(\w+)\s*\((.*)", re.S)
LAW = re.compile(r"static RealLaw (\w+)\(")
ANSWERS = re.compile(r"\bask\(|\bQueryable \w+\(|\bvoid release\(")


def kebab(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower().replace("_", "-")


def rooms(root):
    """All but the room that attacks what the others make: its mechanisms are right or wrong on purpose."""
    return [path.name for path in sorted((root / "src").iterdir()) if path.is_dir() and path.name != "audit"]


def headers(root, room):
    """A room's headers, those of its back door too; what its tests share is called *_check.h."""
    return [path for path in sorted((root / "src" / room).rglob("*.h")) if not path.stem.endswith("_check")]


def plain(path):
    return COMMENT.sub("", path.read_text(encoding="utf-8"))


def end_of(text, start):
    """Where the brace that opens before `start` closes."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return len(text)


def classes(text):
    """[(name, body)] of all classes, those inside others too."""
    return [(found[1], text[found.end():end_of(text, found.end())]) for found in OPENS.finditer(text)]


def outside(text):
    """The text without the bodies of its classes."""
    found = OPENS.search(text)
    if not found:
        return text
    return text[:found.end()] + "}" + outside(text[end_of(text, found.end()) + 1:])


def declarations(text):
    return re.split(r"[;{}]", text)


def returns_step(declaration):
    """The name of a function that gives a step, alone or inside something else; or nothing."""
    found = CALLED.match(declaration)
    if found and re.search(rf"\)[^()]*->[^()]*{STEP}", found[3]):
        return found[2]
    gives = found and re.search(STEP, found[1]) and not re.search(r"=|\breturn\b", found[1])
    return found[2] if gives else None


def holds_step(declaration):
    """Whether a member is a step, or makes one."""
    if not re.search(STEP, declaration) or re.search(r"^\s*(?:\w+:\s*)?(?:friend|class|using|struct)\b", declaration):
        return False
    found = CALLED.match(declaration)
    return not found or re.search(STEP, found[1]) is not None or found[1].rstrip().endswith("<")


def draws(declaration, namespace=""):
    """The name of a function that takes a source, wherever it stands among its parameters; or nothing."""
    found = CALLED.match(declaration)
    if not found or re.search(r"=|\breturn\b|\boperator\b", found[1]):
        return None
    kinds = re.findall(r"\bBitSource (\w+)", found[1])
    taken = re.search(rf"\b{namespace}(?:Source|BitSource auto)\s*&", found[3])
    taken = taken or any(re.search(rf"\b{kind}\s*&", found[3]) for kind in kinds)
    return found[2] if taken else None


def in_room(room, claims):
    """[(name, room)]: names that stand alone are of this room."""
    return [claim if isinstance(claim, tuple) else (claim, room) for claim in claims]


def makes(root):
    """{(name of the claim, room): header} of every make_* function that a room declares."""
    found = {}
    for room in rooms(root):
        for path in headers(root, room):
            for name in set(MAKE.findall(plain(path))):
                if (room, name) not in HELPERS:
                    found[SAME_RECIPE.get(name, kebab(name.removeprefix("make_"))), room] = path.relative_to(root)
    return found


def step_names(text):
    """Functions that give steps under other names or draw, and classes that hold or give steps, draw or answer."""
    names = [returns_step(one) or draws(one, "random::") for one in declarations(outside(text))]
    for name, body in classes(text):
        members = declarations(outside(body))
        steps = any(returns_step(one) or holds_step(one) or draws(one, "random::") for one in members)
        if steps or ANSWERS.search(body):
            names += [name, *ALSO.get(name, [])]
    return {name for name in names if name and not name.startswith("make_")}


def combinators(root):
    """The same for other functions that return steps or draw, and for classes that do so or answer questions."""
    found = {}
    for room in rooms(root):
        for path in headers(root, room) if room != "random" else []:
            names = {name for name in step_names(plain(path)) if (room, name) not in HELPERS}
            found.update({(kebab(name), room): path.relative_to(root) for name in names})
    return found


def samplers(root):
    """{(name of the claim, "random"): header} of every class that draws, function that takes a source, and real law."""
    found = {}
    for path in sorted((root / "src/random").glob("*.h")):
        text = COMMENT.sub("", DETAIL.sub("", path.read_text(encoding="utf-8")))
        bodies = dict(classes(text))
        names = [draws(one) for one in declarations(outside(text))]
        names += [name for name, body in bodies.items()
                  if name == "Source" or any(draws(one) for one in declarations(body))]
        names += [law for body in bodies.values() for law in LAW.findall(body)]
        for name in filter(None, names):
            found[SAMPLER_NAMES.get(name, f"draw-{kebab(name)}"), "random"] = path.relative_to(root)
    return found


def listed_in(pattern, text):
    return [name for listed in pattern.findall(text) for name in re.findall(r"\w+", listed)]


def accounts(root):
    """The same for filters' rules and for what adds up releases."""
    found = {}
    for path in sorted((root / "src/accounting").glob("*.h")):
        if path.stem.endswith("_check"):
            continue
        text = path.read_text(encoding="utf-8")
        names = [one or other for one, other in GUARANTEE.findall(text)] + COMPOSES.findall(text)
        names += CHARGED.findall(text) + listed_in(SAMPLERS, text)
        claimed = [(f"filter-{kebab(rule)}", "accounting") for rule in RULE.findall(text)]
        for name in names:
            claimed += ACCOUNTS.get(name, [(kebab(name), "accounting")])
        for name in listed_in(MECHANISMS, text):
            claimed += KINDS.get(name, [(kebab(name), "accounting")])
        priced = PRICES.get(path.stem, [kebab(path.stem)])
        if not isinstance(priced, str):
            claimed += in_room("accounting", priced)
        found.update((claim, path.relative_to(root)) for claim in claimed)
    return found


def statements(root):
    """The same for what statements are made of."""
    found = {}
    for name, lists in PLANS.items():
        path = root / "src" / name
        text = plain(path) if path.exists() else ""
        for pattern, claims in lists if text else []:
            for kind in re.findall(r"\w+", re.search(pattern, text, re.S)[1]):
                for claim in in_room("sql", claims.get(kind, [f"sql-{kebab(kind)}"])):
                    found[claim] = path.relative_to(root)
    return found


def everything(root):
    """{(name of the claim, room): header} of all of it."""
    return {**makes(root), **combinators(root), **samplers(root), **accounts(root), **statements(root)}
