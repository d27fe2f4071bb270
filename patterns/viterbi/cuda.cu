#include "loop.hpp"
#include "packed.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

// Each warp decodes one sequence at a time, for up to 32 states. Each lane is responsible for one state and
// keeps that state's column of A in registers. It reads the words of the previous step, which pack score and
// state (packed.hpp), from shared memory. Predecessor states take one byte each; a 32-bit word holds those of
// four steps. Warps are persistent, so only predecessors of sequences in progress are stored, and these fit
// in the L2 cache.
namespace sextant::viterbi {

inline constexpr int width = 32;  // number of lanes in a warp, and maximum number of states
inline constexpr int shift = 5;   // bits per state in a packed word

// Shared memory of a block: the packed words of two steps for each warp, and E in the order of symbols.
template <int warps>
struct WarpsShared {
  alignas(16) std::int32_t words[warps][2][width];
  std::int32_t emissions[symbols][width];
};

// Returns the number of 32-bit words for the predecessor states of one sequence.
SEXTANT_VITERBI_INLINE std::int64_t place_words(std::int64_t length) { return (length + 3) / 4 * width; }

// Returns the largest packed word over all predecessor states. Four independent chains of maxima hide
// latency.
__device__ __forceinline__ std::int32_t best_word(const std::int32_t (&column)[width],
                                                  const std::int32_t* words) {
  std::int32_t most[4] = {lowest, lowest, lowest, lowest};
#pragma unroll
  for (int i = 0; i < width; i += 4) {
    const auto four = load<4>(words + i);
#pragma unroll
    for (int k = 0; k < 4; ++k) most[k] = __viaddmax_s32(four[k], column[i + k], most[k]);
  }
  return max(max(most[0], most[1]), max(most[2], most[3]));
}

// Forward pass over a sequence. Returns the final state of its path, in every lane.
__device__ __forceinline__ int forward(const Task& task, const std::int32_t (&column)[width],
                                       const std::int32_t (*emissions)[width], const std::int32_t* observed,
                                       std::int32_t (*words)[width], unsigned* places) {
  const int lane = static_cast<int>(threadIdx.x) % width, length = static_cast<int>(task.length);
  const bool is_state = lane < task.states;
  std::int32_t symbol = 0, word = lowest;
  unsigned four = 0;
  for (int t = 0; t < length; ++t) {
    if (t % width == 0) symbol = t + lane < length ? observed[t + lane] : 0;
    std::int32_t score = emissions[__shfl_sync(~0u, symbol, t % width)][lane];
    if (t > 0) {
      std::int32_t* const before = words[t % 2];
      before[lane] = word;
      __syncwarp();
      const std::int32_t best = best_word(column, before);
      score += (best >> shift) - (before[0] >> shift);
      four |= static_cast<unsigned>(width - 1 - (best & (width - 1))) << 8 * (t % 4);
    }
    word = is_state ? score * width + width - 1 - lane : lowest;
    if (t % 4 == 3 || t == length - 1) {
      places[t / 4 * width + lane] = four;
      four = 0;
    }
  }
  __syncwarp();
  return width - 1 - (__reduce_max_sync(~0u, word) & (width - 1));
}

// Follows the path back, 32 steps at a time, with their predecessor states in registers. All lanes know the
// current state. In each step, the lane of that state broadcasts its predecessor.
__device__ __forceinline__ void backward(const Task& task, int state, const unsigned* places,
                                         std::int32_t* path) {
  const int lane = static_cast<int>(threadIdx.x) % width, length = static_cast<int>(task.length);
  for (int first = (length - 1) / width * width; first >= 0; first -= width) {
    unsigned four[width / 4];
#pragma unroll
    for (int k = 0; k < width / 4; ++k)
      four[k] = first + 4 * k < length ? places[(first / 4 + k) * width + lane] : 0;
    int mine = 0;
#pragma unroll
    for (int s = width - 1; s >= 0; --s)
      if (first + s < length) {
        if (lane == s) mine = state;
        if (first + s > 0)
          state = static_cast<int>(__shfl_sync(~0u, four[s / 4], state) >> 8 * (s % 4) & 255u);
      }
    if (first + lane < length) path[first + lane] = mine;
  }
}

// The calling warp decodes every count-th sequence, starting with sequence number `warp`.
template <int warps>
__device__ __forceinline__ void decode_by_warps(const Task& task, int warp, int count, unsigned* places,
                                                WarpsShared<warps>& shared) {
  const int lane = static_cast<int>(threadIdx.x) % width, states = static_cast<int>(task.states);
  for (int at = static_cast<int>(threadIdx.x); at < symbols * width; at += warps * width)
    shared.emissions[at / width][at % width] =
        at % width < states ? task.e[at % width * symbols + at / width] : 0;
  std::int32_t column[width];
#pragma unroll
  for (int i = 0; i < width; ++i)
    column[i] = i < states && lane < states ? task.a[i * states + lane] * width : 0;
  __syncthreads();
  unsigned* const own = places + warp * place_words(task.length);
  for (std::int64_t b = warp; b < task.sequences; b += count) {
    const int state = forward(task, column, shared.emissions, task.observed + b * task.length,
                              shared.words[threadIdx.x / width], own);
    backward(task, state, own, task.path + b * task.length);
  }
}

}  // namespace sextant::viterbi

