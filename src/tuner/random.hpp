// A random number generator that gives equal numbers for equal seeds on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "toolbox/random.hpp"

namespace sextant::tuner {

class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}
  // A random number in [0, 1).
  double uniform() { return static_cast<double>(random_bits(seed_, counter_++) >> 11) * 0x1p-53; }
  // A random number from 0 to count - 1; `count` must be positive.
  std::size_t below(std::size_t count) {
    const auto drawn = static_cast<std::size_t>(uniform() * static_cast<double>(count));
    return drawn < count ? drawn : count - 1;
  }

 private:
  std::uint64_t seed_, counter_ = 0;
};

}  // namespace sextant::tuner
