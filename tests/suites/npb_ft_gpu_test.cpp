// NAS FT's variants on a GPU: the published checksums, all of w at every length, every tuning.
#include <gtest/gtest.h>

#include "npb_ft_checks.hpp"

namespace sextant {
namespace {

std::vector<const Variant*> gpu_variants() {
  std::vector<const Variant*> list;
  for (const Variant& variant : verified().variants)
    if (variant.home != Home::host) list.push_back(&variant);
  return list;
}

class GpuVariant : public testing::TestWithParam<const Variant*> {
 protected:
  void SetUp() override {
    const Variant& variant = *GetParam();
    if (variant.unavailable && variant.unavailable()) GTEST_SKIP() << variant.unavailable();
    std::string why_not;
    if (!open_device(variant.home, 0, &why_not)) GTEST_SKIP() << why_not;
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

TEST_P(GpuVariant, WritesAllOfTheInverseTransform) {
  const Problem problem = class_problem(whole().kernel, "S");
  const CheckResult result =
      run_checked(whole().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem), 0);
  EXPECT_TRUE(result.passed) << result.reason;
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

TEST_P(GpuVariant, GivesTheSameWithEveryTuning) {
  const Variant& variant = *GetParam();
  for (std::size_t i = 0; i < variant.tunables.size(); ++i)
    for (const int value : variant.tunables[i].choices) {
      const Problem problem = problem_of({64, 32, 16}, 3, true);
      std::vector<int> tuning = default_tuning(variant, problem);
      tuning[i] = value;
      if (variant.constraint && variant.constraint(problem, tuning.data())) continue;
      const CheckResult result = run_checked(whole().kernel, variant, problem, tuning, 0);
      EXPECT_TRUE(result.passed) << variant.tunables[i].name << "=" << value << ": " << result.reason;
    }
}

}  // namespace
}  // namespace sextant
