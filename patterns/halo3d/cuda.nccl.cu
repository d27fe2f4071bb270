// Pieces are packed into a message for each other GPU, sent by NCCL in one group, and unpacked. Packing and unpacking are a
// kernel each (fused=1), or one for each piece. What a GPU has for itself is copied by a kernel before the messages.
#include <memory>

#include "packing.cuh"
#include "team_fields.hpp"
#include "toolbox/cuda/nccl.hpp"

namespace sextant {
namespace {

using namespace halo3d;

template <typename T>
struct State : TeamFields {
  explicit State(const Call& call) : TeamFields(call), out(team()), in(team()) {}
  std::vector<Packing<T>> parts;
  peers::PartMemory out, in;
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
};

// All parts' calls in one group, with nothing else of CUDA's between.
template <typename T>
void send(State<T>& state) {
  constexpr auto size = static_cast<std::int64_t>(sizeof(T));
  const parts::Team& team = state.team();
  const nccl::Functions& of = nccl::functions();
  of.group_start();
  for (int part = 0; part < team.parts; ++part) {
    const cudaStream_t stream = peers::stream_of_part(team, part);
    const Packing<T>& own = state.parts[static_cast<std::size_t>(part)];
    for (const Message& message : own.sent.messages)
      state.said.hear(of.send(state.out.template of<const char>()[part] + message.first * size,
                              static_cast<std::size_t>(message.count * size), nccl::of_bytes, message.other,
                              state.communicators[part], stream));
    for (const Message& message : own.received.messages)
      state.said.hear(of.receive(state.in.template of<char>()[part] + message.first * size,
                                 static_cast<std::size_t>(message.count * size), nccl::of_bytes,
                                 message.other, state.communicators[part], stream));
  }
  state.said.hear(of.group_end());
}

template <typename T>
void copy(const Call& call, const State<T>& state, Copies<T> Packing<T>::*copies) {
  peers::for_parts(state.team(), [&](int part, cudaStream_t stream) {
    launch_packing(state.parts[static_cast<std::size_t>(part)].*copies, call.tuned<PackingShape>(), stream);
  });
}

template <typename T>
void launch(const Call& call) {
  auto& state = static_cast<State<T>&>(*static_cast<TeamFields*>(call.state));
  copy(call, state, &Packing<T>::packing);
  send(state);
  copy(call, state, &Packing<T>::unpacking);
}

template <typename T>
const char* prepare_fields(const Call& call, void** made) {
  auto state = std::make_unique<State<T>>(call);
  const parts::Team& team = state->team();
  if (const char* reason = nccl::communicators_of(team, &state->communicators)) return reason;
  const std::int64_t bytes = most_in_messages(call.problem);
  if (!state->make() || !state->out.allocate(bytes) || !state->in.allocate(bytes))
    return "no device memory for a part's points and messages";
  for (int part = 0; part < team.parts; ++part)
    state->parts.emplace_back(call.problem, state->cut, part, state->template data<T>(part),
                              state->out.template of<T>()[part], state->in.template of<T>()[part]);
  *made = static_cast<TeamFields*>(state.release());
  return nullptr;
}

const char* prepare(const Call& call, void** made) {
  return call.problem.type == ElementType::float32 ? prepare_fields<float>(call, made)
                                                   : prepare_fields<double>(call, made);
}

std::int64_t workspace(const Problem& problem, const PackingShape&) {
  return TeamFields::bytes_of_a_part(problem) + 2 * most_in_messages(problem);
}

}  // namespace

Variant halo3d_cuda_nccl() {
  Variant variant;
  variant.description = "NCCL's sends and receives of packed messages in one group, all GPUs in one process";
  complete_fields(variant);
  variant.tunables = packing_tunables();
  variant.constraint = [](const Problem& problem, const int*) { return why_too_narrow(problem); };
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.unavailable = nccl::unavailable;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
