// All-to-all over GPUs that write each other's memory directly. A "piece" is the data that one GPU sends to
// one other GPU.
//
// Short pieces (flags_with_data=1): each message word holds data and a call counter (`round`), so that the
// receiver needs no separate flag. The host launches one CUDA graph per GPU.
//
// Long pieces are stored by a kernel on the sending GPU, or copied by the copy engines (copy_engine=1). In
// step s each GPU sends to the s-th GPU after it, so that no GPU receives from two at once.
#include <array>

#include "pieces.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/part_graphs.cuh"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/team_vectors.hpp"

namespace sextant {
namespace {

using all_to_all::piece_of;

constexpr int at_a_time = 4;  // memory accesses per thread and loop iteration
// Largest number of bytes that one GPU may send to all others with flags_with_data=1.
constexpr std::int64_t most_posted = std::int64_t{1} << 20;

struct Shape {
  // `blocks` is the number of thread blocks per multiprocessor
  int flags_with_data = 0, copy_engine = 0, block_size = 512, blocks = 1;
};

// Orders the copies of the copy engines by streams and events. Each GPU has three events: its stream has
// reached this call (`begun`), the piece that stays on the GPU is copied (`kept`), all its copies are done
// (`ended`).
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
  explicit Pieces(const parts::Team& team) : meetings(team), order(team), mail(team), rounds(team) {}
  peers::Meetings meetings;
  Order order;
  // `mail` receives the messages of two successive calls; `rounds` counts calls, per thread.
  peers::PartMemory mail, rounds;
  peers::PartGraphs posts;
};

std::int64_t piece_bytes(const Problem& problem) {
  return piece_of(problem) * static_cast<std::int64_t>(element_size(problem.type));
}

// A message consists of packets (peers::Packet) of eight data bytes each.
std::int64_t packets_of(const Problem& problem) { return (piece_bytes(problem) + 7) / 8; }
std::int64_t mail_bytes(const Problem& problem) {
  return 2 * problem.parts * packets_of(problem) * static_cast<std::int64_t>(sizeof(peers::Packet));
}
// Upper bound for the size of the per-thread call counters. There is at most one thread per packet, rounded
// up to whole blocks.
std::int64_t most_round_bytes(const Problem& problem, const Shape& shape) {
  return (packets_of(problem) + shape.block_size) * static_cast<std::int64_t>(sizeof(unsigned));
}

// Sends pieces of `words` 32-bit words. Messages of even and odd rounds (calls) use separate buffers. Two
// buffers suffice: a GPU that sends in round r + 2 has received round r + 1 from all others, so their kernels
// of round r have ended.
__global__ void post_pieces(std::int64_t words, std::int64_t packets, const unsigned* from, unsigned* to,
                            peers::Of<peers::Packet> mail, int part, int parts, unsigned* rounds,
                            PollLimit poll_limit) {
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,
                     stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const unsigned round = peers::next_round(rounds, first);
  const std::int64_t box = (round & 1) * parts;
  const auto halves_at = [&](int piece, std::int64_t i) {
    const unsigned* const word = from + piece * words + 2 * i;
    return uint2{word[0], 2 * i + 1 < words ? word[1] : 0};
  };
  const auto put = [&](int piece, std::int64_t i, uint2 halves) {
    unsigned* const word = to + piece * words + 2 * i;
    word[0] = halves.x;
    if (2 * i + 1 < words) word[1] = halves.y;
  };
  for (std::int64_t i = first; i < packets; i += stride)
    for (int step = 1; step < parts; ++step) {
      const int other = (part + step) % parts;
      peers::post(mail[other] + (box + part) * packets + i, halves_at(other, i), round);
    }
  for (std::int64_t i = first; i < packets; i += stride) {
    put(part, i, halves_at(part, i));
    for (int step = 1; step < parts; ++step) {
      const int other = (part + parts - step) % parts;
      put(other, i, peers::wait_for(mail[part] + (box + other) * packets + i, round, poll_limit));
    }
  }
}

unsigned blocks_of_posts(const Call& call) {
  const auto shape = call.tuned<Shape>();
  return std::min(static_cast<unsigned>(peers::resident_blocks(parts::team_of(call), shape.blocks)),
                  blocks_for(packets_of(call.problem), shape.block_size));
}

void launch_posts(const Call& call, const Pieces& pieces) {
  const parts::Team& team = parts::team_of(call);
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    post_pieces<<<blocks_of_posts(call), call.tuned<Shape>().block_size, 0, stream>>>(
        piece_bytes(call.problem) / 4, packets_of(call.problem), pieces.from->data<const unsigned>(part),
        pieces.to->data<unsigned>(part), pieces.mail.of<peers::Packet>(), part, team.parts,
        pieces.rounds.of<unsigned>()[part], pieces.meetings.poll_limit(part));
  });
}

