// Any number of states: some sequences a block (blocks.cuh).
#include "blocks.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"

namespace sextant {
namespace {

using viterbi::Place;
using viterbi::Task;
using Together = Choices<1, 2, 4, 8>;

struct Shape {
  int sequences_per_block = 4, blocks_per_multiprocessor = 4;
};

template <int together>
__global__ void __launch_bounds__(1024) decode(Task task, viterbi::Packing packing, Place* places) {
  extern __shared__ __align__(16) std::int32_t words[];
  Place* const own = places + blockIdx.x * (together * task.length * task.states);
  for (std::int64_t first = std::int64_t{blockIdx.x} * together; first < task.sequences;
       first += std::int64_t{gridDim.x} * together)
    viterbi::decode_together<together>(task, packing, first, words, own);
}

std::int64_t blocks_of(const Problem& problem, const Shape& shape) {
  return std::min<std::int64_t>(
      std::int64_t{multiprocessors()} * shape.blocks_per_multiprocessor,
      (viterbi::sequences_of(problem) + shape.sequences_per_block - 1) / shape.sequences_per_block);
}

std::int64_t workspace(const Problem& p, const Shape& shape) {
  return blocks_of(p, shape) * shape.sequences_per_block * viterbi::length_of(p) * viterbi::states_of(p) *
         static_cast<std::int64_t>(sizeof(Place));
}

std::int64_t shared_bytes(const Problem& p, const Shape& shape) {
  return 2 * viterbi::states_of(p) * shape.sequences_per_block * 4;
}

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const Task task = viterbi::task_of(call);
  const auto block = static_cast<unsigned>((task.states + 31) / 32 * 32);
  Together::with(shape.sequences_per_block, [&]<int together>() {
    decode<together><<<static_cast<unsigned>(blocks_of(call.problem, shape)), block,
                       static_cast<std::size_t>(shared_bytes(call.problem, shape)), stream_of(call)>>>(
        task, viterbi::Packing(task.states), static_cast<Place*>(call.state));
  });
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t bytes = workspace(call.problem, call.tuned<Shape>());
  if (cudaMalloc(state, static_cast<std::size_t>(bytes)) == cudaSuccess) return nullptr;
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the ways back";
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return shared_bytes(problem, shape) > 48 * 1024 ? "more than 48 KiB of shared memory a block" : nullptr;
}

// Together as many as leave two blocks a multiprocessor, and as fit; threads enough a multiprocessor.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t sequences = viterbi::sequences_of(problem), states = viterbi::states_of(problem);
  shape.sequences_per_block = 1;
  for (const int together : {2, 4, 8})
    if (sequences >= 2LL * together * multiprocessors() && 2 * states * together * 4 <= 48 * 1024)
      shape.sequences_per_block = together;
  shape.blocks_per_multiprocessor = states <= 64 ? 16 : states <= 128 ? 8 : states <= 256 ? 4 : 2;
}

}  // namespace

Variant viterbi_cuda_block() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "some sequences a block, a state a thread; score and state in one word, A read once for all of them";
  variant.tunables =
      tunables<Shape>({{"sequences_per_block", &Shape::sequences_per_block, Together::list()},
                       {"blocks_per_multiprocessor", &Shape::blocks_per_multiprocessor, {1, 2, 4, 8, 16}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
