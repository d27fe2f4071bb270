#include "pieces.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

// Variant of pass 1 (pieces.cuh) for problems with many groups: two groups, called twins, share one row of
// shared memory. Groups g and g + rows are twins. The first fills the row from its front, the second from its
// end, so that both use the same free space. The expected number of keys of both together is the same for all
// rows.
//
// A row's 32-bit word holds four byte counters: for each twin, its pieces and its pieces whose top bit is
// set. An atomic addition to the word gives the position of a key's piece. If the row is full, the addition
// is undone and the key goes to the list `late`. A byte can overflow only if very many additions are not yet
// undone. Then the row's count exceeds its capacity or keys are missing in the total; both are detected and
// invalidate the launch.
namespace sextant::npb_is {

inline constexpr int twin_lanes = 8;  // lanes that write one row, two 16-byte vectors each
inline constexpr unsigned most_twin_row = (2 * twin_lanes - 1) * vector_pieces;

// The 32-bit word of a row, with functions to read its four counters.
struct TwinWord {
  unsigned word;
  __device__ __forceinline__ unsigned pieces(unsigned shift) const { return word >> shift & 0xFF; }
  __device__ __forceinline__ unsigned first() const { return word & 0xFF; }
  __device__ __forceinline__ unsigned second() const { return word >> 8 & 0xFF; }
  __device__ __forceinline__ unsigned both() const { return __dp4a(word, 0x0101u, 0u); }
};
__device__ __forceinline__ unsigned twin_shift(const Cut& cut, std::int32_t key) {
  return static_cast<unsigned>(key) >> (cut.max_log2 - 5) & 8;
}
__device__ __forceinline__ unsigned twin_one(const Cut& cut, std::int32_t key) {
  return ((static_cast<unsigned>(key) >> (cut.max_log2 - 1)) << 16 | 1) << twin_shift(cut, key);
}

// Positions of a row's full 16-byte vectors in global memory. Vector v < end() is written to position v +
// first(), and vector v >= begin() to position v + second(). Each member packs an offset and a bound.
struct TwinLeaving {
  int front, back;
  static constexpr int bits = 4, mask = (1 << bits) - 1;
  __device__ __forceinline__ static TwinLeaving none(unsigned row_vectors) {
    return {0, static_cast<int>(row_vectors)};
  }
  __device__ __forceinline__ int end() const { return front & mask; }
  __device__ __forceinline__ int begin() const { return back & mask; }
  __device__ __forceinline__ int first() const { return front >> bits; }
  __device__ __forceinline__ int second() const { return back >> bits; }
};

// One thread's totals for both twins of its row: pieces written to global memory, and pieces with the top bit
// set (written or not).
struct TwinTally {
  unsigned written[2] = {}, tops[2] = {};

  __device__ __forceinline__ void move_to(const Cut& cut, const Tally& tally, int row, unsigned word) const {
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      const int g = row + side * cut.rows();
      const unsigned all = written[side] + (word >> 8 * side & 0xFF);
      atomicAdd(&tally.totals[g], all - tops[side]);
      atomicAdd(&tally.totals[cut.groups() + g], tops[side]);
    }
  }
};

// Reserves space in global memory for the full vectors at both ends of a row. Keeps the number of remaining
// pieces in the row's word.
__device__ __forceinline__ TwinLeaving leave_twins(const Cut& cut, const Arrays& a, const Tally& tally,
                                                   int row, unsigned* held, TwinTally* sums) {
  const TwinWord word = {*held};
  const unsigned row_vectors = cut.row / vector_pieces;
  const unsigned first = word.first() / vector_pieces, second = word.second() / vector_pieces;
  *held = word.word & (vector_pieces - 1) * 0x0101;
  sums->tops[0] += word.word >> 16 & 0xFF;
  sums->tops[1] += word.word >> 24;
  sums->written[0] += first * vector_pieces;
  sums->written[1] += second * vector_pieces;
  const unsigned long long both =
      atomicAdd(reinterpret_cast<unsigned long long*>(tally.filled) + row,
                static_cast<unsigned long long>(second * vector_pieces) << 32 | first * vector_pieces);
  const unsigned at_first = static_cast<unsigned>(both) / vector_pieces;
  const unsigned at_second = static_cast<unsigned>(both >> 32) / vector_pieces;
  const auto room = static_cast<unsigned>(cut.room / vector_pieces);
  if (word.first() + word.second() > cut.row || at_first + first + at_second + second > room) {
    a.poll_limit.give_up();
    return TwinLeaving::none(row_vectors);
  }
  // Vectors of the second twin fill the space from its end and keep their order.
  return {static_cast<int>(at_first << TwinLeaving::bits | first),
          static_cast<int>((room - row_vectors - at_second) << TwinLeaving::bits | (row_vectors - second))};
}

