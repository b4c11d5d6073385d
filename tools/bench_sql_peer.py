"""One library's answer to the question of `./dev bench sql --peers`, timed. Runs in that library's own environment.

    bench_sql_peer.py NAME FILE ROWS TIMES

The file holds ROWS rows (uid, g, v). The question: COUNT and SUM(v) by g over 50 public keys, epsilon 1 and delta 1e-6
for both together, at most 3 keys a person and 2 rows of each, v within [0, 100]; as near to that as the library comes,
which `note` says. Loading the library is not timed, reading the file is, unless `note` says otherwise. The last line of
output is a JSON object.
"""
import json
import os
import sys
import time

import bench_sql_postgres as postgres

sys.path.pop(0)  # this folder: its duckdb.py is not the library of that name

KEYS = list(range(50))
EPSILON, DELTA = 1.0, 1e-6
ENOUGH = 60  # seconds, then there are no more times


def opendp(file, rows):
    import opendp.prelude as dp
    import polars

    dp.enable_features("contrib")
    keys = polars.LazyFrame({"g": KEYS}, schema_overrides={"g": polars.Int32})

    def ask():
        context = dp.Context.compositor(
            data=polars.scan_parquet(file), privacy_unit=dp.unit_of(contributions=1, identifier="uid"),
            privacy_loss=dp.loss_of(epsilon=EPSILON, delta=DELTA), split_evenly_over=1,
            margins=[dp.polars.Margin(max_length=rows)])
        # Its 4 keeps 3 keys, and its default way to choose them fails with the Polars it installs.
        query = context.query().truncate_per_group(2, by=["g"]).truncate_num_groups(4, by=["g"], keep="first")
        query = query.group_by("g").agg(dp.len(), polars.col("v").fill_nan(0.0).fill_null(0.0).dp.sum((0.0, 100.0)))
        return len(query.with_keys(keys).release().collect())

    return ask, "on Polars; of each person the 3 smallest keys"


