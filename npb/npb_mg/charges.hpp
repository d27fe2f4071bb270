// Computes the right-hand side v of NAS MG: -1 at the points with the ten smallest of n^3 random numbers, +1
// at those with the ten largest.
#pragma once

#include <algorithm>
#include <vector>

#include "problem.hpp"

namespace sextant::npb_mg {
namespace {

inline constexpr int charge_count = 10;  // number of points of each sign

struct Charges {
  std::int64_t negative[charge_count], positive[charge_count];  // indices of the points, x fastest
};

// A random number, given by the generator's state, and the index of its point.
struct Drawn {
  std::uint64_t state;
  std::int64_t at;
};

// Collects the numbers of a row that are at most `low`, or equally close to the upper end of the range. Four
// interleaved generators hide the multiplication's latency.
inline void collect_extremes(std::int64_t n, std::int64_t row, std::uint64_t low, std::vector<Drawn>& small,
                             std::vector<Drawn>& large) {
  constexpr int streams = 4;
  constexpr std::uint64_t jump = npb::random_jump(streams);
  const std::uint64_t high = npb::random_mask - low;
  std::uint64_t states[streams],
      state = npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(row * n));
  for (std::uint64_t& one : states) one = state = npb::random_next(state);
  for (std::int64_t x = 0; x < n; x += streams)
    for (int k = 0; k < streams; ++k) {
      const std::uint64_t one = states[k];
      if (one <= low) small.push_back({one, row * n + x + k});
      if (one >= high) large.push_back({one, row * n + x + k});
      states[k] = npb::random_product(jump, one);
    }
}

// Collects about forty candidates for the smallest and for the largest numbers. Returns the ten most extreme
// ones of each.
inline Charges find_charges(std::int64_t n) {
  std::vector<Drawn> small, large;
  const auto count = static_cast<std::uint64_t>(cube(n));
  for (std::uint64_t wanted = 40; small.size() < charge_count || large.size() < charge_count; wanted *= 2) {
    const std::uint64_t low = std::min(wanted, count) * ((npb::random_mask + 1) / count) - 1;
    small.clear(), large.clear();
    for (std::int64_t row = 0; row < n * n; ++row) collect_extremes(n, row, low, small, large);
  }
  std::sort(small.begin(), small.end(), [](const Drawn& a, const Drawn& b) { return a.state < b.state; });
  std::sort(large.begin(), large.end(), [](const Drawn& a, const Drawn& b) { return a.state > b.state; });
  Charges charges;
  for (std::size_t i = 0; i < charge_count; ++i) {
    charges.negative[i] = small[i].at;
    charges.positive[i] = large[i].at;
  }
  return charges;
}

// Adds the charges to a field of zeros.
inline void put_charges(std::int64_t n, double* v) {
  const Charges charges = find_charges(n);
  for (const std::int64_t at : charges.negative) v[at] = -1;
  for (const std::int64_t at : charges.positive) v[at] = 1;
}

}  // namespace
}  // namespace sextant::npb_mg
