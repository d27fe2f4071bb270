"""Tests scripts/portfolio on made-up variants and results: portfolio_test.py SOURCE

The script runs in a made-up tree. A stand-in for `sextant` prints the tree's variants and the rows of its results files.
"""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest

SOURCE = sys.argv.pop()
STAND_IN = """#!/bin/sh
for last; do :; done
if [ "$1" = list ]; then cat "list-$2"; else cat "$last.rows"; fi
"""
CUDA = """namespace plain {
void launch() {}
}  // namespace plain

std::vector<Variant> k_cuda() {
  return {
      {.name = "plain",
       .launch = plain::launch},
      {.name = "fast", .launch = fast::launch},
  };
}
"""


def variant(name, description="", file=None, **others):
    model = name.split(".")[0]
    space = "host" if model in ("serial", "openmp") else model
    return {"kernel": "k", "variant": name, "model": model, "memory_space": space, "tunables": "", "description": description,
            "file": file or f"kernels/k/{model}.cu", "built": True} | others


def row(name, n, call, on_device=None, width=0.001, **others):
    """A row of `sextant export`. The intervals reach from (1 - width) to (1 + width) of the median."""
    times = {f"{kind}_time_{end}": time and time * factor for kind, time in (("call", call), ("device", on_device))
             for end, factor in (("low", 1 - width), ("median", 1), ("high", 1 + width))}
    return {"kernel": "k", "variant": name, "type": "float", "n": n, "extents": str(n), "class": None, "cache": "warm",
            "device": "gpu0", "status": "ok", "timestamp": "2026-01-01", "session": "2026-01-01"} | times | others


PLAIN, SLOW, FAST = variant("cuda.plain", "the plain form: a loop"), variant("cuda.slow"), variant("cuda.fast")


