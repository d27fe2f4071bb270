// Transforms of 8192 to 65536 elements by a cluster of blocks: one reading, one writing. As a matrix of rows * columns, element j in row
// j / columns: each block transforms some neighbouring columns, sends what comes out to the blocks that have the rows, and transforms
// rows. Blocks read and write neighbours by neighbours. Compute capability 9.0 and later.
#include <cooperative_groups.h>

#include "device_state.cuh"
#include "shared.cuh"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace fft1d {

inline constexpr int cluster_points = 16;  // elements of a thread

// How a transform is dealt out.
template <int log_length, int blocks, typename T>
struct Plan {
  static constexpr int rows = 1 << (log_length + 1) / 2, columns = 1 << log_length / 2;
  static constexpr int my_rows = rows / blocks, my_columns = columns / blocks;
  static constexpr int elements = (1 << log_length) / blocks, threads = elements / cluster_points;
  // Registers are to be few enough for so many threads a multiprocessor: some read while others compute.
  static constexpr int wanted = sizeof(T) == 4 ? 768 : 384,
                       resident = wanted > threads ? wanted / threads : 1;
  static constexpr int pitch =
      columns + 1;  // of a row that comes in, so that neighbouring rows lie in other banks
  static constexpr int shared = my_rows * pitch > elements ? my_rows* pitch : elements;
};

}  // namespace fft1d

namespace {

using fft1d::Complex;
using fft1d::Plan;
using Logs = Choices<13, 14, 15, 16>;  // of lengths
using Clusters = Choices<2, 4, 8, 16>;
[[maybe_unused]] constexpr int points = fft1d::cluster_points;

struct Shape {
  int cluster = 4;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
// Stores where `mine` is in the shared memory of another block of the cluster; by addresses of 32 bits, of which threads compute 16.
__device__ __forceinline__ void store_in_block(Complex<float>* mine, int block, float re, float im) {
  asm volatile(
      "{ .reg .u32 to; mapa.shared::cluster.u32 to, %0, %1; st.shared::cluster.v2.f32 [to], {%2, %3}; }" ::
          "r"(static_cast<unsigned>(__cvta_generic_to_shared(mine))),
      "r"(block), "f"(re), "f"(im)
      : "memory");
}
__device__ __forceinline__ void store_in_block(Complex<double>* mine, int block, double re, double im) {
  asm volatile(
      "{ .reg .u32 to; mapa.shared::cluster.u32 to, %0, %1; st.shared::cluster.v2.f64 [to], {%2, %3}; }" ::
          "r"(static_cast<unsigned>(__cvta_generic_to_shared(mine))),
      "r"(block), "d"(re), "d"(im)
      : "memory");
}
#endif

template <int log_length, int blocks, typename T>
__global__ void __launch_bounds__(Plan<log_length, blocks, T>::threads, Plan<log_length, blocks, T>::resident)
    transform(const Complex<T>* __restrict__ x, const Complex<T>* __restrict__ factors,
              Complex<T>* __restrict__ X) {
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
  using P = Plan<log_length, blocks, T>;
  extern __shared__ __align__(16) unsigned char shared[];
  auto* const memory = reinterpret_cast<Complex<T>*>(shared);
  const auto cluster = cooperative_groups::this_cluster();
  const int block = static_cast<int>(blockIdx.x % blocks), thread = static_cast<int>(threadIdx.x);
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x / blocks) << log_length;
  const auto wait = [] { __syncthreads(); };
  T re[points], im[points];

  const int near_column = thread % P::my_columns, column = block * P::my_columns + near_column,
            t_of_column = thread / P::my_columns;
  constexpr int row_step = P::rows / points;
  #pragma unroll
  for (int e = 0; e < points; ++e) {
    const Complex<T> value = x[first + (t_of_column + e * row_step) * P::columns + column];
    re[e] = value.re, im[e] = value.im;
  }
  fft1d::transform<P::rows, points>(
      t_of_column, factors, P::columns, memory, [=](int i) { return i * P::my_columns + near_column; }, wait,
      re, im);
  cluster.barrier_arrive();  // this block's own use of its memory is over
  fft1d::turn<points, false>(factors, t_of_column * column, row_step * column, re, im);
  cluster.barrier_wait();
  #pragma unroll
  for (int e = 0; e < points; ++e) {
    const int row = t_of_column + e * row_step;
    store_in_block(memory + row % P::my_rows * P::pitch + column, row / P::my_rows, re[e], im[e]);
  }
  cluster.sync();

