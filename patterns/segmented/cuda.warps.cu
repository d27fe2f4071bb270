// Each warp adds up an equal slice of the elements, independent of the segments, and keeps sums in registers.
// Each lane takes several consecutive elements at a time.
//
// `prepare` computes one bit per element that marks segment ends, so that the kernel does not read the
// offsets. A segmented scan by shuffles passes sums along the lanes of a warp. Results are gathered in shared
// memory and written in order.
//
// If a segment spans several warps, the last of these warps to finish adds up the partial sums
// (toolbox/cuda/row_chunks.cuh). Empty segments have no end bit, so `prepare` lists them, and also lists the
// result indices of the other segments.
#include <vector>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/carving.hpp"
#include "toolbox/cuda/row_chunks.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using row_chunks::Shares;
using row_chunks::Start;
using segmented::elements_of;
using Blocks = Choices<64, 128, 256>;
using Counts = Choices<4, 8, 16>;

struct Shape {
  // elements_per_lane: consecutive elements that a lane takes at a time
  int block_size = 128, elements_per_lane = 8;
  int elements_per_warp = 2048;  // approximate number of elements in a warp's slice

  Shares shares(const Problem& problem) const { return {elements_of(problem), 1, elements_per_warp}; }
};

// Arrays in device memory. Only non-empty segments are numbered, in order.
template <typename T>
struct Plan {
  T* parts;        // partial sums of segments that span several slices
  unsigned* ends;  // bit i % 32 of word i / 32 is set if element i is the last of its segment
  Start* starts;   // first segment and element of each slice; one more entry marks the end
  int* done;       // done[s]: number of stored partial sums of the segment that starts in slice s
  // offsets, places: offsets and result indices of the non-empty segments (unused if no segment is empty).
  // empty: result indices of the empty segments.
  std::int32_t *offsets, *places, *empty;
  std::int64_t bytes = 0;

  Plan(const Problem& problem, const Shares& shares, const void* memory) {
    Carving room(memory);
    const std::int64_t m = problem.extents.x, listed = problem.parameters[0] == segmented::of_ruler ? 0 : m;
    room.take(parts, 2 * std::int64_t{shares.count});
    room.take(ends, elements_of(problem) / 32 + 1);
    room.take(starts, std::int64_t{shares.count} + 1);
    room.take(done, shares.count);
    room.take(offsets, listed + 1);
    room.take(places, listed);
    room.take(empty, listed);
    bytes = room.bytes();
  }
};

struct State {
  void* memory = nullptr;
  int full = 0, empty = 0;  // number of non-empty segments; number of empty segments
};

// The consecutive elements that a lane takes at a time. Bit k of `ends` is set if element k is the last of
// its segment.
template <int each, typename T>
struct Group {
  static constexpr int width = vector_length<T>;
  Vector<T, width> vectors[each / width];
  unsigned ends;

  __device__ __forceinline__ T at(int k) const { return vectors[k / width][k % width]; }

  // Loads the elements from index `at` on, which is a multiple of `each`. Elements outside begin … end - 1
  // are set to 0 and not marked as ends. The array has `all` elements.
  __device__ __forceinline__ void load(const T* __restrict__ a, const unsigned* __restrict__ marks, int at,
                                       int begin, int end, int all) {
    ends = 0;
    if (at >= end || at + each <= begin) {
#pragma unroll
      for (int k = 0; k < each; ++k) vectors[k / width][k % width] = 0;
      return;
    }
    if (at + each <= all) {
#pragma unroll
      for (int v = 0; v < each / width; ++v) vectors[v] = sextant::load<width>(a + at + v * width);
    } else {
#pragma unroll
      for (int k = 0; k < each; ++k) vectors[k / width][k % width] = at + k < all ? a[at + k] : T(0);
    }
    ends = __ldg(marks + at / 32) >> at % 32;
    if (at >= begin && at + each <= end) {
      ends &= ~0u >> (32 - each);
      return;
    }
    unsigned counted = 0;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      const bool counts = at + k >= begin && at + k < end;
      counted |= (counts ? 1u : 0u) << k;
      if (!counts) vectors[k / width][k % width] = 0;
    }
    ends &= counted;
  }
};

// State of a warp in its slice: the segment of the next element, and that segment's sum so far.
template <typename T>
struct Walk {
  int segment;
  T carry = 0;
  int inside;  // a segment that started in an earlier slice, whose sum goes to `part`; or -1
  T *part, *y;
  const std::int32_t* places;  // result index of each non-empty segment; null if there are no empty segments

  __device__ __forceinline__ void put(int j, T sum) const {
    if (j == inside)
      *part = sum;
    else
      y[places ? __ldg(places + j) : j] = sum;
  }

