// Prefix sums over tiles in one cooperative launch. In each round, every block processes one tile. Bulk
// copies prefetch the block's tiles into a ring buffer in shared memory. A block sums and publishes a tile
// (lookback.cuh) `lead` rounds before it writes the tile's results. The sum before a tile is the total of the
// previous rounds plus the published sums of earlier tiles of this round. The order of additions is the same
// in every launch.
//
// A form describes the work on a tile:
//   struct Form {
//     using Element, Sum;                                // element type of the arrays; type of the sums
//     static constexpr int block, tile, stages, per_sm;  // worker threads; elements per tile; tiles in the
//                                                        // ring (> lead); blocks per multiprocessor
//     static constexpr std::size_t own_bytes;            // extra shared memory, a multiple of 128
//     static constexpr Element filler;                   // padding after the last element; adds nothing
//     struct Task;                                       // the arrays that it reads and writes
//     static Sum count(const Element* tile);             // sum of the warp's slice, in all lanes
//     static void write(const Task&, const Element* tile, unsigned char* own, std::int64_t first,
//                       std::int64_t n, Sum before, Sum before_warp, Sum of_tile);
//     static void total(const Task&, Sum all);           // sum of all tiles, called by one thread
//   };
#pragma once

#include <algorithm>

#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/bulk_copy.cuh"
#include "toolbox/cuda/lookback.cuh"

namespace sextant::rounds {

inline constexpr int lead = 2;

template <typename Form>
struct Shared {
  static constexpr int warps = Form::block / 32;
  typename Form::Element ring[Form::stages][Form::tile];
  alignas(128) unsigned char own[Form::own_bytes ? Form::own_bytes : 128];
  std::uint64_t come[Form::stages];
  // Sum of each warp, later replaced by the sum of the warps before it. Indexed by round % (lead + 1).
  typename Form::Sum before_warp[lead + 1][warps];
  typename Form::Sum of_tile[lead + 1], before;
  lookback::Tile place;  // its `number` is the index of the block within a round
};

// Returns the number of tiles that the ring buffer can hold (at most 6) if `blocks` blocks share a
// multiprocessor. `extra_bytes`: further shared memory per block. Shapes with fewer than lead + 1 tiles are
// not used.
constexpr int slots_for(int tile_bytes, int blocks, int extra_bytes = 0) {
  const int slots = (224 * 1024 / blocks - 2048 - extra_bytes) / tile_bytes;
  return slots > 6 ? 6 : slots;
}

inline std::int64_t tiles_of(std::int64_t n, int tile) { return (n + tile - 1) / tile; }

// The words of a descriptor as they were read from memory.
template <typename T>
struct Answer {
  unsigned long long word[lookback::Descriptor<T>::words];

  __device__ __forceinline__ void ask(const lookback::Descriptor<T>* descriptor) {
    if constexpr (sizeof(T) == 4)
      asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(word[0]) : "l"(descriptor) : "memory");
    else
      asm volatile("ld.relaxed.gpu.global.v2.u64 {%0, %1}, [%2];"
                   : "=l"(word[0]), "=l"(word[lookback::Descriptor<T>::words - 1])
                   : "l"(descriptor)
                   : "memory");
  }
  // Returns true if all words belong to launch `epoch`, and stores the value. Otherwise stores 0.
  __device__ __forceinline__ bool has(unsigned epoch, T& value) const {
    lookback::Bits<T> bits;
    bool there = true;
#pragma unroll
    for (int w = 0; w < lookback::Descriptor<T>::words; ++w) {
      bits.part[w] = static_cast<unsigned>(word[w]);
      there = there && static_cast<unsigned>(word[w] >> 32) == lookback::tag_of(epoch, lookback::of_tile);
    }
    value = there ? bits.value : T(0);
    return there;
  }
};

