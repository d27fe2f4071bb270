#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument, as GCC wants it constant.
template <typename T, typename Index, int length>
void turn(Index rows, Index columns, const T* a, T* y) {
  const std::int64_t count = std::int64_t{rows} * columns;
#pragma acc parallel loop gang vector collapse(2) present(a [0:count], y [0:count]) vector_length(length)
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j) y[std::int64_t{j} * rows + i] = a[std::int64_t{i} * columns + j];
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  with_index(call.problem, [&]<typename Index>() {
    BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
      turn<T, Index, length>(static_cast<Index>(extents.y), static_cast<Index>(extents.x),
                             call.array<const T>(0), call.array<T>(1));
    });
  });
}

}  // namespace

Variant transpose_openacc_collapse() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: collapse(2), a read in order and y written with a stride";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
