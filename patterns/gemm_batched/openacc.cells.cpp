// A thread has some neighbouring elements of a row of C (cell.hpp): neighbours share their matrix, whose elements the first-level
// cache keeps.
#include "cell.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lengths = Choices<64, 128, 256>;

struct Gang {
  int vector_length = 128, columns = 16;
};

template <int length, int columns, int width, typename T>
void multiply(std::int64_t batches, int m, const T* a, const T* b, T* c) {
  const std::int64_t count = batches * m * m;
  const int across = (m + columns - 1) / columns, cells = m * across;
#pragma acc parallel loop gang vector present(a [0:count], b [0:count], c [0:count]) vector_length(length)
  for (std::int64_t cell = 0; cell < batches * cells; ++cell) {
    const std::int64_t batch = cell / cells, first = batch * m * m;
    const int place = static_cast<int>(cell - batch * cells), i = place / across,
              j = place % across * columns;
    gemm_batched::multiply_cell<columns, width>(m, j, a + first + i * m, b + first, c + first + i * m);
  }
}

template <typename T>
void launch(const Call& call) {
  const auto gang = call.tuned<Gang>();
  gemm_batched::with_columns<T>(gang.columns, call.problem, [&]<int columns, int width>() {
    Lengths::with(gang.vector_length, [&]<int length>() {
      multiply<length, columns, width>(gemm_batched::batches_of(call.problem),
                                       static_cast<int>(gemm_batched::size_of(call.problem)),
                                       call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
    });
  });
}

void adapt(const Problem& problem, Gang& gang) { gang.columns = gemm_batched::columns_for(problem); }

}  // namespace

Variant gemm_batched_openacc_cells() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "up to 16 elements of a row of C in a thread's registers, B's rows by 16-byte packs";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()},
                                     {"columns", &Gang::columns, gemm_batched::Columns::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
