// What cuda.mpi and cuda.mpi_staged are.
#pragma once

#include "ranks.hpp"
#include "toolbox/cuda/gpu_rank_vectors.hpp"

namespace sextant::all_to_all {

// Of each way an own one, as variants share no code.
template <gpu_ranks::Way>
void turn(const Call& call) {
  gpu_ranks::exchange_vectors(
      call, [&](const void* from, void* to) { call.ranks->alltoall(from, to, piece_bytes(call.problem)); });
}

template <gpu_ranks::Way way>
Variant variant_of_gpu_ranks() {
  Variant variant;
  variant.description = gpu_ranks::description_of(way);
  gpu_ranks::complete_vectors(variant);
  variant.launch = {.float32 = turn<way>, .float64 = turn<way>};
  variant.constraint = why_too_few;
  variant.workspace = [](const Problem& problem, const int*) {
    return gpu_ranks::bytes_of_vectors(problem, problem.parts * piece_of(problem));
  };
  variant.prepare = [](const Call& call, void** state) {
    return gpu_ranks::prepare_vectors(call, call.problem.parts * piece_of(call.problem), way, state);
  };
  return variant;
}

}  // namespace sextant::all_to_all
