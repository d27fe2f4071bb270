// NPB EP on a GPU: class S against its published values, whose 16 million pairs reach the rare ones that
// small sizes do not have.
#include <gtest/gtest.h>

#include "engine/check.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

std::vector<int> default_tuning(const Variant& variant) {
  std::vector<int> tuning;
  for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
  return tuning;
}

void verify(const RegisteredKernel& entry, const Variant& variant, const std::vector<int>& tuning) {
  std::string why_not;
  const auto device = open_device(variant.home, 0, &why_not);
  if (!device) GTEST_SKIP() << why_not;
  const NamedProblem& named = entry.kernel.classes.front();
  ASSERT_STREQ(named.name, "S");
  if (variant.constraint && variant.constraint(named.problem, tuning.data())) return;
  Workset workset(entry.kernel, named.problem, 1);
  Mapped mapped(*device, workset);
  Call call;
  call.problem = named.problem;
  call.tuning = tuning.data();
  call.arrays = mapped.arrays();
  call.stream = device->stream();
  if (variant.prepare) {
    ASSERT_EQ(variant.prepare(call, &call.state), nullptr);
  }
  const CheckResult result = check(variant, call, *device, workset, mapped);
  if (variant.release) variant.release(call.state);
  EXPECT_TRUE(result.passed) << variant.name << ": " << result.reason;
}

TEST(NpbEpGpu, EveryVariantVerifiesClassS) {
  const RegisteredKernel* entry = find_kernel("npb_ep");
  ASSERT_NE(entry, nullptr);
  for (const Variant& variant : entry->variants)
    if (variant.home != Home::host) verify(*entry, variant, default_tuning(variant));
}

// Each table has coefficients of its own.
TEST(NpbEpGpu, EveryTableVerifiesClassS) {
  const RegisteredKernel* entry = find_kernel("npb_ep");
  ASSERT_NE(entry, nullptr);
  for (const Variant& variant : entry->variants)
    for (std::size_t i = 0; i < variant.tunables.size(); ++i) {
      if (std::string(variant.tunables[i].name) != "table_bits") continue;
      for (const int bits : variant.tunables[i].choices) {
        std::vector<int> tuning = default_tuning(variant);
        tuning[i] = bits;
        for (std::size_t k = 0; k < tuning.size(); ++k)
          if (std::string(variant.tunables[k].name) == "table_copies") tuning[k] = 1;
        verify(*entry, variant, tuning);
      }
    }
}

}  // namespace
}  // namespace sextant
