// C = A*B by blocks whose warps have roles: four copy boxes of A and B into a ring of stages (any n, any alignment of rows:
// what lies outside the matrices comes as zeros), the others multiply, and barriers in shared memory count copies that have
// come and warps that are done. So the multiplying warps have neither addresses nor bounds to compute. The blocks of a
// cluster may share a tile's inner dimension; their sums meet in distributed shared memory, in the order of the parts.
// Machine code for compute capability 9.0a (registers move from the copying warps to the multiplying ones).
#pragma once

#include <cooperative_groups.h>

#include "bulk_tensor.cuh"
#include "register_tile.cuh"
#include "tiles.cuh"
#include "wgmma.cuh"

namespace sextant::matmul {

inline constexpr int copying_threads = 128;
// Registers of a copying and a multiplying thread: 128 * 56 + 256 * 224 are what a multiprocessor has.
inline constexpr int copying_registers = 56, multiplying_registers = 224;

// The thread's copies so far arrive at the barrier when they have come.
__device__ __forceinline__ void arrive_with_copies(ArrivalBarrier barrier) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(barrier.at) : "memory");
}
template <int threads>
__device__ __forceinline__ void meet_multiplying() {
  asm volatile("bar.sync 1, %0;" ::"n"(threads) : "memory");
}

__device__ __forceinline__ void meet_cluster() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  cooperative_groups::this_cluster().sync();
#endif
}

// K: a shape with T, tile_m, tile_n, depth, slices, group (threads of a slice), threads (that multiply), sums, stages,
// stage_bytes, sum_pitch, load, and what a thread does with a stage.
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

// Stores neighbours of a row of C, at once where rows are aligned.
template <int width, typename T>
__device__ __forceinline__ void store_neighbours(const Neighbours<T>& values, std::int64_t row,
                                                 std::int64_t column, int n, T* c) {
  if (row >= n) return;
  T* to = c + row * n + column;
  if constexpr (width == Neighbours<T>::count) {
    if (column < n) *reinterpret_cast<Neighbours<T>*>(to) = values;
  } else {
#pragma unroll
    for (int i = 0; i < Neighbours<T>::count; ++i)
      if (column + i < n) to[i] = values.at[i];
  }
}

template <typename T>
__device__ __forceinline__ void add_to(Neighbours<T>& sum, const Neighbours<T>& part) {
#pragma unroll
  for (int i = 0; i < Neighbours<T>::count; ++i) sum.at[i] += part.at[i];
}

// The tile's sums, of a block's slices and of a cluster's blocks, are added and stored, by the multiplying threads.
template <typename K, int parts, int width, typename T = typename K::T>
__device__ __forceinline__ void store_tile(unsigned char* shared, const T (&sum)[K::sums], std::int64_t row,
                                           std::int64_t column, int n, T* c) {
  using Values = Neighbours<T>;
  if constexpr (parts == 1 && K::slices == 1) {
    K::for_each(sum, [&](int i, int j, const Values& values) {
      store_neighbours<width>(values, row + i, column + j, n, c);
    });
  } else {
    constexpr int across = K::tile_n / Values::count, all = K::tile_m * across;
    constexpr int slice = K::tile_m * K::sum_pitch;
    T* sums = reinterpret_cast<T*>(shared);
    const auto place = [](int at) { return at / across * K::sum_pitch + at % across * Values::count; };
    meet_multiplying<K::threads>();  // the stages are read
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
        store_neighbours<width>(add_slices(at), row + at / across, column + at % across * Values::count, n,
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
        store_neighbours<width>(total, row + at / across, column + at % across * Values::count, n, c);
      }
      meet_cluster();  // nobody reads this block's sums any more
#endif
    }
  }
}

struct Ring {
  unsigned char* stages;
  std::uint64_t *come, *done;
};

template <typename K, int width>
__device__ __forceinline__ void copy_steps(const Ring& ring, int n, const typename K::T* a,
                                           const typename K::T* b, int row, int column, int first, int end) {
  int slot = 0, parity = 1;
#pragma unroll 1
  for (int step = first; step < end; ++step) {
    ArrivalBarrier(ring.done + slot).wait(parity);
    K::template load<width>(static_cast<int>(threadIdx.x) - K::threads, n, a, b, row, column, step * K::depth,
                            ring.stages + slot * K::stage_bytes);
    arrive_with_copies(ArrivalBarrier(ring.come + slot));
    if (++slot == K::stages) slot = 0, parity ^= 1;
  }
  wait_for_all_but<0>();
}

