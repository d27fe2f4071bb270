// What variants of OpenMP's offloading keep between regions: memory of the host that is mapped.
#pragma once

#include <cstdlib>

#include "toolbox/target/teams.hpp"

namespace sextant::tridiagonal {

struct Mapped {
  char* memory;
  std::int64_t bytes;
};

template <std::int64_t (*bytes_of)(const Problem&, const int*)>
const char* prepare_mapped(const Call& call, void** state) {
  const std::int64_t bytes = bytes_of(call.problem, call.tuning);
  char* memory = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  if (!memory) return "no host memory for what elimination leaves";
#pragma omp target enter data map(alloc : memory [0:bytes])
  *state = new Mapped{memory, bytes};
  return nullptr;
}

inline void release_mapped(void* state) {
  const auto* mine = static_cast<const Mapped*>(state);
  char* memory = mine->memory;
  const std::int64_t bytes = mine->bytes;
#pragma omp target exit data map(delete : memory [0:bytes])
  std::free(memory);
  delete mine;
}

template <std::int64_t (*bytes_of)(const Problem&, const int*)>
void add_memory(Variant* variant) {
  variant->workspace = bytes_of;
  variant->prepare = prepare_mapped<bytes_of>;
  variant->release = release_mapped;
}

template <typename T>
T* memory_of(const Call& call) {
  return reinterpret_cast<T*>(static_cast<const Mapped*>(call.state)->memory);
}

}  // namespace sextant::tridiagonal
