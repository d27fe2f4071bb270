// Fused version of NAS MG on the host: two sweeps per level and V-cycle. A tile is `rows` rows in a range of
// planes. A thread ("worker") processes a tile plane by plane. It keeps the rows of the last three planes in
// scratch memory, so that the next operator finds them in the cache.
//
// The downward sweep restricts r = v - A u while it is computed, and never stores it on the finest level. The
// upward sweep computes u + Q z, its residual and the smoothed u together; each stage lags the previous one
// by one plane and one row. Tiles read u outside their own area, so the new u of the finest level is written
// to another field (double buffering).
#pragma once

#include <cmath>

#include "host_state.hpp"
#include "rows.hpp"
#include "suite/tunables.hpp"

namespace sextant::npb_mg {
namespace {

struct Tiles {
  int rows = 16, planes = 64;
};

// One tile of a grid: rows [j, j + rows) of planes [k, k + planes).
struct Part {
  std::int64_t j, rows, k, planes;
};

// Division of a grid with side n into tiles. `rows` and `planes` are even.
struct Cut {
  std::int64_t rows, planes, across, count;
  Cut(std::int64_t n, const Tiles& tiles, std::int64_t workers)
      : rows(std::min<std::int64_t>(tiles.rows, n)),
        planes(std::min<std::int64_t>(tiles.planes, n)),
        across(n / rows),
        count(across * (n / planes)) {
    // Halves the tiles until there are enough for all workers.
    while (count < 2 * workers && planes > 4) planes /= 2, count *= 2;
  }
  Part part(std::int64_t i) const { return {i % across * rows, rows, i / across * planes, planes}; }
};

// Ring buffer of a worker for rows [first, first + rows) of three planes. Its indices are those of the grid.
struct Ring {
  double* data;
  std::int64_t n, first, rows;
  double* operator()(std::int64_t k, std::int64_t j) const {
    return data + (((k + 6) % 3) * rows + (j - first)) * n;
  }
};

inline std::int64_t room_doubles(std::int64_t n, const Tiles& tiles) {
  const std::int64_t rows = std::min<std::int64_t>(tiles.rows, n);
  return Lines::doubles(n) + 3 * (2 * rows + 6) * n + 8;
}

// Restricts a tile of a fine field. fine(k, j, to) must write row j of plane k to `to`.
template <typename FineRow>
void restrict_part(std::int64_t n, const Part& part, const FineRow& fine, const Lines& lines,
                   const Ring& ring, double* coarse) {
  const FieldRows to{coarse, n / 2};
  for (std::int64_t k = part.k; k <= part.k + part.planes; ++k) {
    for (std::int64_t j = part.j; j <= part.j + part.rows; ++j) fine(k, j, ring(k, j));
    if (k % 2 != 0 || k == part.k) continue;
    for (std::int64_t j = part.j; j < part.j + part.rows; j += 2)
      restrict_row(n, nine_rows(ring, k - 1, j + 1), lines, to(k / 2 - 1, j / 2));
  }
}

// Performs the upward sweep of one level for a tile: w = u + Q z (w = Q z if u is null), r = v - A w, to = w
// + S r.
inline void ascend_part(std::int64_t n, const Part& part, const Smoother& smoother, const double* u,
                        const double* z, const double* v, const Lines& lines, const Ring& w, const Ring& r,
                        double* to) {
  const FieldRows<const double> coarse{z, n / 2}, u_rows{u, n}, v_rows{v, n};
  const FieldRows<double> to_rows{to, n};
  for (std::int64_t k = part.k - 2; k < part.k + part.planes + 2; ++k) {
    for (std::int64_t j = w.first; j < w.first + w.rows; ++j)
      interpolate_row(n, coarse, k, j, u ? u_rows(k, j) : nullptr, lines, w(k, j));
    if (k < part.k) continue;
    for (std::int64_t j = r.first; j < r.first + r.rows; ++j)
      residual_row(n, v_rows(k - 1, j), nine_rows(w, k - 1, j), lines, r(k - 1, j));
    if (k < part.k + 2) continue;
    for (std::int64_t j = part.j; j < part.j + part.rows; ++j)
      smooth_row(n, smoother, w(k - 2, j), nine_rows(r, k - 2, j), lines, to_rows(k - 2, j));
  }
}

// The operations of a launch of the fused version. Runner::run(count, body) must call body(i, worker) for all
// i, possibly in parallel.
template <typename Runner>
struct TiledProgram {
  const Call& call;
  HostState& state;
  const std::int64_t n;
  const Tiles tiles;
  const Smoother smoother;
  double *u, *next;

