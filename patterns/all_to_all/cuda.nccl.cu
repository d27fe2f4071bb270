#include "pieces.hpp"
#include "toolbox/cuda/nccl.hpp"
#include "toolbox/team_vectors.hpp"

namespace sextant {
namespace {

using all_to_all::piece_of;

struct Pieces : TeamVectors {
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
};

// NCCL has no all-to-all of its own before 2.28: sends and receives of all parts in one group, as its manual says.
void launch(const Call& call) {
  auto& pieces = *static_cast<Pieces*>(call.state);
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

const char* prepare(const Call& call, void** state) {
  auto pieces = std::make_unique<Pieces>();
  const parts::Team& team = parts::team_of(call);
  if (const char* reason = nccl::communicators_of(team, &pieces->communicators)) return reason;
  if (const char* reason = make_vectors(call, team.parts * piece_of(call.problem), pieces.get()))
    return reason;
  *state = pieces.release();
  return nullptr;
}

}  // namespace

Variant all_to_all_cuda_nccl() {
  Variant variant;
  variant.description = "NCCL's sends and receives in one group, all GPUs in one process";
  complete_vectors<Pieces>(variant);
  variant.launch = {.float32 = launch, .float64 = launch};
  variant.constraint = [](const Problem& problem, const int*) -> const char* {
    return piece_of(problem) < 1 ? "fewer elements than parts: take fewer parts, or a larger size" : nullptr;
  };
  variant.workspace = [](const Problem& problem, const int*) {
    return bytes_of_vectors(problem, problem.parts * piece_of(problem));
  };
  variant.prepare = prepare;
  variant.unavailable = nccl::unavailable;
  return variant;
}

}  // namespace sextant
