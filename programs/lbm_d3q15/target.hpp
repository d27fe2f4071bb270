// What the variants of OpenMP's offloading share: the second lattice on the device. f and flags lie in the data region that
// Home::target stands for.
#pragma once

#include <cstdlib>

#include "nodes.hpp"
#include "toolbox/index.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant::lbm_d3q15 {

inline void release_target(void* state) {
  auto* const device = static_cast<DeviceState*>(state);
  char* other = device->other;
  Links* links = device->links;
  const std::int64_t nodes = device->nodes, bytes = device->bytes;
#pragma omp target exit data map(delete : other [0:bytes], links [0:nodes])
  std::free(other);
  std::free(links);
  delete device;
}

template <typename T>
const char* prepare_target(const Call& call, void** state) {
  T* flags = call.array<T>(1);
  const std::int64_t nodes = call.problem.extents.count(),
                     bytes = directions * nodes * static_cast<std::int64_t>(sizeof(T));
#pragma omp target update from(flags [0:nodes])
  if (const char* reason = refuse_flags(call.problem, flags)) return reason;
  char* other = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  Links* links = static_cast<Links*>(std::malloc(static_cast<std::size_t>(nodes) * sizeof(Links)));
  if (!other || !links) {
    std::free(other);
    std::free(links);
    return "host memory ran out";
  }
  make_links(call.problem.extents, flags, links);
#pragma omp target enter data map(alloc : other [0:bytes]) map(to : links [0:nodes])
  *state = new DeviceState{other, links, nodes, bytes};
  return nullptr;
}

inline void complete_target_variant(Variant& variant) {
  variant.home = Home::target;
  variant.workspace = [](const Problem& problem, const int*) {
    const auto size = static_cast<std::int64_t>(element_size(problem.type));
    return problem.extents.count() * (directions * size + static_cast<std::int64_t>(sizeof(Links)));
  };
  variant.prepare = prepare_either<prepare_target<float>, prepare_target<double>>;
  variant.release = release_target;
}

}  // namespace sextant::lbm_d3q15
