// Arrays cut into as many parts as there are GPUs, which have nothing to tell each other: are they independent?
#include <array>
#include <memory>

#include "operation.cuh"
#include "toolbox/cuda/peers.cuh"
#include "toolbox/team_slab.hpp"

namespace sextant {
namespace {

using stream::VectorBlock;

struct Parts {
  std::array<std::unique_ptr<TeamSlab>, 3> arrays;
};

// Of one part, the longest.
Problem part_of(const Problem& problem) {
  Problem part = problem;
  part.extents.x = share_of(problem.extents.x, problem.parts, 0).count;
  part.parts = 1;
  return part;
}

template <typename T>
void launch(const Call& call) {
  const auto& [a, b, c] = static_cast<const Parts*>(call.state)->arrays;
  const auto [items_per_thread, block] = call.tuned<VectorBlock>();
  stream::Items::with(items_per_thread, [&]<int items>() {
    peers::for_parts(parts::team_of(call), [&](int part, cudaStream_t stream) {
      const std::int64_t n = a->own(part).count, threads = n / vector_length<T> + n % vector_length<T>;
      stream::vector<triad::Operation, items><<<blocks_for(threads, block * items), block, 0, stream>>>(
          n, a->data<const T>(part), b->data<const T>(part), c->data<T>(part));
    });
  });
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<Parts>();
  const auto element = static_cast<std::int64_t>(element_size(call.problem.type));
  for (std::unique_ptr<TeamSlab>& array : made->arrays) {
    array = std::make_unique<TeamSlab>(parts::team_of(call), call.problem.extents.x, element);
    if (!array->is_there()) return "no device memory for a part";
  }
  *state = made.release();
  return nullptr;
}

void scatter(const Call& call) {
  const auto& arrays = static_cast<const Parts*>(call.state)->arrays;
  for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i]->scatter(call.arrays[i]);
}

void fit(const Problem& problem, VectorBlock& block) {
  stream::adapt_vector<triad::Operation>(part_of(problem), block);
}

}  // namespace

Variant triad_cuda_team() {
  Variant variant = stream::vector_variant<triad::Operation>();
  variant.home = Home::ranks;
  variant.description = "GPUs with a part of the arrays each, 16-byte accesses, streaming stores";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.adapt = by_name<fit>;
  variant.constraint = [](const Problem& problem, const int*) -> const char* {
    return problem.extents.x < problem.parts ? "fewer elements than parts: take fewer parts, or a larger size"
                                             : nullptr;
  };
  variant.workspace = [](const Problem& problem, const int*) {
    return 3 *
           (part_of(problem).extents.x * static_cast<std::int64_t>(element_size(problem.type)) + 3 * 4096);
  };
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Parts*>(state); };
  variant.scatter = scatter;
  variant.gather = [](const Call& call) {
    static_cast<const Parts*>(call.state)->arrays[2]->gather(call.arrays[2]);
  };
  return variant;
}

}  // namespace sextant
