#include "openacc_tile.hpp"

namespace sextant {
namespace {

struct Tile {
  int tile = 8;
};

}  // namespace

Variant matmul_openacc_tile() { return matmul::tiled_variant<Tile>(); }

}  // namespace sextant
