// Transforms of at most 8192 elements, some a block: one reading, one writing. A thread has 4 to 16 elements in registers.
#include "device_state.cuh"
#include "shared.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using fft1d::Complex;
using Sizes = Choices<1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192>;
using Points = Choices<4, 8, 16>;
constexpr int most_threads = 512;

struct Shape {
  int points = 16, block_size = 128;  // elements a thread

  int threads(std::int64_t length) const {
    return static_cast<int>(std::max<std::int64_t>(length / points, 1));
  }
  std::size_t shared_bytes(const Problem& p) const {
    const auto length = static_cast<int>(fft1d::length_of(p));
    return static_cast<std::size_t>(block_size / threads(length)) *
           static_cast<std::size_t>(fft1d::padded(length)) * 2 * element_size(p.type);
  }
};

// `points` where a transform has as many elements, else all of them.
template <int length, int most>
inline constexpr int points_of = length < most ? length : most;

template <int length, int points, typename T>
__global__ void __launch_bounds__(most_threads)
    transform(std::int64_t batches, const Complex<T>* __restrict__ x, const Complex<T>* __restrict__ factors,
              Complex<T>* __restrict__ X) {
  extern __shared__ __align__(16) unsigned char shared[];
  constexpr int threads = length / points;
  const int of_block = static_cast<int>(blockDim.x) / threads, mine = static_cast<int>(threadIdx.x) / threads,
            t = static_cast<int>(threadIdx.x) % threads;
  const std::int64_t batch = static_cast<std::int64_t>(blockIdx.x) * of_block + mine;
  const bool there = batch < batches;
  T re[points], im[points];
#pragma unroll
  for (int e = 0; e < points; ++e) {
    const Complex<T> value = there ? x[batch * length + t + e * threads] : Complex<T>{0, 0};
    re[e] = value.re, im[e] = value.im;
  }
  const auto wait = [] {
    if constexpr (threads <= 32)  // then a warp has whole transforms
      __syncwarp();
    else
      __syncthreads();
  };
  fft1d::transform<length, points>(t, factors, 1,
                                   reinterpret_cast<Complex<T>*>(shared) + mine * fft1d::padded(length),
                                   fft1d::padded, wait, re, im);
#pragma unroll
  for (int e = 0; e < points; ++e)
    if (there) {
      const Vector<T, 2> out = {re[e], im[e]};
      store_streaming(reinterpret_cast<T*>(X + batch * length + t + e * threads), out);
    }
}

// Calls function.template operator()<length, points>() where a block has the threads.
template <typename Function>
void with_shape(const Problem& problem, const Shape& shape, Function&& function) {
  Sizes::with(static_cast<int>(fft1d::length_of(problem)), [&]<int length>() {
    Points::with(shape.points, [&]<int points>() {
      if constexpr (length <= points * most_threads && (length >= points || points == 4))
        function.template operator()<length, points_of<length, points>>();
    });
  });
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t length = fft1d::length_of(call.problem), batches = fft1d::batches_of(call.problem);
  with_shape(call.problem, shape, [&]<int size, int points>() {
    transform<size, points, T><<<blocks_for(batches, shape.block_size / shape.threads(length)),
                                 shape.block_size, shape.shared_bytes(call.problem), stream_of(call)>>>(
        batches, call.array<const Complex<T>>(0), static_cast<const Complex<T>*>(call.state),
        call.array<Complex<T>>(1));
  });
}

template <typename T>
cudaError_t allow_shared(const Call& call) {
  const auto shape = call.tuned<Shape>();
  cudaError_t error = cudaSuccess;
  with_shape(call.problem, shape, [&]<int length, int points>() {
    error = cudaFuncSetAttribute(transform<length, points, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shape.shared_bytes(call.problem)));
  });
  return error;
}

const char* prepare(const Call& call, void** state) {
  const cudaError_t error =
      call.problem.type == ElementType::float64 ? allow_shared<double>(call) : allow_shared<float>(call);
  if (error == cudaSuccess)
    return fft1d::prepare_factors(call, fft1d::factor_bytes(call.problem, nullptr), state);
  cudaGetLastError();  // it must not be found by a later check
  return "more shared memory than this GPU gives a block";
}

const char* refuse(const Problem& problem, const Shape& shape) {
  const std::int64_t length = fft1d::length_of(problem);
  if (length > 8192) return "a transform of more than 8192 elements";
  if (length < shape.points && shape.points > 4) return "more elements a thread than a transform has";
  if (shape.threads(length) > shape.block_size) return "more threads a transform than a block has";
  return shape.shared_bytes(problem) > 160 * 1024 ? "more than 160 KiB of shared memory a block" : nullptr;
}

// Neighbouring threads are to read 32 bytes at least; beyond that many elements a thread save exchanges.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t length = fft1d::length_of(problem);
  shape.points = length <= 16 ? 4 : length <= 64 ? 8 : 16;
  shape.block_size = std::max(shape.threads(length), 128);
}

}  // namespace

Variant fft1d_cuda_block() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "at most 8192 elements, in registers and exchanged in shared memory: one reading, one writing";
  variant.tunables = tunables<Shape>(
      {{"points", &Shape::points, Points::list()}, {"block_size", &Shape::block_size, {64, 128, 256, 512}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = fft1d::factor_bytes;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
