"""Times our accountant beside dp-accounting and prv-accountant, in one run on one machine.

Used by `./dev bench accounting --peers`. Ours comes from the benchmarks in src/accounting/accountant_bench.cc; peers
are asked the same questions (accounting_peers.py), both of their ends, each as accurately as they are usually asked.
"""
import json
import subprocess

import accounting_peers
from building import ROOT
from peers import environment

STEP = {"mechanism": "gaussian", "sigma": 1.0, "rate": 0.01}
LAPLACE = [{"mechanism": "laplace", "scale": 20 + 80 * i / 999, "times": 1} for i in range(1000)]
USUAL = {"neighbours": "add-remove", "grid": 1e-4, "error": 0.01}
CASES = {
    "BM_dp_sgd": {**USUAL, "rounds": 3, "delta": 1e-6, "events": [{**STEP, "times": 10_000}]},
    "BM_dp_sgd_mnist": {**USUAL, "rounds": 3, "delta": 1e-5,
                        "events": [{"mechanism": "gaussian", "sigma": 1.1, "rate": 256 / 60000, "times": 14_062}]},
    # prv-accountant at a width of 0.2, which alone takes a minute.
    "BM_thousand_laplace": {**USUAL, "delta": 1e-6, "error": 0.1, "events": LAPLACE},
}


def ours():
    """{benchmark: {seconds, width, ...}}"""
    binary = ROOT / "build/bench/bench/accounting/accounting_accountant_bench"
    command = [binary, "--benchmark_format=json", "--benchmark_min_time=0.2"]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}
    return {row["name"]: {"seconds": row["real_time"] * scale[row["time_unit"]],
                          **{key: row[key] for key in ("width", "epsilon", "sigma") if key in row}}
            for row in json.loads(text)["benchmarks"]}


def theirs():
    """({benchmark: {peer: answer}}, their calibration)"""
    python = environment(accounting_peers.ENVIRONMENT, accounting_peers.PINS)
    request = {"questions": list(CASES.values()), "calibrate": True}
    done = subprocess.run([python, accounting_peers.__file__], input=json.dumps(request), check=True,
                          capture_output=True, text=True)
    output = json.loads(done.stdout)
    return dict(zip(CASES, output["answers"])), output["calibrate"]


def milliseconds(seconds):
    return f"{seconds * 1e3:.4g}"


def compare(as_json):
    own = ours()
    answers, calibrated = theirs()
    answers["BM_calibrate_dp_sgd"] = {"dp-accounting": calibrated}
    if as_json:
        print(json.dumps({"ours": own, "peers": answers}, indent=1))
        return
    print(f"{'benchmark':<28}{'ms':>10}{'width':>10}   others: ms (how many times ours), width")
    for name, row in own.items():
        words = []
        for peer, other in answers.get(name, {}).items():
            if "refused" in other:
                words.append(f"{peer}: {other['refused']}")
                continue
            width = f", {other['upper'] - other['lower']:.2g}" if "upper" in other else ""
            ratio = other["seconds"] / row["seconds"]
            words.append(f"{peer}: {milliseconds(other['seconds'])} ({ratio:.0f}x){width}")
        width = f"{row['width']:.2g}" if "width" in row else ""
        print(f"{name.removeprefix('BM_'):<28}{milliseconds(row['seconds']):>10}{width:>10}   {'   '.join(words)}")
