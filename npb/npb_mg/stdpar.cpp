// Runs the fused sweeps of tiles.hpp by std::for_each over groups of tiles. Each group has its own scratch
// memory.
#include "tiles.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

struct ByAlgorithm {
  static std::int64_t workers() { return 4 * std::int64_t{thread_count()}; }
  template <typename Body>
  static void run(std::int64_t count, const Body& body) {
    const std::int64_t parts = std::min(count, workers());
    for_each_index(0, parts, [&](std::int64_t part) {
      for (std::int64_t i = part * count / parts; i < (part + 1) * count / parts; ++i) body(i, part);
    });
  }
};

}  // namespace

std::vector<Variant> npb_mg_stdpar() {
  return {named("tiles", npb_mg::tiles_variant<ByAlgorithm>(
                             "std::for_each over tiles of rows; two fused sweeps per level and cycle"))};
}

}  // namespace sextant
