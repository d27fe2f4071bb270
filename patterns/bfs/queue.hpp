// The vertex queue of the host variants. It can hold all vertices of the graph.
#pragma once

#include <new>

#include "loop.hpp"

namespace sextant::bfs {

inline const char* prepare_queue(const Call& call, void** state) {
  *state = new (std::nothrow) std::int32_t[static_cast<std::size_t>(vertices_of(call.problem))];
  return *state ? nullptr : "no host memory for the queue";
}
inline void release_queue(void* state) { delete[] static_cast<std::int32_t*>(state); }
inline std::int64_t bytes_of_queue(const Problem& problem, const int*) { return 4 * vertices_of(problem); }

inline void add_queue(Variant* variant) {
  variant->workspace = bytes_of_queue;
  variant->prepare = prepare_queue;
  variant->release = release_queue;
}

}  // namespace sextant::bfs
