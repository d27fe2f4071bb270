#include "toolbox/cuda/nccl.hpp"
#include "toolbox/team_vectors.hpp"

namespace sextant {
namespace {

struct Sum : TeamVectors {
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
};

// All parts' calls in one group, with nothing else of CUDA's between.
template <typename T>
void launch(const Call& call) {
  auto& sum = *static_cast<Sum*>(call.state);
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

const char* prepare(const Call& call, void** state) {
  auto sum = std::make_unique<Sum>();
  if (const char* reason = nccl::communicators_of(parts::team_of(call), &sum->communicators)) return reason;
  if (const char* reason = make_vectors(call, call.problem.extents.x, sum.get())) return reason;
  *state = sum.release();
  return nullptr;
}

}  // namespace

Variant all_reduce_cuda_nccl() {
  Variant variant;
  variant.description = "NCCL's own, all GPUs in one process, by the algorithm that it chooses";
  complete_vectors<Sum>(variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = [](const Problem& problem, const int*) {
    return bytes_of_vectors(problem, problem.extents.x);
  };
  variant.prepare = prepare;
  variant.unavailable = nccl::unavailable;
  return variant;
}

}  // namespace sextant
