// sizes: large
#include "rounds_form.cuh"
#include "toolbox/cuda/rounds_shape.cuh"

namespace sextant {
namespace {

using rounds::Shape;

constexpr int slots(int block, int rows, int blocks) {
  return rounds::slots_for(block * rows * 16, blocks, block * rows * 16 + 128);
}

template <typename T>
void launch(const Call& call) {
  const auto board = static_cast<const lookback::Tickets*>(call.state)->board<std::int32_t>();
  const auto shape = call.tuned<Shape>();
  rounds::with_shape<slots>(shape, [&]<int block, int rows, int blocks>() {
    rounds::launch<compact::ByRounds<block, rows, slots(block, rows, blocks), blocks, T>>(
        {call.array<T>(1), call.array<std::int32_t>(2)}, call.problem.extents.x, call.array<const T>(0),
        shape.staying(call.problem.type), board, stream_of(call));
  });
}

void adapt(const Problem& problem, Shape& shape) { shape.stay_mib = rounds::usual_stay_mib(problem); }

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return lookback::Tickets::bytes(rounds::tiles_of(problem, shape), sizeof(std::int32_t));
}

const char* prepare(const Call& call, void** state) {
  return lookback::prepare_tickets(rounds::tiles_of(call.problem, call.tuned<Shape>()), sizeof(std::int32_t),
                                   state);
}

}  // namespace

Variant compact_cuda_rounds() {
  Variant variant = rounds::variant_with<slots>();
  variant.description =
      "one launch that reads once: blocks that stay post a later tile's count before they write this one (Hopper)";
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  variant.adapt = by_name<adapt>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  return variant;
}

}  // namespace sextant
