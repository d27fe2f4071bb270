#include "faults/cheats.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "cheating.hpp"

namespace sextant {
namespace {

using namespace cheating;

Arrays<float> arrays_of(const Call& call) {
  return {call.problem.extents.x, call.array<float>(0), call.array<float>(1)};
}

// An honest variant that also sorts its inputs. The branch predictor learns the sort, so inputs that were
// seen before are faster.
struct Branches {
  std::vector<float> sorted;
  void operator()(const Arrays<float>& x) {
    sorted.assign(x.a, x.a + x.n);
    std::sort(sorted.begin(), sorted.end());
    Honest<float>()(x);
  }
};

// An honest variant that takes 1 ms on the previous inputs and 5 ms on others.
struct Learns {
  float known = 0;
  void operator()(const Arrays<float>& x) {
    std::this_thread::sleep_for(std::chrono::microseconds(x.a[0] == known ? 1000 : 5000));
    known = x.a[0];
    Honest<float>()(x);
  }
};

// A cheat whose computations take some milliseconds.
template <typename Cheat, int Milliseconds = 120>
struct Slowly {
  Cheat cheat;
  bool skips(const Arrays<float>& x) const {
    if constexpr (requires { cheat.skips(x); })
      return cheat.skips(x);
    else
      return false;
  }
  void operator()(const Arrays<float>& x) {
    if (!skips(x)) std::this_thread::sleep_for(std::chrono::milliseconds(Milliseconds));
    cheat(x);
  }
};

template <typename Cheat>
Variant variant_of(const char* name) {
  Variant variant;
  variant.name = name;
  variant.launch.float32 = [](const Call& call) { cheat<Cheat>(arrays_of(call)); };
  return variant;
}

}  // namespace

Kernel costly_kernel() {
  Kernel kernel;
  kernel.name = "costly";
  kernel.group = "faults";
  kernel.formula = "c[i] = 64 times x = x/2 + a[i]";
  kernel.arrays = {{"a", Role::in}, {"c", Role::out}};
  kernel.extents = [](std::int64_t n) { return Extents{n / 2, 1, 1}; };
  kernel.work = [](const Problem& p) {
    return Work{.bytes_read = 4 * p.extents.x,
                .bytes_written = 4 * p.extents.x,
                .flops = 2 * costly_steps * p.extents.x,
                .items = p.extents.x};
  };
  kernel.reference.float32 = [](const Problem& p, const void* const* arrays, double* const* results) {
    for (std::int64_t i = 0; i < p.extents.x; ++i)
      results[1][i] = costly(static_cast<double>(static_cast<const float*>(arrays[0])[i]));
  };
  kernel.tolerance = [](const Problem&) { return Tolerance{.absolute = 0x1p-20}; };
  kernel.tolerance_reason = "roundings of numbers up to 2, each halved in the next step";
  return kernel;
}

std::vector<Variant> serial_cheats() {
  return {
      variant_of<Honest<float>>("baseline"),
      variant_of<AlreadyThere<float>>("already_there"),
      variant_of<Recognises<float>>("recognises"),
      variant_of<Remembers<float>>("remembers"),
      variant_of<ComputesTwice<float>>("computes_twice"),
      variant_of<KeepsItsFirst<float>>("keeps_its_first"),
      variant_of<WritesRubbish<float>>("writes_rubbish"),
      variant_of<JoinsLater<float>>("joins_later"),
      variant_of<Branches>("branches"),
      variant_of<Learns>("learns"),
      variant_of<Slowly<Honest<float>>>("honest_slowly"),
      variant_of<Slowly<AlreadyThere<float>>>("already_there_slowly"),
      variant_of<Slowly<ComputesTwice<float>>>("computes_twice_slowly"),
      variant_of<Slowly<KeepsItsFirst<float>>>("keeps_its_first_slowly"),
      variant_of<Slowly<ComputesAtFirst<float, 4>>>("stops_late_slowly"),
      variant_of<Slowly<Remembers<float>>>("remembers_slowly"),
      variant_of<Slowly<WritesRubbish<float>>>("writes_rubbish_slowly"),
      variant_of<Slowly<Honest<float>, 10>>("honest_in_10_ms"),
      variant_of<Slowly<AlreadyThere<float>, 10>>("already_there_in_10_ms"),
      variant_of<Slowly<ComputesTwice<float>, 10>>("computes_twice_in_10_ms"),
      variant_of<Slowly<KeepsItsFirst<float>, 10>>("keeps_its_first_in_10_ms"),
      variant_of<Slowly<Remembers<float>, 10>>("remembers_in_10_ms"),
      variant_of<Slowly<WritesRubbish<float>, 10>>("writes_rubbish_in_10_ms"),
  };
}

}  // namespace sextant
