// Mapped host memory that OpenMP offloading variants keep between target regions.
#pragma once

#include <cstdlib>

#include "toolbox/target/teams.hpp"

namespace sextant::target {

struct Memory {
  char* data;
  std::int64_t bytes;
};

template <std::int64_t (*bytes_of)(const Problem&, const int*)>
const char* prepare_memory(const Call& call, void** state) {
  const std::int64_t bytes = bytes_of(call.problem, call.tuning);
  char* data = static_cast<char*>(std::aligned_alloc(64, static_cast<std::size_t>((bytes + 63) / 64 * 64)));
  if (!data) return "no host memory for the variant's workspace";
#pragma omp target enter data map(alloc : data [0:bytes])
  *state = new Memory{data, bytes};
  return nullptr;
}

inline void release_memory(void* state) {
  const auto* mine = static_cast<const Memory*>(state);
  char* data = mine->data;
  const std::int64_t bytes = mine->bytes;
#pragma omp target exit data map(delete : data [0:bytes])
  std::free(data);
  delete mine;
}

// Gives the variant `bytes_of(…)` bytes of uninitialized state, which stay mapped to the device while the
// state exists.
template <std::int64_t (*bytes_of)(const Problem&, const int*)>
void add_memory(Variant* variant) {
  variant->workspace = bytes_of;
  variant->prepare = prepare_memory<bytes_of>;
  variant->release = release_memory;
}

template <typename T>
T* memory_of(const Call& call) {
  return reinterpret_cast<T*>(static_cast<const Memory*>(call.state)->data);
}

}  // namespace sextant::target
