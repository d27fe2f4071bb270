#include "boxes.hpp"
#include "cuda.cuh"
#include "suite/choices.hpp"
#include "suite/packets.cuh"

namespace sextant {
namespace {

using namespace lbm_d3q15;

// The lattice stays in the multiprocessors' shared memory for all steps: a block holds a box of it, and only
// what crosses a box's sides goes through the second-level cache, as packets for which the receiving thread
// waits. Neither launches nor grid-wide barriers separate the steps. Within a box they alternate as in
// cuda.in_place.
//
// For 64x32x32 in double: 128 boxes of 8^3 nodes; a step has 512 x 110 operations on 64 lanes (880 cycles),
// 512 x 30 accesses of 8 bytes to shared memory (960), 1736 packets of 16 bytes each way (430 and more) and
// the way of a packet (700): together 1.5 to 2.2 microseconds, 8 to 11 ms for 5000 steps.
template <typename T>
struct Resident {
  const BoxNode* nodes;
  const int *places, *arriving, *leaving;
  Packet<T>* mail;  // two rounds of `packets`
  std::int64_t packets;
  T* f;
  std::int64_t lattice_nodes, steps;
  int side_x, side_y, side_z;
  unsigned round;
  Rates<T> rates;

  __device__ Packet<T>* letter_box(unsigned of_round) const { return mail + (of_round & 1) * packets; }
};

__device__ __forceinline__ Neighbours<int> around(unsigned ends, int nx, int ny, int nz) {
  const int plane = nx * ny;
  return {{ends & 1 ? nx - 1 : -1, ends & 4 ? plane - nx : -nx, ends & 16 ? (nz - 1) * plane : -plane},
          {ends & 2 ? 1 - nx : 1, ends & 8 ? nx - plane : nx, ends & 32 ? (1 - nz) * plane : plane}};
}

// Waits for the densities that arrive from the directions in `remote`, and unpacks them with the others,
// which lie in `packets` already. All are asked for before the first is looked at.
template <typename T>
__device__ __forceinline__ void receive(const Resident<T>& r, const int* slots, int stride, unsigned remote,
                                        unsigned round, Packet<T>* packets, T* node) {
  if (remote) {
    const Packet<T>* const box = r.letter_box(round);
    int from[directions];
#pragma unroll
    for (int k = 1; k < directions; ++k) from[k] = (remote >> k) & 1 ? slots[k * stride] : 0;
    bool complete;
    do {
#pragma unroll
      for (int k = 1; k < directions; ++k) peek(box + from[k], (remote >> k) & 1, packets[k]);
      complete = true;
#pragma unroll
      for (int k = 1; k < directions; ++k) complete &= packets[k].is_of(round);
    } while (!complete);
  }
#pragma unroll
  for (int k = 1; k < directions; ++k) node[k] = packets[k].value();
}

template <typename T>
__device__ __forceinline__ void send_leaving(const Resident<T>& r, const int* slots, int stride,
                                             unsigned remote, unsigned round, const T* node) {
  if (!remote) return;
  Packet<T>* const box = r.letter_box(round);
#pragma unroll
  for (int k = 1; k < directions; ++k)
    send(box + ((remote >> opposite(k)) & 1 ? slots[k * stride] : 0), (remote >> opposite(k)) & 1,
         packed(round, node[k]));
}

// One step of node n of the block's box; what arrives bears the number `round`, what leaves the next.
template <bool local, typename T>
__device__ __forceinline__ void advance(const Resident<T>& r, T* lattice, int n, unsigned round, bool last) {
  const int count = r.side_x * r.side_y * r.side_z, box = static_cast<int>(blockIdx.x);
  const BoxNode info = r.nodes[box * count + n];
  if (info.links & solid_node) return;
  const unsigned remote = info.links >> 16;
  const Neighbours<int> to = around(info.ends, r.side_x, r.side_y, r.side_z);
  const std::int64_t slots = static_cast<std::int64_t>(box) * directions * count + n;
  T node[directions];
  Packet<T> packets[directions];
  node[0] = lattice[n];
#pragma unroll
  for (int k = 1; k < directions; ++k) {  // while the packets are on their way
    const int from = local ? opposite(k) * count + n : arrival(count, n, to, info.links, k);
    packets[k] = packed(round, lattice[(remote >> k) & 1 ? n : from]);
  }
  receive(r, r.arriving + slots, count, remote, round, packets, node);
  collide(node, r.rates);
  if (last) {
    T* const out = r.f + r.places[box * count + n];
#pragma unroll
    for (int k = 0; k < directions; ++k) out[k * r.lattice_nodes] = node[k];
    return;
  }
  send_leaving(r, r.leaving + slots, count, remote, round + 1, node);
#pragma unroll
  for (int k = 0; k < directions; ++k)
    if (local || !((remote >> opposite(k)) & 1))
      lattice[local ? k * count + n : arrival(count, n, to, info.links, opposite(k))] = node[k];
}

template <typename T>
__global__ void __launch_bounds__(most_threads) run(Resident<T> r) {
  extern __shared__ __align__(16) unsigned char memory[];
  T* const lattice = reinterpret_cast<T*>(memory);
  const int count = r.side_x * r.side_y * r.side_z, box = static_cast<int>(blockIdx.x);
  const int first = static_cast<int>(threadIdx.x), stride = static_cast<int>(blockDim.x);
  for (int n = first; n < count; n += stride) {
    const BoxNode info = r.nodes[box * count + n];
    if (info.links & solid_node) continue;
    const T* const from = r.f + r.places[box * count + n];
    T node[directions];
#pragma unroll
    for (int k = 0; k < directions; ++k) lattice[k * count + n] = node[k] = from[k * r.lattice_nodes];
    send_leaving(r, r.leaving + static_cast<std::int64_t>(box) * directions * count + n, count,
                 info.links >> 16, r.round, node);
  }
  __syncthreads();
  for (std::int64_t step = 0; step < r.steps; ++step) {
    const unsigned round = r.round + static_cast<unsigned>(step);
    const bool last = step + 1 == r.steps;
    if (step % 2 == 0)
      for (int n = first; n < count; n += stride) advance<false>(r, lattice, n, round, last);
    else
      for (int n = first; n < count; n += stride) advance<true>(r, lattice, n, round, last);
    __syncthreads();
  }
}

// ---- what prepare makes

struct ResidentState {
  CudaState links;  // only to free what is made with them
  void *nodes = nullptr, *places = nullptr, *arriving = nullptr, *leaving = nullptr, *mail = nullptr;
  std::int64_t packets = 0;
  unsigned round = 1;  // of the next launch's first packets; what lies in the mail bears lower ones
};

void release(void* state) {
  auto* const resident = static_cast<ResidentState*>(state);
  for (void* made :
       {resident->nodes, resident->places, resident->arriving, resident->leaving, resident->mail})
    cudaFree(made);
  cudaFree(resident->links.links);
  delete resident;
}

template <typename Value>
cudaError_t upload(const std::vector<Value>& values, void** to) {
  const std::size_t bytes = values.size() * sizeof(Value);
  const cudaError_t error = cudaMalloc(to, bytes);
  return error == cudaSuccess ? cudaMemcpy(*to, values.data(), bytes, cudaMemcpyHostToDevice) : error;
}

// Why the blocks cannot all run at once on the current device, or null.
template <typename T>
const char* refuse_device(const Boxes& boxes, int threads, std::size_t bytes) {
  int device = 0, cooperative = 0, processors = 0, per_processor = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device);
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (!cooperative) return "the GPU has no cooperative launches";
  if (cudaFuncSetAttribute(run<T>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)) !=
          cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_processor, run<T>, threads, bytes) != cudaSuccess ||
      static_cast<std::int64_t>(per_processor) * processors < boxes.count.count()) {
    cudaGetLastError();  // or the next call would report it
    return "the GPU cannot hold all boxes at once: it has too few multiprocessors or too little shared "
           "memory";
  }
  return nullptr;
}

