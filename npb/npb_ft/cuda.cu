#include <algorithm>
#include <cmath>
#include <thread>

#include "gpu_state.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

// Variant cuda.study follows a published study: three kernels per dimension that work in global memory.
// copy_in copies the field to y. transform uses one thread per line and radix-2 passes (Stockham FFT) that
// alternate between y and a second array. copy_out copies the result back. Along x, y has the layout
// [z][x][y], so that adjacent threads access adjacent memory; along y and z it has [z][y][x].
//
// Four host threads set up four arrays at the same time. The host computes the table `ex` (powers of the
// decay factor) and the roots of unity. Kernels compute the exponents (index_map) and, from one seed per
// plane, the initial field.
//
// Each dimension and iteration accesses 2 log2 n + 4 fields in memory, compared with 2 for cuda.passes. Five
// arrays have the field's size (68 bytes per point in total), so NAS class D does not fit.
namespace sextant::npb_ft {
namespace {

struct State {
  GpuFields<Complex> fields;  // the fields U and w
  DeviceMemory<Complex> y0, y1, roots;
  DeviceMemory<int> index_map;
  DeviceMemory<double> ex;
  DeviceMemory<std::uint64_t> seeds;
  double* host_ex = nullptr;  // page-locked copy of `ex`
  Complex* host_roots = nullptr;
  std::uint64_t* host_seeds = nullptr;
  cudaStream_t streams[4] = {};
  cudaEvent_t begun = nullptr, done[4] = {};
  ~State() {
    for (void* host :
         {static_cast<void*>(host_ex), static_cast<void*>(host_roots), static_cast<void*>(host_seeds)})
      cudaFreeHost(host);
    for (cudaStream_t stream : streams)
      if (stream) cudaStreamDestroy(stream);
    for (cudaEvent_t event : done)
      if (event) cudaEventDestroy(event);
    if (begun) cudaEventDestroy(begun);
  }
};

// Number of elements of `ex`, the table of powers of the decay factor. The exponents are t (kx^2 + ky^2 +
// kz^2) for all steps t.
std::int64_t ex_entries(const Problem& problem) {
  const Extents& e = problem.extents;
  return iterations(problem) * (e.x * e.x + e.y * e.y + e.z * e.z) / 4 + 1;
}

__global__ void fill_index_map(Extents e, int* map) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= e.count()) return;
  const std::int64_t x = wave_number(i % e.x, e.x), y = wave_number(i / e.x % e.y, e.y),
                     z = wave_number(i / e.x / e.y, e.z);
  map[i] = static_cast<int>(x * x + y * y + z * z);
}

// Computes the initial field with one thread per plane, because each random number depends on the previous
// one.
__global__ void fill_start(Extents e, const std::uint64_t* seeds, Complex* u) {
  const std::int64_t z = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (z >= e.z) return;
  std::uint64_t state = seeds[z];
  for (std::int64_t i = z * e.x * e.y; i < (z + 1) * e.x * e.y; ++i) {
    u[i].re = npb::random_value(state = npb::random_next(state));
    u[i].im = npb::random_value(state = npb::random_next(state));
  }
}

__global__ void evolve(std::int64_t count, int t, const double* ex, const int* map, const Complex* u,
                       Complex* w) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const double factor = ex[static_cast<std::int64_t>(t) * map[i]];
  w[i] = {u[i].re * factor, u[i].im * factor};
}

// Layout of y along one dimension. Element k of line l has index first(l) + k * stride.
struct Layout {
  std::int64_t n, stride, lines, together, group;
  __device__ std::int64_t first(std::int64_t line) const { return line / together * group + line % together; }
};

// Returns the index in y of element i of the field, which is [z][y][x].
__device__ std::int64_t place(const Extents& e, bool along_x, std::int64_t i) {
  if (!along_x) return i;
  const std::int64_t x = i % e.x, y = i / e.x % e.y, z = i / e.x / e.y;
  return (z * e.x + x) * e.y + y;
}

__global__ void copy_in(Extents e, bool along_x, const Complex* field, Complex* y) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < e.count()) y[place(e, along_x, i)] = field[i];
}

__global__ void copy_out(Extents e, bool along_x, const Complex* y, Complex* field) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < e.count()) field[i] = y[place(e, along_x, i)];
}

