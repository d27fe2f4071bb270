// Random numbers that depend only on the seed, on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include "toolbox/random.hpp"

namespace sextant::tuner {

class Random {
 public:
  explicit Random(std::uint64_t seed) : seed_(seed) {}
  double uniform() {
    return static_cast<double>(random_bits(seed_, counter_++) >> 11) * 0x1p-53;
  }                                       // in [0, 1)
  std::size_t below(std::size_t count) {  // 0 … count - 1; count > 0
    const auto drawn = static_cast<std::size_t>(uniform() * static_cast<double>(count));
    return drawn < count ? drawn : count - 1;
  }

 private:
  std::uint64_t seed_, counter_ = 0;
};

}  // namespace sextant::tuner