int threads_for(const Call& call) {
  const std::int64_t nodes = cut(call.problem.extents, call.tuning).sides.count();
  return static_cast<int>(std::min<std::int64_t>(call.tuning[3], (nodes + 31) / 32 * 32));
}

template <typename T>
const char* fill(const Call& call, ResidentState* state) {
  const Extents& size = call.problem.extents;
  const Boxes boxes = cut(size, call.tuning);
  const char* reason = refuse_device<T>(boxes, threads_for(call),
                                        static_cast<std::size_t>(boxes.box_bytes(call.problem.type)));
  if (!reason) reason = allocate_cuda<T>(call, false, &state->links);
  if (reason) return reason;
  std::vector<Links> links(static_cast<std::size_t>(size.count()));
  cudaError_t error =
      cudaMemcpy(links.data(), state->links.links, links.size() * sizeof(Links), cudaMemcpyDeviceToHost);
  const BoxTables tables = make_tables(size, boxes, links.data());
  state->packets = std::max(1, tables.packets);
  const std::size_t mail_bytes = 2 * static_cast<std::size_t>(state->packets) * sizeof(Packet<T>);
  if (error == cudaSuccess) error = upload(tables.nodes, &state->nodes);
  if (error == cudaSuccess) error = upload(tables.places, &state->places);
  if (error == cudaSuccess) error = upload(tables.arriving, &state->arriving);
  if (error == cudaSuccess) error = upload(tables.leaving, &state->leaving);
  if (error == cudaSuccess) error = cudaMalloc(&state->mail, mail_bytes);
  if (error == cudaSuccess) error = cudaMemset(state->mail, 0, mail_bytes);
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

template <typename T>
const char* prepare(const Call& call, void** state) {
  auto* const resident = new ResidentState;
  const char* reason = fill<T>(call, resident);
  if (reason)
    release(resident);
  else
    *state = resident;
  return reason;
}

template <typename T>
void launch(const Call& call) {
  auto* const state = static_cast<ResidentState*>(call.state);
  const Boxes boxes = cut(call.problem.extents, call.tuning);
  const std::int64_t steps = steps_of(call.problem);
  Resident<T> r = {static_cast<const BoxNode*>(state->nodes),
                   static_cast<const int*>(state->places),
                   static_cast<const int*>(state->arriving),
                   static_cast<const int*>(state->leaving),
                   static_cast<Packet<T>*>(state->mail),
                   state->packets,
                   call.array<T>(0),
                   call.problem.extents.count(),
                   steps,
                   static_cast<int>(boxes.sides.x),
                   static_cast<int>(boxes.sides.y),
                   static_cast<int>(boxes.sides.z),
                   state->round,
                   rates_of<T>(call.problem)};
  state->round += static_cast<unsigned>(steps);
  void* arguments[] = {&r};
  cudaLaunchCooperativeKernel(run<T>, dim3(static_cast<unsigned>(boxes.count.count())),
                              dim3(threads_for(call)), arguments,
                              static_cast<std::size_t>(boxes.box_bytes(call.problem.type)), stream_of(call));
}

}  // namespace

