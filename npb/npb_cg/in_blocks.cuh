// Matrix-vector product q = A p with one tile of the matrix (blocks.hpp) per thread block. Shared memory
// holds the elements of p for the tile's columns. The matrix is read once from global memory. A tile produces
// partial sums of q, which the threads that own elements of q add.
#pragma once

#include <cuda_runtime.h>

#include "blocks.hpp"
#include "persistent.cuh"

namespace sextant::npb_cg {
namespace {

struct DeviceBlocks {
  std::int64_t n;
  int across, width;  // number of blocks of columns; columns per block
  const std::int32_t *first_row, *tile_batches, *warp_batches, *warp_slices, *slice_rows;
  const Pair* values;
  const std::uint32_t* places;
  double* parts;  // partial sums of q, n for each block of columns
  int kept;       // number of batches per warp that should stay in the L2 cache
};

__device__ __forceinline__ std::uint64_t keep_policy() {
  std::uint64_t policy;
  asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}
__device__ __forceinline__ std::uint64_t stream_policy() {
  std::uint64_t policy;
  asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
  return policy;
}

__device__ __forceinline__ Pair load_pair(const Pair* from, std::uint64_t policy) {
  Pair pair;
  asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v2.f64 {%0, %1}, [%2], %3;"
               : "=d"(pair.first), "=d"(pair.second)
               : "l"(from), "l"(policy));
  return pair;
}
__device__ __forceinline__ unsigned load_places(const std::uint32_t* from, std::uint64_t policy) {
  unsigned both;
  asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.u32 %0, [%1], %2;"
               : "=r"(both)
               : "l"(from), "l"(policy));
  return both;
}

inline constexpr int stages = 2;  // number of batches per warp that are in flight

// A lane's nonzeros of one batch, which are loaded together.
template <int batch>
struct Steps {
  Pair value[batch];
  unsigned place[batch];
  __device__ __forceinline__ void read(const Pair* values, const std::uint32_t* places,
                                       std::uint64_t policy) {
#pragma unroll
    for (int u = 0; u < batch; ++u) {
      value[u] = load_pair(values + u * 32, policy);
      place[u] = load_places(places + u * 32, policy);
    }
  }
};

// Product of one tile by one thread block with `warps` warps. A warp loads `batch` steps at a time. `alone`
// is true if there is a single block of columns. Then the sums are q itself, and the thread block owns the
// vector elements of its rows.
template <bool alone, int warps, int batch, int lanes>
class InBlocks {
 public:
  static constexpr int threads = 32 * warps;

  __device__ InBlocks(const DeviceBlocks& matrix, double* p) : m_(matrix), p_(p) {
    const int at = static_cast<int>(blockIdx.x) * warps + warp();
    batches_ = m_.warp_batches[at];
    first_batch_ = m_.tile_batches[blockIdx.x] + warp();
    first_slice_ = m_.warp_slices[at];
    start();
  }

  __device__ std::int64_t first() const {
    return alone ? m_.first_row[blockIdx.x] + static_cast<int>(threadIdx.x)
                 : static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
  }
  __device__ std::int64_t stride() const {
    return alone ? threads : static_cast<std::int64_t>(gridDim.x) * threads;
  }
  __device__ std::int64_t end() const { return alone ? m_.first_row[blockIdx.x + 1] : m_.n; }

  __device__ __forceinline__ void load(const double* v) {
    __syncthreads();
    each_pair(v, [](double one, double) { return one; });
  }

  __device__ __forceinline__ void follow(const double* r, double beta) {
    each_pair(r, [=](double of_r, double of_p) { return of_r + beta * of_p; });
  }

  // Computes the product. Row numbers are loaded two slices ahead. At the end, the first batches of the next
  // product are loaded early, so that they arrive while the thread blocks wait for each other.
  __device__ __forceinline__ void multiply() {
    constexpr int rows = 32 / lanes;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const std::int32_t* row = m_.slice_rows + static_cast<std::int64_t>(first_slice_) * rows + lane / lanes;
    double* const parts = m_.parts + static_cast<int>(blockIdx.x) % m_.across * m_.n;
    std::int32_t at = row[0], next = row[rows];
    row += 2 * rows;
    double even = 0, odd = 0;
    const Pair* value = values() + 32 * batch * warps * stages;
    const std::uint32_t* place = places() + 32 * batch * warps * stages;
    const std::uint64_t keep = keep_policy(), stream = stream_policy();
    for (int b = 0; b < batches_; b += stages) {
#pragma unroll
      for (int s = 0; s < stages; ++s) {
        if (b + s >= batches_) break;
#pragma unroll
        for (int u = 0; u < batch; ++u) {
          const unsigned both = coming_[s].place[u];
          even += coming_[s].value[u].first * p_[both & 0x7fff];
          odd += coming_[s].value[u].second * p_[both >> 16 & 0x7fff];
          if (both & last_step) {
            double sum = even + odd;
#pragma unroll
            for (int distance = lanes / 2; distance > 0; distance /= 2)
              sum += __shfl_xor_sync(~0u, sum, distance);
            if (lane % lanes == 0 && at >= 0) __stcg(parts + at, sum);
            even = odd = 0;
            at = next, next = *row, row += rows;
          }
        }
        if (b + s + stages < batches_)
          coming_[s].read(value, place, b + s + stages < m_.kept ? keep : stream);
        value += 32 * batch * warps;
        place += 32 * batch * warps;
      }
    }
    start();
  }

  template <typename Together>
  __device__ __forceinline__ void wait(Together& together) const {
    if constexpr (alone)
      __syncthreads();
    else
      together.wait();
  }

  __device__ __forceinline__ double gather(std::int64_t row) const {
    if constexpr (alone) return __ldcg(m_.parts + row);
    double sum = 0;
#pragma unroll 6
    for (int part = 0; part < m_.across; ++part) sum += __ldcg(m_.parts + part * m_.n + row);
    return sum;
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
                        s < m_.kept ? keep_policy() : stream_policy());
  }

  // Sets p_[i] = combine(v[i], p_[i]) for the tile's columns. Keeps several pairs of loads in flight.
  template <typename Combine>
  __device__ __forceinline__ void each_pair(const double* v, const Combine& combine) {
    const int first = static_cast<int>(blockIdx.x) % m_.across * m_.width,
              count = static_cast<int>(
                  max(std::int64_t{0}, min(m_.n - first, static_cast<std::int64_t>(m_.width))));
    double2* const p = reinterpret_cast<double2*>(p_);
#pragma unroll 8
    for (int i = static_cast<int>(threadIdx.x); i < count / 2; i += threads) {
      const double2 two = __ldcg(reinterpret_cast<const double2*>(v + first) + i), old = p[i];
      p[i] = {combine(two.x, old.x), combine(two.y, old.y)};
    }
    if (count % 2 && threadIdx.x == 0) p_[count - 1] = combine(__ldcg(v + first + count - 1), p_[count - 1]);
    __syncthreads();
  }

  const DeviceBlocks& m_;
  double* const p_;
  int batches_, first_batch_, first_slice_;
  Steps<batch> coming_[stages];
};

}  // namespace
}  // namespace sextant::npb_cg
