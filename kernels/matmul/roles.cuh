// Computes C = A*B with blocks of specialised warps. Four warps copy rectangles ("boxes") of A and B into a
// ring buffer of stages; the other warps multiply. Barriers in shared memory count finished copies, and the
// warps that have read a stage. The multiplying warps compute neither addresses nor bounds. Rows may have any
// alignment. Beyond the end of the inner dimension, zeros are stored.
// The blocks of a cluster may divide a tile's inner dimension among them. They then add their sums through
// distributed shared memory, in the order of the parts. The code needs compute capability 9.0a, because the
// copying warps give registers to the multiplying warps.
#pragma once

#include <cooperative_groups.h>

#include "register_tile.cuh"
#include "tiles.cuh"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/bulk_tensor.cuh"
#include "wgmma.cuh"

namespace sextant::matmul {

using namespace tensor_copies;

inline constexpr int copying_threads = 128;
// Registers per copying and per multiplying thread. Together, 128 * 56 + 256 * 224, they use the whole
// register file of a multiprocessor.
inline constexpr int copying_registers = 56, multiplying_registers = 224;

// Makes the barrier count an arrival when all copies that the thread has started so far are complete.
__device__ __forceinline__ void arrive_with_copies(ArrivalBarrier barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier.at) : "memory");
}
__device__ __forceinline__ void meet_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cooperative_groups::this_cluster().sync();
#endif
}

// In the following templates, K is a tile shape. It defines T, tile_m, tile_n, depth, slices, stages,
// stage_bytes, sum_pitch and moves_sums. It also defines `group` (threads per slice), `threads` (multiplying
// threads) and `sums` (sums per thread). K::load copies the boxes of a stage; other functions multiply and
// store.
template <typename K>
constexpr int ring_bytes = K::stages* K::stage_bytes;
template <typename K, int parts>
constexpr int exchange_bytes =
    parts > 1 || K::slices > 1 ? K::slices* K::tile_m* K::sum_pitch* static_cast<int>(sizeof(typename K::T))
                               : 0;
template <typename K, int parts>
constexpr int roles_buffer =
    ring_bytes<K> > exchange_bytes<K, parts> ? ring_bytes<K> : exchange_bytes<K, parts>;
template <typename K, int parts>
constexpr int roles_bytes = roles_buffer<K, parts> + 16 * K::stages;

template <typename T>
struct alignas(16) Neighbours {
  static constexpr int count = 16 / sizeof(T);
  T at[count];
};

// The work of a block: steps [first, end) along the inner dimension of the tile at (row, column).
// Neighbouring tiles may overlap. Elements in rows before own_row or in columns before own_column also belong
// to another tile.
struct Share {
  int row, column, first, end;
  int own_row, own_column;
};

// Stores neighbouring elements of the tile from element (i, j) on, as one vector if rows of C are aligned.
// With `own`, skips elements that also belong to another tile.
template <int width, bool own, typename T>
__device__ __forceinline__ void store_neighbours(const Neighbours<T>& values, const Share& share, int i,
                                                 int j, int n, T* c) {
  const std::int64_t row = std::int64_t{share.row} + i, column = std::int64_t{share.column} + j;
  if (row >= n || (own && row < share.own_row)) return;
  const auto stored = [&](std::int64_t at) { return at < n && !(own && at < share.own_column); };
  T* to = c + row * n + column;
  if constexpr (width == Neighbours<T>::count) {
    if (stored(column)) *reinterpret_cast<Neighbours<T>*>(to) = values;
  } else {
#pragma unroll
    for (int e = 0; e < Neighbours<T>::count; ++e)
      if (stored(column + e)) to[e] = values.at[e];
  }
}

template <typename T>
__device__ __forceinline__ void add_to(Neighbours<T>& sum, const Neighbours<T>& part) {
#pragma unroll
  for (int i = 0; i < Neighbours<T>::count; ++i) sum.at[i] += part.at[i];
}

