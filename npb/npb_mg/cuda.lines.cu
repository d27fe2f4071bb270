// Variant cuda.lines follows the published CUDA version: one kernel per operator and one thread block per
// line along x. A block first sums the lines around its own line in shared memory. Grids are periodic and
// have halo layers, which three kernels update after every operator. Coarser grids are set to zero before
// each interpolation.
//
// Every operator reads and writes whole fields: at least 98 bytes per point of the finest grid and cycle.
// Lines are read up to nine times through the L2 cache.
#include <algorithm>
#include <memory>
#include <vector>

#include "charges.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using namespace npb_mg;

struct Block {
  int block_size = 128;
};

// A field of side n with a halo layer. Its indices are -1 … n in each direction.
struct Padded {
  double* data;
  int n;
  __host__ __device__ std::int64_t pitch() const { return n + 2; }
  __host__ __device__ std::int64_t count() const { return pitch() * pitch() * pitch(); }
  // Returns the address of element 0 of the line at (y, z).
  __device__ __forceinline__ double* line(int z, int y) const {
    return data + ((z + 1) * pitch() + (y + 1)) * pitch() + 1;
  }
};

// Sums of the lines next to the block's line: of the four at its sides and of the four at its diagonals.
// Their indices are -1 <= x <= n.
struct Lines {
  double *side, *diagonal;
  __device__ Lines(double* shared, int n) : side(shared + 1), diagonal(shared + n + 3) {}
};

__device__ inline void add_lines(const Padded& f, int z, int y, const Lines& to) {
  const double *const north = f.line(z, y + 1), *const south = f.line(z, y - 1), *const up = f.line(z + 1, y),
                      *const down = f.line(z - 1, y);
  const double *const a = f.line(z - 1, y - 1), *const b = f.line(z - 1, y + 1),
                      *const c = f.line(z + 1, y - 1), *const d = f.line(z + 1, y + 1);
  for (int x = static_cast<int>(threadIdx.x) - 1; x <= f.n; x += static_cast<int>(blockDim.x)) {
    to.side[x] = (south[x] + north[x]) + (down[x] + up[x]);
    to.diagonal[x] = (a[x] + b[x]) + (c[x] + d[x]);
  }
  __syncthreads();
}

// Computes the residual r = v - A u.
__global__ void residual(Padded u, Padded v, Padded r) {
  extern __shared__ double shared[];
  const Lines lines(shared, u.n);
  const int y = static_cast<int>(blockIdx.x), z = static_cast<int>(blockIdx.y);
  add_lines(u, z, y, lines);
  for (int x = static_cast<int>(threadIdx.x); x < u.n; x += static_cast<int>(blockDim.x))
    r.line(z, y)[x] = v.line(z, y)[x] - a_centre * u.line(z, y)[x] -
                      a_edge * (lines.diagonal[x] + lines.side[x - 1] + lines.side[x + 1]) -
                      a_corner * (lines.diagonal[x - 1] + lines.diagonal[x + 1]);
}

// Smooths u: computes u += S r.
__global__ void smooth(Smoother s, Padded r, Padded u) {
  extern __shared__ double shared[];
  const Lines lines(shared, u.n);
  const int y = static_cast<int>(blockIdx.x), z = static_cast<int>(blockIdx.y);
  add_lines(r, z, y, lines);
  const double* const own = r.line(z, y);
  for (int x = static_cast<int>(threadIdx.x); x < u.n; x += static_cast<int>(blockDim.x))
    u.line(z, y)[x] += s.centre * own[x] + s.face * (own[x - 1] + own[x + 1] + lines.side[x]) +
                       s.edge * (lines.diagonal[x] + lines.side[x - 1] + lines.side[x + 1]);
}

__global__ void restrict_lines(Padded fine, Padded coarse) {
  extern __shared__ double shared[];
  const Lines lines(shared, fine.n);
  const int y = static_cast<int>(blockIdx.x), z = static_cast<int>(blockIdx.y);
  add_lines(fine, 2 * z + 1, 2 * y + 1, lines);
  const double* const own = fine.line(2 * z + 1, 2 * y + 1);
  for (int c = static_cast<int>(threadIdx.x); c < coarse.n; c += static_cast<int>(blockDim.x)) {
    const int x = 2 * c + 1;
    coarse.line(z, y)[c] = 0.5 * own[x] + 0.25 * (own[x - 1] + own[x + 1] + lines.side[x]) +
                           0.125 * (lines.diagonal[x] + lines.side[x - 1] + lines.side[x + 1]) +
                           0.0625 * (lines.diagonal[x - 1] + lines.diagonal[x + 1]);
  }
}

