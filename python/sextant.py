"""Reads Sextant's results files in Python: one row per case, the raw samples, the ceilings and the environment.

    import sextant
    results = sextant.Results("results.sextant")
    for row in results.rows:                         # the columns of `sextant export`; numbers, or None if unknown
        print(row["kernel"], row["variant"], row["n"], row["call_time_median"])
    results.samples(results.rows[0])["call_times"]   # every sample, in seconds
    results.frame()                                  # the rows as a pandas DataFrame; needs pandas

    rows = sextant.data_set("data/set")              # the data set for predictions: one row per measured case, with the
    rows[0]["folds"]["size-out"]                     # features of its kernel and machine, and its fold in each split

`Results` runs `sextant export`, so its values are those of the program; the samples, sessions and ceilings come from the
file itself, which is an SQLite database. The module needs only the standard library and writes nothing. All values are in
seconds, bytes and counts. docs/reference/data-set.md describes the columns and the tables.
"""
import array
import collections
import contextlib
import csv
import gzip
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import urllib.request

# the columns of the table measurement that hold samples
SERIES = ("call_times", "device_times", "alloc_times", "end_to_end_times", "prepare_times", "compute_times", "exchange_times",
          "seen_times", "gap_times", "gap_device_times", "energies", "energy_times")


class ResultsError(Exception):
    """The results cannot be read. The message gives the reason and a remedy."""


class Results:
    """A results file in memory.

    rows      one dict per case, in the order of measurement, with the keys and values of `sextant export`
    columns   the keys of every row
    sessions  one dict per session: id, started, command, version, environment (a dict), ceilings (a list of dicts with
              device, name, footprint, value), kernels (a dict of descriptions by name: group, formula, arrays, …; empty for
              sessions before version 3)

    `program` is the sextant to run. Without it, $SEXTANT names it, or PATH is searched. In the methods, `row` is one of
    `rows`, or its position in them.
    """

    def __init__(self, path, program=None):
        self.path = os.fspath(path)
        program = find_program(program)
        address = f"file:{urllib.request.pathname2url(os.path.abspath(self.path))}?mode=ro"
        try:
            with contextlib.closing(sqlite3.connect(address, uri=True, timeout=1)) as connection:
                connection.row_factory = sqlite3.Row
                connection.execute("BEGIN")
                connection.execute("SELECT count(*) FROM measurement")  # from here on no other process changes the file
                self.rows = _export(program, self.path)
                self._load(connection)
        except sqlite3.Error as error:
            if "locked" in str(error):
                raise ResultsError(f"{self.path} is being written by another `sextant`. `sextant merge {self.path} -o "
                                   "copy.sextant` copies what it has so far") from error
            _export(program, self.path)  # the program says what is wrong with the file
            raise ResultsError(f"{self.path} cannot be read ({error})") from error
        self.columns = list(self.rows[0]) if self.rows else []
        self._position = {id(row): i for i, row in enumerate(self.rows)}

    def __len__(self):
        return len(self.rows)

    def samples(self, row):
        """The raw samples of a case, in seconds: call_times (of the first process), visits (one list per further process),
        device_times, alloc_times, end_to_end_times, prepare_times, compute_times, exchange_times, seen_times, gap_times,
        gap_device_times, energies (joules of a call, one per window), energy_times (seconds of a call there), states (one
        dict per process, with lists over its groups of samples: samples, clocks, throttled; and process, power, temperature,
        throttle_reasons; NaN if unknown), transfers (dicts with array, to_device, method, bytes, times), launches, phases
        (name -> times), counters (name -> value), and each (for a problem in parts: dicts with device, compute, exchange,
        clock, power)."""
        return self._samples[self._at(row)]

    def environment(self, row):
        """The environment of the session that measured the case: machine, processors, compilers, flags, …"""
        return self._session(row)["environment"]

    def ceilings(self, row):
        """The ceilings that this session measured; may be empty."""
        return self._session(row)["ceilings"]

    def frame(self):
        """The rows as a pandas DataFrame. Raises ImportError without pandas."""
        import pandas
        return pandas.DataFrame(self.rows, columns=self.columns)

    def _at(self, row):
        return row if isinstance(row, int) else self._position[id(row)]

    def _session(self, row):
        return self._sessions[self._session_of[self._at(row)]]

    def _load(self, connection):
        """Reads the tables of raw values. Tables and columns that came with a later version count as empty."""
        existing = {row["name"] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}

        def table(name):
            return map(dict, connection.execute(f"SELECT * FROM {name}")) if name in existing else ()

        self._sessions = {one["id"]: {**{key: one[key] for key in ("id", "started", "command", "version")},
                                      "environment": {}, "ceilings": [], "kernels": {}} for one in table("session")}
        self.sessions = list(self._sessions.values())
        for one in table("environment"):
            self._sessions[one["session"]]["environment"][one["key"]] = one["value"]
        for one in table("ceiling"):
            self._sessions[one["session"]]["ceilings"].append({key: one[key] for key in ("device", "name", "footprint", "value")})
        for one in table("kernel"):
            self._sessions[one["session"]]["kernels"][one["name"]] = json.loads(one["description"])

        parts = {}
        for name in ("visit", "transfer", "launch", "phase", "counter", "part", "state"):
            parts[name] = collections.defaultdict(list)
            for one in sorted(table(name), key=lambda one: (one["measurement"], one["position"])):
                parts[name][one["measurement"]].append(one)
        measured = sorted(table("measurement"), key=lambda one: one["id"])
        self._session_of = [one["session"] for one in measured]
        self._samples = [_samples(one, {name: of_all[one["id"]] for name, of_all in parts.items()}) for one in measured]
        if len(measured) != len(self.rows):
            raise ResultsError(f"{self.path}: changed while it was read: read it again")


