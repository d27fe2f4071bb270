// A part's kernel copies all its pieces, without packing them: it stores them in the neighbours' halos, or loads its halo from
// the neighbours' points (pull=1), between a common begin and a common end.
#include <memory>

#include "copies.cuh"
#include "suite/tunables.hpp"
#include "team_fields.hpp"

namespace sextant {
namespace {

using namespace halo3d;

struct Shape {
  int pull = 0, block_size = 512, blocks = 2;  // blocks on a multiprocessor
};

template <typename T>
struct State : TeamFields {
  explicit State(const Call& call) : TeamFields(call), meetings(team()) {}
  peers::Meetings meetings;
  std::vector<Copies<T>> copies;  // of each part's kernel
};

template <typename T>
Copies<T> copies_of(const Call& call, const State<T>& state, int part) {
  Copies<T> copies;
  const bool pull = call.tuned<Shape>().pull != 0;
  for (int from = 0; from < call.problem.parts; ++from) {
    if (!pull && from != part) continue;
    for (const Piece& piece : pieces_of(call.problem, state.cut, from))
      if (!pull || piece.to_part == part)
        copies.add(piece, state.template data<const T>(from), piece.from,
                   state.template data<T>(piece.to_part), piece.to);
  }
  return copies;
}

template <typename T>
void launch(const Call& call) {
  auto& state = static_cast<State<T>&>(*static_cast<TeamFields*>(call.state));
  const parts::Team& team = state.team();
  const auto shape = call.tuned<Shape>();
  state.meetings.next_round();
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    const Copies<T>& copies = state.copies[static_cast<std::size_t>(part)];
    const unsigned blocks =
        blocks_of(copies.elements(), shape.block_size, peers::resident_blocks(team, shape.blocks));
    copy_together<T><<<blocks, shape.block_size, 0, stream>>>(copies, state.meetings.of(part));
  });
}

template <typename T>
const char* prepare_fields(const Call& call, void** made) {
  auto state = std::make_unique<State<T>>(call);
  const parts::Team& team = state->team();
  if (!state->make()) return "no device memory for a part's points";
  if (const char* reason = state->meetings.make(team)) return reason;
  for (int part = 0; part < team.parts; ++part) state->copies.push_back(copies_of<T>(call, *state, part));
  peers::load_everywhere(team, copy_together<T>);
  *made = static_cast<TeamFields*>(state.release());
  return nullptr;
}

const char* prepare(const Call& call, void** made) {
  if (!parts::team_of(call).reaches_all) return peers::out_of_reach;
  return call.problem.type == ElementType::float32 ? prepare_fields<float>(call, made)
                                                   : prepare_fields<double>(call, made);
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (const char* reason = why_too_narrow(problem)) return reason;
  return shape.block_size * shape.blocks > 1024 ? "more than 1024 threads a multiprocessor" : nullptr;
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return TeamFields::bytes_of_a_part(problem) + 4096;
}

}  // namespace

Variant halo3d_cuda_peers() {
  Variant variant;
  variant.description =
      "a kernel a GPU stores all its pieces in the neighbours' halos, or loads them from there";
  complete_fields(variant);
  variant.tunables = tunables<Shape>({{"pull", &Shape::pull, {0, 1}},
                                      {"block_size", &Shape::block_size, {256, 512, 1024}},
                                      {"blocks", &Shape::blocks, {1, 2, 4}}});
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
