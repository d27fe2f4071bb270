// Helpers for serial.cpp files. Each is compiled twice: with portable flags (SEXTANT_BASELINE defined) and
// with flags for this processor. Each compilation keeps only its own variants of the file's list.
#pragma once

#include <string_view>
#include <vector>

#include "suite/variant.hpp"

#ifdef SEXTANT_BASELINE
  #define SEXTANT_SERIAL(folder) folder##_serial_baseline
#else
  #define SEXTANT_SERIAL(folder) folder##_serial_native
#endif

namespace sextant {

// Returns true for the name of a variant that is compiled with the portable flags.
inline bool is_baseline(std::string_view name) { return name.starts_with("baseline"); }

// Returns the variants that belong to the current compilation.
static inline std::vector<Variant> compiled_here(std::vector<Variant> all) {
#ifdef SEXTANT_BASELINE
  constexpr bool baseline = true;
#else
  constexpr bool baseline = false;
#endif
  std::erase_if(all, [](const Variant& variant) { return is_baseline(variant.name) != baseline; });
  return all;
}

}  // namespace sextant
