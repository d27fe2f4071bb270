#include <vector>

#include "entries.cuh"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/cuda/warp.cuh"

namespace sextant {
namespace {

// A group of 2 to 32 lanes of a warp computes a row. Each lane reads four nonzeros at a time, and several
// rows are in flight. If x does not fit in the L2 cache, the product is computed for one stripe (range of
// columns) at a time.
namespace lanes {

using spmv::width;
using Lanes = Choices<2, 4, 8, 16, 32>;
using Rows = Choices<1, 2, 4>;
using Striped = Choices<0, 1>;

struct Shape {
  int lanes = 4, rows = 2, block_size = 256, stripes = 1;
};

// Adds up the calling lane's products of nonzeros `at` … end - 1. Vectors of nonzeros are distributed
// cyclically over the lanes.
template <int lanes, bool striped, typename T>
__device__ T sum_of_rest(const spmv::Matrix<T>& a, const spmv::Stripe& stripe, int at, int begin, int end) {
  // number of vectors in flight; with fewer lanes, rows are short, and several rows are in flight instead
  constexpr int under_way = lanes == 32 ? 4 : 1;
  T sum = 0;
  for (; at < end; at += under_way * lanes * width) {
    spmv::Entries<T> entries[under_way];
    spmv::load_entries<striped>(
        a, stripe, [=](int u) { return at + u * lanes * width; }, [=](int) { return begin; },
        [=](int) { return end; }, entries);
#pragma unroll
    for (int u = 0; u < under_way; ++u) sum += entries[u].sum(a.x);
  }
  return sum;
}

// Neighbouring groups of lanes compute neighbouring rows. The rows of a group are as far apart as a block has
// groups. If `further` is true, y already holds the sums of other stripes.
template <int lanes, int rows, bool striped, typename T>
__global__ void multiply(spmv::Matrix<T> a, spmv::Stripe stripe, bool further, T* __restrict__ y) {
  const int lane = static_cast<int>(threadIdx.x % lanes), groups = static_cast<int>(blockDim.x / lanes);
  const int first = static_cast<int>(blockIdx.x) * groups * rows + static_cast<int>(threadIdx.x / lanes);
  int begin[rows], end[rows];
#pragma unroll
  for (int i = 0; i < rows; ++i) {
    const int r = first + i * groups;
    begin[i] = r < a.rows ? __ldg(a.row + r) : 0;
    end[i] = r < a.rows ? __ldg(a.row + r + 1) : 0;
  }
  spmv::Entries<T> entries[rows];
  spmv::load_entries<striped>(
      a, stripe, [&](int i) { return begin[i] / width * width + lane * width; },
      [&](int i) { return begin[i]; }, [&](int i) { return end[i]; }, entries);
  T sum[rows];
#pragma unroll
  for (int i = 0; i < rows; ++i) sum[i] = entries[i].sum(a.x);
#pragma unroll
  for (int i = 0; i < rows; ++i)
    sum[i] += sum_of_rest<lanes, striped>(a, stripe, begin[i] / width * width + (lane + lanes) * width,
                                          begin[i], end[i]);
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int step = lanes / 2; step > 0; step /= 2) sum[i] += __shfl_xor_sync(~0u, sum[i], step);
    const int r = first + i * groups;
    if (lane == 0 && r < a.rows) y[r] = striped && further ? y[r] + sum[i] : sum[i];
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const spmv::Matrix<T> a(call);
  const unsigned blocks = blocks_for(a.rows, std::int64_t{shape.block_size} / shape.lanes * shape.rows);
  Lanes::with(shape.lanes, [&]<int lanes>() {
    Rows::with(shape.rows, [&]<int rows>() {
      Striped::with(shape.stripes > 1, [&]<int striped>() {
        for (int s = 0; s < shape.stripes; ++s)
          multiply<lanes, rows, striped != 0><<<blocks, shape.block_size, 0, stream_of(call)>>>(
              a, {a.rows, s, shape.stripes}, s > 0, call.array<T>(4));
      });
    });
  });
}

// Four lanes read a row of 16 nonzeros at once. Power-law matrices have rows that are much longer and need a
// whole warp. On an H200, two stripes are faster for random columns if x has 61 MB, but not if it has 31 MB.
void adapt(const Problem& problem, Shape& shape) {
  if (problem.parameters[0] == spmv::powerlaw) shape = {32, 1, 256};
  const std::int64_t bytes_of_x =
      spmv::rows_of(problem) * static_cast<std::int64_t>(element_size(problem.type));
  if (problem.parameters[0] == spmv::uniform && bytes_of_x > std::int64_t{48} << 20) shape.stripes = 2;
}

}  // namespace lanes

namespace scalar {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void multiply(std::int64_t m, const std::int32_t* __restrict__ row,
                         const std::int32_t* __restrict__ col, const T* __restrict__ val,
                         const T* __restrict__ x, T* __restrict__ y) {
  const std::int64_t r = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (r >= m) return;
  T sum = 0;
  for (std::int32_t e = row[r]; e < row[r + 1]; ++e) sum += val[e] * x[col[e]];
  y[r] = sum;
}

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  const std::int64_t m = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  multiply<<<blocks_for(m, block), block, 0, stream_of(call)>>>(m, a.row, a.col, a.val, a.x, a.y);
}

}  // namespace scalar

