#include "pull.cuh"

namespace sextant {
namespace {

struct Block {
  int block_size = 128;
};

template <typename T>
__global__ void attract(int n, nbody::Bodies<T> all) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const nbody::Body<T> body = nbody::body_at(all, i, n);
  nbody::Sum<T> sum = {0, 0, 0};
  for (int j = 0; j < n; ++j) nbody::pull_by(nbody::body_at(all, j, n), body, sum);
  nbody::store(all, i, n, sum);
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const int block = call.tuned<Block>().block_size;
  attract<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, nbody::Bodies<T>(call));
}

}  // namespace

Variant nbody_cuda_direct() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "the form one writes first: a body a thread, what pulls from caches";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, {32, 64, 128, 256, 512}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
