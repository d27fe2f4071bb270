// Warps go along the entries in order, whatever the rows are, and keep all in registers. A warp has a stretch of entries, four
// neighbours a lane at a time; where rows end is a bit an entry, made in prepare. Sums run through a warp's lanes by shuffles, from one
// end of a row to the next, and on into the warp's next entries. Stretches end where rows do, but for rows that go on for long: of such
// a row each stretch leaves what it has, and the last to be done adds that up. So one launch does it all, and its sums have the same
// order in every one.
#include "entries.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/warp.cuh"

namespace sextant {
namespace {

using spmv::Entries;
using spmv::Matrix;
using spmv::width;
using Vectors = Choices<1, 2, 4>;

struct Shape {
  int block_size = 256, vectors = 1;  // of four entries a lane at a time
  int stretch = 1024;                 // entries of a warp, about
};

constexpr int row_of_entries = 32 * width;  // a vector of each lane

std::int64_t stretches_of(const Problem& problem, const Shape& shape) {
  return (spmv::entries_of(problem) + shape.stretch - 1) / shape.stretch;
}

// Where a stretch begins. Bit 31 of `row`: inside of the row, which began in an earlier stretch.
struct Cut {
  int entry;
  unsigned row;
  static constexpr unsigned inside = 1u << 31;
};

// Of device memory. No row of these matrices is empty, so that the bits of ends count rows.
template <typename T>
struct Plan {
  T* parts;  // what stretch s has of the row it begins inside of: parts[2 s]; of the one it ends inside of: parts[2 s + 1]
  unsigned* ends;  // bit e % 32 of word e / 32: entry e is its row's last
  Cut* cuts;
  int*
      done;  // stretches that have left their part of the row that begins in stretch s and does not end there
  std::int64_t bytes = 0;

  Plan(const Problem& problem, const Shape& shape, const void* memory) {
    const std::int64_t stretches = stretches_of(problem, shape);
    const auto take = [&](auto*& pointer, std::int64_t count) {
      pointer = reinterpret_cast<std::remove_reference_t<decltype(pointer)>>(
          reinterpret_cast<std::uintptr_t>(memory) + static_cast<std::uintptr_t>(bytes));
      bytes += (count * static_cast<std::int64_t>(sizeof *pointer) + 255) / 256 * 256;
    };
    take(parts, 2 * stretches);
    take(ends, spmv::entries_of(problem) / 32 + 1);
    take(cuts, stretches + 1);
    take(done, stretches);
  }
};

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return problem.type == ElementType::float32 ? Plan<float>(problem, shape, nullptr).bytes
                                              : Plan<double>(problem, shape, nullptr).bytes;
}

// A row that goes on for no more than this where a stretch would begin is the stretch's before.
__host__ __device__ constexpr int most_behind(int stretch) { return stretch / 4; }

__global__ void mark_ends(int rows, const std::int32_t* row, unsigned* ends) {
  const int r = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (r >= rows) return;
  const int last = row[r + 1] - 1;
  atomicOr(&ends[last / 32], 1u << last % 32);
}

__global__ void find_cuts(int stretches, int stretch, int rows, int entries, const std::int32_t* row,
                          Cut* cuts) {
  const int s = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (s > stretches) return;
  if (s == stretches) {
    cuts[s] = {entries, static_cast<unsigned>(rows)};
    return;
  }
  const int at = s * stretch;
  int low = 0, high = rows - 1;  // the first row that ends behind entry `at`
  while (low < high) {
    const int middle = (low + high) / 2;
    if (row[middle + 1] > at)
      high = middle;
    else
      low = middle + 1;
  }
  if (row[low] == at)
    cuts[s] = {at, static_cast<unsigned>(low)};
  else if (row[low + 1] - at <= most_behind(stretch))
    cuts[s] = {row[low + 1], static_cast<unsigned>(low + 1)};
  else
    cuts[s] = {at, static_cast<unsigned>(low) | Cut::inside};
}

// A warp on its way: the row that its next entry is of, and what the entries so far have of it.
template <typename T>
struct Walk {
  int row;
  T carry = 0;
  int inside;  // the row that an earlier stretch began, whose sum is left in `part`; or none
  T *part, *y;

  __device__ __forceinline__ void put(int r, T sum) const {
    if (r == inside)
      *part = sum;
    else
      y[r] = sum;
  }

