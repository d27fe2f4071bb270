// Defines the problem that matmul and matmul_naive share. They differ only in their serial loop.
#pragma once

#include <algorithm>
#include <vector>

#include "suite/extents.hpp"
#include "suite/kernel.hpp"
#include "suite/problem.hpp"
#include "toolbox/exact_sums.hpp"
#include "toolbox/host/rounding.hpp"
#include "toolbox/host/traits.hpp"

// Computes the reference, which is the matrix product in double. It is blocked and vectorised, because every
// study computes it and a plain loop would take longer than all measurements together. It shares no code with
// the variants.
namespace sextant::matmul {

// Size of the innermost block of the reference: `rows` rows by `vectors` vectors of C stay in registers over
// `depth` steps along the inner dimension.
inline constexpr int reference_rows = 4, reference_vectors = 3, reference_depth = 128;

// Computes one block of the product. `a` is packed as a[k][row], `b` as b[k][column]. The result c is
// row-major with vectors * lanes doubles per row.
template <int lanes>
[[gnu::always_inline]] inline void reference_block(const double* a, const double* b, std::int64_t depth,
                                                   double* c) {
  typedef double Vector __attribute__((vector_size(lanes * 8), aligned(8), may_alias));
  Vector sums[reference_rows][reference_vectors] = {};
  for (std::int64_t k = 0; k < depth; ++k, a += reference_rows, b += reference_vectors * lanes)
#pragma GCC unroll 4
    for (int row = 0; row < reference_rows; ++row)
#pragma GCC unroll 3
      for (int v = 0; v < reference_vectors; ++v)
        sums[row][v] += a[row] * *reinterpret_cast<const Vector*>(b + v * lanes);
  for (int row = 0; row < reference_rows; ++row)
    for (int v = 0; v < reference_vectors; ++v)
      *reinterpret_cast<Vector*>(c + (row * reference_vectors + v) * lanes) = sums[row][v];
}

// The version of reference_block for the best instruction set of this processor. `lanes` is the number of
// doubles per vector.
struct ReferenceBlock {
  int lanes;
  void (*multiply)(const double* a, const double* b, std::int64_t depth, double* c);
};

inline void reference_block_plain(const double* a, const double* b, std::int64_t depth, double* c) {
  reference_block<2>(a, b, depth, c);
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2,fma"))) inline void reference_block_avx2(const double* a, const double* b,
                                                                     std::int64_t depth, double* c) {
  reference_block<4>(a, b, depth, c);
}

__attribute__((target("avx512f"))) inline void reference_block_avx512(const double* a, const double* b,
                                                                      std::int64_t depth, double* c) {
  reference_block<8>(a, b, depth, c);
}

inline ReferenceBlock best_reference_block() {
  if (__builtin_cpu_supports("avx512f")) return {8, reference_block_avx512};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {4, reference_block_avx2};
  return {2, reference_block_plain};
}
#else
inline ReferenceBlock best_reference_block() { return {2, reference_block_plain}; }
#endif

// Copies `count` lines (rows of A or columns of B) of `depth` elements to packed[k][line] and pads with zeros
// up to `width` lines. Element k of line l is source[l * line_step + k * k_step].
template <typename T>
void reference_pack(const T* source, std::int64_t line_step, std::int64_t k_step, std::int64_t count,
                    std::int64_t depth, std::int64_t width, double* packed) {
  for (std::int64_t k = 0; k < depth; ++k)
    for (std::int64_t line = 0; line < width; ++line)
      packed[k * width + line] =
          line < count ? static_cast<double>(source[line * line_step + k * k_step]) : 0.0;
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* a = static_cast<const T*>(arrays[0]);
  const T* b = static_cast<const T*>(arrays[1]);
  double* c = results[2];
  const std::int64_t n = problem.extents.x;
  const ReferenceBlock block = best_reference_block();
  const std::int64_t width = block.lanes * reference_vectors, panels = (n + width - 1) / width;
  // number of rows that are packed together, so that they fit in the L2 cache
  constexpr std::int64_t rows = reference_rows, group = 16 * rows;
  std::vector<double> packed_b(static_cast<std::size_t>(panels * width * reference_depth));
  std::fill(c, c + n * n, 0.0);
#pragma omp parallel
  {
    std::vector<double> packed_a(static_cast<std::size_t>(group * reference_depth));
    std::vector<double> product(static_cast<std::size_t>(rows * width));
    for (std::int64_t k = 0; k < n; k += reference_depth) {
      const std::int64_t depth = std::min<std::int64_t>(reference_depth, n - k);
#pragma omp for schedule(static)
      for (std::int64_t panel = 0; panel < panels; ++panel)
        reference_pack(b + k * n + panel * width, 1, n, std::min(width, n - panel * width), depth, width,
                       packed_b.data() + panel * width * depth);
#pragma omp for schedule(dynamic)
      for (std::int64_t top = 0; top < n; top += group) {
        const std::int64_t bottom = std::min(n, top + group);
        for (std::int64_t i = top; i < bottom; i += rows)
          reference_pack(a + i * n + k, n, 1, std::min(rows, n - i), depth, rows,
                         packed_a.data() + (i - top) * depth);
        for (std::int64_t panel = 0; panel < panels; ++panel)
          for (std::int64_t i = top; i < bottom; i += rows) {
            block.multiply(packed_a.data() + (i - top) * depth, packed_b.data() + panel * width * depth,
                           depth, product.data());
            const std::int64_t columns = std::min(width, n - panel * width), height = std::min(rows, n - i);
            for (std::int64_t row = 0; row < height; ++row)
              for (std::int64_t x = 0; x < columns; ++x)
                c[(i + row) * n + panel * width + x] += product[static_cast<std::size_t>(row * width + x)];
          }
      }
    }
  }
}

}  // namespace sextant::matmul

