// Page-locked arrays, copied in chunks on two or more streams, each chunk's products added while the next one
// is copied: the time of the transfer and of the last chunk's kernel. The arrays are page-locked, and the
// device's buffers allocated, before the timed call, as a program that owns its arrays does once
// (docs/kernels/dot.md).
//
// Expected for 2^24 doubles, 268 MB over PCI Express 5 at the 55 GB/s of one large pinned copy: 4.9 ms; with
// chunks of 8 MiB about 1 % more for the gaps between copies and 2 chunks' 4 µs of kernel at the end.
#include <algorithm>
#include <vector>

#include "pinned.hpp"
#include "products.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Chunks {
  int chunk_mib = 8;
  int streams = 2;
};

struct State {
  dot::PinnedInputs inputs;
  int blocks = 0;  // of the kernel's grid: two for each multiprocessor
  std::vector<cudaStream_t> streams;
  char* buffers = nullptr;    // on the device: for each stream a chunk of a, then one of b
  char* boxes = nullptr;      // on the device: for each stream one a block
  char* sums = nullptr;       // on the device, one a chunk
  char* host_sums = nullptr;  // page-locked
};

std::int64_t chunk_bytes(const Call& call) { return std::int64_t{call.tuned<Chunks>().chunk_mib} << 20; }

std::int64_t chunks_of(const Call& call) {
  const std::int64_t bytes =
      call.problem.extents.x * static_cast<std::int64_t>(element_size(call.problem.type));
  return (bytes + chunk_bytes(call) - 1) / chunk_bytes(call);
}

// The boxes of one stream's kernel.
std::size_t box_bytes(const State& state) { return state.blocks * sizeof(reduction::Box<double>); }

template <typename T>
void launch(const Call& call) {
  const State& state = *static_cast<const State*>(call.state);
  const std::int64_t n = call.problem.extents.x;
  const std::int64_t chunk = chunk_bytes(call) / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t chunks = chunks_of(call);
  T* sums = reinterpret_cast<T*>(state.sums);
  for (std::int64_t c = 0; c < chunks; ++c) {
    const std::size_t s = c % state.streams.size();
    const std::int64_t begin = c * chunk, count = std::min(chunk, n - begin);
    T* a = reinterpret_cast<T*>(state.buffers) + 2 * s * chunk;
    T* b = a + chunk;
    const cudaStream_t stream = state.streams[s];
    cudaMemcpyAsync(a, call.array<const T>(0) + begin, count * sizeof(T), cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(b, call.array<const T>(1) + begin, count * sizeof(T), cudaMemcpyHostToDevice, stream);
    auto* boxes = reinterpret_cast<reduction::Box<T>*>(state.boxes + s * box_bytes(state));
    dot::launch_fused<T, 512, 2>(count, a, b, sums + c, boxes, state.blocks, stream);
  }
  cudaError_t status = cudaSuccess;
  for (const cudaStream_t stream : state.streams)
    if (const cudaError_t ended = cudaStreamSynchronize(stream); ended != cudaSuccess) status = ended;
  if (status == cudaSuccess)
    status = cudaMemcpy(state.host_sums, sums, chunks * sizeof(T), cudaMemcpyDeviceToHost);
  if (status != cudaSuccess) return;  // the sum stays poisoned
  const T* host_sums = reinterpret_cast<const T*>(state.host_sums);
  T sum = 0;
  for (std::int64_t c = 0; c < chunks; ++c) sum += host_sums[c];
  *call.array<T>(2) = sum;
}

void release(void* pointer) {
  auto* state = static_cast<State*>(pointer);
  state->inputs.unpin();
  for (const cudaStream_t stream : state->streams) cudaStreamDestroy(stream);
  cudaFree(state->buffers);
  cudaFree(state->boxes);
  cudaFree(state->sums);
  cudaFreeHost(state->host_sums);
  delete state;
}

int blocks_for_device() {
  int device = 0, multiprocessors = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  return 2 * multiprocessors;
}

bool make(const Call& call, State* state) {
  const std::size_t streams = call.tuned<Chunks>().streams, sums = chunks_of(call) * sizeof(double);
  state->blocks = blocks_for_device();
  const std::size_t boxes = streams * box_bytes(*state);
  for (std::size_t s = 0; s < streams; ++s) {
    state->streams.push_back(nullptr);
    if (cudaStreamCreateWithFlags(&state->streams.back(), cudaStreamNonBlocking) != cudaSuccess) {
      state->streams.pop_back();
      return false;
    }
  }
  return cudaMalloc(&state->buffers, 2 * streams * chunk_bytes(call)) == cudaSuccess &&
         cudaMalloc(&state->boxes, boxes) == cudaSuccess &&
         cudaMemset(state->boxes, 0, boxes) == cudaSuccess && cudaMalloc(&state->sums, sums) == cudaSuccess &&
         cudaMallocHost(&state->host_sums, sums) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
}

const char* prepare(const Call& call, void** pointer) {
  auto* state = new State;
  const char* problem = nullptr;
  if (!state->inputs.pin(call))
    problem = "the system does not page-lock this much memory";
  else if (!make(call, state))
    problem = "no memory for the buffers of the chunks";
  if (problem) {
    cudaGetLastError();  // a failed allocation must not be found by a later check
    release(state);
    return problem;
  }
  *pointer = state;
  return nullptr;
}

}  // namespace

Variant dot_cuda_pinned_overlap() {
  Variant variant;
  variant.description = "page-locked arrays copied in chunks, each added while the next is copied";
  variant.home = Home::host;
  variant.tunables = tunables<Chunks>({{"chunk_mib", &Chunks::chunk_mib, {1, 2, 4, 8, 16, 32, 64}},
                                       {"streams", &Chunks::streams, {1, 2, 3, 4}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.prepare = prepare;
  variant.release = release;
  return variant;
}

}  // namespace sextant