// CSR-adaptive. `prepare` assigns to each block as many neighbouring rows as fit in shared memory, or one
// longer row. A block reads its nonzeros in order and stores the products in shared memory. Then a group of
// lanes sums each row; its size suits the mean row length. No row spans blocks, so a single launch suffices.
namespace adaptive {

using spmv::width;
using Blocks = Choices<128, 256, 512>;
using Items = Choices<4, 8, 16>;

struct Shape {
  int block_size = 256, items_per_thread = 8, nonzeros_per_lane = 2;
  // number of nonzeros whose products fit in a block's shared memory
  int room() const { return block_size * items_per_thread; }
};

// The rows that a block computes, and their range of nonzeros.
struct alignas(16) Share {
  int row, rows, begin, end;
};

// Returns true if the nonzeros begin … end - 1 fit in a block. A block reads them from the start of the
// 16-byte vector that holds the first one.
__host__ __device__ constexpr bool fits(int begin, int end, int room) {
  return end - begin / width * width <= room;
}
__host__ __device__ constexpr int most_rows(int room) { return room / width; }

// Assigns rows to blocks. Rows that fill a block come first, because they take longest.
std::vector<Share> distribute_rows(int m, const std::int32_t* row, int room) {
  std::vector<Share> shares;
  for (int r = 0; r < m; ++r)
    if (!fits(row[r], row[r + 1], room)) shares.push_back({r, 1, row[r], row[r + 1]});
  for (int r = 0; r < m;) {
    if (!fits(row[r], row[r + 1], room)) {
      ++r;
      continue;
    }
    int next = r + 1;
    while (next < m && next - r < most_rows(room) && fits(row[r], row[next + 1], room)) ++next;
    shares.push_back({r, next - r, row[r], row[next]});
    r = next;
  }
  return shares;
}

// Returns an upper bound of the number of blocks. Two neighbouring blocks together have more nonzeros than
// one block can hold, except for the unused part of the first vector. A long row between two blocks may end
// the first one early.
std::int64_t most_shares(const Problem& problem, const Shape& shape) {
  return 4 * spmv::entries_of(problem) / (shape.room() - width + 1) +
         spmv::rows_of(problem) / most_rows(shape.room()) + 2;
}

// Computes a long row with the whole block.
template <int block, int items, typename T>
__device__ T sum_of_long_row(const spmv::Matrix<T>& a, const Share& share) {
  constexpr int vectors = items / width;
  __shared__ T totals[block / 32];
  T sum = 0;
  for (int at = share.begin / width * width + static_cast<int>(threadIdx.x) * width; at < share.end;
       at += vectors * block * width) {
    spmv::Entries<T> entries[vectors];
#pragma unroll
    for (int u = 0; u < vectors; ++u) entries[u].load(a, at + u * block * width, share.begin, share.end);
#pragma unroll
    for (int u = 0; u < vectors; ++u) sum += entries[u].sum(a.x);
  }
  return WarpTotals<block, T>(warp_sum(sum), totals).all;
}

template <int block, int items, typename T>
__global__ void __launch_bounds__(block)
    multiply(spmv::Matrix<T> a, const Share* __restrict__ shares, int entries_per_lane, T* __restrict__ y) {
  constexpr int vectors = items / width, room = block * items;
  __shared__ __align__(16) T products[room];
  __shared__ std::int32_t begins[most_rows(room) + 1];
  const Share share = shares[blockIdx.x];
  const int thread = static_cast<int>(threadIdx.x), base = share.begin / width * width;
  if (!fits(share.begin, share.end, room)) {
    const T sum = sum_of_long_row<block, items>(a, share);
    if (thread == 0) y[share.row] = sum;
    return;
  }
  spmv::Entries<T> entries[vectors];
#pragma unroll
  for (int u = 0; u < vectors; ++u)
    entries[u].load(a, base + (thread + u * block) * width, share.begin, share.end);
  for (int i = thread; i <= share.rows; i += block) begins[i] = __ldg(a.row + share.row + i) - base;
#pragma unroll
  for (int u = 0; u < vectors; ++u)
    if (base + (thread + u * block) * width < share.end)
      *reinterpret_cast<Vector<T, width>*>(products + (thread + u * block) * width) =
          entries[u].products(a.x);
  __syncthreads();

  const int mean = (share.end - share.begin) / share.rows;
  int lanes = 1;
  while (lanes < 32 && 2 * lanes * entries_per_lane <= mean) lanes *= 2;
  const int lane = thread % lanes;
  for (int first = 0; first < share.rows; first += block / lanes) {
    const int r = first + thread / lanes;
    T sum = 0;
    if (r < share.rows)
      for (int e = begins[r] + lane; e < begins[r + 1]; e += lanes) sum += products[e];
    for (int step = lanes / 2; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
    if (lane == 0 && r < share.rows) y[share.row + r] = sum;
  }
}

struct Plan {
  Share* shares = nullptr;
  unsigned count = 0;
};

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto& plan = *static_cast<const Plan*>(call.state);
  Blocks::with(shape.block_size, [&]<int block>() {
    Items::with(shape.items_per_thread, [&]<int items>() {
      if constexpr (block * items * sizeof(T) <= 32 * 1024)
        multiply<block, items><<<plan.count, block, 0, stream_of(call)>>>(
            spmv::Matrix<T>(call), plan.shares, shape.nonzeros_per_lane, call.array<T>(4));
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return shape.room() * element_size(problem.type) > 32 * 1024
             ? "block_size * items_per_thread products take more than 32 KiB of shared memory"
             : nullptr;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return most_shares(problem, shape) * static_cast<std::int64_t>(sizeof(Share));
}

void release(void* state) {
  cudaFree(static_cast<Plan*>(state)->shares);
  delete static_cast<Plan*>(state);
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  const auto m = static_cast<std::size_t>(spmv::rows_of(call.problem));
  std::vector<std::int32_t> row(m + 1);
  if (cudaMemcpyAsync(row.data(), call.address(0), row.size() * sizeof(std::int32_t), cudaMemcpyDeviceToHost,
                      stream_of(call)) != cudaSuccess ||
      cudaStreamSynchronize(stream_of(call)) != cudaSuccess)
    return "copying the row offsets from the device failed";
  const std::vector<Share> shares = distribute_rows(static_cast<int>(m), row.data(), shape.room());
  auto* plan = new Plan;
  plan->count = static_cast<unsigned>(shares.size());
  if (cudaMalloc(&plan->shares, static_cast<std::size_t>(workspace(call.problem, shape))) == cudaSuccess &&
      cudaMemcpy(plan->shares, shares.data(), shares.size() * sizeof(Share), cudaMemcpyHostToDevice) ==
          cudaSuccess) {
    *state = plan;
    return nullptr;
  }
  cudaGetLastError();  // clear the error, so that a later check does not report it
  release(plan);
  return "no device memory for the row ranges of blocks";
}

}  // namespace adaptive

}  // namespace

std::vector<Variant> spmv_cuda() {
  return {
      {.name = "lanes",
       .description = "2 to 32 lanes of a warp per row, four nonzeros per lane by 16-byte accesses",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<lanes::Shape>({{"lanes", &lanes::Shape::lanes, lanes::Lanes::list()},
                                           {"rows", &lanes::Shape::rows, lanes::Rows::list()},
                                           {"block_size", &lanes::Shape::block_size, {128, 256, 512}},
                                           {"stripes", &lanes::Shape::stripes, {1, 2, 3, 4}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(lanes::launch),
       .adapt = by_name<lanes::adapt>},
      {.name = "scalar",
       .description = "the plain form: one row per thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<scalar::Block>({{"block_size", &scalar::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(scalar::launch)},
      {.name = "adaptive",
       .description = "rows assigned to blocks by nonzeros beforehand; products in shared memory, lanes per "
                      "row by mean row length",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<adaptive::Shape>(
           {{"block_size", &adaptive::Shape::block_size, adaptive::Blocks::list()},
            {"items_per_thread", &adaptive::Shape::items_per_thread, adaptive::Items::list()},
            {"nonzeros_per_lane", &adaptive::Shape::nonzeros_per_lane, {1, 2, 4, 8}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(adaptive::launch),
       .constraint = by_name<adaptive::refuse>,
       .prepare = adaptive::prepare,
       .prepare_depends_on = DependsOn::structure,
       .release = adaptive::release,
       .workspace = by_name<adaptive::workspace>},
  };
}

}  // namespace sextant
