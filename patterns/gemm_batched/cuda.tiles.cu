// A block copies several consecutive matrices of A and B to shared memory. Each thread keeps the sums of one
// tile of C in registers. Resident blocks overlap each other's copies and multiplications.
#include "../../kernels/matmul/register_tile.cuh"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using Tiles = Choices<2, 4, 8>;

// The largest block size for which a thread's elements of A, B and C fit in its registers.
constexpr int most_threads(int tile) { return tile == 8 ? 256 : tile == 4 ? 512 : 1024; }

// Shared memory per block at compute capability 9.0, in bytes. `prepare` checks the limit of the actual
// device.
constexpr std::size_t most_shared = 227 * 1024;

struct Shape {
  // A thread computes tile x tile elements of C, a block matrices_per_block matrices.
  int tile = 4, matrices_per_block = 8;

  std::int64_t across(const Problem& p) const { return (gemm_batched::size_of(p) + tile - 1) / tile; }
  std::int64_t threads(const Problem& p) const { return matrices_per_block * across(p) * across(p); }
  std::size_t shared_bytes(const Problem& p) const {
    const auto m = static_cast<std::size_t>(gemm_batched::size_of(p));
    return 2 * static_cast<std::size_t>(matrices_per_block) * m * m * element_size(p.type);
  }
};

// Copies `count` elements to shared memory in vectors of `width` elements, and the remaining ones one by one.
// `from` is aligned to a whole vector.
template <int width, typename T>
__device__ __forceinline__ void copy_stretch(const T* __restrict__ from, int count, T* to) {
  const int whole = count / width * width;
  for (int at = static_cast<int>(threadIdx.x) * width; at < whole; at += static_cast<int>(blockDim.x) * width)
    matmul::copy_async<sizeof(T) * width>(to + at, from + at, true);
  for (int at = whole + static_cast<int>(threadIdx.x); at < count; at += static_cast<int>(blockDim.x))
    matmul::copy_async<sizeof(T)>(to + at, from + at, true);
}

// Computes `matrices` products per block. `copied` is the number of elements per copy to shared memory.
// `width`, a divisor of m, is the number of elements per vector. Thread (y, x) of a matrix computes rows y, y
// + across, … and vectors x, x + across, … of these rows. Elements outside the matrix are read from valid
// addresses but not stored.
template <int tile, int width, int copied, typename T>
__global__ void __launch_bounds__(most_threads(tile))
    multiply(std::int64_t batches, int m, int matrices, const T* __restrict__ a, const T* __restrict__ b,
             T* __restrict__ c) {
  constexpr int vectors = tile / width;
  extern __shared__ __align__(16) unsigned char shared[];
  T* const shared_a = reinterpret_cast<T*>(shared);
  T* const shared_b = shared_a + matrices * m * m;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * matrices;
  const int here = static_cast<int>(min(static_cast<std::int64_t>(matrices), batches - first));
  copy_stretch<copied>(a + first * m * m, here * m * m, shared_a);
  copy_stretch<copied>(b + first * m * m, here * m * m, shared_b);
  matmul::close_group();
  const int across = (m + tile - 1) / tile;
  const int matrix = static_cast<int>(threadIdx.x) / (across * across);
  const int place = static_cast<int>(threadIdx.x) % (across * across), y = place / across, x = place % across;
  int rows[tile], columns[vectors];
#pragma unroll
  for (int i = 0; i < tile; ++i) rows[i] = min(y + i * across, m - 1) * m;
#pragma unroll
  for (int v = 0; v < vectors; ++v) columns[v] = min((x + v * across) * width, m - width);
  T sums[tile][tile] = {};
  matmul::wait_for_all_but<0>();
  __syncthreads();
  if (matrix >= here) return;
  const T* const my_a = shared_a + matrix * m * m;
  const T* const my_b = shared_b + matrix * m * m;
  for (int k = 0; k < m; k += width) {
    Vector<T, width> from_a[tile];
#pragma unroll
    for (int i = 0; i < tile; ++i) from_a[i] = load<width>(my_a + rows[i] + k);
#pragma unroll
    for (int inner = 0; inner < width; ++inner)
#pragma unroll
      for (int v = 0; v < vectors; ++v) {
        const Vector<T, width> from_b = load<width>(my_b + (k + inner) * m + columns[v]);
#pragma unroll
        for (int i = 0; i < tile; ++i)
#pragma unroll
          for (int e = 0; e < width; ++e) sums[i][v * width + e] += from_a[i][inner] * from_b[e];
      }
  }
  T* const my_c = c + (first + matrix) * m * m;
#pragma unroll
  for (int i = 0; i < tile; ++i)
#pragma unroll
    for (int v = 0; v < vectors; ++v)
      if (y + i * across < m && (x + v * across) * width < m) {
        Vector<T, width> out;
#pragma unroll
        for (int e = 0; e < width; ++e) out[e] = sums[i][v * width + e];
        store_streaming(my_c + rows[i] + columns[v], out);
      }
}

