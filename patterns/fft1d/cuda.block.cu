// Transforms of at most 8192 elements, one or more per block. Memory is read and written once. A thread keeps
// 4 to 32 elements in registers.
#include "device_state.cuh"
#include "merged.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/bulk_copy.cuh"
#include "toolbox/cuda/vector.cuh"

// Threads exchange elements through shared memory between passes. Twiddle factors are merged into the
// butterflies (merged.hpp).
namespace sextant::fft1d {

// Loads the calling thread's twiddle factors for all passes but the first, which needs none.
template <int length, int points, int done = points, typename T>
__device__ __forceinline__ void read_factors(int t, const Complex<T>* __restrict__ table, Complex<T>* base) {
  if constexpr (done < length) {
    constexpr PassShape pass(length, points, done);
    const int key = t & (pass.keys - 1);
#pragma unroll
    for (int stage = 0; stage < pass.stages; ++stage)
      base[stage] = table[table_before(length, points, done) + stage * pass.keys + key];
    read_factors<length, points, done * pass.radix>(t, table, base + pass.stages);
  }
}
// The number of factors that read_factors loads; 1 if there are none, because it is an array length.
constexpr int factors_of_all(int length, int points) {
  int all = 0;
  for (int done = points; done < length; done *= PassShape(length, points, done).radix)
    all += PassShape(length, points, done).stages;
  return all > 0 ? all : 1;
}

// Index of element i in shared memory. A padding element after every 16 or 32 elements avoids bank conflicts.
constexpr int merged_padded(int points, int i) { return i + i / (points == 32 ? 32 : 16); }

// Like transform(), but with the factors that read_factors has loaded for this pass and later ones.
template <int length, int points, int done = 1, typename T, typename Wait>
__device__ __forceinline__ void merged_transform(int t, const Complex<T>* factors, Complex<T>* memory,
                                                 const Wait& wait, T (&re)[points], T (&im)[points]) {
  constexpr PassShape pass(length, points, done);
  if constexpr (done == 1)
    butterfly<pass.radix>(re, im);
  else
    Merged<points, pass.stages, T>(factors).pass(re, im);
  if constexpr (done * pass.radix < length) {
    if constexpr (done > 1) wait();
    const int k = t & (done - 1), first = (t - k) * pass.radix + k;
#pragma unroll
    for (int e = 0; e < points; ++e) memory[merged_padded(points, first + e * done)] = {re[e], im[e]};
    wait();
#pragma unroll
    for (int e = 0; e < points; ++e) {
      const Complex<T> value = memory[merged_padded(points, t + e * pass.threads)];
      re[e] = value.re, im[e] = value.im;
    }
    merged_transform<length, points, done * pass.radix>(t, factors + (done > 1 ? pass.stages : 0), memory,
                                                        wait, re, im);
  }
}

// Prefetches transform number `batch` into the L2 cache, if it exists. Four threads of a block share the
// work.
template <int length, typename T>
__device__ __forceinline__ void ask_ahead(int t, std::int64_t batch, std::int64_t batches,
                                          const Complex<T>* __restrict__ x) {
  constexpr int part = length / 4;
  if (t < 4 && batch < batches)
    bulk::ask_into_cache(x + batch * length + t * part, part * static_cast<int>(sizeof(Complex<T>)));
}

// Computes transforms with at most `block` threads per block and `resident` blocks per multiprocessor. If
// each block has one transform, it prefetches the transform of block number blockIdx.x + ahead.
template <int length, int points, int block, int resident, typename T>
__global__ void __launch_bounds__(block, resident)
    transform_merged(std::int64_t batches, int ahead, const Complex<T>* __restrict__ x,
                     const Complex<T>* __restrict__ table, Complex<T>* __restrict__ X) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr int threads = length / points;
  constexpr bool alone = block == threads;  // true if each block has one transform
  const int of_block = alone ? 1 : static_cast<int>(blockDim.x) / threads,
            mine = alone ? 0 : static_cast<int>(threadIdx.x) / threads,
            t = static_cast<int>(threadIdx.x) % threads;
  const std::int64_t batch = static_cast<std::int64_t>(blockIdx.x) * of_block + mine;
  const bool there = alone || batch < batches;
  T re[points], im[points];
#pragma unroll
  for (int e = 0; e < points; ++e) {
    const Complex<T> value = there ? x[batch * length + t + e * threads] : Complex<T>{0, 0};
    re[e] = value.re, im[e] = value.im;
  }
  if constexpr (alone) ask_ahead<length>(t, batch + ahead, batches, x);
  Complex<T> factors[factors_of_all(length, points)];
  // Loaded together with the elements, so that no pass waits for its factors.
  read_factors<length, points>(t, table, factors);
  const auto wait = [] {
    if constexpr (threads <= 32)  // Each transform is computed within one warp.
      __syncwarp();
    else
      __syncthreads();
  };
  merged_transform<length, points>(
      t, factors, reinterpret_cast<Complex<T>*>(shared) + mine * merged_padded(points, length), wait, re, im);
#pragma unroll
  for (int e = 0; e < points; ++e)
    if (there) {
      const Vector<T, 2> out = {re[e], im[e]};
      store_streaming(reinterpret_cast<T*>(X + batch * length + t + e * threads), out);
    }
}

}  // namespace sextant::fft1d

