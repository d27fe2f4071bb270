// Several systems on the host in the lanes of vectors, which some rows of all are turned into and back.
#pragma once

#include "toolbox/host/turn.hpp"
#include "workspace.hpp"

namespace sextant::tridiagonal {

inline constexpr int most_lanes = 16, rows_at_once = 16;

template <typename T>
inline constexpr int lanes_of = 64 / sizeof(T);  // systems: a vector of 64 bytes

// Elements of the workspace in systems' lengths, of one thread and of all.
inline std::int64_t lanes_of_systems() { return 2 * most_lanes; }
inline std::int64_t lanes_of_threads() { return 2 * most_lanes * omp_get_max_threads(); }

// What a thread keeps is to stay in a cache of its own.
inline const char* refuse_long(const Problem& problem, const int*) {
  return length_of(problem) > 65536 ? "systems of more than 65536 unknowns, several of which no cache keeps"
                                    : nullptr;
}

template <typename T>
using Tile = T[rows_at_once][lanes_of<T>];

// tile[r][lane] = row r of system `lane`; lanes without a system have the last one.
template <typename T>
static void turn(std::int64_t length, int systems, int rows, const T* from, Tile<T>& tile) {
  if (systems == lanes_of<T> && rows == rows_at_once)
    return turn_squares<lanes_of<T>, rows_at_once>(from, length, tile[0], lanes_of<T>);
  for (int lane = 0; lane < lanes_of<T>; ++lane) {
    const T* one = from + std::min(lane, systems - 1) * length;
    for (int r = 0; r < rows; ++r) tile[r][lane] = one[r];
  }
}

// 1 … lanes_of<T> systems that begin at a, b, c, d and x; workspace: 2 * lanes_of<T> * length.
template <typename T>
static void solve_lanes(std::int64_t length, int systems, const T* a, const T* b, const T* c, const T* d,
                        T* workspace, T* x) {
  constexpr int lanes = lanes_of<T>;
  T* const gamma = workspace;
  T* const delta = workspace + lanes * length;
  T gamma_before[lanes] = {}, x_before[lanes] = {};
  for (std::int64_t first = 0; first < length; first += rows_at_once) {
    const int rows = static_cast<int>(std::min<std::int64_t>(rows_at_once, length - first));
    Tile<T> of_a, of_b, of_c, of_d;
    turn(length, systems, rows, a + first, of_a);
    turn(length, systems, rows, b + first, of_b);
    turn(length, systems, rows, c + first, of_c);
    turn(length, systems, rows, d + first, of_d);
    for (int r = 0; r < rows; ++r)
#pragma omp simd
      for (int lane = 0; lane < lanes; ++lane) {
        const T scale = 1 / (of_b[r][lane] - of_a[r][lane] * gamma_before[lane]);
        gamma_before[lane] = of_c[r][lane] * scale;
        x_before[lane] = (of_d[r][lane] - of_a[r][lane] * x_before[lane]) * scale;
        gamma[(first + r) * lanes + lane] = gamma_before[lane];
        delta[(first + r) * lanes + lane] = x_before[lane];
      }
  }
  for (T& after : x_before) after = 0;
  for (std::int64_t first = (length - 1) / rows_at_once * rows_at_once; first >= 0; first -= rows_at_once) {
    const int rows = static_cast<int>(std::min<std::int64_t>(rows_at_once, length - first));
    Tile<T> of_x;
    for (int r = rows - 1; r >= 0; --r)
#pragma omp simd
      for (int lane = 0; lane < lanes; ++lane) {
        const std::int64_t at = (first + r) * lanes + lane;
        of_x[r][lane] = x_before[lane] = delta[at] - gamma[at] * x_before[lane];
      }
    if (systems == lanes && rows == rows_at_once) {
      turn_squares<rows_at_once, lanes>(of_x[0], lanes, x + first, length);
      continue;
    }
    for (int lane = 0; lane < systems; ++lane)
      for (int r = 0; r < rows; ++r) x[lane * length + first + r] = of_x[r][lane];
  }
}

// Group g of lanes_of<T> systems of the call's.
template <typename T>
static void solve_group(const Call& call, std::int64_t g, T* workspace) {
  const std::int64_t length = length_of(call.problem), first = g * lanes_of<T> * length;
  const std::int64_t left = systems_of(call.problem) - g * lanes_of<T>;
  solve_lanes(length, static_cast<int>(std::min<std::int64_t>(lanes_of<T>, left)),
              call.array<const T>(0) + first, call.array<const T>(1) + first, call.array<const T>(2) + first,
              call.array<const T>(3) + first, workspace, call.array<T>(4) + first);
}

template <typename T>
std::int64_t groups_of(const Problem& problem) {
  return (systems_of(problem) + lanes_of<T> - 1) / lanes_of<T>;
}

}  // namespace sextant::tridiagonal
