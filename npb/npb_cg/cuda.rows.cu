#include "steps.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace npb_cg;

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

}  // namespace

Variant npb_cg_cuda_rows() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "compressed rows, some lanes of a warp each; four launches a step, nothing for the host to do";
  variant.tunables = tunables<Shape>(
      {{"lanes", &Shape::lanes, Lanes::list()}, {"block_size", &Shape::block_size, {128, 256, 512}}});
  variant.launch = {.float64 = launch};
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = rows_workspace;
  return variant;
}

}  // namespace sextant
