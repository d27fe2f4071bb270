// The patterns' sizes and inputs, held against what their pages say of them.
#include <gtest/gtest.h>

#include <cmath>
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

TEST(Sort, HasRoomForWhatItReadsAndWrites) {
  for (const std::int64_t n : {1, 2, 3, 4, 5, 7936, 1 << 28}) {
    EXPECT_EQ(problem_of(kernel_of("sort_keys"), n).extents.x, n / 2);
    EXPECT_EQ(problem_of(kernel_of("sort_pairs"), n).extents.x, n / 4);
  }
}

TEST(Sort, SetsEachBitOfSkewedKeysMoreSeldom) {
  const Kernel& kernel = kernel_of("sort_keys");
  Problem problem = problem_of(kernel, 1 << 18);
  for (problem.parameters[0] = 0; problem.parameters[0] <= 4; ++problem.parameters[0]) {
    std::vector<double> share(32);
    const std::vector<std::int32_t> keys = whole_input(kernel, problem, 5);
    for (const std::int32_t key : keys)
      for (std::size_t bit = 0; bit < 32; ++bit)
        share[bit] += (static_cast<std::uint32_t>(key) >> bit & 1) / static_cast<double>(keys.size());
    for (const double one : share)
      EXPECT_NEAR(one, std::ldexp(1.0, -1 - static_cast<int>(problem.parameters[0])), 0.01);
  }
}

TEST(Sort, RefusesSkewForKeysThatAreNoWholeNumbers) {
  Problem problem = problem_of(kernel_of("sort_keys"), 100);
  problem.parameters[0] = 1;
  EXPECT_EQ(kernel_of("sort_keys").refuse(problem), nullptr);
  problem.type = ElementType::float32;
  EXPECT_NE(kernel_of("sort_keys").refuse(problem), nullptr);
}

// The answer with two equal keys' values exchanged is none.
TEST(Sort, KeepsTheOrderOfEqualKeys) {
  const Kernel& kernel = kernel_of("sort_pairs");
  Problem problem = problem_of(kernel, 4000);
  problem.parameters[0] = 4;
  const std::vector<std::int32_t> keys = whole_input(kernel, problem, 5);
  std::vector<std::int32_t> values(keys.size());
  kernel.initialise.int32(problem, 1, 6, values.data());
  std::vector<double> sorted(keys.size()), sorted_values(keys.size());
  const void* in[] = {keys.data(), values.data(), nullptr, nullptr};
  double* out[] = {nullptr, nullptr, sorted.data(), sorted_values.data()};
  kernel.reference.int32(problem, in, out);
  int equal = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    ASSERT_LE(sorted[i - 1], sorted[i]);
    if (sorted[i - 1] != sorted[i]) continue;
    EXPECT_LT(sorted_values[i - 1], sorted_values[i]);
    ++equal;
  }
  EXPECT_GT(equal, 100);
  for (std::size_t i = 0; i < sorted.size(); ++i)
    EXPECT_EQ(sorted[i], keys[static_cast<std::size_t>(sorted_values[i])]);
}

}  // namespace
}  // namespace sextant
