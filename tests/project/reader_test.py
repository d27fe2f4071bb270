"""Compares python/sextant.py with `sextant export` on a results file: both have the same columns, values and samples."""
import contextlib
import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile

program, source = sys.argv[1:3]
sys.path.insert(0, os.path.join(source, "python"))
import sextant  # noqa: E402


def run(*arguments, **variables):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True,
                          env={**os.environ, **variables}).stdout


def equal(exported, read):
    if isinstance(exported, str) and isinstance(read, float):
        return float(exported) == read  # "inf"
    if isinstance(exported, float) and isinstance(read, (int, float)):
        return math.isclose(exported, read, rel_tol=1e-12)  # exp and log of different libraries differ in the last digit
    return exported == read and type(exported) is type(read)


# `described`: the sessions in the file describe their kernels. Otherwise, `export` asks the program.
def compare(path, described=True):
    exported = [json.loads(line) for line in run("export", path, "--format", "ndjson").splitlines()]
    results = sextant.Results(path)
    assert len(exported) == len(results) > 0, (len(exported), len(results))
    of_program = [] if described else [name for name in exported[0] if name.startswith("parameter.")]
    assert [name for name in exported[0] if name not in of_program] == results.columns, results.columns
    for wanted, row in zip(exported, results.rows):
        for name in results.columns:
            if name == "group" and not described:
                assert row[name] is None and wanted[name]
                continue
            if not described and name.startswith(("outcome", "over_fastest")):
                continue  # only the program knows which variants are excluded from ranking
            assert equal(wanted[name], row[name]), (path, row["kernel"], row["variant"], name, wanted[name], row[name])
    return results, exported


def refused(path, part):
    try:
        sextant.Results(path)
    except sextant.ResultsError as error:
        assert path in str(error) and part in str(error), error
        return
    raise AssertionError(f"{path} was read")


