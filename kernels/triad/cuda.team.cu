// Arrays cut into as many parts as there are GPUs, which have nothing to tell each other: are they independent?
#include <array>
#include <memory>

#include "parts_on_gpus.cuh"
#include "toolbox/cuda/part_threads.cuh"
#include "toolbox/team_slab.hpp"

namespace sextant {
namespace {

struct Parts {
  explicit Parts(const parts::Team& team) : threads(team) {}
  peers::PartThreads threads;
  std::array<std::unique_ptr<TeamSlab>, 3> arrays;
};

void launch(const Call& call) { static_cast<Parts*>(call.state)->threads.launch(); }

template <typename T>
const char* record(const Call& call, Parts& parts) {
  const auto& [a, b, c] = parts.arrays;
  return parts.threads.record([&](int part, cudaStream_t stream) {
    triad::launch_part(call, a->own(part).count, a->data<const T>(part), b->data<const T>(part),
                       c->data<T>(part), stream);
  });
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<Parts>(parts::team_of(call));
  const auto element = static_cast<std::int64_t>(element_size(call.problem.type));
  for (std::unique_ptr<TeamSlab>& array : made->arrays) {
    array = std::make_unique<TeamSlab>(parts::team_of(call), call.problem.extents.x, element);
    if (!array->is_there()) return "no device memory for a part";
  }
  const char* problem =
      call.problem.type == ElementType::float32 ? record<float>(call, *made) : record<double>(call, *made);
  if (problem) return problem;
  *state = made.release();
  return nullptr;
}

void scatter(const Call& call) {
  const auto& arrays = static_cast<const Parts*>(call.state)->arrays;
  for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i]->scatter(call.arrays[i]);
}

}  // namespace

Variant triad_cuda_team() {
  Variant variant = triad::variant_of_parts();
  variant.description =
      "GPUs with a part of the arrays and a thread of the host each, 16-byte accesses, streaming stores";
  variant.launch = {.float32 = launch, .float64 = launch};
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Parts*>(state); };
  variant.scatter = scatter;
  variant.gather = [](const Call& call) {
    static_cast<const Parts*>(call.state)->arrays[2]->gather(call.arrays[2]);
  };
  return variant;
}

}  // namespace sextant
