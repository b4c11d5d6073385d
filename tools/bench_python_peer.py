"""One library's figure for `./dev bench python --peers`. Runs in that library's own environment.

    bench_python_peer.py noise LIBRARY COUNT        noise of scale 10 on so many coordinates
    bench_python_peer.py histogram LIBRARY COUNT BINS
    bench_python_peer.py cold LIBRARY FILE          import, then one count of the file's rows; timed from outside

The last line of output is a JSON object: seconds of each repetition.
"""
import json
import os
import sys
import time

sys.path.pop(0)  # this folder: its modules are not the libraries of that name

TIMES, ENOUGH = 5, 40  # so often, or for so many seconds


def repeated(call):
    seconds = []
    while len(seconds) < TIMES and sum(seconds) < ENOUGH:
        start = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - start)
    return seconds


def opendp_noise(count):
    import numpy
    import opendp.prelude as dp

    dp.enable_features("contrib")
    whole, real = dp.vector_domain(dp.atom_domain(T="i64")), dp.vector_domain(dp.atom_domain(T="f64", nan=False))
    zeros = numpy.zeros(count, dtype=numpy.int64)
    laws = {"integers, Laplace": (dp.m.make_laplace(whole, dp.l1_distance(T="i64"), 10.0), zeros),
            "integers, Gaussian": (dp.m.make_gaussian(whole, dp.l2_distance(T="i64"), 10.0), zeros),
            "reals, Laplace": (dp.m.make_laplace(real, dp.l1_distance(T="f64"), 10.0), numpy.zeros(count))}
    return {name: lambda m=m, x=x: m(x) for name, (m, x) in laws.items()}


def one_by_one(mechanisms, count):
    """For libraries whose noise takes one number at a time."""
    def loop(call, zero):
        for _ in range(count):
            call(zero)

    return {name: lambda call=call, zero=zero: loop(call, zero) for name, (call, zero) in mechanisms.items()}


def diffprivlib_noise(count):
    from diffprivlib import mechanisms

    return one_by_one({"integers, Laplace": (mechanisms.Geometric(epsilon=0.1, sensitivity=1).randomise, 0),
                       "integers, Gaussian": (mechanisms.GaussianDiscrete(epsilon=0.4, delta=1e-5).randomise, 0),
                       "reals, Laplace": (mechanisms.Laplace(epsilon=0.1, sensitivity=1).randomise, 0.0)}, count)


def python_dp_noise(count):
    from pydp.algorithms.numerical_mechanisms import GaussianMechanism, LaplaceMechanism

    laplace, gaussian = LaplaceMechanism(0.1, 1.0), GaussianMechanism(0.4, 1e-5, 1.0)
    return one_by_one({"integers, Laplace": (laplace.add_noise, 0), "reals, Laplace": (laplace.add_noise, 0.0),
                       "integers, Gaussian": (gaussian.add_noise, 0)}, count)


def opendp_histogram(count, bins):
    import numpy
    import opendp.prelude as dp

    dp.enable_features("contrib")
    values = numpy.random.default_rng(1).integers(0, bins, count)
    counted = dp.t.make_count_by_categories(dp.vector_domain(dp.atom_domain(T="i64")), dp.symmetric_distance(),
                                            list(range(bins)), MO="L1Distance<i64>", TOA="i64")
    measured = counted >> dp.m.then_laplace(10.0)
    return lambda: measured(values)


def diffprivlib_histogram(count, bins):
    import numpy
    from diffprivlib import tools

    values = numpy.random.default_rng(1).integers(0, bins, count)
    return lambda: tools.histogram(values, epsilon=0.1, bins=bins, range=(0, bins))


def opendp_cold(file):
    import opendp.prelude as dp
    import polars

    dp.enable_features("contrib")
    context = dp.Context.compositor(data=polars.scan_parquet(file),
                                    privacy_unit=dp.unit_of(contributions=6, identifier="uid"),
                                    privacy_loss=dp.loss_of(epsilon=1.0, delta=1e-6), split_evenly_over=1)
    return context.query().truncate_per_group(6).select(dp.len()).release().collect().item()


def tumult_cold(file):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    from tmlt.analytics import AddRowsWithID, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

    spark = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false").getOrCreate()
    opened = Session.from_dataframe(PureDPBudget(1), "t", spark.read.parquet(file),
                                    protected_change=AddRowsWithID("uid"))
    return opened.evaluate(QueryBuilder("t").enforce(MaxRowsPerID(6)).count(), PureDPBudget(1)).collect()[0][0]


def diffprivlib_cold(file):
    import pyarrow.parquet
    from diffprivlib import tools

    return int(tools.count_nonzero(pyarrow.parquet.read_table(file)["uid"].to_numpy() >= 0, epsilon=1))


NOISE = {"opendp": opendp_noise, "diffprivlib": diffprivlib_noise, "python-dp": python_dp_noise}
HISTOGRAM = {"opendp": opendp_histogram, "diffprivlib": diffprivlib_histogram}
COLD = {"opendp": opendp_cold, "tumult": tumult_cold, "diffprivlib": diffprivlib_cold}


def noise(name, count):
    return {law: repeated(call) for law, call in NOISE[name](int(count)).items()}


def histogram(name, count, bins):
    return {"seconds": repeated(HISTOGRAM[name](int(count), int(bins)))}


def cold(name, file):
    return {"count": int(COLD[name](file))}


def main():
    figure, *arguments = sys.argv[1:]
    print(json.dumps({"noise": noise, "histogram": histogram, "cold": cold}[figure](*arguments)))


if __name__ == "__main__":
    main()
