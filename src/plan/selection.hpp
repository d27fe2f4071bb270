// The user's selection of cases, and the parser for its sizes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant {

using AskedTunings = std::map<std::string, std::vector<TunedValue>>;  // key: tunable

// The parsed selection of the command line, before it is resolved against the registry. An empty list means
// everything.
struct Selection {
  std::vector<std::string> kernels;       // regular expressions for the whole kernel name
  std::vector<std::string> suites;        // study, kernels, programs, npb, patterns, own or all
  std::vector<std::string> variants;      // regular expressions for `model` or `model.variant`
  std::vector<std::int64_t> sizes;        // N: elements of all arrays, ranges expanded
  std::vector<std::int64_t> array_sizes;  // elements of a kernel's largest array (10M/array)
  std::vector<std::int64_t> byte_sizes;   // bytes of all arrays (1GiB)
  std::vector<std::string> classes;       // named problems: S, W, A, …
  std::vector<Extents> shapes;            // explicit extents, for kernels that accept them
  // Key: a name in Kernel::parameter_list.
  std::map<std::string, std::vector<std::int64_t>> parameters;
  bool small_problems = false;  // if no problem is requested: tiny and odd ones, for checks
  // If no problem is requested and this is not 0: the N of kernels that have sizes.
  std::int64_t default_size = 0;
  AskedTunings tunings;      // apply to variants that have the tunable
  bool all_tunings = false;  // -t all: every tuning
  // For tune: `tunings` restrict the search space, and each space has one case with the default tuning.
  bool searched = false;
  std::vector<ElementType> types;
  // Comma-separated devices (record/place.hpp): cpu, gpu0, 4xcpu. Empty: cpu for host variants, gpu0 for the
  // others.
  std::string device;
  bool timed = false;  // refuses devices with meaningless times: several parts on one GPU
  // Only kernels and variants are needed, for lists; there are no cases. Partitioned variants then need no
  // device.
  bool names_only = false;
  bool weak_scaling = false;  // the requested size applies to each part, not to all together
  CacheMode cache = CacheMode::warm;

  // Returns true if a size, shape or class is requested. Otherwise each kernel's default sizes apply.
  bool asks_for_problems() const {
    return !sizes.empty() || !array_sizes.empty() || !byte_sizes.empty() || !shapes.empty() ||
           !classes.empty();
  }
};

// Parses sizes and adds them to `selection`; throws UserError. Commas or blanks separate the items. A range
// includes its end if a step reaches it. The notation:
//   7936, 64Ki, 2^20                elements of all arrays
//   1Ki:64Mi:x4, 32:2048:+32        geometric and arithmetic range
//   10M/array                       elements of the largest array
//   1GiB, 1MB:64MB:x4               bytes of all arrays
//   100x37x53                       extents, x fastest
//   S                               class name
void parse_sizes(const std::string& text, Selection* selection);

}  // namespace sextant
