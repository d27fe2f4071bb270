// Each warp sums an equal slice of the nonzeros, independent of the rows, and keeps sums in registers.
//
// Each lane takes four consecutive nonzeros at a time. `prepare` computes one bit per nonzero that marks row
// ends. A segmented scan by shuffles passes sums along the lanes, from one row end to the next. If a row
// spans several warps, the last of these warps to finish adds up the partial sums. The order of additions is
// always the same. A single launch suffices.
//
// If many nonzeros are in the same columns, a window of x (the most used range of columns) is kept in shared
// memory by one persistent block per multiprocessor.
#include <algorithm>
#include <cstdint>

#include "entries.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/carving.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/row_chunks.cuh"

// `prepare` splits the nonzeros into slices of about equal size, one per warp. A share is the slice of one
// warp, or the slices of all warps of a block. Shares start at row starts, except within long rows. Rows that
// span warps of a share are combined in shared memory, and rows that span shares in device memory.
namespace sextant::spmv {

using row_chunks::Shares;
using row_chunks::Start;

// Arrays in device memory. No row of these matrices is empty, so the end bits count rows.
template <typename T>
struct Plan {
  // Partial sums of each share b: parts[2 b] for the row in which the share starts, parts[2 b + 1] for the
  // row in which it ends.
  T* parts;
  unsigned* ends;  // bit e % 32 of word e / 32 is set if nonzero e is the last of its row
  Start* starts;   // first row and nonzero of each slice; one more entry marks the end
  // done[b]: number of shares that have stored their partial sum of the row that starts in share b and
  // continues after it
  int* done;
  int* window;  // first column of the window of x, followed by the number of uses of each candidate window
  std::int64_t bytes = 0;

  Plan(const Problem& problem, const Shares& shares, int windows, const void* memory) {
    Carving room(memory);
    room.take(parts, 2 * std::int64_t{shares.count});
    room.take(ends, entries_of(problem) / 32 + 1);
    room.take(starts, std::int64_t{shares.chunks()} + 1);
    room.take(done, shares.count);
    room.take(window, 1 + windows);
    bytes = room.bytes();
  }
};

// State of a warp in its slice: the row of the next nonzero, and that row's sum so far.
template <typename T>
struct Walk {
  int row;
  T carry = 0;
  int inside;  // a row that started in an earlier slice, whose sum goes to `part`; or -1
  T *part, *y;

  __device__ __forceinline__ void put(int r, T sum) const {
    if (r == inside)
      *part = sum;
    else
      y[r] = sum;
  }

  // Adds one vector of products per lane. Bit k of `ends` is set if element k of the lane's vector is the
  // last of its row.
  __device__ __forceinline__ void add(const Vector<T, width>& products, unsigned ends) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    const unsigned below = (1u << lane) - 1, ended = __ballot_sync(~0u, ends != 0);
    T sum = 0;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      sum += products[k];
      if (ends >> k & 1) sum = 0;
    }
    const unsigned upto = ended & (below | 1u << lane);
    const int first =
        upto ? 31 - __clz(static_cast<int>(upto)) : 0;  // first lane whose sum belongs to this lane's row
#pragma unroll
    for (int step = 1; step < 32; step *= 2) {
      const T before = __shfl_up_sync(~0u, sum, step);
      if (lane - step >= first) sum += before;
    }
    T before = __shfl_up_sync(~0u, sum, 1);
    if (lane == 0) before = 0;
    if (!(ended & below)) before += carry;
    carry = __shfl_sync(~0u, sum, 31) + (ended ? T(0) : carry);
    int r = row;
#pragma unroll
    for (int k = 0; k < width; ++k) {
      const unsigned all = __ballot_sync(~0u, ends >> k & 1);
      r += __popc(all & below);
      row += __popc(all);
    }
#pragma unroll
    for (int k = 0; k < width; ++k) {
      before += products[k];
      if (ends >> k & 1) {
        put(r++, before);
        before = 0;
      }
    }
  }
};

