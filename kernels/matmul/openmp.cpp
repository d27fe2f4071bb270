#include <omp.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/memory.hpp"
#include "toolbox/host/vector_bytes.hpp"

// The blocked matrix product with SIMD and threads, shared by matmul and matmul_naive. Both operands are
// packed in the order in which the innermost block reads them. The tiles of C are distributed among threads.
// Source: K. Goto, R. A. van de Geijn, "Anatomy of high-performance matrix multiplication", 2008.
namespace sextant::matmul {

// The innermost block keeps `rows` rows by two vectors of C in registers. `rows` is as large as the number of
// registers allows.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int rows = 12;
#elif defined(__AVX__)
inline constexpr int rows = 6;
#else
inline constexpr int rows = 4;
#endif

template <typename T>
inline constexpr int lanes = vector_bytes / static_cast<int>(sizeof(T));
template <typename T>
inline constexpr int columns = 2 * lanes<T>;

// Maximum inner steps (values of k) per pass. A packed panel of B then takes 32 KB, the size of an L1 cache.
// Each block of C is read and written once per pass.
inline constexpr int deepest = (32 << 10) / (2 * vector_bytes);

struct Tiling {
  int depth = std::min(deepest, 512);
  // Size of a tile of C. The tile's packed rows of A fit in the L2 cache: 384 KB of doubles.
  int tile_rows = 96, tile_columns = 256;
};

// Packed operands for `depth` values of k: A as [strip][k][row], B as [panel][k][column]. A strip has `rows`
// rows of A, and a panel has `columns` columns of B. Incomplete strips and panels are padded with zeros.
struct Workspace {
  HostMemory<char> a, b;
  int threads = 1;
};

constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Number of k values per pass: n is divided into equal passes. Every pass reads and writes C once, so a short
// last pass would be inefficient.
constexpr std::int64_t depth_of(std::int64_t n, const Tiling& tiling) {
  const std::int64_t parts = (n + tiling.depth - 1) / tiling.depth;
  return (n + parts - 1) / parts;
}

// Bytes of `lines` packed lines, each a row of A or a column of B.
inline std::int64_t packed_bytes(const Problem& problem, const Tiling& tiling, std::int64_t lines) {
  return lines * depth_of(problem.extents.x, tiling) * static_cast<std::int64_t>(element_size(problem.type));
}

inline std::int64_t lines_of_a(const Problem& problem) { return round_up(problem.extents.x, rows); }
inline std::int64_t lines_of_b(const Problem& problem) {
  return round_up(problem.extents.x, problem.type == ElementType::float64 ? columns<double> : columns<float>);
}

inline std::int64_t workspace_packed(const Problem& problem, const Tiling& tiling) {
  return packed_bytes(problem, tiling, lines_of_a(problem) + lines_of_b(problem));
}

inline const char* prepare_packed(const Call& call, void** state) {
  const auto tiling = call.tuned<Tiling>();
  auto made = std::make_unique<Workspace>();
  made->a = allocate_host<char>(packed_bytes(call.problem, tiling, lines_of_a(call.problem)));
  made->b = allocate_host<char>(packed_bytes(call.problem, tiling, lines_of_b(call.problem)));
  if (!made->a || !made->b) return "not enough memory for the packed operands";
  made->threads = omp_get_max_threads();
  *state = made.release();
  return nullptr;
}

inline void release_packed(void* state) { delete static_cast<Workspace*>(state); }

// Reduces the tile size until there are at least three tiles per thread, so that threads do not wait long for
// the last tile.
inline void share_tiles(const Problem& problem, Tiling& tiling) {
  const std::int64_t n = problem.extents.x, wanted = std::int64_t{3} * omp_get_max_threads();
  const auto count = [&] {
    return (round_up(n, tiling.tile_rows) / tiling.tile_rows) *
           (round_up(n, tiling.tile_columns) / tiling.tile_columns);
  };
  if (count() < wanted) tiling.tile_columns = 128;
  if (count() < wanted) tiling.tile_rows = 48;
}

// Packs `width` lines (rows of A or columns of B) as packed[k][line]; lines from `count` on are zero. Element
// k of line l is source[l*line_step + k*k_step].
template <typename T, int width>
void pack(const T* source, std::int64_t line_step, std::int64_t k_step, std::int64_t count,
          std::int64_t depth, T* packed) {
  if (count == width && line_step == 1) {
    for (std::int64_t k = 0; k < depth; ++k)
      std::memcpy(packed + k * width, source + k * k_step, width * sizeof(T));
    return;
  }
  for (std::int64_t k = 0; k < depth; ++k)
    for (std::int64_t line = 0; line < width; ++line)
      packed[k * width + line] = line < count ? source[line * line_step + k * k_step] : T{0};
}

// Multiplies a packed strip of A by a packed panel of B. If `first`, stores the product in
// c[0..height)[0..width); otherwise adds it to c. Rows of c are `step` elements apart.
template <typename T>
void multiply_block(const T* a, const T* b, std::int64_t depth, T* c, std::int64_t step, std::int64_t height,
                    std::int64_t width, bool first) {
  typedef T Vector __attribute__((vector_size(vector_bytes), aligned(sizeof(T)), may_alias));
  const bool whole = height == rows && width == columns<T>;
  // Prefetches the block of C, because it is needed as soon as the sums are complete.
  if (whole)
    for (int row = 0; row < rows; ++row) {
      __builtin_prefetch(c + row * step, 1);
      __builtin_prefetch(c + row * step + columns<T> - 1, 1);
    }
  Vector sums[rows][2] = {};
  // The loop is not unrolled, so that GCC keeps two vectors of B in registers. Unrolled, it would reload them
  // from memory.
#pragma GCC unroll 1
  for (std::int64_t k = 0; k < depth; ++k, a += rows, b += columns<T>) {
    const Vector left = *reinterpret_cast<const Vector*>(b);
    const Vector right = *reinterpret_cast<const Vector*>(b + lanes<T>);
#pragma GCC unroll 12
    for (int row = 0; row < rows; ++row) {
      sums[row][0] += a[row] * left;
      sums[row][1] += a[row] * right;
    }
  }
  if (whole) {
#pragma GCC unroll 12
    for (int row = 0; row < rows; ++row)
      for (int half = 0; half < 2; ++half) {
        auto* to = reinterpret_cast<Vector*>(c + row * step + half * lanes<T>);
        *to = first ? sums[row][half] : *to + sums[row][half];
      }
    return;
  }
  T edge[rows][columns<T>];
#pragma GCC unroll 12
  for (int row = 0; row < rows; ++row)
    for (int half = 0; half < 2; ++half)
      *reinterpret_cast<Vector*>(&edge[row][half * lanes<T>]) = sums[row][half];
  for (std::int64_t row = 0; row < height; ++row)
    for (std::int64_t x = 0; x < width; ++x)
      c[row * step + x] = (first ? T{0} : c[row * step + x]) + edge[row][x];
}

// Computes one tile of C. It multiplies all strips of the rows [top, bottom) by all panels of the columns
// [left, right).
template <typename T>
void multiply_tile(const Workspace& workspace, T* c, std::int64_t n, std::int64_t depth, std::int64_t top,
                   std::int64_t bottom, std::int64_t left, std::int64_t right, bool first) {
  const T* a = reinterpret_cast<const T*>(workspace.a.get());
  const T* b = reinterpret_cast<const T*>(workspace.b.get());
  for (std::int64_t x = left; x < right; x += columns<T>)
    for (std::int64_t y = top; y < bottom; y += rows)
      multiply_block(a + y * depth, b + x * depth, depth, c + y * n + x, n,
                     std::min<std::int64_t>(rows, n - y), std::min<std::int64_t>(columns<T>, n - x), first);
}

template <typename T>
void multiply_packed(const Call& call) {
  const auto tiling = call.tuned<Tiling>();
  const std::int64_t n = call.problem.extents.x, max_depth = depth_of(n, tiling);
  const std::int64_t tile_rows = tiling.tile_rows, tile_columns = tiling.tile_columns;
  const auto& workspace = *static_cast<const Workspace*>(call.state);
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
#pragma omp parallel num_threads(workspace.threads)
  for (std::int64_t k = 0; k < n; k += max_depth) {
    const std::int64_t depth = std::min(max_depth, n - k);
#pragma omp for schedule(static) nowait
    for (std::int64_t y = 0; y < n; y += rows)
      pack<T, rows>(a + y * n + k, n, 1, std::min<std::int64_t>(rows, n - y), depth,
                    reinterpret_cast<T*>(workspace.a.get()) + y * depth);
#pragma omp for schedule(static)
    for (std::int64_t x = 0; x < n; x += columns<T>)
      pack<T, columns<T>>(b + k * n + x, 1, n, std::min<std::int64_t>(columns<T>, n - x), depth,
                          reinterpret_cast<T*>(workspace.b.get()) + x * depth);
#pragma omp for collapse(2) schedule(dynamic)
    for (std::int64_t x = 0; x < n; x += tile_columns)
      for (std::int64_t y = 0; y < n; y += tile_rows)
        multiply_tile(workspace, c, n, depth, y, std::min(n, y + tile_rows), x, std::min(n, x + tile_columns),
                      k == 0);
  }
}

inline Variant packed_variant() {
  Variant variant;
  variant.description = "packed operands; threads take tiles of C; the innermost block of C in registers";
  variant.tunables = tunables<Tiling>({{"depth", &Tiling::depth, {64, 128, 256, 384, 512}},
                                       {"tile_rows", &Tiling::tile_rows, {48, 96, 192, 384}},
                                       {"tile_columns", &Tiling::tile_columns, {128, 256, 512, 1024}}});
  variant.adapt = by_name<share_tiles>;
  variant.workspace = by_name<workspace_packed>;
  variant.prepare = prepare_packed;
  variant.release = release_packed;
  variant.launch = SEXTANT_FLOAT_DOUBLE(multiply_packed);
  return variant;
}

}  // namespace sextant::matmul

namespace sextant {
namespace {

namespace simd {

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = call.array<const T>(0);
  const T* b = call.array<const T>(1);
  T* c = call.array<T>(2);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    T* row = c + i * n;
    for (std::int64_t j = 0; j < n; ++j) row[j] = 0;
    for (std::int64_t k = 0; k < n; ++k) {
      const T factor = a[i * n + k];
#pragma omp simd
      for (std::int64_t j = 0; j < n; ++j) row[j] += factor * b[k * n + j];
    }
  }
}

}  // namespace simd

}  // namespace

Variant matmul_openmp_blocked() { return matmul::packed_variant(); }

std::vector<Variant> matmul_openmp() {
  return {
      named("blocked", matmul_openmp_blocked()),
      {.name = "simd",
       .description = "threads over rows of C; SIMD along rows of B",
       .launch = SEXTANT_FLOAT_DOUBLE(simd::launch)},
  };
}

}  // namespace sextant
