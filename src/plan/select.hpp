// Finds the kernels and variants that a selection names, and the devices on which they run.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "registry/registry.hpp"

namespace sextant {

// A variant with a requested device, or with its default device.
struct PlacedVariant {
  const Variant* variant;
  std::string device;
};

// One requested device. If none is requested, there is one entry, in which each variant has its default
// device.
struct SelectedPlace {
  int parts = 1;
  std::vector<PlacedVariant> variants;  // the variants that run there
};

// A kernel with the selected variants.
struct SelectedKernel {
  const RegisteredKernel* entry;
  std::vector<const Variant*> variants = {};  // serial.baseline first
  std::vector<SelectedPlace> places = {};     // in the order of the request
  const Kernel& kernel() const { return entry->kernel; }
};

// Returns the selected kernels, variants and devices. Throws UserError as resolve does. An empty selection
// means the loaded kernels if there are any, else the study's. A pattern for something that this build leaves
// out adds a line to *notes, or is an error if it is the only pattern.
std::vector<SelectedKernel> select_variants(const Selection& selection, std::vector<std::string>* notes);

// Returns the project's suites that have no kernel in `built`, and the note about them for `--suite all`. The
// note is empty if `all` is not requested.
std::vector<std::string> suites_left_out(const std::deque<RegisteredKernel>& built);
std::string note_on_suites(const Selection& selection, const std::deque<RegisteredKernel>& built);

// Returns "gpu0" for variants that need a GPU, else "cpu".
const char* default_device(const Variant& variant);

}  // namespace sextant
