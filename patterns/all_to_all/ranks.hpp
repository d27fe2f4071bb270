// Helper functions of the all_to_all variants that run on MPI ranks.
#pragma once

#include "pieces.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/rank_vectors.hpp"

namespace sextant::all_to_all {

inline std::int64_t piece_bytes(const Problem& problem) {
  return piece_of(problem) * static_cast<std::int64_t>(element_size(problem.type));
}

inline const char* why_too_few(const Problem& problem, const int*) {
  return piece_of(problem) < 1 ? "fewer elements than ranks: choose fewer ranks or a larger size" : nullptr;
}

inline void complete_variant(Variant& variant) {
  complete_vectors<RankVectors>(variant);
  variant.constraint = why_too_few;
  variant.workspace = [](const Problem& problem, const int*) {
    return 2 * (problem.parts * piece_bytes(problem) + 3 * 4096);
  };
  variant.prepare = [](const Call& call, void** state) {
    return prepare_vectors(call, call.problem.parts * piece_of(call.problem), false, state);
  };
}

}  // namespace sextant::all_to_all
