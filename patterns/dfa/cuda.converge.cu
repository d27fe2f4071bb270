// Speculative execution of the automaton. Each lane processes its own chunk of text and assumes that the
// chunk starts in state 0. Then it learns the true start state from the lane before it. Lanes whose
// assumption was wrong repeat their chunk, until all agree. This is fast if the states converge.
//
// For the first lane of a warp, the start state is found by running all 16 states over the bytes before it.
// If they have not converged after 512 bytes, a second launch computes the whole result by composition of
// transition functions (packed.cuh). Otherwise the second launch ends at once. The result is always exact.
//
// Each lane has its own copy of the table, in its own bank of shared memory.
#include "packed.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using dfa::block_bytes;
using Blocks = Choices<256, 512, 1024>;
using Pieces = Choices<2, 4, 8, 16>;
constexpr int fallback_pieces = 4;
constexpr int most_bytes_back = 512;

struct Shape {
  int block_size = 1024, blocks_per_thread = 8;
};

constexpr int table_bytes = 32 * 4096;
// Number of chunks that a lane processes at once, so that their table lookups overlap.
constexpr int chains = 2;
struct alignas(16) Stage {
  // 32 bytes of each chunk, padded to 48 bytes to avoid bank conflicts.
  uint4 of_stretch[32 * chains][3];
};

constexpr int shared_bytes(int block) { return table_bytes + block / 32 * static_cast<int>(sizeof(Stage)); }

// A lane's copy of the table. Byte e of the table is byte e % 4 of the lane's word e / 4. Word w of lane i is
// at index 32 w + i in shared memory, so that each lane uses its own bank.
struct Lookup {
  const unsigned char* tables;
  unsigned place;  // byte offset of the lane's words, in bits 2 to 6 of the address

  // Returns the successor of `state`. The masked bits of `entries` select the table row of an input byte.
  __device__ __forceinline__ unsigned at(unsigned entries, unsigned state) const {
    return tables[(entries & 0x1FE00u) | place | (state * 33 & 0x183u)];
  }
  __device__ __forceinline__ void after_word(unsigned word, unsigned& state) const {
    state = at(word << 9, state);
    state = at(word << 1, state);
    state = at(word >> 7, state);
    state = at(word >> 15, state);
  }
  __device__ __forceinline__ void after_vector(const uint4& v, unsigned& state) const {
    after_word(v.x, state);
    after_word(v.y, state);
    after_word(v.z, state);
    after_word(v.w, state);
  }
};

__device__ __forceinline__ void fill_tables(const std::int32_t* table, std::int32_t* shared) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (int word = static_cast<int>(threadIdx.x / 32); word < 1024; word += static_cast<int>(blockDim.x / 32))
    shared[word * 32 + lane] = __ldg(table + word);
}

// Returns the state before 64-byte block `first` if all states converge over the bytes before it, otherwise
// -1. The whole warp must call it.
__device__ __forceinline__ int state_before(const Lookup& lookup, const unsigned char* text,
                                            std::int64_t first) {
  const unsigned char* end = text + first * block_bytes;
  const auto room = static_cast<int>(min(first * block_bytes, static_cast<std::int64_t>(most_bytes_back)));
  for (int back = block_bytes;; back *= 2) {
    const int bytes = min(back, room);
    // At the start of the text, the state is known to be 0.
    unsigned state = bytes == first * block_bytes ? 0 : threadIdx.x % 16;
#pragma unroll 1
    for (int at = bytes; at > 0; at -= static_cast<int>(block_bytes)) {
      const auto* vectors = reinterpret_cast<const uint4*>(end - at);
      const uint4 four[4] = {__ldg(vectors), __ldg(vectors + 1), __ldg(vectors + 2), __ldg(vectors + 3)};
#pragma unroll
      for (int v = 0; v < 4; ++v) lookup.after_vector(four[v], state);
    }
    if (__all_sync(~0u, state == __shfl_sync(~0u, state, 0))) return static_cast<int>(state);
    if (bytes == room) return -1;
  }
}