// Writes the full vectors of a warp's 32 rows; `twin_lanes` lanes write one row. Then each lane moves the
// remaining pieces of its own row to the ends of the row.
__device__ __forceinline__ void write_twins(const Cut& cut, const Arrays& a, uint4* rows, int row,
                                            unsigned held, const TwinLeaving& leaving) {
  const int row_vectors = static_cast<int>(cut.row / vector_pieces),
            lane = static_cast<int>(threadIdx.x % 32);
  const int room = static_cast<int>(cut.room / vector_pieces), first_row = row - lane;
  int slot = lane % twin_lanes, owner = lane / twin_lanes;
  const uint4* from = rows + (first_row + owner) * row_vectors + slot;
  auto* to = reinterpret_cast<uint4*>(a.pieces) + (std::int64_t{first_row + owner} * room + slot);
#pragma unroll 1
  for (int i = 0; i < twin_lanes; ++i) {
    const TwinLeaving now = {__shfl_sync(~0u, leaving.front, owner), __shfl_sync(~0u, leaving.back, owner)};
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int v = slot + half * twin_lanes;
      const bool is_first = v < now.end();
      if (is_first || (v >= now.begin() && v < row_vectors))
        to[half * twin_lanes + (is_first ? now.first() : now.second())] = from[half * twin_lanes];
    }
    owner += 32 / twin_lanes;
    from += 32 / twin_lanes * row_vectors;
    to += 32 / twin_lanes * room;
  }
  uint4* const mine = rows + row * row_vectors;
  const int end = leaving.end(), begin = leaving.begin();
  const bool has[2] = {(held & 0xFF) > 0 && end > 0, held >> 8 > 0 && begin < row_vectors};
  uint4 rests[2];
  if (has[0]) rests[0] = mine[end];
  if (has[1]) rests[1] = mine[begin - 1];
  __syncwarp();  // waits until all lanes have read their remaining pieces
  if (has[0]) mine[0] = rests[0];
  if (has[1]) mine[row_vectors - 1] = rests[1];
}

__device__ __forceinline__ uint4 reversed(const uint4& eight) {
  const auto swapped = [](unsigned two) { return __byte_perm(two, 0, 0x1032); };
  return make_uint4(swapped(eight.w), swapped(eight.z), swapped(eight.y), swapped(eight.x));
}
// Saves the remaining pieces of a row when a thread block ends.
__device__ __forceinline__ void keep_rests(const Cut& cut, const Arrays& a, int row, const uint4* mine,
                                           unsigned word) {
#pragma unroll
  for (int side = 0; side < 2; ++side) {
    const std::int64_t kept = static_cast<std::int64_t>(row + side * cut.rows()) * gridDim.x + blockIdx.x;
    const unsigned rest = word >> 8 * side & 0xFF, last = cut.row / vector_pieces - 1;
    a.rest_of[kept] = static_cast<unsigned char>(rest);
    for (unsigned v = 0; v * vector_pieces < rest; ++v)
      a.rests[2 * kept + v] = side ? reversed(mine[last - v]) : mine[v];
  }
}

// A thread block's rows and their words in shared memory, with functions that insert keys.
struct TwinRows {
  uint4* rows;
  unsigned* words;  // one word per row, then a dummy slot for pieces that find no space

