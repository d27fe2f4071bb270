"""Tests that the package recipes match the build: packaging_test.py SOURCE

Neither Spack nor Apptainer is needed. Stand-ins for Spack's functions record the arguments of the recipe."""
import os
import re
import sys
import types
import unittest
from unittest import mock

SOURCE = sys.argv.pop()

# Names of the packages that CMake looks for, and their names in Spack.
SPACK_NAMES = {"fmt": "fmt", "CLI11": "cli11", "nlohmann_json": "nlohmann-json", "SQLite3": "sqlite", "PkgConfig": "pkgconfig",
               "hwloc": "hwloc", "toml++/toml.h": "tomlplusplus", "ZLIB": "zlib-api", "openblas": "openblas", "fftw3": "fftw",
               "TBB": "tbb", "MPI": "mpi", "CUDAToolkit": "cuda", "GTest": "googletest"}
OF_THE_SYSTEM = {"Threads", "OpenMP"}
# Options that affect compilation but no model.
HOW = {"WERROR", "TESTS", "UNITY", "QUICK_DEVICE_CODE"}


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


class Spec:
    """Holds the variants of a build: {"cuda": True, "cuda_arch": ("90",)}."""

    def __init__(self, values):
        self.variants = {name: types.SimpleNamespace(value=value) for name, value in values.items()}

    def satisfies(self, text):
        return self.variants[text[1:]].value == (text[0] == "+")


class CMakePackage:
    def define(self, name, value):
        return name, value

    def define_from_variant(self, name, variant):
        return name, self.spec.variants[variant].value


class CudaPackage:
    cuda_arch_values = ("70", "75", "80", "90", "90a", "100f")


def recipe():
    """Returns the recipe's class and the arguments of its directives: {"variant": [(args, options), …], …}."""
    said = {name: [] for name in ("license", "version", "variant", "depends_on", "requires", "conflicts")}
    names = {name: (lambda *args, to=calls, **options: to.append((args, options))) for name, calls in said.items()}
    modules = {"spack": {}, "spack.package": names, "spack_repo": {}, "spack_repo.builtin": {},
               "spack_repo.builtin.build_systems": {},
               "spack_repo.builtin.build_systems.cmake": {"CMakePackage": CMakePackage},
               "spack_repo.builtin.build_systems.cuda": {"CudaPackage": CudaPackage}}
    stand_ins = {}
    for name, content in modules.items():
        stand_ins[name] = types.ModuleType(name)
        vars(stand_ins[name]).update(content)
    scope = {"__name__": "recipe"}
    with mock.patch.dict(sys.modules, stand_ins):
        exec(compile(read("packaging", "spack", "package.py"), "package.py", "exec"), scope)
    return scope["Sextant"], said


def defined(**values):
    package = recipe()[0]()
    package.spec = Spec({"cuda": False, "cuda_arch": ("none",), "cpu_arch": "native",
                         **{name: True for name in ("mpi", "openacc", "openmp", "stdpar", "offload")}, **values})
    package.run_tests = values.get("run_tests", False)
    return dict(package.cmake_args())


