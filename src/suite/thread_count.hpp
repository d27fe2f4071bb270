// The number of OpenMP threads of a case. Its tuning stores the number as `threads`, in addition to the
// variant's tunables. Without it the process's default applies.
#pragma once

#include <algorithm>
#include <string>

#include "suite/variant.hpp"

namespace sextant {

inline constexpr const char* thread_count = "threads";

// Returns true if users may set `threads` for the variant: OpenMP variants without a tunable of that name.
inline bool takes_thread_count(const Variant& variant) {
  return variant.model == Model::openmp &&
         std::none_of(variant.tunables.begin(), variant.tunables.end(),
                      [](const Tunable& one) { return std::string(one.name) == thread_count; });
}

}  // namespace sextant
