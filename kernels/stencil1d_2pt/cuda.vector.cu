#include "suite/choices.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

// As stream::vector: 16 bytes a thread and item; the neighbours beyond the vector come out of the cache lines
// that the threads beside it are loading.
template <int items, typename T>
__global__ void vector(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  constexpr int length = vector_length<T>;
  const std::int64_t vectors = n / length;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x * items) + threadIdx.x;
  Vector<T, length> own[items];
  T left[items], right[items];
#pragma unroll
  for (int item = 0; item < items; ++item) {
    const std::int64_t v = first + item * blockDim.x, i = v * length;
    if (v < vectors) {
      own[item] = load<length>(b + i);
      left[item] = b[i > 0 ? i - 1 : 0];
      right[item] = b[i + length < n ? i + length : n - 1];
    }
  }
#pragma unroll
  for (int item = 0; item < items; ++item) {
    const std::int64_t v = first + item * blockDim.x;
    if (v < vectors) {
      const Vector<T, length>& x = own[item];
      Vector<T, length> result;
#pragma unroll
      for (int i = 0; i < length; ++i)
        result[i] = static_cast<T>(0.5) *
                    ((i > 0 ? x[i - 1] : left[item]) + (i < length - 1 ? x[i + 1] : right[item]));
      if (v == 0) result[0] = x[0];
      if ((v + 1) * length == n) result[length - 1] = x[length - 1];
      store_streaming(c + v * length, result);
    } else if (const std::int64_t i = vectors * length + (v - vectors); i < n) {
      c[i] = i == 0 || i == n - 1 ? b[i] : static_cast<T>(0.5) * (b[i - 1] + b[i + 1]);
    }
  }
}

using Items = Choices<1, 2>;

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int64_t threads = n / vector_length<T> + n % vector_length<T>;
  const int block = call.tuning[1];
  Items::with(call.tuning[0], [&]<int items>() {
    vector<items><<<blocks_for(threads, block * items), block, 0, stream_of(call)>>>(
        n, call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace

Variant stencil1d_2pt_cuda_vector() {
  Variant variant;
  variant.description = "16-byte accesses, neighbours out of the first-level cache";
  variant.home = Home::cuda;
  variant.tunables = {{"items_per_thread", Items::list(), 1}, {"block_size", BlockSizes::list(), 256}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  // What won on an H200 on arrays larger than its L2 cache.
  variant.adapt = [](const Problem& problem, int* tuning) {
    const auto bytes = 2 * problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
    if (bytes > (std::int64_t{64} << 20)) tuning[1] = 128;
  };
  return variant;
}

}  // namespace sextant
