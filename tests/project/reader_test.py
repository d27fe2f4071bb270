"""Tests python/sextant.py on new and recorded results files: reader_test.py SEXTANT SOURCE

The reader takes its rows from `sextant export --format ndjson`. They are compared with the CSV export, which is other text of
the same values, and with values that this test computes from the file's tables. The samples are compared with those tables.
"""
import array
import contextlib
import csv
import glob
import io
import json
import math
import os
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import urllib.request

program, source = sys.argv[1:3]
sys.path.insert(0, os.path.join(source, "python"))
import sextant  # noqa: E402

os.environ["SEXTANT"] = program
SERIES = ("call_times", "device_times", "alloc_times", "end_to_end_times", "prepare_times", "compute_times", "exchange_times",
          "seen_times", "gap_times", "gap_device_times", "energies", "energy_times")
PARTS = ("tuning", "transfer", "launch", "phase", "counter", "warning", "visit", "state")


def run(*arguments, **variables):
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=True,
                          env={**os.environ, **variables}).stdout


def same_text(text, value):
    """True if `text` is the CSV cell of a value that the reader gave."""
    if value is None:
        return text == ""
    return text == value if isinstance(value, str) else type(value)(text) == value


def near(one, other):
    """True if both are the same number, or both unknown."""
    return one is other is None or one is not None and other is not None and math.isclose(one, other, rel_tol=1e-12)


def doubles(blob):
    return array.array("d", blob or b"").tolist()  # on a little-endian processor


def median(samples):
    return statistics.median(samples) if samples else None