// Stores the partial sums of rows that span several shares, and completes these rows if share s is the last
// to finish. The share belongs to one warp, which calls this function.
template <typename T>
__device__ void finish_alone(const Matrix<T>& a, const Plan<T>& plan, const Shares& shares, int s,
                             const Walk<T>& walk, T* y) {
  const Start from = plan.starts[s], to = plan.starts[s + 1];
  // true if one row covers the whole share, from an earlier share to a later one
  const bool begun_before = from.inside() && walk.row == from.row();
  if (threadIdx.x % 32 == 0) {
    if (begun_before) plan.parts[2 * s] = walk.carry;
    if (to.inside() && !begun_before) plan.parts[2 * s + 1] = walk.carry;
  }
  if (from.inside()) row_chunks::finish(a.row, plan.parts, plan.done, shares, from.row(), y + from.row());
  if (to.inside() && !begun_before)
    row_chunks::finish(a.row, plan.parts, plan.done, shares, to.row(), y + to.row());
}

// Partial sums that the warps of a share leave in shared memory.
template <int warps, typename T>
struct Left {
  // head: sum of the row within which a warp starts, if the warp completes that row. rest: sum of the row
  // that the warp leaves incomplete.
  T head[warps], rest[warps];
  int row[warps];  // the row within which the warp starts, if it completes that row; otherwise -1
  // true if the warp completes a row or starts at the start of a row; then its `rest` contains nothing from
  // earlier warps
  bool ended[warps];

  __device__ __forceinline__ void take(int w, const Start& from, const Walk<T>& walk) {
    const bool any = walk.row > from.row();
    rest[w] = walk.carry;
    ended[w] = any || !from.inside();
    row[w] = from.inside() && any ? from.row() : -1;
  }
};

// One warp adds up the rows that span several warps of share b.
template <int warps, typename T>
__device__ void add_up(const Matrix<T>& a, const Plan<T>& plan, const Shares& shares, int b,
                       const Left<warps, T>& left, T* y) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const Start from = plan.starts[b * warps], to = plan.starts[(b + 1) * warps];
  const int inside = from.inside() ? from.row() : -1;
  T sum = lane < warps ? left.rest[lane] : T(0);
  const unsigned ended = __ballot_sync(~0u, lane < warps && left.ended[lane]),
                 upto = ended & ~0u >> (31 - lane);
  const int first = upto ? 31 - __clz(static_cast<int>(upto)) : 0;
#pragma unroll
  for (int step = 1; step < warps; step *= 2) {
    const T before = __shfl_up_sync(~0u, sum, step);
    if (lane - step >= first) sum += before;
  }
  const T before = __shfl_up_sync(~0u, sum, 1);
  if (lane < warps && left.row[lane] >= 0) {
    const T all = left.head[lane] + (lane > 0 ? before : T(0));
    if (left.row[lane] == inside)
      plan.parts[2 * b] = all;
    else
      y[left.row[lane]] = all;
  }
  // true if one row covers the whole share, from an earlier share to a later one
  const bool begun_before = from.inside() && ended == 0;
  if (to.inside() && lane == warps - 1) plan.parts[2 * b + !begun_before] = sum;
  if (from.inside()) row_chunks::finish(a.row, plan.parts, plan.done, shares, inside, y + inside);
  if (to.inside() && !begun_before)
    row_chunks::finish(a.row, plan.parts, plan.done, shares, to.row(), y + to.row());
}

// Estimates from a sample of nonzeros how often each window of `columns` columns is used.
static __global__ void count_windows(int samples, int step, int columns, const std::int32_t* col,
                                     int* counts) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < samples) atomicAdd(&counts[col[std::int64_t{i} * step] / columns], 1);
}
static __global__ void choose_window(int windows, int columns, int* window) {
  int best = 0;
  for (int w = 1; w < windows; ++w)
    if (window[1 + w] > window[1 + best]) best = w;
  *window = best * columns;
}

// Reads elements of x. If `windowed`, columns in the window are read from shared memory.
template <bool windowed, typename T>
struct Source {
  const T *x, *near;
  int begin, columns;  // first column and number of columns of the window

