"""Tests the mutants of scripts/mutate and its handling of results, without building anything. Mutants follow rules, are on lines
that compute, and are the same for the same seed."""
import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import json
import os
import sys
import tempfile
import time
import unittest

root = sys.argv.pop(1)
loader = importlib.machinery.SourceFileLoader("mutate", os.path.join(root, "scripts", "mutate"))
sys.dont_write_bytecode = True
mutate = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
loader.exec_module(mutate)


def of(kernels, models="serial,openmp", seed=1):
    return mutate.selected(argparse.Namespace(kernels=kernels, models=models, seed=seed, changed=None))


class Mutants(unittest.TestCase):
    def test_plants_each_kind_of_bug(self):
        changes = {(one["rule"], one["to"]) for one in of("triad")}
        for rule, line in (("bound", "for (std::int64_t i = 0; i <= n; ++i) c[i] = a[i] + s * b[i];"),
                           ("sign", "for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] - s * b[i];"),
                           ("constant", "for (std::int64_t i = 1; i < n; ++i) c[i] = a[i] + s * b[i];"),
                           ("index", "for (std::int64_t i = 0; i < n; ++i) c[i + 1] = a[i] + s * b[i];"),
                           ("index", "for (std::int64_t i = 0; i < n; ++i) c[i] = a[i - 1] + s * b[i];")):
            self.assertIn((rule, line), changes)
        self.assertIn("reduction", {one["rule"] for one in of("reduction")})
        self.assertIn("precision", {one["rule"] for one in of("npb_ep")})
        self.assertIn("missing", {one["rule"] for one in of("heat3d")})

    def test_leaves_descriptions_and_the_reference_alone(self):
        for one in of(".*"):
            self.assertFalse(one["path"].endswith("kernel.cpp"), one)
            self.assertNotIn("description", one["from"])
            self.assertFalse(one["from"].startswith("//"), one)
            self.assertNotEqual(one["from"], one["to"])
            self.assertNotIn("(0.0 * ", one["to"])

    def test_leaves_headers_of_the_definition_alone(self):
        paths = {one["path"] for one in of("bfs|dfa|halo3d|heat3d|mesh|spmv")}
        for path in ("patterns/dfa/machine.hpp",  # variants read it through loop.hpp, which kernel.cpp reads, too
                     "patterns/halo3d/cut.hpp", "patterns/mesh/mesh.hpp"):
            self.assertTrue(os.path.exists(os.path.join(root, path)), path)
            self.assertNotIn(path, paths)
        for path in ("patterns/bfs/loop.hpp", "patterns/bfs/frontier.hpp", "kernels/heat3d/steps.hpp", "patterns/mesh/loop.hpp"):
            self.assertIn(path, paths)

    def test_leaves_what_the_reference_uses_of_a_header_alone(self):
        lines = {one["from"] for one in of("spmv|heat3d|bfs|triad")}
        for path, used, left in (("patterns/spmv/loop.hpp", "if (structure == uniform) return (m - k) * q / k;",
                                  "for (; e < end; ++e) sum += a.val[e] * a.x[static_cast<std::int64_t>(a.col[e])];"),
                                 ("kernels/heat3d/steps.hpp", "return k == 0 ? 1 + 3 * alpha * weight : alpha * weight;", None),
                                 ("kernels/triad/loop.hpp", "inline constexpr double scalar = 0.4;",
                                  "for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];")):
            text = mutate.text_of(path)
            self.assertIn(used, text)
            self.assertNotIn(used, lines)
            if left:
                self.assertIn(left, text)
                self.assertIn(left, lines)

    def test_takes_a_source_apart(self):
        text = ("// head\n#pragma once\n\nnamespace a {\n\n// One.\ninline constexpr double one[2] = {1.0,\n    2.0};\n\ntemplate <typename T, int n>\n"
                "static T two(const T* x) {\n  return x[0];\n}\n\nstruct Three : Base {\n  int x = 0;\n\n  int y = 0;\n};\n\nenum Four : int { p };\n")
        named = [(where.start + 1, name) for where, name, _ in mutate.chunks(text)]
        self.assertEqual(named[2:], [(6, "one"), (10, "two"), (15, "Three"), (21, "Four")])

    def test_leaves_the_choice_of_defaults_alone(self):
        lines = [one["from"] for one in of("stencil2d_4pt|stencil3d_7pt")]
        self.assertFalse([line for line in lines if "fits_in_caches" in line or "band.tile_rows *=" in line])
        self.assertTrue([line for line in lines if "store_runs<rows>" in line], "what follows them is code again")

    def test_knows_whose_lines_are_in_a_file_of_several_variants(self):
        for folder in ("triad", "stencil2d_4pt", "reduction"):
            mutants = [one for one in of(folder) if one["path"].endswith("/openmp.cpp")]
            self.assertTrue(mutants, folder)
            for one in mutants:
                if one["space"]:  # in these folders it is the name of the variant
                    self.assertEqual(one["variants"][0], f"openmp.{one['space']}", one)
                else:
                    self.assertEqual(one["variants"], mutate.FileOfVariants(os.path.join("kernels", folder), "openmp.cpp").variants())
        spaces = {one["space"] for one in of("triad") if one["path"].endswith("/openmp.cpp")}
        self.assertEqual(spaces, {"simd", "streaming"})  # mpi runs only distributed

    def test_takes_a_variant_with_the_namespaces_that_it_names(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "openmp.cpp"), "w", encoding="utf-8") as file:
                file.write("shared;\nnamespace rows {\nof rows;\n}  // namespace rows\nnamespace walk {\nin_rows::of;\n"
                           "}  // namespace walk\n  return {{.name = \"plain\", .launch = rows::loop},\n"
                           "  named(\n      \"rows\", rows::form()),\n  {.name = \"walk\", .launch = walk::loop},\n"
                           "  {.name = \"mpi_staged\", .launch = rows::loop},\n"
                           "  {.name = \"static\", .launch = static_form::loop}};\n"
                           "namespace static_form {\nof static;\n}  // namespace static_form\n"
                           "namespace helper {\nof all;\n}  // namespace helper\n")
            one = mutate.FileOfVariants(folder, "openmp.cpp")
        self.assertEqual([one.space_of(line) for line in (0, 2, 5, 8, 15, 18)], [None, "rows", "walk", None, "static_form", None])
        self.assertEqual(one.variants("static_form"), ["openmp.static"])
        self.assertEqual(one.variants("rows"), ["openmp.rows", "openmp.plain"])
        self.assertEqual(one.variants("walk"), ["openmp.walk"])
        self.assertEqual(one.variants(), ["openmp.plain", "openmp.rows", "openmp.walk", "openmp.static"])

    def test_leaves_the_entries_of_lists_alone(self):
        for one in of("triad|heat3d|npb_ep"):
            self.assertNotRegex(one["from"], r"\.(launch|memory_space|for_large_arrays|prepare) = |^named\(")

    def test_explains_files_that_are_there(self):
        for path, _, _ in mutate.equivalents():
            file, _, variant = path.partition(":")
            self.assertTrue(os.path.exists(os.path.join(root, file)), path)
            if variant:
                self.assertIn(variant, mutate.FileOfVariants(*os.path.split(file)).blocks, path)

    def test_explains_the_lines_of_one_variant_alone(self):
        one = {"path": "kernels/dot/cuda.cu", "to": ";", "space": "pinned_overlap"}
        known = [["kernels/dot/cuda.cu:pinned_overlap", ";", "why"]]
        self.assertEqual(mutate.why_equivalent(one, known), "why")
        self.assertIsNone(mutate.why_equivalent(one | {"space": "fused"}, known))
        self.assertIsNone(mutate.why_equivalent(one | {"space": None}, known))

    def test_knows_who_reads_a_header(self):
        readers = {tuple(one["variants"]) for one in of("heat3d") if one["path"].endswith("/loop.hpp")}
        self.assertEqual(len(readers), 1)
        self.assertIn("serial.baseline", next(iter(readers)))

    def test_leaves_to_the_cpu_what_its_variants_read(self):
        paths = {one["path"] for one in of("triad|stencil3d_7pt", models="cuda")}
        self.assertIn("kernels/stencil3d_7pt/cuda.cu", paths)
        self.assertNotIn("kernels/triad/loop.hpp", paths)
        self.assertIn("kernels/triad/loop.hpp", {one["path"] for one in of("triad", models="serial,cuda")})

    def test_is_the_same_for_a_seed(self):
        ids = [one["id"] for one in of(".*")]
        self.assertEqual(ids, [one["id"] for one in of(".*")])
        self.assertEqual(len(ids), len(set(ids)))
        self.assertNotEqual(ids, [one["id"] for one in of(".*", seed=2)])
        self.assertGreater(len({one["path"].split("/")[1] for one in of(".*")[:25]}), 15)  # spread evenly over folders

    def test_counts_survivors_that_nobody_explains(self):
        def one(number, verdict):
            return {"id": str(number), "path": "kernels/a/loop.hpp", "line": 1, "rule": "sign", "from": "x",
                    "to": f"y{number}", "space": None, "verdict": verdict}

        results = {str(i): one(i, "caught") for i in range(98)}
        results["s"], results["n"] = one(200, "survived"), one(201, "not built")
        for known, code in (([], 3), ([["kernels/a/*", "y2*", "why"]], 0)):
            text = io.StringIO()
            with contextlib.redirect_stdout(text):
                self.assertEqual(mutate.report(results, known), code)
                self.assertEqual(mutate.report(results, known, 98), 0)
            self.assertIn("98 caught", text.getvalue())
            self.assertIn("1 did not build", text.getvalue())

    def test_verifies_packed_programs_once(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "mutants.jsonl"), "w", encoding="utf-8") as file:
                for name, says in (("a", "echo 'y[0] is 1, not 2  FAIL'; exit 3"), ("b", "exit 0"), ("c", "exit 70")):
                    program = os.path.join(folder, name)
                    with open(program, "w", encoding="utf-8") as script:
                        script.write(f"#!/bin/sh\necho \"$@ $LD_LIBRARY_PATH\" >>{folder}/asked\n{says}\n")
                    os.chmod(program, 0o755)
                    file.write(json.dumps({"id": name, "path": "kernels/k/cuda.cu", "line": 1, "rule": "sign", "from": "x",
                                           "to": name, "space": "v", "variants": ["cuda.v"], "kernels": ["k"]}) + "\n")
            options = argparse.Namespace(packed=folder, jobs=2, verify=[], least=99)
            for _ in range(2):  # the second run finds all results stored
                text = io.StringIO()
                with contextlib.redirect_stdout(text):
                    self.assertEqual(mutate.verify_packed(options, []), 3)
                self.assertIn("3 mutants: 0 did not build, 2 caught, 0 equivalent, 1 survived", text.getvalue())
            with open(os.path.join(folder, "asked"), encoding="utf-8") as file:
                asked = file.read().splitlines()
            self.assertEqual(len(asked), 3)
            self.assertIn("-k k -v cuda.v", asked[0])
            for line in asked:  # the mutant's own libraries come first
                self.assertRegex(line, rf" {folder}/[abc]\.lib:{folder}")

    def test_tries_as_many_as_asked_by_several_copies(self):
        tried = []

        class Copy:  # builds nothing; every third mutant does not build
            def __init__(self, options, job):
                self.job = job

            def verdict(self, mutant):
                tried.append(mutant["id"])
                return ("not built" if int(mutant["id"]) % 3 == 0 else "caught"), ""

        order = [{"id": str(i), "path": "kernels/a/loop.hpp", "line": i, "rule": "sign", "from": "x", "to": "y",
                  "space": None, "variants": []} for i in range(100)]
        real, mutate.Copy = mutate.Copy, Copy
        try:
            with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
                path = os.path.join(folder, "results.jsonl")
                known = {"1": {"id": "1", "verdict": "caught"}}
                options = argparse.Namespace(jobs=4, count=30, budget="1h", pack=None)
                here = mutate.Campaign(options, order, known, path, time.monotonic()).run()
                with open(path, encoding="utf-8") as file:
                    kept = [json.loads(line)["id"] for line in file]
        finally:
            mutate.Copy = real
        self.assertEqual(sorted(tried), sorted(kept))
        self.assertEqual(len(tried), len(set(tried)))
        self.assertNotIn("1", tried)
        self.assertEqual(sum(one["verdict"] == "caught" for one in here.values()), 30)

    def copy_in(self, folder):
        """Returns a copy of triad's files with some object files, without building it."""
        copy = mutate.Copy.__new__(mutate.Copy)
        copy.folder, copy.objects, copy.environment = folder, {}, dict(os.environ)
        copy.build = os.path.join(folder, "build")
        copy.options = argparse.Namespace(verify=[])
        copy.put("kernels/triad/loop.hpp", None)
        os.utime(os.path.join(folder, "kernels/triad/loop.hpp"), (1000, 1000))
        for library, name in (("baseline", "serial"), ("cpu_serial", "serial"), ("cpu_openmp", "openmp")):
            path = os.path.join(copy.build, "CMakeFiles", f"sextant_{library}.dir", "kernels/triad", f"{name}.cpp.o")
            os.makedirs(os.path.dirname(path))
            with open(path, "w", encoding="utf-8"):
                pass
        return copy

    def test_builds_one_reader_of_a_header_again(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = self.copy_in(folder)
            header = os.path.join(folder, "kernels/triad/loop.hpp")
            serial, openmp = (copy.objects_of("kernels/triad", name) for name in ("serial.cpp", "openmp.cpp"))
            self.assertEqual([len(serial), len(openmp)], [2, 1])  # serial.cpp is compiled twice
            there = lambda: [os.path.exists(one) for one in serial + openmp]
            copy.plant("kernels/triad/loop.hpp", "planted", ["serial.cpp"])
            self.assertEqual(there(), [False, False, True])
            self.assertEqual(os.stat(header).st_mtime, 1000)
            with open(header, encoding="utf-8") as file:
                self.assertEqual(file.read(), "planted")
            for one in serial:  # built from the planted code
                with open(one, "w", encoding="utf-8"):
                    pass
            copy.plant("kernels/triad/loop.hpp", None, ["serial.cpp"])
            self.assertEqual(there(), [False, False, True])
            self.assertEqual(os.stat(header).st_mtime, 1000)
            with open(header, encoding="utf-8") as file:
                self.assertEqual(file.read(), mutate.text_of("kernels/triad/loop.hpp"))
            # If CMake has no separate object for a file, all files that include the header are built
            # again.
            copy.plant("kernels/triad/loop.hpp", "planted", ["serial.cpp", "openacc.cpp"])
            self.assertGreater(os.stat(header).st_mtime, 1000)

    def test_asks_the_other_variants_where_the_first_survives(self):
        for answers, verdict in ((["survived", "caught"], "caught"), (["survived", "survived", "survived"], "survived"),
                                 (["caught"], "caught"), (["survived", "survived", "caught"], "caught")):
            asked = []
            with tempfile.TemporaryDirectory() as folder:
                copy = self.copy_in(folder)
                copy.make = lambda: 0
                copy.verify = lambda mutant, variants: (asked.append(variants), (answers[len(asked) - 1], ""))[1]
                mutant = {"path": "kernels/triad/loop.hpp", "line": 1, "changed": "planted",
                          "readers": [["serial.cpp", ["serial.native"]], ["openmp.cpp", ["openmp.simd", "openmp.streaming"]]]}
                self.assertEqual(copy.verdict(mutant)[0], verdict)
            self.assertEqual(asked, [["serial.native"], ["openmp.simd"], ["openmp.streaming"]][:len(answers)])

    def test_knows_what_verify_says(self):
        mutant = {"path": "kernels/triad/loop.hpp"}
        for script, verdict in (("echo triad pass", ("survived", "")),
                                ("echo a FAIL: b; trap 'exit 130' INT; while :; do sleep 0.05; done", ("caught", "a FAIL: b")),
                                ("echo it broke >&2; exit 1", ("error", "it broke"))):
            with tempfile.TemporaryDirectory() as folder:
                copy = self.copy_in(folder)
                copy.kernels = [{"kernel": "triad", "folder": "triad"}]
                copy.program = os.path.join(folder, "verify")
                with open(copy.program, "w", encoding="utf-8") as file:
                    file.write(f"#!/bin/sh\n{script}\n")
                os.chmod(copy.program, 0o755)
                self.assertEqual(copy.verify(mutant, ["serial.native"]), verdict)


if __name__ == "__main__":
    unittest.main()
