// Tests the variants' tunings without launching anything.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "plan/plan.hpp"
#include "problems.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

// The default tuning consists of selectable values, and the variant accepts it, unless the variant accepts no
// tuning for the problem.
TEST(Tunings, AdaptedOnesAreAmongTheChoicesAndAccepted) {
  for (const RegisteredKernel& entry : registry())
    for (const Variant& variant : entry.variants)
      for (const ElementType type : {ElementType::float32, ElementType::float64})
        for (const std::int64_t n :
             {7936L, 130560L, 1310720L, 9437184L, 1L << 28, 1L << 30, (1L << 33) + 1}) {
          if (!entry.kernel.has(type) || !variant.launch[type] || !entry.kernel.extents) continue;
          const Problem problem = problem_of(entry.kernel, n, type);
          if (problem.extents.count() == 0) continue;
          std::vector<int> tuning;
          for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
          if (variant.adapt) variant.adapt(problem, tuning.data());
          const std::string where = entry.kernel.name + " " + variant.name + " N=" + std::to_string(n);
          for (std::size_t i = 0; i < tuning.size(); ++i) {
            const std::vector<int>& choices = variant.tunables[i].choices;
            EXPECT_TRUE(std::binary_search(choices.begin(), choices.end(), tuning[i]))
                << where << ": " << variant.tunables[i].name << " = " << tuning[i];
          }
          if (variant.constraint) {
            const char* reason = variant.constraint(problem, tuning.data());
            EXPECT_TRUE(!reason || !allows_any(variant, problem)) << where << ": " << reason;
          }
        }
}

// Returns the default of a tunable for a problem; 0 if there is none. Some tunables save memory reads but
// cost time if all data are in a cache.
int default_of(const char* kernel, const char* variant_name, std::int64_t n, ElementType type,
               const std::string& tunable) {
  const RegisteredKernel* entry = find_kernel(kernel);
  const Variant* variant = entry ? find_variant(*entry, variant_name) : nullptr;
  if (!variant) return 0;
  for (const auto& [name, value] : default_tuning(*variant, problem_of(entry->kernel, n, type)))
    if (name == tunable) return value;
  return 0;
}

TEST(Tunings, PlanesAreComputedTogetherWhereTheArraysFillMoreThanCaches) {
  for (const char* name : {"openmp.simd", "openmp.streaming"}) {
    const auto planes = [&](std::int64_t n, ElementType type) {
      return default_of("stencil3d_7pt", name, n, type, "planes_per_iteration");
    };
    EXPECT_EQ(planes(130560, ElementType::float32), 1);
    EXPECT_EQ(planes(1310720, ElementType::float32), 1);
    EXPECT_EQ(planes(1310720, ElementType::float64), 1);
    EXPECT_EQ(planes(9437184, ElementType::float32), 4);
    EXPECT_EQ(planes(75497472, ElementType::float64), 4);
  }
}

TEST(Tunings, RowsAreComputedTogetherWhereTheArraysFillMoreThanCaches) {
  const auto rows = [](std::int64_t n, ElementType type) {
    return default_of("stencil2d_4pt", "openmp.simd", n, type, "rows_per_iteration");
  };
  EXPECT_EQ(rows(1310720, ElementType::float32), 1);
  EXPECT_EQ(rows(1310720, ElementType::float64), 1);
  EXPECT_EQ(rows(9437184, ElementType::float32), 4);
}

TEST(Tunings, StreamsPassTheCachesWhereTheirArraysFillMoreThanThose) {
  for (const char* kernel : {"copy", "scale", "add", "triad"}) {
    if (!find_variant(*find_kernel(kernel), "openmp.streaming")) GTEST_SKIP() << "a build without OpenMP";
    const auto past = [&](std::int64_t n) {
      return default_of(kernel, "openmp.streaming", n, ElementType::float64, "streaming_stores");
    };
    EXPECT_EQ(past(7936), 0) << kernel;
    EXPECT_EQ(past(std::int64_t{1} << 30), 1) << kernel;
  }
}

TEST(Tunings, TilesOfTheHostsProductAreSmallWhereThereAreFew) {
  if (!find_variant(*find_kernel("matmul"), "openmp.blocked")) GTEST_SKIP() << "a build without OpenMP";
  const auto columns = [](std::int64_t n) {
    return default_of("matmul", "openmp.blocked", n, ElementType::float32, "tile_columns");
  };
  EXPECT_EQ(columns(768), 128);
  EXPECT_EQ(columns(std::int64_t{3} << 30), 256);
}

TEST(Tunings, BlocksThatNoGpuTakesAreRefusedWithTheReason) {
  const RegisteredKernel* entry = find_kernel("stencil3d_7pt");
  ASSERT_NE(entry, nullptr);
  const Variant* shared = find_variant(*entry, "cuda.shared");
  if (!shared) GTEST_SKIP() << "cuda.shared is not in this build";
  const Problem problem{7936, ElementType::float64, entry->kernel.extents(7936), {}};
  const int study_openacc_best[] = {16, 4, 32}, study_best[] = {8, 8, 8}, tall[] = {4, 4, 128},
            wide[] = {1024, 1, 1};
  EXPECT_STREQ(shared->constraint(problem, study_openacc_best), "more than 1024 threads per block");
  EXPECT_EQ(shared->constraint(problem, study_best), nullptr);
  EXPECT_NE(shared->constraint(problem, tall), nullptr);
  EXPECT_STREQ(shared->constraint(problem, wide), "more than 48 KiB of shared memory per block");
  const Problem many_rows{0, ElementType::float32, {1, 70000, 1}, {}};
  const int flat[] = {64, 1, 1};
  EXPECT_STREQ(shared->constraint(many_rows, flat), "more than 65535 blocks along y or z");
}

}  // namespace
}  // namespace sextant