// Each block decodes several sequences at a time, with one state per thread, for any number of states. Each
// element of A that is loaded serves all sequences of the block, whose packed words of the previous step are
// adjacent in shared memory. Blocks are persistent.
namespace sextant::viterbi {

// Number of packed words per read of shared memory, if a block decodes `together` sequences.
template <int together>
inline constexpr int words_of_read = together < 4 ? together : 4;

// One thread finds the final state of a sequence's path and follows the path back. The words of a sequence
// are `together` elements apart.
__device__ __forceinline__ void walk_back_packed(const Task& task, const Packing& packing,
                                                 const std::int32_t* words, int together, const Place* places,
                                                 std::int32_t* path) {
  std::int32_t most = words[0];
  for (std::int64_t j = 1; j < task.states; ++j) most = max(most, words[j * together]);
  std::int64_t state = packing.state(most);
  for (std::int64_t t = task.length - 1; t > 0; --t) {
    path[t] = static_cast<std::int32_t>(state);
    state = places[t * task.states + state];
  }
  path[0] = static_cast<std::int32_t>(state);
}

// Computes, for each sequence of the block, the largest packed word of a way to state j.
template <int together>
__device__ __forceinline__ void best_words(const Task& task, const Packing& packing, std::int64_t j,
                                           const std::int32_t* before, std::int32_t (&most)[together]) {
  constexpr int part = words_of_read<together>;
#pragma unroll
  for (int q = 0; q < together; ++q) most[q] = lowest;
#pragma unroll 4
  for (std::int64_t i = 0; i < task.states; ++i) {
    const std::int32_t way = packing.above(task.a[i * task.states + j]);
#pragma unroll
    for (int q = 0; q < together; q += part) {
      const auto words = load<part>(before + i * together + q);
#pragma unroll
      for (int k = 0; k < part; ++k) most[q + k] = __viaddmax_s32(words[k], way, most[q + k]);
    }
  }
}

// Decodes `together` sequences, starting with sequence number `first`. `words` has room for the packed words
// of two steps. `places` is the block's memory for predecessor states.
template <int together>
__device__ __forceinline__ void decode_together(const Task& task, const Packing& packing, std::int64_t first,
                                                std::int32_t* words, Place* places) {
  const auto j = static_cast<std::int32_t>(threadIdx.x);
  const bool is_state = j < task.states;
  const std::int64_t all = task.states * together, of_one = task.length * task.states;
  const auto symbol = [&](int q, std::int64_t t) {  // the last sequence is repeated if there are fewer
    return task.observed[min(first + q, task.sequences - 1) * task.length + t];
  };
  for (std::int64_t t = 0; t < task.length; ++t) {
    const std::int32_t* before = words + (t + 1) % 2 * all;
    std::int32_t* now = words + t % 2 * all;
    if (is_state) {
      std::int32_t most[together] = {}, base[together] = {};
      if (t > 0) {
        best_words<together>(task, packing, j, before, most);
#pragma unroll
        for (int q = 0; q < together; ++q) {
          places[q * of_one + t * task.states + j] = static_cast<Place>(packing.state(most[q]));
          base[q] = packing.score(before[q]);
        }
      }
#pragma unroll
      for (int q = 0; q < together; ++q)
        now[j * together + q] =
            packing.word(packing.score(most[q]) - base[q] + task.e[j * symbols + symbol(q, t)], j);
    }
    __syncthreads();
  }
  if (j < together && first + j < task.sequences)
    walk_back_packed(task, packing, words + (task.length - 1) % 2 * all + j, together, places + j * of_one,
                     task.path + (first + j) * task.length);
  __syncthreads();  // the next sequences reuse the shared memory
}

}  // namespace sextant::viterbi