// Adds the sums of a block's slices and a cluster's blocks, and stores the tile. All multiplying threads must
// call it.
template <typename K, int parts, int width, bool divides, typename T = typename K::T>
__device__ __forceinline__ void store_tile(unsigned char* shared, const T (&sum)[K::sums], const Share& share,
                                           int n, T* c) {
  using Values = Neighbours<T>;
  if constexpr (parts == 1 && K::slices == 1) {
    K::for_each(sum, [&](int i, int j, const Values& values) {
      store_neighbours<width, divides>(values, share, i, j, n, c);
    });
  } else {
    constexpr int across = K::tile_n / Values::count, all = K::tile_m * across;
    constexpr int slice = K::tile_m * K::sum_pitch;
    T* sums = reinterpret_cast<T*>(shared);
    const auto place = [](int at) { return at / across * K::sum_pitch + at % across * Values::count; };
    meet_multiplying<K::threads>();  // No thread reads a stage after this barrier.
    K::for_each(sum, [&](int i, int j, const Values& values) {
      *reinterpret_cast<Values*>(sums + static_cast<int>(threadIdx.x) / K::group * slice + i * K::sum_pitch +
                                 j) = values;
    });
    const auto add_slices = [&](int at) {
      const T* from = sums + place(at);
      Values total = *reinterpret_cast<const Values*>(from);
#pragma unroll
      for (int s = 1; s < K::slices; ++s) add_to(total, *reinterpret_cast<const Values*>(from + s * slice));
      return total;
    };
    if constexpr (parts == 1) {
      meet_multiplying<K::threads>();
#pragma unroll 2
      for (int at = static_cast<int>(threadIdx.x); at < all; at += K::threads)
        store_neighbours<width, divides>(add_slices(at), share, at / across, at % across * Values::count, n,
                                         c);
    } else {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
      const auto cluster = cooperative_groups::this_cluster();
      if constexpr (K::slices > 1) {
        meet_multiplying<K::threads>();
        for (int at = static_cast<int>(threadIdx.x); at < all; at += K::threads)
          *reinterpret_cast<Values*>(sums + place(at)) = add_slices(at);
      }
      meet_cluster();
      const int part = static_cast<int>(cluster.block_rank());
  #pragma unroll 2
      for (int at = all * part / parts + static_cast<int>(threadIdx.x); at < all * (part + 1) / parts;
           at += K::threads) {
        Values total = *reinterpret_cast<const Values*>(cluster.map_shared_rank(sums + place(at), 0));
  #pragma unroll
        for (int p = 1; p < parts; ++p)
          add_to(total, *reinterpret_cast<const Values*>(cluster.map_shared_rank(sums + place(at), p)));
        store_neighbours<width, divides>(total, share, at / across, at % across * Values::count, n, c);
      }
      meet_cluster();  // No block reads this block's sums after this barrier.
#endif
    }
  }
}

// Copies the sums from the accumulators to other registers. A store of a vector of four needs consecutive
// registers, and so does a load of four elements of B. If the accumulators were consecutive, a sum and its
// element of B would be in the same register bank. The copy adds zero in a form that the compiler cannot
// remove, because it does not know that n is not negative.
template <int count, typename T>
__device__ __forceinline__ void move_sums(int n, T (&sum)[count]) {
  const auto zero = static_cast<T>(n >> 31);
#pragma unroll
  for (int i = 0; i < count; ++i) sum[i] += zero;
}

struct Ring {
  unsigned char* stages;
  std::uint64_t *come, *done;
};

template <typename K>
__device__ __forceinline__ Share share_of(int n, const Tiles& tiles, const Part& of) {
  const auto [tile, part, parts] = of;
  const Tiles::Place place = tiles.place(tile);
  const int steps = (n + K::depth - 1) / K::depth;
  const int row = place.row * K::tile_m, column = place.column * K::tile_n;
  return {row, column, steps * part / parts, steps * (part + 1) / parts, row, column};
}