  __device__ __forceinline__ T operator()(int column) const {
    if constexpr (windowed) {
      const auto i = static_cast<unsigned>(column - begin);
      if (i < static_cast<unsigned>(columns)) return near[i];
    }
    return __ldg(x + column);
  }
};

template <typename T>
__device__ void load_window(const T* from, int columns, T* near) {
  constexpr int w = vector_length<T>;
  for (int i = static_cast<int>(threadIdx.x) * w; i < columns; i += static_cast<int>(blockDim.x) * w) {
    if (i + w <= columns)
      *reinterpret_cast<uint4*>(near + i) = __ldg(reinterpret_cast<const uint4*>(from + i));
    else
      for (int k = i; k < columns; ++k) near[k] = from[k];
  }
}

}  // namespace sextant::spmv

namespace sextant {
namespace {

using row_chunks::Shares;
using row_chunks::Start;
using spmv::Entries;
using spmv::Left;
using spmv::Matrix;
using spmv::Plan;
using spmv::Source;
using spmv::width;
using Blocks = Choices<128, 256, 512, 1024>;
using Vectors = Choices<1, 2>;

struct Shape {
  int block_size = 256, vectors = 1;  // vectors: vectors of four nonzeros that a lane loads at a time
  int nonzeros_per_warp = 1024;       // approximate number of nonzeros in a warp's slice
  int block_shares_chunk = 0;         // 1 if all warps of a block form one share
  int window_kib = 0;                 // size of the window of x in shared memory, in KiB; 0 for none
  int warps() const { return block_size / 32; }
};

constexpr int row_of_entries = 32 * width;  // number of nonzeros that a warp loads with one vector per lane

// Shared memory that a block may request, in bytes. Without a GPU, returns the limit of an H200.
int most_of_shared() { return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 227 << 10); }

// Divides the nonzeros into shares. With persistent blocks (window_kib > 0), all warps get the same number of
// slices.
Shares shares_of(const Problem& problem, const Shape& shape) {
  if (shape.window_kib == 0)
    return {spmv::entries_of(problem), shape.block_shares_chunk ? shape.warps() : 1, shape.nonzeros_per_warp};
  const std::int64_t entries = spmv::entries_of(problem),
                     warps = std::int64_t{multiprocessors()} * shape.warps(),
                     a_turn = warps * shape.nonzeros_per_warp,
                     turns = std::max<std::int64_t>(1, (entries + a_turn / 2) / a_turn),
                     stretch = (entries + warps * turns - 1) / (warps * turns);
  return {entries, 1, static_cast<int>(std::max<std::int64_t>(row_of_entries, stretch))};
}

int columns_of(const Problem& problem, const Shape& shape) {
  return shape.window_kib * 1024 / static_cast<int>(element_size(problem.type));
}

int windows_of(const Problem& problem, const Shape& shape) {
  const std::int64_t columns = columns_of(problem, shape);
  return columns == 0 ? 0 : static_cast<int>((spmv::rows_of(problem) + columns - 1) / columns);
}

template <typename T>
Plan<T> plan_of(const Problem& problem, const Shape& shape, const void* memory) {
  return {problem, shares_of(problem, shape), windows_of(problem, shape), memory};
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return problem.type == ElementType::float32 ? plan_of<float>(problem, shape, nullptr).bytes
                                              : plan_of<double>(problem, shape, nullptr).bytes;
}

// One warp processes slice s. If the slice starts within a row and completes it, the row's sum is stored in
// `part`.
template <int vectors, bool windowed, typename T>
__device__ __forceinline__ spmv::Walk<T> go_along(const Matrix<T>& a, const Plan<T>& plan,
                                                  const Source<windowed, T>& x, int s, T* part, T* y) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  const Start from = plan.starts[s];
  const int begin = from.entry, end = plan.starts[s + 1].entry;
  spmv::Walk<T> walk{from.row(), T(0), from.inside() ? from.row() : -1, part, y};
  const auto place = [=](int base, int u) { return base + u * row_of_entries + lane * width; };
  constexpr int aligned = windowed ? 32 : width;
  Entries<T> now[vectors];
  int base = begin / aligned * aligned;
#pragma unroll
  for (int u = 0; u < vectors; ++u) now[u].load_columns(a, place(base, u), begin, end);
  for (; base < end; base += vectors * row_of_entries) {
    unsigned ends[vectors];
#pragma unroll
    for (int u = 0; u < vectors; ++u) {
      const int at = place(base, u);
      now[u].load_values(a, at);
      ends[u] = now[u].counted ? __ldg(plan.ends + at / 32) >> at % 32 & now[u].counted : 0;
    }
    Vector<T, width> products[vectors];
#pragma unroll
    for (int u = 0; u < vectors; ++u) products[u] = now[u].products(x);
#pragma unroll
    for (int u = 0; u < vectors; ++u) walk.add(products[u], ends[u]);
#pragma unroll
    for (int u = 0; u < vectors; ++u)
      now[u].load_columns(a, place(base + vectors * row_of_entries, u), begin, end);
  }
  return walk;
}

