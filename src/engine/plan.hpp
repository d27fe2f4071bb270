// From a selection to the list of cases, without touching any device.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/measurement.hpp"
#include "suite/registry.hpp"

namespace sextant {

// What the command line's selection says, parsed but not yet held against the registry. Empty lists:
// everything.
struct Selection {
  std::vector<std::string> kernels;   // regular expressions that must match the whole kernel name
  std::vector<std::string> variants;  // the same against `model` or `model.variant`
  std::vector<std::int64_t> sizes;    // expanded; empty with empty classes: the study's four sizes
  std::vector<std::string> classes;   // named problems: S, W, A, …
  std::vector<Extents> shapes;        // for kernels that take extents as they are
  std::map<std::string, std::vector<std::int64_t>> parameters;  // of Kernel::parameter_list -> values
  bool small_problems = false;  // where no problem is asked for: tiny and odd ones, for checks
  std::map<std::string, std::vector<int>>
      tunings;               // tunable -> values; applied to variants that have the tunable
  bool all_tunings = false;  // -t all: the whole space
  std::vector<ElementType> types;
  std::string device;  // "", "cpu", "gpu0", …; empty: cpu for host variants, gpu0 for the others
  CacheMode cache = CacheMode::warm;
};

inline constexpr std::int64_t study_sizes[] = {7936, 130560, 1310720, 9437184};

// The study's sixteen kernels: what an empty selection means.
inline constexpr const char* study_kernels[] = {
    "copy",          "scale",         "add",      "triad",  "reduction",    "stencil1d_2pt",
    "stencil2d_4pt", "stencil3d_7pt", "matvec",   "matmul", "matmul_naive", "stride2",
    "stride4",       "stride16",      "stride64", "rows"};

// "7936,130560", "64Ki", "2^20", "1Ki:64Mi:x4" (geometric), "32:2048:+32" (arithmetic), "100x37x53" (a shape,
// x fastest first), class names; throws UserError. Ranges include their end if a step meets it. Adds to what
// `selection` already has.
void parse_sizes(const std::string& text, Selection* selection);

// "100x37x53"; a z of 1 is left out.
std::string shape_text(const Extents& shape);

// A kernel with those of its variants that a selection names.
struct SelectedKernel {
  const RegisteredKernel* entry;
  std::vector<const Variant*> variants;  // serial.baseline first
  const Kernel& kernel() const { return entry->kernel; }
};

// What the kernel, variant and device parts of a selection name; throws UserError as plan does. An empty
// selection means the study's kernels.
std::vector<SelectedKernel> select_variants(const Selection& selection);

// All cases in an order that lets a worker share work: by kernel, type, size, then variant and tuning; serial
// baselines before what they are compared with. Throws UserError, naming the nearest valid name, if a
// pattern, class, tunable, value or type matches nothing. Tunings that a variant's constraint refuses are
// planned too: the executor stores them as skipped with the constraint's reason. Sizes too small for a
// kernel, variants without one of the asked types or tuning values and the like are left out with a line in
// *notes.
//
// A problem that is a shape, or has other parameters than the kernel's preferred ones, gets a name that says
// so ("100x37x53 steps=4") as its class.
//
// Without kernels, sizes, shapes and classes: the study. With sizes or classes alone: every kernel that has
// such problems.
std::vector<Case> plan(const Selection& selection, std::vector<std::string>* notes = nullptr);

// Where a variant runs if nothing else is asked: "gpu0" for CUDA, OpenACC and libraries on the device, else
// "cpu".
const char* default_device(const Variant& variant);

// The default tuning of a variant for a problem: preferred values, then the variant's adapt.
Tuning default_tuning(const Variant& variant, const Problem& problem);

// A text that identifies the case: equal for equal cases, used for resuming and comparing.
// kernel|variant|type|n or class|extents|parameters|tuning|device|cache
std::string key_of(const Case& what);

}  // namespace sextant
