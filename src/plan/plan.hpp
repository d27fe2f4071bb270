// From a selection to the list of cases, without touching any device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "record/case.hpp"
#include "registry/registry.hpp"

namespace sextant {

// The kernels of the study, in its order: what an empty selection means.
std::vector<const RegisteredKernel*> study_kernels();

// A kernel with those of its variants that a selection names.
struct SelectedKernel {
  const RegisteredKernel* entry;
  std::vector<const Variant*> variants;  // serial.baseline first
  const Kernel& kernel() const { return entry->kernel; }
};

// What the kernel, variant and device parts of a selection name; throws UserError as plan does. An empty
// selection means the loaded kernels, if there are any, else the study's. A pattern of what is left out of this build is an error where it is alone, else a
// line in *notes.
std::vector<SelectedKernel> select_variants(const Selection& selection,
                                            std::vector<std::string>* notes = nullptr);

// All cases in an order that lets a worker share work: by kernel, type, size, then variant and tuning; serial
// baselines before what they are compared with. Throws UserError, naming the nearest valid name, if a
// pattern, class, tunable, value or type matches nothing. Tunings that a variant's constraint refuses are
// planned too: the executor stores them as skipped with the constraint's reason. Sizes too small for a
// kernel, problems that it refuses, variants without one of the asked types or tuning values and the like are
// left out with a line in *notes.
//
// A problem that is a shape, or has other parameters than the kernel's preferred ones, gets a name that says
// so ("100x37x53 steps=4") as its class.
//
// Without kernels: the loaded ones, if there are any. Without kernels, sizes, shapes and classes: the study. With sizes or classes alone: every kernel that has
// such problems. With suites and classes: their programs, without those kernels that give more of a program's results.
std::vector<Case> plan(const Selection& selection, std::vector<std::string>* notes = nullptr);

// Where a variant runs if nothing else is asked: "gpu0" for CUDA, OpenACC and libraries on the device, else
// "cpu".
const char* default_device(const Variant& variant);

// A tunable's choices, with what they stand for.
std::vector<TunedValue> values_of(const Variant& variant, const Tunable& tunable, const ChoiceTexts& texts);

// The default tuning of a variant for a problem: preferred values, then the variant's adapt.
Tuning default_tuning(const Variant& variant, const Problem& problem);

}  // namespace sextant
