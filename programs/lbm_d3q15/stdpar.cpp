#include <utility>

#include "chunks.hpp"
#include "toolbox/host/algorithms.hpp"

// Each step calls std::for_each over the chunks of the lattice and writes the other lattice. Each chunk is
// gathered, collided and written as in the OpenMP variants.
namespace sextant {
namespace {

using namespace lbm_d3q15;

template <typename T>
void update_chunk(const Extents& size, const Part& part, const Links* links, const Rates<T>& rates,
                  const T* now, T* next) {
  thread_local Chunk<T> chunk;
  const std::int64_t nodes = size.count();
  const bool walls = any_link(links, part) != 0;
  gather_arrivals(size, part, links, walls, now, chunk);
  collide_chunk(rates, part.count, chunk);
  if (walls) keep_solid_nodes(nodes, part, links, now, chunk);
  for (int k = 0; k < directions; ++k) copy_run(next + k * nodes + part.first, chunk.f[k], part.count);
}

template <typename T>
void launch(const Call& call) {
  const Extents size = call.problem.extents;
  const std::int64_t all = directions * size.count(), steps = steps_of(call.problem);
  const auto* const state = static_cast<const HostState<T>*>(call.state);
  const Links* links = state->links;
  const Rates<T> rates = rates_of<T>(call.problem);
  T *now = call.array<T>(0), *next = state->other;
  if (steps % 2 != 0) {  // so that the last step writes f
    on_algorithm_threads([=] { std::copy(std::execution::par_unseq, now, now + all, next); });
    std::swap(now, next);
  }
  for (std::int64_t step = 0; step < steps; ++step, std::swap(now, next))
    for_each_index(0, chunk_count(size), [=](std::int64_t index) {
      update_chunk(size, part_of(size, index), links, rates, now, next);
    });
}

}  // namespace

std::vector<Variant> lbm_d3q15_stdpar() {
  Variant variant;
  variant.name = "fused";
  variant.description =
      "propagate and collide in one pass from one lattice to the other, std::for_each over chunks of rows";
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_host_variant<true>(variant);
  return {variant};
}

}  // namespace sextant
