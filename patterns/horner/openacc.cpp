#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/vector_length.hpp"
#include "values.hpp"

namespace sextant {
namespace {

namespace parallel_loop {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC requires a constant.
template <typename T, int length>
void evaluate(std::int64_t n, std::int64_t degree, const T* c, const T* x, T* y) {
  const std::int64_t coefficients = degree + 1;
#pragma acc parallel loop gang vector present(c [0:coefficients], x [0:n], y [0:n]) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) {
    T sum = c[degree];
#pragma acc loop seq
    for (std::int64_t k = degree - 1; k >= 0; --k) sum = sum * x[i] + c[k];
    y[i] = sum;
  }
}

template <typename T>
void launch(const Call& call) {
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    evaluate<T, length>(call.problem.extents.x, horner::degree_of(call.problem), call.array<const T>(0),
                        call.array<const T>(1), call.array<T>(2));
  });
}

}  // namespace parallel_loop

// The degree is a compile-time constant, so that the loop is unrolled and coefficients are loaded in 16-byte
// packs.
namespace unrolled {

using Degrees = Choices<8, 16, 32, 64>;
constexpr int length = 128;

struct Gang {
  // `num_gangs` is an upper limit, chosen for the 132 multiprocessors of an H200.
  int num_gangs = 1320, values_per_thread = 8;
};

// Evaluates the polynomial at `values` points.
template <int degree, int values, typename T>
SEXTANT_INLINE void evaluate_places(const T* c, const T* place, T* sum) {
  constexpr int width = openacc::pack_width<T>;
  const T first = c[degree];
#pragma GCC unroll 16
  for (int v = 0; v < values; ++v) sum[v] = first;
#pragma GCC unroll 32
  for (int k = degree - width; k >= 0; k -= width) {
    T next[width];
    openacc::load_pack(c + k, next);
#pragma GCC unroll 4
    for (int e = width - 1; e >= 0; --e)
#pragma GCC unroll 16
      for (int v = 0; v < values; ++v) sum[v] = sum[v] * place[v] + next[e];
  }
}

// Loads the points of one lane in 16-byte packs, which are `apart` elements apart.
template <int values, int apart, typename T>
SEXTANT_INLINE void load_places(const T* x, T* place) {
  constexpr int width = openacc::pack_width<T>;
#pragma GCC unroll 8
  for (int v = 0; v < values; v += width) openacc::load_pack(x + v / width * apart, place + v);
}

// Gang g computes tiles g, g + gangs and so on. While it computes a tile, it loads the points of its next
// one.
template <int degree, int values, typename T>
void evaluate(std::int64_t n, int most_gangs, const T* c, const T* x, T* y) {
  constexpr int width = openacc::pack_width<T>, apart = length * width, tile = length * values;
  const std::int64_t tiles = n / tile;
  const int gangs = static_cast<int>(std::min<std::int64_t>(most_gangs, tiles + 1));
#pragma acc parallel loop gang(static : 1) vector present(c [0:degree + 1], x [0:n], y [0:n]) \
    vector_length(length) num_gangs(gangs)
  for (int thread = 0; thread < gangs * length; ++thread) {
    const int gang = thread / length, lane = thread % length;
    T place[values];
    if (gang < tiles) load_places<values, apart>(x + std::int64_t{gang} * tile + lane * width, place);
#pragma acc loop seq
    for (std::int64_t t = gang; t < tiles; t += gangs) {
      T next[values], sum[values];
      load_places<values, apart>(x + (t + gangs < tiles ? t + gangs : t) * tile + lane * width, next);
      evaluate_places<degree, values>(c, place, sum);
      T* const to = y + t * tile + lane * width;
#pragma GCC unroll 8
      for (int v = 0; v < values; v += width) openacc::store_pack(to + v / width * apart, sum + v);
#pragma GCC unroll 16
      for (int v = 0; v < values; ++v) place[v] = next[v];
    }
    if (gang == gangs - 1)  // the points after the last whole tile
      for (std::int64_t i = tiles * tile + lane; i < n; i += length)
        y[i] = horner::evaluate_one(degree, c, x[i]);
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Gang>();
  Degrees::with(static_cast<int>(horner::degree_of(call.problem)), [&]<int degree>() {
    horner::Values::with(shape.values_per_thread, [&]<int values>() {
      evaluate<degree, values>(call.problem.extents.x, shape.num_gangs, call.array<const T>(0),
                               call.array<const T>(1), call.array<T>(2));
    });
  });
}

const char* refuse(const Problem& problem, const int*) {
  return Degrees::has(static_cast<int>(horner::degree_of(problem))) ? nullptr
                                                                    : "only for degrees 8, 16, 32 and 64";
}

// Chooses fewer values per lane for small problems, so that there are enough lanes.
void adapt(const Problem& problem, Gang& shape) {
  if (problem.extents.x < std::int64_t{1} << 20) shape.values_per_thread = 4;
}

}  // namespace unrolled

namespace values {

using Lengths = Choices<64, 128, 256>;

struct Gang {
  int vector_length = 128, values_per_thread = 8;
};

template <int length, int values, typename T>
void evaluate(std::int64_t n, std::int64_t degree, const T* c, const T* x, T* y) {
  const std::int64_t coefficients = degree + 1, threads = (n + values - 1) / values;
  const int gangs = openacc::gangs_for(threads, length);
#pragma acc parallel loop gang(static : 1) vector present(c [0:coefficients], x [0:n], y [0:n]) \
    vector_length(length) num_gangs(gangs)
  for (std::int64_t thread = 0; thread < threads; ++thread) {
    const std::int64_t i = thread * values;
    if (i + values <= n) {
      horner::evaluate_values<values>(degree, c, x + i, y + i);
    } else {
      for (std::int64_t k = i; k < n; ++k) y[k] = horner::evaluate_one(degree, c, x[k]);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Gang>();
  Lengths::with(shape.vector_length, [&]<int length>() {
    horner::Values::with(shape.values_per_thread, [&]<int values>() {
      evaluate<length, values>(call.problem.extents.x, horner::degree_of(call.problem),
                               call.array<const T>(0), call.array<const T>(1), call.array<T>(2));
    });
  });
}

// Chooses fewer values per lane for small problems, so that there are enough lanes.
void adapt(const Problem& problem, Gang& shape) {
  if (problem.extents.x < std::int64_t{1} << 20) shape.values_per_thread = 4;
}

}  // namespace values

}  // namespace

std::vector<Variant> horner_openacc() {
  return {
      {.name = "parallel_loop",
       .description = "the plain form: a parallel loop over values, a sequential loop over coefficients",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<parallel_loop::Gang>(
           {{"vector_length", &parallel_loop::Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(parallel_loop::launch),
       .adapt = by_name<openacc::adapt_vector_length<parallel_loop::Gang>>},
      {.name = "unrolled",
       .description = "degrees 8, 16, 32 and 64: unrolled loop, 16-byte packs of coefficients and values",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<unrolled::Gang>(
           {{"num_gangs", &unrolled::Gang::num_gangs, {528, 1056, 1320, 2640}},
            {"values_per_thread", &unrolled::Gang::values_per_thread, horner::Values::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(unrolled::launch),
       .constraint = unrolled::refuse,
       .adapt = by_name<unrolled::adapt>},
      {.name = "values_per_thread",
       .description = "4 to 16 values in flight per lane, read and written by 16-byte packs",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<values::Gang>(
           {{"vector_length", &values::Gang::vector_length, values::Lengths::list()},
            {"values_per_thread", &values::Gang::values_per_thread, horner::Values::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(values::launch),
       .adapt = by_name<values::adapt>},
  };
}

}  // namespace sextant
