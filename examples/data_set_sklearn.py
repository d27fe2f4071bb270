#!/usr/bin/env python3
"""Trains a model on the data set with scikit-learn: data_set_sklearn.py [data/set]

Boosted trees choose an option for problems of families that are not in the training data. Each fold is held out in
turn. The score compares the time of the chosen option with the best time.
"""
import sys

import numpy
import pandas
from sklearn.ensemble import HistGradientBoostingRegressor

folder = sys.argv[1] if len(sys.argv) > 1 else "data/set"
read = lambda name: pandas.read_csv(f"{folder}/{name}.csv.gz")  # noqa: E731
rows = read("cases").merge(read("problems"), on="problem").merge(read("machines"), on="machine")

# Features: numbers that describe the kernel's form and the machine; no names and no results.
features = [column for table in ("problems", "machines") for column in read(table).select_dtypes("number")
            if not column.startswith("parameter_")]
ok = rows[(rows.status == "ok") & rows.option.notna()]
best = ok.loc[ok.groupby(["machine", "problem", "option"]).call_time.idxmin()].copy()
options = sorted(best.option.unique())
best["option_number"] = best.option.map(options.index)
fold = read("folds/kernel-out").set_index("family").fold
best["fold"] = best.family.map(fold)

# Problems for which all four options were measured.
chance = best.groupby(["machine", "problem"]).option.transform(lambda have: {"serial", "openmp", "cuda", "openacc"} <= set(have))
inputs = lambda of: numpy.log2(1 + of[features].astype(float)).assign(option=of.option_number)  # noqa: E731
fractions = {}
for name in sorted(best[chance].fold.unique()):
    train, test = best[best.fold != name], best[chance & (best.fold == name)].copy()
    model = HistGradientBoostingRegressor(max_iter=150, max_depth=4, random_state=0)
    model.fit(inputs(train), numpy.log(train.call_time))
    test["expected"] = model.predict(inputs(test))
    groups = test.groupby(["machine", "problem"])
    chosen = test.loc[groups.expected.idxmin()].set_index(["machine", "problem"]).call_time
    fractions[name] = numpy.exp(numpy.log(groups.call_time.min() / chosen).mean())
    print(f"{name:12} {100 * fractions[name]:5.1f} % of the best at {len(chosen)} problems")
print(f"{'mean':12} {100 * numpy.exp(numpy.mean(numpy.log(list(fractions.values())))):5.1f} % of the best, families unseen")
