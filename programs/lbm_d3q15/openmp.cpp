#include <utility>

#include "chunks.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;

// One pass per step, from one lattice to the other. The lattice is processed in chunks, which are distributed
// among threads. A chunk's arriving densities are gathered from one lattice, collided in the thread's buffer
// and written to the same nodes of the other. With `streaming_stores` the stores bypass the caches.
namespace fused {

struct Stores {
  int streaming_stores = 1;
};

template <typename T>
void launch(const Call& call) {
  const Extents& size = call.problem.extents;
  const std::int64_t nodes = size.count(), steps = steps_of(call.problem);
  const auto* const state = static_cast<const HostState<T>*>(call.state);
  const Rates<T> rates = rates_of<T>(call.problem);
  const bool streaming = call.tuned<Stores>().streaming_stores != 0;
  T *now = call.array<T>(0), *next = state->other;
#pragma omp parallel firstprivate(now, next)
  {
    Chunk<T> chunk;
    if (steps % 2 != 0) {  // so that the last step writes f
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

// Streaming stores avoid reading lines that are overwritten completely. They are slower if the lattices fit
// in cache.
void adapt(const Problem& problem, Stores& stores) {
  const auto bytes =
      2 * directions * problem.extents.count() * static_cast<std::int64_t>(element_size(problem.type));
  stores.streaming_stores = bytes > (std::int64_t{32} << 20);
}

Variant form() {
  Variant variant;
  variant.description =
      "the plain form: propagate and collide in one pass from one lattice to the other, threads and SIMD";
  variant.tunables = tunables<Stores>({{"streaming_stores", &Stores::streaming_stores, {0, 1}}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_host_variant<true>(variant);
  return variant;
}

}  // namespace fused

// A single lattice is updated by two alternating kinds of step, as in cuda.in_place. An exchanging step
// gathers a chunk's arriving densities from the neighbours. It writes the density that leaves along k to the
// position from which the density of the opposite direction was read. After that, all arriving densities are
// at the nodes themselves. A local step reads them there and writes them back in order.
namespace in_place {

// Writes the densities that leave the chunk's nodes to the positions from which arriving densities were read.
// Direction k goes to the position of its opposite. No other node accesses these positions during this step.
template <typename T>
void scatter_swapped(const Extents& size, const Part& part, const Links* links, bool walls, T* f,
                     const Chunk<T>& chunk) {
  const std::int64_t nodes = size.count();
  for (int k = 0; k < directions; ++k)
    visit_sources(size, part, k, [&](std::int64_t index, std::int64_t at, std::int64_t count) {
      T* const to = f + k * nodes + index;
      const T* const from = chunk.f[opposite(k)] + at;
      if (!walls) return copy_run(to, from, count);
      for (std::int64_t i = 0; i < count; ++i) {
        const Links bits = links[part.first + at + i];
        if (bits & solid_node) continue;
        ((bits >> k) & 1 ? f[opposite(k) * nodes + part.first + at + i] : to[i]) = from[i];
      }
    });
}

// Computes a local step: the arriving densities lie at the nodes themselves, each at the position of its
// opposite.
template <typename T>
void collide_in_place(std::int64_t nodes, const Part& part, const Links* links, bool walls,
                      const Rates<T>& rates, T* f, Chunk<T>& chunk) {
  for (int k = 0; k < directions; ++k) copy_run(chunk.f[k], f + opposite(k) * nodes + part.first, part.count);
  collide_chunk(rates, part.count, chunk);
  if (walls) keep_solid_nodes(nodes, part, links, f, chunk);
  for (int k = 0; k < directions; ++k) copy_run(f + k * nodes + part.first, chunk.f[k], part.count);
}

// Swaps the two densities between each pair of fluid neighbours, as needed after an odd number of steps.
template <typename T>
void swap_links(const Extents& size, const Part& part, const Links* links, T* f) {
  const std::int64_t nodes = size.count();
  for (int k = 1; k < directions; k += 2)
    visit_sources(size, part, k, [&](std::int64_t index, std::int64_t at, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i)
        if (!(links[part.first + at + i] & (solid_node | 1 << k)))
          std::swap(f[k * nodes + index + i], f[opposite(k) * nodes + part.first + at + i]);
    });
}

template <typename T>
void launch(const Call& call) {
  const Extents& size = call.problem.extents;
  const std::int64_t steps = steps_of(call.problem);
  const Links* const links = static_cast<const HostState<T>*>(call.state)->links;
  const Rates<T> rates = rates_of<T>(call.problem);
  T* const f = call.array<T>(0);
#pragma omp parallel
  {
    Chunk<T> chunk;
    for (std::int64_t step = 0; step < steps; ++step)
      share_chunks(size, [&](const Part& part) {
        const bool walls = any_link(links, part) != 0;
        if (step % 2 != 0) return collide_in_place(size.count(), part, links, walls, rates, f, chunk);
        gather_arrivals(size, part, links, walls, f, chunk);
        collide_chunk(rates, part.count, chunk);
        scatter_swapped(size, part, links, walls, f, chunk);
      });
    if (steps % 2 != 0) share_chunks(size, [&](const Part& part) { swap_links(size, part, links, f); });
  }
}

Variant form() {
  Variant variant;
  variant.description =
      "one lattice, updated in place: every second step exchanges densities with neighbouring nodes; threads "
      "and SIMD";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_host_variant<false>(variant);
  return variant;
}

}  // namespace in_place

}  // namespace

std::vector<Variant> lbm_d3q15_openmp() {
  return {
      named("fused", fused::form()),
      named("in_place", in_place::form()),
  };
}

}  // namespace sextant
