// Determines whether a single use of a variant includes its `prepare`.
#pragma once

#include "suite/variant.hpp"

namespace sextant {

constexpr const char* name_of(DependsOn inputs) {
  return inputs == DependsOn::sizes ? "sizes" : inputs == DependsOn::structure ? "structure" : "values";
}

// Returns true if new inputs of the same sizes need another `prepare`.
inline bool prepares_for_inputs(const Variant& variant) {
  return variant.prepare && variant.prepare_depends_on != DependsOn::sizes;
}

}  // namespace sextant
