#include "product.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = gemm_batched::size_of(call.problem),
                     batches = gemm_batched::batches_of(call.problem), count = m * m;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
#pragma omp parallel for schedule(static)
  for (std::int64_t batch = 0; batch < batches; ++batch)
    gemm_batched::multiply(m, a + batch * count, b + batch * count, c + batch * count);
}

}  // namespace simd

// Computes each product into a buffer in the L1 cache, then stores it in whole cache lines that bypass the
// caches. Meanwhile, the operands of a later product are prefetched.
namespace streaming {

constexpr std::int64_t longest = 64;  // largest number of rows per matrix

template <typename T>
void ask_for(const T* matrix, std::int64_t count) {
  for (std::int64_t i = 0; i < count; i += line_bytes / static_cast<std::int64_t>(sizeof(T)))
    __builtin_prefetch(matrix + i);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t m = gemm_batched::size_of(call.problem),
                     batches = gemm_batched::batches_of(call.problem), count = m * m;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
#pragma omp parallel
  {
    alignas(line_bytes) T kept[longest * longest];
#pragma omp for schedule(dynamic, 16)
    for (std::int64_t batch = 0; batch < batches; ++batch) {
      if (batch + 2 < batches) {
        ask_for(a + (batch + 2) * count, count);
        ask_for(b + (batch + 2) * count, count);
      }
      gemm_batched::multiply(m, a + batch * count, b + batch * count, kept);
      stream_runs<1>(
          0, count, 0, c + batch * count, [&kept](std::int64_t i) { return kept[i]; },
          [](std::int64_t) { return NoPatch{}; });
    }
    stream_fence();
  }
}

const char* refuse_large(const Problem& problem, const int*) {
  return gemm_batched::size_of(problem) > longest
             ? "only for matrices of at most 64 rows, whose product fits in the L1 cache"
             : nullptr;
}

}  // namespace streaming

}  // namespace

std::vector<Variant> gemm_batched_openmp() {
  return {
      {.name = "simd",
       .description = "threads over matrices, blocks of C in registers",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
      {.name = "streaming",
       .description = "threads take 16 matrices at a time dynamically; stores bypass the caches",
       .launch = SEXTANT_FLOAT_DOUBLE(streaming::launch),
       .constraint = streaming::refuse_large,
       .for_large_arrays = true},
  };
}

}  // namespace sextant
