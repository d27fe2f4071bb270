#include "walk.cuh"

namespace sextant {
namespace {

using namespace nqueens;

template <int bytes>
__global__ void count_all(Boards boards) {
  extern __shared__ uint4 levels[];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  Walk<bytes> walk(levels, static_cast<int>(blockDim.x));
  if (i >= boards.n) return;
  const Row row = boards.row(i);
  std::int32_t ways = row.columns == boards.all;
  if (row.free) {
    walk.begin(row);
    do {
#pragma unroll
      for (int s = 0; s < 4; ++s) walk.advance(boards.all);
    } while (!walk.ended());
    ways = walk.ways;
  }
  boards.count[i] = ways;
}

template <int bytes>
void launch_bytes(const Call& call) {
  const Boards boards = boards_of(call);
  const int block = call.tuned<Block>().block_size;
  count_all<bytes>
      <<<blocks_for(boards.n, block), block, levels_bytes<bytes>(boards, block), stream_of(call)>>>(boards);
}

void launch(const Call& call) {
  board_of(call.problem) <= 15 ? launch_bytes<8>(call) : launch_bytes<16>(call);
}

}  // namespace

Variant nqueens_cuda_shared_stack() {
  Variant variant = threads_variant("a board a thread, its stack in shared memory, no branch in a step");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
