#include "engine/form/settings.hpp"

#include <random>

namespace sextant {

Settings with_seed(Settings settings) {
  while (settings.seed == 0) {
    std::random_device source;
    settings.seed = (std::uint64_t{source()} << 32) ^ source();
  }
  return settings;
}

}  // namespace sextant
