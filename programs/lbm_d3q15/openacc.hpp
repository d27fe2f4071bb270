// What the OpenACC variants share: the second lattice on the device. f and flags lie in the data region that
// Home::openacc stands for.
#pragma once

#include <cstdlib>

#include "nodes.hpp"
#include "toolbox/index.hpp"

namespace sextant::lbm_d3q15 {

inline void release_openacc(void* state) {
  auto* const device = static_cast<DeviceState*>(state);
  char* other = device->other;
  Links* links = device->links;
  const std::int64_t nodes = device->nodes, bytes = device->bytes;
#pragma acc exit data delete (other [0:bytes], links [0:nodes])
  std::free(other);
  std::free(links);
  delete device;
}

template <typename T>
const char* prepare_openacc(const Call& call, void** state) {
  T* flags = call.array<T>(1);
  const std::int64_t nodes = call.problem.extents.count(),
                     bytes = directions * nodes * static_cast<std::int64_t>(sizeof(T));
#pragma acc update self(flags [0:nodes])
  if (const char* reason = refuse_flags(call.problem, flags)) return reason;
  char* other = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  Links* links = static_cast<Links*>(std::malloc(static_cast<std::size_t>(nodes) * sizeof(Links)));
  if (!other || !links) {
    std::free(other);
    std::free(links);
    return "host memory ran out";
  }
  make_links(call.problem.extents, flags, links);
#pragma acc enter data create(other [0:bytes]) copyin(links [0:nodes])
  *state = new DeviceState{other, links, nodes, bytes};
  return nullptr;
}

inline void complete_openacc_variant(Variant& variant) {
  variant.home = Home::openacc;
  variant.workspace = [](const Problem& problem, const int*) {
    const auto size = static_cast<std::int64_t>(element_size(problem.type));
    return problem.extents.count() * (directions * size + static_cast<std::int64_t>(sizeof(Links)));
  };
  variant.prepare = prepare_either<prepare_openacc<float>, prepare_openacc<double>>;
  variant.release = release_openacc;
}

}  // namespace sextant::lbm_d3q15
