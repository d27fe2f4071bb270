// Tunables of the prefix sums of rounds.cuh: tile size, blocks per multiprocessor and cache use.
#pragma once

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/rounds.cuh"

namespace sextant::rounds {

inline constexpr int all_stay = 1 << 20;

struct Shape {
  // A tile has `rows` vectors of 16 bytes per thread.
  int block_size = 512, rows = 4, blocks_per_multiprocessor = 1;
  // MiB of the input to keep in the L2 cache. The rest is marked for early eviction.
  int l2_keep_mib = all_stay;

  std::int64_t staying(ElementType type) const {
    return (std::int64_t{l2_keep_mib} << 20) / static_cast<std::int64_t>(element_size(type));
  }
};

using Blocks = Choices<256, 512, 768>;
using Rows = Choices<4, 8>;
using PerMultiprocessor = Choices<1, 2>;

// Returns the default for l2_keep_mib. Inputs of 32 MiB to 1 GiB exceed the L2 cache together with the
// output; 16 MiB of them stay in the cache for the next launch. For larger inputs, the hint was slower on an
// H200.
inline int usual_l2_keep_mib(const Problem& problem) {
  const std::int64_t bytes = problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  return bytes > std::int64_t{32} << 20 && bytes < std::int64_t{1} << 30 ? 16 : all_stay;
}

inline std::int64_t tiles_of(const Problem& problem, const Shape& shape) {
  return tiles_of(problem.extents.x,
                  shape.block_size * shape.rows * (16 / static_cast<int>(element_size(problem.type))));
}

// Calls launch.operator()<block, rows, blocks>() if the ring buffer holds enough tiles. slots(block, rows,
// blocks) returns how many it holds.
template <auto slots, typename Launch>
void with_shape(const Shape& shape, const Launch& launch) {
  Blocks::with(shape.block_size, [&]<int block>() {
    Rows::with(shape.rows, [&]<int rows>() {
      PerMultiprocessor::with(shape.blocks_per_multiprocessor, [&]<int blocks>() {
        if constexpr (slots(block, rows, blocks) > lead) launch.template operator()<block, rows, blocks>();
      });
    });
  });
}

template <auto slots>
const char* refuse(const Problem&, const Shape& shape) {
  return slots(shape.block_size, shape.rows, shape.blocks_per_multiprocessor) > lead
             ? nullptr
             : "blocks_per_multiprocessor blocks need more shared memory than a multiprocessor has";
}

// Returns a variant based on rounds.cuh. The caller adds description, launch, workspace and preparation.
template <auto slots>
Variant variant_with() {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.unavailable = bulk::unavailable;
  variant.tunables = tunables<Shape>(
      {{"block_size", &Shape::block_size, Blocks::list()},
       {"rows", &Shape::rows, Rows::list()},
       {"blocks_per_multiprocessor", &Shape::blocks_per_multiprocessor, PerMultiprocessor::list()},
       {"l2_keep_mib", &Shape::l2_keep_mib, {0, 16, 24, 32, 40, all_stay}}});
  variant.constraint = by_name<refuse<slots>>;
  variant.release = lookback::release_tickets;
  return variant;
}

}  // namespace sextant::rounds
