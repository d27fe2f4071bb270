// Pieces are packed into a message for each other GPU, sent by NCCL in one group, and unpacked. Packing and unpacking are a
// kernel each (fused=1), or one for each piece. What a GPU has for itself is copied by a kernel before the messages.
#include <memory>

#include "copies.cuh"
#include "suite/tunables.hpp"
#include "team_fields.hpp"
#include "toolbox/cuda/nccl.hpp"

namespace sextant {
namespace {

using namespace halo3d;

struct Shape {
  int fused = 1, block_size = 256, blocks = 4;  // blocks on a multiprocessor
};

template <typename T>
struct State : TeamFields {
  explicit State(const Call& call) : TeamFields(call), out(team()), in(team()) {
    for (int part = 0; part < team().parts; ++part) {
      sent.push_back(messages_from(call.problem, cut, part));
      received.push_back(messages_to(call.problem, cut, part));
    }
  }
  std::vector<Messages> sent, received;
  std::vector<Copies<T>> packing, unpacking;  // of each part's kernels
  peers::PartMemory out, in;
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
};

std::int64_t most_in_messages(const Problem& problem) {
  const std::vector<Part> all = parts_of(problem);
  std::int64_t most = 1;
  for (int part = 0; part < problem.parts; ++part)
    most = std::max(
        {most, messages_from(problem, all, part).elements, messages_to(problem, all, part).elements});
  return most * static_cast<std::int64_t>(element_size(problem.type));
}

// Into messages, and what a part has for itself.
template <typename T>
Copies<T> packing_of(const Call& call, const State<T>& state, int part) {
  T* const u = state.template data<T>(part);
  Copies<T> copies;
  for (const Packed& packed : state.sent[static_cast<std::size_t>(part)].pieces)
    copies.add(packed.piece, u, packed.piece.from, state.out.template of<T>()[part],
               packed.piece.dense(packed.first));
  for (const Piece& piece : pieces_within(call.problem, state.cut, part))
    copies.add(piece, u, piece.from, u, piece.to);
  return copies;
}

template <typename T>
Copies<T> unpacking_of(const State<T>& state, int part) {
  Copies<T> copies;
  for (const Packed& packed : state.received[static_cast<std::size_t>(part)].pieces)
    copies.add(packed.piece, state.in.template of<const T>()[part], packed.piece.dense(packed.first),
               state.template data<T>(part), packed.piece.to);
  return copies;
}

template <typename T>
void copy(const Call& call, const parts::Team& team, const std::vector<Copies<T>>& copies) {
  const auto shape = call.tuned<Shape>();
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    launch_copies(copies[static_cast<std::size_t>(part)], shape.fused != 0, shape.block_size,
                  multiprocessors() * shape.blocks, stream);
  });
}

// All parts' calls in one group, with nothing else of CUDA's between.
template <typename T>
void send(State<T>& state) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const parts::Team& team = state.team();
  const nccl::Functions& of = nccl::functions();
  of.group_start();
  for (int part = 0; part < team.parts; ++part) {
    const cudaStream_t stream = peers::stream_of_part(team, part);
    for (const Message& message : state.sent[static_cast<std::size_t>(part)].messages)
      state.said.hear(of.send(state.out.template of<const char>()[part] + message.first * size,
                              static_cast<std::size_t>(message.count * size), nccl::of_bytes, message.other,
                              state.communicators[part], stream));
    for (const Message& message : state.received[static_cast<std::size_t>(part)].messages)
      state.said.hear(of.receive(state.in.template of<char>()[part] + message.first * size,
                                 static_cast<std::size_t>(message.count * size), nccl::of_bytes,
                                 message.other, state.communicators[part], stream));
  }
  state.said.hear(of.group_end());
}

template <typename T>
void launch(const Call& call) {
  auto& state = static_cast<State<T>&>(*static_cast<TeamFields*>(call.state));
  copy(call, state.team(), state.packing);
  send(state);
  copy(call, state.team(), state.unpacking);
}

template <typename T>
const char* prepare_fields(const Call& call, void** made) {
  auto state = std::make_unique<State<T>>(call);
  const parts::Team& team = state->team();
  if (const char* reason = nccl::communicators_of(team, &state->communicators)) return reason;
  const std::int64_t bytes = most_in_messages(call.problem);
  if (!state->make() || !state->out.allocate(bytes) || !state->in.allocate(bytes))
    return "no device memory for a part's points and messages";
  for (int part = 0; part < team.parts; ++part) {
    state->packing.push_back(packing_of<T>(call, *state, part));
    state->unpacking.push_back(unpacking_of<T>(*state, part));
  }
  *made = static_cast<TeamFields*>(state.release());
  return nullptr;
}

const char* prepare(const Call& call, void** made) {
  return call.problem.type == ElementType::float32 ? prepare_fields<float>(call, made)
                                                   : prepare_fields<double>(call, made);
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return TeamFields::bytes_of_a_part(problem) + 2 * most_in_messages(problem);
}

}  // namespace

Variant halo3d_cuda_nccl() {
  Variant variant;
  variant.description = "NCCL's sends and receives of packed messages in one group, all GPUs in one process";
  complete_fields(variant);
  variant.tunables = tunables<Shape>({{"fused", &Shape::fused, {0, 1}},
                                      {"block_size", &Shape::block_size, {128, 256, 512}},
                                      {"blocks", &Shape::blocks, {1, 2, 4}}});
  variant.constraint = [](const Problem& problem, const int*) { return why_too_narrow(problem); };
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.unavailable = nccl::unavailable;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
