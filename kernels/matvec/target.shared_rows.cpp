// The lanes of a warp share a row and leave their sums in memory, which a second region adds up: no word between threads.
#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/target/memory.hpp"

namespace sextant {
namespace {

constexpr std::int64_t sharers = target::lanes;

struct Shape {
  int packs = 2;
};

using PackChoices = Choices<1, 2, 4>;

// sums[l * n + i]: lane l's part of row i, whose packs of `width` elements the lanes take in turn, some of them at a time.
template <int width, int packs, typename T>
void add_parts(std::int64_t n, const T* a, const T* x, T* sums) {
  const std::int64_t shares = n * sharers, turns = n / (width * packs * sharers);
  const int teams = target::teams_for(target::usual_teams, shares, target::at_a_time);
#pragma omp target SEXTANT_ONE_WARP map(a [0:n * n], x [0:n], sums [0:shares])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t share = 0; share < shares; ++share) {
    const std::int64_t row = share / sharers, lane = share % sharers;
    const T* elements = a + row * n;
    T first = 0, second = 0;
    for (std::int64_t turn = 0; turn < turns; ++turn) {
      T left[packs * width], right[packs * width];
#pragma GCC unroll 4
      for (int p = 0; p < packs; ++p) {
        const std::int64_t at = ((turn * packs + p) * sharers + lane) * width;
        openacc::load<width>(elements + at, left + p * width);
        openacc::load<width>(x + at, right + p * width);
      }
#pragma GCC unroll 16
      for (int k = 0; k < packs * width; ++k) (k % 2 == 0 ? first : second) += left[k] * right[k];
    }
    for (std::int64_t k = turns * packs * sharers * width + lane; k < n; k += sharers)
      first += elements[k] * x[k];
    sums[lane * n + row] = first + second;
  }
}

template <typename T>
void add_up(std::int64_t n, const T* sums, T* y) {
  const std::int64_t shares = n * sharers;
  const int teams = target::teams_for(target::usual_teams, n, target::at_a_time);
#pragma omp target SEXTANT_ONE_WARP map(sums [0:shares], y [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = 0;
    for (std::int64_t lane = 0; lane < sharers; ++lane) sum += sums[lane * n + i];
    y[i] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T *a = call.array<const T>(0), *x = call.array<const T>(1);
  T* sums = target::memory_of<T>(call);
  constexpr int width = openacc::pack_width<T>;
  PackChoices::with(call.tuned<Shape>().packs, [&]<int packs>() {
    if (n % width == 0)  // each row starts with a pack
      add_parts<width, packs>(n, a, x, sums);
    else
      add_parts<1, packs>(n, a, x, sums);
  });
  add_up(n, sums, call.array<T>(2));
}

std::int64_t bytes_of_sums(const Problem& problem, const int*) {
  return problem.extents.x * sharers * static_cast<std::int64_t>(element_size(problem.type));
}

}  // namespace

Variant matvec_target_shared_rows() {
  Variant variant = target::mapped_variant(
      "lanes share a row, some 16-byte packs each at a time; a second region adds up their sums");
  variant.tunables = tunables<Shape>({{"packs", &Shape::packs, PackChoices::list()}});
  target::add_memory<bytes_of_sums>(&variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