class Spack(unittest.TestCase):
    def test_every_model_is_switched(self):
        """Otherwise, CMake uses any library that it finds, which Spack does not know."""
        options = set(re.findall(r"^option\(SEXTANT_(\w+)", read("CMakeLists.txt"), re.M))
        self.assertLess(HOW, options)
        self.assertLessEqual({f"SEXTANT_{name}" for name in options - HOW}, set(defined()))

    def test_what_it_defines_is_known_to_cmake(self):
        known = set(re.findall(r"^(?:option|set)\((SEXTANT_\w+)", read("CMakeLists.txt"), re.M))
        for name in defined(cuda=True):
            self.assertIn(name, known | {"CMAKE_CUDA_ARCHITECTURES"})

    def test_variants_reach_cmake(self):
        variants = {args[0] for args, _ in recipe()[1]["variant"]} | {"cuda"}
        reached = set()
        for name in variants - {"cpu_arch"}:
            if defined(**{name: True}) != defined(**{name: False}):
                reached.add(name)
        self.assertEqual(reached, variants - {"cpu_arch"})
        self.assertEqual(defined(cpu_arch="znver4")["SEXTANT_CPU_ARCH"], "znver4")
        self.assertEqual(defined(cuda=True, cuda_arch=("80", "90"))["CMAKE_CUDA_ARCHITECTURES"], ("80", "90"))
        self.assertNotIn("CMAKE_CUDA_ARCHITECTURES", defined())

    def test_what_cmake_looks_for_is_a_dependency(self):
        texts = {name: read(*name.split("/")) for name in
                 ("CMakeLists.txt", "cmake/Models.cmake", "src/tuner/CMakeLists.txt", "tests/CMakeLists.txt")}
        wanted = set()
        for text in texts.values():
            wanted |= set(re.findall(r"find_package\((\w+)", text))
            wanted |= {name.split()[0] for name in re.findall(r"pkg_check_modules\(\w+ (?:REQUIRED )?IMPORTED_TARGET ([^)]+)\)", text)}
            wanted |= set(re.findall(r"find_path\(\w+ (\S+) REQUIRED\)", text))
        wanted -= OF_THE_SYSTEM
        self.assertGreaterEqual(len(wanted), 12)
        has = {args[0].split()[0].split("@")[0] for args, _ in recipe()[1]["depends_on"]} | {"cuda"}  # provided by CudaPackage
        for name in wanted:
            self.assertIn(name, SPACK_NAMES, "what does Spack call it?")
            self.assertIn(SPACK_NAMES[name], has)

    def test_cmake_is_recent_enough(self):
        least = re.search(r"cmake_minimum_required\(VERSION (\S+)\)", read("CMakeLists.txt")).group(1)
        self.assertIn(f"cmake@{least}:", [args[0] for args, _ in recipe()[1]["depends_on"]])

    def test_gpus_that_no_kernel_runs_on_are_refused(self):
        oldest = int(re.search(r"set\(SEXTANT_OLDEST_GPU (\d+)\)", read("cmake", "Models.cmake")).group(1))
        refused = {args[0].removeprefix("cuda_arch=") for args, options in recipe()[1]["conflicts"] if "cuda_arch=" in args[0]}
        for arch in CudaPackage.cuda_arch_values:
            self.assertEqual(arch in refused, int(re.match(r"\d+", arch).group()) < oldest, arch)
        self.assertIn((("cuda_arch=none",), "+cuda"), [(args, o.get("when")) for args, o in recipe()[1]["conflicts"]])


class Container(unittest.TestCase):
    def test_it_installs_packages_that_there_are(self):
        packages = set(re.findall(r"^Package: (\S+)$", read("debian", "control"), re.M))
        copied = re.findall(r"([\w-]+)_\*\.deb", read("packaging", "container", "Dockerfile"))
        self.assertIn("sextant", copied)
        self.assertLessEqual(set(copied), packages)

    def test_its_debian_is_the_packages(self):
        release = re.search(r"mmdebstrap --variant=minbase (\w+) ", read("scripts", "package")).group(1)
        self.assertIn(f"ARG BASE=debian:{release}-slim\n", read("packaging", "container", "Dockerfile"))

    def test_what_it_starts_is_in_a_package(self):
        dockerfile = read("packaging", "container", "Dockerfile")
        program = re.search(r'^ENTRYPOINT \["(\S+)"\]$', dockerfile, re.M).group(1)
        self.assertIn(f"usr/bin/{program}\n", read("debian", "sextant.install"))

    def test_apptainer_starts_from_what_the_documents_save(self):
        definition = read("packaging", "container", "sextant.def")
        archive = re.search(r"^Bootstrap: docker-archive\nFrom: (\S+)$", definition, re.M).group(1)
        self.assertIn(f" save -o {archive} ", read("docs", "how-to", "installing.md"))
        for command in re.findall(r"^    (?:exec )?(sextant)\b", definition, re.M):
            self.assertIn(f"usr/bin/{command}\n", read("debian", "sextant.install"))


unittest.main()