def change(path, *statements):
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(*statement)
    connection.close()


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "r ?#%20.sextant")  # contains characters with a special meaning in a URI
    run("run", "-q", "-k", "triad,rows", "-v", "serial,openmp", "-n", "7936,130560", "--samples", "13:13", "-o", path)
    results, exported = compare(path)
    assert any(row["ceiling_fraction"] for row in results.rows)
    assert any(row["speedup_cpu"] not in (None, 1) for row in results.rows)
    assert any(row["processes"] > 1 for row in results.rows)
    for row in results.rows:
        samples = results.samples(row)["call_times"]
        all_samples = sum(results.samples(row)["visits"], list(samples))
        assert len(all_samples) == row["samples"] and min(all_samples) == row["call_time_min"], row
        assert row["processes"] == 1 + len(results.samples(row)["visits"])
        assert abs(sum(samples) / len(samples) - row["call_time_mean"]) <= 1e-12 * row["call_time_mean"]
        assert results.environment(row)["machine"] == row["machine"]
        assert all(set(c) == {"device", "name", "footprint", "value"} for c in results.ceilings(row))
    assert {row["threads"] is None for row in results.rows if row["model"] == "serial"} == {True}
    assert all(row["threads"] >= 1 for row in results.rows if row["model"] == "openmp")
    script = os.path.join(source, "examples", "best_variants.py")
    piped = subprocess.run(f"{sys.executable} -u {script} {path} | head -c 1", shell=True, capture_output=True, text=True)
    assert "Traceback" not in piped.stderr, piped.stderr
    best = subprocess.run([sys.executable, os.path.join(source, "examples", "best_variants.py"), path],
                          capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(best) == 1 + len({(r["kernel"], r["type"], r["n"]) for r in results.rows}), best
    before = open(path, "rb").read()
    sextant.Results(path)
    assert open(path, "rb").read() == before and os.listdir(folder) == [os.path.basename(path)]
    try:
        import pandas  # noqa: F401
    except ImportError:
        pass
    else:
        frame = results.frame()
        assert list(frame.columns) == results.columns and len(frame) == len(results)

    steps = os.path.join(folder, "steps.sextant")
    run("run", "-q", "-k", "heat3d_r1", "-v", "serial.baseline", "-n", "20x10x5", "-p", "steps=2,3", "--no-ceilings", "-o", steps)
    results, exported = compare(steps)
    assert [row["parameter.steps"] for row in results.rows] == [2, 3] * (len(exported) // 2), exported
    assert results.sessions[0]["kernels"]["heat3d_r1"]["arrays"][0] == {"name": "u", "role": "in"}, results.sessions

    # A user kernel with a compiler option as its tunable.
    own, file = os.path.join(folder, "own.sextant"), os.path.join(source, "examples", "own", "jacobi.cpp")
    run("run", "-q", "--load", file, "-v", "openmp", "-t", "all", "-n", "20x10", "--type", "float", "--samples", "2:2", "--no-ceilings",
        "--visits", "1", "-o", own, SEXTANT_CACHE=os.path.join(folder, "cache"))
    results, exported = compare(own)
    assert {row["tuning.flag.maths"] for row in results.rows} == {"", "-ffast-math"}, exported

    threads = os.path.join(folder, "threads.sextant")
    for count in ("1", "2"):
        run("run", "-q", "-k", "triad", "-v", "serial,openmp", "-n", "7936", "--type", "float", "--samples", "40:40",
            "--no-ceilings", "-o", threads, OMP_NUM_THREADS=count)
    results, exported = compare(threads)
    assert {row["threads"] for row in results.rows} == {None, 1, 2}, exported

    asides = os.path.join(folder, "asides.sextant")
    run("run", "-q", "-k", "rows", "-v", "serial,openmp", "-n", "130560", "--no-ceilings", "-o", asides)
    compare(asides)

    # Adds all data that a GPU provides. Checksums would refuse this file, but the test uses only the reader.
    made = os.path.join(folder, "gpu.sextant")
    open(made, "wb").write(before)
    times = sextant.array.array("d", [2e-6, 1e-6, 3e-6]).tobytes()
    change(made,
           ("UPDATE measurement SET device = 'gpu0', variant = 'cuda.tuned', device_times = ?, end_to_end_times = ?, "
            "seed = -1, error = 9e999, status = 1, isolation = 3 WHERE id = 1", (times, times)),
           ("INSERT INTO tuning VALUES (1, 0, 'block_size', 256)",),
           ("INSERT INTO transfer VALUES (1, 0, 'a', 1, 'pageable', 1000, ?), (1, 1, 'b', 1, 'pageable', 500, ?), "
            "(1, 2, 'c', 0, 'pinned', 7, ?)", (times, times, times)),
           ("INSERT INTO launch VALUES (1, 0, 'k', 1, 2, 3, 4, 5, 6, 32, 1024, 0.5, 1e-6, 5000)",),
           ("INSERT INTO phase VALUES (1, 0, 'solve', ?)", (times,)),
           ("INSERT INTO part VALUES (1, 0, 'gpu0', 1e-3, NULL, 1.98e9, 512.5), (1, 1, 'gpu1', 2e-3, 1e-4, NULL, NULL)",),
           ("INSERT INTO counter VALUES (1, 0, 'l2_hit_rate', 0.25)",),
           ("DELETE FROM warning WHERE measurement = 1",),  # removes warnings of a noisy machine
           ("INSERT INTO warning VALUES (1, 0, 'one'), (1, 1, 'two')",))
    results = sextant.Results(made)
    row = results.rows[0]
    assert results.samples(row)["each"] == [
        {"device": "gpu0", "compute": 1e-3, "exchange": None, "clock": 1.98e9, "power": 512.5},
        {"device": "gpu1", "compute": 2e-3, "exchange": 1e-4, "clock": None, "power": None}]
    wanted = {"isolation": "calls disturbed", "model": "cuda", "device": "gpu0", "status": "wrong", "error": math.inf, "device_time_median": 2e-6,
              "end_to_end_time": 2e-6, "tuning.block_size": 256, "h2d_time": 4e-6, "h2d_bytes": 1500, "d2h_time": None,
              "d2h_pinned_time": 2e-6, "registers": 32, "shared_memory": 1024, "occupancy": 0.5, "phase.solve": 2e-6, "counter.l2_hit_rate": 0.25,
              "seed": str(2**64 - 1), "warnings": "one; two", "bandwidth": None, "speedup_serial": None}
    for name, value in wanted.items():
        assert row[name] == value, (name, row[name], value)

    # Files of versions 1 and 2, whose sessions contain no descriptions.
    for name, version in (("tests/store/recorded/version_1", 1), ("data/h200/heat-counters", 2)):
        recorded = os.path.join(source, name + ".sextant")
        with contextlib.closing(sqlite3.connect(f"file:{recorded}?mode=ro", uri=True)) as connection:
            assert connection.execute("PRAGMA user_version").fetchone()[0] == version, name
        compare(recorded, described=False)
    tunables = {name for name in sextant.Results(os.path.join(source, "data/h200/heat-counters.sextant")).rows[0] if name.startswith("tuning.")}
    assert {"tuning.unroll_queue", "tuning.prefetch_distance"} <= tunables and "tuning.rotate" not in tunables, tunables

    refused(os.path.join(folder, "none"), "no such file")
    with contextlib.closing(sqlite3.connect(made)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        refused(made, f"`sextant merge {made} -o copy.sextant`")
    refused(folder, "directory")
    text = os.path.join(folder, "text")
    open(text, "w").write("no results\n" * 100)
    refused(text, "not a results file")
    open(text, "w").close()
    refused(text, "not a results file")
    for name, statement in (("newer", "PRAGMA user_version = 99"), ("not a results file", "PRAGMA application_id = 1"),
                            ("damaged", "UPDATE measurement SET call_times = x'0102'"),
                            ("damaged", "UPDATE measurement SET status = 77"),
                            ("damaged", "UPDATE measurement SET status = -1"),
                            ("damaged", "UPDATE measurement SET isolation = -1"),
                            ("damaged", "UPDATE measurement SET isolation = 77")):
        open(made, "wb").write(before)
        change(made, (statement,))
        refused(made, name)
    open(made, "wb").write(before[:len(before) // 2])
    refused(made, "damaged")
    open(made, "wb").write(before[:8192] + bytes(4096) + before[12288:])
    refused(made, "damaged")
print("all rows equal")
