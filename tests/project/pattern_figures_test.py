"""Tests scripts/pattern-figures: pattern_figures_test.py SOURCE"""
import glob
import importlib.machinery
import importlib.util
import os
import re
import sys
import tempfile
import unittest

SOURCE = sys.argv.pop()
loader = importlib.machinery.SourceFileLoader("pattern_figures", os.path.join(SOURCE, "scripts", "pattern-figures"))
sys.dont_write_bytecode = True
pattern_figures = importlib.util.module_from_spec(importlib.util.spec_from_loader("pattern_figures", loader))
loader.exec_module(pattern_figures)
DATA = [os.path.join(SOURCE, "data", "h200", "patterns.sextant")]
IMAGES, PAGES = os.path.join(SOURCE, "docs", "images", "patterns"), os.path.join(SOURCE, "docs", "explanation", "kernels")


def row(variant, n, time, **others):
    return {"kernel": "sort_keys", "type": "float", "status": "ok", "model": variant.split(".")[0], "variant": variant,
            "device": "gpu0", "n": n, "device_time_median": time, "call_time_median": time and 2 * time, "parameter.skew": 0} | others


class Some:
    sessions = [{"kernels": {"sort_keys": {"group": "sort", "parameters": ["skew"], "aside": ["cuda.aside"]}}}]

    def __init__(self, rows):
        self.rows = rows


class PatternFigures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sources = pattern_figures.sources(DATA)

    def rates(self, *rows):
        return pattern_figures.rates(Some(rows))["sort"]["sort_keys"]

    def test_a_models_fastest_right_variant_counts(self):
        found = self.rates(row("cuda.a", 100, 5), row("cuda.b", 100, 4), row("cuda.c", 100, 1, status="wrong"),
                           row("cuda.aside", 100, 1), row("cuda.a", 200, 5))
        self.assertEqual(found, {"cuda": {100: (25, "cuda.b"), 200: (40, "cuda.a")}})

    def test_libraries_are_told_apart_by_their_device(self):
        found = self.rates(row("library.x", 100, 5), row("library.y", 100, None, device="cpu", call_time_median=2))
        self.assertEqual(found, {"gpu library": {100: (20, "library.x")}, "cpu library": {100: (50, "library.y")}})

    def test_one_type_and_the_first_rows_parameters_are_drawn(self):
        found = self.rates(row("cuda.a", 100, 5), row("cuda.a", 100, 1, type="double"), row("cuda.a", 100, 1, **{"parameter.skew": 4}))
        self.assertEqual(found, {"cuda": {100: (20, "cuda.a")}})

    def test_points_lie_where_the_axes_say(self):
        drawing = "\n".join(pattern_figures.panel("k", {"cuda": {2**10: (1e3, "a"), 2**12: (1e5, "b"), 2**14: (1e5, "c")}}, 0, 0))
        x = [float(at) for at in re.findall(r'<circle cx="([0-9.]+)"', drawing)]
        y = [float(at) for at in re.findall(r'<circle cx="[0-9.]+" cy="([0-9.]+)"', drawing)]
        self.assertAlmostEqual(x[1] - x[0], x[2] - x[1], delta=0.2)
        self.assertEqual((y[0], y[1]), (pattern_figures.HEIGHT - pattern_figures.BOTTOM, pattern_figures.TOP))

    def test_a_group_is_of_the_last_file_that_has_it(self):
        sorts = os.path.join(SOURCE, "data", "h200", "set-sort.sextant")
        for files, last in ((DATA + [sorts], sorts), ([sorts] + DATA, DATA[0])):
            found = {group: file for group, (_, _, file) in pattern_figures.sources(files).items()}
            self.assertEqual((found["sort"], found["scan"]), (last, DATA[0]))

    def test_figures_of_the_pages_are_those_of_the_data(self):
        with tempfile.TemporaryDirectory() as folder:
            pattern_figures.draw(self.sources, folder)
            drawn = sorted(map(os.path.basename, glob.glob(os.path.join(folder, "*"))))
            self.assertEqual(drawn, sorted(map(os.path.basename, glob.glob(os.path.join(IMAGES, "*")))))
            for name in drawn:
                with open(os.path.join(folder, name), encoding="utf-8") as new, open(os.path.join(IMAGES, name), encoding="utf-8") as old:
                    self.assertEqual(new.read(), old.read(), name)

    def test_pages_name_the_file_of_their_figures(self):
        shown = 0
        for page in glob.glob(os.path.join(PAGES, "*.md")):
            with open(page, encoding="utf-8") as file:
                text = file.read()
            files = {os.path.basename(self.sources[group][2]) for group in re.findall(r"images/patterns/(\w+)\.svg", text)}
            shown += len(files)
            self.assertEqual(set(re.findall(r"Drawn by\s+`scripts/pattern-figures`\s+from\s+`data/h200/(.*?)`", text)), files, page)
        self.assertGreater(shown, 20)


if __name__ == "__main__":
    unittest.main()
