"""The verbs of ./dev. Each one makes sure of its packages, builds what it needs, then does its work."""
import argparse
import json
import os
import subprocess
import sys

import packages
from building import ROOT, build, room_of, sources


def setup(args):
    known = list(packages.read_list())
    groups = known if args.all else args.group or ["build", "test"]
    if not set(groups) <= set(known):
        packages.fail(f"unknown group in `{' '.join(groups)}`", f"the groups are {' '.join(known)}")
    packages.need(*groups)
    print(f"ready: {' '.join(groups)}")


def build_all(args):
    packages.need("build", "test")
    build(args.preset)


def run(args):
    packages.need("build", "test")
    build("release", ["dither-verify" if args.arguments[:1] in (["verify"], ["mechanisms"]) else "dither"])
    sys.stdout.flush()
    os.execv(ROOT / "build/release/apps/cli/dither", ["dither", *(args.arguments or ["demo"])])


def python(_):
    packages.need("build", "test", "python")
    import python_package
    path, _ = python_package.wheel()
    print(f"{path.relative_to(ROOT)}  {path.stat().st_size / 2**20:.1f} MiB")


def test(args):
    extra = ["format", "lint", "fuzz"] if args.nightly else ["fuzz"] if args.clang else []
    packages.need("build", "test", *extra, *([] if args.clang else ["python"]))
    import testing
    return testing.run("clang" if args.clang else "release", args)


def sanitized(preset):
    def verb(args):
        packages.need("build", "test")
        import testing
        # Children of fork parse on a thread of their own, which the thread sanitizer takes amiss unless told.
        os.environ.setdefault("TSAN_OPTIONS", "die_after_fork=0")
        return testing.run(preset, args)
    return verb


def bench(args):
    packages.need("build", "test", "bench")
    if args.room == ["python"]:
        return bench_python(args)
    if args.peers:
        return bench_beside_peers(args)
    if args.growth:
        return bench_growth(args)
    found = [(room_of(path), path.stem) for path in sources("_bench.cc")]
    found = [(room, name) for room, name in found if not args.room or room in args.room]
    if not found:
        packages.fail(f"no benchmarks in `{' '.join(args.room)}`", "name a room under src/ that has a *_bench.cc")
    build("bench", [f"{room}_{name}" for room, name in found])
    document = {"context": None, "benchmarks": []}
    for room, name in found:
        command = [ROOT / f"build/bench/bench/{room}/{room}_{name}"]
        command += [f"--benchmark_filter={args.filter}"] if args.filter else []
        if not args.json:
            print(f"\n{room}/{name}", flush=True)
            subprocess.run(command, check=True)
            continue
        text = subprocess.run([*command, "--benchmark_format=json"], stdout=subprocess.PIPE, check=True).stdout
        part = json.loads(text) if text.strip() else {"benchmarks": []}  # a filter that matches nothing prints nothing
        document["context"] = document["context"] or part.get("context")
        document["benchmarks"] += [{"room": room, "file": f"{name}.cc", **row} for row in part["benchmarks"]]
    if args.room == ["sql"] and not args.filter:
        import bench_sql
        document["figures"] = bench_sql.figures(args.rows[0] if args.rows else bench_sql.ROWS, args.page)
        if not args.json:
            bench_sql.show(document["figures"])
    if args.json:
        print(json.dumps(document, indent=1))


def bench_growth(args):
    if args.room != ["sql"]:
        packages.fail(f"no growth of `{' '.join(args.room)}`", "write `./dev bench sql --growth`")
    import bench_sql_growth
    bench_sql_growth.run(args.json, args.rows, args.page)


def bench_python(args):
    packages.need("python", *(["peers"] if args.peers else []))
    import bench_python as package
    if args.filter and args.filter not in package.FIGURES:
        packages.fail(f"no figure `{args.filter}`", f"choose one of {' '.join(package.FIGURES)}")
    only = [args.filter] if args.filter else None
    package.run(args.json, args.peers, args.rows[0] if args.rows else package.ROWS, args.page, only)


