// From a selection to the kernels and variants that it names, and the devices where they run.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "registry/registry.hpp"

namespace sextant {

// A variant on one of the devices asked for, or on its default.
struct PlacedVariant {
  const Variant* variant;
  std::string device;
};

// One of the devices asked for, or none: then each variant has its default.
struct SelectedPlace {
  int parts = 1;
  std::vector<PlacedVariant> variants;  // those that run there
};

// A kernel with those of its variants that a selection names.
struct SelectedKernel {
  const RegisteredKernel* entry;
  std::vector<const Variant*> variants = {};  // serial.baseline first
  std::vector<SelectedPlace> places = {};     // in the order in which they are asked for
  const Kernel& kernel() const { return entry->kernel; }
};

// What the kernel, variant and device parts of a selection name; throws UserError as resolve does. An empty
// selection means the loaded kernels, if there are any, else the study's. A pattern of what is left out of
// this build is an error where it is alone, else a line in *notes.
std::vector<SelectedKernel> select_variants(const Selection& selection, std::vector<std::string>* notes);

// The project's suites that have no kernel in `built`, and what `--suite all` says of them; empty if it is
// not asked for.
std::vector<std::string> suites_left_out(const std::deque<RegisteredKernel>& built);
std::string note_on_suites(const Selection& selection, const std::deque<RegisteredKernel>& built);

// Where a variant runs if nothing else is asked: "gpu0" for CUDA, OpenACC and libraries on the device, else
// "cpu".
const char* default_device(const Variant& variant);

}  // namespace sextant
