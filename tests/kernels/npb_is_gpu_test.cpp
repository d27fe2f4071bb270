// Tests NPB IS on a GPU in every class that fits: the published ranks, all counts, and equal results in two
// runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "../../npb/npb_is/problem.hpp"
#include "engine/case/check.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

const RegisteredKernel& entry() { return *find_kernel("npb_is"); }

std::vector<const Variant*> gpu_variants() {
  std::vector<const Variant*> list;
  for (const Variant& variant : entry().variants)
    if (variant.memory_space != MemorySpace::host) list.push_back(&variant);
  return list;
}

using Values = std::vector<std::pair<std::string, int>>;  // names and values of tunables

// Checks a class. `values` replace those tunables that `adapt` would choose.
CheckResult check_class(const Variant& variant, const NamedProblem& named, const Values& values = {}) {
  CheckResult result;
  const std::unique_ptr<Device> device = open_device(variant.memory_space, 0, &result.reason);
  if (!device) return result;
  Workset workset(entry().kernel, named.problem, 1);
  DeviceCopies device_copies(*device, workset);
  std::vector<int> tuning;
  for (const Tunable& one : variant.tunables) tuning.push_back(one.preferred);
  if (variant.adapt) variant.adapt(named.problem, tuning.data());
  for (std::size_t i = 0; i < tuning.size(); ++i)
    for (const auto& [name, value] : values)
      if (variant.tunables[i].name == name) tuning[i] = value;
  Call call;
  call.problem = named.problem;
  call.tuning = tuning.data();
  call.arrays = device_copies.arrays();
  call.stream = device->stream();
  if (const char* why_not = variant.prepare(call, &call.state)) {
    result.reason = why_not;
    return result;
  }
  result = check(variant, call, *device, workset, device_copies, 1e300, true);
  variant.release(call.state);
  return result;
}

class IsOnGpu : public testing::TestWithParam<const Variant*> {
 protected:
  void SetUp() override {
    const Variant& variant = *GetParam();
    if (variant.unavailable && variant.unavailable()) GTEST_SKIP() << variant.unavailable();
    std::string why_not;
    if (!open_device(variant.memory_space, 0, &why_not)) GTEST_SKIP() << why_not;
  }
};

std::string title(const testing::TestParamInfo<const Variant*>& info) {
  std::string name = info.param->name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(NpbIs, IsOnGpu, testing::ValuesIn(gpu_variants()), title);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(IsOnGpu);

TEST_P(IsOnGpu, GivesThePublishedRanks) {
  for (const NamedProblem& named : entry().kernel.classes) {
    if (named.name != std::string("S") && named.name != std::string("W")) continue;
    const CheckResult result = check_class(*GetParam(), named);
    EXPECT_TRUE(result.passed) << named.name << ": " << result.reason;
    EXPECT_TRUE(result.repeats) << named.name;
  }
}

TEST_P(IsOnGpu, HoldsForLargeClasses) {
  const Variant& variant = *GetParam();
  if (variant.model != Model::cuda) GTEST_SKIP() << "takes long";
  for (const NamedProblem& named : entry().kernel.classes) {
    const CheckResult result = check_class(variant, named);
    if (result.reason == "device memory ran out") GTEST_SKIP() << named.name << ": " << result.reason;
    EXPECT_TRUE(result.passed) << named.name << ": " << result.reason;
    EXPECT_TRUE(result.repeats) << named.name;
  }
}

// With paired_groups, two groups of keys share a row of the first pass, as in class D. The sizes give full
// tiles with a remainder, and fewer rows than threads.
TEST_P(IsOnGpu, TwinsShareRows) {
  const Variant& variant = *GetParam();
  if (variant.name != "cuda.pieces") GTEST_SKIP() << "has no rows";
  const NamedProblem odd = {"an odd number",
                            {1'000'003, ElementType::int32, {1'000'003, 1, 1}, {16, 0, 0, 0}}};
  for (const NamedProblem* named : {&entry().kernel.classes[1], &odd}) {
    const CheckResult result =
        check_class(variant, *named,
                    {{"paired_groups", 1}, {"block_size", 256}, {"items_per_thread", 8}, {"groups_log2", 8}});
    EXPECT_TRUE(result.passed) << named->name << ": " << result.reason;
    EXPECT_TRUE(result.repeats) << named->name;
  }
}

// A value has 3125 keys on average, so a one-byte counter (at most 255) overflows. The variant must then fail
// instead of returning wrong counts.
TEST_P(IsOnGpu, CountersOfOneByteThatRunOverAreSeen) {
  const Variant& variant = *GetParam();
  if (variant.name != "cuda.pieces") GTEST_SKIP() << "has no counters of one byte";
  const NamedProblem many = {"many keys of a value",
                             {100'003, ElementType::int32, {100'003, 1, 1}, {5, 0, 0, 0}}};
  const CheckResult wide = check_class(variant, many);
  EXPECT_TRUE(wide.passed) << wide.reason;
  EXPECT_FALSE(check_class(variant, many, {{"counter_bits", 8}}).passed);
}

}  // namespace
}  // namespace sextant