class Portfolio(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        os.makedirs(self.at("scripts"))
        os.makedirs(self.at("kernels/k"))
        os.symlink(os.path.join(SOURCE, "scripts", "portfolio"), self.at("scripts/portfolio"))
        os.symlink(os.path.join(SOURCE, "python"), self.at("python"))
        with open(self.at("sextant"), "w", encoding="utf-8") as file:
            file.write(STAND_IN)
        os.chmod(self.at("sextant"), 0o755)
        self.write("list-kernels", [{"kernel": "k", "group": "stream"}, {"kernel": "d", "group": "directives"}])

    def at(self, name):
        return os.path.join(self.folder.name, name)

    def write(self, name, value):
        with open(self.at(name), "w", encoding="utf-8") as file:
            file.write(value if isinstance(value, str) else json.dumps(value))

    def record(self, name, rows, machine="m", aside=()):
        """Makes the results file data/<machine>/<name>.sextant. Its table of measurements has only their sessions."""
        path = self.at(f"data/{machine}/{name}.sextant")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.write(path + ".rows", "\n".join(map(json.dumps, rows)))
        with sqlite3.connect(path) as file:
            file.executescript("CREATE TABLE session (id, started, command, version); INSERT INTO session VALUES (1, '', '', '');"
                               "CREATE TABLE environment (session, key, value); CREATE TABLE measurement (id, session);"
                               "CREATE TABLE ceiling (session); CREATE TABLE kernel (session, name, description);")
            file.executemany("INSERT INTO environment VALUES (1, ?, ?)", (("machine", machine), ("openmp.threads", "2")))
            file.execute("INSERT INTO kernel VALUES (1, 'k', ?)", (json.dumps({"aside": aside}),))
            file.executemany("INSERT INTO measurement VALUES (?, 1)", ((i,) for i in range(len(rows))))
        file.close()

    def run_script(self, *arguments):
        return subprocess.run([self.at("scripts/portfolio"), *arguments], capture_output=True, encoding="utf-8",
                              cwd=self.folder.name, env={**os.environ, "SEXTANT": self.at("sextant")})

    def judge(self, *variants, arguments=()):
        """Returns each variant's cells reason, loss and lines, in one text."""
        self.write("list-variants", list(variants))
        run = self.run_script(*arguments)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.output = run.stdout
        rows = [line.split(None, 3) for line in run.stdout.split("\n\n")[0].splitlines()[1:]]
        return {cells[1]: " ".join(cells[3].split()) for cells in rows}

    def reasons(self, *variants, arguments=()):
        return {name: cells.split()[0] for name, cells in self.judge(*variants, arguments=arguments).items()}

    def test_who_loses_everywhere_has_no_reason_and_who_wins_once_has_one(self):
        self.record("one", [row("cuda.plain", n, 1.0) for n in (100, 200)] + [row("cuda.slow", n, 1.07) for n in (100, 200)] +
                    [row("cuda.fast", 100, 1.2), row("cuda.fast", 200, 0.9)])
        self.assertEqual(self.judge(PLAIN, SLOW, FAST),
                         {"cuda.plain": "plain 19.8 % 0", "cuda.slow": "none 0.0 % 0", "cuda.fast": "cover 10.9 % 0"})
        self.assertIn("3 variants: 1 plain, 1 none, 1 cover\nkernels: 1 of 3 without a reason, in 1 files, 0 lines", self.output)
        self.assertIn("files that no variant keeps: none", self.output)

    def test_check_names_variants_without_a_reason(self):
        self.record("one", [row("cuda.plain", 100, 1.0), row("cuda.slow", 100, 1.07)])
        self.write("list-variants", [PLAIN, SLOW])
        run = self.run_script("--check")
        self.assertEqual((run.returncode, run.stderr), (1, "portfolio: 1 variants have no reason to stay: k cuda.slow\n"))
        self.write("list-variants", [PLAIN])
        self.assertEqual(self.run_script("--check").returncode, 0)

    def test_forms_that_are_studied_teach_or_are_plain_stay(self):
        names = ("cuda.plain", "cuda.published", "cuda.teaching", "cuda.fast", "openacc.a", "openacc.b")
        self.record("one", [row(name, 100, 9.0) for name in names[:3]] + [row("cuda.fast", 100, 1.0), row("cuda.slow", 100, 2.0)] +
                    [row("openacc.a", 100, 9.0), row("openacc.b", 100, 1.0)])
        found = self.reasons(PLAIN, variant("cuda.published", "the study's form: tiles"), FAST, SLOW,
                             variant("cuda.teaching", "for comparison: the same in another order"),
                             variant("openacc.a", "the talk's form"), variant("openacc.b", "packs"))
        self.assertEqual(found, {"cuda.plain": "plain", "cuda.published": "study", "cuda.teaching": "teaches", "cuda.fast": "cover",
                                 "cuda.slow": "none", "openacc.a": "study", "openacc.b": "study"})

    def test_every_openacc_form_of_directives_is_studied(self):
        of_d = {"kernel": "d", "file": "kernels/d/openacc.cpp"}
        self.assertEqual(self.reasons(variant("openacc.a", **of_d), variant("openacc.b", **of_d)),
                         {"openacc.a": "study", "openacc.b": "study"})

    def test_without_a_mark_the_simplest_form_is_plain(self):
        found = self.reasons(variant("cuda.tuned", tunables="block_size=[128] tile=[4]"), variant("cuda.one", tunables="block_size=[128]"),
                             variant("openmp.teaching", "for comparison"), variant("openmp.simd"),
                             variant("openacc.copies", memory_space="host"), variant("openacc.present", tunables="vector_length=[32]"))
        self.assertEqual([name for name, reason in found.items() if reason == "plain"], ["cuda.one", "openmp.simd", "openacc.present"])

    def test_of_equally_simple_forms_the_studied_one_is_plain(self):
        self.assertEqual(self.reasons(variant("cuda.a"), variant("cuda.b", "the study's form")), {"cuda.a": "unmeasured", "cuda.b": "study"})

    def test_one_of_two_equal_forms_is_enough(self):
        self.record("one", [row("cuda.plain", 100, 9.0), row("cuda.slow", 100, 1.02), row("cuda.fast", 100, 1.0)] +
                    [row("cuda.plain", 200, 1.0), row("cuda.fast", 200, 9.0)])
        self.assertEqual(self.reasons(PLAIN, SLOW, FAST), {"cuda.plain": "plain", "cuda.slow": "none", "cuda.fast": "cover"})

    def test_who_covers_most_problems_is_chosen(self):
        fast = {1: "az", 2: "az", 3: "bz"}
        self.record("one", [row(f"cuda.{name}", n, 1.0 if name in fast[n] else 2.0) for n in fast for name in ("plain", "a", "b", "z")])
        self.assertEqual(self.reasons(PLAIN, variant("cuda.a"), variant("cuda.b"), variant("cuda.z")),
                         {"cuda.plain": "plain", "cuda.a": "none", "cuda.b": "none", "cuda.z": "cover"})

    def test_an_early_choice_that_later_ones_cover_is_dropped(self):
        fast = {1: "ab", 2: "ab", 3: "ac", 4: "ac", 5: "b", 6: "c"}  # a is chosen first, but b and c are needed and enough
        self.record("one", [row(f"cuda.{name}", n, 1.0 if name[0] in fast[n] else 2.0)
                            for n in fast for name in ("plain", "a", "b", "c")])
        self.assertEqual(self.reasons(PLAIN, variant("cuda.a"), variant("cuda.b"), variant("cuda.c")),
                         {"cuda.plain": "plain", "cuda.a": "none", "cuda.b": "cover", "cuda.c": "cover"})

    def test_a_difference_within_the_intervals_is_no_loss(self):
        for width, reason in ((0.02, "none"), (0.001, "cover")):
            self.record(f"{width}", [row("cuda.plain", 100, 1.08, width=width), row("cuda.fast", 100, 1.0, width=width)])
            self.assertEqual(self.reasons(PLAIN, FAST, arguments=[self.at(f"data/m/{width}.sextant")])["cuda.fast"], reason)

    def test_the_loss_is_an_option(self):
        self.record("one", [row("cuda.plain", 100, 1.08), row("cuda.fast", 100, 1.0)])
        self.assertEqual(self.reasons(PLAIN, FAST, arguments=["--loss", "10"])["cuda.fast"], "none")

    def test_only_right_results_count(self):
        self.record("one", [row("cuda.plain", 100, 2.0), row("cuda.fast", 100, 1.0, status="wrong"), row("cuda.slow", 100, 3.0)])
        self.assertEqual(self.reasons(PLAIN, FAST, SLOW), {"cuda.plain": "plain", "cuda.fast": "unmeasured", "cuda.slow": "none"})

    def test_who_alone_can_run_a_problem_stays(self):
        self.record("one", [row("cuda.plain", 100, None, status="skipped"), row("cuda.fast", 100, 1.0),
                            row("cuda.plain", 200, 1.0), row("cuda.fast", 200, 2.0)])
        self.assertEqual(self.judge(PLAIN, FAST)["cuda.fast"], "cover alone 0")

    def test_a_variant_without_a_rival_at_its_problems_is_not_judged(self):
        self.record("one", [row("cuda.fast", 100, 1.0), row("cuda.plain", 200, 1.0), row("serial.baseline", 100, 5.0)])
        self.record("two", [row("cuda.plain", 100, 3.0)], machine="other")
        self.assertEqual(self.reasons(PLAIN, FAST, variant("cuda.peers", memory_space="team")),
                         {"cuda.plain": "plain", "cuda.fast": "unmeasured", "cuda.peers": "unmeasured"})

    def test_the_newest_file_of_a_machine_counts(self):
        new = [row("cuda.plain", 100, 1.0, timestamp="2026-02-02"), row("cuda.fast", 100, 2.0, timestamp="2026-02-02")]
        old = [row("cuda.plain", 100, 2.0), row("cuda.fast", 100, 1.0)]
        self.record("a-new", new)
        self.record("b-old", old)
        self.assertEqual(self.reasons(PLAIN, FAST)["cuda.fast"], "none")
        self.record("old", old, machine="other")
        self.assertEqual(self.reasons(PLAIN, FAST)["cuda.fast"], "cover")

    def test_an_older_file_with_further_variants_counts(self):
        self.record("new", [row("cuda.plain", 100, 0.1, timestamp="2026-02-02"), row("cuda.slow", 100, 0.3, timestamp="2026-02-02")])
        self.record("old", [row("cuda.plain", 100, 2.0), row("cuda.fast", 100, 1.0)])
        self.assertEqual(self.reasons(PLAIN, FAST, SLOW), {"cuda.plain": "plain", "cuda.fast": "cover", "cuda.slow": "none"})

    def test_the_device_time_counts_if_all_have_it(self):
        self.record("one", [row("cuda.plain", 100, 1.0, on_device=0.9), row("cuda.fast", 100, 1.1, on_device=0.5)])
        self.assertEqual(self.reasons(PLAIN, FAST)["cuda.fast"], "cover")
        self.assertEqual(self.reasons(PLAIN, FAST, arguments=["--call"])["cuda.fast"], "none")
        self.record("one-lacks-it", [row("cuda.plain", 100, 1.0), row("cuda.fast", 100, 1.1, on_device=0.5)])
        self.assertEqual(self.reasons(PLAIN, FAST, arguments=[self.at("data/m/one-lacks-it.sextant")])["cuda.fast"], "none")

    def test_variants_that_copy_their_arrays_compete_by_the_call(self):
        rows = [row("cuda.plain", 100, 1.0, on_device=0.9), row("cuda.slow", 100, 1.5, on_device=1.4)]
        self.record("one", rows + [row("cuda.copies", 100, 7.0, on_device=0.2), row("cuda.overlaps", 100, 5.0, on_device=0.3)])
        host = {"memory_space": "host"}
        self.assertEqual(self.reasons(PLAIN, SLOW, variant("cuda.copies", **host), variant("cuda.overlaps", **host)),
                         {"cuda.plain": "plain", "cuda.slow": "none", "cuda.copies": "none", "cuda.overlaps": "cover"})

    def test_the_fastest_tuning_counts(self):
        self.record("one", [row("cuda.plain", 100, 1.0)] + [row("cuda.fast", 100, time) for time in (3.0, 0.5, 2.0)])
        self.assertEqual(self.judge(PLAIN, FAST)["cuda.fast"], "cover 99.6 % 0")

    def test_problems_with_other_parameters_or_devices_are_not_compared(self):
        self.record("one", [row("cuda.plain", 100, 2.0, **{"parameter.steps": 1}), row("cuda.slow", 100, 9.0, **{"parameter.steps": 1}),
                            row("cuda.fast", 100, 1.0, **{"parameter.steps": 2}), row("cuda.fast", 100, 1.0, device="gpu0-1")])
        self.assertEqual(self.reasons(PLAIN, SLOW, FAST)["cuda.fast"], "unmeasured")

    def test_who_is_excluded_from_ranking_covers_nothing(self):
        self.record("one", [row("cuda.plain", 100, 2.0), row("cuda.fast", 100, 1.0), row("cuda.slow", 100, 4.0)], aside=["cuda.fast"])
        self.assertEqual(self.judge(PLAIN, FAST, SLOW),
                         {"cuda.plain": "plain alone 0", "cuda.fast": "none 0", "cuda.slow": "none 0.0 % 0"})

    def test_kernels_of_a_folder_share_its_variants(self):
        self.record("one", [row("cuda.plain", 100, 1.0), row("cuda.fast", 100, 2.0), row("cuda.plain", 100, 2.0, kernel="d"),
                            row("cuda.fast", 100, 1.0, kernel="d")])
        self.assertEqual(self.reasons(PLAIN, FAST, {**PLAIN, "kernel": "d"}, {**FAST, "kernel": "d"}),
                         {"cuda.plain": "plain", "cuda.fast": "cover"})
        self.assertIn("\n2 variants: ", self.output)

    def test_variants_that_the_build_lacks_are_not_judged(self):
        self.assertEqual(self.reasons(PLAIN, FAST | {"built": False}), {"cuda.plain": "plain"})

    def test_models_and_libraries_of_cpu_and_gpu_are_judged_apart(self):
        found = self.reasons(variant("library.cub", memory_space="cuda"), variant("library.parallel", memory_space="host"))
        self.assertEqual(found, {"library.cub": "plain", "library.parallel": "plain"})

    def test_lines_are_those_of_the_namespace_and_the_entry_or_of_the_file(self):
        self.write("kernels/k/cuda.cu", CUDA)
        self.write("kernels/k/cuda.slow.cu", "a\nb\n")
        self.record("one", [row("cuda.plain", 100, 1.0), row("cuda.slow", 100, 2.0), row("cuda.fast", 100, 0.5)])
        found = self.judge(PLAIN, FAST, variant("cuda.slow", file="kernels/k/cuda.slow.cu"))
        self.assertEqual({name: cells.split()[-1] for name, cells in found.items()},
                         {"cuda.plain": "6", "cuda.fast": "2", "cuda.slow": "2"})
        self.assertIn("in 1 files, 2 lines\nfiles that no variant keeps: kernels/k/cuda.slow.cu\n", self.output)


if __name__ == "__main__":
    unittest.main()
