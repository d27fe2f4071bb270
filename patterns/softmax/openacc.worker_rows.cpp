// Each worker, which is one warp, processes one row and reduces by shuffles. It reads the row three times and
// computes the exponentials twice; the second and third reads may hit a cache. The pragma lets GCC use the
// GPU's inexact exponential instruction for floats. Associative math stays off, because it would remove the
// magic number by which softmax::exponential rounds exponents of doubles.
#pragma GCC optimize("unsafe-math-optimizations", "no-associative-math", "no-reciprocal-math")
#include "exponential.hpp"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Workers = Choices<4, 8, 16, 32>;
constexpr int lanes = 32;

struct Gang {
  int num_workers = 8;
};

// Computes e^x for x <= 0.
SEXTANT_INLINE float power(float x) { return __builtin_exp2f(x * 1.442695040888963407f); }
SEXTANT_INLINE double power(double x) { return softmax::exponential(x); }

template <int workers, int width, typename T>
void weigh(std::int64_t rows, std::int64_t columns, const T* x, T* y) {
  const std::int64_t count = rows * columns, packs = columns / width;
  const int gangs = openacc::gangs_for(rows, workers);
#pragma acc parallel loop gang(static : 1) worker present(x [0:count], y [0:count]) num_gangs(gangs) \
    num_workers(workers) vector_length(lanes)
  for (std::int64_t r = 0; r < rows; ++r) {
    const T* row = x + r * columns;
    T* to = y + r * columns;
    T most = row[0];
#pragma acc loop vector reduction(max : most)
    for (std::int64_t p = 0; p < packs; ++p) {
      T pack[width];
      openacc::load<width>(row + p * width, pack);
      T here = pack[0];
      for (int k = 1; k < width; ++k) here = pack[k] > here ? pack[k] : here;
      most = here > most ? here : most;
    }
    T sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (std::int64_t p = 0; p < packs; ++p) {
      T pack[width];
      openacc::load<width>(row + p * width, pack);
      T here = 0;
      for (int k = 0; k < width; ++k) here += power(pack[k] - most);
      sum += here;
    }
    const T factor = 1 / sum;
#pragma acc loop vector
    for (std::int64_t p = 0; p < packs; ++p) {
      T pack[width];
      openacc::load<width>(row + p * width, pack);
      for (int k = 0; k < width; ++k) pack[k] = factor * power(pack[k] - most);
      openacc::store<width>(to + p * width, pack);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t rows = softmax::rows_of(call.problem), columns = softmax::columns_of(call.problem);
  constexpr int width = openacc::pack_width<T>;
  Workers::with(call.tuned<Gang>().num_workers, [&]<int workers>() {
    if (columns % width == 0)
      weigh<workers, width>(rows, columns, call.array<const T>(0), call.array<T>(1));
    else
      weigh<workers, 1>(rows, columns, call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace

std::vector<Variant> softmax_openacc_worker_rows() {
  return {{.name = "worker_rows",
           .description =
               "one row per worker (a warp), 16-byte packs if rows are aligned; exp2 instruction for "
               "float, polynomial for double",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Gang>({{"num_workers", &Gang::num_workers, Workers::list()}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
