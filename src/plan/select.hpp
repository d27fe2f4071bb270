// From a selection to the kernels and variants that it names.
#pragma once

#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "registry/registry.hpp"

namespace sextant {

struct Place;

// A kernel with those of its variants that a selection names.
struct SelectedKernel {
  const RegisteredKernel* entry;
  std::vector<const Variant*> variants;  // serial.baseline first
  const Kernel& kernel() const { return entry->kernel; }
};

// What the kernel, variant and device parts of a selection name; throws UserError as plan does. An empty
// selection means the loaded kernels, if there are any, else the study's. A pattern of what is left out of this build is
// an error where it is alone, else a line in *notes.
std::vector<SelectedKernel> select_variants(const Selection& selection,
                                            std::vector<std::string>* notes = nullptr);

// Where a variant runs if nothing else is asked: "gpu0" for CUDA, OpenACC and libraries on the device, else
// "cpu".
const char* default_device(const Variant& variant);

// Whether a variant runs at a place.
bool suits(const Variant& variant, const Place& place);

}  // namespace sextant
