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

// Whole lines past the caches; a run's ragged ends the usual way.
template <typename T>
void stream_run(T* to, const T* from, std::int64_t count) {
  constexpr std::int64_t per_line = line_bytes / static_cast<std::int64_t>(sizeof(T));
  std::int64_t i = line_start(to, 0);
  if (i > count) i = count;
  copy_run(to, from, i);
  for (; i + per_line <= count; i += per_line) stream_line(to + i, from + i);
  copy_run(to + i, from + i, count - i);
}

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
        const bool walls = any_link(state->links, part) != 0;
        gather_arrivals(size, part, state->links, walls, now, chunk);
        collide_chunk(rates, part.count, chunk);
        if (walls) keep_solid_nodes(size.count(), part, state->links, now, chunk);
        for (int k = 0; k < directions; ++k)
          if (streaming)
            stream_run(next + k * nodes + part.first, chunk.f[k], part.count);
          else
            copy_run(next + k * nodes + part.first, chunk.f[k], part.count);
        if (streaming) stream_fence();
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
