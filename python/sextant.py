"""Reads Sextant's results files: one row per case, the raw samples, the ceilings and the environment.

    import sextant
    results = sextant.Results("results.sextant")
    for row in results.rows:                  # the columns of `sextant export`; numbers, or None if unknown
        print(row["kernel"], row["variant"], row["n"], row["call_time_median"])
    results.samples(results.rows[0])["call_times"]   # every sample, in seconds
    results.frame()                           # the rows as a pandas DataFrame; needs pandas

    rows = sextant.data_set("data/set")       # the data set for predictions: one row per measured case, with the features
    rows[0]["folds"]["size-out"]              # of its kernel and machine, and its fold in each split

Needs only the standard library. To use it elsewhere, copy it with renamed_tunables.csv; without that file, tunables of older
results files keep their old names. It never writes results files. All values are in seconds, bytes and counts.
docs/reference/data-set.md describes the columns and the tables behind them.
"""
import array
import bisect
import collections
import csv
import gzip
import json
import math
import os
import pathlib
import re
import sqlite3
import sys
import urllib.request

APPLICATION_ID = 0x5358544E  # "SXTN"
NEWEST_VERSION = 10
TYPES = ("float", "double", "int")
STATUSES = ("ok", "wrong", "skipped", "failed", "timed_out", "impossible")
ISOLATIONS = ("alone", "calls alone", "beside others", "calls disturbed", "not tried")
WRITE_SHARES = {"read": 0.0, "triad": 1 / 3, "copy": 1 / 2, "write": 1.0}  # bytes written / bytes moved, per access pattern
SMALLEST = sys.float_info.min


class ResultsError(Exception):
    """The file is not a readable results file. The message gives the reason and a remedy."""


Interval = collections.namedtuple("Interval", "low median high minimum samples")
NOTHING = Interval(0.0, 0.0, 0.0, 0.0, 0)  # 0 samples: unknown


def median_rank(samples):
    """The largest k with P(Binomial(samples, 1/2) < k) <= 2.5 %; 0 below 6 samples."""
    if samples < 6:
        return 0
    below, log_choose = 0.0, 0.0
    for i in range(samples):
        below += math.exp(log_choose - samples * math.log(2.0))
        if below > 0.025:
            return i
        log_choose += math.log((samples - i) / (i + 1.0))
    return 0


