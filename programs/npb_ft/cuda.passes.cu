#include "gpu_state.cuh"
#include "lines.cuh"
#include "suite/choices.hpp"

// Every dimension of every transform is one read and one write of the field, and nothing else touches it: the
// start is made where the first transform would read it, the decay is applied as the inverse one reads U, the
// checksum's points are put aside as the last one writes w, and are added up in the end. Parts are exchanged
// before and after the forward transform (by who makes the start, by who reads U), which makes the inverse
// one do for both.
//
// Bytes: 16 for every point and pass, read and written: (5 + 6 iterations) 16 N. At 4.3 TB/s that is 15.6 ms
// for class B, 62.4 ms for C, 1.24 s for D. `chunk` aims below that: the passes along y and x go over so many
// MiB of planes at a time that the second finds them in the cache; at best (3 + 4 iterations) 16 N bytes are
// left, a third less.
namespace sextant {
namespace {

using namespace npb_ft;

enum Tuning { points_x, points_yz, columns, threads_x, chunk };
constexpr int side_streams = 2;

struct State {
  GpuFields<Pair> fields;
  DeviceMemory<Pair> factors, captured;
  DeviceMemory<double> decay;
  cudaStream_t streams[side_streams] = {};
  cudaEvent_t begun = nullptr, ended[side_streams] = {};
  ~State() {
    for (cudaStream_t stream : streams)
      if (stream) cudaStreamDestroy(stream);
    for (cudaEvent_t event : ended)
      if (event) cudaEventDestroy(event);
    if (begun) cudaEventDestroy(begun);
  }
};

// The factors of x, y and z, each as its transform wants them.
__global__ void fill_factors(Extents e, int points_along_x, int points_along_yz, Pair* factors) {
  const int index = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (index >= e.x + e.y + e.z) return;
  const AxisIndex at = axis_index(e, index);
  const int n = static_cast<int>(at.n), points = at.axis == 0 ? points_along_x : points_along_yz;
  factors[index] = factor_at(static_cast<int>(at.i), n, min(n, points));
}

__global__ void add_captured(const Pair* captured, double scale, Complex* sums) {
  captured += static_cast<std::int64_t>(blockIdx.x) * checksum_points;
  add_points<Pair>([=](int j) { return captured[j - 1]; }, scale, sums);
}

// Lines along x that a block takes; never more than there are.
int lines_of(const Problem& problem, const int* tuning) {
  const Extents& e = problem.extents;
  const std::int64_t threads = e.x / std::min<std::int64_t>(e.x, tuning[points_x]);
  return static_cast<int>(std::clamp<std::int64_t>(tuning[threads_x] / threads, 1, e.y));
}

int columns_of(const Problem& problem, const int* tuning) {
  return static_cast<int>(std::min<std::int64_t>(tuning[columns], problem.extents.x));
}

// The passes of one field, with what they have in common.
struct Program {
  const Call& call;
  const State& state;
  const Extents& e;
  std::int64_t plane;

  explicit Program(const Call& call_)
      : call(call_),
        state(*static_cast<const State*>(call_.state)),
        e(call_.problem.extents),
        plane(e.x * e.y) {}

  void along_x(cudaStream_t stream, Pair* data, bool generate, Pair* captured, std::int64_t first_plane,
               std::int64_t planes) const {
    const XPass pass = {data,
                        state.factors.data,
                        generate,
                        captured,
                        static_cast<int>(e.y),
                        static_cast<int>(e.z),
                        first_plane * e.y};
    with_line(e.x, call.tuning[points_x], [&]<int n, int points>() {
      const int lines = lines_of(call.problem, call.tuning);
      const std::size_t shared = sizeof(Pair) * lines * exchange_elements(n, points);
      transform_x<n, points>
          <<<static_cast<unsigned>(planes * e.y / lines), dim3(n / points, lines), shared, stream>>>(pass);
    });
  }

