#include "steps.cuh"
#include "study.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_cg;

namespace rows {

using Lanes = Choices<4, 8, 16, 32>;

struct Shape {
  int lanes = 32, block_size = 256;
};

struct State {
  DeviceRows rows;
  DeviceMemory<double> parts;
};

// `lanes` lanes a row, which read its entries side by side.
template <int lanes>
__global__ void multiply_by_lanes(std::int64_t n, const std::int64_t* __restrict__ row,
                                  const std::int32_t* __restrict__ column, const double* __restrict__ value,
                                  const double* p, double* q) {
  const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  double sum = 0;
  if (i < n) {
    const std::int64_t end = row[i + 1];
#pragma unroll 4
    for (std::int64_t e = row[i] + lane; e < end; e += lanes)
      sum += __ldcs(value + e) * p[__ldcs(column + e)];
  }
#pragma unroll
  for (int distance = lanes / 2; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
  if (i < n && lane == 0) q[i] = sum;
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const auto shape = call.tuned<Shape>();
  const std::int64_t n = call.problem.extents.x;
  run_in_steps(call, state.rows, state.parts.data, [&](const double* p, double* q) {
    Lanes::with(shape.lanes, [&]<int lanes>() {
      multiply_by_lanes<lanes>
          <<<blocks_for(n * lanes, shape.block_size), static_cast<unsigned>(shape.block_size), 0,
             stream_of(call)>>>(n, state.rows.row.data, state.rows.column.data, state.rows.value.data, p, q);
    });
  });
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  if (const char* why_not = made->rows.make(call.problem)) return why_not;
  if (!made->parts.allocate(parts_count)) return "device memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace rows

namespace study {

struct Block {
  int block_size = 64;
};

void launch(const Call& call) {
  const auto& state = *static_cast<const StudyState*>(call.state);
  const auto multiply = [&](const double* p, double* q) {
    const auto threads = static_cast<unsigned>(state.block);
    multiply_rows<<<static_cast<unsigned>(call.problem.extents.x), threads, threads * sizeof(double),
                    stream_of(call)>>>(state.rows.row.data, state.rows.column.data, state.rows.value.data, p,
                                       q);
  };
  Study(call, state, multiply).run();
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<StudyState>();
  if (const char* why_not = made->make(call.problem, call.tuned<Block>().block_size)) return why_not;
  *state = made.release();
  return nullptr;
}

}  // namespace study

}  // namespace

std::vector<Variant> npb_cg_cuda() {
return {
{.name = "rows",
.description = "compressed rows, some lanes of a warp each; four launches a step, nothing for the host to do",
.memory_space = MemorySpace::cuda,
.tunables = tunables<rows::Shape>(
      {{"lanes", &rows::Shape::lanes, rows::Lanes::list()}, {"block_size", &rows::Shape::block_size, {128, 256, 512}}}),
.launch = {.float64 = rows::launch},
.prepare = rows::prepare,
.release = [](void* state) { delete static_cast<rows::State*>(state); },
.workspace = rows_workspace},
{.name = "study",
.description = "the published form: a block a row, sums that the host finishes, a kernel a loop",
.memory_space = MemorySpace::cuda,
.tunables = tunables<study::Block>({{"block_size", &study::Block::block_size, BlockSizes::list()}}),
.launch = {.float64 = study::launch},
.prepare = study::prepare,
.release = [](void* state) { delete static_cast<StudyState*>(state); },
.workspace = rows_workspace},
};
}

}  // namespace sextant
