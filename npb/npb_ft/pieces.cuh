// Passes of NAS FT for GPUs or ranks that send blocks of the field ("pieces") to each other. The pass along z
// writes one piece for each GPU, or reads one from each. A transform is three passes, one exchange of pieces,
// and one copy between pieces and planes.
#pragma once

#include "slab_part.cuh"

namespace sextant::npb_ft {
namespace {

struct PiecePart : SlabPart {
  int number = 0, parts = 1;
  DeviceMemory<Pair> sent, received;  // one piece per GPU; the GPU's own piece is always in `received`
};

std::int64_t elements_of_piece(const PiecePart& own) { return own.call.problem.extents.count() / own.parts; }

// Allocates the state of one part of the field on the current GPU. Returns null, or the reason for a failure.
const char* make_piece_part(const Call& call, const SlabShape& shape, cudaStream_t stream, PiecePart& own) {
  if (const char* reason = make_slab_part(call, shape, stream, own)) return reason;
  const std::int64_t count = own.call.problem.extents.count();
  return own.sent.allocate(count) && own.received.allocate(count) ? nullptr : "device memory ran out";
}

template <typename Program>
Program passes_of(const PiecePart& own) {
  return passes_of<Program>(own, own.number, own.parts);
}

// Returns the number of elements in a row of tiles of the GPU's planes. Tiles of a row are contiguous.
std::int64_t row_of_tiles(const BrickPasses& passes) { return passes.layer(); }
std::int64_t row_of_tiles(const PlanePasses& passes) { return passes.e.x * passes.planes.rows; }

// Relation of pieces and planes. Each row of tiles is split into one run per GPU; a piece has one run of each
// row.
struct Cut {
  std::int64_t row, run;  // sizes in elements

  template <typename Program>
  Cut(const Program& passes, int parts) : row(row_of_tiles(passes)), run(row / parts) {}
};

Pair* piece_to_send(const PiecePart& own, int other) {
  return (other == own.number ? own.received.data : own.sent.data) + other * elements_of_piece(own);
}

Pair* piece_received(const PiecePart& own, int other) {
  return own.received.data + other * elements_of_piece(own);
}

// Parameters of the copy between planes and pieces. Elements are numbered in the order of the planes.
struct Runs {
  Pair* planes;
  // `own` holds the GPU's own piece, `others` the other pieces. Piece p begins at offset p * piece in each.
  Pair *own, *others;
  std::int64_t count, piece;  // number of elements in total and per piece
  int log_run, log_parts, number;
};

constexpr int runs_each = 4;  // elements per thread

template <bool to_planes>
__global__ void copy_runs(const Runs runs) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x * runs_each) + threadIdx.x;
  Pair *from[runs_each], *to[runs_each], value[runs_each];
#pragma unroll
  for (int e = 0; e < runs_each; ++e) {
    const std::int64_t i = first + e * static_cast<std::int64_t>(blockDim.x), run = i >> runs.log_run,
                       row = run >> runs.log_parts, other = run - (row << runs.log_parts);
    Pair* const piece = (other == runs.number ? runs.own : runs.others) + other * runs.piece +
                        (row << runs.log_run) + (i - (run << runs.log_run));
    from[e] = to_planes ? piece : runs.planes + i;
    to[e] = to_planes ? runs.planes + i : piece;
    if (i < runs.count) value[e] = *from[e];
  }
#pragma unroll
  for (int e = 0; e < runs_each; ++e)
    if (first + e * static_cast<std::int64_t>(blockDim.x) < runs.count) *to[e] = value[e];
}

// Copies between planes and pieces: from planes to the pieces to send (initial field), or from received
// pieces to planes (each step).
template <bool to_planes>
void copy_pieces(const Cut& cut, const PiecePart& own, cudaStream_t stream) {
  constexpr int block = 256;
  const std::int64_t count = own.call.problem.extents.count();
  const Runs runs = {own.state.v,
                     own.received.data,
                     to_planes ? own.received.data : own.sent.data,
                     count,
                     elements_of_piece(own),
                     log2_of(cut.run),
                     log2_of(own.parts),
                     own.number};
  copy_runs<to_planes><<<blocks_for(count, block * runs_each), block, 0, stream>>>(runs);
}

// Performs all passes within the GPU's planes before the first exchange.
template <typename Program>
void start_pieces(const PiecePart& own, const Extents& whole, int steps) {
  const Program passes = passes_of<Program>(own);
  set_up_steps(own, passes, whole, steps);
  passes.start();
  copy_pieces<false>(Cut(passes, own.parts), own, passes.stream);
}

// Performs all passes within the GPU's planes after the exchange of step t.
template <typename Program>
void finish_pieces(const PiecePart& own, std::int64_t t) {
  const Program passes = passes_of<Program>(own);
  copy_pieces<true>(Cut(passes, own.parts), own, passes.stream);
  passes.finish(t);
}

// Returns the inverse transform's pass along z, with the layout of pieces. piece(part) must return the
// address of the piece for the planes of GPU `part`.
template <typename Program, typename Piece>
TurnPass turn_in_pieces(const PiecePart& own, const Program& passes, Piece piece) {
  const Cut cut(passes, own.parts);
  TurnPass turn = turn_of(own, passes, own.number, own.parts);
  Tiles& planes = turn.pass.write;
  planes.group = planes.group / cut.row * cut.run;
  planes.row = static_cast<int>(planes.row % cut.row + planes.row / cut.row * cut.run);
  for (int other = 0; other < own.parts; ++other)
    turn.planes.at[other] = piece(other) - cut.run * own.number;  // address that tile 0 would have
  return turn;
}

template <typename Program>
void turn_start(const PiecePart& own) {
  const Program passes = passes_of<Program>(own);
  TurnPass turn = turn_in_pieces(own, passes, [&](int other) { return piece_received(own, other); });
  std::swap(turn.pass.read, turn.pass.write);
  passes.run(own.forward, turn);
}

template <typename Program>
void turn_step(const PiecePart& own, std::int64_t t, const Extents& whole) {
  const Program passes = passes_of<Program>(own);
  TurnPass turn = turn_in_pieces(own, passes, [&](int other) { return piece_to_send(own, other); });
  set_decay_of(own, t, whole, turn);
  passes.run(own.inverse, turn);
}

__global__ void add_own(const Pair* captured, double scale, Complex* sums) {
  const Pair* const points = captured + static_cast<std::int64_t>(blockIdx.x) * checksum_points - 1;
  add_points<Pair>([=](int j) { return points[j]; }, scale, sums);
}

// Sums the checksum points in the GPU's planes, for each step.
void add_own_points(const PiecePart& own, const Problem& whole, Complex* sums, cudaStream_t stream) {
  add_own<<<static_cast<unsigned>(iterations(whole)), 256, 0, stream>>>(
      own.state.captured.data, 1.0 / static_cast<double>(whole.extents.count()), sums);
}

}  // namespace
}  // namespace sextant::npb_ft
