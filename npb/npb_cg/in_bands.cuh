// The product by bands (bands.hpp), a thread block each: sums of its rows stay in shared memory, where blocks of p come
// one after the other; the matrix streams past once, and nothing else of the product crosses memory.
#pragma once

#include <cuda_runtime.h>

#include "bands.hpp"
#include "in_blocks.cuh"

namespace sextant::npb_cg {
namespace {

struct DeviceBands {
  std::int64_t n;
  int columns, blocks;
  const std::int32_t *first_row, *band_batches, *warp_batches, *warp_slices;
  const std::uint16_t* rows;
  const Pair* values;
  const std::uint32_t* places;
};

// Of one block: a band, by `warps` warps that take `batch` pairs of steps at a time.
template <int warps, int batch>
class InBands {
 public:
  static constexpr int threads = 32 * warps;

  // `shared`: a block of p, then the band's sums.
  __device__ InBands(const DeviceBands& matrix, const double* p, double* shared, Together<warps>& together)
      : m_(matrix), own_p_(p), from_(nullptr), p_(shared), q_(shared + matrix.columns), together_(together) {
    const int at = static_cast<int>(blockIdx.x) * warps + warp();
    batches_ = m_.warp_batches[at];
    first_batch_ = m_.band_batches[blockIdx.x] + warp();
    first_slice_ = m_.warp_slices[at];
    start();
  }

  __device__ std::int64_t first() const { return m_.first_row[blockIdx.x] + static_cast<int>(threadIdx.x); }
  __device__ std::int64_t stride() const { return threads; }
  __device__ std::int64_t end() const { return m_.first_row[blockIdx.x + 1]; }

  __device__ __forceinline__ void load(const double* v) { from_ = v; }
  // Other blocks read the owners' p.
  __device__ __forceinline__ void follow(const double*, double) {
    from_ = own_p_;
    together_.wait();
  }

  __device__ __forceinline__ void multiply() {
    const int lane = static_cast<int>(threadIdx.x) % 32,
              count = static_cast<int>(end() - m_.first_row[blockIdx.x]);
    for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) q_[i] = 0;
    block_ = 0;
    next_block();
    const std::uint16_t* row = m_.rows + static_cast<std::int64_t>(first_slice_) * 32 + lane;
    unsigned at = row[0], next = row[32];
    row += 64;
    double sum = 0;
    const auto end_slice = [&] {
      if (at != no_row) q_[at] += sum;
      sum = 0;
      at = next, next = *row, row += 32;
    };
    const Pair* value = values() + 32 * batch * warps * stages;
    const std::uint32_t* place = places() + 32 * batch * warps * stages;
    for (int b = 0; b < batches_; b += stages) {
#pragma unroll
      for (int s = 0; s < stages; ++s) {
        if (b + s >= batches_) break;
#pragma unroll
        for (int u = 0; u < batch; ++u) {
          const unsigned both = coming_[s].place[u];
          sum += coming_[s].value[u].first * p_[both & (most_band_columns - 1)];
          if (both & ends_slice) end_slice();
          sum += coming_[s].value[u].second * p_[both >> 16 & (most_band_columns - 1)];
          if (both & ends_slice << 16) end_slice();
          if (both & ends_block << 16) next_block();
        }
        if (b + s + stages < batches_) coming_[s].read(value, place, stream_policy());
        value += 32 * batch * warps;
        place += 32 * batch * warps;
      }
    }
    start();
  }

  __device__ __forceinline__ void wait(Together<warps>&) const { __syncthreads(); }
  __device__ __forceinline__ double gather(std::int64_t row) const {
    return q_[row - m_.first_row[blockIdx.x]];
  }

 private:
  static __device__ __forceinline__ int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ __forceinline__ std::int64_t first_entry() const {
    return static_cast<std::int64_t>(first_batch_) * batch * 32 + static_cast<int>(threadIdx.x) % 32;
  }
  __device__ __forceinline__ const Pair* values() const { return m_.values + first_entry(); }
  __device__ __forceinline__ const std::uint32_t* places() const { return m_.places + first_entry(); }

  __device__ __forceinline__ void start() {
#pragma unroll
    for (int s = 0; s < stages; ++s)
      if (s < batches_)
        coming_[s].read(values() + 32 * batch * warps * s, places() + 32 * batch * warps * s,
                        stream_policy());
  }

  // The next block of the vector to shared memory, when all warps are done with the one before; none after the last.
  // Pairs may take an element beyond the vector along, where there is room for it.
  __device__ __forceinline__ void next_block() {
    __syncthreads();
    const int block = block_++;
    if (block >= m_.blocks) return;
    const std::int64_t first = static_cast<std::int64_t>(block) * m_.columns;
    const int pairs = static_cast<int>((min(static_cast<std::int64_t>(m_.columns), m_.n - first) + 1) / 2);
    const double* const from = from_ + first;
    for (int i = static_cast<int>(threadIdx.x); i < pairs; i += threads) {
      const auto to = static_cast<unsigned>(__cvta_generic_to_shared(p_ + 2 * i));
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from + 2 * i) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
  }

  const DeviceBands& m_;
  const double* const own_p_;
  const double* from_;
  double *const p_, *const q_;
  Together<warps>& together_;
  int batches_, first_batch_, first_slice_, block_ = 0;
  Steps<batch> coming_[stages];
};

}  // namespace
}  // namespace sextant::npb_cg
