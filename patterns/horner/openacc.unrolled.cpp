// The degree is known when this is compiled: there is no loop over coefficients, which come by 16-byte packs.
#include "suite/tunables.hpp"
#include "values.hpp"

namespace sextant {
namespace {

using Degrees = Choices<8, 16, 32, 64>;
constexpr int length = 128;

struct Gang {
  int num_gangs = 1320, values = 8;  // gangs at most, for an H200's 132 multiprocessors
};

// Sums at `values` places by the polynomial of `degree`.
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

// Packs of a lane are `apart` elements apart.
template <int values, int apart, typename T>
SEXTANT_INLINE void load_places(const T* x, T* place) {
  constexpr int width = openacc::pack_width<T>;
#pragma GCC unroll 8
  for (int v = 0; v < values; v += width) openacc::load_pack(x + v / width * apart, place + v);
}

// Each gang has every so manieth tile of places, of which the next one's are under way while a tile is computed.
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
    if (gang == gangs - 1)  // what is no whole tile
      for (std::int64_t i = tiles * tile + lane; i < n; i += length)
        y[i] = horner::evaluate_one(degree, c, x[i]);
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Gang>();
  Degrees::with(static_cast<int>(horner::degree_of(call.problem)), [&]<int degree>() {
    horner::Values::with(shape.values, [&]<int values>() {
      evaluate<degree, values>(call.problem.extents.x, shape.num_gangs, call.array<const T>(0),
                               call.array<const T>(1), call.array<T>(2));
    });
  });
}

const char* refuse(const Problem& problem, const int*) {
  bool known = false;
  Degrees::with(static_cast<int>(horner::degree_of(problem)), [&]<int degree>() { known = true; });
  return known ? nullptr : "degrees of 8, 16, 32 and 64 alone are compiled";
}

// Few values for many lanes, as long as there are few values.
void adapt(const Problem& problem, Gang& shape) {
  if (problem.extents.x < std::int64_t{1} << 20) shape.values = 4;
}

}  // namespace

Variant horner_openacc_unrolled() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "degrees of 8, 16, 32 and 64: no loop, coefficients and values by 16-byte packs";
  variant.tunables = tunables<Gang>({{"num_gangs", &Gang::num_gangs, {528, 1056, 1320, 2640}},
                                     {"values", &Gang::values, horner::Values::list()}});
  variant.adapt = by_name<adapt>;
  variant.constraint = refuse;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