  template <int each>
  __device__ __forceinline__ void add(const Group<each, T>& group, T* room) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const unsigned below = (1u << lane) - 1, ended = __ballot_sync(~0u, group.ends != 0);
    T sum = 0;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      sum += group.at(k);
      if (group.ends >> k & 1) sum = 0;
    }
    const unsigned upto = ended & (below | 1u << lane);
    // first lane whose sum belongs to this lane's segment
    const int first = upto ? 31 - __clz(static_cast<int>(upto)) : 0;
    const int mine = __popc(group.ends);
    int behind = mine;  // after the loop: number of segment ends up to and including this lane
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const T before = __shfl_up_sync(~0u, sum, step);
      const int others = __shfl_up_sync(~0u, behind, step);
      if (lane - step >= first) sum += before;
      if (lane >= step) behind += others;
    }
    T before = __shfl_up_sync(~0u, sum, 1);
    if (lane == 0) before = 0;
    if (!(ended & below)) before += carry;
    carry = __shfl_sync(~0u, sum, 31) + (ended ? T(0) : carry);
    const int all = __shfl_sync(~0u, behind, 31);
    int at = behind - mine;
#pragma unroll
    for (int k = 0; k < each; ++k) {
      before += group.at(k);
      if (group.ends >> k & 1) {
        room[at++] = before;
        before = 0;
      }
    }
    __syncwarp();
    for (int i = lane; i < all; i += 32) put(segment + i, room[i]);
    __syncwarp();  // all lanes have read the buffer, so it may be overwritten
    segment += all;
  }
};

// Stores the partial sums of segments that span several slices, and completes these segments if slice s is
// the last to finish. One warp calls it.
template <typename T>
__device__ void finish(const Plan<T>& plan, const std::int32_t* offsets, const Shares& shares, int s,
                       const Walk<T>& walk) {
  const Start from = plan.starts[s], to = plan.starts[s + 1];
  // true if one segment covers the whole slice, from an earlier slice to a later one
  const bool begun_before = from.inside() && walk.segment == from.row();
  if (threadIdx.x % 32 == 0) {
    if (begun_before) plan.parts[2 * s] = walk.carry;
    if (to.inside() && !begun_before) plan.parts[2 * s + 1] = walk.carry;
  }
  const auto result = [&](int j) { return walk.y + (walk.places ? walk.places[j] : j); };
  if (from.inside())
    row_chunks::finish(offsets, plan.parts, plan.done, shares, from.row(), result(from.row()));
  if (to.inside() && !begun_before)
    row_chunks::finish(offsets, plan.parts, plan.done, shares, to.row(), result(to.row()));
}

template <int block, int each, typename T>
__global__ void __launch_bounds__(block)
    sum_segments(int elements, const T* __restrict__ a, Plan<T> plan, Shares shares, int empty,
                 const std::int32_t* offsets, const std::int32_t* places, T* __restrict__ y) {
  constexpr int a_turn = 32 * each, aligned = 32;
  __shared__ T rooms[block / 32][a_turn];
  const int s = static_cast<int>((blockIdx.x * block + threadIdx.x) / 32),
            lane = static_cast<int>(threadIdx.x % 32);
  if (s >= shares.count) return;
  for (int e = s * 32 + lane; e < empty; e += shares.count * 32) y[plan.empty[e]] = 0;
  const Start from = plan.starts[s];
  const int begin = from.entry, end = plan.starts[s + 1].entry;
  Walk<T> walk{from.row(), T(0), from.inside() ? from.row() : -1, plan.parts + 2 * s, y, places};
  int base = begin / aligned * aligned;
  Group<each, T> now;
  now.load(a, plan.ends, base + lane * each, begin, end, elements);
  while (base < end) {
    base += a_turn;
    Group<each, T> next;  // loaded while the current group is added up (software pipelining)
    next.load(a, plan.ends, base + lane * each, begin, end, elements);
    walk.add(now, rooms[threadIdx.x / 32]);
    now = next;
  }
  finish(plan, offsets, shares, s, walk);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto& state = *static_cast<const State*>(call.state);
  const Shares shares = shape.shares(call.problem);
  const Plan<T> plan(call.problem, shares, state.memory);
  const auto* offsets = state.empty > 0 ? plan.offsets : call.array<const std::int32_t>(0);
  const auto* places = state.empty > 0 ? plan.places : nullptr;
  Blocks::with(shape.block_size, [&]<int block>() {
    Counts::with(shape.elements_per_lane, [&]<int each>() {
      sum_segments<block, each><<<blocks_for(shares.count, block / 32), block, 0, stream_of(call)>>>(
          static_cast<int>(elements_of(call.problem)), call.array<const T>(1), plan, shares, state.empty,
          offsets, places, call.array<T>(2));
    });
  });
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const Shares shares = shape.shares(problem);
  return problem.type == ElementType::float64 ? Plan<double>(problem, shares, nullptr).bytes
                                              : Plan<float>(problem, shares, nullptr).bytes;
}

