// Finds the kernels and variants that a selection names, and their devices.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "registry/registry.hpp"

namespace sextant {

// A variant and the device on which it runs.
struct PlacedVariant {
  const Variant* variant;
  std::string device;
};

// One requested device and its variants. If the user requests none, a single entry has each variant on its
// default device.
struct SelectedPlace {
  int parts = 1;
  std::vector<PlacedVariant> variants;  // variants that run on this device
};

// A kernel with its selected variants.
struct SelectedKernel {
  const RegisteredKernel* entry;
  std::vector<const Variant*> variants = {};  // serial.baseline comes first
  std::vector<SelectedPlace> places = {};     // in the order in which the devices were requested
  const Kernel& kernel() const { return entry->kernel; }
};

// Returns the selected kernels, variants and devices. Throws UserError in the same cases as resolve(). An
// empty selection means the loaded user kernels, or else the kernels of the default study. A pattern that
// names something missing in this build adds a line to *notes; without other patterns it is an error.
std::vector<SelectedKernel> select_variants(const Selection& selection, std::vector<std::string>* notes);

// suites_left_out returns the project's suites that have no kernel in `built`. note_on_suites returns a note
// about them if the user asked for `--suite all`, else "".
std::vector<std::string> suites_left_out(const std::deque<RegisteredKernel>& built);
std::string note_on_suites(const Selection& selection, const std::deque<RegisteredKernel>& built);

// Returns "gpu0" for variants that need a GPU, else "cpu".
const char* default_device(const Variant& variant);

}  // namespace sextant