template <int block, int vectors, typename T>
__global__ void __launch_bounds__(block)
    multiply(Matrix<T> a, Plan<T> plan, Shares shares, T* __restrict__ y) {
  const int s = static_cast<int>((blockIdx.x * block + threadIdx.x) / 32);
  if (s >= shares.count) return;
  const Source<false, T> x{a.x};
  const auto walk = go_along<vectors>(a, plan, x, s, plan.parts + 2 * s, y);
  spmv::finish_alone(a, plan, shares, s, walk, y);
}

template <int block, int vectors, typename T>
__global__ void __launch_bounds__(block)
    multiply_together(Matrix<T> a, Plan<T> plan, Shares shares, T* __restrict__ y) {
  constexpr int warps = block / 32;
  __shared__ Left<warps, T> left;
  const int b = static_cast<int>(blockIdx.x), w = static_cast<int>(threadIdx.x / 32), s = b * warps + w;
  const Source<false, T> x{a.x};
  const auto walk = go_along<vectors>(a, plan, x, s, left.head + w, y);
  if (threadIdx.x % 32 == 0) left.take(w, plan.starts[s], walk);
  __syncthreads();
  if (w == 0) spmv::add_up<warps>(a, plan, shares, b, left, y);
}

// Kernel with persistent blocks, which keep a window of x in shared memory.
template <int block, int vectors, typename T>
__global__ void __launch_bounds__(block)
    multiply_near(Matrix<T> a, Plan<T> plan, Shares shares, int columns, T* __restrict__ y) {
  extern __shared__ __align__(16) unsigned char bytes[];
  T* near = reinterpret_cast<T*>(bytes);
  const int begin = *plan.window, warps = static_cast<int>(gridDim.x) * (block / 32);
  const Source<true, T> x{a.x, near, begin, min(columns, a.rows - begin)};
  spmv::load_window(a.x + begin, x.columns, near);
  __syncthreads();
  for (int s = static_cast<int>((blockIdx.x * block + threadIdx.x) / 32); s < shares.count; s += warps) {
    const auto walk = go_along<vectors>(a, plan, x, s, plan.parts + 2 * s, y);
    spmv::finish_alone(a, plan, shares, s, walk, y);
  }
}