// Loads 16 bytes, with the hint to also prefetch the rest of their 64-byte segment into the L2 cache.
__device__ __forceinline__ uint4 load_ahead(const uint4* from) {
  uint4 v;
  asm volatile("ld.global.nc.L2::64B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from));
  return v;
}

// Loads 32 bytes of each of the warp's chunks at a time. Two neighbouring lanes load the bytes of one chunk.
template <int pieces>
struct Reader {
  const unsigned char* text;
  // `first`: first 64-byte block of the warp's first chunk; `blocks`: number of 64-byte blocks in the text.
  std::int64_t first, blocks;
  uint4 next[4];

  __device__ __forceinline__ void load(int half) {
    const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const std::int64_t block = first + (r * 16 + lane / 2) * pieces + half / 2;
      next[r] = block < blocks ? load_ahead(reinterpret_cast<const uint4*>(text + block * block_bytes) +
                                            half % 2 * 2 + lane % 2)
                               : uint4{0, 0, 0, 0};
    }
  }
  __device__ __forceinline__ void hand_over(Stage& stage) const {
    const int lane = static_cast<int>(threadIdx.x % 32);
    __syncwarp();
#pragma unroll
    for (int r = 0; r < 4; ++r) stage.of_stretch[r * 16 + lane / 2][lane % 2] = next[r];
    __syncwarp();
  }
};

// A lane's current state in each of its chunks, and the states after the chunk's 64-byte blocks, 4 bits each.
struct Walks {
  unsigned state[chains];
  unsigned long long after[chains];

  __device__ __forceinline__ void stage(const Lookup& lookup, const Stage& stage) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    uint4 vectors[chains][2];
#pragma unroll
    for (int c = 0; c < chains; ++c)
#pragma unroll
      for (int v = 0; v < 2; ++v) vectors[c][v] = stage.of_stretch[c * 32 + lane][v];
#pragma unroll
    for (int v = 0; v < 2; ++v) {
      step(lookup, vectors[0][v].x, vectors[1][v].x);
      step(lookup, vectors[0][v].y, vectors[1][v].y);
      step(lookup, vectors[0][v].z, vectors[1][v].z);
      step(lookup, vectors[0][v].w, vectors[1][v].w);
    }
  }
  __device__ __forceinline__ void step(const Lookup& lookup, unsigned a, unsigned b) {
    state[0] = lookup.at(a << 9, state[0]), state[1] = lookup.at(b << 9, state[1]);
    state[0] = lookup.at(a << 1, state[0]), state[1] = lookup.at(b << 1, state[1]);
    state[0] = lookup.at(a >> 7, state[0]), state[1] = lookup.at(b >> 7, state[1]);
    state[0] = lookup.at(a >> 15, state[0]), state[1] = lookup.at(b >> 15, state[1]);
  }
  __device__ __forceinline__ unsigned after_piece(int c, int piece) const {
    return static_cast<unsigned>(after[c] >> (4 * piece)) & 15u;
  }
  __device__ __forceinline__ void note(int c, int piece) {
    after[c] = (after[c] & ~(15ull << (4 * piece))) | static_cast<unsigned long long>(state[c])
                                                          << (4 * piece);
  }
};

// For each chunk of this lane, finds the final state of the chunk before it.
template <int pieces>
__device__ __forceinline__ void ends_before(const Walks& walks, unsigned begin, unsigned (&before)[chains]) {
  const unsigned last = walks.after_piece(0, pieces - 1);
  before[0] = __shfl_up_sync(~0u, last, 1);
  before[1] = __shfl_up_sync(~0u, walks.after_piece(1, pieces - 1), 1);
  const unsigned half = __shfl_sync(~0u, last, 31);
  if (threadIdx.x % 32 == 0) before[0] = begin, before[1] = half;
}

// The loops are not unrolled, so that the code fits in the instruction cache.
template <int pieces>
__device__ __forceinline__ void walk_stretches(const Lookup& lookup, const dfa::Task& task,
                                               std::int64_t first, unsigned begin, Stage& stage) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  Reader<pieces> reader{task.text, first, task.blocks, {}};
  unsigned assumed[chains] = {lane == 0 ? begin : 0, 0};
  Walks walks = {{assumed[0], assumed[1]}, {}};
  reader.load(0);
#pragma unroll 1
  for (int half = 0; half < 2 * pieces; ++half) {
    reader.hand_over(stage);
    if (half + 1 < 2 * pieces) reader.load(half + 1);
    walks.stage(lookup, stage);
    if (half % 2 == 1) walks.note(0, half / 2), walks.note(1, half / 2);
  }
#pragma unroll 1
  for (;;) {
    unsigned before[chains];
    ends_before<pieces>(walks, begin, before);
    // Always false beyond the end of the text, where zero bytes are loaded that need not make the states
    // converge.
    bool wrong[chains];
#pragma unroll
    for (int c = 0; c < chains; ++c)
      wrong[c] = before[c] != assumed[c] && first + (c * 32 + lane) * pieces < task.blocks;
    if (!__any_sync(~0u, wrong[0] || wrong[1])) break;
#pragma unroll
    for (int c = 0; c < chains; ++c) assumed[c] = walks.state[c] = before[c];
#pragma unroll 1
    for (int half = 0; half < 2 * pieces && __any_sync(~0u, wrong[0] || wrong[1]); ++half) {
      reader.load(half);
      reader.hand_over(stage);
      walks.stage(lookup, stage);
      if (half % 2 == 0) continue;
#pragma unroll
      for (int c = 0; c < chains; ++c) {
        wrong[c] = wrong[c] && walks.state[c] != walks.after_piece(c, half / 2);
        if (wrong[c]) walks.note(c, half / 2);
      }
    }
  }
