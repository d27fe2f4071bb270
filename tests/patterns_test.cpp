// The patterns' sizes and inputs, held against what their pages say of them.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "registry/registry.hpp"

namespace sextant {
namespace {

const Kernel& kernel_of(const char* name) { return find_kernel(name)->kernel; }

Problem problem_of(const Kernel& kernel, std::int64_t n) {
  return {n, ElementType::int32, kernel.extents(n), kernel.standard_parameters()};
}

std::vector<std::int32_t> whole_input(const Kernel& kernel, const Problem& problem, std::uint64_t seed) {
  std::vector<std::int32_t> input(static_cast<std::size_t>(kernel.elements(problem, 0)));
  kernel.initialise.int32(problem, 0, seed, input.data());
  return input;
}

TEST(Histogram, HasItsBinsBesideItsKeys) {
  for (const char* name : {"histogram_uniform", "histogram_skewed"})
    for (const std::int64_t n : {1, 255, 256, 257, 258, 7936, 1 << 28}) {
      const Problem problem = problem_of(kernel_of(name), n);
      EXPECT_EQ(problem.extents.x, n > 256 ? n - 256 : 0) << name << " " << n;
      EXPECT_EQ(kernel_of(name).elements(problem, 1), 256);
    }
  const Kernel& wide = kernel_of("histogram_wide");
  EXPECT_EQ(problem_of(wide, 1).extents.x, 0);
  for (const std::int64_t n : {2, 3, 7936, 7937, 1 << 28}) {
    EXPECT_EQ(problem_of(wide, n).extents.x, (n + 1) / 2);
    EXPECT_EQ(wide.elements(problem_of(wide, n), 1), n / 2);
  }
}

TEST(Histogram, DrawsEachKeyAsOftenAsItSays) {
  constexpr std::int64_t n = 1 << 20;
  for (const auto& [name, share_of_0, share_of_255] :
       {std::tuple{"histogram_uniform", 1 / 256.0, 1 / 256.0}, std::tuple{"histogram_skewed", 0.776, 0.0}}) {
    const Problem problem = problem_of(kernel_of(name), n + 256);
    std::vector<double> share(256);
    for (const std::int32_t key : whole_input(kernel_of(name), problem, 5)) {
      ASSERT_TRUE(key >= 0 && key < 256) << name;
      share[static_cast<std::size_t>(key)] += 1.0 / n;
    }
    EXPECT_NEAR(share[0], share_of_0, 0.002) << name;
    EXPECT_NEAR(share[255], share_of_255, 0.0005) << name;
  }
}

TEST(Histogram, DrawsWideKeysFromAllBins) {
  const Kernel& kernel = kernel_of("histogram_wide");
  const Problem problem = problem_of(kernel, 1 << 20);
  constexpr std::int64_t bins = 1 << 19;
  std::vector<int> eighths(8);
  for (const std::int32_t key : whole_input(kernel, problem, 5)) {
    ASSERT_TRUE(key >= 0 && key < bins);
    ++eighths[static_cast<std::size_t>(key / (bins / 8))];
  }
  for (const int count : eighths) EXPECT_NEAR(count, bins / 8, bins / 400);
}

}  // namespace
}  // namespace sextant
