// Arrays for MPI collectives between ranks on the host: each rank has one array to send and one to receive,
// of equal length.
#pragma once

#include <memory>

#include "suite/variant.hpp"
#include "toolbox/host/memory.hpp"
#include "toolbox/host/slab.hpp"

namespace sextant {

struct RankVectors {
  std::unique_ptr<Slab> from, to;
  HostMemory<char> between;  // an intermediate receive buffer, as large as one array
};

// Allocates arrays of `count` elements on every rank. Returns null, or the reason of the failure.
inline const char* make_vectors(const Call& call, std::int64_t count, bool with_between, RankVectors* made) {
  const auto element = static_cast<std::int64_t>(element_size(call.problem.type));
  for (std::unique_ptr<Slab>* slab : {&made->from, &made->to}) {
    *slab = std::make_unique<Slab>(*call.parts.ranks, call.parts.ranks->size * count, element, 0);
    if (!(*slab)->is_there()) return "no host memory for this rank's partition";
  }
  if (with_between) made->between = allocate_host<char>(count * element);
  return with_between && !made->between ? "no host memory for this rank's receive buffer" : nullptr;
}

inline const char* prepare_vectors(const Call& call, std::int64_t count, bool with_between, void** state) {
  auto made = std::make_unique<RankVectors>();
  if (const char* reason = make_vectors(call, count, with_between, made.get())) return reason;
  *state = made.release();
  return nullptr;
}

// Fills in the fields of a variant whose state is a RankVectors or a class derived from it.
template <typename State>
void complete_vectors(Variant& variant) {
  variant.memory_space = MemorySpace::partitioned;
  variant.parts.needs_mpi = true;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.parts.scatter = [](const Call& call) {
    const auto* vectors = static_cast<const State*>(call.state);
    vectors->from->scatter(call.address(0));
    vectors->to->scatter(call.address(1));
  };
  variant.parts.gather = [](const Call& call) {
    static_cast<const State*>(call.state)->to->gather(call.address(1));
  };
}

}  // namespace sextant