def tables(path):
    """The rows of each table of the file."""
    with contextlib.closing(sqlite3.connect(f"file:{urllib.request.pathname2url(path)}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        names = [name for name, in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: [dict(row) for row in connection.execute(f"SELECT * FROM {name}")] for name in names}


def check_row(results, i, stored, parts, session, environment):
    """Compares a row and its samples with the file's tables."""
    row, samples, times = results.rows[i], results.samples(i), {name: doubles(stored.get(name)) for name in SERIES}
    assert samples is results.samples(row)
    for name, value in times.items():
        assert samples[name] == value, name
    visits = [doubles(one["call_times"]) for one in parts["visit"]]
    assert samples["visits"] == visits
    assert [(one["process"], one["samples"], one["throttle_reasons"]) for one in samples["states"]] == [
        (one["process"], doubles(one["samples"]), one["throttle_reasons"]) for one in parts["state"]]
    calls = times["call_times"] + sum(visits, [])
    kinds, states = ("float", "double", "int"), ("ok", "wrong", "skipped", "failed", "timed_out", "impossible")
    checked = stored["status"] < 2
    work = any(stored.get(name) for name in ("bytes_read", "bytes_written", "flops", "items", "integer_operations"))
    total = stored["bytes_read"] + stored["bytes_written"]
    time = median(times["device_times"]) or row["call_time_median"]
    wanted = {"kernel": stored["kernel"], "variant": stored["variant"], "model": stored["variant"].split(".")[0],
              "type": kinds[stored["type"]], "device": stored["device"], "status": states[stored["status"]],
              "reason": stored["reason"] or None, "n": stored["n"] or None, "class": stored["problem_class"] or None,
              "timestamp": stored["timestamp"] or None, "cache": ("warm", "cold")[stored["cache"]],
              "fill": (None, "normal", "small-integers", "zeros")[stored.get("fill", 0)],
              "seed": str(stored["seed"] % 2**64) if stored["seed"] else None, "machine": environment.get("machine", ""),
              "session": session["started"], "version": session["version"], "git_revision": environment.get("git_revision"),
              "error": stored["error"] if checked else None, "tolerance": stored["tolerance"] if checked else None,
              "bytes_read": stored["bytes_read"] if work else None, "flops": stored["flops"] if work else None,
              "warnings": "; ".join(one["text"] for one in parts["warning"]) or None, "clock": stored["clock"], "power": stored["power"]}
    for name, value in wanted.items():
        assert row[name] == value, (name, row[name], value)
    numbers = {"call_time_min": min(times["call_times"], default=None) if not visits else row["call_time_min"],
               "call_time_mean": statistics.fmean(times["call_times"]) if times["call_times"] else None,
               "device_time_median": median(times["device_times"]), "end_to_end_time": median(times["end_to_end_times"]),
               "alloc_time": median(times["alloc_times"]), "prepare_time": median(times["prepare_times"]),
               "bandwidth": total / time if row["status"] == "ok" and time and total else None}
    if row["processes"] == 1:
        numbers["call_time_median"] = median(times["call_times"])
    assert row["samples"] in (None, len(calls)) or row["processes"] != 1 + len(visits), row
    for one in parts["phase"]:
        numbers["phase." + one["name"]] = median(doubles(one["times"]))
    for one in parts["counter"]:
        numbers["counter." + one["name"]] = one["value"]
    pinned = [one for one in parts["transfer"] if one["method"] == "pinned" and one["to_device"] and one["times"]]
    numbers["h2d_pinned_time"] = sum(median(doubles(one["times"])) for one in pinned) if pinned else None
    energies = sorted(times["energies"])
    numbers |= {"energy": median(energies), "energy_time": median(times["energy_times"]), "idle_power": stored.get("idle_power"),
                "energy_low": energies[0] if 0 < len(energies) < 9 else row["energy_low"], "steady_after": stored.get("steady_after")}
    for name, value in numbers.items():
        assert near(row[name], value), (name, row[name], value)
    tuned = [row[name] for name in results.columns if name.startswith("tuning.") and isinstance(row[name], int)]
    if not any(isinstance(row[name], str) for name in results.columns if name.startswith("tuning.")):
        assert sorted(tuned) == sorted(one["value"] for one in parts["tuning"])
    launches, transfers = parts["launch"], parts["transfer"]
    assert [(one["name"], one["registers"]) for one in samples["launches"]] == [(one["name"], one["registers"]) for one in launches]
    assert [(one["array"], one["times"]) for one in samples["transfers"]] == [(one["array"], doubles(one["times"])) for one in transfers]
    assert results.environment(i) == environment
    if row["model"] == "openmp" and row["device"] == "cpu" and "openmp.threads" in environment and not row.get("tuning.threads"):
        assert str(row["threads"]) == environment["openmp.threads"].split()[0]


def compare(path, every=1):
    """Compares all columns of all rows with the CSV export, and each `every`th row with the file's tables."""
    results, stored = sextant.Results(path), tables(path)
    exported = list(csv.reader(io.StringIO(run("export", path))))
    assert exported[0] == results.columns, results.columns
    measured = sorted(stored["measurement"], key=lambda one: one["id"])
    assert len(exported) - 1 == len(results) == len(measured) > 0, (path, len(exported), len(results), len(measured))
    for cells, row in zip(exported[1:], results.rows):
        assert len(row) == len(cells)
        for name, text, value in zip(results.columns, cells, row.values()):
            assert same_text(text, value), (path, row["kernel"], row["variant"], name, text, value)
    sessions, environments, parts = {one["id"]: one for one in stored["session"]}, {}, {}
    for one in stored["environment"]:
        environments.setdefault(one["session"], {})[one["key"]] = one["value"]
    for name in PARTS:
        for one in sorted(stored.get(name, ()), key=lambda one: (one["measurement"], one["position"])):
            parts.setdefault(one["measurement"], {}).setdefault(name, []).append(one)
    for i in range(0, len(measured), every):
        one, session = measured[i], sessions[measured[i]["session"]]
        of_it = {name: parts.get(one["id"], {}).get(name, []) for name in PARTS}
        check_row(results, i, one, of_it, session, environments.get(session["id"], {}))
    assert [one["id"] for one in results.sessions] == sorted(sessions)
    assert sum(len(one["ceilings"]) for one in results.sessions) == len(stored["ceiling"])
    return results


def refused(path, part, **options):
    try:
        sextant.Results(path, **options)
    except sextant.ResultsError as error:
        assert part in str(error) and not str(error).startswith("sextant: "), error
        return
    raise AssertionError(f"{path} was read")


def change(path, *statements):
    with sqlite3.connect(path) as connection:
        for statement in statements:
            connection.execute(*statement)
    connection.close()


TYPED = """/* sextant
name = "typed"
formula = "y[i] = x[i] * scale[i] * mask[i]"
types = ["float", "double"]
sizes = { n = "N / 4" }
arrays = [ { name = "x", role = "in", length = "n", type = "float" }, { name = "scale", role = "in", length = "n", type = "int" },
           { name = "mask", role = "in", length = "n", type = "uint8" }, { name = "y", role = "out", length = "n" } ]
reference = "serial.baseline"
tolerance = { relative = "8 * eps", reason = "two products of rounded numbers" }
[variant."serial.baseline"]
function = "typed"
arguments = ["n", "x", "scale", "mask", "y"]
*/
void typed(long n, const float* x, const int* scale, const unsigned char* mask, T* y) {
  for (long i = 0; i < n; ++i) y[i] = T(x[i]) * T(scale[i]) * T(mask[i]);
}
"""

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "r ?#%20.sextant")  # contains characters with a special meaning in a URI
    run("run", "-q", "-k", "triad,rows", "-v", "serial,openmp", "-n", "7936,130560", "--samples", "13:13", "-o", path)
    results = compare(path)
    assert any(row["ceiling_fraction"] for row in results.rows)
    assert any(row["speedup_cpu"] not in (None, 1) for row in results.rows)
    assert any(row["processes"] > 1 for row in results.rows)
    for row in results.rows:
        samples = results.samples(row)["call_times"]
        all_samples = sum(results.samples(row)["visits"], list(samples))
        assert len(all_samples) == row["samples"] and min(all_samples) == row["call_time_min"], row
        assert row["processes"] == 1 + len(results.samples(row)["visits"])
        assert all(set(c) == {"device", "name", "footprint", "value"} for c in results.ceilings(row))
    assert {row["threads"] is None for row in results.rows if row["model"] == "serial"} == {True}
    assert all(row["threads"] >= 1 for row in results.rows if row["model"] == "openmp")
    script = os.path.join(source, "examples", "best_variants.py")
    piped = subprocess.run(f"{sys.executable} -u {script} '{path}' | head -c 1", shell=True, capture_output=True, text=True)
    assert "Traceback" not in piped.stderr and piped.stdout == "k", piped
    best = subprocess.run([sys.executable, script, path], capture_output=True, text=True, check=True).stdout.splitlines()
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
    results = compare(steps)
    assert [row["parameter.steps"] for row in results.rows] == [2, 3] * (len(results) // 2), results.rows
    assert results.sessions[0]["kernels"]["heat3d_r1"]["arrays"][0] == {"name": "u", "role": "in", "type": "T"}, results.sessions

    # A user kernel with a compiler option as its tunable.
    cache = os.path.join(folder, "cache")
    own, file = os.path.join(folder, "own.sextant"), os.path.join(source, "examples", "own", "jacobi.cpp")
    run("run", "-q", "--load", file, "-v", "openmp", "-t", "all", "-n", "20x10", "--type", "float", "--samples", "2:2", "--no-ceilings",
        "--visits", "1", "-o", own, SEXTANT_CACHE=cache)
    results = compare(own)
    assert {row["tuning.flag.maths"] for row in results.rows} == {"", "-ffast-math"}, results.rows

    # A user kernel whose arrays have four types; T is the type of the case.
    typed, file = os.path.join(folder, "typed.sextant"), os.path.join(folder, "typed.cpp")
    open(file, "w").write(TYPED)
    run("run", "-q", "--load", file, "-n", "4000", "--samples", "2:2", "--no-ceilings", "--visits", "1", "-o", typed, SEXTANT_CACHE=cache)
    results = compare(typed)
    assert {(row["type"], row["array_types"]) for row in results.rows} == {
        (kind, f"x:float scale:int mask:uint8 y:{kind}") for kind in ("float", "double")}, results.rows
    assert all(row["status"] == "ok" for row in results.rows), results.rows
    assert [one["type"] for one in results.sessions[0]["kernels"]["typed"]["arrays"]] == ["float", "int", "uint8", "T"]

    # Several numbers of threads, as sessions and as tunings.
    threads = os.path.join(folder, "threads.sextant")
    for count in ("1", "2"):
        run("run", "-q", "-k", "triad", "-v", "serial,openmp", "-n", "7936", "--type", "float", "--samples", "40:40",
            "--no-ceilings", "-o", threads, OMP_NUM_THREADS=count)
    results = compare(threads)
    assert {row["threads"] for row in results.rows} == {None, 1, 2}, results.rows
    tuned = os.path.join(folder, "tuned.sextant")
    run("run", "-q", "-k", "triad", "-v", "serial,openmp", "-n", "7936", "--type", "float", "-t", "threads=1,2", "--samples", "6:6",
        "--no-ceilings", "-o", tuned)
    results = compare(tuned)
    assert {row["threads"] for row in results.rows} == {None, 1, 2}, results.rows

    asides = os.path.join(folder, "asides.sextant")
    run("run", "-q", "-k", "rows", "-v", "serial,openmp", "-n", "130560", "--no-ceilings", "-o", asides)
    compare(asides)

    # Adds all data that a GPU and several ranks provide. `export` refuses a changed file, so a stand-in gives rows for it.
    made, stand_in = os.path.join(folder, "gpu.sextant"), os.path.join(folder, "stand-in")
    open(made, "wb").write(before)
    with open(stand_in, "w") as script:
        rows = run("export", path, "--format", "ndjson").replace('"error":0.0', '"error":"inf"')
        script.write(f"#!{sys.executable}\nprint({rows!r})\n")
    os.chmod(stand_in, 0o755)
    times = array.array("d", [2e-6, 1e-6, 3e-6])
    change(made,
           ("UPDATE measurement SET device_times = ?1, end_to_end_times = ?1, energies = ?1 WHERE id = 1", (times.tobytes(),)),
           ("INSERT INTO transfer VALUES (1, 0, 'a', 1, 'pageable', 1000, ?1), (1, 1, 'c', 0, 'pinned', 7, ?1)", (times.tobytes(),)),
           ("INSERT INTO launch VALUES (1, 0, 'k', 1, 2, 3, 4, 5, 6, 32, 1024, 0.5, 1e-6, 5000)",),
           ("INSERT INTO phase VALUES (1, 0, 'solve', ?)", (times.tobytes(),)),
           ("INSERT INTO part VALUES (1, 0, 'gpu0', 1e-3, NULL, 1.98e9, 512.5), (1, 1, 'gpu1', 2e-3, 1e-4, NULL, NULL)",),
           ("INSERT INTO state VALUES (1, 0, 2, ?1, ?1, ?1, 512.5, NULL, 'power cap')", (times.tobytes(),)),
           ("INSERT INTO counter VALUES (1, 0, 'l2_hit_rate', 0.25)",))
    refused(made, "was changed")
    results = sextant.Results(made, program=stand_in)
    samples = results.samples(0)
    assert any(row["error"] == math.inf for row in results.rows), results.rows
    assert samples["device_times"] == samples["end_to_end_times"] == samples["phases"]["solve"] == list(times)
    assert samples["energies"] == list(times)
    assert samples["states"] == [{"samples": list(times), "clocks": list(times), "throttled": list(times), "process": 2,
                                  "power": 512.5, "temperature": None, "throttle_reasons": "power cap"}]
    assert samples["counters"] == {"l2_hit_rate": 0.25}
    assert samples["transfers"] == [
        {"array": "a", "to_device": True, "method": "pageable", "bytes": 1000, "times": list(times)},
        {"array": "c", "to_device": False, "method": "pinned", "bytes": 7, "times": list(times)}]
    assert samples["launches"] == [{"name": "k", "grid": (1, 2, 3), "block": (4, 5, 6), "registers": 32, "shared_memory": 1024,
                                    "occupancy": 0.5, "time": 1e-6, "count": 5000}]
    assert samples["each"] == [
        {"device": "gpu0", "compute": 1e-3, "exchange": None, "clock": 1.98e9, "power": 512.5},
        {"device": "gpu1", "compute": 2e-3, "exchange": 1e-4, "clock": None, "power": None}]

    # Recorded files, of versions 1 and later.
    recorded = sorted(glob.glob(os.path.join(source, "data", "**", "*.sextant"), recursive=True))
    assert len(recorded) > 10
    versions = set()
    for name in [os.path.join(source, "tests/store/recorded/version_1.sextant"), *recorded]:
        with contextlib.closing(sqlite3.connect(f"file:{name}?mode=ro", uri=True)) as connection:
            versions.add(connection.execute("PRAGMA user_version").fetchone()[0])
            cases = connection.execute("SELECT count(*) FROM measurement").fetchone()[0]
        if cases:
            compare(name, every=1 + cases // 50)
    assert len(versions) > 2, versions
    heat = sextant.Results(os.path.join(source, "data/h200/heat-counters.sextant"))
    tunables = {name for name in heat.columns if name.startswith("tuning.")}
    assert {"tuning.unroll_queue", "tuning.prefetch_distance"} <= tunables and "tuning.rotate" not in tunables, tunables
    assert all(row["group"] and row["parameter.radius"] for row in heat.rows)  # its session has no descriptions

    refused(os.path.join(folder, "none"), "does not exist")
    with contextlib.closing(sqlite3.connect(path)) as writer:
        writer.execute("BEGIN EXCLUSIVE")
        refused(path, f"`sextant merge {path} -o copy.sextant`")
    refused(folder, "directory")
    refused(path, "there is no program /no/sextant", program="/no/sextant")
    paths, os.environ["PATH"] = os.environ["PATH"], folder
    os.environ["SEXTANT"] = ""
    refused(path, "there is no program sextant, which reads results files: install Sextant, or name")
    os.symlink(program, os.path.join(folder, "sextant"))
    assert sextant.Results(path).rows == sextant.Results(path, program=program).rows
    os.environ["PATH"], os.environ["SEXTANT"] = paths, program
    text = os.path.join(folder, "text")
    open(text, "w").write("no results\n" * 100)
    refused(text, "not a results file")
    open(text, "w").close()
    refused(text, "not a results file")
    for name, statement in (("newer", "PRAGMA user_version = 99"), ("not a results file", "PRAGMA application_id = 1"),
                            ("damaged", "UPDATE measurement SET call_times = x'0102'"),
                            ("changed", "UPDATE measurement SET status = 77")):
        open(made, "wb").write(before)
        change(made, (statement,))
        refused(made, name)
    open(made, "wb").write(before[:len(before) // 2])
    refused(made, "damaged")
    open(made, "wb").write(before[:8192] + bytes(4096) + before[12288:])
    refused(made, "damaged")
print("all rows equal")
