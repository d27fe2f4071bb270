#include "streams_launch.cuh"

namespace sextant {
namespace {

using namespace ep;

void launch(const Call& call) {
  launch_streams(call.tuned<Blocks>(), *static_cast<const State*>(call.state), 0, call.problem.extents.x,
                 call.array<double>(0), call.array<double>(1), stream_of(call));
}

const char* prepare(const Call& call, void** state) {
  State* made = nullptr;
  const char* reason = make_state(call.tuned<Blocks>(), &made);
  *state = made;
  return reason;
}

const char* constraint(const Problem& problem, const Blocks& blocks) {
  return refuse_streams(problem.extents.x, blocks);
}

std::int64_t workspace(const Problem&, const Blocks& blocks) { return streams_workspace(blocks); }

}  // namespace

Variant npb_ep_cuda_streams() {
  Variant variant;
  variant.description = "a stream a thread, all in registers: logarithm by table, one reciprocal root";
  variant.home = Home::cuda;
  variant.tunables = streams_tunables();
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<constraint>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { release_state(static_cast<State*>(state)); };
  return variant;
}

}  // namespace sextant