def bench_beside_peers(args):
    if args.room not in (["random"], ["accounting"], ["sql"]):
        packages.fail(f"no peers for `{' '.join(args.room)}`",
                      "write `./dev bench ROOM --peers` with random, accounting, sql or python")
    packages.need("peers")
    if args.room == ["sql"]:
        import bench_sql_peers
        return bench_sql_peers.compare(args.json, args.rows[0] if args.rows else bench_sql_peers.ROWS, args.page)
    if args.room == ["random"]:
        build("bench", ["random_discrete_bench"])
        import bench_peers as beside
    else:
        build("bench", ["accounting_accountant_bench"])
        import bench_accounting as beside
    beside.compare(args.json)


def crosscheck(args):
    packages.need("build", "test", "peers", "python")
    build("release", ["dither"])
    import crosscheck as checker
    return checker.run(args.lists, args.seed)


def figures(_):
    packages.need("build", "test")
    build("release", ["dither", "dither-figures"])
    import figures as drawing
    return drawing.draw_all()


def docs(_):
    packages.need("build", "test", "python")
    build("release", ["dither-verify"])
    for verb, page in (("mechanisms", ROOT / "docs/mechanisms.md"), ("functions", ROOT / "docs/sql.md")):
        subprocess.run([ROOT / "build/release/apps/cli/dither", verb, "--markdown", "--out", page], check=True)
        print(page.relative_to(ROOT))
    import python_package
    page = ROOT / "docs/python/reference.md"
    subprocess.run([python_package.tested_python(), ROOT / "tools/python_reference.py", page], check=True)
    print(page.relative_to(ROOT))


def lint(args):
    packages.need("build", "test", "python", "format", "lint")
    import linting
    return linting.run(args.all)


def format_sources(_):
    packages.need("format")
    import linting
    subprocess.run(["clang-format-14", "-i", *linting.cpp_files()], cwd=ROOT, check=True)


def coverage(args):
    import coverage as tags
    if not args.last:
        packages.need("build", "test", "python")
        import testing
        everything = argparse.Namespace(room=[], filter=None, seed=None, nightly=False, times=False)
        testing.run("release", everything, out=sys.stderr)
    return tags.report(show_rows=args.rows)


def fuzz(args):
    packages.need("build", "fuzz")
    found = {f"{room_of(path)}_{path.stem}": room_of(path) for path in sources("_fuzz.cc")}
    chosen = [name for name in found if args.target in (None, name, name.split("_", 1)[1].removesuffix("_fuzz"))]
    if not chosen:
        packages.fail(f"no fuzz target `{args.target}`", f"choose one of {' '.join(found)}")
    build("fuzz", chosen)
    for name in chosen:
        corpus = ROOT / "build/fuzz/corpus" / name
        corpus.mkdir(parents=True, exist_ok=True)
        print(f"{name}: {args.seconds} s", flush=True)
        program = ROOT / f"build/fuzz/fuzz/{found[name]}/{name}"
        options = [f"-max_total_time={args.seconds}", f"-artifact_prefix={corpus.parent}/{name}-"]
        subprocess.run([program, *options, "-print_final_stats=1", "-verbosity=0", corpus], check=True)


def add_test_options(verb):
    verb.add_argument("room", nargs="*", help="rooms to test, such as `base random`; all of them otherwise")
    verb.add_argument("--filter", metavar="SUITE.NAME", help="only these test cases; * stands for anything")
    verb.add_argument("--seed", type=int, help="replay a failure that printed this seed")
    verb.add_argument("--nightly", action="store_true", help="long campaigns; `test` lints all and builds with clang")
    verb.add_argument("--times", action="store_true", help="print how long each room took")


