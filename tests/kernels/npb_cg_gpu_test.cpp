// Tests NPB CG on a GPU: the published zeta, zeta and x at other sizes, every tuning, and bitwise equal
// results in every run.
#include <gtest/gtest.h>

#include <cmath>

#include "npb_cg_checks.hpp"

namespace sextant {
namespace {

std::vector<const Variant*> gpu_variants() {
  std::vector<const Variant*> list;
  for (const Variant& variant : cg_verified().variants)
    if (variant.memory_space != MemorySpace::host) list.push_back(&variant);
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
INSTANTIATE_TEST_SUITE_P(NpbCg, GpuVariant, testing::ValuesIn(gpu_variants()), title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GpuVariant);

TEST_P(GpuVariant, GivesThePublishedZeta) {
  for (const char* name : {"S", "W", "A"}) {
    const Problem problem = class_problem(cg_verified().kernel, name);
    const CheckResult result =
        run_checked(cg_verified().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem), 0);
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(GpuVariant, HoldsForLargeClasses) {
  const Variant& variant = *GetParam();
  if (variant.name != "cuda.blocks" && variant.name != "cuda.bands") GTEST_SKIP() << "takes long";
  for (const char* name : {"B", "C"}) {
    const Problem problem = class_problem(cg_verified().kernel, name);
    const CheckResult result =
        run_checked(cg_verified().kernel, variant, problem, default_tuning(variant, problem), 0);
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(GpuVariant, GivesEveryZetaAndAllOfX) {
  for (const Problem& problem : cg_problems()) {
    const CheckResult result =
        run_checked(cg_whole().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem), 0);
    EXPECT_TRUE(result.passed) << problem.extents.x << ": " << result.reason;
  }
}

TEST_P(GpuVariant, DiffersFromTheSerialFormByRoundingOnly) {
  for (const char* name : {"S", "W"}) {
    const Problem problem = class_problem(cg_whole().kernel, name);
    std::vector<std::vector<double>> plain, ours;
    EXPECT_TRUE(
        run_checked(cg_whole().kernel, *find_variant(cg_whole(), "serial.baseline"), problem, {}).passed);
    plain = outputs_of(cg_whole().kernel, problem);
    EXPECT_TRUE(
        run_checked(cg_whole().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem), 0).passed);
    ours = outputs_of(cg_whole().kernel, problem);
    for (std::size_t i = 0; i < plain[npb_cg::eigenvector].size(); ++i)
      ASSERT_NEAR(plain[npb_cg::eigenvector][i], ours[npb_cg::eigenvector][i], 1e-13) << name << " " << i;
  }
}

TEST_P(GpuVariant, GivesTheSameWithEveryTuning) {
  const Variant& variant = *GetParam();
  int checked = 0;
  for (const Problem& problem : {cg_problem(1009, 2, 7, 20, true), cg_problem(40009, 1, 3, 20, true)})
    for (std::size_t i = 0; i < variant.tunables.size(); ++i)
      for (const int value : variant.tunables[i].choices)
        for (std::size_t j = i; j < variant.tunables.size(); ++j)
          for (const int other : variant.tunables[j].choices) {
            std::vector<int> tuning = default_tuning(variant, problem);
            tuning[j] = other;
            tuning[i] = value;
            if (variant.constraint && variant.constraint(problem, tuning.data())) continue;
            const CheckResult result = run_checked(cg_whole().kernel, variant, problem, tuning, 0);
            EXPECT_TRUE(result.passed)
                << problem.extents.x << " " << variant.tunables[i].name << "=" << value << " "
                << variant.tunables[j].name << "=" << other << ": " << result.reason;
            ++checked;
          }
  EXPECT_TRUE(variant.tunables.empty() || checked > 0) << "no tuning was taken";
}

TEST(NpbCgGpu, GivesTheSameBitsInEveryRun) {
  for (const char* name : {"cuda.blocks", "cuda.bands"}) {
    const Variant* variant = find_variant(cg_whole(), name);
    std::string why_not;
    if (!variant || !open_device(MemorySpace::cuda, 0, &why_not)) GTEST_SKIP() << why_not;
    const Problem problem = class_problem(cg_whole().kernel, "A");
    std::vector<std::vector<double>> first, again;
    for (int run = 0; run < 3; ++run) {
      EXPECT_TRUE(
          run_checked(cg_whole().kernel, *variant, problem, default_tuning(*variant, problem), 0).passed);
      (run == 0 ? first : again) = outputs_of(cg_whole().kernel, problem);
      if (run > 0) {
        EXPECT_EQ(first, again) << name;
      }
    }
  }
}

}  // namespace
}  // namespace sextant
