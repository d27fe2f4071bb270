// Packs a subdomain's data into one message per other subdomain, and unpacks the received messages.
#pragma once

#include "copies.cuh"
#include "messages.hpp"
#include "suite/tunables.hpp"

namespace sextant::halo3d {

struct PackingShape {
  int fused = 1, block_size = 256, blocks = 4;  // `blocks` is the number of thread blocks per multiprocessor
};

inline std::vector<Tunable> packing_tunables() {
  return tunables<PackingShape>({{"fused", &PackingShape::fused, {0, 1}},
                                 {"block_size", &PackingShape::block_size, {128, 256, 512}},
                                 {"blocks", &PackingShape::blocks, {1, 2, 4}}});
}

// Returns the size of the largest message buffer of any subdomain, in bytes.
inline std::int64_t most_in_messages(const Problem& problem) {
  const std::vector<Part> all = parts_of(problem);
  std::int64_t most = 1;
  for (int part = 0; part < problem.parts; ++part)
    most = std::max(
        {most, messages_from(problem, all, part).elements, messages_to(problem, all, part).elements});
  return most * static_cast<std::int64_t>(element_size(problem.type));
}

template <typename T>
struct Packing {
  Messages sent, received;
  Copies<T> packing, unpacking;

  // Sets up the copies of subdomain `part`, whose array is `u`. Packing fills the send buffer `out`, and
  // copies data that stay in the subdomain. Unpacking reads the receive buffer `in`.
  Packing(const Problem& problem, const std::vector<Part>& cut, int part, T* u, T* out, const T* in)
      : sent(messages_from(problem, cut, part)), received(messages_to(problem, cut, part)) {
    for (const Packed& packed : sent.pieces)
      packing.add(packed.piece, u, packed.piece.from, out, packed.piece.dense(packed.first));
    for (const Piece& piece : pieces_within(problem, cut, part))
      packing.add(piece, u, piece.from, u, piece.to);
    for (const Packed& packed : received.pieces)
      unpacking.add(packed.piece, in, packed.piece.dense(packed.first), u, packed.piece.to);
  }
};

template <typename T>
void launch_packing(const Copies<T>& copies, const PackingShape& shape, cudaStream_t stream) {
  launch_copies(copies, shape.fused != 0, shape.block_size, multiprocessors() * shape.blocks, stream);
}

}  // namespace sextant::halo3d
