// All-reduce over GPUs that read and write each other's memory directly.
//
// One shot, for short vectors: each GPU sends its whole vector to all others and adds up the vectors that it
// receives. Each message word holds data and a call counter (`round`), so that the receiver needs no flag.
// The kernels are recorded as one CUDA graph per GPU, because the host launches a graph faster.
//
// Two shots, for long vectors: each GPU reads one slice of all vectors, adds them up, and stores the sum on
// all GPUs. With P GPUs, each sends and receives 2 (P - 1) / P of a vector, which is the minimum.
//
// With one_peer_at_a_time, each GPU exchanges with one other GPU per step, so that no GPU receives from two
// at once.
#include "suite/tunables.hpp"
#include "toolbox/cuda/part_graphs.cuh"
#include "toolbox/cuda/vector.cuh"
#include "toolbox/share.hpp"
#include "toolbox/team_vectors.hpp"

namespace sextant {
namespace {

constexpr std::int64_t most_in_one_shot = std::int64_t{1} << 20;  // largest vector for one shot, in bytes
constexpr int at_a_time = 4;  // 16-byte vectors per thread and loop iteration

struct Shape {
  // `blocks` is the number of thread blocks per multiprocessor
  int one_shot = 0, block_size = 256, blocks = 1;
  int one_peer_at_a_time = 0;  // applies to two shots only: exchange with one other GPU at a time
};

struct Sum : TeamVectors {
  explicit Sum(const parts::Team& team) : meetings(team), mail(team), rounds(team) {}
  peers::Meetings meetings;
  // Used for one shot only. `mail` receives the messages of two successive calls; `rounds` counts calls, per
  // thread.
  peers::PartMemory mail, rounds;
  peers::PartGraphs in_one_shot;
};

std::int64_t bytes_of(const Problem& problem) {
  return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
}

// A message consists of packets (peers::Packet) of eight data bytes each.
std::int64_t packets_of(const Problem& problem) { return (bytes_of(problem) + 7) / 8; }
std::int64_t mail_bytes(const Problem& problem) {
  return 2 * problem.parts * packets_of(problem) * static_cast<std::int64_t>(sizeof(peers::Packet));
}
// Upper bound for the size of the per-thread call counters. There is at most one thread per packet, rounded
// up to whole blocks.
std::int64_t most_round_bytes(const Problem& problem, const Shape& shape) {
  return (packets_of(problem) + shape.block_size) * static_cast<std::int64_t>(sizeof(unsigned));
}

__device__ __forceinline__ uint2 halves_of(const double* a, std::int64_t packet, std::int64_t) {
  return {static_cast<unsigned>(__double2loint(a[packet])), static_cast<unsigned>(__double2hiint(a[packet]))};
}
__device__ __forceinline__ uint2 halves_of(const float* a, std::int64_t packet, std::int64_t n) {
  const std::int64_t i = 2 * packet;
  return {__float_as_uint(a[i]), i + 1 < n ? __float_as_uint(a[i + 1]) : 0};
}

__device__ __forceinline__ void add(double (&sum)[1], uint2 halves) {
  sum[0] += __hiloint2double(static_cast<int>(halves.y), static_cast<int>(halves.x));
}
__device__ __forceinline__ void add(float (&sum)[2], uint2 halves) {
  sum[0] += __uint_as_float(halves.x);
  sum[1] += __uint_as_float(halves.y);
}

// Messages of even and odd rounds (calls) use separate buffers. Two buffers suffice: a GPU that sends in
// round r + 2 has received round r + 1 from all others, so their kernels of round r have ended.
template <typename T>
__global__ void one_shot(std::int64_t n, std::int64_t packets, const T* a, T* c,
                         peers::Of<peers::Packet> mail, int part, int parts, unsigned* rounds,
                         PollLimit poll_limit) {
  constexpr int each = 8 / sizeof(T);
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x,
                     stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  const unsigned round = peers::next_round(rounds, first);
  const std::int64_t box = (round & 1) * parts;
  for (std::int64_t i = first; i < packets; i += stride) {
    const uint2 own = halves_of(a, i, n);
    for (int step = 1; step < parts; ++step) {
      const int to = (part + step) % parts;
      peers::post(mail[to] + (box + part) * packets + i, own, round);
    }
  }
  for (std::int64_t i = first; i < packets; i += stride) {
    T sum[each] = {};
    for (int from = 0; from < parts; ++from)
      add(sum, from == part ? halves_of(a, i, n)
                            : peers::wait_for(mail[part] + (box + from) * packets + i, round, poll_limit));
#pragma unroll
    for (int e = 0; e < each; ++e)
      if (each * i + e < n) c[each * i + e] = sum[e];
  }
}

// The slice that one GPU adds up in the two-shot algorithm: 16-byte vectors `first` to `end` - 1. The last
// GPU also adds the elements after the last full vector.
template <typename T>
struct Own {
  std::int64_t n, first, end;
  peers::Of<const T> a;
  peers::Of<T> c;
};

// Divides the GPU's slice among all its threads. Calls action(v, stride, here) for up to at_a_time 16-byte
// vectors: `here` vectors with the indices v, v + stride, v + 2 stride, …
template <typename T, typename Action>
__device__ __forceinline__ void for_own(const Own<T>& own, Action action) {
  const std::int64_t stride = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t v = own.first + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
       v < own.end; v += at_a_time * stride)
    action(v, stride, static_cast<int>(min(std::int64_t{at_a_time}, (own.end - v + stride - 1) / stride)));
}

template <typename T>
using Rows = Vector<T, vector_length<T>>[at_a_time];

template <typename T>
__device__ __forceinline__ void load_rows(const T* from, std::int64_t v, std::int64_t stride, int here,
                                          Rows<T>& rows) {
#pragma unroll
  for (int k = 0; k < at_a_time; ++k)
    if (k < here) rows[k] = load<vector_length<T>>(from + (v + k * stride) * vector_length<T>);
}
template <typename T>
__device__ __forceinline__ void store_rows(T* to, std::int64_t v, std::int64_t stride, int here,
                                           const Rows<T>& rows) {
#pragma unroll
  for (int k = 0; k < at_a_time; ++k)
    if (k < here)
      *reinterpret_cast<Vector<T, vector_length<T>>*>(to + (v + k * stride) * vector_length<T>) = rows[k];
}
template <typename T>
__device__ __forceinline__ void add_rows(const Rows<T>& rows, int here, Rows<T>& sum) {
#pragma unroll
  for (int k = 0; k < at_a_time; ++k)
    if (k < here)
#pragma unroll
      for (int e = 0; e < vector_length<T>; ++e) sum[k][e] += rows[k][e];
}

template <typename T>
__device__ __forceinline__ void add_rest(const Own<T>& own, int part, int parts) {
  const std::int64_t rest = own.n / vector_length<T> * vector_length<T> + threadIdx.x;
  if (part != parts - 1 || blockIdx.x != 0 || rest >= own.n) return;
  T sum{};
  for (int from = 0; from < parts; ++from) sum += own.a[from][rest];
  for (int to = 0; to < parts; ++to) own.c[to][rest] = sum;
}

template <typename T>
__global__ void __launch_bounds__(512, 2) two_shot(const Own<T> own, peers::Meeting meeting) {
  const int part = meeting.part, parts = meeting.parts;
  peers::begin_together(meeting);
  for_own(own, [&](std::int64_t v, std::int64_t stride, int here) {
    Rows<T> sum;
    load_rows(own.a[part], v, stride, here, sum);
    for (int step = 1; step < parts; ++step) {
      Rows<T> rows;
      load_rows(own.a[(part + step) % parts], v, stride, here, rows);
      add_rows<T>(rows, here, sum);
    }
    for (int step = 0; step < parts; ++step) store_rows(own.c[(part + step) % parts], v, stride, here, sum);
  });
  add_rest(own, part, parts);
  peers::end_together(meeting);
}

// The two-shot algorithm with one peer at a time. Partial sums stay in this GPU's `c` between steps. Each
// thread reads only the partial sums that it stored itself, so no barrier is needed.
template <typename T>
__global__ void __launch_bounds__(512, 2) two_shot_by_turns(const Own<T> own, peers::Meeting meeting) {
  const int part = meeting.part, parts = meeting.parts;
  peers::begin_together(meeting);
  for (int step = 1; step < parts; ++step)
    for_own(own, [&](std::int64_t v, std::int64_t stride, int here) {
      Rows<T> sum, rows;
      load_rows(own.a[(part + step) % parts], v, stride, here, rows);
      load_rows(step == 1 ? own.a[part] : own.c[part], v, stride, here, sum);
      add_rows<T>(rows, here, sum);
      store_rows(own.c[part], v, stride, here, sum);
    });
  for (int step = 1; step < parts; ++step)
    for_own(own, [&](std::int64_t v, std::int64_t stride, int here) {
      Rows<T> sum;
      load_rows<T>(own.c[part], v, stride, here, sum);
      store_rows(own.c[(part + step) % parts], v, stride, here, sum);
    });
  add_rest(own, part, parts);
  peers::end_together(meeting);
}

unsigned blocks_of_posts(const Call& call) {
  const auto shape = call.tuned<Shape>();
  return std::min(static_cast<unsigned>(peers::resident_blocks(parts::team_of(call), shape.blocks)),
                  blocks_for(packets_of(call.problem), shape.block_size));
}

template <typename T>
void launch_posts(const Call& call, const Sum& sum) {
  const parts::Team& team = parts::team_of(call);
  const auto shape = call.tuned<Shape>();
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    one_shot<T><<<blocks_of_posts(call), shape.block_size, 0, stream>>>(
        call.problem.extents.x, packets_of(call.problem), sum.from->data<const T>(part),
        sum.to->data<T>(part), sum.mail.of<peers::Packet>(), part, team.parts,
        sum.rounds.of<unsigned>()[part], sum.meetings.poll_limit(part));
  });
}

