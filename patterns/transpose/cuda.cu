#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

// Transposes with one element per thread. `Order` defines which element a thread copies:
//
//     struct Order {
//       // Copies the element of thread (x, y), if there is one.
//       template <typename T>
//       static void turn(std::int64_t rows, std::int64_t columns, std::int64_t x, std::int64_t y,
//                        const T* a, T* out);
//       static Extents threads(const Extents& extents);  // number of threads along x and y
//     };
namespace sextant::transpose {

struct Block {
  int block_x = 32, block_y = 8;
};

template <typename Order, typename T>
__global__ void naive(std::int64_t rows, std::int64_t columns, const T* __restrict__ a, T* __restrict__ y) {
  Order::turn(rows, columns, static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,
              static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y, a, y);
}

template <typename Order, typename T>
void launch_naive(const Call& call) {
  const auto block = call.tuned<Block>();
  const Extents& extents = call.problem.extents;
  const Extents threads = Order::threads(extents);
  const dim3 grid(blocks_for(threads.x, block.block_x), blocks_for(threads.y, block.block_y));
  naive<Order><<<grid, dim3(static_cast<unsigned>(block.block_x), static_cast<unsigned>(block.block_y)), 0,
                 stream_of(call)>>>(extents.y, extents.x, call.array<const T>(0), call.array<T>(1));
}

template <typename Order>
const char* refuse_naive(const Problem& problem, const Block& block) {
  return refuse_block(Order::threads(problem.extents), block.block_x, block.block_y, 1);
}

template <typename Order>
Variant naive_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = description;
  variant.tunables = tunables<Block>({{"block_x", &Block::block_x, {8, 16, 32, 64, 128}},
                                      {"block_y", &Block::block_y, {1, 2, 4, 8, 16, 32}}});
  variant.constraint = by_name<refuse_naive<Order>>;
  variant.launch = {.float32 = launch_naive<Order, float>, .float64 = launch_naive<Order, double>};
  return variant;
}

}  // namespace sextant::transpose

namespace sextant {
namespace {

namespace naive {

// Each thread copies one element. Neighbouring threads read neighbouring elements of a and write with a
// stride.
struct ReadsInOrder {
  template <typename T>
  __device__ static void turn(std::int64_t rows, std::int64_t columns, std::int64_t x, std::int64_t y,
                              const T* a, T* out) {
    if (x < columns && y < rows) out[x * rows + y] = a[y * columns + x];
  }
  static Extents threads(const Extents& extents) { return extents; }
};

}  // namespace naive

namespace naive_writes {

// Each thread copies one element. Neighbouring threads write neighbouring elements of y and read with a
// stride.
struct WritesInOrder {
  template <typename T>
  __device__ static void turn(std::int64_t rows, std::int64_t columns, std::int64_t x, std::int64_t y,
                              const T* a, T* out) {
    if (x < rows && y < columns) out[y * rows + x] = a[x * columns + y];
  }
  static Extents threads(const Extents& extents) { return {extents.y, extents.x, 1}; }
};

}  // namespace naive_writes

// The classic tiled transpose: each block reads a tile in order into shared memory and writes it in order
// from there. A column of padding avoids bank conflicts.
namespace shared_tile {

using Rows = Choices<2, 4, 8, 16, 32>;
constexpr int side = 32;

struct Block {
  int block_y = 8;
};

// Transposes one tile per block. Tiles of a are numbered row by row; `across` is the number of tiles per row.
template <int block_y, typename T>
__global__ void __launch_bounds__(side* block_y)
    turn(std::int64_t rows, std::int64_t columns, unsigned across, const T* __restrict__ a,
         T* __restrict__ y) {
  __shared__ T tile[side][side + 1];
  const std::int64_t i0 = std::int64_t{blockIdx.x / across} * side,
                     j0 = std::int64_t{blockIdx.x % across} * side;
  const int x = static_cast<int>(threadIdx.x), first = static_cast<int>(threadIdx.y);
#pragma unroll
  for (int r = 0; r < side; r += block_y)
    if (j0 + x < columns && i0 + first + r < rows)
      tile[first + r][x] = a[(i0 + first + r) * columns + j0 + x];
  __syncthreads();
#pragma unroll
  for (int r = 0; r < side; r += block_y)
    if (i0 + x < rows && j0 + first + r < columns) y[(j0 + first + r) * rows + i0 + x] = tile[x][first + r];
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const unsigned across = blocks_for(extents.x, side), down = blocks_for(extents.y, side);
  Rows::with(call.tuned<Block>().block_y, [&]<int block_y>() {
    turn<block_y><<<across * down, dim3(side, block_y), 0, stream_of(call)>>>(
        extents.y, extents.x, across, call.array<const T>(0), call.array<T>(1));
  });
}

const char* refuse(const Problem& problem, const Block&) {
  const auto tiles = [](std::int64_t length) { return (length + side - 1) / side; };
  return tiles(problem.extents.x) * tiles(problem.extents.y) > INT32_MAX
             ? "more tiles than a grid can have blocks"
             : nullptr;
}

}  // namespace shared_tile

}  // namespace

std::vector<Variant> transpose_cuda() {
  return {
      named("naive", transpose::naive_variant<naive::ReadsInOrder>(
                         "the plain form: one element per thread; reads a in order, writes y with a stride")),
      named("naive_writes", transpose::naive_variant<naive_writes::WritesInOrder>(
                                "one element per thread; writes y in order, reads a with a stride")),
      {.name = "shared_tile",
       .description = "tiles of 32 x 32 through shared memory, padded by one column",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<shared_tile::Block>(
           {{"block_y", &shared_tile::Block::block_y, shared_tile::Rows::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(shared_tile::launch),
       .constraint = by_name<shared_tile::refuse>},
  };
}

}  // namespace sextant