  void along(std::int64_t length, cudaStream_t stream, const YzPass& pass, std::int64_t others) const {
    with_line(length, call.tuning[points_yz], [&]<int n, int points>() {
      const int width = columns_of(call.problem, call.tuning);
      const std::size_t shared = sizeof(Pair) * width * exchange_elements(n, points);
      const dim3 grid(static_cast<unsigned>(e.x / width), static_cast<unsigned>(others));
      transform_yz<n, points><<<grid, dim3(width, n / points), shared, stream>>>(pass);
    });
  }

  void along_y(cudaStream_t stream, Pair* data, std::int64_t first_plane, std::int64_t planes) const {
    Pair* const first = data + first_plane * plane;
    along(e.y, stream, {first, first, state.factors.data + e.x, e.x, plane, nullptr, nullptr, nullptr},
          planes);
  }

  // From U to w with the decay of step t, or in place with t = 0.
  void along_z(cudaStream_t stream, const Pair* from, Pair* to, std::int64_t t) const {
    const double* decays = state.decay.data + (t - 1) * axis_entries(e);
    YzPass pass = {from, to, state.factors.data + e.x + e.y, plane, e.x, nullptr, nullptr, nullptr};
    if (t > 0) pass.of_x = decays, pass.of_other = decays + e.x, pass.of_line = decays + e.x + e.y;
    along(e.z, stream, pass, e.y);
  }

  // x then y of the start, or y then x of w, a chunk of planes at a time on streams that take turns.
  void in_chunks(cudaStream_t stream, Pair* data, bool generate, Pair* captured) const {
    const std::int64_t wanted = (static_cast<std::int64_t>(call.tuning[chunk]) << 20) / (plane * 16);
    std::int64_t planes = 1;
    while (2 * planes <= wanted && planes < e.z) planes *= 2;
    cudaEventRecord(state.begun, stream);
    for (cudaStream_t side : state.streams) cudaStreamWaitEvent(side, state.begun, 0);
    for (std::int64_t first = 0, turn = 0; first < e.z; first += planes, ++turn) {
      const cudaStream_t side = state.streams[turn % side_streams];
      if (generate) along_x(side, data, true, nullptr, first, planes);
      along_y(side, data, first, planes);
      if (!generate) along_x(side, data, false, captured, first, planes);
    }
    for (int i = 0; i < side_streams; ++i) {
      cudaEventRecord(state.ended[i], state.streams[i]);
      cudaStreamWaitEvent(stream, state.ended[i], 0);
    }
  }

  void forward(cudaStream_t stream, Pair* u) const {
    if (call.tuning[chunk]) {
      call.phase("fft_xy");
      in_chunks(stream, u, true, nullptr);
    } else {
      call.phase("fft_x");
      along_x(stream, u, true, nullptr, 0, e.z);
      call.phase("fft_y");
      along_y(stream, u, 0, e.z);
    }
    call.phase("fft_z");
    along_z(stream, u, u, 0);
  }

