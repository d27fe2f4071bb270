#include "../matmul/openacc_tile.hpp"

namespace sextant {
namespace {

struct Tile {
  int tile = 8;
};

}  // namespace

Variant matmul_naive_openacc_tile() { return matmul::tiled_variant<Tile>(); }

}  // namespace sextant
