// Walks several chains at once, so that their memory accesses overlap.
#pragma once

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant::pointer_chase {

using Widths = Choices<2, 4, 8, 16, 32>;

struct Width {
  int chains_in_flight = 16;
};

// Walks chains first … first + count - 1. count is at most `width`.
template <int width>
[[maybe_unused]] static void walk_together(const Call& call, std::int64_t first, std::int64_t count) {
  const auto *next = call.array<const std::int32_t>(0), *start = call.array<const std::int32_t>(1) + first;
  auto* last = call.array<std::int32_t>(2) + first;
  const std::int64_t steps = steps_of(call.problem);
  std::int32_t at[width];
  for (std::int64_t k = 0; k < count; ++k) at[k] = start[k];
  if (count == width) {
    for (std::int64_t s = 0; s < steps; ++s)
#pragma GCC unroll 32
      for (int k = 0; k < width; ++k) at[k] = next[at[k]];
  } else {
    for (std::int64_t s = 0; s < steps; ++s)
      for (std::int64_t k = 0; k < count; ++k) at[k] = next[at[k]];
  }
  for (std::int64_t k = 0; k < count; ++k) last[k] = at[k];
}

// Walks chains begin … end - 1 in groups of chains_in_flight.
[[maybe_unused]] static void walk_groups(const Call& call, std::int64_t begin, std::int64_t end) {
  Widths::with(call.tuned<Width>().chains_in_flight, [&]<int width>() {
    for (std::int64_t first = begin; first < end; first += width)
      walk_together<width>(call, first, std::min<std::int64_t>(width, end - first));
  });
}

inline Variant interleaved_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.tunables = tunables<Width>({{"chains_in_flight", &Width::chains_in_flight, Widths::list()}});
  return variant;
}

}  // namespace sextant::pointer_chase
