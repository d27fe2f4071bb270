#include "entries.cuh"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

// A row for 2 to 32 lanes of a warp, four entries a lane at a time, several rows under way. Nothing but registers. Where the
// second-level cache has no room for x, the product is taken a stripe of columns at a time.
namespace lanes {

using spmv::width;
using Lanes = Choices<2, 4, 8, 16, 32>;
using Rows = Choices<1, 2, 4>;
using Striped = Choices<0, 1>;

struct Shape {
  int lanes = 4, rows = 2, block_size = 256, stripes = 1;
};

// The calling lane's part of entries `at` … end-1, of which the lanes take a vector in turns.
template <int lanes, bool striped, typename T>
__device__ T sum_of_rest(const spmv::Matrix<T>& a, const spmv::Stripe& stripe, int at, int begin, int end) {
  constexpr int under_way = lanes == 32 ? 4 : 1;  // fewer lanes are for short rows: more of them fit
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

// Groups of lanes lie along neighbouring rows; the rows of a group lie as many rows apart as a block has groups.
// `further`: y has the sums of other stripes already.
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

// Four lanes read a row of 16 entries at once; a power law's longest row would keep them long after all others are done. Two stripes pay
// where entries are anywhere in an x of 61 MB, not of 31, as timed on an H200.
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

}  // namespace

std::vector<Variant> spmv_cuda() {
return {
{.name = "lanes",
.description = "a row for 2 to 32 lanes of a warp, four entries a lane by 16-byte accesses",
.memory_space = MemorySpace::cuda,
.tunables = tunables<lanes::Shape>({{"lanes", &lanes::Shape::lanes, lanes::Lanes::list()},
                                      {"rows", &lanes::Shape::rows, lanes::Rows::list()},
                                      {"block_size", &lanes::Shape::block_size, {128, 256, 512}},
                                      {"stripes", &lanes::Shape::stripes, {1, 2, 3, 4}}}),
.launch = SEXTANT_FLOAT_DOUBLE(lanes::launch),
.adapt = by_name<lanes::adapt>},
{.name = "scalar",
.description = "the form one writes first: a row a thread",
.memory_space = MemorySpace::cuda,
.tunables = tunables<scalar::Block>({{"block_size", &scalar::Block::block_size, BlockSizes::list()}}),
.launch = SEXTANT_FLOAT_DOUBLE(scalar::launch)},
};
}

}  // namespace sextant
