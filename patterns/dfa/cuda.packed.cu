#include "packed.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Pieces = Choices<1, 2, 4, 8>;

struct Shape {
  int blocks_per_thread = 8;
};

std::int64_t tiles_of(const Problem& problem, const Shape& shape) {
  std::int64_t tiles = 0;
  Pieces::with(shape.blocks_per_thread,
               [&]<int pieces>() { tiles = dfa::packed_tiles<pieces>(dfa::blocks_of(problem)); });
  return tiles;
}

void launch(const Call& call) {
  Pieces::with(call.tuned<Shape>().blocks_per_thread, [&]<int pieces>() {
    dfa::launch_packed<pieces>(call, *static_cast<const lookback::Tickets*>(call.state), nullptr);
  });
}

// Large tiles look back more seldom; few ones leave multiprocessors without any.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t blocks = dfa::blocks_of(problem);
  shape.blocks_per_thread = blocks < 1 << 18 ? 1 : blocks < 1 << 20 ? 2 : blocks < 1 << 22 ? 4 : 8;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(tiles_of(problem, shape), sizeof(dfa::Packed));
}

const char* prepare(const Call& call, void** state) {
  return lookback::prepare_tickets(tiles_of(call.problem, call.tuned<Shape>()), sizeof(dfa::Packed), state);
}

}  // namespace

Variant dfa_cuda_packed() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "one launch: where 16 states lead in 64 bits, composed by permutations of bytes; tiles look back for the state before them";
  variant.tunables = tunables<Shape>({{"blocks_per_thread", &Shape::blocks_per_thread, Pieces::list()}});
  variant.launch.int32 = launch;
  variant.adapt = by_name<adapt>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = lookback::release_tickets;
  return variant;
}

}  // namespace sextant
