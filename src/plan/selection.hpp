// The user's selection of benchmark cases, and the parser for sizes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant {

// requested values, by name of the tunable
using AskedTunings = std::map<std::string, std::vector<TunedValue>>;

// The parsed command-line selection. An empty list selects everything.
struct Selection {
  std::vector<std::string> kernels;       // regular expressions that must match the whole kernel name
  std::vector<std::string> suites;        // study, kernels, programs, npb, patterns, own or all
  std::vector<std::string> variants;      // regular expressions that must match `model` or `model.variant`
  std::vector<std::int64_t> sizes;        // sizes N: elements of all arrays together, with ranges expanded
  std::vector<std::int64_t> array_sizes;  // sizes given as elements of a kernel's largest array (10M/array)
  std::vector<std::int64_t> byte_sizes;   // sizes given as bytes of all arrays together (1GiB)
  std::vector<std::string> classes;       // named problems: S, W, A, …
  std::vector<Extents> shapes;            // explicit extents, for kernels that accept them
  // requested values, by name of the parameter (Kernel::parameter_list)
  std::map<std::string, std::vector<std::int64_t>> parameters;
  bool small_problems = false;  // if no problem is requested, use the tiny and odd ones of `verify`
  // Default size N if no problem is requested; 0: the kernel's own default.
  std::int64_t default_size = 0;
  AskedTunings tunings;      // requested tunings; they apply to variants that have the tunable
  bool all_tunings = false;  // -t all: use every tuning
  // Set by `sextant tune`. The plan then has one case per search, with the default tuning, and `tunings`
  // limits the search.
  bool searched = false;
  std::vector<ElementType> types;
  // Comma-separated devices such as cpu, gpu0, 4xcpu (record/place.hpp). Empty: each variant's default
  // device.
  std::string device;
  bool timed = false;  // reject devices that would give meaningless times
  // Only find kernels and variants, for listings. Create no cases.
  bool names_only = false;
  // true if the requested size is the size of each partition
  bool weak_scaling = false;
  CacheMode cache = CacheMode::warm;
  InputFill fill = InputFill::uniform;

  // Returns true if a size, shape or named problem is requested.
  bool asks_for_problems() const {
    return !sizes.empty() || !array_sizes.empty() || !byte_sizes.empty() || !shapes.empty() ||
           !classes.empty();
  }
};

// Parses a text of sizes and adds them to `selection`. Throws UserError. Items are separated by commas or
// blanks. A range includes its end if a step reaches it. The notation:
//   7936, 64Ki, 2^20                elements of all arrays
//   1Ki:64Mi:x4, 32:2048:+32        geometric and arithmetic range
//   10M/array                       elements of the largest array
//   1GiB, 1MB:64MB:x4               bytes of all arrays
//   100x37x53                       extents, x fastest
//   S                               name of a named problem
void parse_sizes(const std::string& text, Selection* selection);

}  // namespace sextant
