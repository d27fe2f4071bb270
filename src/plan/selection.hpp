// What is asked for, and the notation of sizes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant {

using AskedTunings = std::map<std::string, std::vector<TunedValue>>;  // tunable -> values

// What the command line's selection says, parsed but not yet held against the registry. Empty lists:
// everything.
struct Selection {
  std::vector<std::string> kernels;       // regular expressions that must match the whole kernel name
  std::vector<std::string> suites;        // study, kernels, programs, npb, patterns, own or all
  std::vector<std::string> variants;      // the same against `model` or `model.variant`
  std::vector<std::int64_t> sizes;        // N: elements of all arrays, expanded
  std::vector<std::int64_t> array_sizes;  // elements of a kernel's largest array (10M/array)
  std::vector<std::int64_t> byte_sizes;   // bytes of all arrays (1GiB)
  std::vector<std::string> classes;       // named problems: S, W, A, …
  std::vector<Extents> shapes;            // for kernels that take extents as they are
  std::map<std::string, std::vector<std::int64_t>> parameters;  // of Kernel::parameter_list -> values
  bool small_problems = false;    // where no problem is asked for: tiny and odd ones, for checks
  std::int64_t default_size = 0;  // the same, if not 0: this N, of kernels that have sizes
  AskedTunings tunings;           // applied to variants that have the tunable
  bool all_tunings = false;       // -t all: the whole space
  bool searched =
      false;  // by tune: `tunings` narrow its space, of which a case with the default tuning stands
  std::vector<ElementType> types;
  // Places with commas between (record/place.hpp): cpu, gpu0, 4xcpu; empty: cpu for host variants, gpu0 for
  // the others.
  std::string device;
  bool timed = false;  // refuses places whose times would say nothing: several parts on one GPU
  // Only kernels and variants are asked for, for lists: no cases. Variants that run in parts need no place.
  bool names_only = false;
  bool weak_scaling = false;  // a problem has as much in each part as is asked for, not in all
  CacheMode cache = CacheMode::warm;

  // Whether any size, shape or class is asked for; if not: each kernel's own, or the study's four sizes.
  bool asks_for_problems() const {
    return !sizes.empty() || !array_sizes.empty() || !byte_sizes.empty() || !shapes.empty() ||
           !classes.empty();
  }
};

// "7936,130560", "64Ki", "2^20", "1Ki:64Mi:x4" (geometric), "32:2048:+32" (arithmetic): elements of all
// arrays; "10M/array": of the largest one; "1GiB", "1MB:64MB:x4": bytes of all arrays; "100x37x53" (a shape,
// x fastest first), class names; separated by commas or blanks; throws UserError. Ranges include their end if
// a step meets it. Adds to what `selection` already has.
void parse_sizes(const std::string& text, Selection* selection);

}  // namespace sextant