def find_program(program=None):
    """The sextant to run: `program`, else $SEXTANT, else the one on PATH. Raises ResultsError if there is none."""
    wanted = os.fspath(program or os.environ.get("SEXTANT") or "sextant")
    found = shutil.which(wanted)
    if not found:
        raise ResultsError(f"there is no program {wanted}, which reads results files: install Sextant, or name the program by "
                           "the environment variable SEXTANT or as Results(path, program=...)")
    return found


def _export(program, path):
    """Returns the rows of `sextant export`. Notes of the program go to standard error."""
    run = subprocess.run([program, "export", "--format", "ndjson", "--", path], capture_output=True, encoding="utf-8")
    if run.returncode:
        message = run.stderr.strip().removeprefix("sextant: ")
        raise ResultsError(message or f"{path}: {program} ended with exit code {run.returncode}")
    sys.stderr.write(run.stderr)
    rows = [json.loads(line) for line in run.stdout.split("\n") if line]
    for row in rows:  # JSON has no infinity
        row.update({name: float(value) for name, value in row.items() if value in ("inf", "-inf", "nan") and
                    (name in ("error", "tolerance") or name.startswith("counter."))})
    return rows


def _samples(measurement, parts):
    samples = {name: _doubles(measurement.get(name)) for name in SERIES}
    samples["visits"] = [_doubles(one["call_times"]) for one in parts["visit"]]
    samples["states"] = [{**{key: _doubles(one[key]) for key in ("samples", "clocks", "throttled")},
                          **{key: one[key] for key in ("process", "power", "temperature", "throttle_reasons")}}
                         for one in parts["state"]]
    samples["transfers"] = [{"array": one["array"], "to_device": bool(one["to_device"]), "method": one["method"],
                             "bytes": one["bytes"], "times": _doubles(one["times"])} for one in parts["transfer"]]
    samples["launches"] = [{"name": one["name"], "grid": (one["grid_x"], one["grid_y"], one["grid_z"]),
                            "block": (one["block_x"], one["block_y"], one["block_z"]), "registers": one["registers"],
                            "shared_memory": one["shared_memory"], "occupancy": one["occupancy"], "time": one["time"],
                            "count": one.get("count", 1)} for one in parts["launch"]]
    samples["phases"] = {one["name"]: _doubles(one["times"]) for one in parts["phase"]}
    samples["counters"] = {one["name"]: one["value"] for one in parts["counter"]}
    samples["each"] = [{key: one[key] for key in ("device", "compute", "exchange", "clock", "power")} for one in parts["part"]]
    return samples


def _doubles(blob):
    """The numbers of a BLOB of little-endian doubles."""
    values = array.array("d", blob or b"")
    if sys.byteorder == "big":
        values.byteswap()
    return values.tolist()


def data_set(folder):
    """Joins the tables of `sextant export --format data-set` or scripts/make-data-set: one dict per measured case.

    Values are numbers where possible, and None if unknown. "folds" gives, for each split, the fold in which
    the row is held out. docs/reference/advice-data.md describes the rows that are held out together.
    """
    problems = {row["problem"]: row for row in _table(folder, "problems")}
    machines = {row["machine"]: row for row in _table(folder, "machines")}
    splits = {}  # split -> (columns that identify a group, group -> fold)
    for name in sorted(os.listdir(os.path.join(folder, "folds"))):
        split = name.split(".")[0]
        rows = _table(os.path.join(folder, "folds"), split)
        keys = [column for column in (rows[0] if rows else {}) if column in ("problem", "family", "machine")]
        splits[split] = keys, {tuple(row[key] for key in keys): row["fold"] for row in rows}
    joined = []
    for case in _table(folder, "cases"):
        row = {**machines[case["machine"]], **problems[case["problem"]], **case}
        row["folds"] = {split: folds.get(tuple(row[key] for key in keys)) for split, (keys, folds) in splits.items()}
        joined.append(row)
    return joined


def _table(folder, name):
    path = os.path.join(folder, name + ".csv")
    opener = open if os.path.exists(path) else gzip.open
    path = path if opener is open else path + ".gz"
    if not os.path.exists(path):
        raise ResultsError(f"{folder} is no data set: it has no {name}.csv and no {name}.csv.gz. "
                           "`sextant export FILE --format data-set -o FOLDER` makes one.")
    with opener(path, "rt", newline="", encoding="utf-8") as file:
        return [{key: _number(value) for key, value in row.items()} for row in csv.DictReader(file)]


def _number(text):
    if text == "":
        return None
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            return text
