// Where a program's time goes: what each phase that a variant names (Call::phase) takes, in passes of their
// own, since a mark a phase disturbs what is asynchronous.
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"
#include "record/measurement.hpp"
#include "suite/variant.hpp"

namespace sextant {

// Listens to the phases of the launches of a call, as long as it lives.
class PhaseListener {
 public:
  // With a device: when each phase began, on the device's stream. Without: only whether there are phases.
  PhaseListener(Call* call, Device* device);
  ~PhaseListener();
  PhaseListener(const PhaseListener&) = delete;
  PhaseListener& operator=(const PhaseListener&) = delete;

  bool heard() const { return !names_.empty(); }
  // Ends the launch's last phase, waits, and adds the seconds of each phase to `phases`, in the order of
  // their first coming; forgets what it heard.
  void finish(std::vector<Phase>* phases);

 private:
  static void begin(void* self, const char* name);

  Call* call_;
  Device* device_;
  std::vector<std::string> names_;
};

// One value a launch for each phase; `launches` of them.
std::vector<Phase> measure_phases(const Variant& variant, Call* call, Device& device, int launches);

}  // namespace sextant
