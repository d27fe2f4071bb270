// What the OpenACC variants of the heat stencil share.
#pragma once

#include <cstdlib>
#include <limits>

#include "loop.hpp"
#include "suite/tunables.hpp"

namespace sextant::heat3d {

// A second array to step to and fro, on the host and mapped to the device.
struct MappedArray {
  char* data;
  std::int64_t bytes;
};

static inline const char* prepare_mapped(const Call& call, void** state) {
  const std::int64_t bytes = workspace_bytes(call.problem);
  if (bytes == 0) return nullptr;
  char* data = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  if (!data) return "no host memory for the array that steps alternate with";
#pragma acc enter data create(data [0:bytes])
  *state = new MappedArray{data, bytes};
  return nullptr;
}

static inline void release_mapped(void* state) {
  const auto* mapped = static_cast<MappedArray*>(state);
  if (!mapped) return;
  char* data = mapped->data;
  const std::int64_t bytes = mapped->bytes;
#pragma acc exit data delete (data [0:bytes])
  std::free(data);
  delete mapped;
}

static inline Variant mapped_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.memory_space = MemorySpace::openacc;
  variant.workspace = [](const Problem& problem, const int*) { return workspace_bytes(problem); };
  variant.prepare = prepare_mapped;
  variant.release = release_mapped;
  return variant;
}

// All steps, a compute region a step: sweep.operator()<radius, weights>(from, to).
template <typename T, typename SweepOnce>
static void launch_steps(const Call& call, SweepOnce sweep) {
  const auto* mapped = static_cast<const MappedArray*>(call.state);
  sweep_steps(call, mapped ? reinterpret_cast<T*>(mapped->data) : nullptr, sweep);
}

}  // namespace sextant::heat3d
