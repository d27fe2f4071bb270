#!/usr/bin/env python3
"""Counts with pandas how often each option wins in the data set: data_set_pandas.py [data/set]"""
import sys

import pandas

folder = sys.argv[1] if len(sys.argv) > 1 else "data/set"
cases, problems, machines = (pandas.read_csv(f"{folder}/{name}.csv.gz") for name in ("cases", "problems", "machines"))
rows = cases.merge(problems, on="problem").merge(machines, on="machine")

ok = rows[(rows.status == "ok") & rows.option.notna()]
best = ok.loc[ok.groupby(["machine", "problem"]).call_time.idxmin()]
for option, count in best.option.value_counts().sort_index().items():
    print(option, count)
