#include "toolbox/cuda/gpu_rank_vectors.hpp"
#include "toolbox/cuda/nccl.hpp"
#include "toolbox/cuda/part_graphs.cuh"
#include "toolbox/team_vectors.hpp"

// All-reduce by NCCL on the GPUs of a device group, with one host process for all GPUs. Two variants share
// this code: one calls NCCL in each call, the other records the calls once as a CUDA graph.
namespace sextant::all_reduce {

struct NcclSum : TeamVectors {
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
  peers::PartGraphs graphs;
};

// Issues the calls for all GPUs in one NCCL group, with no other CUDA call in between.
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
  complete_team_vectors<NcclSum>(variant);
  variant.workspace = [](const Problem& problem, const int*) {
    return bytes_of_team_vectors(problem, problem.extents.x);
  };
  variant.unavailable = nccl::unavailable;
  return variant;
}

}  // namespace sextant::all_reduce

// The shared implementation of the variants cuda.mpi and cuda.mpi_staged: one GPU per MPI rank.
namespace sextant::all_reduce {

// One instance per transfer path (direct or staged), because variants share no compiled code.
template <gpu_ranks::Way>
void add_up(const Call& call) {
  gpu_ranks::exchange_vectors(call, [&](const void* from, void* to) {
    call.parts.ranks->allreduce(static_cast<const double*>(from), static_cast<double*>(to),
                                call.problem.extents.x, parts::Combine::sum);
  });
}

template <gpu_ranks::Way way>
Variant variant_of_gpu_ranks() {
  Variant variant;
  variant.description = gpu_ranks::description_of(way);
  gpu_ranks::complete_vectors(variant);
  // Set by name: in a template, nvcc would initialize the first member from `{.float64 = …}`.
  variant.launch.float64 = add_up<way>;
  variant.workspace = [](const Problem& problem, const int*) {
    return gpu_ranks::bytes_of_vectors(problem, problem.extents.x);
  };
  variant.prepare = [](const Call& call, void** state) {
    return gpu_ranks::prepare_vectors(call, call.problem.extents.x, way, state);
  };
  return variant;
}

}  // namespace sextant::all_reduce

namespace sextant {
namespace {

using all_reduce::NcclSum;

namespace nccl_form {

template <typename T>
void launch(const Call& call) {
  all_reduce::call_nccl<T>(call, *static_cast<NcclSum*>(call.state));
}

const char* prepare(const Call& call, void** state) {
  auto sum = std::make_unique<NcclSum>();
  if (const char* reason = all_reduce::make_nccl_sum(call, *sum)) return reason;
  *state = sum.release();
  return nullptr;
}

Variant form() {
  Variant variant =
      all_reduce::by_nccl("NCCL's all-reduce, one process for all GPUs; NCCL chooses the algorithm");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare;
  return variant;
}

}  // namespace nccl_form

// The same NCCL calls as in cuda.nccl, recorded once as one CUDA graph per GPU.
namespace nccl_graph {

void launch(const Call& call) { static_cast<NcclSum*>(call.state)->graphs.launch(parts::team_of(call)); }

const char* prepare(const Call& call, void** state) {
  auto sum = std::make_unique<NcclSum>();
  if (const char* reason = all_reduce::make_nccl_sum(call, *sum)) return reason;
  sum->graphs.record(parts::team_of(call), [&] {
    call.problem.type == ElementType::float64 ? all_reduce::call_nccl<double>(call, *sum)
                                              : all_reduce::call_nccl<float>(call, *sum);
  });
  if (const char* reason = nccl::refusal(sum->said, sum->graphs.is_there(), nccl::not_recorded,
                                         "cuda.nccl issues them in every call"))
    return reason;
  *state = sum.release();
  return nullptr;
}

Variant form() {
  Variant variant = all_reduce::by_nccl(
      "NCCL's all-reduce, one process for all GPUs, recorded once as one CUDA graph per GPU");
  variant.launch = {.float32 = launch, .float64 = launch};
  variant.prepare = prepare;
  return variant;
}

}  // namespace nccl_graph

}  // namespace

std::vector<Variant> all_reduce_cuda() {
  return {
      named("mpi", all_reduce::variant_of_gpu_ranks<gpu_ranks::Way::straight>()),
      named("mpi_staged", all_reduce::variant_of_gpu_ranks<gpu_ranks::Way::staged>()),
      named("nccl", nccl_form::form()),
      named("nccl_graph", nccl_graph::form()),
  };
}

}  // namespace sextant
