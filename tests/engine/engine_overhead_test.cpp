// Prints what a case costs in addition to its samples: worker, protocol, check and bookkeeping of a tiny
// problem.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <numeric>

#include "engine/executor.hpp"
#include "faults/faults.hpp"
#include "registry/registry.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant {
namespace {

// Prints the overhead per case, which should be below 5 ms on an idle machine. It checks no limit.
TEST(Overhead, OfManySmallCasesIsPrinted) {
  if (address_sanitizer) GTEST_SKIP() << "what it prints would be of the sanitizers";
  add_fault_kernels();
  constexpr std::size_t count = 201;
  Case what;
  what.kernel = "fault";
  what.variant = "serial.right";
  what.problem = {7936, ElementType::float32, find_kernel("fault")->kernel.extents(7936), {}};
  what.device = "cpu";
  std::vector<Case> cases(count, what);
  for (std::size_t i = 0; i < count; i += 2)
    cases[i].problem.n = 7938;  // no case shares data with the previous one
  Settings settings;
  settings.max_samples = 1000;
  settings.max_noise = 0;  // takes the maximum number of samples, because sending them is overhead, too

  std::vector<double> overheads;
  auto last = std::chrono::steady_clock::now();
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& m) {
    EXPECT_EQ(m.status, Status::ok) << m.reason;
    const auto now = std::chrono::steady_clock::now();
    overheads.push_back(std::chrono::duration<double>(now - last).count() -
                        std::accumulate(m.call_times.begin(), m.call_times.end(), 0.0));
    last = now;
  };
  execute(cases, settings, {{test_worker()}}, callbacks);
  ASSERT_EQ(overheads.size(), count);
  std::nth_element(overheads.begin(), overheads.begin() + count / 2, overheads.end());
  const double median = overheads[count / 2];
  std::printf("overhead: %.3f ms a case (median of %zu)\n", 1e3 * median, count);
}

int next(const Call& call) { return call.tuning[0] + 1; }
int next_with(const void*, const Call& call) { return call.tuning[0] + 1; }
const int call_count = 10'000'000;

// Returns the seconds of one call, as the minimum over several rounds.
template <typename Callee>
double seconds_of_a_call(const Callee& callee) {
  double least = 1;
  for (int round = 0; round < 5; ++round) {
    int value = 0;
    Call call;
    call.tuning = &value;
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < call_count; ++i) value = callee(call);
    EXPECT_EQ(value, call_count);
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return least / call_count;
}

TEST(Overhead, OfAFormsFunctionOverAPointerIsPrinted) {
  const auto opaque = [](auto pointer) {
    volatile auto hidden = pointer;  // hides the callee from the compiler
    return +hidden;
  };
  int (*const plain)(const Call&) = opaque(next);
  const Function<int(const Call&)> function = opaque(next), with_context(opaque(next_with), &call_count);
  std::printf("a call: %.2f ns by pointer, %.2f ns by Function, %.2f ns with a context\n",
              1e9 * seconds_of_a_call(plain), 1e9 * seconds_of_a_call(function),
              1e9 * seconds_of_a_call(with_context));
}

}  // namespace
}  // namespace sextant