template <typename T>
void launch_shares(const Call& call, Sum& sum) {
  const parts::Team& team = parts::team_of(call);
  const auto shape = call.tuned<Shape>();
  const std::int64_t n = call.problem.extents.x;
  sum.meetings.next_round();
  Own<T> own{n, 0, 0, {}, {}};
  for (int part = 0; part < team.parts; ++part)
    own.a.at[part] = sum.from->data<const T>(part), own.c.at[part] = sum.to->data<T>(part);
  const auto kernel = shape.one_peer_at_a_time && team.parts > 1 ? two_shot_by_turns<T> : two_shot<T>;
  peers::for_parts(team, [&](int part, cudaStream_t stream) {
    const auto most = static_cast<unsigned>(peers::resident_blocks(team, shape.blocks));
    const Share share = share_of(n / vector_length<T>, team.parts, part);
    own.first = share.first, own.end = share.first + share.count;
    kernel<<<std::clamp(blocks_for(share.count, shape.block_size), 1u, most), shape.block_size, 0, stream>>>(
        own, sum.meetings.of(part));
  });
}

template <typename T>
void launch(const Call& call) {
  auto& sum = *static_cast<Sum*>(call.state);
  if (!call.tuned<Shape>().one_shot)
    launch_shares<T>(call, sum);
  else if (sum.in_one_shot.is_there())
    sum.in_one_shot.launch(parts::team_of(call));
  else
    launch_posts<T>(call, sum);
}

