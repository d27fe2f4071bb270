// NCCL's all-reduce of vectors on a team's GPUs, for the variants that call it each time and that record it.
#pragma once

#include "toolbox/cuda/nccl.hpp"
#include "toolbox/cuda/part_graphs.cuh"
#include "toolbox/team_vectors.hpp"

namespace sextant::all_reduce {

struct NcclSum : TeamVectors {
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
  peers::PartGraphs graphs;
};

// All parts' calls in one group, with nothing else of CUDA's between.
template <typename T>
void call_nccl(const Call& call, NcclSum& sum) {
  const parts::Team& team = parts::team_of(call);
  const nccl::Functions& of = nccl::functions();
  of.group_start();
  for (int part = 0; part < team.parts; ++part)
    sum.said.hear(of.all_reduce(sum.from->data<const T>(part), sum.to->data<T>(part),
                                static_cast<std::size_t>(call.problem.extents.x), nccl::type_of(T{}),
                                nccl::adding, sum.communicators[part],
                                static_cast<cudaStream_t>(team.stream[part])));
  sum.said.hear(of.group_end());
}

inline const char* make_nccl_sum(const Call& call, NcclSum& sum) {
  if (const char* reason = nccl::communicators_of(parts::team_of(call), &sum.communicators)) return reason;
  return make_vectors(call, call.problem.extents.x, &sum);
}

inline Variant by_nccl(std::string description) {
  Variant variant;
  variant.description = std::move(description);
  complete_vectors<NcclSum>(variant);
  variant.workspace = [](const Problem& problem, const int*) {
    return bytes_of_vectors(problem, problem.extents.x);
  };
  variant.unavailable = nccl::unavailable;
  return variant;
}

}  // namespace sextant::all_reduce
