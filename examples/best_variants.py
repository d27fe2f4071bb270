#!/usr/bin/env python3
"""Prints the fastest correct variant of every kernel, type and size of a results file, and its speed-up.

    python3 best_variants.py results.sextant

It needs sextant.py, in ../python or in the folder of this script, and `sextant` on PATH or its path in $SEXTANT.
"""
import os
import signal
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..", "python")]
import sextant  # noqa: E402


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: best_variants.py FILE")
    try:
        results = sextant.Results(sys.argv[1])
    except sextant.ResultsError as error:
        sys.exit(str(error))
    best = {}
    for row in results.rows:
        if row["status"] != "ok" or not row["call_time_median"] or "reordered" in row["variant"]:
            continue
        problem = (row["kernel"], row["type"], row["class"] or row["n"], row["cache"], row["machine"])
        if problem not in best or row["call_time_median"] < best[problem]["call_time_median"]:
            best[problem] = row
    if not best:
        sys.exit(f"{sys.argv[1]}: holds no correct, timed case")
    print(f"{'kernel':<16} {'type':<7} {'size':>10} {'best variant':<24} {'call time':>12} {'over serial':>12}")
    for (kernel, kind, size, _, _), row in best.items():
        speedup = f"{row['speedup_serial']:.3g}x" if row["speedup_serial"] else "-"
        print(f"{kernel:<16} {kind:<7} {size:>10} {row['variant']:<24} "
              f"{row['call_time_median'] * 1e6:>9.4g} µs {speedup:>12}")


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` must end the script without a traceback
    main()