def tumult(file, _):
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    from tmlt.analytics import (AddRowsWithID, ApproxDPBudget, KeySet, MaxGroupsPerID, MaxRowsPerGroupPerID,
                                QueryBuilder, Session)

    settings = {"spark.driver.memory": "4g", "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false"}
    builder = SparkSession.builder.master("local[*]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    keys = KeySet.from_dict({"g": KEYS})

    def ask():
        session = Session.from_dataframe(ApproxDPBudget(EPSILON, DELTA), "t", spark.read.parquet(file),
                                         protected_change=AddRowsWithID("uid"))
        bounded = QueryBuilder("t").enforce(MaxGroupsPerID("g", 3)).enforce(MaxRowsPerGroupPerID("g", 2)).groupby(keys)
        half = ApproxDPBudget(EPSILON / 2, 0)
        session.evaluate(bounded.sum("v", 0, 100), half).collect()
        return len(session.evaluate(bounded.count(), half).collect())

    return ask, "on local Spark; an evaluation for each aggregate"


def smartnoise(file, rows):
    import pandas
    import snsql

    columns = {"max_ids": 6, "rows": rows, "sample_max_ids": True, "censor_dims": False,
               "uid": {"type": "int", "private_id": True}, "g": {"type": "int"},
               "v": {"type": "float", "lower": 0.0, "upper": 100.0}}
    options = {"privacy": snsql.Privacy(epsilon=EPSILON / 2, delta=DELTA), "metadata": {"": {"public": {"t": columns}}}}
    sql = "SELECT g, COUNT(*) AS n, SUM(v) AS s FROM public.t GROUP BY g"
    bounds = "at most 6 rows a person, it knows no bound on keys"
    connection = postgres.loaded(file)
    if connection:
        reader = snsql.from_connection(connection, engine="postgres", **options)
        return lambda: len(reader.execute(sql)) - 1, f"on PostgreSQL, loading the file not timed; {bounds}"
    return (lambda: len(snsql.from_df(pandas.read_parquet(file), **options).execute(sql)) - 1,
            f"on SQLite through from_df, for want of PostgreSQL; {bounds}")


def pipeline_dp(file, _):
    import pipeline_dp as pipeline
    import pyarrow.parquet

    params = pipeline.AggregateParams(metrics=[pipeline.Metrics.COUNT, pipeline.Metrics.SUM],
                                      max_partitions_contributed=3, max_contributions_per_partition=2,
                                      min_value=0, max_value=100)
    parts = pipeline.DataExtractors(privacy_id_extractor=lambda row: row[0], partition_extractor=lambda row: row[1],
                                    value_extractor=lambda row: row[2])

    def ask():
        table = pyarrow.parquet.read_table(file)
        data = list(zip(*(table[name].to_pylist() for name in ("uid", "g", "v"))))
        budget = pipeline.NaiveBudgetAccountant(total_epsilon=EPSILON, total_delta=DELTA)
        answer = pipeline.DPEngine(budget, pipeline.LocalBackend()).aggregate(data, params, parts, KEYS)
        budget.compute_budgets()
        return len(list(answer))

    return ask, "LocalBackend"


def qrlew_dataset(rows):
    """What qrlew would read off a live database, keys and bounds declared."""
    import pyqrlew

    types = {"uid": ("Integer", {"integer": {"base": "INT64", "min": "0", "max": str(2**63 - 1)}}),
             "g": ("Integer", {"integer": {"base": "INT32", "min": "0", "max": "49",
                                           "possible_values": [str(key) for key in KEYS]}}),
             "v": ("Float64", {"float": {"base": "FLOAT64", "min": 0.0, "max": 100.0}})}
    fields = [{"name": name, "type": {"name": word, **kind}} for name, (word, kind) in types.items()]
    table = {"name": "t", "type": {"name": "Struct", "struct": {"fields": fields}}}
    size = {"name": "Struct", "struct": {"fields": [], "multiplicity": float(rows), "size": str(rows)}}
    kind = "sarus_data_spec/sarus_data_spec."
    documents = (
        {"@type": f"{kind}Dataset", "uuid": "1", "name": "d", "spec": {"transformed": {"transform": "2"}}},
        {"@type": f"{kind}Schema", "uuid": "3", "dataset": "1", "name": "d",
         "type": {"name": "Union", "union": {"fields": [table]}, "properties": {"public_fields": "[]"}}},
        {"@type": f"{kind}Size", "uuid": "4", "dataset": "1", "name": "d_sizes",
         "statistics": {"name": "Union", "union": {"fields": [{"name": "t", "statistics": size}]}}})
    return pyqrlew.Dataset.from_str(*map(json.dumps, documents))


def qrlew(file, rows):
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"CREATE VIEW t AS SELECT * FROM '{file}'")
    dataset = qrlew_dataset(rows)

    def ask():
        relation = dataset.relation("SELECT g, COUNT(v) AS n, SUM(v) AS s FROM t GROUP BY g")
        private = relation.rewrite_with_differential_privacy(
            dataset, [("t", [], "uid")], {"epsilon": EPSILON, "delta": DELTA}, max_multiplicity=2.0,
            max_multiplicity_share=1.0, max_privacy_unit_groups=3)
        return len(connection.execute(private.relation().to_query()).fetchall())

    return ask, "its SQL, run by DuckDB; scales a person's rows down instead of keeping 3 keys"


def diffprivlib(file, _):
    import pyarrow.parquet
    from diffprivlib import tools

    def ask():
        table = pyarrow.parquet.read_table(file)
        keys, values = table["g"].to_numpy(), table["v"].to_numpy()
        counts, _ = tools.histogram(keys, epsilon=EPSILON / 2, bins=len(KEYS), range=(0, len(KEYS)))
        sums = [tools.sum(values[keys == key], epsilon=EPSILON / 2, bounds=(0, 100)) for key in KEYS]
        return min(len(counts), len(sums))

    return ask, "protects rows, not people: bounds nothing"


PEERS = {"opendp": opendp, "tumult": tumult, "smartnoise": smartnoise, "pipeline-dp": pipeline_dp, "qrlew": qrlew,
         "diffprivlib": diffprivlib}


def main():
    name, file, rows, times = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    ask, note = PEERS[name](file, rows)
    seconds = []
    while len(seconds) < times and sum(seconds) < ENOUGH:
        start = time.perf_counter()
        keys = ask()
        seconds.append(time.perf_counter() - start)
        if keys != len(KEYS):
            sys.exit(f"answered for {keys} keys, not {len(KEYS)}")
    print(json.dumps({"seconds": seconds, "note": note}))


if __name__ == "__main__":
    main()