// Computes u += Q z, where Q is the interpolation from the coarse grid. Each line of the fine grid has one
// thread block.
__global__ void interpolate(Padded coarse, Padded u) {
  extern __shared__ double shared[];
  double* const sum = shared + 1;
  const int y = static_cast<int>(blockIdx.x), z = static_cast<int>(blockIdx.y);
  const int y0 = (y - 1) >> 1, y1 = y >> 1, z0 = (z - 1) >> 1, z1 = z >> 1;
  for (int c = static_cast<int>(threadIdx.x) - 1; c < coarse.n; c += static_cast<int>(blockDim.x))
    sum[c] = 0.25 * ((coarse.line(z0, y0)[c] + coarse.line(z0, y1)[c]) +
                     (coarse.line(z1, y0)[c] + coarse.line(z1, y1)[c]));
  __syncthreads();
  for (int x = static_cast<int>(threadIdx.x); x < u.n; x += static_cast<int>(blockDim.x))
    u.line(z, y)[x] += 0.5 * (sum[(x - 1) >> 1] + sum[x >> 1]);
}

// Updates the halo layers along x (direction 0), y (1) or z (2). Directions must be updated in this order,
// because later ones copy corners from earlier ones.
__global__ void renew(Padded f, int direction) {
  const int width = direction == 0 ? f.n : f.n + 2, first = direction == 0 ? 0 : -1;
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x), other = static_cast<int>(blockIdx.y);
  if (i >= width) return;
  if (direction == 0) {
    double* const line = f.line(other, i);
    line[-1] = line[f.n - 1];
    line[f.n] = line[0];
  } else if (direction == 1) {
    f.line(other, -1)[first + i] = f.line(other, f.n - 1)[first + i];
    f.line(other, f.n)[first + i] = f.line(other, 0)[first + i];
  } else {
    f.line(-1, other - 1)[first + i] = f.line(f.n - 1, other - 1)[first + i];
    f.line(f.n, other - 1)[first + i] = f.line(0, other - 1)[first + i];
  }
}

// Sums the squares of planes, one thread block per plane. finish_norm computes the norm from these sums.
__global__ void add_planes(Padded r, double* sums) {
  __shared__ double parts[1024];
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x);
  double sum = 0;
  for (int y = 0; y < r.n; ++y)
    for (int x = thread; x < r.n; x += threads) {
      const double value = r.line(static_cast<int>(blockIdx.x), y)[x];
      sum += value * value;
    }
  parts[thread] = sum;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (thread < half) parts[thread] += parts[thread + half];
  }
  if (thread == 0) sums[blockIdx.x] = parts[0];
}
__global__ void finish_norm(int n, const double* sums, double* norm) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += sums[i];
  *norm = sqrt(sum / (static_cast<double>(n) * n * n));
}

// Copies a field without its halo layers.
__global__ void strip(Padded f, double* to) {
  const int y = static_cast<int>(blockIdx.x), z = static_cast<int>(blockIdx.y);
  for (int x = static_cast<int>(threadIdx.x); x < f.n; x += static_cast<int>(blockDim.x))
    to[(static_cast<std::int64_t>(z) * f.n + y) * f.n + x] = f.line(z, y)[x];
}

struct State {
  std::vector<Padded> u, r;  // fields by level; element 0 is unused
  Padded v = {};
  double* sums = nullptr;

  ~State() {
    for (const Padded& one : u) cudaFree(one.data);
    for (const Padded& one : r) cudaFree(one.data);
    cudaFree(v.data);
    cudaFree(sums);
  }
};

struct Program {
  const Call& call;
  const State& state;
  const unsigned threads;
  const int finest;
  const Smoother s;
  const cudaStream_t stream;

  explicit Program(const Call& call_)
      : call(call_),
        state(*static_cast<const State*>(call_.state)),
        threads(static_cast<unsigned>(call_.tuned<Block>().block_size)),
        finest(log2_of(side(call_.problem))),
        s(smoother(call_.problem)),
        stream(stream_of(call_)) {}

  static dim3 lines(const Padded& f) { return dim3(static_cast<unsigned>(f.n), static_cast<unsigned>(f.n)); }
  static std::size_t shared(int n) { return 2 * static_cast<std::size_t>(n + 2) * sizeof(double); }
  const Padded& u(int level) const { return state.u[static_cast<std::size_t>(level)]; }
  const Padded& r(int level) const { return state.r[static_cast<std::size_t>(level)]; }