  const int near_row = thread % P::my_rows, t_of_row = thread / P::my_rows;
  constexpr int column_step = P::columns / points;
  #pragma unroll
  for (int e = 0; e < points; ++e) {
    const Complex<T> value = memory[near_row * P::pitch + t_of_row + e * column_step];
    re[e] = value.re, im[e] = value.im;
  }
  __syncthreads();
  fft1d::transform<P::columns, points>(
      t_of_row, factors, P::rows, memory, [=](int i) { return i * P::my_rows + near_row; }, wait, re, im);
  #pragma unroll
  for (int e = 0; e < points; ++e) {
    const Vector<T, 2> out = {re[e], im[e]};
    store_streaming(reinterpret_cast<T*>(X + first + (t_of_row + e * column_step) * P::rows +
                                         block * P::my_rows + near_row),
                    out);
  }
#endif
}

int log_of(const Problem& p) { return std::countr_zero(static_cast<std::uint64_t>(fft1d::length_of(p))); }

// Of the elements of a block.
constexpr bool fits(std::int64_t elements) { return elements >= 2048 && elements <= 8192; }

// Calls function.template operator()<log_length, blocks>() where a block has 2048 to 8192 elements.
template <typename Function>
void with_plan(const Problem& problem, const Shape& shape, Function&& function) {
  Logs::with(log_of(problem), [&]<int log_length>() {
    Clusters::with(shape.cluster, [&]<int blocks>() {
      if constexpr (fits((1 << log_length) / blocks)) function.template operator()<log_length, blocks>();
    });
  });
}

template <typename T, int log_length, int blocks>
inline constexpr int shared_bytes = Plan<log_length, blocks, T>::shared* static_cast<int>(sizeof(Complex<T>));

template <typename T>
void launch(const Call& call) {
  cudaLaunchAttribute clusters = {};
  clusters.id = cudaLaunchAttributeClusterDimension;
  clusters.val.clusterDim = {static_cast<unsigned>(call.tuned<Shape>().cluster), 1, 1};
  cudaLaunchConfig_t config = {};
  config.stream = stream_of(call);
  config.attrs = &clusters;
  config.numAttrs = 1;
  with_plan(call.problem, call.tuned<Shape>(), [&]<int log_length, int blocks>() {
    config.gridDim = dim3(static_cast<unsigned>(fft1d::batches_of(call.problem) * blocks));
    config.blockDim = dim3(Plan<log_length, blocks, T>::threads);
    config.dynamicSmemBytes = static_cast<std::size_t>(shared_bytes<T, log_length, blocks>);
    cudaLaunchKernelEx(&config, transform<log_length, blocks, T>, call.array<const Complex<T>>(0),
                       static_cast<const Complex<T>*>(call.state), call.array<Complex<T>>(1));
  });
}

template <typename T>
cudaError_t allow(const Call& call) {
  cudaError_t error = cudaSuccess;
  with_plan(call.problem, call.tuned<Shape>(), [&]<int log_length, int blocks>() {
    const auto kernel = transform<log_length, blocks, T>;
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 shared_bytes<T, log_length, blocks>);
    if (error == cudaSuccess && blocks > 8)
      error = cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  });
  return error;
}

const char* prepare(const Call& call, void** state) {
  const cudaError_t error =
      call.problem.type == ElementType::float64 ? allow<double>(call) : allow<float>(call);
  if (error == cudaSuccess)
    return fft1d::prepare_factors(call, fft1d::factor_bytes(call.problem, nullptr), state);
  cudaGetLastError();  // it must not be found by a later check
  return "more shared memory, or larger clusters, than this GPU has";
}

const char* unavailable() {
  return device_attribute(cudaDevAttrComputeCapabilityMajor, 0) < 9
             ? "clusters of blocks need compute capability 9.0 or later"
             : nullptr;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  const std::int64_t length = fft1d::length_of(problem);
  if (length < 8192 || length > 65536) return "a transform of less than 8192 or more than 65536 elements";
  if (!fits(length / shape.cluster)) return "less than 2048 or more than 8192 elements a block";
  return fft1d::batches_of(problem) * shape.cluster > INT32_MAX ? "more transforms than a grid has clusters"
                                                                : nullptr;
}

// Blocks of 4096 elements, several of which a multiprocessor keeps, as far as 8 blocks are a cluster.
// As searched on an H200 at N = 2^28.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t length = fft1d::length_of(problem);
  if (problem.type == ElementType::float64)
    shape.cluster = length == 8192 || length == 32768 ? 4 : 8;
  else
    shape.cluster = length < 16384 ? 2 : length < 65536 ? 8 : 16;
}

}  // namespace

Variant fft1d_cuda_cluster() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "8192 to 65536 elements in the shared memory of a cluster of blocks: one reading, one writing";
  variant.tunables = tunables<Shape>({{"cluster", &Shape::cluster, Clusters::list()}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.unavailable = unavailable;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = fft1d::factor_bytes;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
