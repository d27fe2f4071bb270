// Computes C = A*B with persistent blocks, which receive A and B by bulk tensor copies. `bulk_tile` and
// `bulk_tensor` share this pipeline.
#pragma once

#include "suite/variant.hpp"
#include "tiles.cuh"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/bulk_tensor.cuh"

// Stream-K distribution of the tiles of C among persistent blocks. Most tiles are computed whole. The last
// tiles might leave multiprocessors idle. They may therefore be divided along the inner dimension, and their
// steps are distributed evenly over the blocks. The partial sums of a divided tile go through global memory.
// The block that stores a tile's last partial sum adds all of them in the order of the steps. No block waits,
// and results are reproducible.
namespace sextant::matmul {

using namespace tensor_copies;

struct Shares {
  int n, steps;  // matrix side; steps of a tile along the inner dimension
  Tiles tiles;
  // Number of tiles that are not divided; they come first. Block b computes the tiles b, b + blocks, … of
  // them.
  int whole;
  std::int64_t divided;  // steps of all divided tiles together
  // Memory for two partial sums per block: one for the first and one for the last tile in the block's range
  // of steps.
  void* parts = nullptr;
  // For each divided tile, the number of steps whose partial sums are stored. It is zero between launches.
  int* counts = nullptr;

  __device__ __forceinline__ std::int64_t first_step(int block) const {
    return divided * block / static_cast<int>(gridDim.x);
  }
  __device__ __forceinline__ int divided_tile(std::int64_t step) const {
    return static_cast<int>(step / steps);
  }
  // Index in `parts` of the block's partial sum for a divided tile.
  __device__ __forceinline__ std::int64_t part(int block, int tile) const {
    return 2 * std::int64_t{block} + (divided_tile(first_step(block)) == tile ? 0 : 1);
  }
};

// Iterates over a block's steps, tile by tile.
struct Cursor {
  int tile, step, end;
  bool valid;

  __device__ explicit Cursor(const Shares& shares)
      : next_whole_(static_cast<int>(blockIdx.x)),
        next_(shares.first_step(static_cast<int>(blockIdx.x))),
        last_(shares.first_step(static_cast<int>(blockIdx.x) + 1)) {
    next_tile(shares);
  }
  __device__ __forceinline__ void next_tile(const Shares& shares) {
    valid = true;
    if (next_whole_ < shares.whole) {
      tile = next_whole_;
      next_whole_ += static_cast<int>(gridDim.x);
      step = 0;
      end = shares.steps;
    } else if (next_ < last_) {
      const int divided = shares.divided_tile(next_);
      tile = shares.whole + divided;
      step = static_cast<int>(next_ - static_cast<std::int64_t>(divided) * shares.steps);
      const std::int64_t left = last_ - next_;
      end = left < shares.steps - step ? step + static_cast<int>(left) : shares.steps;
      next_ += end - step;
    } else {
      valid = false;
    }
  }

