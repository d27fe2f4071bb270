// Arrays cut into as many parts as there are ranks, with a GPU each, which have nothing to tell each other: are they
// independent?
#include <array>
#include <memory>

#include "parts_on_gpus.cuh"
#include "toolbox/cuda/gpu_slab.hpp"

namespace sextant {
namespace {

using gpu_ranks::GpuSlab;

struct Part {
  std::array<std::unique_ptr<GpuSlab>, 3> arrays;
};

template <typename T>
void launch(const Call& call) {
  const auto& [a, b, c] = static_cast<const Part*>(call.state)->arrays;
  triad::launch_part(call, a->own().count, a->data<const T>(), b->data<const T>(), c->data<T>(),
                     gpu_ranks::stream_of(parts::gpu_rank_of(call)));
}

const char* prepare(const Call& call, void** state) {
  auto part = std::make_unique<Part>();
  const auto element = static_cast<std::int64_t>(element_size(call.problem.type));
  for (std::unique_ptr<GpuSlab>& array : part->arrays) {
    array = std::make_unique<GpuSlab>(parts::gpu_rank_of(call), call.problem.extents.x, element, 0);
    if (!array->is_there()) return "no device memory for a rank's part";
  }
  *state = part.release();
  return nullptr;
}

void scatter(const Call& call) {
  const auto& arrays = static_cast<const Part*>(call.state)->arrays;
  for (std::size_t i = 0; i < arrays.size(); ++i) arrays[i]->scatter(call.arrays ? call.arrays[i] : nullptr);
}

}  // namespace

Variant triad_cuda_mpi() {
  Variant variant = triad::variant_of_parts();
  variant.description = "ranks with a GPU and a part of the arrays each, 16-byte accesses, streaming stores";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Part*>(state); };
  variant.scatter = scatter;
  variant.gather = [](const Call& call) {
    static_cast<const Part*>(call.state)->arrays[2]->gather(call.arrays ? call.arrays[2] : nullptr);
  };
  return variant;
}

}  // namespace sextant
