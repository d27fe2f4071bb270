// Horner's scheme on the host for several vectors of points at a time. The steps for one point depend on each
// other, but those for different points overlap.
#pragma once

#include <cstring>

#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/vector_bytes.hpp"

namespace sextant::horner {

using InFlight = Choices<1, 4, 8>;

struct Flight {
  int vectors = 8;
};

// Computes y at `vectors` vectors of points. `static` gives each variant its own copy, compiled with that
// variant's flags.
template <int vectors, typename T>
static inline void evaluate_vectors(std::int64_t degree, const T* c, const T* x, T* y) {
  typedef T Vector __attribute__((vector_size(vector_bytes)));
  Vector place[vectors], sum[vectors];
  std::memcpy(place, x, sizeof place);
#pragma GCC unroll 8
  for (int v = 0; v < vectors; ++v) sum[v] = Vector{} + c[degree];
  for (std::int64_t k = degree - 1; k >= 0; --k)
#pragma GCC unroll 8
    for (int v = 0; v < vectors; ++v) sum[v] = sum[v] * place[v] + c[k];
  std::memcpy(y, sum, sizeof sum);
}

// Computes y at `count` points. The last points are padded to full vectors.
template <int vectors, typename T>
static void evaluate(std::int64_t count, std::int64_t degree, const T* c, const T* x, T* y) {
  constexpr std::int64_t block = vectors * vector_bytes / static_cast<std::int64_t>(sizeof(T));
  std::int64_t i = 0;
  for (; i + block <= count; i += block) evaluate_vectors<vectors>(degree, c, x + i, y + i);
  if (i == count) return;
  const auto bytes = static_cast<std::size_t>(count - i) * sizeof(T);
  T places[block] = {}, values[block];
  std::memcpy(places, x + i, bytes);
  evaluate_vectors<vectors>(degree, c, places, values);
  std::memcpy(y + i, values, bytes);
}

inline constexpr std::int64_t tile = 1024;  // points per tile, the unit of work of a thread
constexpr std::int64_t tiles_of(std::int64_t n) { return (n + tile - 1) / tile; }

// Evaluates at most `count` points from index `first` on. The tunable `vectors` is the number of vectors in
// flight.
template <typename T>
static void evaluate_part(const Call& call, std::int64_t first, std::int64_t count) {
  const std::int64_t left = call.problem.extents.x - first;
  InFlight::with(call.tuned<Flight>().vectors, [&]<int vectors>() {
    evaluate<vectors>(count < left ? count : left, degree_of(call.problem), call.array<const T>(0),
                      call.array<const T>(1) + first, call.array<T>(2) + first);
  });
}

inline Variant vectors_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.tunables = tunables<Flight>({{"vectors", &Flight::vectors, InFlight::list()}});
  return variant;
}

}  // namespace sextant::horner
