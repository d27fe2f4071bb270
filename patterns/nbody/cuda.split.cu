// For few bodies: a block has some, and all its threads share what pulls at them, read from caches.
#include "pull.cuh"

namespace sextant {
namespace {

struct Shape {
  int block_size = 512, bodies_per_block = 8;
};

template <typename T>
__global__ void __launch_bounds__(1024) attract(int n, int bodies, nbody::Bodies<T> all) {
  extern __shared__ __align__(16) unsigned char bytes[];
  const int thread = static_cast<int>(threadIdx.x), part = thread / bodies,
            parts = static_cast<int>(blockDim.x) / bodies,
            i = static_cast<int>(blockIdx.x) * bodies + thread % bodies;
  const nbody::Body<T> body = nbody::body_at(all, i, n);
  nbody::Sum<T> sum = {0, 0, 0};
#pragma unroll 4
  for (int j = part; j < n; j += parts) nbody::pull_by(nbody::body_at(all, j, n), body, sum);
  sum = nbody::sum_over_parts(sum, bodies, reinterpret_cast<T*>(bytes));
  if (part == 0) nbody::store(all, i, n, sum);
}

template <typename T>
void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  const auto shape = call.tuned<Shape>();
  attract<<<blocks_for(n, shape.bodies_per_block), shape.block_size,
            static_cast<std::size_t>(shape.block_size) * sizeof(T), stream_of(call)>>>(
      n, shape.bodies_per_block, nbody::Bodies<T>(call));
}

}  // namespace

Variant nbody_cuda_split() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "for few bodies: some a block, whose threads share what pulls at them";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, {128, 256, 512, 1024}},
                                      {"bodies_per_block", &Shape::bodies_per_block, {2, 4, 8, 16, 32}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
