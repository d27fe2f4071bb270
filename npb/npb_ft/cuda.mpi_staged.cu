// Ranks with a GPU each, with whole planes of the field for the passes along x and y, and whole lines along z of some tiles of it,
// by the passes of cuda.passes. The pass along z leaves a piece for each rank, or finds one of each, whose rows are as
// they lie in planes: a transform is three passes, one exchange of pieces by MPI, through pinned memory of the hosts, and a copy
// between pieces and planes.
#include <memory>
#include <vector>

#include "gpu_ranks.hpp"
#include "slab_part.cuh"
#include "toolbox/host/slab.hpp"

namespace sextant {
namespace {

using namespace npb_ft;
using gpu_ranks::Message;
using gpu_ranks::Way;

struct Rank {
  Rank(const parts::GpuRank& its_rank, Way way) : rank(its_rank), mail(its_rank, way) {}

  const parts::GpuRank& rank;
  SlabPart part;
  DeviceMemory<Pair> sent, received;  // a piece a rank; what is a rank's own is in `received`
  gpu_ranks::Mail mail;
  DeviceMemory<Complex> own_sums;  // of the checksums' points in the rank's planes
  std::vector<double> sums;        // checksums of all steps
};

std::int64_t elements_of_piece(const Rank& own) {
  return own.part.call.problem.extents.count() / own.rank.size;
}

// Rows of tiles in a part's planes: where a tile's elements lie side by side with those of the next.
std::int64_t row_of_tiles(const BrickPasses& passes) { return passes.layer(); }
std::int64_t row_of_tiles(const PlanePasses& passes) { return passes.e.x * passes.planes.rows; }

// Pieces and planes: each row of the planes is cut into as many runs as there are ranks, and a piece is one run of each row.
struct Cut {
  std::int64_t row, run;  // elements

