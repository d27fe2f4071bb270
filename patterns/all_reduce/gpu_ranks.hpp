// What cuda.mpi and cuda.mpi_staged are.
#pragma once

#include "toolbox/cuda/gpu_rank_vectors.hpp"

namespace sextant::all_reduce {

// Of each way an own one, as variants share no code.
template <gpu_ranks::Way>
void add_up(const Call& call) {
  gpu_ranks::exchange_vectors(call, [&](const void* from, void* to) {
    call.ranks->allreduce(static_cast<const double*>(from), static_cast<double*>(to), call.problem.extents.x,
                          parts::Combine::sum);
  });
}

template <gpu_ranks::Way way>
Variant variant_of_gpu_ranks() {
  Variant variant;
  variant.description = gpu_ranks::description_of(way);
  gpu_ranks::complete_vectors(variant);
  variant.launch.float64 = add_up<way>;  // in a template nvcc takes { .float64 = … } for the first member
  variant.workspace = [](const Problem& problem, const int*) {
    return gpu_ranks::bytes_of_vectors(problem, problem.extents.x);
  };
  variant.prepare = [](const Call& call, void** state) {
    return gpu_ranks::prepare_vectors(call, call.problem.extents.x, way, state);
  };
  return variant;
}

}  // namespace sextant::all_reduce