template <int block, int vectors, typename T>
void launch_multiply(const Call& call, const Shape& shape, const Shares& shares, const Plan<T>& plan) {
  const Matrix<T> a(call);
  const cudaStream_t stream = stream_of(call);
  T* y = call.array<T>(4);
  if (shape.window_kib > 0) {
    const int bytes = shape.window_kib * 1024;
    const auto kernel = multiply_near<block, vectors, T>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    kernel<<<static_cast<unsigned>(multiprocessors()), block, static_cast<std::size_t>(bytes), stream>>>(
        a, plan, shares, columns_of(call.problem, shape), y);
  } else if (shape.block_shares_chunk) {
    multiply_together<block, vectors>
        <<<static_cast<unsigned>(shares.count), block, 0, stream>>>(a, plan, shares, y);
  } else {
    multiply<block, vectors><<<blocks_for(shares.count, block / 32), block, 0, stream>>>(a, plan, shares, y);
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const Shares shares = shares_of(call.problem, shape);
  const auto plan = plan_of<T>(call.problem, shape, call.state);
  Blocks::with(shape.block_size, [&]<int block>() {
    Vectors::with(shape.vectors,
                  [&]<int vectors>() { launch_multiply<block, vectors>(call, shape, shares, plan); });
  });
}

template <typename T>
void make_plan(const Call& call, void* memory) {
  const auto shape = call.tuned<Shape>();
  const Shares shares = shares_of(call.problem, shape);
  const auto plan = plan_of<T>(call.problem, shape, memory);
  const auto rows = static_cast<int>(spmv::rows_of(call.problem)),
             entries = static_cast<int>(spmv::entries_of(call.problem));
  const auto* row = call.array<const std::int32_t>(0);
  const cudaStream_t stream = stream_of(call);
  cudaMemsetAsync(memory, 0, static_cast<std::size_t>(plan.bytes), stream);
  row_chunks::mark_ends<<<blocks_for(rows, 256), 256, 0, stream>>>(rows, row, plan.ends);
  row_chunks::find_starts<<<blocks_for(shares.chunks() + 1, 256), 256, 0, stream>>>(shares, rows, entries,
                                                                                    row, plan.starts);
  if (shape.window_kib == 0) return;
  const int columns = columns_of(call.problem, shape), samples = std::min(entries, 1 << 18);
  spmv::count_windows<<<blocks_for(samples, 256), 256, 0, stream>>>(
      samples, entries / samples, columns, call.array<const std::int32_t>(1), plan.window + 1);
  spmv::choose_window<<<1, 1, 0, stream>>>(windows_of(call.problem, shape), columns, plan.window);
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, shape))) != cudaSuccess) {
    cudaGetLastError();  // clear the error, so that a later check does not report it
    return "no device memory for the marks of row ends";
  }
  if (call.problem.type == ElementType::float32)
    make_plan<float>(call, *state);
  else
    make_plan<double>(call, *state);
  return nullptr;
}

// Chosen from timings on an H200 with power-law matrices. A window is worthwhile with many nonzeros, if x
// fits in the L2 cache. A window of 192 KiB leaves enough L1 cache for the loads in flight.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t entries = spmv::entries_of(problem);
  const bool powerlaw = problem.parameters[0] == spmv::powerlaw,
             doubles = problem.type == ElementType::float64;
  if (entries < 1 << 18)
    shape = {512, 1, 64, 1, 0};
  else if (entries < 1 << 21)
    shape = {doubles ? 256 : 1024, 1, 256, 1, 0};
  else if (entries < 1 << 23)
    shape = {512, 1, 1024, 0, 0};
  if (powerlaw && entries >= 1 << (doubles ? 23 : 21) && entries < 1 << 25 && most_of_shared() >= 192 << 10)
    shape = {1024, 1, 2048, 0, 192};
}

const char* refuse(const Problem&, const Shape& shape) {
  if (shape.window_kib == 0) return nullptr;
  if (shape.block_shares_chunk) return "window_kib > 0 needs block_shares_chunk=0";
  return most_of_shared() < shape.window_kib << 10
             ? "window_kib is more shared memory than a block of this GPU can have"
             : nullptr;
}

}  // namespace

std::vector<Variant> spmv_cuda_warps() {
  return {
      {.name = "warps",
       .description = "one slice of nonzeros per warp; row sums by shuffles between row ends, marked by bits "
                      "beforehand",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                    {"vectors", &Shape::vectors, Vectors::list()},
                                    {"nonzeros_per_warp", &Shape::nonzeros_per_warp, {64, 256, 1024, 2048}},
                                    {"block_shares_chunk", &Shape::block_shares_chunk, {0, 1}},
                                    {"window_kib", &Shape::window_kib, {0, 96, 192}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(launch),
       .constraint = by_name<refuse>,
       .adapt = by_name<adapt>,
       .prepare = prepare,
       .prepare_depends_on = DependsOn::structure,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<workspace>}};
}

}  // namespace sextant
