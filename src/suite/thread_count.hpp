// How many OpenMP threads a case is given: `threads` of its tuning, beside the tunables that its variant has.
// A case without it runs on as many as OpenMP has in its process.
#pragma once

#include <algorithm>
#include <string>

#include "suite/variant.hpp"

namespace sextant {

inline constexpr const char* thread_count = "threads";

// Whether a case may say so: OpenMP variants, unless `threads` is a tunable of their own.
inline bool takes_thread_count(const Variant& variant) {
  return variant.model == Model::openmp &&
         std::none_of(variant.tunables.begin(), variant.tunables.end(),
                      [](const Tunable& one) { return std::string(one.name) == thread_count; });
}

}  // namespace sextant