  __device__ __forceinline__ unsigned* word_of(const Cut& cut, std::int32_t key) const {
    return &words[cut.row_of(cut.group_of(key))];
  }
  // Stores the piece of a key that was already counted in its row's word. Returns false if the row is full.
  __device__ __forceinline__ bool store(const Cut& cut, std::int32_t key, TwinWord before) const {
    auto* const pieces = reinterpret_cast<std::uint16_t*>(rows);
    const unsigned row = static_cast<unsigned>(cut.row_of(cut.group_of(key))), shift = twin_shift(cut, key);
    const unsigned behind = before.pieces(shift), first = row * cut.row;
    const bool found_room = before.both() < cut.row;
    const unsigned nowhere = static_cast<unsigned>(cut.rows()) * (cut.row + 2);
    const unsigned place = shift > 0 ? first + cut.row - 1 - behind : first + behind;
    pieces[found_room ? place : nowhere] = static_cast<std::uint16_t>(cut.piece_of(key));
    return found_room;
  }
  __device__ __forceinline__ void move_to_late(const Cut& cut, const Arrays& a, const Tally& tally,
                                               std::int32_t key) const {
    atomicSub(word_of(cut, key), twin_one(cut, key));
    keep_late(cut, a, tally, key);
  }
  // Issues all eight atomic additions before the first result is used, to overlap their latencies.
  __device__ __forceinline__ void collect(const Cut& cut, const Arrays& a, const Tally& tally,
                                          const int4* four) const {
    std::int32_t key[chunk];
    TwinWord before[chunk];
#pragma unroll
    for (int v = 0; v < chunk / 4; ++v)
      key[4 * v] = four[v].x, key[4 * v + 1] = four[v].y, key[4 * v + 2] = four[v].z,
              key[4 * v + 3] = four[v].w;
#pragma unroll
    for (int k = 0; k < chunk; ++k) before[k] = {atomicAdd(word_of(cut, key[k]), twin_one(cut, key[k]))};
    unsigned late = 0;
#pragma unroll
    for (int k = 0; k < chunk; ++k) late |= store(cut, key[k], before[k]) ? 0u : 1u << k;
    if (late == 0) return;
#pragma unroll
    for (int k = 0; k < chunk; ++k)
      if ((late >> k & 1) != 0) move_to_late(cut, a, tally, key[k]);
  }
};

// Pass 1 for twins. Thread r handles row r, and a warp writes only its own rows. Two block barriers per tile
// therefore suffice.
template <int threads>
__global__ void __launch_bounds__(threads, 1024 / threads)
    part_twins(Cut cut, int items, int it, Arrays a, Tally tally) {
  extern __shared__ uint4 rows[];
  const unsigned row_vectors = cut.row / vector_pieces;
  const int row = static_cast<int>(threadIdx.x), chunks = items / chunk;
  const bool has_row = row < cut.rows();
  const TwinRows mine = {rows,
                         reinterpret_cast<unsigned*>(rows + static_cast<unsigned>(cut.rows()) * row_vectors)};
  const std::int64_t tile = std::int64_t{threads} * items, whole = cut.keys / tile;
  for (int r = row; r < cut.rows(); r += threads) mine.words[r] = 0;
  wait_for_last_launch();
  if (blockIdx.x == 0) change_keys(cut.max_log2, it, a.keys);
  __syncthreads();

  TwinTally sums;
  const auto leave = [&] {
    __syncthreads();
    TwinLeaving leaving = TwinLeaving::none(row_vectors);
    if (has_row) leaving = leave_twins(cut, a, tally, row, &mine.words[row], &sums);
    write_twins(cut, a, rows, row, has_row ? mine.words[row] : 0, leaving);
    __syncthreads();
  };
  const auto load = [&](std::int64_t index, int c, int4* to) {
    const auto* from =
        reinterpret_cast<const int4*>(a.keys + index * tile + c * (threads * chunk)) + threadIdx.x;
#pragma unroll
    for (int v = 0; v < chunk / 4; ++v) to[v] = __ldcs(from + v * threads);
  };
  int4 now[chunk / 4], next[chunk / 4];
  std::int64_t index = blockIdx.x;
  if (index < whole) load(index, 0, now);
  for (; index < whole; index += gridDim.x) {
    for (int c = 0; c < chunks; ++c) {
      if (c + 1 < chunks)
        load(index, c + 1, next);
      else if (index + gridDim.x < whole)
        load(index + gridDim.x, 0, next);
      mine.collect(cut, a, tally, now);
#pragma unroll
      for (int v = 0; v < chunk / 4; ++v) now[v] = next[v];
    }
    leave();
  }
  if (index == whole) {  // the keys after the last whole tile
    for (std::int64_t j = whole * tile + row; j < cut.keys; j += threads) {
      const std::int32_t key = a.keys[j];
      if (!mine.store(cut, key, {atomicAdd(mine.word_of(cut, key), twin_one(cut, key))}))
        mine.move_to_late(cut, a, tally, key);
    }
    leave();
  }
  if (!has_row) return;
  const unsigned word = mine.words[row];
  keep_rests(cut, a, row, rows + static_cast<unsigned>(row) * row_vectors, word);
  sums.move_to(cut, tally, row, word);
}

}  // namespace sextant::npb_is