// Moves tiles that would exceed the last row or column inside the matrices. The matrices must have at least
// as many rows as a tile. An element of two tiles gets bitwise equal results from both, unless one of the
// tiles is divided.
template <typename K>
__device__ __forceinline__ Share inside(int n, Share share) {
  share.row = min(share.row, n - K::tile_m);
  share.column = min(share.column, n - K::tile_n);
  return share;
}

// Addresses in A and B from which a thread copies in one step.
template <typename T>
struct Sources {
  const T *a, *b;
};

// Issues a copying thread's copies for all steps. Each copy needs only one extra instruction, for its
// address. Tiles lie inside the matrices, so only the last step checks bounds, those of the inner dimension.
template <typename K, int width>
__device__ __forceinline__ void copy_steps(const Ring& ring, int n, const typename K::T* a,
                                           const typename K::T* b, const Share& share) {
  const int thread = static_cast<int>(threadIdx.x) - K::threads;
  auto from = K::template sources<width>(thread, n, a, b, share.row, share.column, share.first * K::depth);
  int slot = 0, parity = 1;
#pragma unroll 1
  for (int step = share.first; step < share.end; ++step) {
    ArrivalBarrier(ring.done + slot).wait(parity);
    unsigned char* const stage = ring.stages + slot * K::stage_bytes;
    const int left = n - step * K::depth;
    if (left >= K::depth)
      K::template load<width, true>(thread, n, from, left, stage);
    else
      K::template load<width, false>(thread, n, from, left, stage);
    from.a += K::depth;
    from.b += std::int64_t{K::depth} * n;
    arrive_with_copies(ArrivalBarrier(ring.come + slot));
    if (++slot == K::stages) slot = 0, parity ^= 1;
  }
  wait_for_all_but<0>();
}

// A multiplying warp's position in the ring buffer.
template <typename K>
struct RingPlace {
  const Ring& ring;
  int slot = 0, parity = 0;
  __device__ explicit RingPlace(const Ring& whole) : ring(whole) {}
  __device__ __forceinline__ const unsigned char* stage() const {
    return ring.stages + slot * K::stage_bytes;
  }
  // Waits until the stage has arrived, and returns its address.
  __device__ __forceinline__ const unsigned char* wait() const {
    ArrivalBarrier(ring.come + slot).wait(parity);
    return stage();
  }
  // Releases this stage to the copying warps. `word` makes the arrival depend on the last load, so that no
  // load is in flight when the stage is overwritten. The code adds `word & sign of the address`. The sign of
  // a shared-memory address is always zero, but the compiler does not know that.
  __device__ __forceinline__ void leave(unsigned word = 0) {
    __syncwarp();
    if (threadIdx.x % 32 == 0) {
      ArrivalBarrier done(ring.done + slot);
      done.at += word & static_cast<unsigned>(static_cast<int>(done.at) >> 31);
      done.arrive();
    }
    if (++slot == K::stages) slot = 0, parity ^= 1;
  }
};

template <typename K, typename T = typename K::T>
__device__ __forceinline__ void multiply_steps(const Ring& ring, int steps, T (&sum)[K::sums]) {
  RingPlace<K> place(ring);
  // Reads the operands of one half of a stage while multiplying those of the previous half.
  if constexpr (K::reads_ahead) {
    typename K::Operands halves[2];
    K::read(place.wait(), 0, halves[0]);
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      K::read(place.stage(), 1, halves[1]);
      K::add_products(halves[0], sum);
      place.leave();
      if (step + 1 < steps) K::read(place.wait(), 0, halves[0]);
      K::add_products(halves[1], sum);
    }
  } else {
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      K::multiply(place.wait(), sum);
      place.leave();
    }
  }
}

