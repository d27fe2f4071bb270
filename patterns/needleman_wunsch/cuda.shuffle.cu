// One launch: a warp a strip of rows, which walks along it; strips wait for each other's last rows (strips.cuh).
#include "strips.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace needleman_wunsch;
using Rows = Choices<1, 2, 4>;

struct Shape {
  int rows = 4;  // a lane
};

template <int rows>
__global__ void __launch_bounds__(threads) fill_strips(Strips all) {
  __shared__ __align__(16) std::int32_t scores[2][32 * lane_step<rows>];
  __shared__ std::int32_t top[2][run];
  __shared__ lookback::Tile taken;
  if (threadIdx.x == 0) taken = lookback::take(all.board);
  __syncthreads();
  const int number = static_cast<int>(taken.number);
  fill_strip<rows>(all, {number, number * 32 * rows, taken.epoch}, top, scores);
}

std::int64_t strips_of(const Problem& problem, const Shape& shape) {
  const std::int64_t rows = std::int64_t{32} * shape.rows;
  return (problem.extents.x + rows - 1) / rows;
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const auto strips = static_cast<int>(strips_of(call.problem, shape));
  const Strips all = {static_cast<int>(call.problem.extents.x),
                      strips,
                      call.array<const std::int32_t>(0),
                      call.array<const std::int32_t>(1),
                      call.array<std::int32_t>(2),
                      static_cast<const lookback::Tickets*>(call.state)->board<std::int32_t>()};
  Rows::with(shape.rows, [&]<int rows>() {
    fill_strips<rows><<<static_cast<unsigned>(strips), threads, 0, stream_of(call)>>>(all);
  });
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(strips_of(problem, shape) * problem.extents.x, sizeof(std::int32_t));
}

const char* prepare(const Call& call, void** state) {
  return lookback::prepare_tickets(strips_of(call.problem, call.tuned<Shape>()) * call.problem.extents.x,
                                   sizeof(std::int32_t), state);
}

}  // namespace

Variant needleman_wunsch_cuda_shuffle() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "one launch: a warp walks along a strip of rows, scores in registers, by shuffles; others fetch and write";
  variant.tunables = tunables<Shape>({{"rows", &Shape::rows, Rows::list()}});
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = lookback::release_tickets;
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