Variant lbm_d3q15_cuda_resident() {
  Variant variant;
  variant.description = "the lattice stays in shared memory, a box a multiprocessor; boxes exchange packets";
  variant.home = Home::cuda;
  variant.tunables = {{"boxes_x", box_counts, 8},
                      {"boxes_y", box_counts, 4},
                      {"boxes_z", box_counts, 4},
                      {"most_threads", {128, 256, 512}, 512}};
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  variant.adapt = [](const Problem& problem, int* tuning) {
    choose_boxes(problem.extents, problem.type, tuning);
  };
  variant.constraint = [](const Problem& problem, const int* tuning) -> const char* {
    const Boxes boxes = cut(problem.extents, tuning);
    if (tuning[0] * tuning[1] * tuning[2] > most_boxes) return "more boxes than the GPU has multiprocessors";
    if (boxes.box_bytes(problem.type) > most_box_bytes) return "a box is larger than the shared memory";
    return nullptr;
  };
  variant.workspace = [](const Problem& problem, const int* tuning) {
    const Boxes boxes = cut(problem.extents, tuning);
    const std::int64_t nodes = boxes.count.count() * boxes.sides.count();
    const auto packet = static_cast<std::int64_t>(2 * element_size(problem.type));
    return nodes * static_cast<std::int64_t>(sizeof(BoxNode) + sizeof(int) * (1 + 2 * directions)) +
           problem.extents.count() * (static_cast<std::int64_t>(sizeof(Links)) + 2 * directions * packet);
  };
  variant.prepare = [](const Call& call, void** state) {
    return call.problem.type == ElementType::float32 ? prepare<float>(call, state)
                                                     : prepare<double>(call, state);
  };
  variant.release = release;
  return variant;
}

}  // namespace sextant
