// Arrays for collective operations between partitions on GPUs: each partition has one array to send and one
// to receive, of equal length. (toolbox/host/rank_vectors.hpp is the same for MPI ranks.)
#pragma once

#include <memory>

#include "toolbox/team_slab.hpp"

namespace sextant {

struct TeamVectors {
  std::unique_ptr<TeamSlab> from, to;
};

// Allocates arrays of `count` elements for every partition. Returns null, or the reason of the failure.
inline const char* make_vectors(const Call& call, std::int64_t count, TeamVectors* made) {
  const parts::Team& team = parts::team_of(call);
  const auto element = static_cast<std::int64_t>(element_size(call.problem.type));
  for (std::unique_ptr<TeamSlab>* slab : {&made->from, &made->to}) {
    *slab = std::make_unique<TeamSlab>(team, team.parts * count, element);
    if (!(*slab)->is_there()) return "no device memory for a partition's arrays";
  }
  return nullptr;
}

// Returns the bytes of both arrays of a partition, including guard zones.
inline std::int64_t bytes_of_team_vectors(const Problem& problem, std::int64_t count) {
  return 2 * (count * static_cast<std::int64_t>(element_size(problem.type)) + 3 * 4096);
}

// Fills in the fields of a variant whose state is a TeamVectors or a class derived from it.
template <typename State>
void complete_team_vectors(Variant& variant) {
  variant.memory_space = MemorySpace::partitioned;
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
