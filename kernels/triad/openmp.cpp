#include <array>
#include <memory>

#include "loop.hpp"
#include "toolbox/host/past_caches.hpp"
#include "toolbox/host/slab.hpp"
#include "toolbox/share.hpp"

namespace sextant {
namespace {

// The arrays are divided among MPI ranks. No communication is needed; the variant tests whether ranks slow
// each other down.
namespace mpi {

struct Part {
  std::array<std::unique_ptr<Slab>, 3> arrays;
};

template <typename T>
void launch(const Call& call) {
  const auto* part = static_cast<const Part*>(call.state);
  const std::int64_t n = part->arrays[0]->own().count;
  const T* a = part->arrays[0]->data<T>();
  const T* b = part->arrays[1]->data<T>();
  T* c = part->arrays[2]->data<T>();
  const T s = static_cast<T>(triad::scalar);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

const char* prepare(const Call& call, void** state) {
  auto part = std::make_unique<Part>();
  const auto element = static_cast<std::int64_t>(element_size(call.problem.type));
  for (std::unique_ptr<Slab>& array : part->arrays) {
    array = std::make_unique<Slab>(*call.parts.ranks, call.problem.extents.x, element, 0);
    if (!array->is_there()) return "no host memory for this rank's partition";
  }
  *state = part.release();
  return nullptr;
}

void scatter(const Call& call) {
  const auto* part = static_cast<const Part*>(call.state);
  for (std::size_t i = 0; i < part->arrays.size(); ++i) part->arrays[i]->scatter(call.address(i));
}

void gather(const Call& call) { static_cast<const Part*>(call.state)->arrays[2]->gather(call.address(2)); }

Variant form() {
  Variant variant;
  variant.memory_space = MemorySpace::partitioned;
  variant.parts.needs_mpi = true;
  variant.description = "MPI ranks with one partition of the arrays each; threads and SIMD within";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = [](const Problem& problem, const int*) -> const char* {
    return problem.extents.x < problem.parts
               ? "fewer elements than ranks: choose fewer ranks, or a larger size"
               : nullptr;
  };
  variant.workspace = [](const Problem& problem, const int*) {
    const std::int64_t longest = share_of(problem.extents.x, problem.parts, 0).count;
    return 3 * (longest * static_cast<std::int64_t>(element_size(problem.type)) + 3 * 4096);
  };
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Part*>(state); };
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  return variant;
}

}  // namespace mpi

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  const T s = static_cast<T>(triad::scalar);
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) c[i] = a[i] + s * b[i];
}

}  // namespace simd

namespace streaming {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
  const T s = static_cast<T>(triad::scalar);
  write_in_parallel(call, n, c, [=](std::int64_t i) { return a[i] + s * b[i]; });
}

Variant form() {
  Variant variant;
  let_pass_caches<3>(variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace streaming

}  // namespace

std::vector<Variant> triad_openmp() {
  return {
      named("mpi", mpi::form()),
      {.name = "simd",
       .description = "threads and SIMD, static schedule",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
      named("streaming", streaming::form()),
  };
}

}  // namespace sextant
