#include "suite/variant.hpp"
#include "tensor_tile.cuh"

namespace sextant {
namespace {

using matmul::TensorShape;

// The tiles there are.
template <typename Function>
bool with_shape(const int* tuning, Function&& function) {
  const auto is = [tuning](int m, int n) { return tuning[0] == m && tuning[1] == n; };
  if (is(32, 32)) return function(TensorShape<32, 32, 32, 16, 16, 4, 3>{}), true;
  if (is(64, 32)) return function(TensorShape<64, 32, 32, 32, 16, 3, 3>{}), true;
  if (is(64, 64)) return function(TensorShape<64, 64, 16, 32, 32, 4, 2>{}), true;
  if (is(128, 64)) return function(TensorShape<128, 64, 16, 64, 32, 3, 2>{}), true;
  return false;
}

// The kernel for a shape; 16-byte copies where rows are aligned.
template <typename S>
auto kernel_for(std::int64_t n) {
  return n % 2 == 0 ? matmul::tensor_tile<S, 2> : matmul::tensor_tile<S, 1>;
}

const char* prepare(const Call& call, void**) {
  const char* problem = nullptr;
  with_shape(call.tuning, [&](auto shape) {
    using S = decltype(shape);
    if (cudaFuncSetAttribute(kernel_for<S>(call.problem.extents.x),
                             cudaFuncAttributeMaxDynamicSharedMemorySize, S::shared_bytes) != cudaSuccess) {
      cudaGetLastError();  // the refusal must not be found by a later check
      problem = "this GPU has too little shared memory for the tile";
    }
  });
  return problem;
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  with_shape(call.tuning, [&](auto shape) {
    using S = decltype(shape);
    const dim3 grid(static_cast<unsigned>((n + S::block_n - 1) / S::block_n),
                    static_cast<unsigned>((n + S::block_m - 1) / S::block_m));
    const auto kernel = kernel_for<S>(n);
    kernel<<<grid, S::threads, S::shared_bytes, static_cast<cudaStream_t>(call.stream)>>>(
        n, call.array<const double>(0), call.array<const double>(1), call.array<double>(2));
  });
}

const char* constraint(const Problem&, const int* tuning) {
  return with_shape(tuning, [](auto) {}) ? nullptr : "tiles are 32x32, 64x32, 64x64 and 128x64";
}

// Measured on an H200 (docs/kernels/reduction-and-matrix.md): the largest tile that leaves enough of them.
void adapt(const Problem& problem, int* tuning) {
  const std::int64_t n = problem.extents.x;
  const auto set = [tuning](int m, int columns) {
    tuning[0] = m;
    tuning[1] = columns;
  };
  if (n <= 850)
    n % 2 == 0 || n <= 550 ? set(32, 32) : set(64, 32);
  else
    n <= 7000 ? set(64, 64) : set(128, 64);
}

}  // namespace

Variant matmul_cuda_tensor() {
  Variant variant;
  variant.description =
      "double precision on the matrix units (mma.sync), fed by a pipeline of asynchronous copies";
  variant.home = Home::cuda;
  variant.tunables = {{"tile_m", {32, 64, 128}, 64}, {"tile_n", {32, 64}, 64}};
  variant.launch = {.float64 = launch};
  variant.constraint = constraint;
  variant.adapt = adapt;
  variant.prepare = prepare;
  variant.release = [](void*) {};  // prepare leaves nothing
  return variant;
}

}  // namespace sextant
