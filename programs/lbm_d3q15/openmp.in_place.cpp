#include <utility>

#include "chunks.hpp"

// One lattice, and two kinds of step that alternate, as in cuda.in_place: an exchanging step gathers a
// chunk's arrivals from the neighbours and writes what leaves along k to the place that its opposite was read
// from; a local step then finds all arrivals at the nodes themselves, and puts them back in order.
namespace sextant {
namespace {

using namespace lbm_d3q15;

// Writes what leaves the part's nodes where their arrivals were read: direction k into the place that its
// opposite came from. No other node reads or writes there during this step.
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

// A step whose arrivals lie at the nodes themselves, each where its opposite would.
template <typename T>
void collide_in_place(std::int64_t nodes, const Part& part, const Links* links, bool walls,
                      const Rates<T>& rates, T* f, Chunk<T>& chunk) {
  for (int k = 0; k < directions; ++k) copy_run(chunk.f[k], f + opposite(k) * nodes + part.first, part.count);
  collide_chunk(rates, part.count, chunk);
  if (walls) keep_solid_nodes(nodes, part, links, f, chunk);
  for (int k = 0; k < directions; ++k) copy_run(f + k * nodes + part.first, chunk.f[k], part.count);
}

// After an odd number of steps: swaps the two densities of every link between fluid nodes.
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

}  // namespace

Variant lbm_d3q15_openmp_in_place() {
  Variant variant;
  variant.description =
      "one lattice in memory: every second step exchanges with the neighbours, threads and SIMD";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_host_variant<false>(variant);
  return variant;
}

}  // namespace sextant
