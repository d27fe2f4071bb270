"""What scripts/mutate plants: by rules, on lines that compute, the same for the same seed; and what it makes of
results. Nothing is built."""
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
        paths = {one["path"] for one in of("bfs|halo3d|heat3d|mesh|spmv")}
        for path in ("patterns/bfs/graph.hpp",  # variants read it by way of loop.hpp, which kernel.cpp reads, too
                     "kernels/heat3d/coefficients.hpp", "patterns/halo3d/cut.hpp", "patterns/mesh/mesh.hpp",
                     "patterns/spmv/matrix.hpp"):
            self.assertTrue(os.path.exists(os.path.join(root, path)), path)
            self.assertNotIn(path, paths)
        for path in ("patterns/bfs/loop.hpp", "patterns/bfs/frontier.hpp", "kernels/heat3d/steps.hpp", "patterns/mesh/loop.hpp"):
            self.assertIn(path, paths)

    def test_leaves_the_choice_of_defaults_alone(self):
        lines = [one["from"] for one in of("stencil2d_4pt|stencil3d_7pt")]
        self.assertFalse([line for line in lines if "fits_in_caches" in line or "band.tile_rows *=" in line])
        self.assertTrue([line for line in lines if "store_runs<rows>" in line], "what follows them is code again")

    def test_knows_who_reads_a_header(self):
        readers = {tuple(one["variants"]) for one in of("heat3d") if one["path"].endswith("/loop.hpp")}
        self.assertEqual(len(readers), 1)
        self.assertIn("serial.baseline", next(iter(readers)))

    def test_leaves_to_the_cpu_what_its_variants_read(self):
        paths = {one["path"] for one in of("triad|stencil3d_7pt", models="cuda")}
        self.assertIn("kernels/stencil3d_7pt/cuda.march.cu", paths)
        self.assertNotIn("kernels/triad/loop.hpp", paths)
        self.assertIn("kernels/triad/loop.hpp", {one["path"] for one in of("triad", models="serial,cuda")})

    def test_is_the_same_for_a_seed(self):
        ids = [one["id"] for one in of(".*")]
        self.assertEqual(ids, [one["id"] for one in of(".*")])
        self.assertEqual(len(ids), len(set(ids)))
        self.assertNotEqual(ids, [one["id"] for one in of(".*", seed=2)])
        self.assertGreater(len({one["path"].split("/")[1] for one in of(".*")[:25]}), 15)  # even over folders

    def test_counts_survivors_that_nobody_explains(self):
        def one(number, verdict):
            return {"id": str(number), "path": "kernels/a/loop.hpp", "line": 1, "rule": "sign", "from": "x",
                    "to": f"y{number}", "verdict": verdict}

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
                        script.write(f"#!/bin/sh\necho \"$@\" >>{folder}/asked\n{says}\n")
                    os.chmod(program, 0o755)
                    file.write(json.dumps({"id": name, "path": "kernels/k/cuda.v.cu", "line": 1, "rule": "sign", "from": "x",
                                           "to": name, "variants": ["cuda.v"], "kernels": ["k"]}) + "\n")
            options = argparse.Namespace(packed=folder, jobs=2, verify=[], least=99)
            for _ in range(2):  # the second time everything is known
                text = io.StringIO()
                with contextlib.redirect_stdout(text):
                    self.assertEqual(mutate.verify_packed(options, []), 3)
                self.assertIn("3 mutants: 0 did not build, 2 caught, 0 equivalent, 1 survived", text.getvalue())
            with open(os.path.join(folder, "asked"), encoding="utf-8") as file:
                asked = file.read().splitlines()
            self.assertEqual(len(asked), 3)
            self.assertIn("-k k -v cuda.v", asked[0])

    def test_tries_as_many_as_asked_by_several_copies(self):
        tried = []

        class Copy:  # builds nothing; every third mutant does not build
            def __init__(self, options, job):
                self.job = job

            def verdict(self, mutant):
                tried.append(mutant["id"])
                return ("not built" if int(mutant["id"]) % 3 == 0 else "caught"), ""

        order = [{"id": str(i), "path": "kernels/a/loop.hpp", "line": i, "rule": "sign", "from": "x", "to": "y",
                  "variants": []} for i in range(100)]
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
        """A copy of triad's files, half built, without building it."""
        copy = mutate.Copy.__new__(mutate.Copy)
        copy.folder, copy.objects, copy.environment = folder, {}, dict(os.environ)
        copy.build = os.path.join(folder, "build")
        copy.options = argparse.Namespace(verify=[])
        copy.put("kernels/triad/loop.hpp", None)
        os.utime(os.path.join(folder, "kernels/triad/loop.hpp"), (1000, 1000))
        for model, name in (("serial", "serial.native"), ("openmp", "openmp.simd")):
            path = os.path.join(copy.build, "CMakeFiles", f"sextant_{model}.dir", "kernels/triad", f"{name}.cpp.o")
            os.makedirs(os.path.dirname(path))
            with open(path, "w", encoding="utf-8"):
                pass
        return copy

    def test_builds_one_reader_of_a_header_again(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = self.copy_in(folder)
            header = os.path.join(folder, "kernels/triad/loop.hpp")
            native = copy.object_of("kernels/triad", "serial.native")
            simd = copy.object_of("kernels/triad", "openmp.simd")
            copy.plant("kernels/triad/loop.hpp", "planted", ["serial.native"])
            self.assertEqual([os.path.exists(one) for one in (native, simd)], [False, True])
            self.assertEqual(os.stat(header).st_mtime, 1000)
            with open(header, encoding="utf-8") as file:
                self.assertEqual(file.read(), "planted")
            with open(native, "w", encoding="utf-8"):  # built from what was planted
                pass
            copy.plant("kernels/triad/loop.hpp", None, ["serial.native"])
            self.assertEqual([os.path.exists(one) for one in (native, simd)], [False, True])
            self.assertEqual(os.stat(header).st_mtime, 1000)
            with open(header, encoding="utf-8") as file:
                self.assertEqual(file.read(), mutate.text_of("kernels/triad/loop.hpp"))
            # Of what CMake does not build as an object of its own, all readers are built again.
            copy.plant("kernels/triad/loop.hpp", "planted", ["serial.native", "openacc.parallel_loop"])
            self.assertGreater(os.stat(header).st_mtime, 1000)

    def test_asks_the_other_variants_where_the_first_survives(self):
        for answers, verdict in ((["survived", "caught"], "caught"), (["survived", "survived"], "survived"),
                                 (["caught"], "caught")):
            asked = []
            with tempfile.TemporaryDirectory() as folder:
                copy = self.copy_in(folder)
                copy.make = lambda: 0
                copy.verify = lambda mutant, variants: (asked.append(variants), (answers[len(asked) - 1], ""))[1]
                mutant = {"path": "kernels/triad/loop.hpp", "line": 1, "changed": "planted",
                          "variants": ["serial.native", "openmp.simd", "openmp.streaming"]}
                self.assertEqual(copy.verdict(mutant)[0], verdict)
            self.assertEqual(asked, [["serial.native"], ["openmp.simd", "openmp.streaming"]][:len(answers)])

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
