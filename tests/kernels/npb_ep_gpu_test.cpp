// Tests NPB EP on a GPU against the published values of class S. Its 16 million pairs contain rare ones that
// small sizes lack.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "engine/case/check.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

std::vector<int> default_tuning(const Variant& variant) {
  std::vector<int> tuning;
  for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
  return tuning;
}

// Verifies class S with this tuning. If the device is missing, returns false and the reason.
bool verify(const RegisteredKernel& entry, const Variant& variant, const std::vector<int>& tuning,
            std::string* why_not) {
  const auto device = open_device(variant.memory_space, 0, why_not);
  if (!device) return false;
  const NamedProblem& named = entry.kernel.classes.front();
  EXPECT_STREQ(named.name, "S");
  if (const char* reason = variant.constraint ? variant.constraint(named.problem, tuning.data()) : nullptr) {
    ADD_FAILURE() << variant.name << " refuses class S: " << reason;
    return true;
  }
  Workset workset(entry.kernel, named.problem, 1);
  DeviceCopies device_copies(*device, workset);
  Call call;
  call.problem = named.problem;
  call.tuning = tuning.data();
  call.arrays = device_copies.arrays();
  call.stream = device->stream();
  if (const char* reason = variant.prepare ? variant.prepare(call, &call.state) : nullptr) {
    ADD_FAILURE() << variant.name << " cannot be prepared: " << reason;
    return true;
  }
  const CheckResult result = check(variant, call, *device, workset, device_copies);
  if (variant.release) variant.release(call.state);
  EXPECT_TRUE(result.passed) << variant.name << ": " << result.reason;
  return true;
}

// Verifies each variant with its tuning. Skips the test if no device exists, and fails if `cases` is empty.
void verify_all(const RegisteredKernel& entry,
                const std::vector<std::pair<const Variant*, std::vector<int>>>& cases) {
  const auto on_gpu = [](const ModelBuild& one) {
    return one.built && (one.model == Model::cuda || is_offloaded(one.model));
  };
  if (std::none_of(model_builds().begin(), model_builds().end(), on_gpu))
    GTEST_SKIP() << "this build has no model for GPUs";
  ASSERT_FALSE(cases.empty());
  std::string why_not;
  int verified = 0;
  for (const auto& [variant, tuning] : cases) verified += verify(entry, *variant, tuning, &why_not);
  if (verified == 0) GTEST_SKIP() << why_not;
}

TEST(NpbEpGpu, EveryVariantVerifiesClassS) {
  const RegisteredKernel* entry = find_kernel("npb_ep");
  ASSERT_NE(entry, nullptr);
  std::vector<std::pair<const Variant*, std::vector<int>>> cases;
  for (const Variant& variant : entry->variants)
    if (variant.memory_space != MemorySpace::host && !is_partitioned(variant.memory_space))
      cases.emplace_back(&variant, default_tuning(variant));
  verify_all(*entry, cases);
}

// Each size of the logarithm's table has its own coefficients.
TEST(NpbEpGpu, EveryTableVerifiesClassS) {
  const RegisteredKernel* entry = find_kernel("npb_ep");
  ASSERT_NE(entry, nullptr);
  std::vector<std::pair<const Variant*, std::vector<int>>> cases;
  for (const Variant& variant : entry->variants)
    for (std::size_t i = 0; i < variant.tunables.size(); ++i) {
      if (std::string(variant.tunables[i].name) != "table_bits") continue;
      for (const int bits : variant.tunables[i].choices) {
        std::vector<int> tuning = default_tuning(variant);
        tuning[i] = bits;
        for (std::size_t k = 0; k < tuning.size(); ++k)
          if (std::string(variant.tunables[k].name) == "table_copies") tuning[k] = 1;
        cases.emplace_back(&variant, tuning);
      }
    }
  verify_all(*entry, cases);
}

}  // namespace
}  // namespace sextant