  template <typename Program>
  Cut(const Program& passes, int ranks) : row(row_of_tiles(passes)), run(row / ranks) {}
};

Pair* piece_to_send(const Rank& own, int other) {
  return (other == own.rank.rank ? own.received.data : own.sent.data) + other * elements_of_piece(own);
}

// Between the planes and pieces: in the start from planes, in a step to them.
void copy_run(const Cut& cut, const Rank& own, bool to_planes, Pair* piece, int other, cudaStream_t stream) {
  constexpr std::size_t size = sizeof(Pair);
  Pair* const planes = own.part.state.v + cut.run * other;
  const std::size_t row = static_cast<std::size_t>(cut.row) * size,
                    run = static_cast<std::size_t>(cut.run) * size,
                    rows = static_cast<std::size_t>(elements_of_piece(own) / cut.run);
  to_planes ? cudaMemcpy2DAsync(planes, row, piece, run, run, rows, cudaMemcpyDeviceToDevice, stream)
            : cudaMemcpy2DAsync(piece, run, planes, row, run, rows, cudaMemcpyDeviceToDevice, stream);
}

void pack(const Cut& cut, const Rank& own, cudaStream_t stream) {
  for (int other = 0; other < own.rank.size; ++other)
    copy_run(cut, own, false, piece_to_send(own, other), other, stream);
}

void unpack(const Cut& cut, const Rank& own, cudaStream_t stream) {
  for (int other = 0; other < own.rank.size; ++other)
    copy_run(cut, own, true, own.received.data + other * elements_of_piece(own), other, stream);
}

// The inverse transform's pass along z, in the orders of pieces; piece(rank) is where that of a rank's planes lies.
template <typename Program, typename Piece>
TurnPass turn_in_pieces(const Rank& own, const Program& passes, Piece piece) {
  const Cut cut(passes, own.rank.size);
  TurnPass turn = turn_of(own.part, passes, own.rank.rank, own.rank.size);
  Tiles& planes = turn.pass.write;
  planes.group = planes.group / cut.row * cut.run;
  planes.row = static_cast<int>(planes.row % cut.row + planes.row / cut.row * cut.run);
  for (int other = 0; other < own.rank.size; ++other)
    turn.planes.at[other] = piece(other) - cut.run * own.rank.rank;  // where tile 0 would be
  return turn;
}

template <typename Program>
void turn_start(const Rank& own, const Program& passes) {
  TurnPass turn = turn_in_pieces(
      own, passes, [&](int other) { return own.received.data + other * elements_of_piece(own); });
  std::swap(turn.pass.read, turn.pass.write);
  passes.run(own.part.forward, turn);
}

template <typename Program>
void turn_step(const Rank& own, const Program& passes, std::int64_t t, const Extents& whole) {
  TurnPass turn = turn_in_pieces(own, passes, [&](int other) { return piece_to_send(own, other); });
  set_decay_of(own.part, t, whole, turn);
  passes.run(own.part.inverse, turn);
}

__global__ void add_own(const Pair* captured, double scale, Complex* sums) {
  const Pair* const points = captured + static_cast<std::int64_t>(blockIdx.x) * checksum_points - 1;
  add_points<Pair>([=](int j) { return points[j]; }, scale, sums);
}

void add_checksums(const Call& call, Rank& own, cudaStream_t stream) {
  add_own<<<static_cast<unsigned>(iterations(call.problem)), 256, 0, stream>>>(
      own.part.state.captured.data, 1.0 / static_cast<double>(call.problem.extents.count()),
      own.own_sums.data);
  cudaMemcpyAsync(own.sums.data(), own.own_sums.data, own.sums.size() * sizeof(double),
                  cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
}

void exchange(const Call& call, Rank& own, cudaStream_t stream) {
  if (call.what == parts::Do::compute) return;
  own.mail.begin(stream);
  own.mail.end(stream);
}

template <typename Program>
void run_steps(const Call& call, Rank& own) {
  const bool computes = call.what != parts::Do::exchange;
  const int steps = static_cast<int>(iterations(call.problem));
  const Extents& e = call.problem.extents;
  const cudaStream_t stream = gpu_ranks::stream_of(own.rank);
  const Program passes = passes_of<Program>(own.part, own.rank.rank, own.rank.size);
  const Cut cut(passes, own.rank.size);
  if (computes) {
    set_up_steps(own.part, passes, e, steps);
    passes.start();
    pack(cut, own, stream);
  }
  exchange(call, own, stream);
  if (computes) turn_start(own, passes);
  for (int t = 1; t <= steps; ++t) {
    if (computes) turn_step(own, passes, t, e);
    exchange(call, own, stream);
    if (!computes) continue;
    unpack(cut, own, stream);
    passes.finish(t);
  }
  if (computes) add_checksums(call, own, stream);
  if (call.what != parts::Do::compute)
    own.rank.allreduce(own.sums.data(), static_cast<std::int64_t>(own.sums.size()), parts::Combine::sum);
}

// Of each way an own one, as variants share no code.
template <Way>
void launch(const Call& call) {
  auto& own = *static_cast<Rank*>(call.state);
  call.tuned<SlabShape>().together ? run_steps<PlanePasses>(call, own) : run_steps<BrickPasses>(call, own);
}

bool make_mail(Rank& own) {
  const std::int64_t piece = elements_of_piece(own), bytes = piece * static_cast<std::int64_t>(sizeof(Pair));
  std::vector<Message> sent, received;
  for (int other = 0; other < own.rank.size; ++other) {
    if (other == own.rank.rank) continue;
    sent.push_back({reinterpret_cast<char*>(own.sent.data + other * piece), bytes, other});
    received.push_back({reinterpret_cast<char*>(own.received.data + other * piece), bytes, other});
  }
  return own.mail.make(std::move(sent), std::move(received));
}

template <Way way>
const char* prepare(const Call& call, void** state) {
  const parts::GpuRank& rank = parts::gpu_rank_of(call);
  if (const char* reason = gpu_ranks::why_not(rank, way)) return reason;
  auto own = std::make_unique<Rank>(rank, way);
  const auto shape = call.tuned<SlabShape>();
  if (const char* reason = make_slab_part(call, shape, gpu_ranks::stream_of(rank), own->part)) return reason;
  const std::int64_t count = own->part.call.problem.extents.count(), steps = iterations(call.problem);
  own->sums.resize(static_cast<std::size_t>(2 * steps));
  if (!own->sent.allocate(count) || !own->received.allocate(count) || !own->own_sums.allocate(steps))
    return "device memory ran out";
  if (!make_mail(*own)) return "no pinned memory for a rank's pieces";
  *state = own.release();
  return nullptr;
}

// There are no inputs; what is poisoned at the first rank is so in all parts.
void scatter(const Call& call) {
  auto& own = *static_cast<Rank*>(call.state);
  const State& state = own.part.state;
  for (Pair* memory : {state.fields.u, state.fields.w, state.v, own.sent.data, own.received.data})
    own.rank.memory->fill(own.rank, 0, memory, 0xFF, field_bytes(own.part.call.problem));
  std::memset(own.sums.data(), 0xFF, own.sums.size() * sizeof(double));
}

// Of all ranks' copies of the checksums the last rank's, to see that all have them; and the planes of w.
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
  planes.gather(call.arrays ? call.arrays[field] : nullptr);
}

std::int64_t workspace(const Problem& problem, const SlabShape& shape) {
  return slabs_workspace(problem, shape, 2);
}

}  // namespace

namespace npb_ft {

Variant variant_of_gpu_ranks(Way way) {
  Variant variant;
  variant.home = Home::ranks;
  variant.description =
      way == Way::staged
          ? "ranks with a GPU each, with whole planes, or whole lines along z; one exchange of "
            "pieces a transform, through the hosts' memory"
          : "the same, pieces straight between the GPUs' memories";
  variant.tunables = tunables<SlabShape>(slab_members<SlabShape>());
  variant.launch = {.float64 = way == Way::staged ? launch<Way::staged> : launch<Way::straight>};
  variant.constraint = by_name<refuse_slabs>;
  variant.adapt = by_name<fit_slabs>;
  variant.prepare = way == Way::staged ? prepare<Way::staged> : prepare<Way::straight>;
  variant.release = [](void* state) { delete static_cast<Rank*>(state); };
  variant.workspace = by_name<workspace>;
  variant.scatter = scatter;
  variant.gather = gather;
  variant.separable = true;
  return variant;
}

}  // namespace npb_ft

Variant npb_ft_cuda_mpi_staged() { return npb_ft::variant_of_gpu_ranks(Way::staged); }

}  // namespace sextant