  explicit TiledProgram(const Call& call_)
      : call(call_),
        state(*static_cast<HostState*>(call_.state)),
        n(side(call_.problem)),
        tiles(call_.tuned<Tiles>()),
        smoother(npb_mg::smoother(call_.problem)),
        u(state.u_memory.get()),
        next(state.next_memory.get()) {}

  double* room(std::int64_t worker) const { return state.room.get() + worker * state.room_doubles; }
  double* coarse_u(std::int64_t m) const { return state.coarse_u.get() + level_offset(m); }
  double* coarse_r(std::int64_t m) const { return state.coarse_r.get() + level_offset(m); }

  void clear() const {
    Runner::run(n, [this](std::int64_t k, std::int64_t) { std::fill_n(u + k * n * n, n * n, 0.0); });
  }

  // Returns the norm of r = v - A u. Stores r in `to` unless `to` is null.
  double norm(double* to) const {
    const double* const v = state.v_memory.get();
    double* const sums = state.row_sums.get();
    Runner::run(n, [=, this](std::int64_t k, std::int64_t worker) {
      const Lines lines(room(worker), n);
      double* const row = room(worker) + Lines::doubles(n);
      const FieldRows u_rows{static_cast<const double*>(u), n};
      for (std::int64_t j = 0; j < n; ++j) {
        double* const r = to ? to + (k * n + j) * n : row;
        residual_row(n, v + (k * n + j) * n, nine_rows(u_rows, k, j), lines, r);
        sums[k * n + j] = sum_of_squares(n, r);
      }
    });
    double sum = 0;
    for (std::int64_t i = 0; i < n * n; ++i) sum += sums[i];
    return std::sqrt(sum / static_cast<double>(cube(n)));
  }

  // Computes r of the level below the finest.
  void descend_finest() const {
    const Cut cut(n, tiles, Runner::workers());
    const FieldRows u_rows{static_cast<const double*>(u), n};
    const FieldRows v_rows{static_cast<const double*>(state.v_memory.get()), n};
    Runner::run(cut.count, [&, this](std::int64_t i, std::int64_t worker) {
      const Part part = cut.part(i);
      const Lines lines(room(worker), n);
      const Ring ring{room(worker) + Lines::doubles(n), n, part.j, part.rows + 1};
      restrict_part(
          n, part,
          [&](std::int64_t k, std::int64_t j, double* to) {
            residual_row(n, v_rows(k, j), nine_rows(u_rows, k, j), lines, to);
          },
          lines, ring, coarse_r(n / 2));
    });
  }

  // Computes r of the next coarser level from r of the level with side m.
  void descend(std::int64_t m) const {
    const FieldRows from{static_cast<const double*>(coarse_r(m)), m};
    const FieldRows to{coarse_r(m / 2), m / 2};
    Runner::run(m / 2, [&, this](std::int64_t k, std::int64_t worker) {
      const Lines lines(room(worker), m);
      for (std::int64_t j = 0; j < m / 2; ++j)
        restrict_row(m, nine_rows(from, 2 * k + 1, 2 * j + 1), lines, to(k, j));
    });
  }

  // Computes u of the coarsest grid, 2^3 points.
  void solve_coarsest() const {
    const FieldRows rows{static_cast<const double*>(coarse_r(2)), 2};
    const Lines lines(room(0), 2);
    static constexpr double zero[2] = {};
    for (std::int64_t k = 0; k < 2; ++k)
      for (std::int64_t j = 0; j < 2; ++j)
        smooth_row(2, smoother, zero, nine_rows(rows, k, j), lines, coarse_u(2) + (2 * k + j) * 2);
  }

