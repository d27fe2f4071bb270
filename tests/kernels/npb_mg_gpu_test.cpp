// Tests NPB MG on a GPU: the published norms, all of u and r, every tuning, and bitwise equal results.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "npb_mg_checks.hpp"

namespace sextant {
namespace {

std::vector<const Variant*> gpu_variants() {
  std::vector<const Variant*> list;
  for (const Variant& variant : verified().variants)
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
INSTANTIATE_TEST_SUITE_P(NpbMg, GpuVariant, testing::ValuesIn(gpu_variants()), title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(GpuVariant);

TEST_P(GpuVariant, GivesThePublishedNorms) {
  for (const char* name : {"S", "W"}) {
    const Problem problem = class_problem(verified().kernel, name);
    const CheckResult result =
        run_checked(verified().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem), 0);
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(GpuVariant, HoldsForLargeClasses) {
  const Variant& variant = *GetParam();
  if (variant.model != Model::cuda) GTEST_SKIP() << "takes long";
  for (const char* name : {"A", "B", "C", "D"}) {
    const Problem problem = class_problem(verified().kernel, name);
    const CheckResult result =
        run_checked(verified().kernel, variant, problem, default_tuning(variant, problem), 0);
    if (result.reason == "device memory ran out") GTEST_SKIP() << name << ": " << result.reason;
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(GpuVariant, GivesAllOfTheFieldsOfClassS) {
  const Problem problem = class_problem(whole().kernel, "S");
  const CheckResult result =
      run_checked(whole().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem), 0);
  EXPECT_TRUE(result.passed) << result.reason;
}

TEST_P(GpuVariant, GivesTheSerialFormsFieldsOfClassW) {
  const Problem problem = class_problem(whole().kernel, "W");
  const double allowed = whole().kernel.tolerance(problem).absolute;
  const std::vector<double> plain = fields_of(*find_variant(whole(), "serial.baseline"), problem);
  const std::vector<double> ours = fields_of(*GetParam(), problem, 0);
  ASSERT_EQ(plain.size(), ours.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) wrong += !(std::abs(plain[i] - ours[i]) <= allowed);
  EXPECT_EQ(wrong, 0U);
}

TEST_P(GpuVariant, HandlesEverySideBothSmoothersAndAnyCycles) {
  for (const std::int64_t side : {4, 8, 16, 32, 64})
    for (const bool later : {false, true})
      for (const std::int64_t cycles : {1, 2}) {
        const Problem problem = problem_of(side, cycles, later, true);
        const CheckResult result =
            run_checked(whole().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem), 0);
        EXPECT_TRUE(result.passed) << side << " " << later << " " << cycles << ": " << result.reason;
      }
}

// Tests every pair of choices of two tunables.
TEST_P(GpuVariant, GivesTheSameWithEveryTuning) {
  const Variant& variant = *GetParam();
  const Problem problem = problem_of(64, 2, true, true);
  for (std::size_t i = 0; i < variant.tunables.size(); ++i)
    for (std::size_t j = i; j < variant.tunables.size(); ++j)
      for (const int value : variant.tunables[i].choices)
        for (const int other : variant.tunables[j].choices) {
          std::vector<int> tuning = default_tuning(variant, problem);
          tuning[j] = other;
          tuning[i] = value;
          if (variant.constraint && variant.constraint(problem, tuning.data())) continue;
          const CheckResult result = run_checked(whole().kernel, variant, problem, tuning, 0);
          EXPECT_TRUE(result.passed) << variant.tunables[i].name << "=" << value << " "
                                     << variant.tunables[j].name << "=" << other << ": " << result.reason;
        }
}

TEST_P(GpuVariant, GivesTheSameBitsAgain) {
  const Problem problem = problem_of(64, 2, true, true);
  const std::vector<double> first = fields_of(*GetParam(), problem, 0);
  for (int again = 0; again < 3; ++again) {
    const std::vector<double> second = fields_of(*GetParam(), problem, 0);
    EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(double)), 0);
  }
}

TEST_P(GpuVariant, PassesTheNormsOnTheWay) {
  for (const Checkpoints& one : checkpoints)
    for (std::int64_t cycles = 1; cycles <= 4; ++cycles) {
      if (one.side > 128 && GetParam()->model != Model::cuda) continue;
      const Problem problem = problem_of(one.side, cycles, one.later, true);
      const double norm = fields_of(*GetParam(), problem, 0)[1], wanted = one.norms[cycles - 1];
      EXPECT_NEAR(norm, wanted, 1e-10 * wanted) << one.side << " " << cycles;
    }
}

}  // namespace
}  // namespace sextant
