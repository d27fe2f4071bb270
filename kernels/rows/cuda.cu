#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/stream.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

namespace columns {

struct Block {
  int block_size = 64;
};

template <typename T>
__global__ void columns(std::int64_t n, const T* b, T* c) {
  const std::int64_t x = blockIdx.x, y = static_cast<std::int64_t>(blockIdx.y) * blockDim.y + threadIdx.y;
  if (y < n) c[y * n + x] = b[y * n + x];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const dim3 block(1, call.tuned<Block>().block_size);
  const dim3 grid(static_cast<unsigned>(n), blocks_for(n, block.y));
  columns<<<grid, block, 0, stream_of(call)>>>(n, call.array<const T>(0), call.array<T>(1));
}

const char* constraint(const Problem& problem, const Block& block) {
  return refuse_block(problem.extents, 1, block.block_size, 1);
}

}  // namespace columns

namespace reordered {

Variant form() {
  Variant variant = stream::vector_variant<stream::Copy>();
  variant.description =
      "for comparison: the same copy in memory order, neighbouring threads on neighbouring elements";
  variant.excluded_from_ranking = true;
  return variant;
}

}  // namespace reordered

namespace strips {

// Shape of a thread block: number of strips next to each other, and rows per strip.
struct Strips {
  int width = 16, height = 16;
};

// Consecutive threads copy consecutive rows of a strip, which is one 16-byte vector wide and `height` rows
// high. The following threads of the block copy the next strip. Rows may start unaligned: each strip then
// follows the alignment of the row, and both ends of a row are copied element by element. With height 16, the
// two strips of a warp share each 32-byte sector. With larger heights, each vector is a separate request to
// the L2 cache, and these requests limit the speed.
template <typename T>
__global__ void strips(std::int64_t n, int height, const T* __restrict__ b, T* __restrict__ c) {
  constexpr int length = vector_length<T>;
  const int t = static_cast<int>(threadIdx.x), width = static_cast<int>(blockDim.x) / height;
  const std::int64_t y = static_cast<std::int64_t>(blockIdx.y) * height + t % height;
  const std::int64_t strip = static_cast<std::int64_t>(blockIdx.x) * width + t / height;
  if (y >= n) return;
  const std::int64_t x = column_of_vector<length>(y, n, strip);
  const std::int64_t at = y * n + x;
  if (x >= 0 && x + length <= n) {
    *reinterpret_cast<Vector<T, length>*>(c + at) = load<length>(b + at);
  } else {
    for (int i = 0; i < length; ++i)
      if (x + i >= 0 && x + i < n) c[at + i] = b[at + i];
  }
}

template <typename T>
void launch(const Call& call) {
  constexpr int length = vector_length<T>;
  const std::int64_t n = call.problem.extents.x;
  const auto [width, height] = call.tuned<Strips>();
  const dim3 grid(blocks_for(n + length - 1, width * length), blocks_for(n, height));
  strips<<<grid, width * height, 0, stream_of(call)>>>(n, height, call.array<const T>(0), call.array<T>(1));
}

const char* constraint(const Problem& problem, const Strips& block) {
  if (block.width * block.height < 32)
    return "a block has less than one warp: width * height must be at least 32";
  return refuse_block(problem.extents, block.width, block.height, 1);
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Strips& strips) {
  if (problem.n < 65'536) strips.width = 8;
}

Variant form() {
  Variant variant;
  variant.description =
      "consecutive threads copy consecutive rows of strips that are one 16-byte vector wide";
  variant.memory_space = MemorySpace::cuda;
  // The variant copies two or four neighbouring columns at once. The kernel's order is column by column, so
  // the variant is excluded from the ranking.
  variant.excluded_from_ranking = true;
  variant.tunables = tunables<Strips>(
      {{"width", &Strips::width, {1, 2, 4, 8, 16}}, {"height", &Strips::height, {16, 32, 64, 128, 256}}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  return variant;
}

}  // namespace strips

}  // namespace

std::vector<Variant> rows_cuda() {
  return {
      {.name = "columns",
       .description = "the study's form: blocks of 1 x T threads down a column, one element per thread",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<columns::Block>({{"block_size", &columns::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(columns::launch),
       .constraint = by_name<columns::constraint>},
      named("reordered", reordered::form()),
      named("strips", strips::form()),
  };
}

}  // namespace sextant