#pragma unroll
  for (int c = 0; c < chains; ++c) {
    const std::int64_t mine = first + (c * 32 + lane) * pieces;
#pragma unroll
    for (int p = 0; p < pieces; p += 2) {
      const Vector<std::int32_t, 2> two = {static_cast<std::int32_t>(walks.after_piece(c, p)),
                                           static_cast<std::int32_t>(walks.after_piece(c, p + 1))};
      if (mine + p + 1 < task.blocks)
        store_streaming(task.state + mine + p, two);
      else if (mine + p < task.blocks)
        task.state[mine + p] = two.values[0];
    }
  }
}

template <int block, int pieces>
__global__ void __launch_bounds__(block) converge(dfa::Task task, int* open) {
  extern __shared__ __align__(16) unsigned char memory[];
  fill_tables(reinterpret_cast<const std::int32_t*>(task.table), reinterpret_cast<std::int32_t*>(memory));
  __syncthreads();
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  auto& stage = reinterpret_cast<Stage*>(memory + table_bytes)[warp];
  const Lookup lookup{memory, 4 * lane};
  constexpr std::int64_t stretches = 32 * chains * pieces, warps = block / 32;
  for (std::int64_t first = (warp * std::int64_t{gridDim.x} + blockIdx.x) * stretches; first < task.blocks;
       first += gridDim.x * warps * stretches) {
    const int begin = first == 0 ? 0 : state_before(lookup, task.text, first);
    if (begin < 0) {
      if (lane == 0) *open = 1;
      return;
    }
    walk_stretches<pieces>(lookup, task, first, static_cast<unsigned>(begin), stage);
  }
}

// The look-back descriptors of the second launch, and the flag that makes it run.
struct State {
  lookback::Tickets tickets;
  int* open = nullptr;
  ~State() { cudaFree(open); }
};

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const dfa::Task task(call);
  const auto& state = *static_cast<const State*>(call.state);
  cudaMemsetAsync(state.open, 0, sizeof(int), stream_of(call));
  Blocks::with(shape.block_size, [&]<int block>() {
    Pieces::with(shape.blocks_per_thread, [&]<int pieces>() {
      constexpr int bytes = shared_bytes(block);
      cudaFuncSetAttribute(converge<block, pieces>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
      // One warp per group of chunks, spread over as many multiprocessors as possible.
      const auto wanted = blocks_for(task.blocks, 32 * chains * pieces);
      const auto grid = std::min(wanted, static_cast<unsigned>(multiprocessors()));
      converge<block, pieces><<<grid, block, bytes, stream_of(call)>>>(task, state.open);
    });
  });
  dfa::launch_packed<fallback_pieces>(call, state.tickets, state.open);
}

const char* refuse(const Problem&, const Shape& shape) {
  const int most = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 227 * 1024);
  return shared_bytes(shape.block_size) > most
             ? "this block_size needs more shared memory than a block may have"
             : nullptr;
}

void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t blocks = dfa::blocks_of(problem);
  shape.blocks_per_thread = blocks < 1 << 17 ? 2 : 8;
  if (shape.block_size > 512 && refuse(problem, shape)) shape.block_size = 512;
  if (refuse(problem, shape)) shape.block_size = 256;
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return lookback::Tickets::bytes(dfa::packed_tiles<fallback_pieces>(dfa::blocks_of(problem)),
                                  sizeof(dfa::Packed)) +
         static_cast<std::int64_t>(sizeof(int));
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  if (mine->tickets.make(dfa::packed_tiles<fallback_pieces>(dfa::blocks_of(call.problem)),
                         sizeof(dfa::Packed)) == cudaSuccess &&
      cudaMalloc(&mine->open, sizeof(int)) == cudaSuccess) {
    *state = mine;
    return nullptr;
  }
  delete mine;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the transition functions of the tiles";
}

}  // namespace

std::vector<Variant> dfa_cuda_converge() {
  return {{.name = "converge",
           .description =
               "each lane assumes start state 0 and repeats if it was wrong; falls back to packed if states "
               "do not converge",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                        {"blocks_per_thread", &Shape::blocks_per_thread, Pieces::list()}}),
           .launch = {.int32 = launch},
           .constraint = by_name<refuse>,
           .adapt = by_name<adapt>,
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
