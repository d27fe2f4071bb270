// What is asked for, and the notation of sizes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/case.hpp"

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

// "7936,130560", "64Ki", "2^20", "1Ki:64Mi:x4" (geometric), "32:2048:+32" (arithmetic), "100x37x53" (a shape,
// x fastest first), class names; throws UserError. Ranges include their end if a step meets it. Adds to what
// `selection` already has.
void parse_sizes(const std::string& text, Selection* selection);

}  // namespace sextant
