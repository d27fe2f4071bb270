// serial.cpp of a kernel's folder is compiled twice: with the flags of the baseline (SEXTANT_BASELINE is
// defined), and with those for this processor. Each compilation has a list of its own, made of the same one.
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

// Variants that have the baseline's flags: those whose name begins so.
inline bool is_baseline(std::string_view name) { return name.starts_with("baseline"); }

// Those of the list that are compiled with the flags at hand.
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