 private:
  int next_whole_;
  std::int64_t next_, last_;
};

// Stores the block's partial sum of a divided tile. Returns true in the block that delivers the last one; its
// `sum` then holds the whole tile. All threads of the block must call it; `last` is a word in shared memory.
template <int threads, int count, typename T>
__device__ __forceinline__ bool add_parts(const Shares& shares, int tile, int steps, int* last,
                                          T (&sum)[count]) {
  const auto at = [&](int block) {
    return static_cast<T*>(shares.parts) + shares.part(block, tile) * (count * threads) + threadIdx.x;
  };
  if (!leave_part<threads>(sum, at(static_cast<int>(blockIdx.x)), shares.counts + tile, steps, shares.steps,
                           last, [] { __syncthreads(); }))
    return false;
  const std::int64_t from = static_cast<std::int64_t>(tile) * shares.steps;
  int block = static_cast<int>(from * static_cast<int>(gridDim.x) / shares.divided);
  while (shares.first_step(block + 1) <= from) ++block;
  while (shares.first_step(block) > from) --block;
#pragma unroll
  for (int i = 0; i < count; ++i) sum[i] = 0;
  for (; shares.first_step(block) < from + shares.steps; ++block) {
    if (shares.first_step(block) == shares.first_step(block + 1)) continue;  // The block has no steps.
    add_part<threads>(at(block), sum);
  }
  return true;
}

// ---- host code

// Distributes the tiles among `blocks` resident blocks, in rounds of one tile per block. With `divide`, the
// tiles of an incomplete last round and of the round before it are divided.
inline Shares shares_of(std::int64_t n, int tile_m, int tile_n, int depth, int blocks, bool divide) {
  Shares shares{static_cast<int>(n), static_cast<int>((n + depth - 1) / depth),
                tiles_of(n, tile_m, tile_n, 8), 0, 0};
  const int tiles = shares.tiles.count(), rounds = tiles / blocks;
  shares.whole = !divide || tiles % blocks == 0 ? tiles : std::max(rounds - 1, 0) * blocks;
  shares.divided = static_cast<std::int64_t>(tiles - shares.whole) * shares.steps;
  return shares;
}
// Returns the number of blocks to launch, at most `blocks`.
inline int blocks_of(const Shares& shares, int blocks) {
  if (shares.divided == 0) return std::min(blocks, shares.whole);
  return shares.whole > 0 ? blocks : static_cast<int>(std::min<std::int64_t>(blocks, shares.divided));
}

// C = A*B by persistent blocks. Bulk tensor copies (TMA) load rectangles ("boxes") of A and B into a ring
// buffer of stages. Barriers count the bytes that arrived and the warps that have finished with a stage. Only
// the thread that requests boxes waits for other warps. Rows that do not start at multiples of 16 bytes are
// first copied to an aligned workspace.

// Position of the next boxes to request. Only the block's first thread uses it. It lies in shared memory to
// save registers.
struct Supply {
  Cursor cursor;
  Tiles::Place place;
  int slot, parity;
};

template <typename K>
struct PipelineMemory {
  std::uint64_t come[K::stages], done[K::stages];
  alignas(Supply) unsigned char supply[sizeof(Supply)];
  int last;
};
template <typename K>
constexpr int pipeline_bytes = K::stages* K::stage_bytes + K::exchange_bytes + int{sizeof(PipelineMemory<K>)};

// In the following templates, K is a tile shape. It defines T, tile_m, tile_n, depth, threads, stages,
// stage_bytes, exchange_bytes and `sums` (sums per thread). K::bring requests the boxes of a stage,
// K::multiply multiplies them, and K::store writes the tile.
template <typename K>
__device__ __forceinline__ void bring_next(const Shares& shares, const CUtensorMap* a, const CUtensorMap* b,
                                           unsigned char* stages, PipelineMemory<K>* memory) {
  auto& supply = *reinterpret_cast<Supply*>(memory->supply);
  if (!supply.cursor.valid) return;
  ArrivalBarrier(memory->done + supply.slot).wait(supply.parity);
  const ArrivalBarrier come(memory->come + supply.slot);
  come.expect(K::stage_bytes);
  K::bring(stages + supply.slot * K::stage_bytes, a, b, supply.place.row * K::tile_m,
           supply.place.column * K::tile_n, supply.cursor.step * K::depth, come);
  if (++supply.slot == K::stages) supply.slot = 0, supply.parity ^= 1;
  if (++supply.cursor.step < supply.cursor.end) return;
  supply.cursor.next_tile(shares);
  supply.place = shares.tiles.place(supply.cursor.tile);
}

template <typename K>
__device__ __forceinline__ void compute_share(const CUtensorMap& a, const CUtensorMap& b,
                                              const Shares& shares, typename K::T* c) {
  using T = typename K::T;
  extern __shared__ __align__(1024) unsigned char stages[];
  unsigned char* exchange = stages + K::stages * K::stage_bytes;
  auto* memory = reinterpret_cast<PipelineMemory<K>*>(exchange + K::exchange_bytes);
  Cursor cursor(shares);
  if (threadIdx.x == 0) {
    for (int s = 0; s < K::stages; ++s) {
      ArrivalBarrier(memory->come + s).start(1);
      ArrivalBarrier(memory->done + s).start(K::threads / 32);
    }
    publish_barriers();
    *reinterpret_cast<Supply*>(memory->supply) = {cursor, shares.tiles.place(cursor.tile), 0, 1};
  }
  __syncthreads();
  if (threadIdx.x == 0)
    for (int s = 0; s < K::ahead; ++s) bring_next<K>(shares, &a, &b, stages, memory);
  __syncwarp();
  int slot = 0, parity = 0;
  while (cursor.valid) {
    T sum[K::sums] = {};
    const int first = cursor.step;
    const auto next_stage = [&] {
      if (threadIdx.x == 0) bring_next<K>(shares, &a, &b, stages, memory);
      __syncwarp();
    };
    const auto done_with = [&](int read) {
      __syncwarp();
      if (threadIdx.x % 32 == 0) ArrivalBarrier(memory->done + read).arrive();
    };
    const auto stage = [&] { return stages + slot * K::stage_bytes; };
    const auto advance = [&] {
      if (++slot == K::stages) slot = 0, parity ^= 1;
    };
    // Reads the operands of one half of a stage while multiplying those of the previous half.
    if constexpr (K::reads_ahead) {
      typename K::Operands halves[2];
      ArrivalBarrier(memory->come + slot).wait(parity);
      K::read(stage(), 0, halves[0]);
#pragma unroll 1
      for (int step = first; step < cursor.end; ++step) {
        next_stage();
        K::read(stage(), 1, halves[1]);
        K::add_products(halves[0], sum);
        done_with(slot);
        advance();
        if (step + 1 < cursor.end) {
          ArrivalBarrier(memory->come + slot).wait(parity);
          K::read(stage(), 0, halves[0]);
        }
        K::add_products(halves[1], sum);
      }
    } else {
#pragma unroll 1
      for (int step = first; step < cursor.end; ++step) {
        next_stage();
        ArrivalBarrier(memory->come + slot).wait(parity);
        K::multiply(stage(), sum);
        done_with(slot);
        advance();
      }
    }
    const Tiles::Place place = shares.tiles.place(cursor.tile);
    const int steps = cursor.end - first;
    if (steps == shares.steps ||
        add_parts<K::threads>(shares, cursor.tile - shares.whole, steps, &memory->last, sum))
      K::store(sum, exchange, static_cast<std::int64_t>(place.row) * K::tile_m,
               static_cast<std::int64_t>(place.column) * K::tile_n, shares.n, c);
    cursor.next_tile(shares);
  }
}

template <typename K>
__global__ void __launch_bounds__(K::threads, K::resident)
    bulk_product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                 const Shares shares, typename K::T* __restrict__ c) {
  if constexpr (have_bulk_tensor_copies) compute_share<K>(a, b, shares, c);
}

