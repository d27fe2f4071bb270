#include "machine/ceilings/ceilings.hpp"

#include <charconv>
#include <cmath>

#include "base/error.hpp"
#include "device/device.hpp"
#include "machine/ceilings/detail.hpp"
#include "record/place.hpp"

namespace sextant {

double fastest_of(const std::function<double()>& sample, const std::function<double()>& clock) {
  // `enough` and `at_most` are in seconds. Two times are `alike` if their ratio is at most 1.1.
  constexpr double enough = 0.03, at_most = 0.5, alike = 1.1;
  const double start = clock();
  double first = sample(), second = INFINITY;
  for (int samples = 1;; ++samples) {
    const double spent = clock() - start;
    const bool agree = second < alike * first;
    if (agree ? samples >= 8 || spent >= enough : spent >= at_most) return first;
    const double time = sample();
    second = std::min(second, std::max(first, time));
    first = std::min(first, time);
  }
}

void CeilingList::add(const std::string& name, double value, std::int64_t footprint) {
  require(std::isfinite(value) && value > 0, name + " took no measurable time");
  ceilings_.push_back({device_, name, footprint, value});
}

void CeilingList::require(bool right, const std::string& what) const {
  if (!right) throw DeviceError("measuring the ceilings of " + device_ + ": " + what);
}

std::vector<Ceiling> measure_ceilings(const std::string& device, CeilingPart part) {
  CeilingList list(device);
  int index = -1;
  const char* end = device.data() + device.size();
  if (device == "cpu") {
    measure_host_ceilings(&list);
  } else if (device.starts_with("gpu") && std::from_chars(device.data() + 3, end, index).ptr == end &&
             index >= 0) {
    measure_gpu_ceilings(index, part, &list);
    if (part != CeilingPart::bandwidth) {
      measure_openacc_launches(index, &list);
      measure_target_launches(index, &list);
    }
  } else if (const auto place = place_of(device); place && place->is_team()) {
    if (place->devices > 1) measure_link_ceilings(place->device, place->devices, &list);
  } else {
    throw UserError("there is no device `" + device +
                    "`. Devices are cpu, gpu0, gpu1, and so on. `sextant list devices` lists them.");
  }
  return list.take();
}

}  // namespace sextant
