// NAS FT with MPI ranks of one GPU each (cuda.mpi, cuda.mpi_staged), which use the kernels of cuda.passes. A
// rank transforms whole planes along x and y, then exchanges blocks of the field and transforms lines along
// z. MPI sends directly between GPU memories or through page-locked host memory.
#include <memory>
#include <vector>

#include "pieces.cuh"
#include "toolbox/cuda/gpu_mail.hpp"
#include "toolbox/host/slab.hpp"

namespace sextant {
namespace {

using namespace npb_ft;
using gpu_ranks::Message;
using gpu_ranks::Way;

struct Rank {
  Rank(const parts::GpuRank& its_rank, Way way) : rank(its_rank), mail(its_rank, way) {
    part.number = rank.rank, part.parts = rank.size;
  }

  const parts::GpuRank& rank;
  PiecePart part;
  gpu_ranks::Mail mail;
  DeviceMemory<Complex> own_sums;  // sums over the checksum points in the rank's planes
  std::vector<double> sums;        // checksums of all steps
};

void add_checksums(const Call& call, Rank& own, cudaStream_t stream) {
  add_own_points(own.part, call.problem, own.own_sums.data, stream);
  cudaMemcpyAsync(own.sums.data(), own.own_sums.data, own.sums.size() * sizeof(double),
                  cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
}

void exchange(const Call& call, Rank& own, cudaStream_t stream) {
  if (call.parts.what == parts::Do::compute) return;
  own.mail.begin(stream);
  own.mail.end(stream);
}

template <typename Program>
void run_steps(const Call& call, Rank& own) {
  const bool computes = call.parts.what != parts::Do::exchange;
  const int steps = static_cast<int>(iterations(call.problem));
  const Extents& e = call.problem.extents;
  const cudaStream_t stream = gpu_ranks::stream_of(own.rank);
  if (computes) start_pieces<Program>(own.part, e, steps);
  exchange(call, own, stream);
  if (computes) turn_start<Program>(own.part);
  for (int t = 1; t <= steps; ++t) {
    if (computes) turn_step<Program>(own.part, t, e);
    exchange(call, own, stream);
    if (computes) finish_pieces<Program>(own.part, t);
  }
  if (computes) add_checksums(call, own, stream);
  if (call.parts.what != parts::Do::compute)
    own.rank.allreduce(own.sums.data(), static_cast<std::int64_t>(own.sums.size()), parts::Combine::sum);
}

// Compiled once per transport (`Way`), because variants must not share a launch function.
template <Way>
void launch(const Call& call) {
  auto& own = *static_cast<Rank*>(call.state);
  call.tuned<SlabShape>().fuse_xy ? run_steps<PlanePasses>(call, own) : run_steps<BrickPasses>(call, own);
}

bool make_mail(Rank& own) {
  const PiecePart& part = own.part;
  const std::int64_t bytes = elements_of_piece(part) * static_cast<std::int64_t>(sizeof(Pair));
  std::vector<Message> sent, received;
  for (int other = 0; other < own.rank.size; ++other) {
    if (other == own.rank.rank) continue;
    sent.push_back({reinterpret_cast<char*>(piece_to_send(part, other)), bytes, other});
    received.push_back({reinterpret_cast<char*>(piece_received(part, other)), bytes, other});
  }
  return own.mail.make(std::move(sent), std::move(received));
}

template <Way way>
const char* prepare(const Call& call, void** state) {
  const parts::GpuRank& rank = parts::gpu_rank_of(call);
  if (const char* reason = gpu_ranks::why_not(rank, way)) return reason;
  auto own = std::make_unique<Rank>(rank, way);
  const auto shape = call.tuned<SlabShape>();
  if (const char* reason = make_piece_part(call, shape, gpu_ranks::stream_of(rank), own->part)) return reason;
  const std::int64_t steps = iterations(call.problem);
  own->sums.resize(static_cast<std::size_t>(2 * steps));
  if (!own->own_sums.allocate(steps)) return "device memory ran out";
  if (!make_mail(*own)) return "no pinned memory for the blocks that a rank exchanges";
  *state = own.release();
  return nullptr;
}

// Fills the rank's memory with invalid values. The problem has no inputs to distribute.
void scatter(const Call& call) {
  auto& own = *static_cast<Rank*>(call.state);
  const State& state = own.part.state;
  for (Pair* memory : {state.fields.u, state.fields.w, state.v, own.part.sent.data, own.part.received.data})
    own.rank.memory->fill(own.rank, 0, memory, 0xFF, field_bytes(own.part.call.problem));
  std::memset(own.sums.data(), 0xFF, own.sums.size() * sizeof(double));
}

// Copies the last rank's checksums to rank 0, which shows that all ranks have them. Also collects the planes
// of w.
void gather(const Call& call) {
  const auto& own = *static_cast<const Rank*>(call.state);
  const std::int64_t bytes = 16 * iterations(call.problem);
  std::vector<double> of_last = own.sums;
  parts::Request request;
  const int last = own.rank.size - 1;
  if (own.rank.rank == last && last > 0) {
    own.rank.isend(of_last.data(), bytes, 0, &request);
    own.rank.waitall(1, &request);
  }
  if (own.rank.rank == 0) {
    if (last > 0) {
      own.rank.irecv(of_last.data(), bytes, last, &request);
      own.rank.waitall(1, &request);
    }
    std::copy(of_last.begin(), of_last.end(), call.array<double>(checksums));
  }
  if (!with_field(call.problem)) return;
  const Extents& e = call.problem.extents;
  Slab planes(own.rank, e.z, e.x * e.y * static_cast<std::int64_t>(sizeof(Pair)), 0);
  own.rank.memory->read(own.rank, 0, planes.data<char>(), own.part.state.fields.w,
                        field_bytes(own.part.call.problem));
  planes.gather(call.address(field));
}

std::int64_t workspace(const Problem& problem, const SlabShape& shape) {
  return slabs_workspace(problem, shape, 2);
}

}  // namespace

namespace npb_ft {

Variant variant_of_gpu_ranks(Way way) {
  Variant variant;
  variant.memory_space = MemorySpace::partitioned;
  variant.description =
      way == Way::staged
          ? "MPI ranks with one GPU each: planes, then lines along z; one all-to-all per transform, "
            "staged in host memory"
          : "MPI ranks with one GPU each: planes, then lines along z; one all-to-all per transform, "
            "between GPU memories";
  variant.tunables = tunables<SlabShape>(slab_members<SlabShape>());
  variant.launch = {.float64 = way == Way::staged ? launch<Way::staged> : launch<Way::straight>};
  variant.constraint = by_name<refuse_slabs>;
  variant.adapt = by_name<fit_slabs>;
  variant.prepare = way == Way::staged ? prepare<Way::staged> : prepare<Way::straight>;
  variant.release = [](void* state) { delete static_cast<Rank*>(state); };
  variant.workspace = by_name<workspace>;
  variant.parts.scatter = scatter;
  variant.parts.gather = gather;
  variant.parts.separable = true;
  variant.parts.needs_mpi = true;
  return variant;
}

}  // namespace npb_ft

std::vector<Variant> npb_ft_cuda_mpi() {
  return {
      named("mpi", npb_ft::variant_of_gpu_ranks(gpu_ranks::Way::straight)),
      named("mpi_staged", npb_ft::variant_of_gpu_ranks(gpu_ranks::Way::staged)),
  };
}

}  // namespace sextant
