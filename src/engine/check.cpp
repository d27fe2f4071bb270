#include "engine/check.hpp"

#include <algorithm>
#include <chrono>

#include "base/clock.hpp"

namespace sextant {
namespace {

constexpr unsigned char nan_poison = 0xFF;   // every float or double of these bytes is a NaN
constexpr unsigned char huge_poison = 0x7F;  // 3.4e38 as float, 1.4e306 as double

double timed_launch(const Variant& variant, const Call& call, Device& device) {
  const double start = now();
  variant.launch[call.problem.type](call);
  device.synchronise();
  return now() - start;
}

}  // namespace

CheckResult check(const Variant& variant, const Call& call, Device& device, Workset& workset, Mapped& mapped,
                  double once_from) {
  CheckResult result;
  Deviation worst;
  bool first = true;
  for (const unsigned char poison : {nan_poison, huge_poison}) {
    const Mapped::Which which = first ? Mapped::Which::all : Mapped::Which::outputs;
    workset.reset(poison);
    for (std::size_t i = 0; i < workset.arrays().size(); ++i)
      if (workset.kernel().arrays[i].role != Role::in) workset.reference(static_cast<int>(i));
    mapped.copy_in(which);
    // What a device failed to write back must not look like what it was given.
    if (device.home() != Home::host) workset.poison_outputs(static_cast<unsigned char>(poison ^ 0x10));
    result.seconds.push_back(timed_launch(variant, call, device));
    mapped.copy_out(which);
    Deviation found;
    result.reason = workset.compare(&found, first);
    worst = worse_of(worst, found);
    result.error = worst.error;
    result.tolerance = worst.allowed;
    if (!result.reason.empty()) return result;
    if (result.seconds.back() > once_from) break;
    first = false;
  }
  result.passed = true;
  return result;
}

}  // namespace sextant