// The offsets and result indices of the non-empty segments, and the indices of the empty segments.
struct Structure {
  std::vector<std::int32_t> offsets = {0}, places, empty;

  explicit Structure(const std::vector<std::int32_t>& o) {
    for (std::size_t j = 0; j + 1 < o.size(); ++j) {
      (o[j] < o[j + 1] ? places : empty).push_back(static_cast<std::int32_t>(j));
      if (o[j] < o[j + 1]) offsets.push_back(o[j + 1]);
    }
  }
};

bool to_device(std::int32_t* to, const std::vector<std::int32_t>& from) {
  return cudaMemcpy(to, from.data(), from.size() * sizeof(std::int32_t), cudaMemcpyHostToDevice) ==
         cudaSuccess;
}

template <typename T>
bool make_plan(const Call& call, State& state) {
  const auto shape = call.tuned<Shape>();
  const Shares shares = shape.shares(call.problem);
  const Plan<T> plan(call.problem, shares, state.memory);
  const auto* offsets = call.array<const std::int32_t>(0);
  state.full = static_cast<int>(call.problem.extents.x);
  if (call.problem.parameters[0] != segmented::of_ruler) {
    std::vector<std::int32_t> o(static_cast<std::size_t>(call.problem.extents.x + 1));
    if (cudaMemcpy(o.data(), offsets, o.size() * sizeof(std::int32_t), cudaMemcpyDeviceToHost) != cudaSuccess)
      return false;
    const Structure structure(o);
    state.full = static_cast<int>(structure.places.size());
    state.empty = static_cast<int>(structure.empty.size());
    if (!to_device(plan.offsets, structure.offsets) || !to_device(plan.places, structure.places) ||
        !to_device(plan.empty, structure.empty))
      return false;
    if (state.empty > 0) offsets = plan.offsets;
  }
  const auto elements = static_cast<int>(elements_of(call.problem));
  const cudaStream_t stream = stream_of(call);
  row_chunks::mark_ends<<<blocks_for(state.full, 256), 256, 0, stream>>>(state.full, offsets, plan.ends);
  row_chunks::find_starts<<<blocks_for(shares.count + 1, 256), 256, 0, stream>>>(shares, state.full, elements,
                                                                                 offsets, plan.starts);
  return true;
}

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  cudaFree(mine->memory);
  delete mine;
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const auto bytes = static_cast<std::size_t>(workspace(call.problem, call.tuned<Shape>()));
  if (cudaMalloc(&mine->memory, bytes) == cudaSuccess && cudaMemset(mine->memory, 0, bytes) == cudaSuccess &&
      cudaDeviceSynchronize() == cudaSuccess &&
      (call.problem.type == ElementType::float64 ? make_plan<double>(call, *mine)
                                                 : make_plan<float>(call, *mine))) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // clear the error, so that a later check does not report it
  release(mine);
  return "no device memory for the marks of segment ends";
}

// Chosen from timings on an H200. Small problems use short slices, so that every multiprocessor has work.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t elements = elements_of(problem);
  const bool doubles = problem.type == ElementType::float64;
  if (doubles) {
    if (elements < 1 << 19)
      shape.elements_per_lane = 16, shape.elements_per_warp = 256;
    else
      shape.elements_per_warp = elements < 1 << 21 ? 512 : elements < 1 << 25 ? 2048 : 4096;
  } else {
    shape.elements_per_lane = 16;
    shape.elements_per_warp = elements < 1 << 21 ? 256 : elements < 1 << 25 ? 2048 : 4096;
  }
}

const char* refuse(const Problem& problem, const Shape&) {
  return elements_of(problem) > INT32_MAX - 4096 ? "more elements than an int32 can count" : nullptr;
}

}  // namespace

std::vector<Variant> segmented_cuda_warps() {
  return {
      {.name = "warps",
       .description = "one slice of elements per warp; sums by shuffles between segment ends, marked by bits "
                      "beforehand",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                            {"elements_per_lane", &Shape::elements_per_lane, Counts::list()},
                            {"elements_per_warp", &Shape::elements_per_warp, {256, 512, 1024, 2048, 4096}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(launch),
       .constraint = by_name<refuse>,
       .adapt = by_name<adapt>,
       .prepare = prepare,
       .prepare_depends_on = DependsOn::structure,
       .release = release,
       .workspace = by_name<workspace>}};
}

}  // namespace sextant
