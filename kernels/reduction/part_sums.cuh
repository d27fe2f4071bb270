// Sums over arrays that are divided among several GPUs. Each GPU adds the elements of its part. The GPUs'
// sums are then exchanged by direct stores to the other GPUs' memory or by NCCL. The type Form defines the
// terms of the sum and the kernel:
//
//     struct Form {
//       static constexpr int inputs = 1;  // number of input arrays; the sum is the array after them
//       using Grid = …;                   // block_size, blocks and further tunables
//       static constexpr auto tunables = …, fit = …;  // as for a sum on a single GPU
//       template <typename T>
//       static auto kernel(const Grid& grid);  // kernel(elements, inputs…, sum, boxes, Among)
//     };
//
// Each GPU replays a recorded CUDA graph. There is one graph for each value of parts::Do (compute, exchange
// or both). A host thread per GPU launches it. If several parts share a GPU, kernels are launched without
// graphs, because graphs could wait for each other in one hardware queue.
#pragma once

#include <array>
#include <memory>
#include <tuple>

#include "fused.cuh"
#include "suite/tunables.hpp"
#include "toolbox/cuda/nccl.hpp"
#include "toolbox/cuda/part_graphs.cuh"
#include "toolbox/cuda/part_threads.cuh"
#include "toolbox/parts_of_vector.hpp"
#include "toolbox/team_copies.hpp"

// To combine the sums, each GPU stores its sum in the memory of all other GPUs. The stored word also contains
// the number of the exchange (the "round"). Each GPU adds the arriving sums in the same fixed order, so all
// get the same total. The exchange takes the time of one message.
namespace sextant::reduction {

// The data that a GPU's part of the array needs to exchange sums with the other parts. With a single part,
// only the member `parts` is used.
struct Among {
  peers::Of<peers::Packet> mail;  // Buffers in each GPU's memory for the sums from all parts, for two rounds.
  unsigned* rounds = nullptr;     // number of exchanges in which this part has sent its sum
  int part = 0, parts = 1;
  PollLimit poll_limit;
};

__device__ __forceinline__ uint2 halves_of(double value) {
  return {static_cast<unsigned>(__double2loint(value)), static_cast<unsigned>(__double2hiint(value))};
}
__device__ __forceinline__ uint2 halves_of(float value) { return {__float_as_uint(value), 0}; }

__device__ __forceinline__ void take_halves(uint2 halves, double& value) {
  value = __hiloint2double(static_cast<int>(halves.y), static_cast<int>(halves.x));
}
__device__ __forceinline__ void take_halves(uint2 halves, float& value) { value = __uint_as_float(halves.x); }

// Returns the total of the sums of all parts of the array. One whole warp of each part calls it, and lane 0
// holds the part's sum. Buffers for two exchanges ("rounds") suffice: a part that sends round r + 2 has
// received round r + 1 from all others, so their kernels of round r have ended.
template <typename T>
__device__ __forceinline__ T sum_of_parts(T own, const Among& among) {
  if (among.parts == 1) return own;
  const int lane = static_cast<int>(threadIdx.x % 32);
  T value = __shfl_sync(~0u, own, 0);
  const unsigned round = __shfl_sync(~0u, lane == 0 ? peers::next_round(among.rounds, 0) : 0, 0);
  if (lane < among.parts && lane != among.part) {
    const int box = static_cast<int>(round & 1) * among.parts;
    PollLimit poll_limit = among.poll_limit;
    peers::post(among.mail[lane] + box + among.part, halves_of(value), round);
    take_halves(peers::wait_for(among.mail[among.part] + box + lane, round, poll_limit), value);
  }
  T sum = __shfl_sync(~0u, value, 0);
  for (int part = 1; part < among.parts; ++part) sum += __shfl_sync(~0u, value, part);
  return sum;
}

// Stores the total of all blocks of all parts in *sum. `total` is this block's sum.
template <int block, typename T>
__device__ __forceinline__ void add_blocks_and_parts(T total, T* scratch, T* sum, Box<T>* boxes,
                                                     const Among& among) {
  total = sum_of_blocks<block>(total, scratch, boxes);
  if (blockIdx.x > 0 || threadIdx.x >= 32) return;
  total = sum_of_parts(total, among);
  if (threadIdx.x == 0) *sum = total;
}

}  // namespace sextant::reduction

namespace sextant::reduction {

inline constexpr parts::Do all_of_do[] = {parts::Do::all, parts::Do::compute, parts::Do::exchange};

template <typename Form>
struct PartSums {
  explicit PartSums(const parts::Team& its_team) : team(its_team), boxes(its_team) {}

