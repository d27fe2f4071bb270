#include "loop.hpp"
#include "openacc_blocks.hpp"
#include "openacc_tile.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

namespace loop_nest {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 32;
};

template <typename T, int vector_length_>
void multiply(int n, const T* a, const T* b, T* c) {
  const std::int64_t side = n, count = side * n;
#pragma acc parallel loop present(a [0:count], b [0:count], c [0:count]) vector_length(vector_length_)
  for (int i = 0; i < n; ++i)
#pragma acc loop
    for (int j = 0; j < n; ++j) {
      T sum = 0;
#pragma acc loop reduction(+ : sum)
      for (int k = 0; k < n; ++k) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    multiply<T, V>(static_cast<int>(call.problem.extents.x), call.array<const T>(0), call.array<const T>(1),
                   call.array<T>(2));
  });
}

}  // namespace loop_nest

namespace register_block {

using Threads = Choices<64, 128>;
using Rows = Choices<4, 8, 16>;

struct Block {
  int vector_length = 64, rows_per_thread = 8;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T *a = call.array<const T>(0), *b = call.array<const T>(1);
  T* c = call.array<T>(2);
  const auto block = call.tuned<Block>();
  Threads::with(block.vector_length, [&]<int V>() {
    Rows::with(block.rows_per_thread, [&]<int R>() {
      constexpr int width = openacc::pack_width<T>;
      if (n < R || n < openacc::block_columns<2, width>)
        openacc::multiply_small(static_cast<int>(n), a, b, c);
      else if (n % width == 0)
        openacc::multiply_blocks<T, V, R, 2, width, width>(n, a, b, c);
      else  // rows start anywhere: plain accesses
        openacc::multiply_blocks<T, V, R, 4, 1, 4>(n, a, b, c);
    });
  });
}

// Floats in packs: both shapes have blocks of 64 x 128, of which a multiprocessor holds four with 16 rows a thread and three with 8, and what
// counts is how full the last round of them is, of an H200's 132 multiprocessors; a round of four takes 1.03 * 4 / 3 times as long. Others as
// measured on an H200: large blocks want many of them; doubles in packs run short of registers.
void adapt(const Problem& problem, Block& block) {
  const bool single = problem.type == ElementType::float32;
  const std::int64_t n = problem.extents.x;
  const bool aligned = n % (single ? openacc::pack_width<float> : openacc::pack_width<double>) == 0;
  const bool large = n >= 1536;
  block.vector_length = large || !single ? 64 : 128;
  block.rows_per_thread = large && (single || !aligned) ? 16 : 8;
  if (large && single && aligned) {
    const std::int64_t blocks = (n + 63) / 64 * ((n + 127) / 128);
    const auto rounds = [&](int held) { return (blocks + 132 * held - 1) / (132 * held); };
    if (rounds(3) * 300 < rounds(4) * 412) block = {128, 8};
  }
}

}  // namespace register_block

namespace tile {

struct Tile {
  int tile = 8;
};

}  // namespace tile

}  // namespace

Variant matmul_openacc_register_block() {
  Variant variant;
  variant.description = "a block of C in each thread's registers; 16-byte packs where rows are aligned";
  variant.memory_space = MemorySpace::openacc;
  variant.tunables = tunables<register_block::Block>({{"vector_length", &register_block::Block::vector_length, register_block::Threads::list()},
                                      {"rows_per_thread", &register_block::Block::rows_per_thread, register_block::Rows::list()}});
  variant.adapt = by_name<register_block::adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(register_block::launch);
  return variant;
}

std::vector<Variant> matmul_openacc() {
return {
{.name = "loop_nest",
.description = "the study's earlier form: a loop directive for each level",
.memory_space = MemorySpace::openacc,
.tunables = tunables<loop_nest::Gang>({{"vector_length", &loop_nest::Gang::vector_length, loop_nest::VectorLengths::list()}}),
.launch = SEXTANT_FLOAT_DOUBLE(loop_nest::launch)},
named("register_block", matmul_openacc_register_block()),
named("tile", matmul::tiled_variant<tile::Tile>()),
};
}

}  // namespace sextant
