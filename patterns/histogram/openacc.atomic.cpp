#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument, as GCC wants it constant.
template <int length>
void count(std::int64_t n, std::int64_t bins, const std::int32_t* k, std::int32_t* c) {
#pragma acc parallel loop present(c [0:bins]) vector_length(length)
  for (std::int64_t b = 0; b < bins; ++b) c[b] = 0;
#pragma acc parallel loop present(k [0:n], c [0:bins]) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) {
#pragma acc atomic update
    c[k[i]] += 1;
  }
}

void launch(const Call& call) {
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    count<length>(call.problem.extents.x, histogram::bins_of(call.problem), call.array<const std::int32_t>(0),
                  call.array<std::int32_t>(1));
  });
}

}  // namespace

Variant histogram_openacc_atomic() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: a parallel loop with atomic updates of the one table";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
