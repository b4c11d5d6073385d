"""bench_means_peer.py NAME FILE R HIGH TIMES: AVG(cost) of a library at epsilon 1, TIMES times, as a list in JSON.

Runs in that library's own environment. At most R rows a person, costs within [0, HIGH].
"""
import json
import os
import sys


def opendp(file, most, high):
    import opendp.prelude as dp
    import polars

    dp.enable_features("contrib")
    cost = polars.col("cost").cast(float).fill_nan(0.0).fill_null(0.0).dp.mean((0.0, high))

    def ask():
        context = dp.Context.compositor(
            data=polars.scan_csv(file), privacy_unit=dp.unit_of(contributions=1, identifier="person"),
            privacy_loss=dp.loss_of(epsilon=1.0), split_evenly_over=1,
            margins=[dp.polars.Margin(max_length=10_000_000)])
        return context.query().truncate_per_group(most).select(cost).release().collect()["cost"][0]

    return ask


def tumult(file, most, high):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    from tmlt.analytics import AddRowsWithID, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

    spark = SparkSession.builder.master("local[*]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    rows = spark.read.csv(file, header=True, inferSchema=True)
    query = QueryBuilder("t").enforce(MaxRowsPerID(most)).average("cost", 0, high)

    def ask():
        session = Session.from_dataframe(PureDPBudget(1), "t", rows, protected_change=AddRowsWithID("person"))
        return session.evaluate(query, PureDPBudget(1)).collect()[0][0]

    return ask


def main():
    name, file, most, high, times = sys.argv[1:]
    ask = {"OpenDP": opendp, "Tumult": tumult}[name](file, int(most), float(high))
    print(json.dumps([float(ask()) for _ in range(int(times))]))


if __name__ == "__main__":
    main()
