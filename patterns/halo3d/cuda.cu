#include <algorithm>
#include <memory>
#include <vector>

#include "copies.cuh"
#include "messages.hpp"
#include "packing.cuh"
#include "suite/tunables.hpp"
#include "toolbox/cuda/nccl.hpp"
#include "toolbox/cuda/peers.cuh"
#include "toolbox/cuda/stream.cuh"

// The data of the multi-GPU variants. Each GPU holds the array of one subdomain, between guard zones that
// detect writes out of bounds.
namespace sextant::halo3d {

class TeamFields {
 public:
  explicit TeamFields(const Call& call)
      : problem_(call.problem),
        size_(static_cast<std::int64_t>(element_size(call.problem.type))),
        team_(parts::team_of(call)),
        memory_(team_),
        cut(parts_of(call.problem)) {}

  TeamFields(const TeamFields&) = delete;
  TeamFields& operator=(const TeamFields&) = delete;
  virtual ~TeamFields() = default;

  bool make() {
    if (!memory_.allocate(most_bytes() + 2 * guard_bytes)) return false;
    for (int part = 0; part < team_.parts; ++part)
      team_.memory->fill(team_, part, memory_.of<char>()[part], guard, most_bytes() + 2 * guard_bytes);
    return true;
  }
  template <typename T>
  T* data(int part) const {
    return reinterpret_cast<T*>(memory_.of<char>()[part] + guard_bytes);
  }
  const parts::Team& team() const { return team_; }

  void scatter(const char* whole) const {
    for (int part = 0; part < team_.parts; ++part)
      team_.memory->write(team_, part, data<char>(part), whole + first_byte(part), bytes(part));
  }
  // Copies all subdomains back. If a guard zone was overwritten, it fills the subdomain with NaN, so that the
  // check of the results fails.
  void gather(char* whole) const {
    for (int part = 0; part < team_.parts; ++part) {
      char* const to = whole + first_byte(part);
      team_.memory->read(team_, part, to, data<char>(part), bytes(part));
      if (!guards_hold(part)) std::fill_n(to, bytes(part), static_cast<char>(guard));
    }
  }

  static std::int64_t bytes_of_a_part(const Problem& problem) {
    return most_elements(problem, parts_of(problem)) * static_cast<std::int64_t>(element_size(problem.type)) +
           2 * guard_bytes;
  }

 private:
  static constexpr std::int64_t guard_bytes = 4096;
  static constexpr unsigned char guard = 0xFF;  // these bytes are NaN in any floating-point type

  const Part& part_at(int part) const { return cut[static_cast<std::size_t>(part)]; }
  std::int64_t most_bytes() const { return most_elements(problem_, cut) * size_; }
  std::int64_t first_byte(int part) const { return part_at(part).first * size_; }
  std::int64_t bytes(int part) const { return part_at(part).elements(problem_) * size_; }

  bool guards_hold(int part) const {
    std::vector<unsigned char> zone(static_cast<std::size_t>(guard_bytes));
    for (const char* from : {data<char>(part) - guard_bytes, data<char>(part) + bytes(part)}) {
      team_.memory->read(team_, part, zone.data(), from, guard_bytes);
      if (std::any_of(zone.begin(), zone.end(), [](unsigned char byte) { return byte != guard; }))
        return false;
    }
    return true;
  }

  Problem problem_;
  std::int64_t size_;
  const parts::Team& team_;
  peers::PartMemory memory_;

 public:
  const std::vector<Part> cut;
};

// Sets the common members of a variant whose state is a TeamFields or derives from it.
inline void complete_fields(Variant& variant) {
  variant.memory_space = MemorySpace::partitioned;
  variant.release = [](void* state) { delete static_cast<TeamFields*>(state); };
  variant.parts.scatter = [](const Call& call) {
    static_cast<const TeamFields*>(call.state)->scatter(call.array<const char>(0));
  };
  variant.parts.gather = [](const Call& call) {
    static_cast<const TeamFields*>(call.state)->gather(call.array<char>(0));
  };
}

}  // namespace sextant::halo3d

namespace sextant {
namespace {

using namespace halo3d;

// Packs the data for each other GPU into one message, sends all messages by NCCL in one group, and unpacks
// them. Packing and unpacking take one kernel launch each (fused=1), or one per region of the halo. Data that
// stay on the same GPU are copied before the messages are sent.
namespace nccl_form {

template <typename T>
struct State : TeamFields {
  explicit State(const Call& call) : TeamFields(call), out(team()), in(team()) {}
  std::vector<Packing<T>> parts;
  peers::PartMemory out, in;
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
};

// Sends all messages in one NCCL group for all GPUs, with no other CUDA call in between.
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
    return "no device memory for a partition's array and messages";
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

Variant form() {
  Variant variant;
  variant.description =
      "one packed message per other GPU, sent by NCCL in one group; one process for all GPUs";
  complete_fields(variant);
  variant.tunables = packing_tunables();
  variant.constraint = [](const Problem& problem, const int*) { return why_too_narrow(problem); };
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.unavailable = nccl::unavailable;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace nccl_form

// One kernel per GPU copies all halo regions directly, without packing, between two barriers over all GPUs.
// It stores into the neighbours' halos. With pull=1 it loads its own halo from the neighbours instead.
namespace peers_form {

struct Shape {
  int pull = 0, block_size = 512, blocks = 2;  // `blocks` is the number of thread blocks per multiprocessor
};

template <typename T>
struct State : TeamFields {
  explicit State(const Call& call) : TeamFields(call), meetings(team()) {}
  peers::Meetings meetings;
  std::vector<Copies<T>> copies;  // copies[g]: the copies of GPU g's kernel
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
  if (!state->make()) return "no device memory for a partition's array";
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
  return shape.block_size * shape.blocks > 1024
             ? "block_size * blocks exceeds 1024 threads per multiprocessor"
             : nullptr;
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return TeamFields::bytes_of_a_part(problem) + 4096;
}

Variant form() {
  Variant variant;
  variant.description =
      "one kernel per GPU stores into the neighbours' halos, or loads its own from their memory (pull)";
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

}  // namespace peers_form

namespace wrap {

struct Shape {
  int fused = 1, block_size = 256, blocks = 4;  // `blocks` is the number of thread blocks per multiprocessor
};

struct Pieces {
  std::vector<Piece> all;
};

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  T* const u = call.array<T>(0);
  Copies<T> copies;
  for (const Piece& piece : static_cast<const Pieces*>(call.state)->all)
    copies.add(piece, u, piece.from, u, piece.to);
  launch_copies(copies, shape.fused != 0, shape.block_size, multiprocessors() * shape.blocks,
                stream_of(call));
}

const char* prepare(const Call& call, void** made) {
  auto pieces = std::make_unique<Pieces>();
  pieces->all = pieces_within(call.problem, parts_of(call.problem), 0);
  *made = pieces.release();
  return nullptr;
}

}  // namespace wrap

}  // namespace

std::vector<Variant> halo3d_cuda() {
  return {
      named("nccl", nccl_form::form()),
      named("peers", peers_form::form()),
      {.name = "wrap",
       .description = "one partition: one kernel copies all 26 halo regions (fused), or one kernel each",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<wrap::Shape>({{"fused", &wrap::Shape::fused, {0, 1}},
                                          {"block_size", &wrap::Shape::block_size, {128, 256, 512}},
                                          {"blocks", &wrap::Shape::blocks, {1, 2, 4}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(wrap::launch),
       .prepare = wrap::prepare,
       .release = [](void* state) { delete static_cast<wrap::Pieces*>(state); }},
  };
}

}  // namespace sextant
