#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

namespace parallel_loop {

using VectorLengths = BlockSizes;

struct Gang {
  int vector_length = 128;
};

template <typename T, int vector_length_>
void multiply(std::int64_t n, const T* a, const T* x, T* y) {
#pragma acc parallel loop present(a [0:n * n], x [0:n], y [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = 0;
#pragma acc loop reduction(+ : sum)
    for (std::int64_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    multiply<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
  });
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Gang& gang) {
  gang.vector_length = problem.n < 32'768 ? 512 : problem.n < 524'288 ? 64 : 32;
}

}  // namespace parallel_loop

namespace worker_rows {

using Workers = Choices<4, 8, 16, 32>;
constexpr int lanes = 32;  // a worker is one warp, which adds its sums by shuffles

struct Gang {
  int num_workers = 8;
};

// Each worker computes one row; each lane keeps `unroll` loads of `width` elements in flight.
template <typename T, int workers, int width, int unroll>
void multiply(std::int64_t n, const T* a, const T* x, T* y) {
  constexpr int run = lanes * unroll * width;
  const int gangs = openacc::gangs_for(n, workers);
#pragma acc parallel loop gang(static : 1) worker present(a [0:n * n], x [0:n], y [0:n]) num_gangs(gangs) \
    num_workers(workers) vector_length(lanes)
  for (std::int64_t i = 0; i < n; ++i) {
    const T* row = a + i * n;
    T sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (int lane = 0; lane < lanes; ++lane) {
      T mine = 0;
      std::int64_t j = lane * width;
      for (; j + run - lane * width <= n; j += run) {
        T p[unroll][width], q[unroll][width];
#pragma GCC unroll 8
        for (int u = 0; u < unroll; ++u) {
          openacc::load<width>(row + j + u * lanes * width, p[u]);
          openacc::load<width>(x + j + u * lanes * width, q[u]);
        }
#pragma GCC unroll 8
        for (int u = 0; u < unroll; ++u)
          for (int k = 0; k < width; ++k) mine += p[u][k] * q[u][k];
      }
      for (j += lane - lane * width; j < n; j += lanes) mine += row[j] * x[j];
      sum += mine;
    }
    y[i] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  Workers::with(call.tuned<Gang>().num_workers, [&]<int W>() {
    const T *a = call.array<const T>(0), *x = call.array<const T>(1);
    constexpr int width = openacc::pack_width<T>;
    if (n % width == 0)
      multiply<T, W, width, 2>(n, a, x, call.array<T>(2));
    else  // Rows may start unaligned, so elements are accessed one by one.
      multiply<T, W, 1, 8>(n, a, x, call.array<T>(2));
  });
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
// At 9 437 184 floats the best tuning varies from run to run.
void adapt(const Problem& problem, Gang& gang) {
  if (problem.n >= (std::int64_t{4} << 20)) gang.num_workers = 16;
}

}  // namespace worker_rows

}  // namespace

std::vector<Variant> matvec_openacc() {
  return {
      {.name = "parallel_loop",
       .description = "the study's form: a loop over rows with an inner reduction loop",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<parallel_loop::Gang>(
           {{"vector_length", &parallel_loop::Gang::vector_length, parallel_loop::VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(parallel_loop::launch),
       .adapt = by_name<parallel_loop::adapt>},
      {.name = "worker_rows",
       .description = "one row per worker of 32 lanes; 16-byte accesses if rows are aligned",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<worker_rows::Gang>(
           {{"num_workers", &worker_rows::Gang::num_workers, worker_rows::Workers::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(worker_rows::launch),
       .adapt = by_name<worker_rows::adapt>},
  };
}

}  // namespace sextant