// Transforms one line per thread. The result is in y0 if log2 n is even, else in y1. roots[j * step] must be
// exp(2 pi i j / n).
__global__ void transform(Layout at, const Complex* roots, std::int64_t step, double sign, Complex* y0,
                          Complex* y1) {
  const std::int64_t line = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (line >= at.lines) return;
  Complex *from = y0 + at.first(line), *to = y1 + at.first(line);
  for (std::int64_t half = at.n / 2, together = 1; half >= 1; half /= 2, together *= 2) {
    for (std::int64_t p = 0; p < half; ++p) {
      const Complex root = roots[p * together * step];
      const double re = root.re, im = sign * root.im;
      for (std::int64_t q = 0; q < together; ++q) {
        const Complex a = from[(q + together * p) * at.stride],
                      b = from[(q + together * (p + half)) * at.stride];
        const double d_re = a.re - b.re, d_im = a.im - b.im;
        to[(q + 2 * together * p) * at.stride] = {a.re + b.re, a.im + b.im};
        to[(q + 2 * together * p + together) * at.stride] = {d_re * re - d_im * im, d_re * im + d_im * re};
      }
    }
    Complex* const other = from;
    from = to;
    to = other;
  }
}

__global__ void add(Extents e, const Complex* w, Complex* sum) {
  add_points<Complex>([=](int j) { return w[checksum_index(e, j)]; }, 1.0 / static_cast<double>(e.count()),
                      sum);
}

struct Program {
  const Call& call;
  const State& state;
  const Extents& e;
  cudaStream_t stream;
  unsigned block;

  unsigned blocks(std::int64_t items) const { return blocks_for(items, block); }

  void along(int axis, double sign, Complex* data) const {
    static constexpr const char* names[] = {"fft_x", "fft_y", "fft_z"};
    call.phase(names[axis]);
    const std::int64_t plane = e.x * e.y;
    const Layout layouts[] = {
        {e.x, e.y, e.y * e.z, e.y, plane}, {e.y, e.x, e.x * e.z, e.x, plane}, {e.z, plane, plane, plane, 0}};
    const Layout& layout = layouts[axis];
    copy_in<<<blocks(e.count()), block, 0, stream>>>(e, axis == 0, data, state.y0.data);
    transform<<<blocks(layout.lines), block, 0, stream>>>(layout, state.roots.data, longest_of(e) / layout.n,
                                                          sign, state.y0.data, state.y1.data);
    bool odd = false;
    for (std::int64_t n = layout.n; n > 1; n /= 2) odd = !odd;
    copy_out<<<blocks(e.count()), block, 0, stream>>>(e, axis == 0, odd ? state.y1.data : state.y0.data,
                                                      data);
  }

  void set_ex() const {
    const std::int64_t entries = ex_entries(call.problem);
    for (std::int64_t k = 0; k < entries; ++k)
      state.host_ex[k] = std::exp(-4 * diffusion * pi * pi * static_cast<double>(k));
    cudaMemcpyAsync(state.ex.data, state.host_ex, sizeof(double) * entries, cudaMemcpyHostToDevice,
                    state.streams[0]);
  }
  void set_index_map() const {
    fill_index_map<<<blocks(e.count()), block, 0, state.streams[1]>>>(e, state.index_map.data);
  }
  void set_start() const {
    for (std::int64_t z = 0; z < e.z; ++z)
      state.host_seeds[z] = npb::random_skip(npb::other_seed, static_cast<std::uint64_t>(2 * e.x * e.y * z));
    cudaMemcpyAsync(state.seeds.data, state.host_seeds, sizeof(std::uint64_t) * e.z, cudaMemcpyHostToDevice,
                    state.streams[2]);
    fill_start<<<blocks(e.z), block, 0, state.streams[2]>>>(e, state.seeds.data, state.fields.u);
  }
  void set_roots() const {
    const std::int64_t n = longest_of(e);
    for (std::int64_t k = 0; k < n; ++k) {
      const double angle = 2 * pi * static_cast<double>(k) / static_cast<double>(n);
      state.host_roots[k] = {std::cos(angle), std::sin(angle)};
    }
    cudaMemcpyAsync(state.roots.data, state.host_roots, sizeof(Complex) * n, cudaMemcpyHostToDevice,
                    state.streams[3]);
  }