  // Returns a null pointer, or the reason if device memory is insufficient.
  const char* allocate(const Call& call) {
    const auto element = static_cast<std::int64_t>(element_size(call.problem.type));
    for (std::unique_ptr<TeamSlab>& array : arrays) {
      array = std::make_unique<TeamSlab>(team, call.problem.extents.x, element);
      if (!array->is_there()) return "no device memory for a partition";
    }
    sums = std::make_unique<TeamCopies>(team, element);
    if (!sums->is_there() || !boxes.allocate(box_bytes(call.tuned<typename Form::Grid>())))
      return "no device memory for a partition's sums";
    if (team.sharing == 1) threads = std::make_unique<peers::PartThreads>(team);
    return nullptr;
  }
  static std::int64_t box_bytes(const typename Form::Grid& grid) {
    return grid.blocks * static_cast<std::int64_t>(sizeof(Box<double>));
  }

  const parts::Team& team;
  std::array<std::unique_ptr<TeamSlab>, Form::inputs> arrays;
  std::unique_ptr<TeamCopies> sums;
  peers::PartMemory boxes;  // device memory for the blocks' partial sums, per part
  std::unique_ptr<peers::PartThreads> threads;
};

// Launches the kernel that sums the n elements of a part with `blocks` thread blocks. If there are several
// parts, the kernel also exchanges the sums.
template <typename Form, typename T>
void launch_part(const PartSums<Form>& all, int part, std::int64_t n, const typename Form::Grid& grid,
                 int blocks, const Among& among, cudaStream_t stream) {
  std::array<const T*, Form::inputs> inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = all.arrays[i]->template data<const T>(part);
  std::apply(
      [&](auto... input) {
        Form::template kernel<T>(grid)<<<static_cast<unsigned>(blocks), grid.block_size, 0, stream>>>(
            n, input..., all.sums->template data<T>(part), all.boxes.template of<Box<T>>()[part], among);
      },
      inputs);
}

template <typename Form>
void fit_part(const Problem& problem, typename Form::Grid& grid) {
  Form::fit(longest_part(problem), grid);
}

template <typename Form>
std::int64_t parts_workspace(const Problem& problem, const typename Form::Grid& grid) {
  return bytes_of_longest_part(problem, Form::inputs) + PartSums<Form>::box_bytes(grid) +
         TeamCopies::bytes_of_part(static_cast<std::int64_t>(element_size(problem.type))) + 4096;
}

// Returns a variant with all members except `prepare` and the launch. The type State must be a PartSums or
// derive from one.
template <typename Form, typename State>
Variant variant_of_parts(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::partitioned;
  variant.description = description;
  variant.tunables = Form::tunables();
  variant.adapt = by_name<fit_part<Form>>;
  variant.constraint = [](const Problem& problem, const int*) { return refuse_few_elements(problem); };
  variant.workspace = by_name<parts_workspace<Form>>;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.parts.scatter = [](const Call& call) {
    const auto* all = static_cast<const State*>(call.state);
    for (std::size_t i = 0; i < all->arrays.size(); ++i) all->arrays[i]->scatter(call.address(i));
    all->sums->scatter(call.address(Form::inputs));
  };
  variant.parts.gather = [](const Call& call) {
    static_cast<const State*>(call.state)->sums->gather(call.address(Form::inputs));
  };
  variant.parts.separable = true;
  return variant;
}

// ---- exchange by stores to the other GPUs' memory, in the same kernel

template <typename Form>
struct PeerSums : PartSums<Form> {
  explicit PeerSums(const parts::Team& team) : PartSums<Form>(team), meetings(team), mail(team) {}
  peers::Meetings meetings;
  peers::PartMemory mail;
};

template <typename Form, typename T>
void launch_peer(const Call& call, const PeerSums<Form>& all, int part, cudaStream_t stream) {
  const auto grid = call.tuned<typename Form::Grid>();
  const bool computes = call.parts.what != parts::Do::exchange, tells = call.parts.what != parts::Do::compute;
  const Among among = {all.mail.template of<peers::Packet>(), all.meetings.base(part), part,
                       tells ? all.team.parts : 1, all.meetings.poll_limit(part)};
  launch_part<Form, T>(all, part, computes ? all.arrays[0]->own(part).count : 0, grid,
                       computes ? grid.blocks : 1, among, stream);
}

template <typename Form, typename T>
void launch_peers(const Call& call) {
  auto& all = *static_cast<PeerSums<Form>*>(call.state);
  if (all.threads)
    all.threads->launch(call.parts.what);
  else
    peers::for_parts(all.team,
                     [&](int part, cudaStream_t stream) { launch_peer<Form, T>(call, all, part, stream); });
}

template <typename Form, typename T>
const char* record_peers(Call call, PeerSums<Form>& all) {
  peers::load_everywhere(all.team, Form::template kernel<T>(call.tuned<typename Form::Grid>()));
  for (const parts::Do what : all_of_do) {
    call.parts.what = what;
    const char* problem =
        all.threads
            ? all.threads->record(
                  [&](int part, cudaStream_t stream) { launch_peer<Form, T>(call, all, part, stream); }, what)
            : nullptr;
    if (problem) return problem;
  }
  return nullptr;
}

template <typename Form>
const char* prepare_peers(const Call& call, void** state) {
  const parts::Team& team = parts::team_of(call);
  if (!team.reaches_all) return peers::out_of_reach;
  auto all = std::make_unique<PeerSums<Form>>(team);
  const char* problem = all->allocate(call);
  if (!problem) problem = all->meetings.make(team);
  if (!problem && !all->mail.allocate(2 * team.parts * static_cast<std::int64_t>(sizeof(peers::Packet))))
    problem = "no device memory for the exchange buffers";
  if (!problem)
    problem = call.problem.type == ElementType::float64 ? record_peers<Form, double>(call, *all)
                                                        : record_peers<Form, float>(call, *all);
  if (problem) return problem;
  *state = all.release();
  return nullptr;
}

template <typename Form>
Variant by_peers(const char* description) {
  Variant variant = variant_of_parts<Form, PeerSums<Form>>(description);
  variant.launch.float32 = launch_peers<Form, float>;
  variant.launch.float64 = launch_peers<Form, double>;
  variant.prepare = prepare_peers<Form>;
  return variant;
}

// ---- exchange by NCCL, after the kernel

template <typename Form>
struct NcclSums : PartSums<Form> {
  using PartSums<Form>::PartSums;
  const nccl::Communicator* communicators = nullptr;
  nccl::Said said;
};

// Adds the sums of all GPUs by NCCL. Its calls form one NCCL group, which contains no other CUDA calls.
template <typename Form, typename T>
void add_by_nccl(NcclSums<Form>& all) {
  if (all.team.parts == 1) return;
  const nccl::Functions& of = nccl::functions();
  of.group_start();
  for (int part = 0; part < all.team.parts; ++part) {
    T* const sum = all.sums->template data<T>(part);
    all.said.hear(of.all_reduce(sum, sum, 1, nccl::type_of(T{}), nccl::adding, all.communicators[part],
                                peers::stream_of_part(all.team, part)));
  }
  all.said.hear(of.group_end());
}

template <typename Form, typename T>
void launch_and_call(const Call& call, NcclSums<Form>& all) {
  const auto grid = call.tuned<typename Form::Grid>();
  if (call.parts.what != parts::Do::exchange)
    peers::for_parts(all.team, [&](int part, cudaStream_t stream) {
      launch_part<Form, T>(all, part, all.arrays[0]->own(part).count, grid, grid.blocks, Among{}, stream);
    });
  if (call.parts.what != parts::Do::compute) add_by_nccl<Form, T>(all);
}

template <typename Form>
void launch_nccl(const Call& call) {
  static_cast<NcclSums<Form>*>(call.state)->threads->launch(call.parts.what);
}

template <typename Form, typename T>
const char* record_nccl(Call call, NcclSums<Form>& all) {
  peers::load_everywhere(all.team, Form::template kernel<T>(call.tuned<typename Form::Grid>()));
  // Run one exchange now, because NCCL connects the GPUs at their first messages. That must not happen while
  // a graph is recorded.
  add_by_nccl<Form, T>(all);
  if (const char* reason = nccl::refusal(all.said, true, nccl::not_connected, nccl::peers_instead))
    return reason;
  for (const parts::Do what : all_of_do) {
    call.parts.what = what;
    const char* problem = all.threads->record_together([&] { launch_and_call<Form, T>(call, all); }, what);
    if (const char* reason = nccl::refusal(all.said, !problem, nccl::not_recorded, nccl::peers_instead))
      return reason;
  }
  return nullptr;
}

template <typename Form>
const char* prepare_nccl(const Call& call, void** state) {
  auto all = std::make_unique<NcclSums<Form>>(parts::team_of(call));
  const char* problem = nccl::communicators_of(all->team, &all->communicators);
  if (!problem) problem = all->allocate(call);
  if (!problem)
    problem = call.problem.type == ElementType::float64 ? record_nccl<Form, double>(call, *all)
                                                        : record_nccl<Form, float>(call, *all);
  if (problem) return problem;
  *state = all.release();
  return nullptr;
}

template <typename Form>
Variant by_nccl(const char* description) {
  Variant variant = variant_of_parts<Form, NcclSums<Form>>(description);
  variant.launch.float32 = variant.launch.float64 = launch_nccl<Form>;
  variant.prepare = prepare_nccl<Form>;
  variant.unavailable = nccl::unavailable;
  return variant;
}

}  // namespace sextant::reduction