def parser():
    top = argparse.ArgumentParser(prog="./dev", description="Build, run, test and check Dither on Debian 12.",
                                  epilog="Every verb installs the packages it needs (as root) or says how to.")
    verbs = top.add_subparsers(title="verbs", metavar="VERB", required=True)

    def verb(name, does, function, **kwargs):
        added = verbs.add_parser(name, help=does, description=does[0].upper() + does[1:] + ".", **kwargs)
        added.set_defaults(function=function)
        return added

    added = verb("setup", "install the packages that build and test need", setup)
    added.add_argument("group", nargs="*", help=f"groups to install instead, of {' '.join(packages.read_list())}")
    added.add_argument("--all", action="store_true", help="every group")
    added = verb("build", "configure and build everything into build/release", build_all)
    added.add_argument("--preset", default="release", choices=["release", "debug"], help="what to build (release)")
    added = verb("run", "build `dither` and start it with these arguments; without any, `demo`", run)
    added.add_argument("arguments", nargs="*", metavar="...", help="arguments of `dither`")
    added = verb("test", "build and run every test; the last line is `N passed, N failed`", test)
    add_test_options(added)
    added.add_argument("--clang", action="store_true", help="build with clang 14 instead of g++")
    verb("python", "make the wheel of the Python package, build/python/dither-*.whl", python)
    added = verb("bench", "build and run the benchmarks", bench)
    added.add_argument("room", nargs="*", help="rooms to measure; all of them otherwise")
    added.add_argument("--json", action="store_true", help="one JSON document on standard output")
    added.add_argument("--filter", metavar="REGEX", help="only benchmarks whose name matches")
    added.add_argument("--peers", action="store_true", 
                       help="ours beside others, as ratios (random, accounting, sql, python)")
    added.add_argument("--growth", action="store_true", help="sql: time and memory from 2 to 200 million rows")
    added.add_argument("--rows", type=int, nargs="+", metavar="N",
                       help="sql, python: so many rows; with --growth the points")
    added.add_argument("--page", action="store_true", help="sql, python: write what was found into docs/speed.md")
    added = verb("crosscheck", "compare random lists of events with other accountants, in a throw-away environment",
                 crosscheck)
    added.add_argument("room", choices=["accounting"], help="what to check")
    added.add_argument("--lists", type=int, default=100, help="how many random lists (100)")
    added.add_argument("--seed", type=int, default=1, help="other lists (1)")
    verb("figures", "draw the figures of the documents anew", figures)
    verb("docs", "write anew the documents that are made from the code", docs)
    added = verb("lint", "check format, clang-tidy (changed files), rooms, licences, scripts", lint)
    added.add_argument("--all", action="store_true", help="clang-tidy on every file, not only on changed ones")
    verb("format", "format every C++ file in place", format_sources)
    added = verb("coverage", "run the tests and count the specification rows that passed tests name", coverage)
    added.add_argument("--last", action="store_true", help="use the results of the last `./dev test`, run nothing")
    added.add_argument("--rows", action="store_true", help="also list each tested row with its tests")
    add_test_options(verb("asan", "run the tests under the address and undefined sanitizers", sanitized("asan")))
    add_test_options(verb("tsan", "run the tests under the thread sanitizer", sanitized("tsan")))
    added = verb("fuzz", "build the fuzz targets with clang and run each for a while", fuzz)
    added.add_argument("target", nargs="?", help="one target, such as facts (engine_facts_fuzz); all of them otherwise")
    added.add_argument("--seconds", type=int, default=30, help="how long each one runs (30)")
    return top


def main():
    words = sys.argv[1:]
    if words[:1] == ["run"] and words[1:] not in (["--help"], ["-h"]):
        words.insert(1, "--")  # all that follows belongs to `dither`
    args = parser().parse_args(words)
    try:
        sys.exit(args.function(args) or 0)
    except subprocess.CalledProcessError as failure:
        print(f"error: `{' '.join(map(str, failure.cmd[:3]))} ...` exited with {failure.returncode}", file=sys.stderr)
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