// Lets the next launch begin before this one ends, if it was launched with programmatic stream serialization.
__device__ __forceinline__ void let_next_launch_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// The copies of A (blockIdx.z 0) and B (1) to make, transposed or not. A null target means that no copy is
// made. Rows of a copy start at multiples of 16 bytes. Blocks of 64 by 4 threads copy tiles of 64 by 64
// elements.
template <typename T>
struct Copies {
  const T* from[2];
  T* to[2];
  bool turned[2];
};

template <typename T>
__global__ void __launch_bounds__(256)
    copy_matrices(std::int64_t n, std::int64_t pitch, const Copies<T> copies) {
  constexpr int side = 64, rows = 4;
  __shared__ T tile[side][side + 1];
  let_next_launch_begin();
  const T* from = copies.from[blockIdx.z];
  T* to = copies.to[blockIdx.z];
  if (!to) return;
  const bool turned = copies.turned[blockIdx.z];
  const std::int64_t left = static_cast<std::int64_t>(blockIdx.x) * side,
                     top = static_cast<std::int64_t>(blockIdx.y) * side;
#pragma unroll
  for (int i = 0; i < side; i += rows) {
    const std::int64_t row = top + i + threadIdx.y, column = left + threadIdx.x;
    if (row >= n || column >= n) continue;
    const T value = from[row * n + column];
    if (turned)
      tile[i + threadIdx.y][threadIdx.x] = value;
    else
      to[row * pitch + column] = value;
  }
  if (!turned) return;
  __syncthreads();
#pragma unroll
  for (int i = 0; i < side; i += rows) {
    const std::int64_t row = left + i + threadIdx.y, column = top + threadIdx.x;
    if (row < n && column < n) to[row * pitch + column] = tile[threadIdx.x][i + threadIdx.y];
  }
}

// ---- host code

template <typename K>
std::int64_t aligned_pitch(std::int64_t n) {
  return (n + K::pitch_unit - 1) / K::pitch_unit * K::pitch_unit;
}

// State that launches share. The tensor maps describe the aligned copies. Without copies, they describe the
// matrices for which the state was prepared.
struct BulkState {
  void* copies[2] = {};  // aligned copies of A and B, or null
  void* parts = nullptr;
  int* counts = nullptr;
  const void* arrays[2] = {};
  CUtensorMap a, b;
  int blocks = 0;  // number of blocks that the GPU can hold at once
  Shares shares{};

  BulkState() = default;
  BulkState(const BulkState&) = delete;
  BulkState& operator=(const BulkState&) = delete;
  ~BulkState() {
    for (void* copy : copies) cudaFree(copy);
    cudaFree(parts);
    cudaFree(counts);
  }
};

template <typename K>
bool describe_arrays(const Call& call, BulkState& state) {
  using T = typename K::T;
  const std::int64_t n = call.problem.extents.x, pitch = aligned_pitch<K>(n);
  constexpr auto type = sizeof(T) == 8 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT64 : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  const auto matrix = [&](int i) {
    state.arrays[i] = call.address(i);
    return Matrices{type, sizeof(T), state.copies[i] ? state.copies[i] : call.address(i), n, pitch};
  };
  return describe(matrix(0), K::a_box, &state.a) &&
         (K::b_groups ? describe_groups(matrix(1), K::b_box, &state.b)
                      : describe(matrix(1), K::b_box, &state.b));
}