  // Performs the upward sweep on the level with side m: smooths `from` + Q z into `to`.
  void ascend(std::int64_t m, const double* from, const double* v, double* to) const {
    const Cut cut(m, tiles, Runner::workers());
    Runner::run(cut.count, [&, this](std::int64_t i, std::int64_t worker) {
      const Part part = cut.part(i);
      const Lines lines(room(worker), m);
      double* const first = room(worker) + Lines::doubles(m);
      const Ring w{first, m, part.j - 2, part.rows + 4};
      const Ring r{first + 3 * w.rows * m, m, part.j - 1, part.rows + 2};
      ascend_part(m, part, smoother, from, coarse_u(m / 2), v, lines, w, r, to);
    });
  }

  void cycle() {
    call.phase("down");
    descend_finest();
    call.phase("coarse");
    for (std::int64_t m = n / 2; m > 2; m /= 2) descend(m);
    solve_coarsest();
    for (std::int64_t m = 4; m < n; m *= 2) ascend(m, nullptr, coarse_r(m), coarse_u(m));
    call.phase("up");
    ascend(n, u, state.v_memory.get(), next);
    std::swap(u, next);
  }

  void run() {
    double* const results = call.array<double>(norms);
    call.phase("norm");
    clear();
    results[0] = norm(nullptr);
    for (std::int64_t t = 0; t < iterations(call.problem); ++t) cycle();
    call.phase("norm");
    results[1] = norm(with_field(call.problem) ? call.array<double>(field_r) : nullptr);
    if (with_field(call.problem)) {
      double* const to = call.array<double>(field_u);
      Runner::run(
          n, [=, this](std::int64_t k, std::int64_t) { std::copy_n(u + k * n * n, n * n, to + k * n * n); });
    }
    call.phase("");
  }
};

template <typename Runner>
std::int64_t tiles_workspace(const Problem& problem, const Tiles& tiles) {
  const std::int64_t n = side(problem);
  return 8 * (state_doubles(n, 3) + Runner::workers() * room_doubles(n, tiles));
}

// Allocates the state. Each worker first touches the memory that it will use (NUMA placement).
template <typename Runner>
const char* prepare_tiles(const Call& call, void** state) {
  const std::int64_t n = side(call.problem);
  auto made = std::make_unique<HostState>();
  made->room_doubles = room_doubles(n, call.tuned<Tiles>());
  made->u_memory = allocate(cube(n)), made->next_memory = allocate(cube(n)),
  made->v_memory = allocate(cube(n));
  made->coarse_u = allocate(coarser_points(n)), made->coarse_r = allocate(coarser_points(n));
  made->row_sums = allocate(n * n), made->room = allocate(Runner::workers() * made->room_doubles);
  if (!made->u_memory || !made->next_memory || !made->v_memory || !made->coarse_u || !made->coarse_r ||
      !made->row_sums || !made->room)
    return "host memory ran out";
  double* const fields[] = {made->u_memory.get(), made->next_memory.get(), made->v_memory.get()};
  Runner::run(n, [&](std::int64_t k, std::int64_t) {
    for (double* field : fields) std::fill_n(field + k * n * n, n * n, 0.0);
  });
  put_charges(n, made->v_memory.get());
  *state = made.release();
  return nullptr;
}

template <typename Runner>
void launch_tiles(const Call& call) {
  TiledProgram<Runner>(call).run();
}

template <typename Runner>
Variant tiles_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.tunables = tunables<Tiles>(
      {{"rows", &Tiles::rows, {4, 8, 16, 32, 64}}, {"planes", &Tiles::planes, {16, 32, 64, 128, 1024}}});
  variant.launch = {.float64 = launch_tiles<Runner>};
  variant.prepare = prepare_tiles<Runner>;
  variant.release = release_host;
  variant.workspace = by_name<tiles_workspace<Runner>>;
  return variant;
}

}  // namespace
}  // namespace sextant::npb_mg
