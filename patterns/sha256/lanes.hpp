// SIMD form: computes one digest per 32-bit lane of a vector.
#pragma once

#include <algorithm>
#include <cstring>

#include "unrolled.hpp"

namespace sextant::sha256 {

#if defined(__AVX512F__)
inline constexpr int lanes = 16;
#elif defined(__AVX2__)
inline constexpr int lanes = 8;
#else
inline constexpr int lanes = 4;
#endif

// Digests `count` messages, at most one per lane. It transposes them, so that a vector holds the same word of
// every message. `static`: each including source file compiles its own copy with its own compiler flags.
static inline void digest_lanes(const std::uint32_t* message, std::uint32_t* digest, std::int64_t count) {
  typedef std::uint32_t Vector __attribute__((vector_size(lanes * 4)));
  std::uint32_t turned[words][lanes] = {};
  for (int lane = 0; lane < count; ++lane)
    for (int t = 0; t < words; ++t) turned[t][lane] = message[lane * words + t];
  Vector vectors[words];
  std::memcpy(vectors, turned, sizeof turned);
  digest_unrolled(vectors, vectors);
  std::memcpy(turned, vectors, sizeof turned);
  for (int lane = 0; lane < count; ++lane)
    for (int t = 0; t < words; ++t) digest[lane * words + t] = turned[t][lane];
}

constexpr std::int64_t groups_of(const Problem& problem) { return (problem.extents.x + lanes - 1) / lanes; }

static inline void digest_group(const Call& call, std::int64_t group) {
  const std::int64_t first = group * lanes;
  digest_lanes(call.array<const std::uint32_t>(0) + first * words,
               call.array<std::uint32_t>(1) + first * words,
               std::min<std::int64_t>(lanes, call.problem.extents.x - first));
}

}  // namespace sextant::sha256
