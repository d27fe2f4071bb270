#pragma once

#include "loop.hpp"

namespace sextant::sort {

// Static: each variant compiles its own copy with its own flags.
template <typename T>
static void by_standard_library(const Call& call) {
  sort_items<T>(call, [](auto* begin, auto* end, auto*) { std::sort(begin, end); });
}

}  // namespace sextant::sort
