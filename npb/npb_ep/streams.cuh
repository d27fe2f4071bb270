// CUDA kernel `streams` for NAS EP. As many threads run as the GPU can hold, each with a contiguous range of
// the random sequence. A thread keeps its sums and counts in registers. Rare pairs with max(|X|, |Y|) >= 3
// are counted by atomic operations in shared memory. The logarithm uses a table in shared memory and a
// polynomial (table.hpp). Each block stores its sums; the last block to finish adds them.
//
// Double-precision operations are the bottleneck, so integer operations replace them where possible.
// docs/explanation/programs/npb_ep.md counts the operations per pair for compute capability 9.0.
#pragma once

#include "table.hpp"
#include "toolbox/cuda/estimate.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant::ep {

// Parameters of a launch. They are kernel parameters, because instructions read those without a separate
// load.
struct Stretch {
  std::uint64_t shifted;  // generator state before the first pair, shifted left by 6 bits
  std::int64_t pairs, pairs_a_thread;
  std::uint64_t
      jumps[32];  // 5^(13 * 2 * pairs_a_thread * 2^i): factors that lead to a thread's starting state
  LogPolynomial polynomial;
  int copies_log2;       // shared memory holds 2^copies_log2 copies of each table entry
  unsigned shift, mask;  // map the high word of t to the byte offset of its table entry
  std::uint32_t
      multiplier;     // 5^13; a run-time value, because the compiler expands the constant into slower code
  int exponent_of_2;  // 0x40000000; a run-time value for the same reason
};

struct Registers {
  double sx = 0, sy = 0, abs_sx = 0, abs_sy = 0;
  // Accepted pairs, and pairs with max(|X|, |Y|) of at least 1 and 2.
  int accepted = 0, from_1 = 0, from_2 = 0;
};

// Advances the random number generator and returns 2 r - 1. The state is shifted left by 6 bits, so that its
// bits become a mantissa and products need no mask.
__device__ __forceinline__ double next_symmetric(std::uint64_t& shifted, const Stretch& stretch) {
  shifted *= stretch.multiplier;
  const int high = (static_cast<int>(shifted >> 32) & 0xFFFFF) | stretch.exponent_of_2;
  return __hiloint2double(high, static_cast<int>(shifted)) - 3.0;
}

// Values that a thread keeps in registers for the whole kernel.
struct Held {
  unsigned table;           // shared-memory address of the thread's copy of the table
  double q, three_eighths;  // the polynomial's first coefficient, and 3/8
};

// Returns sqrt(w / t) without a division, for w, t > 0 and normal w t. Let y be the hardware's estimate of
// 1/sqrt(w t) and e = 1 - w t y^2. Then the root is w y (1 - e)^-1/2. The series to e^2 leaves 5/16 e^3, far
// below a rounding for |e| < 2^-19. The error is about 3 u (u = unit roundoff). Returns 0 if `counts` is
// false, for any w and t.
__device__ __forceinline__ double root_of_quotient(double w, double t, bool counts, const Held& held) {
  const double estimate = reciprocal_root_estimate(w * t);
  const double y = __hiloint2double(counts ? __double2hiint(estimate) : 0, 0);
  const double root = w * y, e = fma(-root, t * y, 1.0);
  return fma(root * e, fma(held.three_eighths, e, 0.5), root);
}

// High 32-bit words of the doubles 1, 2 and 3.
constexpr int word_of_1 = 0x3FF00000, word_of_2 = 0x40000000, word_of_3 = 0x40080000;
constexpr int table_end = word_of_1 - (table_binades << 20);

// Returns -2 ln t from the table, for t in [2^-16, 1).
template <int bits>
__device__ __forceinline__ double table_log(double t, const Stretch& stretch, const Held& held) {
  const unsigned offset = (static_cast<unsigned>(__double2hiint(t)) >> stretch.shift) & stretch.mask;
  const double2 entry = load_shared(held.table + offset);
  return minus_twice_log<bits>({entry.x, entry.y}, held.q, stretch.polynomial, t);
}