template <typename K>
std::int64_t part_bytes(int blocks) {
  return std::int64_t{2} * blocks * K::threads * K::sums * static_cast<std::int64_t>(sizeof(typename K::T));
}
// Returns the bytes of the aligned copy of A (matrix 0) or B (1); 0 if no copy is needed.
template <typename K>
std::int64_t copy_bytes(std::int64_t n, int matrix) {
  const std::int64_t pitch = aligned_pitch<K>(n);
  return pitch == n && !(K::turned && matrix == 0)
             ? 0
             : n * pitch * static_cast<std::int64_t>(sizeof(typename K::T));
}
inline std::int64_t count_bytes(const Shares& shares) {
  return (shares.tiles.count() - shares.whole) * static_cast<std::int64_t>(sizeof(int));
}

inline bool allocate(std::int64_t bytes, void** to) {
  return bytes == 0 || cudaMalloc(to, static_cast<std::size_t>(bytes)) == cudaSuccess;
}

template <typename K>
Shares bulk_shares(std::int64_t n, bool divide) {
  return shares_of(n, K::tile_m, K::tile_n, K::depth, multiprocessors() * K::resident, divide);
}
template <typename K>
std::int64_t bulk_workspace(std::int64_t n, bool divide) {
  const Shares shares = bulk_shares<K>(n, divide);
  return copy_bytes<K>(n, 0) + copy_bytes<K>(n, 1) + count_bytes(shares) +
         (shares.divided > 0 ? part_bytes<K>(blocks_of(shares, multiprocessors() * K::resident)) : 0);
}

// Returns a null pointer on success, otherwise the reason for the failure.
template <typename K>
const char* prepare_bulk(const Call& call, bool divide, BulkState& state) {
  const std::int64_t n = call.problem.extents.x;
  state.shares = bulk_shares<K>(n, divide);
  state.blocks = blocks_of(state.shares, multiprocessors() * K::resident);
  if (cudaFuncSetAttribute(bulk_product<K>, cudaFuncAttributeMaxDynamicSharedMemorySize, pipeline_bytes<K>) !=
      cudaSuccess)
    return "this GPU has too little shared memory for the tile";
  void* counts = nullptr;
  const std::int64_t bytes = count_bytes(state.shares);
  if (!allocate(copy_bytes<K>(n, 0), &state.copies[0]) || !allocate(copy_bytes<K>(n, 1), &state.copies[1]) ||
      !allocate(state.shares.divided > 0 ? part_bytes<K>(state.blocks) : 0, &state.parts) ||
      !allocate(bytes, &counts))
    return "no device memory for the workspace";
  state.counts = static_cast<int*>(counts);
  if (bytes > 0 && cudaMemset(counts, 0, static_cast<std::size_t>(bytes)) != cudaSuccess)
    return "the workspace could not be cleared";
  state.shares.parts = state.parts;
  state.shares.counts = state.counts;
  return describe_arrays<K>(call, state) ? nullptr
                                         : "the driver could not encode tensor maps of the matrices";
}

template <typename K>
void make_copies(const Call& call, const BulkState& state) {
  using T = typename K::T;
  if (!state.copies[0] && !state.copies[1]) return;
  Copies<T> copies{};
  for (int i = 0; i < 2; ++i) {
    copies.from[i] = call.array<const T>(i);
    copies.to[i] = static_cast<T*>(state.copies[i]);
  }
  copies.turned[0] = K::turned;
  const std::int64_t n = call.problem.extents.x;
  const auto tiles = static_cast<unsigned>((n + 63) / 64);
  copy_matrices<<<dim3(tiles, tiles, state.copies[1] ? 2 : 1), dim3(64, 4), 0,
                  static_cast<cudaStream_t>(call.stream)>>>(n, aligned_pitch<K>(n), copies);
}

template <typename K>
void launch_bulk(const Call& call, BulkState& state) {
  make_copies<K>(call, state);
  if (state.arrays[0] != call.address(0) || state.arrays[1] != call.address(1))
    describe_arrays<K>(call, state);
  bulk_product<K><<<static_cast<unsigned>(state.blocks), K::threads, pipeline_bytes<K>,
                    static_cast<cudaStream_t>(call.stream)>>>(state.a, state.b, state.shares,
                                                              call.array<typename K::T>(2));
}

inline const char* bulk_unavailable() {
  return device_attribute(cudaDevAttrComputeCapabilityMajor, 0) < 9
             ? "bulk tensor copies need compute capability 9.0 or later"
             : nullptr;
}

}  // namespace sextant::matmul
