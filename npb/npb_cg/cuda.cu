#include <cmath>

#include "rows.cuh"
#include "steps.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/cuda/vector.cuh"

// The published CUDA version: one kernel per loop. In the matrix-vector product each row has one thread block
// with a tree reduction in shared memory. The host copies and adds the partial sums of dot products, so it
// waits three times per step. The product is a template argument.
namespace sextant::npb_cg {
namespace {

// Returns the sum of `mine` over all threads of a block, whose size must be a power of two.
__device__ __forceinline__ double tree_sum(double mine, double* shared) {
  const int thread = static_cast<int>(threadIdx.x);
  shared[thread] = mine;
  for (int half = static_cast<int>(blockDim.x) / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) shared[thread] += shared[thread + half];
  }
  __syncthreads();
  return shared[0];
}

__global__ void multiply_rows(const std::int64_t* __restrict__ row, const std::int32_t* __restrict__ column,
                              const double* __restrict__ value, const double* __restrict__ p, double* q) {
  extern __shared__ double shared[];
  const std::int64_t i = blockIdx.x;
  double sum = 0;
  for (std::int64_t e = row[i] + threadIdx.x; e < row[i + 1]; e += blockDim.x) sum += value[e] * p[column[e]];
  sum = tree_sum(sum, shared);
  if (threadIdx.x == 0) q[i] = sum;
}

__global__ void dot_parts(std::int64_t n, const double* a, const double* b, double* parts) {
  extern __shared__ double shared[];
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const double sum = tree_sum(i < n ? a[i] * b[i] : 0, shared);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

__global__ void square_of_difference_parts(std::int64_t n, const double* a, const double* b, double* parts) {
  extern __shared__ double shared[];
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const double off = i < n ? a[i] - b[i] : 0;
  const double sum = tree_sum(off * off, shared);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

__global__ void set_to(std::int64_t n, double value, double* to) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = value;
}

// Computes to = a + factor * b.
__global__ void combine(std::int64_t n, const double* a, double factor, const double* b, double* to) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) to[i] = a[i] + factor * b[i];
}

struct StudyState {
  DeviceRows rows;
  DeviceMemory<double> parts;
  double* host_parts = nullptr;  // partial sums on the host, page-locked
  int block = 64;

  StudyState() = default;
  StudyState(const StudyState&) = delete;
  StudyState& operator=(const StudyState&) = delete;
  ~StudyState() { cudaFreeHost(host_parts); }

  unsigned blocks(std::int64_t n) const { return blocks_for(n, block); }
  const char* make(const Problem& problem, int block_size) {
    block = block_size;
    const std::int64_t count = blocks(problem.extents.x);
    if (const char* why_not = rows.make(problem)) return why_not;
    return parts.allocate(count) &&
                   cudaMallocHost(reinterpret_cast<void**>(&host_parts),
                                  static_cast<std::size_t>(count) * sizeof(double)) == cudaSuccess
               ? nullptr
               : "device memory ran out";
  }
};

// The published CG program. multiply(p, q) must enqueue the product q = A p on the call's stream.
template <typename Multiply>
class Study {
 public:
  Study(const Call& call, const StudyState& state, const Multiply& multiply)
      : call_(call),
        state_(state),
        multiply_(multiply),
        n_(call.problem.extents.x),
        stream_(stream_of(call)),
        x_(state.rows.vectors.data),
        z_(x_ + n_),
        r_(z_ + n_),
        p_(r_ + n_),
        q_(p_ + n_) {}

  void run() {
    const Problem& problem = call_.problem;
    set(1, x_);
    for (std::int64_t it = 0; it < iterations(problem); ++it) {
      call_.phase("conj_grad");
      const double rnorm = solve();
      call_.phase("norm");
      const double found[2] = {shift(problem) + 1 / dot(x_, z_), rnorm};
      const double scale = 1 / std::sqrt(dot(z_, z_));
      set(0, x_);
      add(x_, scale, z_, x_);
      for (int a : {zetas, residuals})
        cudaMemcpyAsync(call_.array<double>(a) + (with_vector(problem) ? it : 0), found + a, sizeof(double),
                        cudaMemcpyHostToDevice, stream_);
    }
    call_.phase("");
    if (with_vector(problem))
      cudaMemcpyAsync(call_.array<double>(eigenvector), x_, static_cast<std::size_t>(n_) * sizeof(double),
                      cudaMemcpyDeviceToDevice, stream_);
  }

 private:
  unsigned blocks() const { return state_.blocks(n_); }
  unsigned threads() const { return static_cast<unsigned>(state_.block); }

  void set(double value, double* to) const { set_to<<<blocks(), threads(), 0, stream_>>>(n_, value, to); }
  void add(const double* a, double factor, const double* b, double* to) const {
    combine<<<blocks(), threads(), 0, stream_>>>(n_, a, factor, b, to);
  }

  double sum_of_parts() const {
    cudaMemcpyAsync(state_.host_parts, state_.parts.data, blocks() * sizeof(double), cudaMemcpyDeviceToHost,
                    stream_);
    cudaStreamSynchronize(stream_);
    double sum = 0;
    for (unsigned b = 0; b < blocks(); ++b) sum += state_.host_parts[b];
    return sum;
  }
  double dot(const double* a, const double* b) const {
    dot_parts<<<blocks(), threads(), threads() * sizeof(double), stream_>>>(n_, a, b, state_.parts.data);
    return sum_of_parts();
  }

