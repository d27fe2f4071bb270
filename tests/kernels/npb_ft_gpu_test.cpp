// Tests NPB FT on a GPU: the published checksums, all of w at every length, and every tuning.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "npb_ft_checks.hpp"

namespace sextant {
namespace {

std::vector<const Variant*> gpu_variants() {
  std::vector<const Variant*> list;
  for (const Variant& variant : verified().variants)
    if (variant.memory_space != MemorySpace::host && !is_partitioned(variant.memory_space))
      list.push_back(&variant);
  return list;
}

class GpuVariant : public testing::TestWithParam<const Variant*> {
 protected:
  void SetUp() override {
    const Variant& variant = *GetParam();
    if (variant.unavailable && variant.unavailable()) GTEST_SKIP() << variant.unavailable();
    std::string why_not;
    if (!open_device(variant.memory_space, 0, &why_not)) GTEST_SKIP() << why_not;
  }
};

std::string title(const testing::TestParamInfo<const Variant*>& info) { return title_of(*info.param); }
INSTANTIATE_TEST_SUITE_P(NpbFt, GpuVariant, testing::ValuesIn(gpu_variants()), title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GpuVariant);

TEST_P(GpuVariant, GivesThePublishedChecksums) {
  for (const char* name : {"S", "W"}) {
    const Problem problem = class_problem(verified().kernel, name);
    const CheckResult result =
        run_checked(verified().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem), 0);
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(GpuVariant, HoldsForLargeClasses) {
  const Variant& variant = *GetParam();
  if (variant.name != "cuda.passes") GTEST_SKIP() << "takes long";
  for (const char* name : {"A", "B", "C", "D"}) {
    const Problem problem = class_problem(verified().kernel, name);
    const CheckResult result =
        run_checked(verified().kernel, variant, problem, default_tuning(variant, problem), 0);
    if (result.reason == "device memory ran out") GTEST_SKIP() << name << ": " << result.reason;
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(GpuVariant, WritesAllOfTheInverseTransform) {
  const Variant* fftw = find_variant(whole(), "library.fftw");
  for (const char* name : {"S", "W"}) {
    const Problem problem = class_problem(whole().kernel, name);
    const auto w_of = [&](const Variant& variant, int gpu) {
      const CheckResult result =
          run_checked(whole().kernel, variant, problem, default_tuning(variant, problem), gpu);
      EXPECT_TRUE(result.passed) << name << ": " << result.reason;
      const HostArray& w = workset_of(whole().kernel, problem).arrays()[npb_ft::field];
      const auto* values = static_cast<const double*>(w.data);
      return std::vector<double>(values, values + 2 * problem.extents.count());
    };
    const std::vector<double> ours = w_of(*GetParam(), 0);
    if (!fftw) continue;  // FFTW is not in this build
    const std::vector<double> theirs = w_of(*fftw, -1);
    double largest = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) largest = std::max(largest, std::abs(ours[i] - theirs[i]));
    EXPECT_LE(largest, whole().kernel.tolerance(problem).absolute) << name;
  }
}

TEST_P(GpuVariant, HandlesEveryLengthInEveryDimension) {
  for (const Extents& shape : test_shapes()) {
    const Problem problem = problem_of(shape, 2, true);
    const std::vector<int> tuning = default_tuning(*GetParam(), problem);
    ASSERT_FALSE(GetParam()->constraint && GetParam()->constraint(problem, tuning.data()));
    const CheckResult result = run_checked(whole().kernel, *GetParam(), problem, tuning, 0);
    EXPECT_TRUE(result.passed) << shape.x << "x" << shape.y << "x" << shape.z << ": " << result.reason;
  }
}

// Returns `tunings`, and each of them with every choice of the tunable `name` if it exists.
std::set<std::vector<int>> with_every(const Variant& variant, const std::string& name,
                                      const std::set<std::vector<int>>& tunings) {
  std::set<std::vector<int>> result = tunings;
  for (std::size_t i = 0; i < variant.tunables.size(); ++i)
    if (variant.tunables[i].name == name)
      for (std::vector<int> tuning : tunings)
        for (const int value : variant.tunables[i].choices) {
          tuning[i] = value;
          result.insert(tuning);
        }
  return result;
}

void expect_passed(const Variant& variant, const Problem& problem,
                   const std::set<std::vector<int>>& tunings) {
  int checked = 0;
  for (const std::vector<int>& tuning : tunings) {
    if (variant.constraint && variant.constraint(problem, tuning.data())) continue;
    const CheckResult result = run_checked(whole().kernel, variant, problem, tuning, 0);
    const Extents& e = problem.extents;
    std::string shown;
    for (const int value : tuning) shown += ' ' + std::to_string(value);
    EXPECT_TRUE(result.passed) << e.x << "x" << e.y << "x" << e.z << " tuning" << shown << ": "
                               << result.reason;
    ++checked;
  }
  EXPECT_GT(checked, 0) << "no tuning was taken";
}

// Tests every pair of choices of two tunables, with and without fused passes.
TEST_P(GpuVariant, GivesTheSameWithEveryTuning) {
  const Variant& variant = *GetParam();
  for (const Extents& shape : {Extents{64, 32, 16}, Extents{64, 64, 64}}) {
    const Problem problem = problem_of(shape, 2, true);
    const auto bases = with_every(variant, "fuse_xy", {default_tuning(variant, problem)});
    std::set<std::vector<int>> tunings = bases;
    for (const std::vector<int>& base : bases)
      for (std::size_t i = 0; i < variant.tunables.size(); ++i)
        for (std::size_t j = i; j < variant.tunables.size(); ++j)
          for (const int value : variant.tunables[i].choices)
            for (const int other : variant.tunables[j].choices) {
              std::vector<int> tuning = base;
              tuning[j] = other;
              tuning[i] = value;
              tunings.insert(tuning);
            }
    expect_passed(variant, problem, tunings);
  }
}

// In the problem classes, several threads process each line. These shapes have the same lengths.
TEST_P(GpuVariant, HandlesTheLengthsOfTheClasses) {
  const Variant& variant = *GetParam();
  for (const Extents& shape : {Extents{64, 64, 64},
                               {128, 128, 32},
                               {256, 256, 8},
                               {512, 256, 2},
                               {512, 512, 2},
                               {2, 256, 512},
                               {2048, 32, 32},
                               {4096, 4, 4},
                               {4, 4096, 4},
                               {4, 4, 4096},
                               {32, 1024, 64},
                               {32, 64, 1024}}) {
    const Problem problem = problem_of(shape, 2, true);
    std::set<std::vector<int>> tunings = {default_tuning(variant, problem)};
    for (const char* name : {"fuse_xy", "plane_slices", "column_lag_mib", "paired_exchange_x"})
      tunings = with_every(variant, name, tunings);
    expect_passed(variant, problem, tunings);
  }
}

}  // namespace
}  // namespace sextant