  void step(cudaStream_t stream, std::int64_t t, const Pair* u, Pair* w) const {
    Pair* const captured = state.captured.data + (t - 1) * checksum_points;
    call.phase("fft_z");  // and the decay
    along_z(stream, u, w, t);
    if (call.tuning[chunk]) {
      call.phase("fft_xy");
      in_chunks(stream, w, false, captured);
      return;
    }
    call.phase("fft_y");
    along_y(stream, w, 0, e.z);
    call.phase("fft_x");
    along_x(stream, w, false, captured, 0, e.z);
  }
};

void launch(const Call& call) {
  const Program program(call);
  const State& state = program.state;
  const Extents& e = program.e;
  const cudaStream_t stream = stream_of(call);
  const int steps = static_cast<int>(iterations(call.problem));
  call.phase("setup");
  fill_decay<<<blocks_for(steps * axis_entries(e), 256), 256, 0, stream>>>(e, steps, state.decay.data);
  fill_factors<<<blocks_for(axis_entries(e), 256), 256, 0, stream>>>(
      e, call.tuning[points_x], call.tuning[points_yz], state.factors.data);
  program.forward(stream, state.fields.u);
  for (int t = 1; t <= steps; ++t) program.step(stream, t, state.fields.u, state.fields.w);
  call.phase("checksum");
  add_captured<<<static_cast<unsigned>(steps), 256, 0, stream>>>(
      state.captured.data, 1.0 / static_cast<double>(e.count()), call.array<Complex>(checksums));
  call.phase("");
}

// More shared memory than the 48 KiB that every kernel may have must be asked for.
const char* allow_shared_memory(const Call& call) {
  const Extents& e = call.problem.extents;
  cudaError_t error = cudaSuccess;
  const auto allow = [&](const void* kernel, int elements) {
    const cudaError_t one = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                 static_cast<int>(sizeof(Pair)) * elements);
    if (one != cudaSuccess) error = one;
  };
  with_line(e.x, call.tuning[points_x], [&]<int n, int points>() {
    allow(reinterpret_cast<const void*>(transform_x<n, points>),
          lines_of(call.problem, call.tuning) * exchange_elements(n, points));
  });
  for (const std::int64_t length : {e.y, e.z})
    with_line(length, call.tuning[points_yz], [&]<int n, int points>() {
      allow(reinterpret_cast<const void*>(transform_yz<n, points>),
            columns_of(call.problem, call.tuning) * exchange_elements(n, points));
    });
  return error == cudaSuccess ? nullptr : cudaGetErrorString(error);
}

void release(void* state) { delete static_cast<State*>(state); }

std::int64_t table_bytes(const Problem& problem) {
  const std::int64_t entries = axis_entries(problem.extents), steps = iterations(problem);
  return entries * (16 + 8 * steps) + 16 * steps * checksum_points;
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  const std::int64_t entries = axis_entries(call.problem.extents), steps = iterations(call.problem);
  if (const char* why_not = made->fields.make(call)) return why_not;
  if (!made->factors.allocate(entries) || !made->decay.allocate(steps * entries) ||
      !made->captured.allocate(steps * checksum_points))
    return "device memory ran out";
  if (const char* why_not = allow_shared_memory(call)) return why_not;
  if (call.tuning[chunk]) {
    bool good = cudaEventCreateWithFlags(&made->begun, cudaEventDisableTiming) == cudaSuccess;
    for (int i = 0; i < side_streams; ++i)
      good = good && cudaStreamCreateWithFlags(&made->streams[i], cudaStreamNonBlocking) == cudaSuccess &&
             cudaEventCreateWithFlags(&made->ended[i], cudaEventDisableTiming) == cudaSuccess;
    if (!good) return "CUDA gave no streams";
  }
  *state = made.release();
  return nullptr;
}

const char* constraint(const Problem& problem, const int* tuning) {
  const Extents& e = problem.extents;
  // Registers for 8192 elements are what a multiprocessor has.
  if (std::max(e.y, e.z) * columns_of(problem, tuning) > 8192) return "more than 8192 elements a block";
  if (e.x * lines_of(problem, tuning) > 8192) return "more than 8192 elements a block along x";
  return nullptr;
}

// Two blocks a multiprocessor, so that one computes while the other waits for memory; 128 bytes a row if that
// allows it.
void adapt(const Problem& problem, int* tuning) {
  const Extents& e = problem.extents;
  const std::int64_t longest_line = std::max(e.y, e.z);
  tuning[columns] = longest_line <= 512 ? 8 : longest_line == 1024 ? 4 : 2;
}

}  // namespace

Variant npb_ft_cuda_passes() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "one read and write a dimension: lines in registers, radix 8 or 16, all else fused";
  variant.tunables = {{"points_x", {8, 16}, 8},
                      {"points_yz", {8, 16}, 8},
                      {"columns", {2, 4, 8, 16, 32}, 8},
                      {"threads_x", {32, 64, 128, 256, 512}, 128},
                      {"chunk", {0, 4, 8, 16, 24, 32}, 0}};
  variant.launch = {.float64 = launch};
  variant.constraint = constraint;
  variant.adapt = adapt;
  variant.prepare = prepare;
  variant.release = release;
  variant.workspace = [](const Problem& problem, const int*) {
    return state_bytes(problem) + table_bytes(problem);
  };
  return variant;
}

}  // namespace sextant
