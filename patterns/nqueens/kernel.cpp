#include "suite/kernel.hpp"

#include "loop.hpp"
#include "nodes.hpp"
#include "suite/extents.hpp"
#include "toolbox/draws.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using namespace nqueens;

// largest estimated number of queens that the check of a problem may place
constexpr std::int64_t most_queens = std::int64_t{1} << 40;

// Places queens in the first rows of board i, each on a random free column. If a row has no free column, it
// starts again. The seed is fixed, because each of the three arrays is filled by a separate call.
Row draw_board(const Problem& problem, std::int64_t i) {
  const std::uint64_t seed = structure_seed(1);
  const Set all = all_of(problem);
  Row row = row_of(all, 0, 0, 0);
  std::int64_t draw = 256 * i;
  for (std::int64_t placed = 0; placed < problem.parameters[1]; ++placed) {
    if (!row.free) {
      row = row_of(all, 0, 0, 0);
      placed = 0;
    }
    for (std::int64_t skip = below(seed, draw++, __builtin_popcount(row.free)); skip > 0; --skip)
      row.free &= row.free - 1;
    row = place(all, row);
  }
  row.left &= all;
  return row;
}

void initialise(const Problem& problem, int index, std::uint64_t, void* data) {
  auto* sets = static_cast<std::int32_t*>(data);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < problem.extents.x; ++i) {
    const Row row = draw_board(problem, i);
    sets[i] = static_cast<std::int32_t>(index == 0 ? row.columns : index == 1 ? row.left : row.right);
  }
}

void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const Set all = all_of(problem);
#pragma omp parallel for schedule(dynamic, 64)
  for (std::int64_t i = 0; i < problem.extents.x; ++i) {
    const auto set = [&](int array) {
      return static_cast<Set>(static_cast<const std::int32_t*>(arrays[array])[i]);
    };
    results[3][i] = ways(all, set(0), set(1), set(2));
  }
}

double queens_in_all(const Problem& p) { return queens_of(p) * static_cast<double>(p.extents.x); }

// Counts 12 operations per queen: 3 to find the lowest free column and the remaining ones, 5 for the column
// sets of the next row, and 4 for its free columns and the test for completion.
Work work(const Problem& p) {
  return {.bytes_read = 12 * p.extents.x,
          .bytes_written = 4 * p.extents.x,
          .items = p.extents.x,
          .integer_operations = static_cast<std::int64_t>(std::min(12 * queens_in_all(p), 0x1p62))};
}

Traits traits(const Problem& p) {
  Traits traits = elementwise_traits(3, 1);
  traits.depth = std::max(1.0, queens_of(p));
  traits.divergence = 0.47;  // the work per board varies by about half of its mean
  return traits;
}

}  // namespace

std::vector<Kernel> nqueens_kernels() {
  Kernel kernel;
  kernel.name = "nqueens";
  kernel.group = "nqueens";
  kernel.dwarf = "branch and bound";
  kernel.formula = "count[i] = ways to place queens in the remaining rows of board i";
  kernel.arrays = {{"columns", Role::in}, {"left", Role::in}, {"right", Role::in}, {"count", Role::out}};
  kernel.parameter_list = {{"board", 14, 8, 20, {8, 12}}, {"placed", 5, 1, 8, {7, 8}}};
  kernel.extents = vector_extents<4>;
  kernel.work = work;
  kernel.traits = traits;
  kernel.initialise.int32 = initialise;
  kernel.reference.int32 = reference;
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "exact: counts are integers";
  for (int exponent = 12; exponent <= 24; exponent += 2) kernel.sizes.push_back(std::int64_t{1} << exponent);
  kernel.refuse = [](const Problem& p) {
    return queens_in_all(p) > static_cast<double>(most_queens)
               ? "an estimate of more than 2^40 queens to place: the check would take too long"
               : nullptr;
  };
  return {kernel};
}

}  // namespace sextant
