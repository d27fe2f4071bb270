"""Tests scripts/model-table on the study's results: model_table_test.py SOURCE"""
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import re
import sys
import unittest

SOURCE = sys.argv.pop()
STUDY = os.path.join(SOURCE, "data", "h200", "study.sextant")
loader = importlib.machinery.SourceFileLoader("model_table", os.path.join(SOURCE, "scripts", "model-table"))
sys.dont_write_bytecode = True
model_table = importlib.util.module_from_spec(importlib.util.spec_from_loader("model_table", loader))
loader.exec_module(model_table)


def ratios(best, baseline, group):
    """Returns the row of a group in the printed table: model -> (ratio, cases)."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        model_table.print_table("Calls", best, baseline)
    models = re.search(r"^\| group \| (.*) \|$", out.getvalue(), re.M).group(1).split(" | ")
    cells = re.search(rf"^\| {group} \| (.*) \|$", out.getvalue(), re.M).group(1).split(" | ")
    found = [re.fullmatch(r"([0-9.]+) \((\d+)\)", cell.strip()) for cell in cells]
    return {model: (float(one.group(1)), int(one.group(2))) for model, one in zip(models, found) if one}


class ModelTable(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.results = model_table.sextant.Results(STUDY)
        cls.best = model_table.best_times(cls.results, "call_time_median")

    def test_the_baseline_is_as_fast_as_itself(self):
        for baseline in ("cuda", "serial"):
            self.assertEqual(ratios(self.best, baseline, "stream")[baseline], (1.0, 32))

    def test_ratios_turn_around_with_the_baseline(self):
        product = ratios(self.best, "cuda", "stream")["openmp"][0] * ratios(self.best, "openmp", "stream")["cuda"][0]
        self.assertAlmostEqual(product, 1, delta=0.02)

    def test_a_group_counts_what_both_models_have(self):
        self.assertEqual(ratios(self.best, "cuda", "stream")["gpu library"][1], 8)  # of copy only

    def test_forms_of_another_order_do_not_count(self):
        times = {row["variant"]: row["call_time_median"] for row in self.results.rows
                 if (row["kernel"], row["type"], row["n"]) == ("stride64", "float", 9437184) and row["model"] == "openmp"}
        self.assertLess(times["openmp.reordered"], times["openmp.simd"])
        self.assertEqual(self.best["stride", "stride64", "float", 9437184]["openmp"], times["openmp.simd"])


if __name__ == "__main__":
    unittest.main()
