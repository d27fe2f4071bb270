// Solves several systems at once on the host, one per SIMD lane. Rows are transposed on loading and storing,
// so that each lane has one system.
#pragma once

#include "toolbox/host/streaming.hpp"
#include "toolbox/host/turn.hpp"
#include "workspace.hpp"

namespace sextant::tridiagonal {

inline constexpr int most_lanes = 32, rows_at_once = 16;

// Number of systems solved at once: two 64-byte vectors, so that one can be multiplied while the other waits
// for a division.
template <typename T>
inline constexpr int lanes_of = 128 / sizeof(T);

// Size of the workspace of one thread, or of all threads, in units of the length of a system.
inline std::int64_t lanes_of_systems() { return 2 * most_lanes; }
inline std::int64_t lanes_of_threads() { return 2 * most_lanes * omp_get_max_threads(); }

// Refuses systems for which a thread's workspace does not fit in its core's cache.
inline const char* refuse_long(const Problem& problem, const int*) {
  return length_of(problem) > 65536
             ? "systems of more than 65536 unknowns: a group of them does not fit in a core's cache"
             : nullptr;
}

template <typename T>
using Tile = T[rows_at_once][lanes_of<T>];

// How systems are accessed. through_caches: plain loads and stores. past_caches: prefetches the rows of the
// next group of systems and writes results in whole cache lines by non-temporal stores, if they are aligned.
enum class Way { through_caches, past_caches };

// Prefetches the same rows of the next group of systems.
template <typename T>
static void ask_for_next(std::int64_t length, const T* from) {
  for (int lane = 0; lane < lanes_of<T>; ++lane)
    for (int r = 0; r < rows_at_once; r += line_bytes / static_cast<int>(sizeof(T)))
      __builtin_prefetch(from + (lanes_of<T> + lane) * length + r);
}

// Sets tile[r][lane] to row r of system `lane`. If there are fewer systems than lanes, the last system is
// repeated.
template <Way way, typename T>
static void turn(std::int64_t length, int systems, int rows, const T* from, Tile<T>& tile) {
  if constexpr (way == Way::past_caches) ask_for_next(length, from);
  if (systems == lanes_of<T> && rows == rows_at_once)
    return turn_squares<lanes_of<T>, rows_at_once>(from, length, tile[0], lanes_of<T>);
  for (int lane = 0; lane < lanes_of<T>; ++lane) {
    const T* one = from + std::min(lane, systems - 1) * length;
    for (int r = 0; r < rows; ++r) tile[r][lane] = one[r];
  }
}

// Sets x[lane * length + r] to tile[r][lane] by non-temporal stores. If a vector is as long as a cache line,
// lines are written directly from registers.
template <typename T>
static void stream_turned(std::int64_t length, const Tile<T>& tile, T* x) {
  constexpr int lanes = lanes_of<T>, per_line = line_bytes / static_cast<int>(sizeof(T)),
                side = Square<T>::lanes;
  if constexpr (side == per_line) {
    for (int r = 0; r < rows_at_once; r += side)
      for (int first = 0; first < lanes; first += side) {
        Square<T> square;
        square.read(&tile[r][first], lanes);
        square.turn();
#pragma GCC unroll 16
        for (int k = 0; k < side; ++k) stream_line(x + (first + k) * length + r, &square.rows[k]);
      }
    return;
  }
  alignas(line_bytes) T turned[lanes][rows_at_once];
  turn_squares<rows_at_once, lanes>(tile[0], lanes, turned[0], rows_at_once);
  for (int lane = 0; lane < lanes; ++lane)
    for (int r = 0; r < rows_at_once; r += per_line) stream_line(x + lane * length + r, &turned[lane][r]);
}

// Solves up to lanes_of<T> systems by the Thomas algorithm. The first system starts at a, b, c, d and x. The
// workspace has 2 * lanes_of<T> * length elements.
template <Way way, typename T>
static void solve_lanes(std::int64_t length, int systems, const T* a, const T* b, const T* c, const T* d,
                        T* workspace, T* x) {
  constexpr int lanes = lanes_of<T>;
  T* const gamma = workspace;
  T* const delta = workspace + lanes * length;
  constexpr int wide = Square<T>::lanes, vectors = lanes / wide;
  using Row = typename Square<T>::Row;
  const auto row = [](auto* at) -> auto& { return *reinterpret_cast<Row*>(at); };
  Row gamma_before[vectors] = {}, x_before[vectors] = {};
  const bool lines = way == Way::past_caches && length % rows_at_once == 0 && line_start(x, 0) == 0;
  for (std::int64_t first = 0; first < length; first += rows_at_once) {
    const int rows = static_cast<int>(std::min<std::int64_t>(rows_at_once, length - first));
    Tile<T> of_a, of_b, of_c, of_d;
    turn<way>(length, systems, rows, a + first, of_a);
    turn<way>(length, systems, rows, b + first, of_b);
    turn<way>(length, systems, rows, c + first, of_c);
    turn<way>(length, systems, rows, d + first, of_d);
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        const std::int64_t at = (first + r) * lanes + v * wide;
        const Row below = row(&of_a[r][v * wide]);
        const Row scale = T(1) / (row(&of_b[r][v * wide]) - below * gamma_before[v]);
        row(gamma + at) = gamma_before[v] = row(&of_c[r][v * wide]) * scale;
        row(delta + at) = x_before[v] = (row(&of_d[r][v * wide]) - below * x_before[v]) * scale;
      }
  }
  for (Row& after : x_before) after = Row{};
  for (std::int64_t first = (length - 1) / rows_at_once * rows_at_once; first >= 0; first -= rows_at_once) {
    const int rows = static_cast<int>(std::min<std::int64_t>(rows_at_once, length - first));
    Tile<T> of_x;
    for (int r = rows - 1; r >= 0; --r)
#pragma GCC unroll 8
      for (int v = 0; v < vectors; ++v) {
        const std::int64_t at = (first + r) * lanes + v * wide;
        row(&of_x[r][v * wide]) = x_before[v] = row(delta + at) - row(gamma + at) * x_before[v];
      }
    if (systems == lanes && rows == rows_at_once) {
      if (lines)
        stream_turned(length, of_x, x + first);
      else
        turn_squares<rows_at_once, lanes>(of_x[0], lanes, x + first, length);
      continue;
    }
    for (int lane = 0; lane < systems; ++lane)
      for (int r = 0; r < rows; ++r) x[lane * length + first + r] = of_x[r][lane];
  }
}

// Solves group g of the call's systems. A group has lanes_of<T> systems.
template <Way way = Way::through_caches, typename T>
static void solve_group(const Call& call, std::int64_t g, T* workspace) {
  const std::int64_t length = length_of(call.problem), first = g * lanes_of<T> * length;
  const std::int64_t left = systems_of(call.problem) - g * lanes_of<T>;
  solve_lanes<way>(length, static_cast<int>(std::min<std::int64_t>(lanes_of<T>, left)),
                   call.array<const T>(0) + first, call.array<const T>(1) + first,
                   call.array<const T>(2) + first, call.array<const T>(3) + first, workspace,
                   call.array<T>(4) + first);
}

template <typename T>
std::int64_t groups_of(const Problem& problem) {
  return (systems_of(problem) + lanes_of<T> - 1) / lanes_of<T>;
}

}  // namespace sextant::tridiagonal
