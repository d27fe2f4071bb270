// Tests which instruction set workers request from OpenBLAS. This program defines its own
// `openblas_get_config`, which returns what a test needs.
#include "machine/openblas.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>

#include "machine/places.hpp"

namespace {

std::string config_said;
int threads_set = 0;

// Returns the CPU flags of the first processor, such as "fpu … avx2 … avx512f …". A space surrounds each
// flag.
std::string flags_of_this_processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("flags")) return line.substr(line.find(':') + 1) + " ";
  return "";
}

bool has(const std::string& flag) {
  return flags_of_this_processor().find(" " + flag + " ") != std::string::npos;
}

std::string wanted_here() {
  if (has("avx512f") && has("avx512bw") && has("avx512vl"))
    return has("avx512_bf16") ? "Cooperlake" : "SkylakeX";
  return has("avx2") && has("fma") ? "Haswell" : "";
}

std::string saying(const std::string& kernels) {
  return "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH NO_AFFINITY " + kernels + " MAX_THREADS=64";
}

}  // namespace

extern "C" const char* openblas_get_config() { return config_said.c_str(); }

// Acts like an OpenBLAS that was built for OpenMP.
extern "C" void openblas_set_num_threads(int threads) {
  threads_set = threads;
  omp_set_num_threads(threads);
}

namespace sextant {
namespace {

TEST(OpenBlas, ItsConfigurationNamesItsKernels) {
  EXPECT_EQ(openblas_kernels(saying("Prescott")), "Prescott");
  EXPECT_EQ(openblas_kernels("OpenBLAS 0.3.26 DYNAMIC_ARCH Cooperlake MAX_THREADS=64 USE64BITINT"),
            "Cooperlake");
  EXPECT_EQ(openblas_kernels("OpenBLAS 0.3.26 Haswell"), "");
  EXPECT_EQ(openblas_kernels(""), "");
}

TEST(OpenBlas, KernelsWithoutAvxAreReplacedByThoseOfTheProcessor) {
  for (const char* old : {"Prescott", "Core2", "Nehalem", "Opteron_SSE3", "Unknown"})
    EXPECT_EQ(better_openblas_kernels(old), wanted_here()) << old;
  for (const char* fine : {"Haswell", "SkylakeX", "Cooperlake", "Zen", "ARMV8", ""})
    EXPECT_EQ(better_openblas_kernels(fine), "") << fine;
}

TEST(OpenBlas, WorkersAskUnlessTheUserDid) {
  ::unsetenv("OPENBLAS_CORETYPE");
  config_said = saying("Prescott");
  EXPECT_EQ(openblas_kernels_to_ask_for(), wanted_here());
  ::setenv("OPENBLAS_CORETYPE", "Prescott", 1);
  EXPECT_EQ(openblas_kernels_to_ask_for(), "");
  ::unsetenv("OPENBLAS_CORETYPE");
  config_said = saying("SkylakeX");
  EXPECT_EQ(openblas_kernels_to_ask_for(), "");
}

TEST(OpenBlas, ItsConfigurationNamesItsMostThreads) {
  EXPECT_EQ(openblas_thread_limit(saying("Zen")), 64);
  EXPECT_EQ(openblas_thread_limit("OpenBLAS 0.3.26 Haswell"), 0);
}

TEST(OpenBlas, ThreadsAreAtMostTheProcessorsAndTheLimitOfTheBuild) {
  EXPECT_EQ(openblas_threads(0, 16, 16, 64), 16);
  EXPECT_EQ(openblas_threads(4, 16, 16, 64), 4);
  EXPECT_EQ(openblas_threads(32, 16, 16, 64), 16);
  EXPECT_EQ(openblas_threads(0, 96, 96, 64), 64);
  EXPECT_EQ(openblas_threads(96, 96, 96, 64), 64);
  EXPECT_EQ(openblas_threads(96, 96, 96, 0), 96);
}

TEST(OpenBlas, MoreThreadsThanProcessorsAreNotSet) {
  config_said = saying("Zen");
  omp_set_num_threads(2);
  ::setenv("OPENBLAS_NUM_THREADS", "100000", 1);
  give_libraries_all_places();
  ::unsetenv("OPENBLAS_NUM_THREADS");
  EXPECT_GE(threads_set, 1);
  EXPECT_LE(threads_set, std::min(64, omp_get_num_procs()));
}

TEST(OpenBlas, ItsThreadsAreNotThoseOfOpenMP) {
  omp_set_num_threads(3);
  ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
  give_libraries_all_places();
  ::unsetenv("OPENBLAS_NUM_THREADS");
  EXPECT_EQ(omp_get_max_threads(), 3);
}

}  // namespace
}  // namespace sextant