// Stores this GPU's pieces on the other GPUs. Thread blocks are assigned to the destination GPUs round-robin.
// A piece has `units` elements of type Unit.
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

// Calls `action` with a value of the widest access type whose size divides the size of a piece.
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
  const auto shape = call.tuned<Shape>();
  if (shape.flags_with_data)
    return pieces.posts.is_there() ? pieces.posts.launch(parts::team_of(call)) : launch_posts(call, pieces);
  if (shape.copy_engine) return copy_by_engine(call, pieces);
  with_unit(call.problem, [&](auto unit) { launch_stores<decltype(unit)>(call, pieces); });
}

const char* prepare(const Call& call, void** state) {
  const parts::Team& team = parts::team_of(call);
  const auto shape = call.tuned<Shape>();
  if (!team.reaches_all && !shape.copy_engine) return peers::out_of_reach;
  auto pieces = std::make_unique<Pieces>(team);
  if (const char* reason = make_vectors(call, team.parts * piece_of(call.problem), pieces.get()))
    return reason;
  if (const char* reason = pieces->meetings.make(team)) return reason;
  if (shape.flags_with_data &&
      (!pieces->mail.allocate(mail_bytes(call.problem)) ||
       !pieces->rounds.allocate(std::int64_t{blocks_of_posts(call)} * shape.block_size *
                                static_cast<std::int64_t>(sizeof(unsigned)))))
    return "no device memory for the message buffers";
  peers::load_everywhere(team, post_pieces);
  with_unit(call.problem, [&](auto unit) { peers::load_everywhere(team, store_pieces<decltype(unit)>); });
  if (shape.flags_with_data) pieces->posts.record(team, [&] { launch_posts(call, *pieces); });
  *state = pieces.release();
  return nullptr;
}

// Bytes that one GPU sends to all others. A single GPU sends none, but gets the same size limit as two.
std::int64_t sent_by_a_part(const Problem& problem) {
  return std::max(1, problem.parts - 1) * piece_bytes(problem);
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (piece_of(problem) < 1)
    return "fewer elements than partitions: choose fewer partitions or a larger size";
  if (shape.block_size * shape.blocks > 1024)
    return "block_size * blocks exceeds 1024 threads per multiprocessor";
  if (shape.flags_with_data && shape.copy_engine)
    return "flags_with_data=1 and copy_engine=1 exclude each other";
  return shape.flags_with_data && sent_by_a_part(problem) > most_posted
             ? "flags_with_data=1 is only for at most 1 MiB sent per GPU"
             : nullptr;
}

// Chooses the faster method; the thresholds were measured on two H100. Copy engines copy faster but start
// later.
void fit(const Problem& problem, Shape& shape) {
  constexpr std::int64_t many = std::int64_t{128} << 20;
  shape.flags_with_data = sent_by_a_part(problem) <= most_posted / 2;
  shape.copy_engine = piece_bytes(problem) >= many;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return bytes_of_team_vectors(problem, problem.parts * piece_of(problem)) +
         (shape.flags_with_data ? mail_bytes(problem) + most_round_bytes(problem, shape) : 0) + 4096;
}

}  // namespace

std::vector<Variant> all_to_all_cuda_peers() {
  Variant variant;
  variant.name = "peers";
  variant.description =
      "GPUs write into each other's memory: words with flags, plain stores, or copies by the copy engines";
  complete_team_vectors<Pieces>(variant);
  variant.tunables = tunables<Shape>({{"flags_with_data", &Shape::flags_with_data, {0, 1}},
                                      {"copy_engine", &Shape::copy_engine, {0, 1}},
                                      {"block_size", &Shape::block_size, {256, 512, 1024}},
                                      {"blocks", &Shape::blocks, {1, 2, 4}}});
  variant.adapt = by_name<fit>;
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.launch = {.float32 = launch, .float64 = launch};
  return {variant};
}

}  // namespace sextant
