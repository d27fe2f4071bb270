#include "pieces.hpp"
#include "ranks.hpp"
#include "toolbox/cuda/gpu_rank_vectors.hpp"
#include "toolbox/cuda/nccl.hpp"
#include "toolbox/cuda/part_graphs.cuh"
#include "toolbox/team_vectors.hpp"

// All-to-all by NCCL on the GPUs of a device group, with one host process for all GPUs. Two variants share
// this code: one calls NCCL in each call, the other records the calls once as a CUDA graph.
namespace sextant::all_to_all {

struct NcclPieces : TeamVectors {
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
  peers::PartGraphs graphs;
};

// NCCL has no all-to-all function before version 2.28. Its manual recommends issuing the sends and receives
// of all GPUs in one group instead.
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
  complete_team_vectors<NcclPieces>(variant);
  variant.constraint = [](const Problem& problem, const int*) -> const char* {
    return piece_of(problem) < 1 ? "fewer elements than partitions: choose fewer partitions or a larger size"
                                 : nullptr;
  };
  variant.workspace = [](const Problem& problem, const int*) {
    return bytes_of_team_vectors(problem, problem.parts * piece_of(problem));
  };
  variant.unavailable = nccl::unavailable;
  return variant;
}

}  // namespace sextant::all_to_all

// The shared implementation of the variants cuda.mpi and cuda.mpi_staged: one GPU per MPI rank.
namespace sextant::all_to_all {

// One instance per transfer path (direct or staged), because variants share no compiled code.
template <gpu_ranks::Way>
void turn(const Call& call) {
  gpu_ranks::exchange_vectors(call, [&](const void* from, void* to) {
    call.parts.ranks->alltoall(from, to, piece_bytes(call.problem));
  });
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

namespace sextant {
namespace {

using all_to_all::NcclPieces;

namespace nccl_form {

void launch(const Call& call) { all_to_all::call_nccl(call, *static_cast<NcclPieces*>(call.state)); }

const char* prepare(const Call& call, void** state) {
  auto pieces = std::make_unique<NcclPieces>();
  if (const char* reason = all_to_all::make_nccl_pieces(call, *pieces)) return reason;
  *state = pieces.release();
  return nullptr;
}

Variant form() {
  Variant variant = all_to_all::by_nccl("NCCL sends and receives in one group, one process for all GPUs");
  variant.launch = {.float32 = launch, .float64 = launch};
  variant.prepare = prepare;
  return variant;
}

}  // namespace nccl_form

// The same NCCL calls as in cuda.nccl, recorded once as one CUDA graph per GPU.
namespace nccl_graph {

void launch(const Call& call) { static_cast<NcclPieces*>(call.state)->graphs.launch(parts::team_of(call)); }

const char* prepare(const Call& call, void** state) {
  auto pieces = std::make_unique<NcclPieces>();
  if (const char* reason = all_to_all::make_nccl_pieces(call, *pieces)) return reason;
  pieces->graphs.record(parts::team_of(call), [&] { all_to_all::call_nccl(call, *pieces); });
  if (const char* reason = nccl::refusal(pieces->said, pieces->graphs.is_there(), nccl::not_recorded,
                                         "cuda.nccl issues them in every call"))
    return reason;
  *state = pieces.release();
  return nullptr;
}

Variant form() {
  Variant variant = all_to_all::by_nccl(
      "NCCL sends and receives, one process for all GPUs, recorded once as one CUDA graph per GPU");
  variant.launch = {.float32 = launch, .float64 = launch};
  variant.prepare = prepare;
  return variant;
}

}  // namespace nccl_graph

}  // namespace

std::vector<Variant> all_to_all_cuda() {
  return {
      named("mpi", all_to_all::variant_of_gpu_ranks<gpu_ranks::Way::straight>()),
      named("mpi_staged", all_to_all::variant_of_gpu_ranks<gpu_ranks::Way::staged>()),
      named("nccl", nccl_form::form()),
      named("nccl_graph", nccl_graph::form()),
  };
}

}  // namespace sextant
