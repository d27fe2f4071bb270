// Measures the time of each phase that a variant names (Call::phase). This takes separate passes, because a
// mark per phase disturbs asynchronous work.
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"
#include "record/measurement.hpp"
#include "suite/variant.hpp"

namespace sextant {

// Listens to the phases of a call's launches during its lifetime.
class PhaseListener {
 public:
  // With a device, records when each phase begins on the device's stream. With null, only notes whether there
  // are phases.
  PhaseListener(Call* call, Device* device);
  ~PhaseListener();
  PhaseListener(const PhaseListener&) = delete;
  PhaseListener& operator=(const PhaseListener&) = delete;

  bool heard() const { return !names_.empty(); }
  // Ends the launch's last phase and waits. Appends the seconds of each phase to `phases`, in order of first
  // appearance. Then clears what it recorded.
  void finish(std::vector<Phase>* phases);

 private:
  static void begin(void* self, const char* name);

  Call* call_;
  Device* device_;
  std::vector<std::string> names_;
};

// Measures `launches` launches. Each phase gets one time per launch.
std::vector<Phase> measure_phases(const Variant& variant, Call* call, Device& device, int launches);

}  // namespace sextant