namespace sextant {
namespace {

using fft1d::Complex;
using Sizes = Choices<1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192>;
using Points = Choices<4, 8, 16, 32>;
constexpr int most_threads = 512;  // largest number of threads per transform

// The largest block size. It determines how many registers the compiler may use per thread.
constexpr int largest_block(int points, int threads) { return std::max(threads, points == 16 ? 64 : 128); }

// Returns true if a kernel is compiled for this length and number of elements per thread. 32 elements use all
// registers of a thread, so they are only for float transforms of length 8192.
constexpr bool has_kernel(std::int64_t length, int points, std::size_t size) {
  return length <= points * most_threads && (length >= points || points == 4) &&
         (points < 32 || (length == 8192 && size == 4));
}

struct Shape {
  int points = 16, block_size = 128;  // `points` is the number of elements per thread

  int threads(std::int64_t length) const {
    return static_cast<int>(std::max<std::int64_t>(length / points, 1));
  }
};

std::size_t shared_bytes(const Problem& p, int points, int block) {
  const auto length = static_cast<int>(fft1d::length_of(p));
  return static_cast<std::size_t>(block / std::max(length / points, 1)) *
         static_cast<std::size_t>(fft1d::merged_padded(points, length)) * 2 * element_size(p.type);
}

// Elements per thread: `most` or the length, whichever is less.
template <int length, int most>
inline constexpr int points_of = length < most ? length : most;

// Returns the kernel for a shape. Its launch bounds leave enough registers for the elements and the factors.
template <int length, int points, typename T>
constexpr auto kernel() {
  constexpr int block = largest_block(points, length / points);
  // Resident threads per multiprocessor that the launch bounds demand.
  constexpr int floats = points <= 4 ? 1536 : points == 8 ? 1280 : points == 16 ? 768 : 512;
  constexpr int threads = sizeof(T) == 4 ? floats : points == 16 ? 512 : floats / 2;
  return fft1d::transform_merged<length, points, block, std::max(threads / block, 1), T>;
}

// The prefetch distance in blocks: one block per multiprocessor, but at least 32 KiB per multiprocessor.
// Measured on an H200.
template <int length, typename T>
int blocks_ahead() {
  constexpr int bytes = length * static_cast<int>(sizeof(Complex<T>));
  return multiprocessors() * std::max(32768 / bytes, 1);
}

// Calls function.template operator()<length, points>() if such a kernel is compiled.
template <typename T, typename Function>
void with_shape(const Problem& problem, const Shape& shape, Function&& function) {
  Sizes::with(static_cast<int>(fft1d::length_of(problem)), [&]<int length>() {
    Points::with(shape.points, [&]<int points>() {
      if constexpr (has_kernel(length, points, sizeof(T)))
        function.template operator()<length, points_of<length, points>>();
    });
  });
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t length = fft1d::length_of(call.problem), batches = fft1d::batches_of(call.problem);
  with_shape<T>(call.problem, shape, [&]<int size, int points>() {
    kernel<size, points,
           T>()<<<blocks_for(batches, shape.block_size / shape.threads(length)), shape.block_size,
                  shared_bytes(call.problem, points, shape.block_size), stream_of(call)>>>(
        batches, blocks_ahead<size, T>(), call.array<const Complex<T>>(0),
        static_cast<const Complex<T>*>(call.state), call.array<Complex<T>>(1));
  });
}

template <typename T>
cudaError_t make(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  cudaError_t error = cudaSuccess;
  with_shape<T>(call.problem, shape, [&]<int length, int points>() {
    const std::vector<Complex<T>> table = fft1d::merged_table<T>(length, points);
    const std::size_t bytes = table.size() * sizeof(Complex<T>);
    // Use the size for the largest block, because launches with smaller blocks share this kernel attribute.
    const std::size_t shared = shared_bytes(call.problem, points, largest_block(points, length / points));
    error = cudaFuncSetAttribute(kernel<length, points, T>(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shared));
    if (error == cudaSuccess) error = cudaMalloc(state, std::max<std::size_t>(bytes, 1));
    if (error == cudaSuccess) error = cudaMemcpy(*state, table.data(), bytes, cudaMemcpyHostToDevice);
  });
  return error;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const auto length = static_cast<int>(fft1d::length_of(problem));
  return fft1d::table_before(length, std::min(shape.points, length), length) * 2 *
         static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  const cudaError_t error =
      call.problem.type == ElementType::float64 ? make<double>(call, state) : make<float>(call, state);
  if (error == cudaSuccess) return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return fft1d::why_not_made(error, "more shared memory than this GPU allows per block");
}

const char* refuse(const Problem& problem, const Shape& shape) {
  const std::int64_t length = fft1d::length_of(problem);
  if (length > 8192) return "only for transforms of at most 8192 elements";
  if (length < shape.points && shape.points > 4)
    return "points exceeds the number of elements of a transform";
  if (!has_kernel(length, shape.points, element_size(problem.type)))
    return shape.points == 32 ? "points=32 is only for transforms of 8192 floats"
                              : "points is too small: a transform would need more than 512 threads";
  if (shape.threads(length) > shape.block_size)
    return "block_size is smaller than the number of threads per transform";
  if (shape.block_size > largest_block(shape.points, shape.threads(length)))
    return "block_size exceeds the number of threads for which there are enough registers";
  return nullptr;
}

// Chooses the fastest settings, as measured on an H200. Neighbouring threads should read at least 32 bytes.
// More elements per thread need fewer exchanges, which only pays off with many transforms. Short transforms
// are written fastest with one warp per block.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t length = fft1d::length_of(problem);
  const bool wide = element_size(problem.type) == 8, few = problem.n <= 1 << 20;
  if (length <= 16 || (wide && length <= 64))
    shape = {4, 64};
  else if (length <= 512)
    shape = {8, (wide && length <= 256) || (length <= 64 && problem.n > 12 << 20) ? 32 : 64};
  else if (length == 1024)
    shape = few ? Shape{8, 128} : Shape{16, 64};
  else
    shape.points = length == 8192 && !wide ? 32 : 16;
  shape.block_size = length > 1024 ? shape.threads(length) : shape.block_size;
}

}  // namespace

std::vector<Variant> fft1d_cuda_block() {
  return {{.name = "block",
           .description =
               "up to 8192 elements in registers, exchanged through shared memory; one read and one write of "
               "memory",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"points", &Shape::points, Points::list()},
                                        {"block_size", &Shape::block_size, {32, 64, 128, 256, 512}}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = by_name<refuse>,
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { cudaFree(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