template <typename T>
void make_ready(const Call& call, Sum& sum) {
  const parts::Team& team = parts::team_of(call);
  peers::load_everywhere(team, one_shot<T>);
  peers::load_everywhere(team, two_shot<T>);
  peers::load_everywhere(team, two_shot_by_turns<T>);
  if (call.tuned<Shape>().one_shot) sum.in_one_shot.record(team, [&] { launch_posts<T>(call, sum); });
}

const char* prepare(const Call& call, void** state) {
  const parts::Team& team = parts::team_of(call);
  if (!team.reaches_all) return peers::out_of_reach;
  auto sum = std::make_unique<Sum>(team);
  if (const char* reason = make_vectors(call, call.problem.extents.x, sum.get())) return reason;
  if (const char* reason = sum->meetings.make(team)) return reason;
  const auto shape = call.tuned<Shape>();
  if (shape.one_shot && (!sum->mail.allocate(mail_bytes(call.problem)) ||
                         !sum->rounds.allocate(std::int64_t{blocks_of_posts(call)} * shape.block_size *
                                               static_cast<std::int64_t>(sizeof(unsigned)))))
    return "no device memory for the message buffers";
  call.problem.type == ElementType::float64 ? make_ready<double>(call, *sum) : make_ready<float>(call, *sum);
  *state = sum.release();
  return nullptr;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  if (shape.block_size * shape.blocks > 1024)
    // all threads must be resident at once, because they wait for each other
    return "block_size * blocks exceeds 1024 threads per multiprocessor";
  if (shape.one_shot && shape.one_peer_at_a_time) return "one_peer_at_a_time=1 needs one_shot=0";
  return shape.one_shot && bytes_of(problem) > most_in_one_shot
             ? "one_shot=1 is only for vectors of at most 1 MiB"
             : nullptr;
}

// smallest vector, in bytes, for which one_peer_at_a_time pays off
constexpr std::int64_t least_by_turns = 128 << 20;

// Chooses the faster algorithm; the thresholds were measured on two H100 and four H200. A single GPU sends no
// message, but gets the same size limit as two.
void fit(const Problem& problem, Shape& shape) {
  shape.one_shot = std::max(1, problem.parts - 1) * bytes_of(problem) <= most_in_one_shot;
  shape.one_peer_at_a_time = problem.parts > 2 && bytes_of(problem) >= least_by_turns;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  return bytes_of_team_vectors(problem, problem.extents.x) +
         (shape.one_shot ? mail_bytes(problem) + most_round_bytes(problem, shape) : 0) + 4096;
}

}  // namespace

std::vector<Variant> all_reduce_cuda_peers() {
  Variant variant;
  variant.name = "peers";
  variant.description =
      "GPUs access each other's memory: each sends its whole vector to all (one_shot), or sums one slice "
      "for all";
  complete_team_vectors<Sum>(variant);
  variant.tunables = tunables<Shape>({{"one_shot", &Shape::one_shot, {0, 1}},
                                      {"block_size", &Shape::block_size, {128, 256, 512}},
                                      {"blocks", &Shape::blocks, {1, 2, 4}},
                                      {"one_peer_at_a_time", &Shape::one_peer_at_a_time, {0, 1}}});
  variant.adapt = by_name<fit>;
  variant.constraint = by_name<refuse>;
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return {variant};
}

}  // namespace sextant
