#include "row.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Block {
  int block_size = 128;
};

template <typename T>
__global__ void weigh(std::int64_t rows, std::int64_t columns, const T* __restrict__ x, T* __restrict__ y) {
  const std::int64_t r = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  const T* row = x + r * columns;
  T* to = y + r * columns;
  T most = row[0], sum = 0;
  for (std::int64_t c = 1; c < columns; ++c) most = max(most, row[c]);
  for (std::int64_t c = 0; c < columns; ++c) sum += to[c] = exp(row[c] - most);
  for (std::int64_t c = 0; c < columns; ++c) to[c] /= sum;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t rows = softmax::rows_of(call.problem);
  const int block = call.tuned<Block>().block_size;
  weigh<<<blocks_for(rows, block), block, 0, stream_of(call)>>>(rows, softmax::columns_of(call.problem),
                                                                call.array<const T>(0), call.array<T>(1));
}

}  // namespace

Variant softmax_cuda_thread_row() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the plain loop, a row a thread";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
