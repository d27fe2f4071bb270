// Tests NPB LU, SP and BT on a GPU: the published norms, the whole final state at many sizes, and every
// tuning.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "npb_flow_checks.hpp"

namespace sextant {
namespace {

class GpuVariant : public testing::TestWithParam<FlowVariant> {
 protected:
  void SetUp() override {
    if (variant().unavailable && variant().unavailable()) GTEST_SKIP() << variant().unavailable();
    std::string why_not;
    if (!open_device(variant().memory_space, 0, &why_not)) GTEST_SKIP() << why_not;
  }
  const RegisteredKernel& flow() const { return *GetParam().flow; }
  const Variant& variant() const { return *GetParam().variant; }
};

std::string title(const testing::TestParamInfo<FlowVariant>& info) { return title_of(info.param); }
INSTANTIATE_TEST_SUITE_P(NpbFlow, GpuVariant, testing::ValuesIn(flow_variants([](const Variant& v) {
                           return v.memory_space != MemorySpace::host;
                         })),
                         title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GpuVariant);

TEST_P(GpuVariant, GivesThePublishedNorms) {
  // LU with OpenMP offloading launches one region per hyperplane, 55 000 in class W.
  const bool many_regions = variant().model == Model::target && flow().kernel.name == "npb_lu";
  for (const char* name : {"S", "W"}) {
    if (many_regions && name == std::string("W")) continue;
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

// Tests long-line tunings on small classes. By default, only classes C and D use segments, and only D warps.
TEST_P(GpuVariant, GivesTheSameWithFormsForLongLines) {
  const std::vector<std::pair<std::string, int>> wanted = {
      {"lines_per_block_x", 4}, {"block_size_x", 256}, {"lines_per_block", 4},
      {"block_size", 256},      {"lanes", 32},         {"segment", 4}};
  if (std::none_of(variant().tunables.begin(), variant().tunables.end(), [](const Tunable& one) {
        return one.name == std::string("lanes") || one.name == std::string("segment");
      }))
    GTEST_SKIP() << "has one form";
  const Kernel& kernel = whole_of(flow()).kernel;
  for (const std::int64_t n : {5, 6, 7, 8, 24, 25, 26, 27, 36, 41, 56, 67}) {
    const Problem problem = flow_problem(n, 2, true);
    std::vector<int> tuning = default_tuning(variant(), problem);
    for (std::size_t i = 0; i < tuning.size(); ++i)
      for (const auto& [name, value] : wanted)
        if (variant().tunables[i].name == name) tuning[i] = value;
    if (variant().constraint) {
      ASSERT_FALSE(variant().constraint(problem, tuning.data())) << n;
    }
    const CheckResult result = run_checked(kernel, variant(), problem, tuning, 0);
    EXPECT_TRUE(result.passed) << n << ": " << result.reason;
  }
}

TEST_P(GpuVariant, GivesTheSameBitsAgain) {
  if (variant().model != Model::cuda) GTEST_SKIP() << "sums of norms are the compiler's";
  const Kernel& kernel = whole_of(flow()).kernel;
  for (const std::int64_t n : {12, 36, 67}) {
    const Problem problem = flow_problem(n, 3, true);
    std::vector<std::vector<double>> first;
    for (int run = 0; run < 3; ++run) {
      const CheckResult result =
          run_checked(kernel, variant(), problem, default_tuning(variant(), problem), 0);
      EXPECT_TRUE(result.passed) << n << ": " << result.reason;
      if (run == 0) first = outputs_of(kernel, problem);
      EXPECT_EQ(outputs_of(kernel, problem), first) << n;
    }
  }
}

}  // namespace
}  // namespace sextant
