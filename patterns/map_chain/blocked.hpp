// Cache blocking: applies all maps to a block of elements that fits in the L1 cache, then to the next block.
#pragma once

#include "loop.hpp"
#include "suite/tunables.hpp"

namespace sextant::map_chain {

struct Block {
  int block = 1024;  // elements per block
};

constexpr std::int64_t blocks_of(const Problem& problem, std::int64_t block) {
  return (problem.extents.x + block - 1) / block;
}

// Applies all maps to block `index`. `static`: each including source file compiles its own copy with its own
// compiler flags.
template <typename T>
[[maybe_unused]] static void do_block(const Call& call, std::int64_t index) {
  const std::int64_t block = call.tuned<Block>().block, begin = index * block,
                     end = std::min(begin + block, call.problem.extents.x);
  for (std::int64_t t = 0; t < steps_of(call.problem); ++t)
    apply(t, begin, end, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
}

inline Variant blocked_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.tunables = tunables<Block>({{"block", &Block::block, {64, 256, 1024, 4096}}});
  return variant;
}

}  // namespace sextant::map_chain
