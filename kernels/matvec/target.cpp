#include "loop.hpp"
#include "suite/choices.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/target/memory.hpp"
#include "toolbox/target/teams.hpp"

namespace sextant {
namespace {

// Uses `target teams distribute parallel for`. OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

template <typename T>
void multiply(std::int64_t n, const T* a, const T* x, T* y) {
#pragma omp target teams distribute parallel for map(to : a [0:n * n], x [0:n]) map(from : y [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = 0;
    for (std::int64_t j = 0; j < n; ++j) sum += a[i * n + j] * x[j];
    y[i] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  multiply(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
}

Variant form() {
  Variant variant = target::mapped_variant("the plain form: target teams distribute parallel for over rows");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace parallel_for

// The lanes of a warp share a row of A and store one partial sum each. A second target region adds these.
// Threads do not communicate otherwise.
namespace shared_rows {

constexpr std::int64_t sharers = target::lanes;

struct Shape {
  int vectors_per_thread = 2;
};

using PackChoices = Choices<1, 2, 4>;

// Stores lane l's partial sum of row i in sums[l * n + i]. Packs of `width` elements of the row are
// distributed to the lanes in turn. A lane processes `packs` packs at a time.
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
  PackChoices::with(call.tuned<Shape>().vectors_per_thread, [&]<int packs>() {
    // If `width` divides n, each row starts at a multiple of 16 bytes.
    if (n % width == 0)
      add_parts<width, packs>(n, a, x, sums);
    else
      add_parts<1, packs>(n, a, x, sums);
  });
  add_up(n, sums, call.array<T>(2));
}

std::int64_t bytes_of_sums(const Problem& problem, const int*) {
  return problem.extents.x * sharers * static_cast<std::int64_t>(element_size(problem.type));
}

Variant form() {
  Variant variant =
      target::mapped_variant("the lanes of a warp share a row; a second region adds their partial sums");
  variant.tunables =
      tunables<Shape>({{"vectors_per_thread", &Shape::vectors_per_thread, PackChoices::list()}});
  target::add_memory<bytes_of_sums>(&variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace shared_rows

// SEXTANT_LANES is `simd` with GCC and `parallel for` with Clang. With GCC each team is one thread, whose
// SIMD lanes share the iterations.
namespace teams_simd {

template <typename T>
void multiply(std::int64_t n, const T* a, const T* x, T* y, const target::Warps& shape) {
  const int teams = target::teams_for(shape.teams, n, 1);
  const std::int64_t eighth = n / 8;
#pragma omp target SEXTANT_ONE_WARP map(a [0:n * n], x [0:n], y [0:n])
#pragma omp teams distribute num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) {
    const T* row = a + i * n;
    T first = 0, second = 0;
#pragma omp SEXTANT_LANES reduction(+ : first, second)
    // Keeps eight loads of a lane in flight.
    for (std::int64_t j = 0; j < eighth; ++j) {
      T products[8];
#pragma GCC unroll 8
      for (int p = 0; p < 8; ++p) products[p] = row[j + p * eighth] * x[j + p * eighth];
      first += (products[0] + products[1]) + (products[2] + products[3]);
      second += (products[4] + products[5]) + (products[6] + products[7]);
    }
#pragma omp SEXTANT_LANES reduction(+ : first)
    for (std::int64_t j = 8 * eighth; j < n; ++j) first += row[j] * x[j];
    y[i] = first + second;
  }
}

template <typename T>
void launch(const Call& call) {
  multiply(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1), call.array<T>(2),
           call.tuned<target::Warps>());
}

Variant form() {
  Variant variant = target::warps_variant(
      "teams distribute over rows, simd over a row's products: one-thread teams, no parallel region");
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> matvec_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("shared_rows", shared_rows::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
