"""Spack's recipe (Spack 1.0 or later): docs/how-to/installing.md says where to put it and what to type."""

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class Sextant(CMakePackage, CudaPackage):
    """Measures the parallel patterns that programs are made of, in serial code, OpenMP, OpenACC, CUDA and libraries; checks
    every result, tunes, and says which strategy to use."""

    license("Apache-2.0")

    # Built from a checkout (spack dev-build): no release lies at an address yet.
    version("0.1.0")

    variant("openmp", default=True, description="OpenMP")
    variant("stdpar", default=True, description="C++'s parallel algorithms, on TBB")
    variant("openacc", default=False, description="OpenACC, by a GCC that offloads")
    variant("offload", default=False, description="OpenMP's offloading, by a GCC that offloads")
    variant("mpi", default=False, description="Problems in parts, with a process each")
    variant("cpu_arch", default="native", values=lambda value: True, multi=False,
            description="-march of the CPU's variants: the processor that they are to run on")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("googletest", type="test")
    depends_on("cli11")
    depends_on("fmt")
    depends_on("hwloc")
    depends_on("nlohmann-json")
    depends_on("sqlite")
    depends_on("tomlplusplus")
    depends_on("zlib-api")
    # What is to be beaten. CUDA's are looked up when the program runs.
    depends_on("fftw precision=float,double +openmp")
    depends_on("openblas threads=openmp")
    depends_on("tbb", when="+stdpar")
    depends_on("mpi", when="+mpi")

    for models in ("+openacc", "+offload"):
        requires("%gcc", when=models, msg="its directives are compiled by GCC, built with +nvptx")
    conflicts("+stdpar", when="~openmp", msg="it takes OpenMP's number of threads")
    conflicts("cuda_arch=none", when="+cuda", msg="say for which GPUs: cuda_arch=90")
    for arch in CudaPackage.cuda_arch_values:
        if int(arch.rstrip("af")) < 80:
            conflicts(f"cuda_arch={arch}", msg="the kernels are for compute capability 8.0 and later")

    def cmake_args(self):
        switches = {"SEXTANT_CUDA": "cuda", "SEXTANT_MPI": "mpi", "SEXTANT_OPENACC": "openacc", "SEXTANT_OPENMP": "openmp",
                    "SEXTANT_STDPAR": "stdpar", "SEXTANT_TARGET": "offload", "SEXTANT_CPU_ARCH": "cpu_arch"}
        args = [self.define_from_variant(option, variant) for option, variant in switches.items()]
        args += [self.define("SEXTANT_TESTS", self.run_tests), self.define("SEXTANT_WERROR", False)]
        if self.spec.satisfies("+cuda"):
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", self.spec.variants["cuda_arch"].value))
        return args