template <typename K, int parts, int width, bool divides>
__global__ void __launch_bounds__(K::threads + copying_threads, 1)
    roles_product(int n, const typename K::T* __restrict__ a, const typename K::T* __restrict__ b,
                  typename K::T* __restrict__ c, Tiles tiles, TileDistribution distribution) {
  if constexpr (have_warp_groups) {
    extern __shared__ __align__(1024) unsigned char ring_memory[];
    auto* come = reinterpret_cast<std::uint64_t*>(ring_memory + roles_buffer<K, parts>);
    const Ring ring{ring_memory, come, come + K::stages};
    if (threadIdx.x == 0)
      for (int s = 0; s < K::stages; ++s) {
        ArrivalBarrier(ring.come + s).start(copying_threads);
        ArrivalBarrier(ring.done + s).start(K::threads / 32);
      }
    const Part part = part_of_block<parts, divides>(distribution);
    const Share share = inside<K>(n, share_of<K>(n, tiles, part));
    __syncthreads();
    if (threadIdx.x >= K::threads) {
      give_registers<copying_registers>();
      copy_steps<K, width>(ring, n, a, b, share);
      // A cluster barrier waits for all threads. The copying threads therefore pass as many of these barriers
      // as the multiplying threads.
      if constexpr (parts > 1) {
        meet_cluster();
        meet_cluster();
      }
    } else {
      take_registers<multiplying_registers>();
      typename K::T sum[K::sums] = {};
      multiply_steps<K>(ring, share.end - share.first, sum);
      if constexpr (K::moves_sums) move_sums(n, sum);
      if constexpr (divides)
        if (part.parts > 1 && !add_parts<K>(distribution, part, reinterpret_cast<int*>(ring_memory), sum))
          return;
      store_tile<K, parts, width, divides>(ring_memory, sum, share, n, c);
    }
  }
}

// ---- host code

template <typename K, int parts, bool divides>
auto roles_kernel(std::int64_t n) {
  constexpr int width = Neighbours<typename K::T>::count;
  return n % width == 0 ? roles_product<K, parts, width, divides> : roles_product<K, parts, 1, divides>;
}

template <typename K, int parts>
auto roles_kernel(std::int64_t n) {
  if constexpr (may_divide<K, parts>)
    if (distribution_of<K, parts>(n).divided() > 0) return roles_kernel<K, parts, true>(n);
  return roles_kernel<K, parts, false>(n);
}

// Allocates the workspace for a distribution of the tiles. Returns a null pointer, or the reason for the
// failure.
template <typename K, int parts, typename Kernel>
const char* prepare_shares(std::int64_t n, Kernel kernel, void** memory) {
  if (steps_of<K>(n) < parts) return "the inner dimension has fewer steps than split_k";
  const auto bytes = static_cast<std::size_t>(roles_workspace<K, parts>(n));
  const char* problem = nullptr;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, roles_bytes<K, parts>) !=
      cudaSuccess)
    problem = "this GPU has too little shared memory for the tile";
  else if (bytes > 0 &&
           (cudaMalloc(memory, bytes) != cudaSuccess || cudaMemset(*memory, 0, bytes) != cudaSuccess))
    problem = "no device memory for the partial sums of split tiles";
  if (problem) cudaGetLastError();  // Clears the error; a later check would report it.
  return problem;
}

// Launches the blocks that compute all tiles, in clusters of `parts` blocks. With `follows`, the launch may
// begin before the previous launch ends. The kernel then waits for that launch's results.
template <typename K, int parts, typename... Parameters, typename... Arguments>
void launch_shares(std::int64_t n, void* memory, bool follows, cudaStream_t stream,
                   void (*kernel)(Parameters...), Arguments... arguments) {
  const TileDistribution distribution = distribution_of<K, parts>(n, memory);
  cudaLaunchAttribute attributes[2]{};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(distribution.blocks()));
  config.blockDim = dim3(K::threads + copying_threads);
  config.dynamicSmemBytes = roles_bytes<K, parts>;
  config.stream = stream;
  config.attrs = attributes;
  if (parts > 1) {
    cudaLaunchAttribute& cluster = attributes[config.numAttrs++];
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {parts, 1, 1};
  }
  if (follows) {
    cudaLaunchAttribute& serialised = attributes[config.numAttrs++];
    serialised.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    serialised.val.programmaticStreamSerializationAllowed = 1;
  }
  cudaLaunchKernelEx(&config, kernel, static_cast<int>(n), arguments..., band_of_tiles<K>(n), distribution);
}

}  // namespace sextant::matmul
