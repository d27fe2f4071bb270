// The form that one would write first: a region a diagonal.
#include <algorithm>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

template <int length>
void fill_borders(std::int64_t n, std::int32_t* h) {
  const std::int64_t count = (n + 1) * (n + 1);
#pragma acc parallel loop gang vector present(h [0:count]) vector_length(length)
  for (std::int64_t i = 0; i <= n; ++i) {
    h[i] = static_cast<std::int32_t>(-2 * i);
    h[i * (n + 1)] = static_cast<std::int32_t>(-2 * i);
  }
}

// Cells (i, d - i).
template <int length>
void fill_diagonal(std::int64_t n, std::int64_t d, const std::int32_t* a, const std::int32_t* b,
                   std::int32_t* h) {
  const std::int64_t count = (n + 1) * (n + 1), first = std::max<std::int64_t>(1, d - n),
                     last = std::min(n, d - 1);
#pragma acc parallel loop gang vector present(a [0:n], b [0:n], h [0:count]) vector_length(length)
  for (std::int64_t i = first; i <= last; ++i)
    h[i * (n + 1) + d - i] = needleman_wunsch::cell(n, i, d - i, a[i - 1], b[d - i - 1], h);
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    fill_borders<length>(n, call.array<std::int32_t>(2));
    for (std::int64_t d = 2; d <= 2 * n; ++d)
      fill_diagonal<length>(n, d, call.array<const std::int32_t>(0), call.array<const std::int32_t>(1),
                            call.array<std::int32_t>(2));
  });
}

}  // namespace

Variant needleman_wunsch_openacc_diagonals() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: a region a diagonal, a cell a thread";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
