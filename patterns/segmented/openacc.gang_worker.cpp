// A segment a warp, whose lanes share its elements.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using Workers = Choices<4, 8, 16>;
constexpr int lanes = 32;

struct Gang {
  int num_workers = 8;
};

template <typename T, int workers>
void sum_segments(std::int64_t m, std::int64_t n, int gangs, const std::int32_t* o, const T* a, T* y) {
#pragma acc parallel loop gang(static : 1) worker present(o [0:m + 1], a [0:n], y [0:m]) num_gangs(gangs) \
    num_workers(workers) vector_length(lanes)
  for (std::int64_t j = 0; j < m; ++j) {
    const std::int64_t begin = o[j], end = o[j + 1];
    T sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (std::int64_t i = begin; i < end; ++i) sum += a[i];
    y[j] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  Workers::with(call.tuned<Gang>().num_workers, [&]<int workers>() {
    const std::int64_t m = call.problem.extents.x;
    sum_segments<T, workers>(m, segmented::elements_of(call.problem), openacc::gangs_for(m, workers),
                             call.array<const std::int32_t>(0), call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace

Variant segmented_openacc_gang_worker() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a segment a warp: a gang worker loop over the segments, a vector reduction of each";
  variant.tunables = tunables<Gang>({{"num_workers", &Gang::num_workers, Workers::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE_INT(launch);
  return variant;
}

}  // namespace sextant