namespace sextant {
namespace {

using namespace npb_is;

struct Tuning {
  int block_size = 512, items_per_thread = 64, groups_log2 = 7, count_block_size = 1024, counter_bits = 16;
  int paired_groups = 0;  // 1: two groups share a row in pass 1
  int overlap = 1;        // 1: a launch may begin before the previous one ends
};

using Threads = Choices<256, 512, 1024>;
using CountThreads = Choices<256, 512, 1024>;
using CounterBits = Choices<8, 16>;

// The kernels that a tuning selects, and their dynamic shared memory in bytes.
struct Kernels {
  void (*part)(Cut, int, int, Arrays, Tally) = nullptr;
  void (*count)(Cut, int, Arrays, Tally) = nullptr;
  std::size_t part_bytes = 0, count_bytes = 0;
};

Kernels kernels_of(const Cut& cut, const Tuning& tuning) {
  Kernels kernels;
  Threads::with(tuning.block_size, [&]<int threads>() {
    kernels.part = cut.twins ? part_twins<threads> : part<threads, 1024 / threads>;
  });
  CountThreads::with(tuning.count_block_size, [&]<int threads>() {
    CounterBits::with(tuning.counter_bits, [&]<int bits>() { kernels.count = count<threads, bits>; });
  });
  kernels.part_bytes = part_bytes(cut);
  kernels.count_bytes =
      static_cast<std::size_t>(cut.counters()) * static_cast<std::size_t>(tuning.counter_bits) / 8;
  return kernels;
}

std::int64_t tile_of(const Tuning& tuning) {
  return std::int64_t{tuning.block_size} * tuning.items_per_thread;
}
Cut cut_of(const Problem& problem, const Tuning& tuning) {
  return npb_is::cut_of(problem, tuning.groups_log2, tuning.paired_groups != 0, tile_of(tuning));
}

struct State {
  Cut cut;
  Kernels kernels;
  int part_blocks = 0;
  bool overlap = false;
  DeviceMemory<std::int32_t> keys, late;
  DeviceMemory<std::uint16_t> pieces;
  DeviceMemory<uint4> rests;
  DeviceMemory<unsigned char> rest_of;
  DeviceMemory<unsigned> tallies;  // one Tally per iteration
  WaitFlag flag;                   // set if a block waited too long, or if the list `late` or a group is full

  std::int64_t tally_words() const { return npb_is::tally_words(cut); }
  Tally tally(int it) const {
    unsigned* filled = tallies.data + (it - 1) * tally_words();
    return {filled, filled + cut.groups(), filled + cut.groups() + cut.segments()};
  }
};

// Launches a kernel whose thread blocks may begin before the preceding kernel ends.
template <typename... Parameters, typename... Arguments>
void launch_next(void (*kernel)(Parameters...), int blocks, int threads, std::size_t bytes,
                 cudaStream_t stream, bool overlap, const Arguments&... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(threads));
  config.dynamicSmemBytes = bytes;
  config.stream = stream;
  sextant::launch_next(config, overlap, kernel, arguments...);
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const auto tuning = call.tuned<Tuning>();
  const Kernels& kernels = state.kernels;
  const cudaStream_t stream = stream_of(call);
  const Arrays arrays = {.keys = state.keys.data,
                         .pieces = state.pieces.data,
                         .rests = state.rests.data,
                         .rest_of = state.rest_of.data,
                         .late = state.late.data,
                         .counts = call.array<std::uint32_t>(counts),
                         .ranks = call.array<std::int32_t>(ranks),
                         .tests = test_keys(call.problem),
                         .part_blocks = state.part_blocks,
                         .poll_limit = state.flag.poll_limit()};
  cudaMemsetAsync(state.tallies.data, 0,
                  static_cast<std::size_t>(iterations * state.tally_words()) * sizeof(unsigned), stream);
  for (int it = 1; it <= iterations; ++it) {
    call.phase("part");
    launch_next(kernels.part, state.part_blocks, tuning.block_size, kernels.part_bytes, stream, state.overlap,
                state.cut, tuning.items_per_thread, it, arrays, state.tally(it));
    call.phase("count");
    launch_next(kernels.count, state.cut.groups(), tuning.count_block_size, kernels.count_bytes, stream,
                state.overlap, state.cut, it, arrays, state.tally(it));
    call.phase("");
  }
}

// Returns the number of thread blocks that the device can hold at once; 0 if the kernel cannot be launched.
template <typename Kernel>
std::int64_t resident_blocks(Kernel* kernel, int threads, std::size_t bytes) {
  int blocks = 0;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)) ==
          cudaSuccess &&
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes) == cudaSuccess)
    return std::int64_t{blocks} * multiprocessors();
  cudaGetLastError();  // clears the error, so that a later check does not report it
  return 0;
}

