// Factors, and a workspace behind them, in memory of the host that is mapped.
#pragma once

#include "factors.hpp"
#include "pass.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant::fft1d {

struct Mapped {
  char* memory;
  std::int64_t bytes;
};

inline const char* prepare_mapped(const Call& call, void** state) {
  char* memory = static_cast<char*>(allocate_with_factors(call.problem, numbers_of(call.problem)));
  if (!memory) return "no host memory for factors and workspace";
  const std::int64_t bytes = state_bytes(call.problem, nullptr);
#pragma omp target enter data map(to : memory [0:bytes])
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

inline void add_state(Variant* variant) {
  variant->workspace = state_bytes;
  variant->prepare = prepare_mapped;
  variant->release = release_mapped;
}

inline void* memory_of(const Call& call) { return static_cast<const Mapped*>(call.state)->memory; }

}  // namespace sextant::fft1d
