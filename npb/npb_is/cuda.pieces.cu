#include "pieces.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "twin_rows.cuh"

namespace sextant {
namespace {

using namespace npb_is;

struct Tuning {
  int threads = 512, items = 64, groups_log2 = 7, count_threads = 1024, counter_bits = 16;
  int twins = 0;    // two groups share a row of the first pass
  int overlap = 1;  // launches begin while the one before ends
};

using Threads = Choices<256, 512, 1024>;
using CountThreads = Choices<256, 512, 1024>;
using CounterBits = Choices<8, 16>;

// The kernels of a tuning, with their shared memory.
struct Kernels {
  void (*part)(Cut, int, int, Arrays, Tally) = nullptr;
  void (*count)(Cut, int, Arrays, Tally) = nullptr;
  std::size_t part_bytes = 0, count_bytes = 0;
};

Kernels kernels_of(const Cut& cut, const Tuning& tuning) {
  Kernels kernels;
  Threads::with(tuning.threads, [&]<int threads>() {
    kernels.part = cut.twins ? part_twins<threads> : part<threads, 1024 / threads>;
  });
  CountThreads::with(tuning.count_threads, [&]<int threads>() {
    CounterBits::with(tuning.counter_bits, [&]<int bits>() { kernels.count = count<threads, bits>; });
  });
  kernels.part_bytes = part_bytes(cut);
  kernels.count_bytes =
      static_cast<std::size_t>(cut.counters()) * static_cast<std::size_t>(tuning.counter_bits) / 8;
  return kernels;
}

std::int64_t tile_of(const Tuning& tuning) { return std::int64_t{tuning.threads} * tuning.items; }
Cut cut_of(const Problem& problem, const Tuning& tuning) {
  return npb_is::cut_of(problem, tuning.groups_log2, tuning.twins != 0, tile_of(tuning));
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
  DeviceMemory<unsigned> tallies;  // of all iterations
  WaitFlag flag;                   // set as well where there is no room

  std::int64_t tally_words() const { return npb_is::tally_words(cut); }
  Tally tally(int it) const {
    unsigned* filled = tallies.data + (it - 1) * tally_words();
    return {filled, filled + cut.groups(), filled + cut.groups() + cut.segments()};
  }
};

// A launch whose blocks may begin while the kernel before is at its end.
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
                         .patience = state.flag.patience()};
  cudaMemsetAsync(state.tallies.data, 0,
                  static_cast<std::size_t>(iterations * state.tally_words()) * sizeof(unsigned), stream);
  for (int it = 1; it <= iterations; ++it) {
    call.phase("part");
    launch_next(kernels.part, state.part_blocks, tuning.threads, kernels.part_bytes, stream, state.overlap,
                state.cut, tuning.items, it, arrays, state.tally(it));
    call.phase("count");
    launch_next(kernels.count, state.cut.groups(), tuning.count_threads, kernels.count_bytes, stream,
                state.overlap, state.cut, it, arrays, state.tally(it));
    call.phase("");
  }
}

// Blocks of a kernel that are resident at once; 0 if it cannot be launched.
template <typename Kernel>
std::int64_t resident_blocks(Kernel* kernel, int threads, std::size_t bytes) {
  int blocks = 0;
  if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)) ==
          cudaSuccess &&
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, bytes) == cudaSuccess)
    return std::int64_t{blocks} * multiprocessors();
  cudaGetLastError();  // an error that is reported must not be found by a later check
  return 0;
}

const char* prepare(const Call& call, void** state) {
  const auto tuning = call.tuned<Tuning>();
  auto made = std::make_unique<State>();
  const Cut& cut = made->cut = cut_of(call.problem, tuning);
  made->kernels = kernels_of(cut, tuning);
  const Kernels& kernels = made->kernels;
  const std::int64_t parting = resident_blocks(kernels.part, tuning.threads, kernels.part_bytes);
  const std::int64_t counting = resident_blocks(kernels.count, tuning.count_threads, kernels.count_bytes);
  if (parting == 0 || counting == 0) return "blocks have too little shared memory here";
  const std::int64_t tile = tile_of(tuning);
  made->overlap = may_overlap(tuning.overlap);
  made->part_blocks = static_cast<int>(std::min((cut.keys + tile - 1) / tile, parting));
  const std::int64_t rests = 2 * std::int64_t{made->part_blocks} * cut.groups();
  if (made->flag.make() != cudaSuccess || !made->pieces.allocate(cut.room * cut.rows()) ||
      !made->rests.allocate(rests) || !made->rest_of.allocate(rests / 2) || !made->late.allocate(most_late) ||
      !made->tallies.allocate(iterations * made->tally_words())) {
    cudaGetLastError();  // a failed allocation must not be found by a later check
    return "device memory ran out";
  }
  if (const char* why_not = make_keys(call, &made->keys)) return why_not;
  *state = made.release();
  return nullptr;
}

double mean_of(const Problem& problem) {
  return static_cast<double>(key_count(problem)) / static_cast<double>(value_count(problem));
}
// Keys of a value that chance does not exceed: ten standard deviations above what the densest value expects.
double most_of_a_value(const Problem& problem) {
  const double most = densest * mean_of(problem);
  return most + 10 * std::sqrt(most) + 10;
}

// What won on an H200: bytes as counters where no value has more keys than they count; tiles as large as two blocks a
// multiprocessor hold, or one block, whose rows are longer.
void adapt(const Problem& problem, Tuning& tuning) {
  const int bits = max_log2(problem);
  if (most_of_a_value(problem) <= 255) tuning.counter_bits = 8;
  if (bits > 23)
    tuning.threads = 1024, tuning.items = 64, tuning.twins = 1, tuning.count_threads = 512,
    tuning.overlap = 0;
  else if (bits <= 16)
    tuning.items = 8, tuning.groups_log2 = 5;
  else if (bits <= 19)
    tuning.threads = 1024, tuning.overlap = 0;
  else if (bits <= 21)
    tuning.items = 32;
}

const char* constraint(const Problem& problem, const Tuning& tuning) {
  if (densest * mean_of(problem) > 60000) return "more keys of a value than the 16 bits of a counter hold";
  if (tuning.counter_bits == 8 && most_of_a_value(problem) > 255)
    return "more keys of a value than the 8 bits of a counter hold";
  const Cut cut = cut_of(problem, tuning);
  if (cut.twins && (cut.rows() > tuning.threads || cut.row > most_twin_row))
    return "twins have more rows than a block has threads, or longer ones than bytes count";
  if (kernels_of(cut, tuning).part_bytes > std::size_t{227} << 10)
    return "a tile's pieces do not fit into 227 KiB of shared memory";
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
  return {
      {.name = "pieces",
       .description =
           "keys parted into groups of equal size as pieces of 16 bits; then a block counts a group in shared memory",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Tuning>({{"threads", &Tuning::threads, Threads::list()},
                                     {"items", &Tuning::items, {8, 16, 32, 48, 56, 64, 128}},
                                     {"groups_log2", &Tuning::groups_log2, {3, 5, 6, 7, 8}},
                                     {"count_threads", &Tuning::count_threads, CountThreads::list()},
                                     {"counter_bits", &Tuning::counter_bits, CounterBits::list()},
                                     {"twins", &Tuning::twins, {0, 1}},
                                     {"overlap", &Tuning::overlap, {0, 1}}}),
       .launch = {.int32 = launch},
       .constraint = by_name<constraint>,
       .adapt = by_name<adapt>,
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .workspace = by_name<workspace>}};
}

}  // namespace sextant