  // Sets up the four arrays at the same time, each with its own host thread and stream. First waits for the
  // previous launch, which may still copy from the host's tables.
  void set_up() const {
    cudaEventRecord(state.begun, stream);
    cudaEventSynchronize(state.begun);
    int device = 0;
    cudaGetDevice(&device);
    const auto on_device = [device](auto&& work) {
      cudaSetDevice(device);
      work();
    };
    std::thread ex([&] { on_device([&] { set_ex(); }); }), map([&] { on_device([&] { set_index_map(); }); }),
        start([&] { on_device([&] { set_start(); }); }), roots([&] { on_device([&] { set_roots(); }); });
    for (std::thread* thread : {&ex, &map, &start, &roots}) thread->join();
    for (int i = 0; i < 4; ++i) {
      cudaEventRecord(state.done[i], state.streams[i]);
      cudaStreamWaitEvent(stream, state.done[i], 0);
    }
  }
};

}  // namespace
}  // namespace sextant::npb_ft

namespace sextant {
namespace {

using namespace npb_ft;

struct Block {
  int block_size = 128;
};

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const Extents& e = call.problem.extents;
  const Program program{call, state, e, stream_of(call),
                        static_cast<unsigned>(call.tuned<Block>().block_size)};
  call.phase("setup");
  program.set_up();
  for (int axis = 0; axis < 3; ++axis) program.along(axis, 1, state.fields.u);
  for (int t = 1; t <= iterations(call.problem); ++t) {
    call.phase("evolve");
    evolve<<<program.blocks(e.count()), program.block, 0, program.stream>>>(
        e.count(), t, state.ex.data, state.index_map.data, state.fields.u, state.fields.w);
    for (int axis = 2; axis >= 0; --axis) program.along(axis, -1, state.fields.w);
    call.phase("checksum");
    add<<<1, 256, 0, program.stream>>>(e, state.fields.w, call.array<Complex>(checksums) + t - 1);
  }
  call.phase("");
}

std::int64_t workspace(const Problem& problem, const int*) {
  const Extents& e = problem.extents;
  return state_bytes(problem) + 2 * field_bytes(problem) + 4 * e.count() + 8 * (ex_entries(problem) + e.z) +
         16 * longest_of(e);
}

// Allocates pinned host memory, which asynchronous copies need.
template <typename T>
bool allocate_host(std::int64_t count, T** to) {
  return cudaMallocHost(reinterpret_cast<void**>(to), static_cast<std::size_t>(count) * sizeof(T)) ==
         cudaSuccess;
}

bool allocate(const Problem& problem, State& state) {
  const Extents& e = problem.extents;
  const std::int64_t entries = ex_entries(problem), longest_line = longest_of(e);
  return state.y0.allocate(e.count()) && state.y1.allocate(e.count()) && state.roots.allocate(longest_line) &&
         state.index_map.allocate(e.count()) && state.ex.allocate(entries) && state.seeds.allocate(e.z) &&
         allocate_host(entries, &state.host_ex) && allocate_host(longest_line, &state.host_roots) &&
         allocate_host(e.z, &state.host_seeds);
}

bool create_streams(State& state) {
  bool good = cudaEventCreateWithFlags(&state.begun, cudaEventDisableTiming) == cudaSuccess;
  for (int i = 0; i < 4; ++i)
    good = good && cudaStreamCreateWithFlags(&state.streams[i], cudaStreamNonBlocking) == cudaSuccess &&
           cudaEventCreateWithFlags(&state.done[i], cudaEventDisableTiming) == cudaSuccess;
  return good;
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  if (const char* why_not = made->fields.make(call)) return why_not;
  if (!allocate(call.problem, *made)) {
    cudaGetLastError();
    return "memory ran out";
  }
  if (!create_streams(*made)) return "CUDA could not create streams";
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_ft_cuda() {
  return {{.name = "study",
           .description =
               "the study's form: three kernels per dimension, one thread per line; four arrays set up "
               "concurrently",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}}),
           .launch = {.float64 = launch},
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = workspace}};
}

}  // namespace sextant