namespace sextant::matmul {

// Largest matrix side for which all sums are exact and the tolerance is zero. Larger matrices have elements
// with random bits. Products with few significant bits draw less power on a GPU and would distort the timing.
inline constexpr std::int64_t exact_side = 512;

// Fills a matrix with random numbers. Up to exact_side, all sums are exact. For this, column k of A and row k
// of B share the significant bits that a product may have.
template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  const std::int64_t n = problem.extents.x;
  const ExactSum sum(problem.type, n);
  T* values = static_cast<T*>(data);
  if (n > exact_side) return fill_uniform(seed, n * n, values);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n * n; ++i)
    values[i] = sum.factor<T>(seed, i, index == 0 ? i % n : i / n, index == 1);
}

inline Kernel definition(const char* name, const char* formula) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = "matrix";
  kernel.family = "product";
  kernel.formula = formula;
  kernel.arrays = {{"A", Role::in}, {"B", Role::in}, {"C", Role::out}};
  kernel.extents = square_extents<3>;
  kernel.work = [](const Problem& p) {
    const std::int64_t count = p.extents.count();
    const std::int64_t bytes = count * static_cast<std::int64_t>(element_size(p.type));
    return Work{
        .bytes_read = 2 * bytes, .bytes_written = bytes, .flops = 2 * count * p.extents.x, .items = count};
  };
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  // smaller matrices need exact sums
  kernel.fillable = [](const Problem& p, int) { return p.extents.x > exact_side; };
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem& p) {
    if (p.extents.x <= exact_side) return Tolerance{};
    return rounded_sum_tolerance(p, p.extents.x, 4);
  };
  kernel.tolerance_reason =
      "up to a side of 512, elements are integers times a power of two, with so few bits that any "
      "order of additions gives the same sums. For larger sides, products of two numbers uniform "
      "in [-1, 1) have variance 1/9, so the partial sum of k of them is a random walk of variance "
      "k/9. Its rounding errs by at most u times the partial sum (variance u^2 k/27 if uniform, u "
      "= unit roundoff), so n sequential additions have an error of standard deviation u n/7.3. "
      "The tolerance is 4 u (n + 4), 29 times that, because the worst of n^2 elements counts; "
      "other orders and fused operations err less, 11-bit products far more";
  return kernel;
}

}  // namespace sextant::matmul
