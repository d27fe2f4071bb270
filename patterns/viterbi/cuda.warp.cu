// Up to 32 states: a sequence a warp (warps.cuh).
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "warps.cuh"

namespace sextant {
namespace {

using viterbi::Task;
using Warps = Choices<1, 2, 4, 8>;

struct Shape {
  int warps_per_block = 4, warps_per_multiprocessor = 16;
};

template <int warps>
__global__ void __launch_bounds__(32 * warps) decode(Task task, unsigned* places) {
  __shared__ viterbi::WarpsShared<warps> shared;
  viterbi::decode_by_warps<warps>(task,
                                  static_cast<int>(blockIdx.x) * warps + static_cast<int>(threadIdx.x) / 32,
                                  static_cast<int>(gridDim.x) * warps, places, shared);
}

// As many as run at once, or as there are sequences for.
std::int64_t blocks_of(const Problem& problem, const Shape& shape) {
  const std::int64_t most = std::int64_t{multiprocessors()} * shape.warps_per_multiprocessor /
                            shape.warps_per_block,
                     sequences = viterbi::sequences_of(problem);
  return std::clamp<std::int64_t>((sequences + shape.warps_per_block - 1) / shape.warps_per_block, 1,
                                  std::max<std::int64_t>(1, most));
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return blocks_of(problem, shape) * shape.warps_per_block *
         viterbi::place_words(viterbi::length_of(problem)) * 4;
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  Warps::with(shape.warps_per_block, [&]<int warps>() {
    decode<warps><<<static_cast<unsigned>(blocks_of(call.problem, shape)), 32 * warps, 0, stream_of(call)>>>(
        viterbi::task_of(call), static_cast<unsigned*>(call.state));
  });
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t bytes = workspace(call.problem, call.tuned<Shape>());
  if (cudaMalloc(state, static_cast<std::size_t>(bytes)) == cudaSuccess) return nullptr;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the ways back";
}

const char* refuse(const Problem& problem, const Shape&) {
  return viterbi::states_of(problem) > viterbi::width ? "more states than a warp has lanes" : nullptr;
}

// Few sequences: a warp a block, so that all multiprocessors have some.
void adapt(const Problem& problem, Shape& shape) {
  if (viterbi::sequences_of(problem) < 4 * multiprocessors()) shape.warps_per_block = 1;
}

}  // namespace

Variant viterbi_cuda_warp() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "up to 32 states: a sequence a warp, A in registers; score and state in one word; places by shuffles";
  variant.tunables =
      tunables<Shape>({{"warps_per_block", &Shape::warps_per_block, Warps::list()},
                       {"warps_per_multiprocessor", &Shape::warps_per_multiprocessor, {4, 8, 16, 24}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