const char* prepare(const Call& call, void** state) {
  const auto tuning = call.tuned<Tuning>();
  auto made = std::make_unique<State>();
  const Cut& cut = made->cut = cut_of(call.problem, tuning);
  made->kernels = kernels_of(cut, tuning);
  const Kernels& kernels = made->kernels;
  const std::int64_t parting = resident_blocks(kernels.part, tuning.block_size, kernels.part_bytes);
  const std::int64_t counting = resident_blocks(kernels.count, tuning.count_block_size, kernels.count_bytes);
  if (parting == 0 || counting == 0) return "the GPU has too little shared memory for a block";
  const std::int64_t tile = tile_of(tuning);
  made->overlap = may_overlap(tuning.overlap);
  made->part_blocks = static_cast<int>(std::min((cut.keys + tile - 1) / tile, parting));
  const std::int64_t rests = 2 * std::int64_t{made->part_blocks} * cut.groups();
  if (made->flag.make() != cudaSuccess || !made->pieces.allocate(cut.room * cut.rows()) ||
      !made->rests.allocate(rests) || !made->rest_of.allocate(rests / 2) || !made->late.allocate(most_late) ||
      !made->tallies.allocate(iterations * made->tally_words())) {
    cudaGetLastError();  // clears the error, so that a later check does not report it
    return "device memory ran out";
  }
  if (const char* why_not = make_keys(call, &made->keys)) return why_not;
  *state = made.release();
  return nullptr;
}

double mean_of(const Problem& problem) {
  return static_cast<double>(key_count(problem)) / static_cast<double>(value_count(problem));
}
// Returns an upper bound on the number of keys with the same value: ten standard deviations above the
// expectation for the most frequent value.
double most_of_a_value(const Problem& problem) {
  const double most = densest * mean_of(problem);
  return most + 10 * std::sqrt(most) + 10;
}

// Sets the tunings that were fastest on an H200. Counters have one byte if no value can overflow them. Tiles
// are as large as two blocks per multiprocessor allow, or one block with longer rows.
void adapt(const Problem& problem, Tuning& tuning) {
  const int bits = max_log2(problem);
  if (most_of_a_value(problem) <= 255) tuning.counter_bits = 8;
  if (bits > 23)
    tuning.block_size = 1024, tuning.items_per_thread = 64, tuning.paired_groups = 1,
    tuning.count_block_size = 512, tuning.overlap = 0;
  else if (bits <= 16)
    tuning.items_per_thread = 8, tuning.groups_log2 = 5;
  else if (bits <= 19)
    tuning.block_size = 1024, tuning.overlap = 0;
  else if (bits <= 21)
    tuning.items_per_thread = 32;
}

const char* constraint(const Problem& problem, const Tuning& tuning) {
  if (densest * mean_of(problem) > 60000) return "a value may have more keys than a 16-bit counter can count";
  if (tuning.counter_bits == 8 && most_of_a_value(problem) > 255)
    return "counter_bits=8: a value may have more keys than such a counter can count";
  const Cut cut = cut_of(problem, tuning);
  if (cut.twins && (cut.rows() > tuning.block_size || cut.row > most_twin_row))
    return "paired_groups=1 needs at most block_size rows, each short enough for byte counters";
  if (kernels_of(cut, tuning).part_bytes > std::size_t{227} << 10)
    return "a tile needs more than 227 KiB of shared memory";
  return nullptr;
}

std::int64_t workspace(const Problem& problem, const Tuning& tuning) {
  const Cut cut = cut_of(problem, tuning);
  const std::int64_t tiles = (cut.keys + tile_of(tuning) - 1) / tile_of(tuning);
  const std::int64_t blocks = std::min<std::int64_t>(tiles, 8 * multiprocessors());
  return 4 * cut.keys + 2 * cut.room * cut.rows() + 33 * blocks * cut.groups() + 4 * most_late +
         4 * iterations * tally_words(cut);
}

}  // namespace

std::vector<Variant> npb_is_cuda_pieces() {
  return {{.name = "pieces",
           .description =
               "keys partitioned into equal groups, 16 bits per key; then each block counts a group in "
               "shared memory",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Tuning>(
               {{"block_size", &Tuning::block_size, Threads::list()},
                {"items_per_thread", &Tuning::items_per_thread, {8, 16, 32, 48, 56, 64, 128}},
                {"groups_log2", &Tuning::groups_log2, {3, 5, 6, 7, 8}},
                {"count_block_size", &Tuning::count_block_size, CountThreads::list()},
                {"counter_bits", &Tuning::counter_bits, CounterBits::list()},
                {"paired_groups", &Tuning::paired_groups, {0, 1}},
                {"overlap", &Tuning::overlap, {0, 1}}}),
           .launch = {.int32 = launch},
           .constraint = by_name<constraint>,
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