// Adds a rare pair: max(|X|, |Y|) >= 3, or t below the table's range. A small t also implies max >= 3,
// because max^2 >= -ln t > 11. It is multiplied by 2^16 until the table covers it. All threads of the block
// count rare pairs in far_rings.
template <int bits>
__device__ inline void add_far_pair(double x, double y, double t, int larger, const Stretch& stretch,
                                    const Held& held, Registers& mine, unsigned* far_rings) {
  if (__double2hiint(t) < table_end) {
    double scaled = t, w = 0;
    // Each factor of 2^16 adds 32 ln 2.
    for (; __double2hiint(scaled) < table_end; scaled *= 0x1p16) w += 32 * 0x1.62e42fefa39efp-1;
    w += table_log<bits>(scaled, stretch, held);
    const double f = root_of_quotient(w, t, true, held), X = x * f, Y = y * f;
    mine.sx += X, mine.sy += Y;
    mine.abs_sx += fabs(X), mine.abs_sy += fabs(Y);
    ++mine.accepted, ++mine.from_1, ++mine.from_2;
    larger = max(__double2hiint(X) & 0x7FFFFFFF, __double2hiint(Y) & 0x7FFFFFFF);
  }
  atomicAdd(&far_rings[static_cast<int>(__hiloint2double(larger, 0))], 1u);
}

// Adds one pair. Doubles are compared by their high words as integers where the low word cannot matter. This
// keeps the double-precision units free for arithmetic. A t that rounds to 1 is rejected, because x^2 + y^2
// may exceed 1.
template <int bits>
__device__ __forceinline__ void add_pair(std::uint64_t& shifted, const Stretch& stretch, const Held& held,
                                         Registers& mine, unsigned* far_rings) {
  const double x = next_symmetric(shifted, stretch), y = next_symmetric(shifted, stretch);
  const double t = fma(x, x, y * y);
  const int t_word = __double2hiint(t);
  const double w = table_log<bits>(t, stretch, held);
  // Rejected pairs and pairs outside the table's range add nothing.
  const bool counts =
      static_cast<unsigned>(t_word - table_end) < static_cast<unsigned>(word_of_1 - table_end);
  const double f = root_of_quotient(w, t, counts, held);
  const double X = x * f, Y = y * f;
  mine.sx += X, mine.sy += Y;
  mine.abs_sx += fabs(X), mine.abs_sy += fabs(Y);
  const int larger = max(__double2hiint(X) & 0x7FFFFFFF, __double2hiint(Y) & 0x7FFFFFFF);
  if (counts) ++mine.accepted;
  // The sign bit of an integer difference replaces a comparison.
  mine.from_1 += static_cast<unsigned>(word_of_1 - 1 - larger) >> 31;
  mine.from_2 += static_cast<unsigned>(word_of_2 - 1 - larger) >> 31;
  if (larger >= word_of_3 || t_word < table_end)
    add_far_pair<bits>(x, y, t, larger, stretch, held, mine, far_rings);
}

template <typename T>
__device__ T warp_sum(T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
  return value;
}

// Adds the sums of the block's threads in a fixed order and writes them to partial[0 .. partial_values).
// `scratch` must have 8 doubles per warp.
__device__ inline void write_partial(const Registers& mine, const unsigned* far_rings, double* scratch,
                                     double* partial) {
  const double accepted_here = mine.accepted, from_1_here = mine.from_1, from_2_here = mine.from_2;
  const double values[7] = {mine.sx,       mine.sy,     mine.abs_sx, mine.abs_sy,
                            accepted_here, from_1_here, from_2_here};
#pragma unroll
  for (int i = 0; i < 7; ++i) {
    const double sum = warp_sum(values[i]);
    if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32 * 8 + i] = sum;
  }
  __syncthreads();
  if (threadIdx.x >= 32) return;
  double sum = 0;
  if (threadIdx.x < 7)
    for (int warp = 0; warp < blockDim.x / 32; ++warp) sum += scratch[warp * 8 + threadIdx.x];
  const double accepted = __shfl_sync(~0u, sum, 4), from_1 = __shfl_sync(~0u, sum, 5),
               from_2 = __shfl_sync(~0u, sum, 6);
  const int l = static_cast<int>(threadIdx.x) - 4;
  if (l < 0) {
    partial[threadIdx.x] = sum;
  } else if (l < ring_count) {
    double from_3 = 0;
    for (int k = 3; k < ring_count; ++k) from_3 += far_rings[k];
    partial[threadIdx.x] = l == 0   ? accepted - from_1
                           : l == 1 ? from_1 - from_2
                           : l == 2 ? from_2 - from_3
                                    : double(far_rings[l]);
  }
}

