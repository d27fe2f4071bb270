// NAS LU, SP and BT on a GPU: the published norms, all of the last state at many sizes, every tuning.
#include <gtest/gtest.h>

#include "npb_flow_checks.hpp"

namespace sextant {
namespace {

class GpuVariant : public testing::TestWithParam<FlowVariant> {
 protected:
  void SetUp() override {
    if (variant().unavailable && variant().unavailable()) GTEST_SKIP() << variant().unavailable();
    std::string why_not;
    if (!open_device(variant().home, 0, &why_not)) GTEST_SKIP() << why_not;
  }
  const RegisteredKernel& flow() const { return *GetParam().flow; }
  const Variant& variant() const { return *GetParam().variant; }
};

std::string title(const testing::TestParamInfo<FlowVariant>& info) { return title_of(info.param); }
INSTANTIATE_TEST_SUITE_P(NpbFlow, GpuVariant, testing::ValuesIn(flow_variants([](const Variant& v) {
                           return v.home != Home::host;
                         })),
                         title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GpuVariant);

TEST_P(GpuVariant, GivesThePublishedNorms) {
  for (const char* name : {"S", "W"}) {
    const Problem problem = class_problem(flow().kernel, name);
    const CheckResult result =
        run_checked(flow().kernel, variant(), problem, default_tuning(variant(), problem), 0);
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(GpuVariant, HoldsForLargeClasses) {
  if (variant().model != Model::cuda) GTEST_SKIP() << "takes long";
  for (const char* name : {"A", "B", "C"}) {
    const Problem problem = class_problem(flow().kernel, name);
    const CheckResult result =
        run_checked(flow().kernel, variant(), problem, default_tuning(variant(), problem), 0);
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(GpuVariant, WritesAllOfTheState) {
  const Kernel& kernel = whole_of(flow()).kernel;
  for (const std::int64_t n : {5, 6, 7, 8, 9, 10, 11, 12, 13, 17, 18, 19, 23, 36, 41}) {
    const Problem problem = flow_problem(n, 3, true);
    const CheckResult result = run_checked(kernel, variant(), problem, default_tuning(variant(), problem), 0);
    EXPECT_TRUE(result.passed) << n << ": " << result.reason;
  }
}

TEST_P(GpuVariant, GivesTheSameWithEveryTuning) {
  const Kernel& kernel = whole_of(flow()).kernel;
  for (const std::int64_t n : {7, 36}) {
    const Problem problem = flow_problem(n, 2, true);
    for (const std::vector<int>& tuning : every_choice(variant(), problem)) {
      const CheckResult result = run_checked(kernel, variant(), problem, tuning, 0);
      EXPECT_TRUE(result.passed) << n << ": " << result.reason;
    }
  }
}

}  // namespace
}  // namespace sextant
