// Variant cuda.mpi: the lattice is divided along z into slabs of whole planes, one per rank. Each rank has a
// GPU and steps as `fused` does, from one lattice to the other. From each neighbour's nearest plane a step
// needs the five densities per node that move towards the slab. MPI transfers them, directly between GPUs or
// through pinned host memory.
// With overlap_exchange=1 the messages travel while the planes that need no halo are updated. The outermost
// planes follow on a second stream. With overlap_exchange=0 the exchange comes first.
#include <array>
#include <memory>
#include <vector>

#include "slab_step.cuh"
#include "toolbox/cuda/gpu_mail.hpp"
#include "toolbox/host/slab.hpp"

namespace sextant {
namespace {

using namespace lbm_d3q15;
using gpu_ranks::Mail;
using gpu_ranks::Message;
using gpu_ranks::Way;

struct Shape : SlabShape {
  int overlap_exchange = 1;
};

struct State {
  State(const Call& call, const parts::GpuRank& its_rank, Way way)
      : rank(its_rank),
        slab(slab_of(call.problem, its_rank.rank)),
        slabs(its_rank),
        mail{Mail(its_rank, way), Mail(its_rank, way)} {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (side) cudaStreamDestroy(side);
    for (const cudaEvent_t event : {inner[0], inner[1], outer})
      if (event) cudaEventDestroy(event);
  }
  bool is_its_own_neighbour() const { return slab.neighbour[0] == rank.rank; }