// Adds the partial sums of all blocks in block order, with one warp per value.
__device__ inline void add_partials(const double* partials, int blocks, double* total, double* sums,
                                    double* counts) {
  for (int value = threadIdx.x / 32; value < partial_values; value += blockDim.x / 32) {
    double sum = 0;
    for (int block = threadIdx.x % 32; block < blocks; block += 32)
      sum += __ldcg(&partials[block * partial_values + value]);
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0) total[value] = sum;
  }
  __syncthreads();
  const int i = threadIdx.x;
  if (i < 4) sums[i] = total[i];
  if (i < ring_count) counts[i] = total[4 + i];
  if (i == 0) {
    double accepted = 0;
    for (int l = 0; l < ring_count; ++l) accepted += total[4 + l];
    sums[4] = accepted;
  }
}

// Copies each table entry to 2^copies_log2 adjacent positions of shared memory. Eight copies avoid bank
// conflicts within a quarter warp, whose lanes access memory together.
template <int bits>
__device__ __forceinline__ void spread_table(const LogEntry* __restrict__ entries, int copies_log2,
                                             LogEntry* copies) {
  for (int i = threadIdx.x; i < table_binades << (bits + copies_log2); i += blockDim.x)
    copies[i] = entries[i >> copies_log2];
}

// Returns the generator state before the pairs of thread number `thread`, shifted left by 6 bits.
__device__ __forceinline__ std::uint64_t start_of(unsigned thread, const Stretch& stretch) {
  std::uint64_t shifted = stretch.shifted;
  for (unsigned left = thread, i = 0; left != 0; left >>= 1, ++i)
    if (left & 1) shifted *= stretch.jumps[i];
  return shifted;
}

template <int bits, int unroll>
__device__ __forceinline__ void add_pairs(int left, std::uint64_t shifted, const Stretch& stretch,
                                          const Held& held, Registers& mine, unsigned* far_rings) {
#pragma unroll 1
  for (; left >= unroll; left -= unroll)
#pragma unroll
    for (int u = 0; u < unroll; ++u) add_pair<bits>(shifted, stretch, held, mine, far_rings);
#pragma unroll 1
  for (; left > 0; --left) add_pair<bits>(shifted, stretch, held, mine, far_rings);
}

// Returns true in all threads of the last block to finish, which then sees the writes of all other blocks.
// `arrived` counts the blocks in global memory; `last` must be in shared memory.
__device__ __forceinline__ bool arrive_last(unsigned* arrived, bool& last) {
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(arrived, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last) return false;
  __threadfence();
  return true;
}

// The kernel of the variant. `entries` must be log_table(bits). `arrived` must be 0 before and is 0
// afterwards. Dynamic shared memory holds the copies of the table.
template <int bits, int unroll>
__global__ void __launch_bounds__(1024)
    streams(const __grid_constant__ Stretch stretch, const LogEntry* __restrict__ entries, double* partials,
            unsigned* arrived, double* sums, double* counts) {
  extern __shared__ __align__(16) char table[];
  __shared__ double scratch[32 * 8];
  __shared__ unsigned far_rings[ring_count];
  __shared__ double constants[2];  // loaded at run time, so that the compiler keeps them in registers
  __shared__ bool last;
  auto* copies = reinterpret_cast<LogEntry*>(table);
  spread_table<bits>(entries, stretch.copies_log2, copies);
  if (threadIdx.x == 0) constants[0] = stretch.polynomial.q[0], constants[1] = 0.375;
  if (threadIdx.x < ring_count) far_rings[threadIdx.x] = 0;
  __syncthreads();

  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const std::int64_t first = thread * stretch.pairs_a_thread;
  const auto count =
      static_cast<int>(max(std::int64_t{0}, min(stretch.pairs_a_thread, stretch.pairs - first)));
  const std::uint64_t shifted = start_of(thread, stretch);
  const unsigned copy = threadIdx.x & ((1u << stretch.copies_log2) - 1);
  const Held held_values{held(shared_address(&copies[copy])), constants[0], constants[1]};
  Registers mine;
  add_pairs<bits, unroll>(count, shifted, stretch, held_values, mine, far_rings);
  __syncthreads();
  write_partial(mine, far_rings, scratch, partials + blockIdx.x * partial_values);

  if (!arrive_last(arrived, last)) return;
  add_partials(partials, static_cast<int>(gridDim.x), scratch, sums, counts);
  if (threadIdx.x == 0) *arrived = 0;
}

}  // namespace sextant::ep