template <typename K, typename T = typename K::T>
__device__ __forceinline__ void multiply_steps(const Ring& ring, int steps, T (&sum)[K::sums]) {
  int slot = 0, parity = 0;
  const auto stage = [&] { return ring.stages + slot * K::stage_bytes; };
  const auto next = [&] {
    __syncwarp();
    if (threadIdx.x % 32 == 0) ArrivalBarrier(ring.done + slot).arrive();
    if (++slot == K::stages) slot = 0, parity ^= 1;
  };
  if constexpr (K::reads_ahead) {  // operands of half a stage, while the half before is multiplied
    typename K::Operands halves[2];
    ArrivalBarrier(ring.come).wait(0);
    K::read(stage(), 0, halves[0]);
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      K::read(stage(), 1, halves[1]);
      K::add_products(halves[0], sum);
      next();
      if (step + 1 < steps) {
        ArrivalBarrier(ring.come + slot).wait(parity);
        K::read(stage(), 0, halves[0]);
      }
      K::add_products(halves[1], sum);
    }
  } else {
#pragma unroll 1
    for (int step = 0; step < steps; ++step) {
      ArrivalBarrier(ring.come + slot).wait(parity);
      K::multiply(stage(), sum);
      next();
    }
  }
}

// Block x is part x % parts of tile x / parts. There are at least as many steps as parts.
template <typename K, int parts, int width>
__global__ void __launch_bounds__(K::threads + copying_threads, 1)
    roles_product(int n, const typename K::T* __restrict__ a, const typename K::T* __restrict__ b,
                  typename K::T* __restrict__ c, Tiles tiles) {
  if constexpr (have_warp_groups) {
    extern __shared__ __align__(1024) unsigned char ring_memory[];
    auto* come = reinterpret_cast<std::uint64_t*>(ring_memory + roles_buffer<K, parts>);
    const Ring ring{ring_memory, come, come + K::stages};
    if (threadIdx.x == 0)
      for (int s = 0; s < K::stages; ++s) {
        ArrivalBarrier(ring.come + s).start(copying_threads);
        ArrivalBarrier(ring.done + s).start(K::threads / 32);
      }
    const Tiles::Place place = tiles.place(static_cast<int>(blockIdx.x) / parts);
    const int row = place.row * K::tile_m, column = place.column * K::tile_n;
    const int part = static_cast<int>(blockIdx.x) % parts, steps = (n + K::depth - 1) / K::depth;
    const int first = steps * part / parts, end = steps * (part + 1) / parts;
    __syncthreads();
    if (threadIdx.x >= K::threads) {
      give_registers<copying_registers>();
      copy_steps<K, width>(ring, n, a, b, row, column, first, end);
      if constexpr (parts > 1) {  // as many as the multiplying threads do
        meet_cluster();
        meet_cluster();
      }
    } else {
      take_registers<multiplying_registers>();
      typename K::T sum[K::sums] = {};
      multiply_steps<K>(ring, end - first, sum);
      store_tile<K, parts, width>(ring_memory, sum, row, column, n, c);
    }
  }
}

// ---- on the host

template <typename K, int parts, typename T = typename K::T>
auto roles_kernel(std::int64_t n) {
  constexpr int width = Neighbours<T>::count;
  return n % width == 0 ? roles_product<K, parts, width> : roles_product<K, parts, 1>;
}

// Returns null, or why it cannot be.
template <typename K, int parts>
const char* prepare_roles(std::int64_t n) {
  if ((n + K::depth - 1) / K::depth < parts) return "the inner dimension has fewer steps than parts";
  if (cudaFuncSetAttribute(roles_kernel<K, parts>(n), cudaFuncAttributeMaxDynamicSharedMemorySize,
                           roles_bytes<K, parts>) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // the refusal must not be found by a later check
  return "this GPU has too little shared memory for the tile";
}

template <typename K, int parts, typename T = typename K::T>
void launch_roles(std::int64_t n, const T* a, const T* b, T* c, cudaStream_t stream) {
  const Tiles tiles = tiles_of(n, K::tile_m, K::tile_n, 8);
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim = {parts, 1, 1};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(tiles.count() * parts));
  config.blockDim = dim3(K::threads + copying_threads);
  config.dynamicSmemBytes = roles_bytes<K, parts>;
  config.stream = stream;
  config.attrs = &cluster;
  config.numAttrs = parts > 1 ? 1 : 0;
  cudaLaunchKernelEx(&config, roles_kernel<K, parts>(n), static_cast<int>(n), a, b, c, tiles);
}

}  // namespace sextant::matmul
