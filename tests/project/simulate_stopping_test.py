"""Tests scripts/simulate-stopping on the time series of engine_sampling_test.cpp, which defines when sampling ends:
simulate_stopping_test.py SOURCE_FOLDER"""
import argparse
import importlib.machinery
import importlib.util
import os
import sys

sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("simulate_stopping", os.path.join(sys.argv[1], "scripts", "simulate-stopping"))
script = importlib.util.module_from_spec(importlib.util.spec_from_loader("simulate_stopping", loader))
loader.exec_module(script)
OPTIONS = argparse.Namespace(soon=1 / 8, over=2, under=6)


def steps(more, step):
    """Returns samples of 0.1 ms for 0.2 s. They are longer by the fraction `more` in the first quarter of `step` seconds and in every
    second interval of `step` seconds."""
    samples, spent = [], 0.0
    while spent < 0.2:
        slow = spent < step / 4 or int(spent / step) % 2
        samples.append(1e-4 * (1 + more) if slow else 1e-4)
        spent += samples[-1]
    return samples


failed = False
for more, max_noise, wanted in ((0.03, 0.01, 0.025), (0.1, 0.01, 0.1), (0.1, 0.09, 0.1), (0, 0.01, 0.012)):
    rule = script.Rule({"run.case_seconds": "0.2", "run.max_noise": str(max_noise)}, OPTIONS)
    count, spent = script.ended(steps(more, 0.02), 1, rule)
    if abs(spent - wanted) > 0.25 * wanted:
        failed = True
        print(f"steps of {more:.0%}, ±{max_noise:.0%} allowed: sampled for {spent:.4f} s, not {wanted} s", file=sys.stderr)
sys.exit(failed)