def median_interval(samples):
    """The median with its distribution-free 95 % interval; below 6 samples low and high are the extremes."""
    if not samples:
        return NOTHING
    ordered = sorted(samples)
    n = len(ordered)
    rank = max(median_rank(n), 1)
    middle = ordered[n // 2] if n % 2 else ordered[n // 2 - 1] + (ordered[n // 2] - ordered[n // 2 - 1]) / 2
    return Interval(ordered[rank - 1], middle, ordered[n - rank], ordered[0], n)


def lasting_interval(samples):
    """median_interval of samples in time order, widened for slow noise. Slow noise is the variance of the medians of eight
    successive parts, minus the variance that the samples' own spread explains. Below 32 samples it equals median_interval."""
    interval, n, parts = median_interval(samples), len(samples), 8
    if n < 32 or not interval.minimum > 0:
        return interval
    medians = []
    for i in range(parts):
        part = sorted(samples[i * n // parts:(i + 1) * n // parts])
        medians.append(part[len(part) // 2])
    variance = sum(math.log(m / interval.median) ** 2 for m in medians) / (parts - 1)
    down, up = math.log(interval.median / interval.low), math.log(interval.high / interval.median)
    slow = 2.365 * math.sqrt(max(0.0, variance - parts * ((down + up) / 2 / 1.960) ** 2))
    return interval._replace(low=interval.median * math.exp(-math.hypot(down, slow)),
                             high=interval.median * math.exp(math.hypot(up, slow)))


def _widened(interval, between):
    """Adds `between` in quadrature to each side, on the logarithmic scale. Unchanged below 6 samples."""
    if interval.samples < 6 or not 0 < interval.low <= interval.high:
        return interval
    down, up = math.log(interval.median / interval.low), math.log(interval.high / interval.median)
    return interval._replace(low=interval.median * math.exp(-math.hypot(down, between)),
                             high=interval.median * math.exp(math.hypot(up, between)))


def across_runs(interval, environment, device, variant):
    """The interval for another run: widened by the run-to-run spread of this model, if the environment has it.
    "run_to_run.cpu.openmp" = "0.0314 of 12" is a spread of 0.0314 from 12 degrees of freedom."""
    group = "run_to_run." + ("cpu" if device.endswith("cpu") else "gpu")
    for key in (group + "." + variant.split(".")[0], group):
        found = re.match(r"\s*([0-9.e+-]+) of (\d+)", environment.get(key, ""))
        if found and 0 <= float(found[1]) < 100 and int(found[2]) >= 4:
            points = (2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179)  # Student's t, 4 to 12 degrees of freedom
            return _widened(interval, points[min(int(found[2]), 12) - 4] * float(found[1]))
    return interval


class _Visits:
    """What a session's visits, each in a process of its own, say of its calls' times: docs/explanation/measuring.md#visits."""

    def __init__(self):
        self.residuals = collections.defaultdict(list)

    @staticmethod
    def _kind(device, variant, seconds):
        on_cpu, length = device.endswith("cpu"), 0 if seconds < 20e-6 else 1 if seconds < 200e-6 else 2
        return (on_cpu, variant.split(".")[0], length), 0.12 if on_cpu else (0.06, 0.04, 0.01)[length]

    def add(self, device, variant, logs):
        if len(logs) > 1:
            mean = sum(logs) / len(logs)
            self.residuals[self._kind(device, variant, math.exp(mean))[0]] += [
                abs(log - mean) * math.sqrt(len(logs) / (len(logs) - 1)) for log in logs]

    def spread(self, device, variant, seconds):
        kind, usual = self._kind(device, variant, seconds)
        return self._joined(usual, self.residuals.get(kind))

    @staticmethod
    def _joined(prior, residuals):
        if not residuals:
            return prior
        measured = median_interval(residuals).median / 0.6745
        return math.sqrt((4 * prior ** 2 + len(residuals) * measured ** 2) / (4 + len(residuals)))

    def _kind_of_pair(self, one, other, seconds):
        return tuple(sorted(self._kind(case.stored["device"], case.stored["variant"], seconds)[0] for case in (one, other)))

    def add_pair(self, one, other):
        """How far the ratio of two cases of a problem differs between processes that visited both."""
        a, b = one.process_logs(), other.process_logs()
        ratios = [a[process] - b[process] for process in a if process in b]
        if len(ratios) > 1:
            mean = sum(ratios) / len(ratios)
            seconds = math.exp(min(next(iter(a.values())), next(iter(b.values()))))
            self.residuals[self._kind_of_pair(one, other, seconds)] += [
                abs(ratio - mean) * math.sqrt(len(ratios) / (len(ratios) - 1)) for ratio in ratios]

    def ratio_spread(self, one, other, seconds, independent):
        return self._joined(independent, self.residuals.get(self._kind_of_pair(one, other, seconds)))


def _students_t(degrees, z=1.960):
    """The two-sided point of z (1.960: 95 %, 2.807: 99.5 %), by the first terms of its expansion."""
    d = degrees
    return z * (1 + (z ** 2 + 1) / (4 * d) + (5 * z ** 4 + 16 * z ** 2 + 3) / (96 * d ** 2)
                + (3 * z ** 6 + 19 * z ** 4 + 17 * z ** 2 - 15) / (384 * d ** 3))


def _centre(logs, spread):
    """Mean of logarithms, its deviation and degrees of freedom; none counts as further than 2.5 spreads from the median."""
    if len(logs) > 2:
        median = median_interval(logs).median
        logs = [min(max(log, median - 2.5 * spread), median + 2.5 * spread) for log in logs]
    mean = sum(logs) / len(logs)
    degrees = 4 + len(logs) - 1
    squares = 4 * spread ** 2 + sum((log - mean) ** 2 for log in logs)
    return mean, math.sqrt(squares / degrees / len(logs)), degrees


def _difference(of, of_other):
    """The difference of two such means, with Welch's degrees of freedom."""
    a, b = of[1] ** 2, of_other[1] ** 2
    return of[0] - of_other[0], math.sqrt(a + b), (a + b) ** 2 / (a * a / of[2] + b * b / of_other[2])


def _interval_of_visits(logs, spread, times):
    """From two visits or more."""
    mean, deviation, degrees = _centre(logs, spread)
    wide = _students_t(degrees) * deviation
    return Interval(math.exp(mean - wide), math.exp(mean), math.exp(mean + wide), min(map(min, times)), sum(map(len, times)))


def _told(centre):
    """The outcome of a slower case against a faster one, and the interval of the ratio of their times."""
    mean, deviation, degrees = centre
    wide = _students_t(degrees) * deviation
    ratio = Interval(math.exp(mean - wide), math.exp(mean), math.exp(mean + wide), math.exp(mean), 1)
    certain = mean > _students_t(degrees, 2.807) * deviation
    return "equal" if ratio.low >= 1 / 1.03 and ratio.high <= 1.03 else "slower" if certain else "open", ratio


def _device_centre(case):
    """Of device times: the mean of the middle half of the samples, which resolves parts of the 32 ns that a GPU's clock counts."""
    samples = sorted(case.times["device_times"])
    n, quarter = len(samples), len(samples) // 4
    middle = _mean(samples[quarter:n - quarter])
    spread = (samples[-1] - samples[0]) / 2 if n < 4 else 0.82 * (samples[3 * n // 4] - samples[quarter]) / math.sqrt(n)
    error = math.hypot(spread, 32e-9 / math.sqrt(12.0)) / middle
    return math.log(middle), math.hypot(0.009 if middle < 20e-6 else 0.002, error), 4


def _contest(slow, fast):
    """Outcome, ratio, and the time that decided, of two cases of a problem: see src/record/visits.cpp."""
    gpus, launches = not slow.on_host and not fast.on_host, [sum(l["count"] for l in one.launches) for one in (slow, fast)]
    copies = any(sum(l["time"] or 0 for l in one.launches) < median_interval(one.times["device_times"]).median / 2
                 for one in (slow, fast) if one.times["device_times"])
    if gpus and slow.spread and fast.spread and slow.times["device_times"] and fast.times["device_times"] and launches[0] == launches[1] > 0 and not copies:
        by_device = _told(_difference(_device_centre(slow), _device_centre(fast)))
        if by_device[0] != "open":  # else call times may decide
            return *by_device, "device"
    spread = (0.45 if slow.model == fast.model else 0.5 if gpus else 1) * math.hypot(slow.spread or 0, fast.spread or 0)
    sides = [slow.runs, fast.runs] if slow.runs and fast.runs else \
        [slow.process_logs(), fast.process_logs()] if slow.session is fast.session and not slow.runs and not fast.runs else [{}, {}]
    common = [sides[0][process] - sides[1][process] for process in sides[0] if process in sides[1]]
    if len(common) > 1:
        if fast.session_visits and slow.session is fast.session and not slow.runs and not fast.runs:
            spread = min(math.hypot(slow.spread, fast.spread), fast.session_visits.ratio_spread(slow, fast, math.exp(fast.visit_logs()[0]), spread))
        return *_told(_centre(common, spread)), "call"
    if min(map(len, sides)) > 1:
        return *_told(_difference(*(_centre(list(side.values()), one.spread) for side, one in zip(sides, (slow, fast))))), "call"
    ratio = ratio_of_medians(slow.call, fast.call)
    return "equal" if ratio.low >= 1 / 1.03 and ratio.high <= 1.03 else "slower" if ratio.low > 1 else "open", ratio, "call"


def _mean(samples):
    return sum(samples) / len(samples) if samples else None


def ratio_of_medians(numerator, denominator):
    """numerator / denominator with a 95 % interval, by MOVER on the logarithmic scale."""
    if not numerator.median > 0 or not denominator.median > 0:
        return NOTHING
    median = numerator.median / denominator.median
    down = math.log(numerator.median / max(numerator.low, SMALLEST))
    up = math.log(numerator.high / numerator.median)
    other_down = math.log(denominator.median / max(denominator.low, SMALLEST))
    other_up = math.log(denominator.high / denominator.median)
    samples = min(numerator.samples, denominator.samples)
    join = math.hypot if samples >= 6 else lambda a, b: a + b
    minimum = numerator.minimum / denominator.minimum if denominator.minimum > 0 else 0.0
    return Interval(median * math.exp(-join(down, other_up)), median, median * math.exp(join(up, other_down)),
                    minimum, samples)


def _doubles(blob):
    values = array.array("d")
    if blob:
        values.frombytes(blob)
        if sys.byteorder == "big":
            values.byteswap()
    return values.tolist()


def _between(x, x0, y0, x1, y1):
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0) if x1 > x0 else y0


class _Roofline:
    """The roofline of a device: measured bandwidth over footprint and share of writes, and FLOP/s per type."""

    def __init__(self, ceilings, device):
        curves = collections.defaultdict(dict)
        self.flop_rates, self.matrix_rates, self.launch_costs = {}, {}, {}
        for ceiling in ceilings:
            if ceiling["device"] != device or not (ceiling["value"] or 0) > 0:
                continue
            if ceiling["name"] in WRITE_SHARES:
                curves[WRITE_SHARES[ceiling["name"]]][ceiling["footprint"]] = ceiling["value"]
            for name, kind in (("fp32", "float"), ("fp64", "double")):
                if ceiling["name"] == name:
                    self.flop_rates[kind] = ceiling["value"]
            for name, kind in (("bf16_tensor", "float"), ("fp64_tensor", "double")):
                if ceiling["name"] == name:
                    self.matrix_rates[kind] = ceiling["value"]
            if ceiling["name"].startswith("launch_"):
                self.launch_costs[ceiling["name"]] = ceiling["value"]
        self.curves = {share: sorted(curve.items()) for share, curve in curves.items()}
        self.shares = sorted(self.curves)

    @staticmethod
    def _at(curve, footprint):
        above = bisect.bisect_left(curve, (footprint, -math.inf))
        if above == len(curve):
            return curve[-1][1]
        if above == 0:
            return curve[0][1]
        (x0, y0), (x1, y1) = curve[above - 1], curve[above]
        return _between(math.log(max(footprint, 1)), math.log(max(x0, 1)), y0, math.log(max(x1, 1)), y1)

    def bandwidth(self, footprint, share):
        above = bisect.bisect_left(self.shares, share)
        if above == len(self.shares):
            return self._at(self.curves[self.shares[-1]], footprint)
        if above == 0:
            return self._at(self.curves[self.shares[0]], footprint)
        s0, s1 = self.shares[above - 1], self.shares[above]
        return 1 / _between(share, s0, 1 / self._at(self.curves[s0], footprint),
                            s1, 1 / self._at(self.curves[s1], footprint))

    def matrix_units(self, row, launches, seconds):
        """True if the ceiling of the matrix units applies: the longest launch has "tensor" in its name, or double precision
        exceeds the plain FLOP/s ceiling."""
        kind = TYPES[row["type"]]
        plain = self.flop_rates.get(kind)
        if not plain or self.matrix_rates.get(kind, 0.0) <= plain:
            return False
        longest = max(launches, key=lambda launch: launch["time"] or 0.0, default=None)
        return bool(longest and "tensor" in longest["name"]) or (
            kind == "double" and row["flops"] / seconds > 1.02 * plain)

    def limit(self, case, fraction, by_arithmetic):
        """Returns "memory" or "arithmetic", or "launch or latency" if the time is far from both ceilings and near the cost of a
        few launches."""
        if fraction < 0.5:
            model = "cuda" if case.model == "library" else case.model
            if case.work_time < 4 * self.launch_costs.get("launch_" + model, 0.0):
                return "launch or latency"
            read, written = (case.counters.get(name) for name in ("dram_bytes_read", "dram_bytes_written"))
            if read is not None and written is not None and read + written > 0 and self.shares:
                if (read + written) / case.work_time < self.bandwidth(2**63 - 1, written / (read + written)) / 2:
                    return "launch or latency"
        return "arithmetic" if by_arithmetic else "memory"

    def why_above(self, case, fraction, bound):
        """The likely reason why a case is faster than its ceiling."""
        device, row = case.stored["device"], case.stored
        if fraction <= 1.05:
            return "at its ceiling: two measurements of a ceiling differ by as much"
        size = row["n"] * (8 if TYPES[row["type"]] == "double" else 4)
        if 0 < size < min((curve[0][0] for curve in self.curves.values()), default=0):
            return f"its arrays are smaller than the smallest that the ceilings of {device} were measured with"
        if bound > 1.1 * (case.device if case.device.samples else case.call).high:
            return (f"faster than the ceilings of {device} allow: results were cached, work was skipped, "
                    "or the ceilings are too low")
        return f"within its own interval of the ceilings of {device}"

    def bound(self, row, cache, matrix_units=False):
        """(seconds, by arithmetic): the least time that the ceilings allow for a row's work, and whether arithmetic sets
        it. Or None."""
        bound = None
        total = row["bytes_read"] + row["bytes_written"]
        element = 8 if TYPES[row["type"]] == "double" else 4
        footprint = 2**63 - 1 if cache == "cold" else row["n"] * element if row["n"] > 0 else total
        if total > 0 and self.shares:
            bound = (total / self.bandwidth(footprint, row["bytes_written"] / total), False)
        rate = self.matrix_rates[TYPES[row["type"]]] if matrix_units else self.flop_rates.get(TYPES[row["type"]])
        if row["flops"] > 0 and rate:
            seconds = row["flops"] / rate
            if bound is None or seconds > bound[0]:
                bound = (seconds, True)
        return bound


class Results:
    """A results file in memory.

    rows      one dict per case, in the order of measurement, with the keys and values of `sextant export`. Sessions before
              version 3 do not describe their kernels: `group` is None, and `parameter.NAME` is missing
    sessions  one dict per session: id, started, command, version, environment (a dict), ceilings (a list of dicts with
              device, name, footprint, value), kernels (a dict of descriptions by name: group, formula, arrays, …)
    """

    def __init__(self, path):
        self.path = os.fspath(path)
        connection = _open(self.path)
        try:
            connection.execute("BEGIN")  # a consistent state, even if another process writes the file
            self._load(connection)
        except (sqlite3.DatabaseError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ResultsError(f"{self.path}: is damaged ({error}): take it from a backup or measure again") from error
        finally:
            connection.close()

    def __len__(self):
        return len(self.rows)

    def samples(self, row):
        """A row's raw samples, in seconds: call_times (of the first process), visits (a list of such lists), device_times,
        alloc_times, end_to_end_times, prepare_times, transfers (a list of dicts with array, to_device, method, bytes, times),
        launches, phases (name -> times), counters (name -> value), and each (for a problem in parts: a list of dicts with
        device, compute, exchange, clock, power)."""
        return self._samples[id(row)]

    def environment(self, row):
        """The environment of the row's session: machine, processors, compilers, flags, …"""
        return self._session[id(row)]["environment"]

    def ceilings(self, row):
        """The ceilings that the row's session measured; may be empty."""
        return self._session[id(row)]["ceilings"]

    def frame(self):
        """The rows as a pandas DataFrame. Raises ImportError without pandas."""
        import pandas
        return pandas.DataFrame(self.rows, columns=self.columns)

    def _load(self, connection):
        self.sessions = []
        by_id = {}
        for number, started, command, version in connection.execute(
                "SELECT id, started, command, version FROM session ORDER BY id"):
            by_id[number] = {"id": number, "started": started, "command": command, "version": version,
                             "environment": {}, "ceilings": [], "kernels": {}}
            self.sessions.append(by_id[number])
        for number, key, value in connection.execute("SELECT session, key, value FROM environment"):
            if number in by_id:
                by_id[number]["environment"][key] = value
        for number, device, name, footprint, value in connection.execute(
                "SELECT session, device, name, footprint, value FROM ceiling"):
            if number in by_id:
                by_id[number]["ceilings"].append(
                    {"device": device, "name": name, "footprint": footprint, "value": value})
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if version >= 3:
            for number, name, description in connection.execute("SELECT session, name, description FROM kernel"):
                if number in by_id:
                    by_id[number]["kernels"][name] = json.loads(description)

        parts = {}
        for part, since in (("tuning", 1), ("transfer", 1), ("launch", 1), ("phase", 1), ("counter", 2), ("warning", 1),
                            ("part", 8), ("visit", 10)):
            parts[part] = collections.defaultdict(list)
            if version < since:
                continue
            for found in connection.execute(f"SELECT * FROM {part} ORDER BY measurement, position"):
                parts[part][found["measurement"]].append(found)
        cases = [_Case(row, by_id[row["session"]], parts)
                 for row in connection.execute("SELECT * FROM measurement ORDER BY id")]
        by_session = {number: _Visits() for number, one in by_id.items() if "run.visits" in one["environment"]}
        for case in cases:
            if case.session["id"] in by_session:
                by_session[case.session["id"]].add(case.stored["device"], case.stored["variant"], case.visit_logs())
        for case in cases:
            case.know_call(by_session.get(case.session["id"]))
        first = {}
        for case in cases:
            if case.spread:
                other = first.setdefault((case.session["id"], case.problem), case)
                if other is not case:
                    case.session_visits.add_pair(case, other)
        _mark_outdated(cases)
        _join_runs(cases)
        _add_figures(cases, self.sessions)
        _add_outcomes(cases)
        _add_scaling(cases)

        tunables = sorted({name for case in cases for name in case.tuning})
        phases = sorted({name for case in cases for name in case.phases})
        counters = sorted({name for case in cases for name in case.counters})
        parameters = sorted({name for case in cases for name in case.parameters})
        self.rows = [case.row(tunables, phases, counters, parameters) for case in cases]
        self.columns = list(self.rows[0]) if self.rows else []
        self._samples = {id(row): case.samples() for row, case in zip(self.rows, cases)}
        self._session = {id(row): case.session for row, case in zip(self.rows, cases)}


def _open(path):
    if not os.path.exists(path):
        raise ResultsError(f"{path}: there is no such file")
    if os.path.isdir(path):
        raise ResultsError(f"{path}: is a directory, not a results file")
    try:
        connection = sqlite3.connect(f"file:{urllib.request.pathname2url(os.path.abspath(path))}?mode=ro", uri=True,
                                     timeout=1)
        connection.row_factory = sqlite3.Row
        kind = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if kind == APPLICATION_ID and version <= NEWEST_VERSION:
            state = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            raise ResultsError(f"{path}: another sextant is writing this file: `sextant merge {path} -o copy.sextant` "
                               "copies what it has so far") from error
        raise ResultsError(f"{path}: cannot be read ({error})") from error
    except sqlite3.DatabaseError as error:
        raise ResultsError(f"{path}: is not a results file, or is damaged ({error})") from error
    if kind != APPLICATION_ID:
        problem = "is not a results file"
    elif version > NEWEST_VERSION:
        problem = "was written by a newer Sextant: take its sextant.py"
    elif state != "ok":
        problem = f"is damaged ({state}): take it from a backup or measure again"
    else:
        return connection
    connection.close()
    raise ResultsError(f"{path}: {problem}")


def _listed(names, number):
    if number < 0:
        raise IndexError(f"{number} is none of {names}")
    return names[number]


class _Case:
    """A stored measurement and the derived values of its row."""

    def __init__(self, stored, session, parts):
        self.stored, self.session = stored, session
        number = stored["id"]
        self.model = stored["variant"].split(".")[0]
        self.machine = session["environment"].get("machine", "")
        self.cache = "cold" if stored["cache"] else "warm"
        self.status = _listed(STATUSES, stored["status"])
        described = session["kernels"].get(stored["kernel"])  # None for sessions before version 3
        self.group = described["group"] if described else None
        names = described["parameters"] if described else []
        self.parameters = {name: stored[f"parameter_{i}"] for i, name in enumerate(names[:4])}
        # The variant solves a different problem, so it is never a baseline.
        self.aside = stored["variant"] in described["aside"] if described else "reordered" in stored["variant"]
        self.ranks = _ranks(stored["device"])
        self.on_host = stored["device"].endswith("cpu")
        self.threads, self.binding = _threads(session["environment"], stored, described)
        self.current = True  # False if the same machine measured the case again later
        # For users' kernels: the texts of tunable values that are not numbers.
        texts = described.get("texts", {}).get(stored["variant"], {}) if described else {}
        self.tuning = {_current_tunable(stored["kernel"], stored["variant"], t["name"]): dict(enumerate(texts.get(t["name"], []))).get(t["value"], t["value"])
                       for t in parts["tuning"][number]}
        self.transfers = [{"array": t["array"], "to_device": bool(t["to_device"]), "method": t["method"],
                           "bytes": t["bytes"], "times": _doubles(t["times"])} for t in parts["transfer"][number]]
        self.launches = [{"name": l["name"], "grid": (l["grid_x"], l["grid_y"], l["grid_z"]),
                          "block": (l["block_x"], l["block_y"], l["block_z"]), "registers": l["registers"],
                          "shared_memory": l["shared_memory"], "occupancy": l["occupancy"], "time": l["time"], "count": l["count"] if "count" in l.keys() else 1}
                         for l in parts["launch"][number]]
        self.phases = {p["name"]: _doubles(p["times"]) for p in parts["phase"][number]}
        self.counters = {c["name"]: c["value"] for c in parts["counter"][number]}
        self.warnings = [w["text"] for w in parts["warning"][number]]
        self.by_part = [{name: p[name] for name in ("device", "compute", "exchange", "clock", "power")}
                     for p in parts["part"][number]]
        self.times = {name: _doubles(stored[name])
                      for name in ("call_times", "device_times", "alloc_times", "end_to_end_times")}
        self.call, self.device, self.alloc, self.end_to_end = (median_interval(t) for t in self.times.values())
        self.visits = [_doubles(v["call_times"]) for v in parts["visit"][number]]
        self.visiting = [v["process"] for v in parts["visit"][number]]
        self.runs, self.outcome = {}, (None, NOTHING, None)  # logarithms of times by session, of several runs; _contest()'s
        # Since version 3.
        added = stored if "calls_per_sample" in stored.keys() else collections.defaultdict(lambda: None)
        self.calls_per_sample, self.first_call = added["calls_per_sample"] or 1, added["first_call"]
        self.prepare_times = _doubles(added["prepare_times"])
        self.integer_operations = stored["integer_operations"] if "integer_operations" in stored.keys() else 0  # since version 5
        of_parts = stored if "bytes_sent" in stored.keys() else collections.defaultdict(lambda: None)  # since version 6
        self.bytes_sent = of_parts["bytes_sent"] or 0
        self.compute_times, self.exchange_times = _doubles(of_parts["compute_times"]), _doubles(of_parts["exchange_times"])
        self.balance, self.cores = of_parts["balance"], of_parts["cores"]
        self.nodes = stored["nodes"] if "nodes" in stored.keys() else None  # since version 7
        isolation = stored["isolation"] if "isolation" in stored.keys() else None  # since version 8
        self.isolation = None if isolation is None else _listed(ISOLATIONS, isolation)
        self.seen_times = _doubles(stored["seen_times"] if "seen_times" in stored.keys() else None)  # since version 9
        self.clock_step = (added["clock_step"] or 0.0) / self.calls_per_sample
        self.speedups = {}
        self.ceiling_fraction, self.limit = None, None
        self.notes = []

    def visit_logs(self):
        """Logarithms of the median call time in the first process and in each visit. Visits are scaled, because they repeat
        an input that earlier calls have already used."""
        first = median_interval(self.times["call_times"]).median if self.times["call_times"] else 0
        if not first > 0:
            return []
        scale = first / median_interval(self.seen_times).median if self.seen_times else 1
        return [math.log(first)] + [math.log(median_interval(times).median * scale) for times in self.visits if times]

    def process_logs(self):
        """The same by the process that measured it."""
        return dict(zip([0] + [process for process, times in zip(self.visiting, self.visits) if times], self.visit_logs()))

    def know_call(self, visits):
        """Sets the interval of the call times, from the session's visits. visits is None if the session could not have
        visits."""
        self.session_visits = visits
        device, variant, logs = self.stored["device"], self.stored["variant"], self.visit_logs()
        self.processes, self.spread = len(logs), None
        self.call = lasting_interval(self.times["call_times"])
        if visits is None or not logs:
            self.call = across_runs(self.call, self.session["environment"], device, variant)
        else:
            spread = self.spread = visits.spread(device, variant, math.exp(logs[0]))
            self.call = _interval_of_visits(logs, spread, [self.times["call_times"]] + [times for times in self.visits if times]) if len(logs) > 1 \
                else _widened(self.call, 2.776 * spread)  # Student's t, 4 degrees
        self.widen_to_clock()

    def widen_to_clock(self):
        step = self.clock_step
        if self.call.samples:  # no interval is narrower than the clock's resolution
            self.call = self.call._replace(low=max(0.0, self.call.low - step), high=self.call.high + step)

    def build(self):
        """What the measured code is known by."""
        loaded = "plugin." + self.stored["kernel"]
        return tuple(sorted((key, value) for key, value in self.session["environment"].items()
                            if key in ("version", "git_revision", "build_type", loaded) or key.startswith(("compiler.", "flags."))))

    def cut_at_ceiling(self, seconds):
        """Raises the low end of the intervals to the ceiling's time / 1.1. Two measurements of a ceiling may differ by that
        factor."""
        least = seconds / 1.1
        for name in ("call", "device"):
            interval = getattr(self, name)
            if interval.samples and least <= interval.median:
                setattr(self, name, interval._replace(low=max(interval.low, least)))

    @property
    def ok(self):
        return self.status == "ok" and self.call.samples > 0

    @property
    def work_time(self):
        return self.device.median if self.device.samples else self.call.median

    @property
    def with_transfers(self):
        return self.call if self.on_host else self.end_to_end

    @property
    def problem(self):
        s = self.stored
        return (self.machine, s["kernel"], s["type"], s["problem_class"] or s["n"], s["extent_x"], s["extent_y"],
                s["extent_z"], s["parameter_0"], s["parameter_1"], s["parameter_2"], s["parameter_3"], self.cache)

    @property
    def each(self):
        """The problem of a single part under weak scaling; without weak scaling, the whole problem."""
        problem = list(self.problem)
        if not self.is_weak:
            return tuple(problem)
        slowest = 6 if problem[6] > 1 else 5 if problem[5] > 1 else 4
        problem[slowest] //= self.ranks
        name = problem[3][:-len(" each")]
        problem[3] = self.stored["n"] // self.ranks if name == str(self.stored["n"] // self.ranks) else name
        return tuple(problem)

    @property
    def is_weak(self):
        return self.stored["problem_class"].endswith(" each")

    @property
    def is_cpu_version(self):
        return (self.ok and self.current and not self.aside and self.on_host and self.ranks == 0
                and self.model not in ("openacc", "target", "cuda"))

    def samples(self):
        return {**self.times, "prepare_times": self.prepare_times, "compute_times": self.compute_times,
                "exchange_times": self.exchange_times, "visits": self.visits, "transfers": self.transfers,
                "launches": self.launches, "phases": self.phases, "counters": self.counters, "each": self.by_part}

    def copies(self, to_device, method):
        chosen = [t for t in self.transfers if t["to_device"] == to_device and t["method"] == method and t["times"]]
        if not chosen:
            return None, None
        return (sum((median_interval(t["times"]).median for t in chosen), 0.0), sum(t["bytes"] for t in chosen))

    def row(self, tunables, phases, counters, parameters):
        s = self.stored
        row = {"kernel": s["kernel"], "group": self.group or None, "model": self.model, "variant": s["variant"], "type": TYPES[s["type"]],
               "n": s["n"] or None, "extents": _extents(s["extent_x"], s["extent_y"], s["extent_z"])}
        row.update({"tuning." + name: self.tuning.get(name) for name in tunables})
        checked = self.status in ("ok", "wrong")
        row.update({"device": s["device"], "machine": self.machine, "status": self.status,
                    "reason": s["reason"] or None, "error": s["error"] if checked else None,
                    "tolerance": s["tolerance"] if checked else None, "samples": self.call.samples or None})
        for name, interval in (("call_time", self.call), ("device_time", self.device)):
            for end, part in (("median", interval.median), ("low", interval.low), ("high", interval.high),
                              ("min", interval.minimum)):
                row[f"{name}_{end}"] = part if interval.samples else None
        plain = "directive" if self.model in ("openacc", "target") else "pageable"
        h2d, d2h = self.copies(True, plain), self.copies(False, plain)
        row.update({"h2d_time": h2d[0], "d2h_time": d2h[0], "h2d_bytes": h2d[1], "d2h_bytes": d2h[1],
                    "alloc_time": _median(self.alloc), "end_to_end_time": _median(self.end_to_end)})
        work_known = any(s[name] for name in ("bytes_read", "bytes_written", "flops", "items")) or self.integer_operations > 0
        row.update({name: s[name] if work_known else None for name in ("bytes_read", "bytes_written", "flops")})
        total, time = s["bytes_read"] + s["bytes_written"], self.work_time
        timed = self.ok and time > 0
        row["bandwidth"] = total / time if timed and total > 0 else None
        row["flop_rate"] = s["flops"] / time if timed and s["flops"] > 0 else None
        row["ceiling_fraction"] = self.ceiling_fraction
        for name in ("speedup_serial", "speedup_cpu", "speedup_serial_with_transfers"):
            row[name] = _median(self.speedups.get(name, NOTHING))
        longest = max(self.launches, key=lambda launch: launch["time"] or 0.0, default=None)
        row["registers"] = (longest["registers"] or None) if longest else None
        row["shared_memory"] = longest["shared_memory"] if longest else None
        row["occupancy"] = (longest["occupancy"] or None) if longest else None
        row.update({"cache": self.cache, "clock": s["clock"], "timestamp": s["timestamp"] or None,
                    "class": s["problem_class"] or None,
                    "threads": int(self.threads) if self.threads else None, "binding": self.binding or None,
                    "h2d_pinned_time": self.copies(True, "pinned")[0],
                    "d2h_pinned_time": self.copies(False, "pinned")[0], "items": s["items"] if work_known else None,
                    "item_rate": s["items"] / time if timed and s["items"] > 0 else None,
                    "integer_operations": self.integer_operations if work_known else None,
                    "call_time_mean": _mean(self.times["call_times"]),
                    "device_time_mean": _mean(self.times["device_times"]),
                    "prepare_time": _median(median_interval(self.prepare_times)),
                    "first_use": self.prepare_times[0] + self.first_call
                    if self.prepare_times and self.first_call is not None else None, "first_call": self.first_call,
                    "calls_per_sample": self.calls_per_sample if self.call.samples else None,
                    "seen_time": _median(median_interval(self.seen_times)), "processes": self.processes or None})
        outcome, over, by = self.outcome
        row.update({"outcome": outcome, "outcome_by": by, "over_fastest": _median(over),
                    "over_fastest_low": over.low if over.samples else None, "over_fastest_high": over.high if over.samples else None})
        for name in ("speedup_serial", "speedup_cpu", "speedup_serial_with_transfers"):
            interval = self.speedups.get(name, NOTHING)
            row[name + "_low"] = interval.low if interval.samples else None
            row[name + "_high"] = interval.high if interval.samples else None
        row["speedup_cpu_with_transfers"] = _median(self.speedups.get("speedup_cpu_with_transfers", NOTHING))
        row["ceiling"] = self.limit
        row.update({"temperature": s["temperature"], "power": s["power"],
                    "seed": str(s["seed"] % 2**64) if s["seed"] else None})
        row.update({"phase." + name: _median(median_interval(self.phases.get(name, []))) for name in phases})
        row.update({"counter." + name: self.counters.get(name) for name in counters})
        row.update({"parts": self.ranks or None, "ranks": self.ranks or None, "nodes": self.nodes,
                    "cores": self.cores,
                    "scale": ("weak" if self.is_weak else "strong") if self.ranks else None})
        for name in ("speedup_self", "efficiency_self", "speedup_best_single", "efficiency_best_single"):
            interval = self.speedups.get(name, NOTHING)
            row[name] = _median(interval)
            row[name + "_low"] = interval.low if interval.samples else None
            row[name + "_high"] = interval.high if interval.samples else None
        row.update(self.exchange(work_known))
        row["isolation"] = self.isolation
        row.update({"session": self.session["started"] or None, "version": self.session["version"] or None,
                    "git_revision": self.session["environment"].get("git_revision") or None,
                    "warnings": "; ".join(self.warnings) or None, "notes": "; ".join(self.notes) or None})
        row.update({"parameter." + name: self.parameters.get(name) for name in parameters})
        return row

    def exchange(self, work_known):
        """The columns about the exchange between parts."""
        row = dict.fromkeys(("compute_time", "exchange_time", "exposed_time", "hidden_share", "bytes_sent", "bus_bandwidth"))
        if self.ranks and self.ok and self.compute_times and self.exchange_times:
            total = self.call.median
            compute, exchange = (median_interval(times).median for times in (self.compute_times, self.exchange_times))
            row.update({"compute_time": compute, "exchange_time": exchange, "exposed_time": max(0.0, total - compute)})
            if min(compute, exchange) > 0:
                row["hidden_share"] = min(max((compute + exchange - total) / min(compute, exchange), 0.0), 1.0)
            if exchange > 0:
                row["bus_bandwidth"] = self.bytes_sent / exchange
        row["bytes_sent"] = self.bytes_sent if self.ranks and work_known else None
        row["balance"] = self.balance
        return row


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


def _median(interval):
    return interval.median if interval.samples else None


def _extents(x, y, z):
    return f"{x}" + (f"x{y}" if y > 1 or z > 1 else "") + (f"x{z}" if z > 1 else "")


def _renamed_tunables():
    """(kernel, variant, old name of a tunable) -> current name. Variant "" stands for all variants of the kernel."""
    path = pathlib.Path(__file__).with_name("renamed_tunables.csv")
    if not path.exists():
        return {}
    with open(path, newline="") as file:
        return {(kernel, variant, row["before"]): row["now"] for row in csv.DictReader(file)
                for kernel in row["kernels"].split() for variant in row["variants"].split() or [""]}


_RENAMED = _renamed_tunables()


def _current_tunable(kernel, variant, name):
    return _RENAMED.get((kernel, variant, name)) or _RENAMED.get((kernel, "", name)) or name


def _thread_library(variant, described):
    """The library of the variant's threads. If the file does not name it, the variant's name decides."""
    said = (described or {}).get("thread_libraries", {}).get(variant)
    if said:
        return said
    for name, library in (("library.openblas", "openblas"), ("library.fftw", "fftw"), ("library.parallel", "openmp"),
                          ("openmp.", "openmp"), ("stdpar.", "tbb")):
        if variant.startswith(name):
            return library
    return "none"


def _threads(environment, stored, described):
    """The number of threads of a case, and their binding. Empty without threads, or if the session does not record them."""
    library = _thread_library(stored["variant"], described)
    if stored["device"] != "cpu" or library == "none":
        return "", ""
    own = f"{library}.threads" if library in ("openblas", "fftw") else "openmp.threads"
    count = environment.get(own) or environment.get("openmp.threads", "")
    usual = {"OMP_PROC_BIND": "close", "OMP_PLACES": "cores", "GOMP_CPU_AFFINITY": ""}
    binding = [f"{name}={environment['env.' + name]}" for name, value in usual.items()
               if environment.get("env." + name, value) not in ("", value)]
    return count, "" if library in ("openblas", "tbb") else " ".join(binding)


def _ranks(device):
    """The number of ranks in a device name: 4 for 4xcpu. 0 for a case in a single process."""
    found = re.fullmatch(r"([1-9][0-9]*)x[cg]pu", device)
    return int(found.group(1)) if found else 0


def _add_scaling(cases):
    """Adds the speed-up of several ranks over one rank, and over the best variant of a single process. Under weak scaling, n
    ranks do n times the work of one. Efficiency is the speed-up / the ratio of used cores or GPUs."""
    alone, best = {}, {}
    for case in cases:
        if not case.ok or not case.current:
            continue
        if case.ranks == 1:
            alone[case.problem, case.stored["variant"], tuple(case.tuning.items())] = case
        if case.ranks == 0 and not case.aside:
            key = case.problem, case.on_host
            if key not in best or case.call.median < best[key].call.median:
                best[key] = case

    def hold_against(case, name, single, hardware):
        work = case.ranks if case.is_weak else 1
        ratio = Interval(1.0, 1.0, 1.0, 1.0, case.call.samples)
        if single is not case:
            ratio = ratio_of_medians(single.call, case.call)
            ratio = Interval(*(value * work for value in ratio[:4]), ratio.samples)
        case.speedups["speedup_" + name] = ratio
        if hardware:
            case.speedups["efficiency_" + name] = Interval(*(value * (1 / hardware) for value in ratio[:4]), ratio.samples)

    for case in cases:
        if not case.ranks or not case.ok:
            continue
        one = alone.get((case.each, case.stored["variant"], tuple(case.tuning.items())))
        if one:
            more = (case.cores / one.cores if case.cores is not None and one.cores else None) if case.on_host else case.ranks
            hold_against(case, "self", one, more)
        else:
            case.notes.append("the same variant was not measured with one rank")
        single = best.get((case.each, case.on_host))
        if single:
            threads = re.match(r"\d+", single.session["environment"].get("openmp.threads", ""))
            cores = int(threads.group()) if threads else 0
            more = (case.cores / cores if case.cores is not None and cores else None) if case.on_host else case.ranks
            hold_against(case, "best_single", single, more)
        else:
            case.notes.append("no variant of one process was measured (correctly) for this problem")


def _mark_outdated(cases):
    newest = {}
    for case in cases:
        key = (case.machine, case.stored["key"], case.threads, case.binding)
        moment = (case.session["started"], case.stored["timestamp"])
        other = newest.get(key)
        if other and other[0] > moment:
            case.current = False
            continue
        if other:
            other[1].current = False
        newest[key] = (moment, case)


def _join_runs(cases):
    """The newest of several runs of one build has the mean over their sessions; sessions without visits are left out."""
    runs = collections.defaultdict(list)
    for case in cases:
        if case.spread and case.ok:
            runs[case.machine, case.stored["key"], case.threads, case.binding, case.build()].append(case)
    for joined in runs.values():
        if len(joined) < 2:
            continue
        logs = [_centre(one.visit_logs(), one.spread)[0] for one in joined]
        processes = sum(one.processes for one in joined)
        for one in joined:
            if one.current:
                times = [one.times["call_times"]] + [times for times in one.visits if times]
                mean = sum(logs) / len(logs)
                deviation = math.sqrt(sum((log - mean) ** 2 for log in logs) / (len(logs) - 1))
                one.call, one.processes = _interval_of_visits(logs, max(one.spread, deviation), times), processes
                one.runs = {two.session["id"]: log for two, log in zip(joined, logs)}
                one.widen_to_clock()


def _add_outcomes(cases):
    """Each case against the fastest of its problem: fastest, slower, equal or open."""
    problems = collections.defaultdict(list)
    for case in cases:
        if case.ok and case.current and not case.aside and not case.ranks and case.call.median > 0:
            problems[case.problem].append(case)
    for all_of_it in problems.values():
        fastest = min(all_of_it, key=lambda one: one.call.median)
        others = [one for one in all_of_it if one is not fastest]
        for case in others:
            case.outcome = _contest(case, fastest)
        found = {case.outcome[0] for case in others}
        if others:
            name = "open" if "open" in found else "equal" if "equal" in found else "fastest"
            fastest.outcome = name, Interval(1.0, 1.0, 1.0, 1.0, 1), "call"


def _ceilings_for(case, sessions):
    """The ceilings of the case's session, or else of the latest session of its machine with ceilings for its device."""
    device = case.stored["device"]
    able = [s for s in sessions if s["environment"].get("machine", "") == case.machine
            and any(c["device"] == device for c in s["ceilings"])]
    if any(s is case.session for s in able):
        return case.session["ceilings"]
    return max(able, key=lambda s: s["started"])["ceilings"] if able else []


def _add_figures(cases, sessions):
    serial, cpu, rooflines = {}, collections.defaultdict(dict), {}
    for case in cases:
        if not case.is_cpu_version:
            continue
        if case.stored["variant"] == "serial.baseline":
            serial[case.problem] = case
        threads = (case.threads, case.binding)
        best = cpu[case.problem].get(threads)
        if not best or case.call.median < best.call.median:
            cpu[case.problem][threads] = case
    for case in cases:
        if not case.ok:
            continue
        key = (case.session["id"], case.stored["device"])
        if key not in rooflines:
            rooflines[key] = _Roofline(_ceilings_for(case, sessions), case.stored["device"])
        if case.work_time > 0:
            roofline = rooflines[key]
            matrix_units = roofline.matrix_units(case.stored, case.launches, case.work_time)
            bound = roofline.bound(case.stored, case.cache, matrix_units)
            if bound:
                case.ceiling_fraction = bound[0] / case.work_time
                case.limit = roofline.limit(case, case.ceiling_fraction, bound[1])
                if case.spread:  # not for older files, so that their rows stay the same
                    case.cut_at_ceiling(bound[0])
                if case.ceiling_fraction > 1:
                    case.notes.append(roofline.why_above(case, case.ceiling_fraction, bound[0]))
            else:
                case.notes.append(f"no ceiling of {case.stored['device']} was measured")
    for case in cases:
        if not case.ok:
            continue
        own = (case.threads, case.binding)  # a case without threads is compared with any number of threads
        able = [one for threads, one in cpu[case.problem].items() if ("", "") in (own, threads) or threads == own]
        _add_speedups(case, serial.get(case.problem), min(able, key=lambda one: one.call.median, default=None))


def _add_speedups(case, serial, cpu):
    if not case.on_host and not case.end_to_end.samples:
        case.notes.append("the end-to-end time was not measured")
    for name, baseline, missing in (
            ("speedup_serial", serial, "serial.baseline was not measured (correctly) for this problem"),
            ("speedup_cpu", cpu, "no CPU version was measured (correctly) for this problem")):
        if baseline is None:
            case.notes.append(missing)
            continue
        for suffix, time in (("", case.call), ("_with_transfers", case.with_transfers)):
            if baseline is case:
                ratio = Interval(1.0, 1.0, 1.0, 1.0, time.samples)
            else:
                ratio = ratio_of_medians(baseline.call, time)
            case.speedups[name + suffix] = ratio
