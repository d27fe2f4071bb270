#include <utility>

#include "chunks.hpp"
#include "suite/tunables.hpp"

// One pass a step, from lattice to lattice: threads share the chunks; a chunk's arrivals are gathered from
// one lattice, collided in the thread's buffer and written to the same nodes of the other, past the caches if
// `streaming`.
namespace sextant {
namespace {

using namespace lbm_d3q15;

struct Stores {
  int streaming = 1;
};

template <typename T>
void launch(const Call& call) {
  const Extents& size = call.problem.extents;
  const std::int64_t nodes = size.count(), steps = steps_of(call.problem);
  const auto* const state = static_cast<const HostState<T>*>(call.state);
  const Rates<T> rates = rates_of<T>(call.problem);
  const bool streaming = call.tuned<Stores>().streaming != 0;
  T *now = call.array<T>(0), *next = state->other;
#pragma omp parallel firstprivate(now, next)
  {
    Chunk<T> chunk;
    if (steps % 2 != 0) {  // so that the last step ends in f
#pragma omp for schedule(static)
      for (std::int64_t i = 0; i < directions * nodes; ++i) next[i] = now[i];
      std::swap(now, next);
    }
    for (std::int64_t step = 0; step < steps; ++step) {
      share_chunks(size, [&](const Part& part) {
        update_part(size, part, state->links, rates, streaming, now, next, chunk);
      });
      std::swap(now, next);
    }
  }
}

// Streaming stores save reading what is overwritten, and cost where the lattices fit in cache.
void adapt(const Problem& problem, Stores& stores) {
  const auto bytes =
      2 * directions * problem.extents.count() * static_cast<std::int64_t>(element_size(problem.type));
  stores.streaming = bytes > (std::int64_t{32} << 20);
}

}  // namespace

Variant lbm_d3q15_openmp_fused() {
  Variant variant;
  variant.description = "propagate and collide in one pass from lattice to lattice, threads and SIMD";
  variant.tunables = tunables<Stores>({{"streaming", &Stores::streaming, {0, 1}}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_host_variant<true>(variant);
  return variant;
}

}  // namespace sextant