namespace sextant {
namespace {

// One block decodes several sequences, for any number of states.
namespace block {

using viterbi::Place;
using viterbi::Task;
using Together = Choices<1, 2, 4, 8>;

struct Shape {
  int sequences_per_block = 4, blocks_per_multiprocessor = 4;
};

template <int together>
__global__ void __launch_bounds__(1024) decode(Task task, viterbi::Packing packing, Place* places) {
  extern __shared__ __align__(16) std::int32_t words[];
  Place* const own = places + blockIdx.x * (together * task.length * task.states);
  for (std::int64_t first = std::int64_t{blockIdx.x} * together; first < task.sequences;
       first += std::int64_t{gridDim.x} * together)
    viterbi::decode_together<together>(task, packing, first, words, own);
}

std::int64_t blocks_of(const Problem& problem, const Shape& shape) {
  return std::min<std::int64_t>(
      std::int64_t{multiprocessors()} * shape.blocks_per_multiprocessor,
      (viterbi::sequences_of(problem) + shape.sequences_per_block - 1) / shape.sequences_per_block);
}

std::int64_t workspace(const Problem& p, const Shape& shape) {
  return blocks_of(p, shape) * shape.sequences_per_block * viterbi::length_of(p) * viterbi::states_of(p) *
         static_cast<std::int64_t>(sizeof(Place));
}

std::int64_t shared_bytes(const Problem& p, const Shape& shape) {
  return 2 * viterbi::states_of(p) * shape.sequences_per_block * 4;
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const Task task = viterbi::task_of(call);
  const auto block = static_cast<unsigned>((task.states + 31) / 32 * 32);
  Together::with(shape.sequences_per_block, [&]<int together>() {
    decode<together><<<static_cast<unsigned>(blocks_of(call.problem, shape)), block,
                       static_cast<std::size_t>(shared_bytes(call.problem, shape)), stream_of(call)>>>(
        task, viterbi::Packing(task.states), static_cast<Place*>(call.state));
  });
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t bytes = workspace(call.problem, call.tuned<Shape>());
  if (cudaMalloc(state, static_cast<std::size_t>(bytes)) == cudaSuccess) return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the predecessor states";
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return shared_bytes(problem, shape) > 48 * 1024
             ? "more than 48 KiB of shared memory per block: choose a smaller sequences_per_block"
             : nullptr;
}

// Chooses the most sequences per block for which there are at least two blocks per multiprocessor. Chooses
// fewer blocks per multiprocessor if blocks have many threads.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t sequences = viterbi::sequences_of(problem), states = viterbi::states_of(problem);
  shape.sequences_per_block = 1;
  for (const int together : {2, 4, 8})
    if (sequences >= 2LL * together * multiprocessors() && 2 * states * together * 4 <= 48 * 1024)
      shape.sequences_per_block = together;
  shape.blocks_per_multiprocessor = states <= 64 ? 16 : states <= 128 ? 8 : states <= 256 ? 4 : 2;
}

}  // namespace block

// The straightforward implementation: one sequence per block, one state per thread. The predecessor states of
// all sequences are stored, and one thread follows the path back.
namespace states {

using viterbi::Place;
using viterbi::Task;

__global__ void __launch_bounds__(1024) decode(Task task, Place* places) {
  extern __shared__ std::int32_t scores[];
  const std::int64_t j = threadIdx.x, sequence = blockIdx.x;
  const std::int32_t* observed = task.observed + sequence * task.length;
  Place* const back = places + sequence * task.length * task.states;
  std::int32_t *before = scores, *now = scores + task.states;
  if (j < task.states) before[j] = task.e[j * viterbi::symbols + observed[0]];
  __syncthreads();
  for (std::int64_t t = 1; t < task.length; ++t) {
    if (j < task.states) {
      const viterbi::Best best = viterbi::best_way(task, before, j);
      back[t * task.states + j] = static_cast<Place>(best.from);
      now[j] = best.score + task.e[j * viterbi::symbols + observed[t]];
    }
    __syncthreads();
    std::int32_t* const other = before;
    before = now;
    now = other;
  }
  if (j == 0) viterbi::walk_back(task.states, task.length, before, back, task.path + sequence * task.length);
}

void launch(const Call& call) {
  const Task task = viterbi::task_of(call);
  const auto block = static_cast<unsigned>((task.states + 31) / 32 * 32);
  const auto bytes = static_cast<std::size_t>(2 * task.states) * sizeof(std::int32_t);
  decode<<<static_cast<unsigned>(task.sequences), block, bytes, stream_of(call)>>>(
      task, static_cast<Place*>(call.state));
}

std::int64_t workspace(const Problem& p, const int*) {
  return viterbi::sequences_of(p) * viterbi::length_of(p) * viterbi::states_of(p) *
         static_cast<std::int64_t>(sizeof(Place));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, nullptr))) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the predecessor states";
}

}  // namespace states

