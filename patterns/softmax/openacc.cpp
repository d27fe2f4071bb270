#include <cmath>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

// There is no vector length of 1024. With doubles it needs more registers than a multiprocessor has, and then
// GCC's run time aborts the process.
using Lengths = Choices<32, 64, 128, 256, 512>;

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC accepts only a constant there.
template <int length, typename T>
void weigh(std::int64_t rows, std::int64_t columns, const T* x, T* y) {
  const std::int64_t count = rows * columns;
#pragma acc parallel loop gang present(x [0:count], y [0:count]) vector_length(length)
  for (std::int64_t r = 0; r < rows; ++r) {
    const std::int64_t first = r * columns;
    T most = x[first];
#pragma acc loop vector reduction(max : most)
    for (std::int64_t c = 0; c < columns; ++c) most = x[first + c] > most ? x[first + c] : most;
    T sum = 0;
#pragma acc loop vector reduction(+ : sum)
    for (std::int64_t c = 0; c < columns; ++c) {
      const T power = std::exp(x[first + c] - most);
      y[first + c] = power;
      sum += power;
    }
#pragma acc loop vector
    for (std::int64_t c = 0; c < columns; ++c) y[first + c] /= sum;
  }
}

template <typename T>
void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    weigh<length>(softmax::rows_of(call.problem), softmax::columns_of(call.problem), call.array<const T>(0),
                  call.array<T>(1));
  });
}

}  // namespace

std::vector<Variant> softmax_openacc() {
  return {{.name = "gang_rows",
           .description = "the plain form: one row per gang, three vector loops, library exp",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch)}};
}

}  // namespace sextant