// Calls function.template operator()<tile, width, copied>() with the widest accesses that the alignment of
// the rows and of the blocks' start addresses allows.
template <typename T, typename Function>
void with_widths(const Problem& problem, const Shape& shape, Function&& function) {
  const std::int64_t m = gemm_batched::size_of(problem);
  Tiles::with(shape.tile, [&]<int tile>() {
    constexpr int most = vector_length<T>, widest = tile < most ? tile : most;
    if (m % widest == 0)  // Then each row consists of whole vectors of the widest size.
      function.template operator()<tile, widest, most>();
    else if (shape.matrices_per_block * m * m % most == 0)
      function.template operator()<tile, 1, most>();
    else
      function.template operator()<tile, 1, 1>();
  });
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t batches = gemm_batched::batches_of(call.problem);
  with_widths<T>(call.problem, shape, [&]<int tile, int width, int copied>() {
    multiply<tile, width, copied>
        <<<blocks_for(batches, shape.matrices_per_block), static_cast<unsigned>(shape.threads(call.problem)),
           shape.shared_bytes(call.problem), stream_of(call)>>>(
            batches, static_cast<int>(gemm_batched::size_of(call.problem)), shape.matrices_per_block,
            call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

template <typename T>
const char* allow_shared(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto bytes = static_cast<int>(shape.shared_bytes(call.problem));
  cudaError_t error = cudaSuccess;
  with_widths<T>(call.problem, shape, [&]<int tile, int width, int copied>() {
    error = cudaFuncSetAttribute(multiply<tile, width, copied, T>,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  });
  if (error == cudaSuccess) return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "more shared memory than this GPU allows per block";
}

const char* prepare(const Call& call, void**) {
  return call.problem.type == ElementType::float64 ? allow_shared<double>(call) : allow_shared<float>(call);
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (shape.threads(problem) > most_threads(shape.tile))
    return "tile and matrices_per_block need more threads per block than there are registers for";
  return shape.shared_bytes(problem) > most_shared
             ? "matrices_per_block matrices need more shared memory than a block may have"
             : nullptr;
}

// Chooses small tiles for small matrices, to have enough threads, and at most about 128 threads per block.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t m = gemm_batched::size_of(problem);
  shape.tile = m <= 8 ? 2 : m <= 32 ? 4 : 8;
  shape.matrices_per_block = 1;
  while (shape.matrices_per_block < 64 && 2 * shape.threads(problem) <= 128) shape.matrices_per_block *= 2;
}

}  // namespace

std::vector<Variant> gemm_batched_cuda_tiles() {
  Variant variant;
  variant.name = "tiles";
  variant.memory_space = MemorySpace::cuda;
  variant.description = "each block's matrices in shared memory, a tile of C in each thread's registers";
  variant.tunables =
      tunables<Shape>({{"tile", &Shape::tile, Tiles::list()},
                       {"matrices_per_block", &Shape::matrices_per_block, {1, 2, 4, 8, 16, 32, 64}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.prepare = prepare;
  variant.release = [](void*) {};  // prepare allocates nothing
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return {variant};
}

}  // namespace sextant
