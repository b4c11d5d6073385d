"""Times our noise beside other people's samplers, in one run on one machine, and prints the ratios.

Used by `./dev bench random --peers`. The peers go into build/peers (a virtual environment, pinned) and are never part
of the product. Each figure is the smallest of several repetitions, since machines are noisy; peers and ours take turns.
"""
import json
import subprocess
import time

from building import ROOT
from peers import environment, smallest

PEERS = ["numpy==2.4.6", "opendp==0.16.0", "python-dp==1.1.5"]
SCALES = [1, 100, 10**6, 2**40]
ROUNDS = 3


def nanoseconds(call, draws):
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) / draws * 1e9


def measure_peers():
    """What this file does when run in the environment: a line of JSON, {peer: {law: {scale: ns a draw}}}."""
    import numpy
    import opendp.prelude as dp
    from pydp.algorithms.numerical_mechanisms import GaussianMechanism, LaplaceMechanism

    dp.enable_features("contrib")
    vector, size = dp.vector_domain(dp.atom_domain(T="i64")), 3000
    zeros = [0] * size
    rng = numpy.random.default_rng()
    google_laplace = LaplaceMechanism(1.0, 1.0)
    google_gaussian = GaussianMechanism(1.0, 1e-5, 1.0)

    def loop(call, draws):
        for _ in range(draws):
            call()

    result = {}

    def add(peer, law, scale, value):
        result.setdefault(peer, {}).setdefault(law, {})[str(scale)] = value

    for scale in SCALES:
        laplace = dp.m.make_laplace(vector, dp.l1_distance(T="i64"), float(scale))
        gaussian = dp.m.make_gaussian(vector, dp.l2_distance(T="f64"), float(scale))
        add("opendp vector", "laplace", scale, nanoseconds(lambda m=laplace: m(zeros), size))
        add("opendp vector", "gaussian", scale, nanoseconds(lambda m=gaussian: m(zeros), size))
        calls = 20000  # Google's mechanisms take epsilon; their time does not follow the scale
        add("google, a call in Python", "laplace", scale,
            nanoseconds(lambda: loop(lambda: google_laplace.add_noise(0), calls), calls))
        add("google, a call in Python", "gaussian", scale,
            nanoseconds(lambda: loop(lambda: google_gaussian.add_noise(0.0), calls), calls))
        add("numpy, not private", "laplace", scale, nanoseconds(lambda s=scale: rng.laplace(0, s, 10**6), 10**6))
        add("numpy, not private", "gaussian", scale, nanoseconds(lambda s=scale: rng.normal(0, s, 10**6), 10**6))
    print(json.dumps(result))


def measure_ours():
    binary = ROOT / "build/bench/bench/random/random_discrete_bench"
    options = ["--benchmark_filter=fill/[0-9]+$", "--benchmark_min_time=0.2", "--benchmark_format=json"]
    output = subprocess.run([binary, *options], check=True, capture_output=True, text=True).stdout
    result = {}
    for entry in json.loads(output)["benchmarks"]:
        law, scale = entry["name"].removeprefix("BM_").split("_fill/")
        result.setdefault(law, {})[scale] = 1e9 / entry["items_per_second"]
    return result


def compare(as_json):
    python = environment("peers", PEERS)
    peers, ours = [], []
    for _ in range(ROUNDS):
        output = subprocess.run([python, __file__], check=True, capture_output=True, text=True).stdout
        peers.append(json.loads(output))
        ours.append(measure_ours())
    peers, ours = smallest(peers), smallest(ours)
    if as_json:
        print(json.dumps({"ours": ours, "peers": peers}, indent=2))
        return
    print(f"{'law':<10}{'scale':>15}{'dither':>10}   ns a draw; others, and how many times ours")
    for law, scales in ours.items():
        for scale, own in scales.items():
            each = [(peer, times[law][scale]) for peer, times in peers.items()]
            others = "   ".join(f"{peer}: {other:.0f} ({other / own:.1f}x)" for peer, other in each)
            print(f"{law:<10}{scale:>15}{own:>10.1f}   {others}")


if __name__ == "__main__":
    measure_peers()
