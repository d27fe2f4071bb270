// Loads keys in 16-byte packs and finds a lane's most frequent key. The lane counts this key in a register,
// because the atomic additions of many lanes to its bin would be serialized.
#pragma once

#include "toolbox/openacc/pack.hpp"

namespace sextant::histogram {

// Number of 16-byte packs that a lane loads before it counts, and number of keys per pack.
constexpr int under_way = 8, width = 4;

// The bitwise majority of three numbers.
SEXTANT_INLINE std::int32_t most(std::int32_t a, std::int32_t b, std::int32_t c) {
  return (a & b) | (b & c) | (c & a);
}

// Estimates the most frequent key among the first keys of a lane, by bitwise majority. If no key is frequent,
// the result may be any number.
SEXTANT_INLINE std::int32_t often_among(const std::int32_t (&key)[under_way][width]) {
  std::int32_t of_pack[under_way];
#pragma GCC unroll 8
  for (int u = 0; u < under_way; ++u) of_pack[u] = most(key[u][0], key[u][1], key[u][2]);
  return most(most(of_pack[0], of_pack[1], of_pack[2]), most(of_pack[3], of_pack[4], of_pack[5]),
              most(of_pack[6], of_pack[7], key[0][3]));
}

template <int length>
SEXTANT_INLINE void load_tile(const std::int32_t* k, std::int64_t tile, int lane,
                              std::int32_t (&key)[under_way][width]) {
  const std::int32_t* const from = k + (tile * under_way * length + lane) * width;
#pragma GCC unroll 8
  for (int u = 0; u < under_way; ++u) openacc::load_pack(from + u * length * width, key[u]);
}

// Loads a lane's keys of the incomplete last tile, from index `first` on. Keys beyond the end are set to
// `spare_bin`.
template <int length>
SEXTANT_INLINE void load_rest(const std::int32_t* k, std::int64_t first, std::int64_t n,
                              std::int32_t spare_bin, std::int32_t (&key)[under_way][width]) {
#pragma GCC unroll 8
  for (int u = 0; u < under_way; ++u)
#pragma GCC unroll 4
    for (int e = 0; e < width; ++e) {
      const std::int64_t i = first + (u * width + e) * length;
      // All bits are set if i >= n, otherwise none.
      const std::int32_t behind = static_cast<std::int32_t>((n - 1 - i) >> 63);
      key[u][e] = (k[i - ((i - n + 1) & behind)] & ~behind) | (spare_bin & behind);
    }
}

}  // namespace sextant::histogram
