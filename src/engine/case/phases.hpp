// Measures the time of each phase (named section) that a variant reports with Call::phase. This takes
// separate launches, because marking phases disturbs asynchronous work.
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"
#include "record/measurement.hpp"
#include "suite/variant.hpp"

namespace sextant {

// Records the phases of a call's launches during its lifetime.
class PhaseListener {
 public:
  // With a device, records on its stream when each phase begins. With null, only records whether there are
  // phases.
  PhaseListener(Call* call, Device* device);
  ~PhaseListener();
  PhaseListener(const PhaseListener&) = delete;
  PhaseListener& operator=(const PhaseListener&) = delete;

  bool heard() const { return !names_.empty(); }
  // Ends the last phase of the launch and waits for it. Appends the seconds of each phase to `phases`, in
  // order of first appearance, and clears the records.
  void finish(std::vector<Phase>* phases);

 private:
  static void begin(void* self, const char* name);

  Call* call_;
  Device* device_;
  std::vector<std::string> names_;
};

// Measures this many launches. Each phase gets one time per launch.
std::vector<Phase> measure_phases(const Variant& variant, Call* call, Device& device, int launches);

}  // namespace sextant
