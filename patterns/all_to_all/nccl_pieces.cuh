// Pieces between a team's GPUs by NCCL, for the variants that call it each time and that record it.
#pragma once

#include "pieces.hpp"
#include "toolbox/cuda/nccl.hpp"
#include "toolbox/cuda/part_graphs.cuh"
#include "toolbox/team_vectors.hpp"

namespace sextant::all_to_all {

struct NcclPieces : TeamVectors {
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
  peers::PartGraphs graphs;
};

// NCCL has no all-to-all of its own before 2.28: sends and receives of all parts in one group, as its manual says.
inline void call_nccl(const Call& call, NcclPieces& pieces) {
  const parts::Team& team = parts::team_of(call);
  const nccl::Functions& of = nccl::functions();
  const std::int64_t bytes =
      piece_of(call.problem) * static_cast<std::int64_t>(element_size(call.problem.type));
  const auto size = static_cast<std::size_t>(bytes);
  of.group_start();
  for (int part = 0; part < team.parts; ++part) {
    const auto stream = static_cast<cudaStream_t>(team.stream[part]);
    for (int other = 0; other < team.parts; ++other) {
      pieces.said.hear(of.send(pieces.from->data<const char>(part) + other * bytes, size, nccl::of_bytes,
                               other, pieces.communicators[part], stream));
      pieces.said.hear(of.receive(pieces.to->data<char>(part) + other * bytes, size, nccl::of_bytes, other,
                                  pieces.communicators[part], stream));
    }
  }
  pieces.said.hear(of.group_end());
}

inline const char* make_nccl_pieces(const Call& call, NcclPieces& pieces) {
  const parts::Team& team = parts::team_of(call);
  if (const char* reason = nccl::communicators_of(team, &pieces.communicators)) return reason;
  return make_vectors(call, team.parts * piece_of(call.problem), &pieces);
}

inline Variant by_nccl(std::string description) {
  Variant variant;
  variant.description = std::move(description);
  complete_vectors<NcclPieces>(variant);
  variant.constraint = [](const Problem& problem, const int*) -> const char* {
    return piece_of(problem) < 1 ? "fewer elements than parts: take fewer parts, or a larger size" : nullptr;
  };
  variant.workspace = [](const Problem& problem, const int*) {
    return bytes_of_vectors(problem, problem.parts * piece_of(problem));
  };
  variant.unavailable = nccl::unavailable;
  return variant;
}

}  // namespace sextant::all_to_all