  void exchange(const Padded& f) const {
    call.phase("exchange");
    const auto others = static_cast<unsigned>(f.n);
    renew<<<dim3(blocks_for(f.n, threads), others), threads, 0, stream>>>(f, 0);
    renew<<<dim3(blocks_for(f.n + 2, threads), others), threads, 0, stream>>>(f, 1);
    renew<<<dim3(blocks_for(f.n + 2, threads), others + 2), threads, 0, stream>>>(f, 2);
  }
  void clear(const Padded& f) const {
    cudaMemsetAsync(f.data, 0, static_cast<std::size_t>(f.count()) * sizeof(double), stream);
  }
  void make_residual(int level) const {
    call.phase("residual");
    const Padded& v = level == finest ? state.v : r(level);
    residual<<<lines(v), threads, shared(v.n), stream>>>(u(level), v, r(level));
    exchange(r(level));
  }
  void make_smooth(int level) const {
    call.phase("smooth");
    smooth<<<lines(u(level)), threads, shared(u(level).n), stream>>>(s, r(level), u(level));
    exchange(u(level));
  }
  void norm(int which) const {
    call.phase("norm");
    add_planes<<<static_cast<unsigned>(state.v.n), 1024, 0, stream>>>(r(finest), state.sums);
    finish_norm<<<1, 1, 0, stream>>>(state.v.n, state.sums, call.array<double>(norms) + which);
  }

  void cycle() const {
    for (int level = finest; level >= 2; --level) {
      call.phase("restrict");
      restrict_lines<<<lines(r(level - 1)), threads, shared(r(level).n), stream>>>(r(level), r(level - 1));
      exchange(r(level - 1));
    }
    for (int level = 1; level <= finest; ++level) {
      call.phase("interpolate");
      if (level < finest) clear(u(level));
      if (level > 1) {
        interpolate<<<lines(u(level)), threads, shared(u(level).n), stream>>>(u(level - 1), u(level));
        exchange(u(level));
        make_residual(level);
      }
      make_smooth(level);
    }
    make_residual(finest);
  }

  void run() const {
    call.phase("residual");
    clear(u(finest));
    make_residual(finest);
    norm(0);
    for (std::int64_t t = 0; t < iterations(call.problem); ++t) cycle();
    norm(1);
    if (with_field(call.problem)) {
      strip<<<lines(state.v), threads, 0, stream>>>(u(finest), call.array<double>(field_u));
      strip<<<lines(state.v), threads, 0, stream>>>(r(finest), call.array<double>(field_r));
    }
    call.phase("");
  }
};

bool allocate(std::int64_t count, double** to) {
  if (cudaMalloc(reinterpret_cast<void**>(to), static_cast<std::size_t>(count) * sizeof(double)) ==
      cudaSuccess)
    return true;
  *to = nullptr;
  cudaGetLastError();  // clears the error, so that a later check does not report it
  return false;
}

// Allocates a field of zeros, including its halo.
bool make_field(int n, Padded* field) {
  *field = {nullptr, n};
  return allocate(field->count(), &field->data) &&
         cudaMemset(field->data, 0, static_cast<std::size_t>(field->count()) * sizeof(double)) == cudaSuccess;
}

const char* prepare(const Call& call, void** state) {
  const auto n = static_cast<int>(side(call.problem));
  const auto levels = static_cast<std::size_t>(log2_of(n)) + 1;
  auto made = std::make_unique<State>();
  made->u.resize(levels), made->r.resize(levels);
  for (std::size_t level = 1; level < levels; ++level)
    if (!make_field(1 << level, &made->u[level]) || !make_field(1 << level, &made->r[level]))
      return "device memory ran out";
  if (!make_field(n, &made->v) || !allocate(n, &made->sums)) return "device memory ran out";
  const Charges charges = find_charges(n);
  const auto put = [&](std::int64_t at, double charge) {
    const std::int64_t x = at % n, y = at / n % n, z = at / n / n, pitch = made->v.pitch();
    cudaMemcpy(made->v.data + ((z + 1) * pitch + y + 1) * pitch + x + 1, &charge, sizeof charge,
               cudaMemcpyHostToDevice);
  };
  for (int i = 0; i < charge_count; ++i) put(charges.negative[i], -1), put(charges.positive[i], 1);
  if (cudaGetLastError() != cudaSuccess) return "CUDA could not copy the charges to the GPU";
  *state = made.release();
  return nullptr;
}

std::int64_t workspace(const Problem& problem, const int*) {
  std::int64_t doubles = side(problem);
  for (std::int64_t n = 2; n <= side(problem); n *= 2) doubles += (n < side(problem) ? 2 : 3) * cube(n + 2);
  return 8 * doubles;
}

}  // namespace

std::vector<Variant> npb_mg_cuda_lines() {
  return {{.name = "lines",
           .description =
               "the published form: one kernel per operator, one block per line; three kernels update halos",
           .memory_space = MemorySpace::cuda,
           .tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}}),
           .launch = {.float64 = [](const Call& call) { Program(call).run(); }},
           .prepare = prepare,
           .release = [](void* state) { delete static_cast<State*>(state); },
           .workspace = workspace}};
}

}  // namespace sextant