// The work of a block's last warp: it copies tiles in and exchanges sums with the other blocks.
template <typename Form>
struct Messenger {
  using Element = typename Form::Element;
  using Sum = typename Form::Sum;
  Shared<Form>& shared;
  const lookback::DescriptorArray<Sum>& descriptors;
  const Element* a;
  std::int64_t n, tiles, staying;
  int lane;
  Sum carry = 0;  // sum of all tiles of the previous rounds
  static constexpr int each =
      (Form::per_sm * 132 + 31) / 32;  // number of descriptors that each lane reads together
  Answer<Sum> asked[each] = {};

  __device__ __forceinline__ std::int64_t tile_of(std::int64_t round) const {
    return round * gridDim.x + shared.place.number;
  }

  // Starts the copy of the tile that the block processes in this round.
  __device__ __forceinline__ void bring(std::int64_t round) {
    const auto slot = static_cast<int>(round % Form::stages);
    Element* to = shared.ring[slot];
    const std::int64_t first = tile_of(round) * Form::tile;
    const int count = static_cast<int>(min(static_cast<std::int64_t>(Form::tile), n - first));
    const int bytes = count * static_cast<int>(sizeof(Element)) & ~15;
    for (int i = bytes / static_cast<int>(sizeof(Element)) + lane; i < Form::tile; i += 32)
      to[i] = i < count ? a[first + i] : Form::filler;
    if (lane > 0) {
      bulk::arrive(&shared.come[slot]);
      return;
    }
    bulk::expect(&shared.come[slot], bytes);
    if (bytes > 0 && first < staying) bulk::copy(to, a + first, bytes, &shared.come[slot]);
    if (bytes > 0 && first >= staying) bulk::copy_leaving_first(to, a + first, bytes, &shared.come[slot]);
  }

  // Publishes the sum of the tile that the block processes in this round.
  __device__ __forceinline__ void post(std::int64_t round) {
    constexpr int warps = Shared<Form>::warps;
    const auto turn = static_cast<int>(round % (lead + 1));
    const Sum mine = lane < warps ? shared.before_warp[turn][lane] : Sum(0);
    const Sum upto = warp_inclusive_sum(mine);
    if (lane < warps) shared.before_warp[turn][lane] = upto - mine;
    if (lane < 31) return;
    shared.of_tile[turn] = upto;
    lookback::post(&descriptors.data[tile_of(round)], upto,
                   lookback::tag_of(shared.place.epoch, lookback::of_tile));
  }

  // Starts reading the descriptors of a round from index `window` on, as many as the warp can read together.
  __device__ __forceinline__ void ask(std::int64_t round, int window) {
    const auto last =
        static_cast<int>(min(static_cast<std::int64_t>(gridDim.x), tiles - round * gridDim.x)) - 1;
#pragma unroll
    for (int e = 0; e < each; ++e)
      asked[e].ask(&descriptors.data[round * gridDim.x + min(window + 32 * e + lane, last)]);
  }

  // Computes the sum before the block's tile in this round. `ask` must have requested the first window of
  // descriptors.
  __device__ __forceinline__ void gather(std::int64_t round, int& peeks) {
    const int members =
        static_cast<int>(min(static_cast<std::int64_t>(gridDim.x), tiles - round * gridDim.x));
    Sum all = 0, below = 0;
    for (int window = 0; window < members; window += 32 * each) {
      if (window > 0) ask(round, window);
      Sum values[each];
      for (;;) {
        bool missing = false;
#pragma unroll
        for (int e = 0; e < each; ++e) missing |= !asked[e].has(shared.place.epoch, values[e]);
        if (!__any_sync(~0u, missing)) break;
        if (--peeks <= 0) {
          descriptors.poll_limit.give_up();
          break;
        }
        ask(round, window);
      }
#pragma unroll
      for (int e = 0; e < each; ++e) {
        const int other = window + 32 * e + lane;
        if (other < members) all += values[e];
        if (other < static_cast<int>(shared.place.number)) below += values[e];
      }
    }
    below = warp_sum(below);
    if (lane == 0) shared.before = carry + below;
    carry += warp_sum(all);
  }
};

