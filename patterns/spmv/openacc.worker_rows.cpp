#include "loop.hpp"
#include "matrix.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using Workers = Choices<4, 8, 16, 32>;
constexpr int lanes = 32;  // of a worker, which is a warp and adds up by shuffles

struct Gang {
  int num_workers = 8;
};

template <int workers, typename T>
void multiply(std::int64_t m, std::int64_t entries, const std::int32_t* row, const std::int32_t* col,
              const T* val, const T* x, T* y) {
  const int gangs = openacc::gangs_for(m, workers);
#pragma acc parallel loop gang(static : 1) worker present(                                                   \
    row [0:m + 1], col [0:entries], val [0:entries], x [0:m], y [0:m]) num_gangs(gangs) num_workers(workers) \
    vector_length(lanes)
  for (std::int64_t r = 0; r < m; ++r) {
    const std::int64_t begin = row[r], end = row[r + 1];
    T sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (std::int64_t e = begin; e < end; ++e) sum += val[e] * x[col[e]];
    y[r] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  const spmv::Arrays<T> a(call);
  Workers::with(call.tuned<Gang>().num_workers, [&]<int workers>() {
    multiply<workers>(spmv::rows_of(call.problem), spmv::entries_of(call.problem), a.row, a.col, a.val, a.x,
                      a.y);
  });
}

}  // namespace

Variant spmv_openacc_worker_rows() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a row a worker of 32 lanes";
  variant.tunables = tunables<Gang>({{"num_workers", &Gang::num_workers, Workers::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