  // Solves A z = x approximately by conjugate gradients and returns the norm of x - A z.
  double solve() const {
    set(0, z_);
    cudaMemcpyAsync(r_, x_, static_cast<std::size_t>(n_) * sizeof(double), cudaMemcpyDeviceToDevice, stream_);
    cudaMemcpyAsync(p_, x_, static_cast<std::size_t>(n_) * sizeof(double), cudaMemcpyDeviceToDevice, stream_);
    double rho = dot(r_, r_);
    for (int inner = 0; inner < inner_iterations; ++inner) {
      multiply_(p_, q_);
      const double alpha = rho / dot(p_, q_), before = rho;
      add(z_, alpha, p_, z_);
      add(r_, -alpha, q_, r_);
      rho = dot(r_, r_);
      add(r_, rho / before, p_, p_);
    }
    multiply_(z_, q_);
    square_of_difference_parts<<<blocks(), threads(), threads() * sizeof(double), stream_>>>(
        n_, x_, q_, state_.parts.data);
    return std::sqrt(sum_of_parts());
  }

  const Call& call_;
  const StudyState& state_;
  const Multiply& multiply_;
  std::int64_t n_;
  cudaStream_t stream_;
  double *x_, *z_, *r_, *p_, *q_;
};

}  // namespace
}  // namespace sextant::npb_cg

namespace sextant {
namespace {

using namespace npb_cg;

namespace rows {

using Lanes = Choices<4, 8, 16, 32>;

struct Shape {
  int lanes = 32, block_size = 256;
};

struct State {
  DeviceRows rows;
  DeviceMemory<double> parts;
};

// Computes q = A p with `lanes` lanes per row, which read consecutive nonzeros of the row.
template <int lanes>
__global__ void multiply_by_lanes(std::int64_t n, const std::int64_t* __restrict__ row,
                                  const std::int32_t* __restrict__ column, const double* __restrict__ value,
                                  const double* p, double* q) {
  const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x) / lanes;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  double sum = 0;
  if (i < n) {
    const std::int64_t end = row[i + 1];
#pragma unroll 4
    for (std::int64_t e = row[i] + lane; e < end; e += lanes)
      sum += __ldcs(value + e) * p[__ldcs(column + e)];
  }
#pragma unroll
  for (int distance = lanes / 2; distance > 0; distance /= 2) sum += __shfl_xor_sync(~0u, sum, distance);
  if (i < n && lane == 0) q[i] = sum;
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const auto shape = call.tuned<Shape>();
  const std::int64_t n = call.problem.extents.x;
  run_in_steps(call, state.rows, state.parts.data, [&](const double* p, double* q) {
    Lanes::with(shape.lanes, [&]<int lanes>() {
      multiply_by_lanes<lanes>
          <<<blocks_for(n * lanes, shape.block_size), static_cast<unsigned>(shape.block_size), 0,
             stream_of(call)>>>(n, state.rows.row.data, state.rows.column.data, state.rows.value.data, p, q);
    });
  });
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  if (const char* why_not = made->rows.make(call.problem)) return why_not;
  if (!made->parts.allocate(parts_count)) return "device memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace rows

namespace study {

struct Block {
  int block_size = 64;
};

void launch(const Call& call) {
  const auto& state = *static_cast<const StudyState*>(call.state);
  const auto multiply = [&](const double* p, double* q) {
    const auto threads = static_cast<unsigned>(state.block);
    multiply_rows<<<static_cast<unsigned>(call.problem.extents.x), threads, threads * sizeof(double),
                    stream_of(call)>>>(state.rows.row.data, state.rows.column.data, state.rows.value.data, p,
                                       q);
  };
  Study(call, state, multiply).run();
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<StudyState>();
  if (const char* why_not = made->make(call.problem, call.tuned<Block>().block_size)) return why_not;
  *state = made.release();
  return nullptr;
}

}  // namespace study

}  // namespace

std::vector<Variant> npb_cg_cuda() {
  return {
      {.name = "rows",
       .description =
           "compressed sparse rows, several lanes per row; four launches per step; no waiting on the host",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<rows::Shape>({{"lanes", &rows::Shape::lanes, rows::Lanes::list()},
                                          {"block_size", &rows::Shape::block_size, {128, 256, 512}}}),
       .launch = {.float64 = rows::launch},
       .prepare = rows::prepare,
       .release = [](void* state) { delete static_cast<rows::State*>(state); },
       .workspace = rows_workspace},
      {.name = "study",
       .description =
           "the published form: one block per row, one kernel per loop; the host adds partial sums",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<study::Block>({{"block_size", &study::Block::block_size, BlockSizes::list()}}),
       .launch = {.float64 = study::launch},
       .prepare = study::prepare,
       .release = [](void* state) { delete static_cast<StudyState*>(state); },
       .workspace = rows_workspace},
  };
}

}  // namespace sextant
