// sizes: large
#include "rounds_form.cuh"
#include "toolbox/cuda/rounds_shape.cuh"

namespace sextant {
namespace {

using rounds::Shape;

constexpr int slots(int block, int rows, int blocks) { return rounds::slots_for(block * rows * 16, blocks); }

template <typename T>
void launch(const Call& call) {
  const auto board = static_cast<const lookback::Tickets*>(call.state)->board<T>();
  const auto shape = call.tuned<Shape>();
  rounds::with_shape<slots>(shape, [&]<int block, int rows, int blocks>() {
    rounds::launch<inclusive_scan::ByRounds<block, rows, slots(block, rows, blocks), blocks, T>>(
        {call.array<T>(1)}, call.problem.extents.x, call.array<const T>(0), shape.staying(call.problem.type),
        board, stream_of(call));
  });
}

// Blocks as they were fastest on an H100.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t bytes = problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  if (bytes >= std::int64_t{256} << 20) shape.block_size = 768;
  shape.stay_mib = rounds::usual_stay_mib(problem);
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(rounds::tiles_of(problem, shape), element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  return lookback::prepare_tickets(rounds::tiles_of(call.problem, call.tuned<Shape>()),
                                   element_size(call.problem.type), state);
}

}  // namespace

Variant inclusive_scan_cuda_rounds() {
  Variant variant = rounds::variant_with<slots>();
  variant.description =
      "one launch that reads and writes once: blocks that stay post a later tile's sum before they write this one (Hopper)";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.adapt = by_name<adapt>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  return variant;
}

}  // namespace sextant
