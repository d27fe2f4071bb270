// The number of OpenMP threads of a case. The tuning of a case stores it under the name `threads`, besides
// the variant's tunables. Without this entry the case uses the default number of its process.
#pragma once

#include <algorithm>
#include <string>

#include "suite/variant.hpp"

namespace sextant {

inline constexpr const char* thread_count = "threads";

// Returns true if a case of the variant may set `threads`: OpenMP variants without a tunable of that name.
inline bool takes_thread_count(const Variant& variant) {
  return variant.model == Model::openmp &&
         std::none_of(variant.tunables.begin(), variant.tunables.end(),
                      [](const Tunable& one) { return std::string(one.name) == thread_count; });
}

}  // namespace sextant