  // One vector of products a lane; bit k of `ends`: element k is its row's last.
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
        upto ? 31 - __clz(static_cast<int>(upto)) : 0;  // of the lanes whose sums belong to this one's
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

// By the whole warp, which has left its part of row r: if it is the last of all, their sum goes to y.
template <typename T>
__device__ void finish(const Matrix<T>& a, const Plan<T>& plan, int stretch, int r, T* y) {
  const int lane = static_cast<int>(threadIdx.x % 32), end = __ldg(a.row + r + 1);
  const int from = __ldg(a.row + r) / stretch;
  int to = (end - 1) / stretch;
  if (end - to * stretch <= most_behind(stretch)) --to;
  __syncwarp();
  int last = 0;
  if (lane == 0) {
    __threadfence();
    last = atomicAdd(&plan.done[from], 1) == to - from;
    if (last) plan.done[from] = 0;
    __threadfence();
  }
  if (!__shfl_sync(~0u, last, 0)) return;
  T sum = 0;
  for (int s = from + lane; s <= to; s += 32) sum += __ldcg(plan.parts + 2 * s + (s == from));
  sum = warp_sum(sum);
  if (lane == 0) y[r] = sum;
}

template <int vectors, typename T>
__global__ void multiply(Matrix<T> a, Plan<T> plan, int stretches, int stretch, T* __restrict__ y) {
  const int s = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32),
            lane = static_cast<int>(threadIdx.x % 32);
  if (s >= stretches) return;
  const Cut from = plan.cuts[s], to = plan.cuts[s + 1];
  const int begin = from.entry, end = to.entry, first = static_cast<int>(from.row & ~Cut::inside);
  const bool inside = from.row & Cut::inside, goes_on = to.row & Cut::inside;
  Walk<T> walk{first, T(0), inside ? first : -1, plan.parts + 2 * s, y};
  const auto place = [=](int base, int u) { return base + u * row_of_entries + lane * width; };
  Entries<T> now[vectors];
  int base = begin / width * width;
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
    for (int u = 0; u < vectors; ++u) products[u] = now[u].products(a.x);
#pragma unroll
    for (int u = 0; u < vectors; ++u) walk.add(products[u], ends[u]);
#pragma unroll
    for (int u = 0; u < vectors; ++u)
      now[u].load_columns(a, place(base + vectors * row_of_entries, u), begin, end);
  }
  const bool ended = walk.row > first;
  if (lane == 0) {
    if (inside && !ended) plan.parts[2 * s] = walk.carry;
    if (goes_on && (ended || !inside)) plan.parts[2 * s + 1] = walk.carry;
  }
  if (inside) finish(a, plan, stretch, first, y);
  if (goes_on && (ended || !inside)) finish(a, plan, stretch, walk.row, y);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto stretches = static_cast<int>(stretches_of(call.problem, shape));
  const Plan<T> plan(call.problem, shape, call.state);
  Vectors::with(shape.vectors, [&]<int vectors>() {
    multiply<vectors><<<blocks_for(stretches, shape.block_size / 32), shape.block_size, 0, stream_of(call)>>>(
        Matrix<T>(call), plan, stretches, shape.stretch, call.array<T>(4));
  });
}

template <typename T>
void make_plan(const Call& call, void* memory) {
  const auto shape = call.tuned<Shape>();
  const Plan<T> plan(call.problem, shape, memory);
  const auto rows = static_cast<int>(spmv::rows_of(call.problem)),
             entries = static_cast<int>(spmv::entries_of(call.problem)),
             stretches = static_cast<int>(stretches_of(call.problem, shape));
  const auto* row = call.array<const std::int32_t>(0);
  cudaMemsetAsync(memory, 0, static_cast<std::size_t>(plan.bytes), stream_of(call));
  mark_ends<<<blocks_for(rows, 256), 256, 0, stream_of(call)>>>(rows, row, plan.ends);
  find_cuts<<<blocks_for(stretches + 1, 256), 256, 0, stream_of(call)>>>(stretches, shape.stretch, rows,
                                                                         entries, row, plan.cuts);
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, call.tuned<Shape>()))) !=
      cudaSuccess) {
    cudaGetLastError();  // a failed allocation must not be found by a later check
    return "no device memory for where rows end";
  }
  if (call.problem.type == ElementType::float32)
    make_plan<float>(call, *state);
  else
    make_plan<double>(call, *state);
  return nullptr;
}

// As timed on an H200 with the power law: as many warps as keep all multiprocessors asking.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t entries = spmv::entries_of(problem);
  if (entries < 1 << 18)
    shape = {256, 2, 128};
  else if (entries < 1 << 21)
    shape = {128, 1, 256};
  else if (entries < 1 << 23)
    shape = {256, 1, 2048};
}

}  // namespace

Variant spmv_cuda_warps() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "a warp goes along a stretch of entries, rows' sums run through its lanes; ends of rows are bits from prepare";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, {128, 256}},
                                      {"vectors", &Shape::vectors, Vectors::list()},
                                      {"stretch", &Shape::stretch, {128, 256, 512, 1024, 2048}}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
