// Finds the kernels and variants that a selection names, and the devices on which they run.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "registry/registry.hpp"

namespace sextant {

// A variant and the device on which it runs: a requested one or its default device.
struct PlacedVariant {
  const Variant* variant;
  std::string device;
};

// One requested device. If none is requested, there is a single entry in which each variant has its default
// device.
struct SelectedPlace {
  int parts = 1;
  std::vector<PlacedVariant> variants;  // the variants that run on this device
};

// A kernel with its selected variants.
struct SelectedKernel {
  const RegisteredKernel* entry;
  std::vector<const Variant*> variants = {};  // serial.baseline comes first
  std::vector<SelectedPlace> places = {};     // in the order in which the devices were requested
  const Kernel& kernel() const { return entry->kernel; }
};

// Returns the selected kernels, variants and devices. Throws UserError in the same cases as resolve(). An
// empty selection means the loaded user kernels if there are any, otherwise the kernels of the default study.
// If a pattern names something that this build leaves out, *notes gets a line; it is an error if no other
// pattern was given.
std::vector<SelectedKernel> select_variants(const Selection& selection, std::vector<std::string>* notes);

// suites_left_out returns the project's suites that have no kernel in `built`. note_on_suites returns a note
// about them if the user asked for `--suite all`, otherwise an empty text.
std::vector<std::string> suites_left_out(const std::deque<RegisteredKernel>& built);
std::string note_on_suites(const Selection& selection, const std::deque<RegisteredKernel>& built);

// Returns "gpu0" for variants that need a GPU, else "cpu".
const char* default_device(const Variant& variant);

}  // namespace sextant