  const parts::GpuRank& rank;
  Slab15 slab;
  SlabMemory slabs;
  // The messages with halos. Entry 0 is for densities in the first lattice, entry 1 for densities in the
  // second.
  std::array<Mail, 2> mail;
  cudaStream_t side = nullptr;
  cudaEvent_t inner[2] = {},
              // Events recorded after updating the inner planes (one for even and one for odd steps) and
              // after updating the outermost planes.
      outer = nullptr;
};

// Creates the messages. The messages towards one side are sent in the order in which the rank on that side
// receives them. This also holds if one rank is the neighbour on both sides.
template <typename T>
bool make_mail(State& state) {
  const std::int64_t bytes = state.slab.plane() * static_cast<std::int64_t>(sizeof(T));
  std::vector<Message> sent, received;
  for (int side = 0; side < side_count && !state.is_its_own_neighbour(); ++side)
    for (int which = 0; which < crossing_densities; ++which) {
      const int to = state.slab.neighbour[side], from = state.slab.neighbour[1 - side];
      const auto of = [&](T* plane) { return reinterpret_cast<char*>(plane); };
      if (to >= 0) sent.push_back({of(leaving_plane<T>(state.slabs, 0, state.slab, side, which)), bytes, to});
      if (from >= 0)
        received.push_back({of(arriving_plane<T>(state.slabs, 0, state.slab, side, which)), bytes, from});
    }
  return state.mail[state.slabs.turned].make(std::move(sent), std::move(received));
}

template <typename T>
void exchange(const Call& call, State& state, cudaStream_t stream) {
  if (call.parts.what == parts::Do::compute) return;
  if (state.is_its_own_neighbour()) return copy_around<T>(state.slabs, 0, state.slab, stream);
  Mail& mail = state.mail[state.slabs.turned];
  mail.begin(stream);
  mail.end(stream);
}

template <typename T>
void update_of(const Call& call, const State& state, std::int64_t first, std::int64_t planes, bool downwards,
               cudaStream_t stream) {
  update_planes<T>(call, call.tuned<Shape>(), state.slabs, 0, state.slab, first, planes, downwards, stream);
}

// Computes one step with overlap. The inner planes wait for the outermost planes of the previous step. The
// outermost planes also wait for the halos; the host waits for these inside the exchange.
template <typename T>
void step_overlapped(const Call& call, State& state, std::int64_t t, bool downwards, cudaStream_t stream) {
  const std::int64_t planes = state.slab.planes, outermost = std::min<std::int64_t>(planes, 2);
  cudaStreamWaitEvent(stream, state.outer);
  update_of<T>(call, state, outermost, planes - outermost, downwards, stream);
  cudaEventRecord(state.inner[t % 2], stream);
  exchange<T>(call, state, state.side);
  cudaStreamWaitEvent(state.side, state.inner[(t + 1) % 2]);
  update_of<T>(call, state, 0, outermost, downwards, state.side);
  cudaEventRecord(state.outer, state.side);
}

template <typename T>
void launch_of(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const cudaStream_t stream = gpu_ranks::stream_of(state.rank);
  const auto shape = call.tuned<Shape>();
  const bool overlaps = shape.overlap_exchange && state.rank.size > 1;
  // Makes both streams wait for work that is already on the call's stream.
  if (overlaps) {
    for (const cudaEvent_t event : {state.inner[0], state.inner[1]}) cudaEventRecord(event, stream);
    cudaStreamWaitEvent(state.side, state.inner[0]);
    cudaEventRecord(state.outer, state.side);
  }
  for (std::int64_t t = 0; t < steps_of(call.problem); ++t) {
    const bool downwards = shape.alternate_direction && t % 2 == 1;
    if (overlaps) {
      step_overlapped<T>(call, state, t, downwards, stream);
    } else {
      exchange<T>(call, state, stream);
      update_of<T>(call, state, 0, state.slab.planes, downwards, stream);
    }
    state.slabs.turned = !state.slabs.turned;
  }
  if (overlaps) cudaStreamWaitEvent(stream, state.outer);
}

// The parameter `Way` gives each transport its own launch function, because variants must not share code.
template <typename T, Way>
void launch(const Call& call) {
  launch_of<T>(call);
}

template <typename T, Way way>
const char* prepare(const Call& call, void** into) {
  const parts::GpuRank& rank = parts::gpu_rank_of(call);
  if (const char* reason = gpu_ranks::why_not(rank, way)) return reason;
  if (call.arrays)
    if (const char* reason = refuse_flags(call.problem, call.array<const T>(1))) return reason;
  auto state = std::make_unique<State>(call, rank, way);
  if (!state->slabs.template allocate<T>(call.problem)) return "no device memory for a rank's planes";
  for (const bool second : {true, false}) {
    state->slabs.turned = second;
    if (!make_mail<T>(*state)) return "no pinned memory for a rank's halos";
  }
  cudaStreamCreateWithFlags(&state->side, cudaStreamNonBlocking);
  for (cudaEvent_t* event : {&state->inner[0], &state->inner[1], &state->outer})
    cudaEventCreateWithFlags(event, cudaEventDisableTiming);
  *into = state.release();
  return nullptr;
}

// Returns the flags of the whole lattice on every rank; the first rank sends them.
template <typename T>
std::vector<T> all_flags(const Call& call, const parts::Ranks& ranks) {
  const std::int64_t count = call.problem.extents.count(),
                     bytes = count * static_cast<std::int64_t>(sizeof(T));
  std::vector<T> flags(static_cast<std::size_t>(count));
  std::vector<parts::Request> requests(static_cast<std::size_t>(ranks.size));
  int waiting = 0;
  if (ranks.rank > 0) {
    ranks.irecv(flags.data(), bytes, 0, &requests[static_cast<std::size_t>(waiting++)]);
  } else {
    std::copy_n(call.array<const T>(1), count, flags.data());
    for (int to = 1; to < ranks.size; ++to)
      ranks.isend(flags.data(), bytes, to, &requests[static_cast<std::size_t>(waiting++)]);
  }
  ranks.waitall(waiting, requests.data());
  return flags;
}

// Host arrays with the rank's own planes, one for each direction's densities.
using Densities = std::vector<std::unique_ptr<Slab>>;

template <typename T>
Densities densities_of(const Call& call, const State& state) {
  Densities all;
  for (int k = 0; k < directions; ++k)
    all.push_back(std::make_unique<Slab>(state.rank, call.problem.extents.z,
                                         state.slab.plane() * static_cast<std::int64_t>(sizeof(T)), 0));
  return all;
}

template <typename T>
T* whole(const Call& call, int k) {
  return call.arrays ? call.array<T>(0) + k * call.problem.extents.count() : nullptr;
}

template <typename T>
void scatter(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const Densities densities = densities_of<T>(call, state);
  for (int k = 0; k < directions; ++k) densities[static_cast<std::size_t>(k)]->scatter(whole<T>(call, k));
  const std::vector<T> flags = all_flags<T>(call, state.rank);
  const std::int64_t planes = call.problem.extents.z,
                     from = share_of(planes, state.rank.size, state.rank.rank).first;
  state.slabs.turned = false;
  state.slabs.load<T>(
      0, state.slab, gpu_ranks::stream_of(state.rank),
      [&](int k) { return densities[static_cast<std::size_t>(k)]->template data<T>(); },
      [&](std::int64_t z) { return flags.data() + (from + z - 1 + planes) % planes * state.slab.plane(); });
}

template <typename T>
void gather(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const Densities densities = densities_of<T>(call, state);
  state.slabs.store<T>(0, state.slab,
                       [&](int k) { return densities[static_cast<std::size_t>(k)]->template data<T>(); });
  for (int k = 0; k < directions; ++k) densities[static_cast<std::size_t>(k)]->gather(whole<T>(call, k));
}

template <Way way>
void complete(Variant& variant) {
  variant.launch = {.float32 = launch<float, way>, .float64 = launch<double, way>};
  variant.prepare = prepare_either<prepare<float, way>, prepare<double, way>>;
  variant.prepare_depends_on = DependsOn::structure;
}

}  // namespace

namespace lbm_d3q15 {

Variant variant_of_gpu_ranks(Way way) {
  Variant variant = slab_variant<State, Shape>({"overlap_exchange", &Shape::overlap_exchange, {0, 1}});
  variant.description =
      way == Way::staged
          ? "one rank, one GPU and one slab of planes per partition, updated by the kernel of fused; "
            "halos are sent through pinned host memory, during the update of the inner planes if "
            "overlap_exchange is 1"
          : "one rank, one GPU and one slab of planes per partition, updated by the kernel of fused; "
            "MPI sends halos from GPU memory to GPU memory";
  way == Way::staged ? complete<Way::staged>(variant) : complete<Way::straight>(variant);
  variant.parts.scatter = either<scatter<float>, scatter<double>>;
  variant.parts.gather = either<gather<float>, gather<double>>;
  variant.parts.needs_mpi = true;
  return variant;
}

}  // namespace lbm_d3q15

std::vector<Variant> lbm_d3q15_cuda_mpi() {
  return {
      named("mpi", lbm_d3q15::variant_of_gpu_ranks(gpu_ranks::Way::straight)),
      named("mpi_staged", lbm_d3q15::variant_of_gpu_ranks(gpu_ranks::Way::staged)),
  };
}

}  // namespace sextant
