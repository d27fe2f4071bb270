// Each part's pieces go straight into the others' memory: stored by a kernel of the part that has them, or copied by the
// GPUs' copy engines (engine=1), piece after piece to the part s further on, so that no part is sent to by two.
#include <array>

#include "pieces.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/peers.cuh"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/team_vectors.hpp"

namespace sextant {
namespace {

using all_to_all::piece_of;

constexpr int at_a_time = 4;  // accesses of a thread

struct Shape {
  int engine = 0, block_size = 512, blocks = 1;  // blocks on a multiprocessor
};

// What a copy engine's copies wait for: each part's stream has come to this call; its own piece is there; its copies are done.
class Order {
 public:
  explicit Order(const parts::Team& team) {
    peers::for_parts(team, [&](int part, cudaStream_t) {
      cudaStreamCreateWithFlags(&beside[part], cudaStreamNonBlocking);
      for (cudaEvent_t* event : {&begun[part], &kept[part], &ended[part]})
        cudaEventCreateWithFlags(event, cudaEventDisableTiming);
    });
  }
  Order(const Order&) = delete;
  Order& operator=(const Order&) = delete;
  ~Order() {
    for (int part = 0; part < parts::most_of_a_team; ++part) {
      if (beside[part]) cudaStreamDestroy(beside[part]);
      for (cudaEvent_t event : {begun[part], kept[part], ended[part]})
        if (event) cudaEventDestroy(event);
    }
  }

  std::array<cudaStream_t, parts::most_of_a_team> beside = {};
  std::array<cudaEvent_t, parts::most_of_a_team> begun = {}, kept = {}, ended = {};
};

struct Pieces : TeamVectors {
  explicit Pieces(const parts::Team& team) : meetings(team), order(team) {}
  peers::Meetings meetings;
  Order order;
};

std::int64_t piece_bytes(const Problem& problem) {
  return piece_of(problem) * static_cast<std::int64_t>(element_size(problem.type));
}

// Blocks take the pieces by turns; `units` of them in a piece.
template <typename Unit>
__global__ void store_pieces(std::int64_t units, peers::Of<const Unit> from, peers::Of<Unit> to,
                             peers::Meeting meeting) {
  const int part = meeting.part, parts = meeting.parts;
  peers::begin_together(meeting);
  const int other = static_cast<int>((part + 1 + blockIdx.x) % parts);
  const Unit* piece = from[part] + other * units;
  Unit* place = to[other] + part * units;
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x / parts) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x / parts) * blockDim.x + threadIdx.x; i < units;
       i += at_a_time * stride) {
    Unit unit[at_a_time];
#pragma unroll
    for (int k = 0; k < at_a_time; ++k)
      if (i + k * stride < units) unit[k] = piece[i + k * stride];
#pragma unroll
    for (int k = 0; k < at_a_time; ++k)
      if (i + k * stride < units) place[i + k * stride] = unit[k];
  }
  peers::end_together(meeting);
}

template <typename Unit>
void launch_stores(const Call& call, Pieces& pieces) {
  const parts::Team& team = parts::team_of(call);
  const auto shape = call.tuned<Shape>();
  const std::int64_t units = piece_bytes(call.problem) / static_cast<std::int64_t>(sizeof(Unit));
  peers::Of<const Unit> from;
  peers::Of<Unit> to;
  for (int part = 0; part < team.parts; ++part)
    from.at[part] = pieces.from->data<const Unit>(part), to.at[part] = pieces.to->data<Unit>(part);
  pieces.meetings.next_round();
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    const unsigned most = static_cast<unsigned>(
                       std::max(1, peers::resident_blocks(team, shape.blocks) / team.parts)),
                   blocks = team.parts * std::min(most, blocks_for(units, shape.block_size));
    store_pieces<Unit><<<blocks, shape.block_size, 0, stream>>>(units, from, to, pieces.meetings.of(part));
  });
}

void copy_by_engine(const Call& call, Pieces& pieces) {
  const parts::Team& team = parts::team_of(call);
  const Order& order = pieces.order;
  const std::int64_t bytes = piece_bytes(call.problem);
  const auto size = static_cast<std::size_t>(bytes);
  const auto from = [&](int part) { return pieces.from->data<const char>(part); };
  const auto to = [&](int part) { return pieces.to->data<char>(part); };
  peers::for_parts(team, [&](int part, cudaStream_t stream) { cudaEventRecord(order.begun[part], stream); });
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    cudaStreamWaitEvent(order.beside[part], order.begun[part]);
    cudaMemcpyAsync(to(part) + part * bytes, from(part) + part * bytes, size, cudaMemcpyDeviceToDevice,
                    order.beside[part]);
    cudaEventRecord(order.kept[part], order.beside[part]);
    for (int step = 1; step < team.parts; ++step) {
      const int other = (part + step) % team.parts;
      cudaStreamWaitEvent(stream, order.begun[other]);
      cudaMemcpyPeerAsync(to(other) + part * bytes, team.device[other], from(part) + other * bytes,
                          team.device[part], size, stream);
    }
    cudaStreamWaitEvent(stream, order.kept[part]);
    cudaEventRecord(order.ended[part], stream);
  });
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    for (int other = 0; other < team.parts; ++other)
      if (other != part) cudaStreamWaitEvent(stream, order.ended[other]);
  });
}

// By the widest access that all pieces are aligned for.
template <typename Action>
void with_unit(const Problem& problem, Action action) {
  const std::int64_t bytes = piece_bytes(problem);
  if (bytes % 16 == 0)
    action(uint4{});
  else if (bytes % 8 == 0)
    action(uint2{});
  else
    action(unsigned{});
}

void launch(const Call& call) {
  auto& pieces = *static_cast<Pieces*>(call.state);
  if (call.tuned<Shape>().engine) return copy_by_engine(call, pieces);
  with_unit(call.problem, [&](auto unit) { launch_stores<decltype(unit)>(call, pieces); });
}

const char* prepare(const Call& call, void** state) {
  const parts::Team& team = parts::team_of(call);
  if (!team.reaches_all && !call.tuned<Shape>().engine) return peers::out_of_reach;
  auto pieces = std::make_unique<Pieces>(team);
  if (const char* reason = make_vectors(call, team.parts * piece_of(call.problem), pieces.get()))
    return reason;
  if (const char* reason = pieces->meetings.make(team)) return reason;
  with_unit(call.problem, [&](auto unit) { peers::load_everywhere(team, store_pieces<decltype(unit)>); });
  *state = pieces.release();
  return nullptr;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (piece_of(problem) < 1) return "fewer elements than parts: take fewer parts, or a larger size";
  return shape.block_size * shape.blocks > 1024 ? "more than 1024 threads a multiprocessor" : nullptr;
}

// What was faster between two H100: engines copy faster and begin later.
void fit(const Problem& problem, Shape& shape) {
  constexpr std::int64_t many = std::int64_t{128} << 20;
  shape.engine = piece_bytes(problem) >= many;
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return bytes_of_vectors(problem, problem.parts * piece_of(problem)) + 4096;
}

}  // namespace

Variant all_to_all_cuda_peers() {
  Variant variant;
  variant.description = "GPUs store pieces in each other's memory, or have their copy engines do so";
  complete_vectors<Pieces>(variant);
  variant.tunables = tunables<Shape>({{"engine", &Shape::engine, {0, 1}},
                                      {"block_size", &Shape::block_size, {256, 512, 1024}},
                                      {"blocks", &Shape::blocks, {1, 2, 4}}});
  variant.adapt = by_name<fit>;
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.launch = {.float32 = launch, .float64 = launch};
  return variant;
}

}  // namespace sextant
