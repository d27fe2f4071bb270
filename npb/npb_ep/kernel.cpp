#include "suite/kernel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "official.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using namespace ep;

constexpr std::int64_t accepted_sum = 4;  // index in `sums` of the number of accepted pairs, which is exact
constexpr double benchmarks_own = 1e-8;   // relative tolerance that NPB allows for each sum

// Compensated summation (Neumaier 1974). `lost` collects the rounding errors.
struct Compensated {
  double sum = 0, lost = 0;
  void add(double value) {
    const double next = sum + value;
    lost += std::abs(sum) >= std::abs(value) ? (sum - next) + value : (value - next) + sum;
    sum = next;
  }
  void add(const Compensated& other) {
    add(other.sum);
    add(other.lost);
  }
  double value() const { return sum + lost; }
};

struct ExactTally {
  Compensated sums[4];
  double rings[ring_count] = {};

  void add(double X, double Y) {
    sums[0].add(X), sums[1].add(Y), sums[2].add(std::abs(X)), sums[3].add(std::abs(Y));
    rings[static_cast<int>(std::max(std::abs(X), std::abs(Y)))] += 1;
  }
  void add(const ExactTally& other) {
    for (int i = 0; i < 4; ++i) sums[i].add(other.sums[i]);
    for (int l = 0; l < ring_count; ++l) rings[l] += other.rings[l];
  }
};

ExactTally exact_batch(std::int64_t first, std::int64_t count) {
  ExactTally tally;
  std::uint64_t state = state_before(first);
  for (std::int64_t i = 0; i < count; ++i) {
    state = npb::random_next(state);
    const double x = 2 * npb::random_value(state) - 1;
    state = npb::random_next(state);
    const double y = 2 * npb::random_value(state) - 1;
    const double t = x * x + y * y;
    if (t > 1) continue;
    const double f = std::sqrt(-2 * std::log(t) / t);
    tally.add(x * f, y * f);
  }
  return tally;
}

// Computes the reference. For an official problem class it is the published result. For other numbers of
// pairs, it comes from the benchmark's loop with compensated sums.
void reference(const Problem& problem, const void* const*, double* const* results) {
  const std::int64_t pairs = problem.extents.x;
  Tally tally;
  if (const Official* known = official_for(pairs)) {
    tally = {known->sx, known->sy, known->abs_sx, known->abs_sy, {}};
    std::copy(std::begin(known->rings), std::end(known->rings), tally.rings);
  } else {
    constexpr std::int64_t batch = 4096;
    ExactTally exact;
#pragma omp parallel
    {
      ExactTally mine;
#pragma omp for schedule(static) nowait
      for (std::int64_t first = 0; first < pairs; first += batch)
        mine.add(exact_batch(first, std::min(batch, pairs - first)));
#pragma omp critical
      exact.add(mine);
    }
    tally = {exact.sums[0].value(), exact.sums[1].value(), exact.sums[2].value(), exact.sums[3].value(), {}};
    std::copy(std::begin(exact.rings), std::end(exact.rings), tally.rings);
  }
  tally.write(results[0], results[1]);
}

// Average floating-point operations per pair. Every pair takes 5: two subtractions and t. An accepted pair, a
// fraction pi/4 of them, takes 32: 16 for a logarithm by table and polynomial, 1 for its product with t, 8
// for the reciprocal root, 1 for its product, 6 for two deviates and four sums. NPB itself counts random
// numbers instead.
constexpr std::int64_t flops_per_pair = 30;

// Returns a bound on the rounding error of a sum. Each deviate has an error of about 5 u (u = unit roundoff)
// times its mean magnitude of 0.8. The additions contribute a random walk with a deviation of u/2 sqrt(pairs)
// times the sum, which is below 0.64 pairs.
double rounding_of_sum(std::int64_t pairs) {
  const auto n = static_cast<double>(pairs);
  return unit_roundoff(ElementType::float64) * (16 + 4 * std::sqrt(n)) * n;
}

// Returns the tolerance. Counts must be exact. Sums may differ by the bound on rounding, and for an official
// problem class by at most NPB's tolerance.
Tolerance tolerance_at(const Problem& problem, int index, std::int64_t at) {
  if (index != 0 || at == accepted_sum) return {};
  const double rounding = rounding_of_sum(problem.extents.x);
  const Official* known = official_for(problem.extents.x);
  if (!known) return {.absolute = rounding};
  const double sums[] = {known->sx, known->sy, known->abs_sx, known->abs_sy};
  return {.absolute = std::min(rounding, benchmarks_own * std::abs(sums[at]))};
}

}  // namespace

std::vector<Kernel> npb_ep_kernels() {
  Kernel kernel;
  kernel.name = "npb_ep";
  kernel.group = "program";
  kernel.dwarf = "MapReduce";
  kernel.family = "random";
  kernel.formula =
      "sums and ring counts of Gaussian deviates x*f, y*f with f = sqrt(-2 ln t / t), t = x^2 + y^2 <= 1";
  kernel.arrays = {{"sums", Role::out}, {"counts", Role::out}};
  kernel.extents = vector_extents<1>;
  kernel.length = [](const Problem&, int index) {
    return static_cast<std::int64_t>(index == 0 ? sum_count : ring_count);
  };
  kernel.work = [](const Problem& p) {
    return Work{.bytes_written = (sum_count + ring_count) * 8,
                .flops = flops_per_pair * p.extents.x,
                .items = 2 * p.extents.x,  // random numbers, which NPB's Mop/s counts
                .bytes_sent = p.parts > 1 ? partial_values * 8 : 0};
  };
  kernel.traits = [](const Problem& p) {
    // Fraction of pairs that are accepted.
    constexpr double accepted = std::numbers::pi / 4;
    Traits traits = elementwise_traits(
        0, static_cast<double>(sum_count + ring_count) / (2 * static_cast<double>(p.extents.x)));
    traits.stride_read = Traits::not_known;   // the program reads no array
    traits.special_flops = accepted * 3 / 2;  // logarithm, division and root per accepted pair (two items)
    traits.reduction = 1;
    traits.depth = levels(p.extents.x);
    traits.divergence = 1 - accepted;
    return traits;
  };
  kernel.reference = {.float64 = reference};
  kernel.tolerance = [](const Problem& p) { return Tolerance{.absolute = rounding_of_sum(p.extents.x)}; };
  kernel.tolerance_at = tolerance_at;
  kernel.tolerance_reason =
      "counts are exact. A sum errs by the rounding of its deviates (5 u each, u = unit roundoff) "
      "and of its additions, a random walk with standard deviation u/2 sqrt(pairs) of the sum; "
      "eight standard deviations are allowed: (16 + 4 sqrt(pairs)) u per pair. For official "
      "problem classes also at most NPB's own tolerance, 1e-8 of each value";
  for (const Official& one : official)
    kernel.classes.push_back({one.name, {one.pairs(), ElementType::float64, {one.pairs(), 1, 1}, {}}});
  kernel.exchange = {Exchange::Pattern::all_reduce};
  kernel.unit = {UnitOfWork::Count::items, "Mop/s"};
  kernel.presentation.report = {"EP", "Random numbers generated", true, -1};
  return {kernel};
}

}  // namespace sextant