template <typename Form>
__global__ void __launch_bounds__(Form::block + 32, Form::per_sm)
    run(typename Form::Task task, std::int64_t n, const typename Form::Element* a, std::int64_t staying,
        lookback::DescriptorArray<typename Form::Sum> descriptors) {
  if constexpr (bulk::available) {
    using Sum = typename Form::Sum;
    extern __shared__ __align__(128) unsigned char memory[];
    auto& shared = *reinterpret_cast<Shared<Form>*>(memory);
    if (threadIdx.x == 0) {
      shared.place = lookback::take(descriptors);
      for (auto& barrier : shared.come) bulk::start(&barrier, 32);
      bulk::barriers_started();
    }
    __syncthreads();
    const std::int64_t tiles = (n + Form::tile - 1) / Form::tile;
    const std::int64_t place = shared.place.number;
    const std::int64_t mine = place < tiles ? (tiles - place - 1) / gridDim.x + 1 : 0;
    const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
    if (warp == Form::block / 32) {
      Messenger<Form> messenger{shared, descriptors, a, n, tiles, staying, lane};
      int peeks = descriptors.poll_limit.peeks;
      for (int i = 0; i < Form::stages && i < mine; ++i) messenger.bring(i);
      for (std::int64_t round = -lead; round < mine; ++round) {
        if (round >= 0) messenger.gather(round, peeks);
        __syncthreads();
        if (round + lead < mine) messenger.post(round + lead);
        if (round >= -1 && round + 1 < mine) messenger.ask(round + 1, 0);
        if (lane == 0 && round >= 0 && messenger.tile_of(round) == tiles - 1)
          Form::total(task, shared.before + shared.of_tile[round % (lead + 1)]);
        __syncthreads();
        if (round >= 0 && round + Form::stages < mine) messenger.bring(round + Form::stages);
      }
    } else {
      int slot = 0, parity = 0;  // ring slot and phase parity of the tile that is summed next
      int old = 0, turn = 0;     // ring slot of the tile that is written next, and index of its sums
      for (std::int64_t round = -lead; round < mine; ++round) {
        if (round + lead < mine) {
          bulk::wait(&shared.come[slot], parity);
          const Sum sum = Form::count(shared.ring[slot]);
          if (lane == 0) shared.before_warp[(round + lead) % (lead + 1)][warp] = sum;
          if (++slot == Form::stages) slot = 0, parity ^= 1;
        }
        __syncthreads();
        if (round >= 0) {
          Form::write(task, shared.ring[old], shared.own, (round * gridDim.x + place) * Form::tile, n,
                      shared.before, shared.before_warp[turn][warp], shared.of_tile[turn]);
          if (++old == Form::stages) old = 0;
          if (++turn == lead + 1) turn = 0;
        }
        __syncthreads();
      }
    }
  }
}

// Launches as many blocks as can run at once. Elements of `a` from index `staying` on are marked for early
// eviction from the L2 cache.
template <typename Form>
void launch(const typename Form::Task& task, std::int64_t n, const typename Form::Element* a,
            std::int64_t staying, const lookback::DescriptorArray<typename Form::Sum>& descriptors,
            cudaStream_t stream) {
  auto* kernel = run<Form>;
  constexpr std::size_t bytes = sizeof(Shared<Form>);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  const std::int64_t tiles = tiles_of(n, Form::tile),
                     blocks = std::min<std::int64_t>(tiles, std::int64_t{Form::per_sm} * multiprocessors());
  auto task_copy = task;
  auto descriptors_copy = descriptors;
  void* arguments[] = {&task_copy, &n, &a, &staying, &descriptors_copy};
  cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(static_cast<unsigned>(blocks)),
                              dim3(Form::block + 32), arguments, bytes, stream);
}

}  // namespace sextant::rounds
