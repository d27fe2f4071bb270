// Tells whether a variant's `prepare` belongs to a single use of its inputs.
#pragma once

#include "suite/variant.hpp"

namespace sextant {

constexpr const char* name_of(DependsOn inputs) {
  return inputs == DependsOn::sizes ? "sizes" : inputs == DependsOn::structure ? "structure" : "values";
}

// Returns true if new inputs of the same sizes need another `prepare`. A single use then includes it.
inline bool prepares_for_inputs(const Variant& variant) {
  return variant.prepare && variant.prepare_depends_on != DependsOn::sizes;
}

}  // namespace sextant
