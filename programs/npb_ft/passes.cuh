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
#pragma once

#include "gpu_state.cuh"
#include "lines.cuh"

namespace sextant::npb_ft {
namespace {

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

}  // namespace
}  // namespace sextant::npb_ft
