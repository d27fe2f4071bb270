#include "suite/kernel.hpp"

#include "loop.hpp"
#include "toolbox/exact_sums.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using spmv::entries_of;
using spmv::rows_of;

// The most rows for which matrix and vectors fit in n elements: m rows take 3 m + 1 elements, plus two per
// nonzero.
template <spmv::Structure structure>
Extents extents(std::int64_t n) {
  std::int64_t low = 0, high = std::min(spmv::most_rows, std::max<std::int64_t>(n, 0)) + 1;
  while (high - low > 1) {
    const std::int64_t m = (low + high) / 2;
    (2 * spmv::row_offset(structure, m, m) + 3 * m + 1 <= n ? low : high) = m;
  }
  return {low, 1, 1};
}

std::int64_t length(const Problem& p, int index) {
  const std::int64_t m = rows_of(p);
  return index == 0 ? m + 1 : index <= 2 ? entries_of(p) : m;
}

std::int64_t longest_row(const Problem& p) {
  std::int64_t longest = 1;
  for (int t = 0; rows_of(p) >> t > 0; ++t)
    longest = std::max(longest, spmv::row_length(p.parameters[0], rows_of(p), (std::int64_t{1} << t) - 1));
  return longest;
}

// Calls use(e, column) for the index e of each nonzero and its column.
template <typename Use>
void for_each_entry(const Problem& p, const Use& use) {
  const std::int64_t structure = p.parameters[0], m = rows_of(p);
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::int64_t r = 0; r < m; ++r) {
    const std::int64_t k = spmv::row_length(structure, m, r), begin = spmv::row_offset(structure, m, r);
    for (std::int64_t q = 0; q < k; ++q) use(begin + q, spmv::column(structure, m, r, k, q, begin + q));
  }
}

// full-precision ("wide") values have this many bits less than the type holds, so that their products are
// exact
constexpr int fewer_bits = 3;

// Fills the values of the matrix. To keep products exact, a nonzero is wide only if its element of x is not.
template <typename T>
void fill_values(const Problem& problem, std::uint64_t seed, T* val) {
  const WidePlaces wide(longest_row(problem)), wide_in_x(rows_of(problem));
  for_each_entry(problem, [&](std::int64_t entry, std::int64_t column) {
    val[entry] = wide.has(entry) && !wide_in_x.has(column) ? wide_number<T>(seed, entry, fewer_bits)
                                                           : whole<T>(seed, entry, 4);
  });
}

template <typename T>
void initialise(const Problem& problem, int index, std::uint64_t seed, void* data) {
  const std::int64_t count = length(problem, index);
  if (index == 1)
    return for_each_entry(problem, [&](std::int64_t entry, std::int64_t column) {
      static_cast<std::int32_t*>(data)[entry] = static_cast<std::int32_t>(column);
    });
  if (index == 2) return fill_values(problem, seed, static_cast<T*>(data));
  const WidePlaces wide(rows_of(problem));
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    if (index == 0)
      static_cast<std::int32_t*>(data)[i] =
          static_cast<std::int32_t>(spmv::row_offset(problem.parameters[0], rows_of(problem), i));
    else
      static_cast<T*>(data)[i] = wide.has(i) ? wide_number<T>(seed, i, fewer_bits) : whole<T>(seed, i, 4);
  }
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const auto* row = static_cast<const std::int32_t*>(arrays[0]);
  const auto* col = static_cast<const std::int32_t*>(arrays[1]);
  const T* val = static_cast<const T*>(arrays[2]);
  const T* x = static_cast<const T*>(arrays[3]);
#pragma omp parallel for schedule(dynamic, 4096)
  for (std::int64_t r = 0; r < rows_of(problem); ++r) {
    std::int64_t sum = 0;
    for (std::int64_t e = row[r]; e < row[r + 1]; ++e)
      sum += static_cast<std::int64_t>(val[e]) * static_cast<std::int64_t>(x[col[e]]);
    results[4][r] = static_cast<double>(sum);
  }
}

Work work(const Problem& p) {
  const std::int64_t m = rows_of(p), entries = entries_of(p),
                     size = static_cast<std::int64_t>(element_size(p.type));
  return {.bytes_read = entries * (4 + size) + 4 * (m + 1) + m * size,
          .bytes_written = m * size,
          .flops = 2 * entries,
          .items = m};
}

// Returns the mean distance between consecutive reads of x. Within a row, reads go from its first to its last
// column. Then they go back to the first column of the next row.
double mean_way(const Problem& p) {
  const std::int64_t structure = p.parameters[0], m = rows_of(p);
  if (structure == spmv::banded) return 1;
  double ways = 0;
  for (int t = 0; m >> t > 0; ++t) {
    const std::int64_t k = spmv::row_length(structure, m, (std::int64_t{1} << t) - 1);
    const auto middle = [&](std::int64_t q) {
      return 0.5 * static_cast<double>(spmv::first_column(structure, m, k, q) +
                                       spmv::first_column(structure, m, k, q + 1));
    };
    ways += 2 * static_cast<double>((m >> t) - (m >> (t + 1))) *
            (middle(k - 1) - middle(0) + static_cast<double>(k - 1));
  }
  return std::max(1.0, ways / static_cast<double>(entries_of(p)));
}

// In a power-law matrix, lanes diverge: half of the rows have the minimum length and end before the others.
Traits traits(const Problem& p) {
  const bool even = p.parameters[0] != spmv::powerlaw;
  const auto m = static_cast<double>(rows_of(p)), entries = static_cast<double>(entries_of(p));
  Traits traits = elementwise_traits((3 * entries + m + 1) / m, 1);
  traits.stride_read = mean_way(p);
  traits.depth = levels(longest_row(p));
  traits.divergence = even ? 0 : 0.5;
  return traits;
}

Kernel with_structure(spmv::Structure structure, const char* name, const char* formula) {
  Kernel kernel;
  kernel.name = name;
  kernel.group = "spmv";
  kernel.dwarf = "sparse";
  kernel.formula = formula;
  kernel.arrays = {{"row", Role::in, ElementType::int32},
                   {"col", Role::in, ElementType::int32},
                   {"val", Role::in},
                   {"x", Role::in},
                   {"y", Role::out}};
  kernel.parameters = {structure};
  kernel.length = length;
  kernel.refuse = [](const Problem& p) {
    constexpr std::int64_t steps = 1 << 16;  // safety margin, because indices may run past the last nonzero
    return entries_of(p) > INT32_MAX - steps ? "more nonzeros than an int32 can index" : nullptr;
  };
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise = SEXTANT_FLOAT_DOUBLE(initialise);
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason =
      "exact in any order of additions: nonzeros and x are integers of at most 4 in magnitude, "
      "except for some of 15 bits (46 in double), of which a row meets at most 16; the sum of "
      "a row of up to 2^19 nonzeros is below 2^24 (2^53)";
  kernel.sizes = pattern_sizes;
  return kernel;
}

}  // namespace

std::vector<Kernel> spmv_kernels() {
  std::vector<Kernel> kernels = {
      with_structure(spmv::banded, "spmv_banded", "y = A*x, A sparse: 16 per row, near the diagonal"),
      with_structure(spmv::uniform, "spmv_uniform", "y = A*x, A sparse: 16 per row, random columns"),
      with_structure(spmv::powerlaw, "spmv_powerlaw",
                     "y = A*x, A sparse: few long rows, mostly low columns")};
  kernels[0].extents = extents<spmv::banded>;
  kernels[1].extents = extents<spmv::uniform>;
  kernels[2].extents = extents<spmv::powerlaw>;
  return kernels;
}

}  // namespace sextant
