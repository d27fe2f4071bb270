#include <memory>

#include "copies.cuh"
#include "messages.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/stream.cuh"

namespace sextant {
namespace {

using namespace halo3d;

struct Shape {
  int fused = 1, block_size = 256, blocks = 4;  // blocks on a multiprocessor
};

struct Pieces {
  std::vector<Piece> all;
};

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  T* const u = call.array<T>(0);
  Copies<T> copies;
  for (const Piece& piece : static_cast<const Pieces*>(call.state)->all)
    copies.add(piece, u, piece.from, u, piece.to);
  launch_copies(copies, shape.fused != 0, shape.block_size, multiprocessors() * shape.blocks,
                stream_of(call));
}

const char* prepare(const Call& call, void** made) {
  auto pieces = std::make_unique<Pieces>();
  pieces->all = pieces_within(call.problem, parts_of(call.problem), 0);
  *made = pieces.release();
  return nullptr;
}

}  // namespace

Variant halo3d_cuda_wrap() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "one part by itself: a kernel copies all 26 pieces, or each has one of its own";
  variant.tunables = tunables<Shape>({{"fused", &Shape::fused, {0, 1}},
                                      {"block_size", &Shape::block_size, {128, 256, 512}},
                                      {"blocks", &Shape::blocks, {1, 2, 4}}});
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Pieces*>(state); };
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