// One warp decodes one sequence, for up to 32 states.
namespace warp {

using viterbi::Task;
using Warps = Choices<1, 2, 4, 8>;

struct Shape {
  int warps_per_block = 4, warps_per_multiprocessor = 16;
};

template <int warps>
__global__ void __launch_bounds__(32 * warps) decode(Task task, unsigned* places) {
  __shared__ viterbi::WarpsShared<warps> shared;
  viterbi::decode_by_warps<warps>(task,
                                  static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32,
                                  static_cast<int>(gridDim.x) * warps, places, shared);
}

// Returns the number of blocks: as many as are resident at once, or fewer if there are not enough sequences.
std::int64_t blocks_of(const Problem& problem, const Shape& shape) {
  const std::int64_t most = std::int64_t{multiprocessors()} * shape.warps_per_multiprocessor /
                            shape.warps_per_block,
                     sequences = viterbi::sequences_of(problem);
  return std::clamp<std::int64_t>((sequences + shape.warps_per_block - 1) / shape.warps_per_block, 1,
                                  std::max<std::int64_t>(1, most));
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return blocks_of(problem, shape) * shape.warps_per_block *
         viterbi::place_words(viterbi::length_of(problem)) * 4;
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  Warps::with(shape.warps_per_block, [&]<int warps>() {
    decode<warps><<<static_cast<unsigned>(blocks_of(call.problem, shape)), 32 * warps, 0, stream_of(call)>>>(
        viterbi::task_of(call), static_cast<unsigned*>(call.state));
  });
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t bytes = workspace(call.problem, call.tuned<Shape>());
  if (cudaMalloc(state, static_cast<std::size_t>(bytes)) == cudaSuccess) return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the predecessor states";
}

const char* refuse(const Problem& problem, const Shape&) {
  return viterbi::states_of(problem) > viterbi::width ? "more than 32 states" : nullptr;
}

// Chooses one warp per block if there are few sequences, to spread them over all multiprocessors.
void adapt(const Problem& problem, Shape& shape) {
  if (viterbi::sequences_of(problem) < 4 * multiprocessors()) shape.warps_per_block = 1;
}

}  // namespace warp

}  // namespace

std::vector<Variant> viterbi_cuda() {
  return {
      {.name = "block",
       .description = "sequences_per_block sequences per block, one state per thread; score and state packed "
                      "in one word",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<block::Shape>(
           {{"sequences_per_block", &block::Shape::sequences_per_block, block::Together::list()},
            {"blocks_per_multiprocessor", &block::Shape::blocks_per_multiprocessor, {1, 2, 4, 8, 16}}}),
       .launch = {.int32 = block::launch},
       .constraint = by_name<block::refuse>,
       .adapt = by_name<block::adapt>,
       .prepare = block::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<block::workspace>},
      {.name = "states",
       .description = "the plain form: one sequence per block, one state per thread",
       .memory_space = MemorySpace::cuda,
       .launch = {.int32 = states::launch},
       .prepare = states::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = states::workspace},
      {.name = "warp",
       .description = "one sequence per warp for up to 32 states, A in registers; score and state packed in "
                      "one word",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<warp::Shape>(
           {{"warps_per_block", &warp::Shape::warps_per_block, warp::Warps::list()},
            {"warps_per_multiprocessor", &warp::Shape::warps_per_multiprocessor, {4, 8, 16, 24}}}),
       .launch = {.int32 = warp::launch},
       .constraint = by_name<warp::refuse>,
       .adapt = by_name<warp::adapt>,
       .prepare = warp::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<warp::workspace>},
  };
}

}  // namespace sextant
