// NAS FT on the GPUs of one process with NCCL; uses the kernels of cuda.passes. A GPU transforms whole planes
// along x and y, then exchanges blocks of the field ("pieces") and transforms lines along z. All sends and
// receives of an exchange are one NCCL group.
#include <memory>
#include <vector>

#include "pieces.cuh"
#include "toolbox/cuda/nccl.hpp"
#include "toolbox/team_copies.hpp"

namespace sextant {
namespace {

using namespace npb_ft;

struct Parts {
  Parts(const parts::Team& its_team, const Problem& problem)
      : team(its_team), sums(its_team, 16 * iterations(problem)) {}

  const parts::Team& team;
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
  std::vector<std::unique_ptr<PiecePart>> parts;
  TeamCopies sums;  // checksums of all steps
};

// Calls action(part, stream) for each GPU, after making it the current device.
template <typename Action>
void for_all(const Parts& all, Action action) {
  peers::for_parts(all.team, [&](int part, cudaStream_t stream) {
    action(*all.parts[static_cast<std::size_t>(part)], stream);
  });
}

// Exchanges the pieces (blocks of the field) of all GPUs in one NCCL group. No other CUDA call may come in
// between.
void exchange(const Call& call, Parts& all) {
  if (call.parts.what == parts::Do::compute || all.team.parts == 1) return;
  const nccl::Functions& of = nccl::functions();
  of.group_start();
  for (const std::unique_ptr<PiecePart>& own : all.parts) {
    const std::size_t bytes = static_cast<std::size_t>(elements_of_piece(*own)) * sizeof(Pair);
    const nccl::Communicator communicator = all.communicators[own->number];
    const cudaStream_t stream = peers::stream_of_part(all.team, own->number);
    for (int step = 1; step < own->parts; ++step) {
      const int to = (own->number + step) % own->parts, from = (own->number + own->parts - step) % own->parts;
      all.said.hear(of.send(piece_to_send(*own, to), bytes, nccl::of_bytes, to, communicator, stream));
      all.said.hear(
          of.receive(piece_received(*own, from), bytes, nccl::of_bytes, from, communicator, stream));
    }
  }
  all.said.hear(of.group_end());
}

void add_all_points(const Call& call, Parts& all) {
  if (call.parts.what == parts::Do::compute || all.team.parts == 1) return;
  const nccl::Functions& of = nccl::functions();
  of.group_start();
  for (int part = 0; part < all.team.parts; ++part) {
    auto* const sums = all.sums.data<double>(part);
    all.said.hear(of.all_reduce(sums, sums, static_cast<std::size_t>(2 * iterations(call.problem)),
                                nccl::type_of(double{}), nccl::adding, all.communicators[part],
                                peers::stream_of_part(all.team, part)));
  }
  all.said.hear(of.group_end());
}

template <typename Program>
void run_steps(const Call& call, Parts& all) {
  const bool computes = call.parts.what != parts::Do::exchange;
  const int steps = static_cast<int>(iterations(call.problem));
  const Extents& e = call.problem.extents;
  const auto compute = [&](auto action) {
    if (computes) for_all(all, action);
  };
  compute([&](const PiecePart& own, cudaStream_t) { start_pieces<Program>(own, e, steps); });
  exchange(call, all);
  compute([&](const PiecePart& own, cudaStream_t) { turn_start<Program>(own); });
  for (int t = 1; t <= steps; ++t) {
    compute([&](const PiecePart& own, cudaStream_t) { turn_step<Program>(own, t, e); });
    exchange(call, all);
    compute([&](const PiecePart& own, cudaStream_t) { finish_pieces<Program>(own, t); });
  }
  compute([&](const PiecePart& own, cudaStream_t stream) {
    add_own_points(own, call.problem, all.sums.data<Complex>(own.number), stream);
  });
  add_all_points(call, all);
}

void launch(const Call& call) {
  auto& all = *static_cast<Parts*>(call.state);
  call.tuned<SlabShape>().fuse_xy ? run_steps<PlanePasses>(call, all) : run_steps<BrickPasses>(call, all);
}

const char* prepare(const Call& call, void** state) {
  const parts::Team& team = parts::team_of(call);
  auto all = std::make_unique<Parts>(team, call.problem);
  if (const char* reason = nccl::communicators_of(team, &all->communicators)) return reason;
  if (!all->sums.is_there()) return "device memory ran out";
  const char* why_not = nullptr;
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    PiecePart& own = *all->parts.emplace_back(std::make_unique<PiecePart>());
    own.number = part, own.parts = team.parts;
    if (!why_not) why_not = make_piece_part(call, call.tuned<SlabShape>(), stream, own);
  });
  if (why_not) return why_not;
  exchange(call, *all);  // connects the GPUs, which NCCL does at the first messages
  if (const char* reason = nccl::refusal(all->said, true, nccl::not_connected, nccl::peers_instead))
    return reason;
  *state = all.release();
  return nullptr;
}

// Fills the memory of all GPUs with invalid values. The problem has no inputs to distribute.
void scatter(const Call& call) {
  auto& all = *static_cast<Parts*>(call.state);
  for (const std::unique_ptr<PiecePart>& own : all.parts)
    for (Pair* memory :
         {own->state.fields.u, own->state.fields.w, own->state.v, own->sent.data, own->received.data})
      all.team.memory->fill(all.team, own->number, memory, 0xFF, field_bytes(own->call.problem));
  all.sums.scatter(call.address(checksums));
}

void gather(const Call& call) {
  auto& all = *static_cast<Parts*>(call.state);
  all.sums.gather(call.address(checksums));
  if (!with_field(call.problem)) return;
  for (const std::unique_ptr<PiecePart>& own : all.parts) {
    const std::int64_t bytes = field_bytes(own->call.problem);
    all.team.memory->read(all.team, own->number, call.array<char>(field) + own->number * bytes,
                          own->state.fields.w, bytes);
  }
}

std::int64_t workspace(const Problem& problem, const SlabShape& shape) {
  return slabs_workspace(problem, shape, 2) + TeamCopies::bytes_of_part(16 * iterations(problem));
}

}  // namespace

std::vector<Variant> npb_ft_cuda_nccl() {
  Variant variant;
  variant.name = "nccl";
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      "whole planes, then whole lines along z per GPU; one all-to-all per transform by NCCL";
  variant.tunables = tunables<SlabShape>(slab_members<SlabShape>());
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<refuse_slabs>;
  variant.adapt = by_name<fit_slabs>;
  variant.prepare = prepare;
  variant.unavailable = nccl::unavailable;
  variant.release = [](void* state) { delete static_cast<Parts*>(state); };
  variant.workspace = by_name<workspace>;
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  variant.parts.separable = true;
  return {variant};
}

}  // namespace sextant
