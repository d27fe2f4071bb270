#include "suite/kernel.hpp"

#include <algorithm>

#include "official.hpp"
#include "suite/extents.hpp"

namespace sextant {
namespace {

using namespace ep;

// A sum that carries what its additions lost (Neumaier 1974): as if in twice the precision.
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

// For the classes what is published, so that a check is the benchmark's own verification; for other numbers
// of pairs the loop with compensated sums.
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

// Floating-point operations a pair, on average: 5 for each (two differences, t), 32 for each of the pi/4 that
// are accepted (a logarithm by table and polynomial 16, its product with t 1, the reciprocal root 8, its
// product 1, two deviates, four sums). The least that a variant here gets by with; NPB itself counts
// random numbers.
constexpr std::int64_t flops_per_pair = 30;

}  // namespace

std::vector<Kernel> npb_ep_kernels() {
  Kernel kernel;
  kernel.name = "npb_ep";
  kernel.group = "program";
  kernel.formula =
      "sums and annuli of Gaussian deviates x*f, y*f with f = sqrt(-2 ln t / t), t = x^2 + y^2 <= 1";
  kernel.arrays = {{"sums", Role::out}, {"counts", Role::out}};
  kernel.extents = vector_extents<1>;
  kernel.length = [](const Problem&, int index) {
    return static_cast<std::int64_t>(index == 0 ? sum_count : ring_count);
  };
  kernel.work = [](const Problem& p) {
    return Work{.bytes_written = (sum_count + ring_count) * 8,
                .flops = flops_per_pair * p.extents.x,
                .items = 2 * p.extents.x};  // random numbers: what NPB's Mop/s count
  };
  kernel.reference = {.float64 = reference};
  kernel.tolerance = [](const Problem& p) {
    if (official_for(p.extents.x)) return Tolerance{.relative = 1e-8};
    return Tolerance{.absolute = 16 * unit_roundoff(p.type) * static_cast<double>(p.extents.x),
                     .relative = 1e-8};
  };
  kernel.tolerance_reason =
      "1e-8 of each value is the benchmark's own; the signed sums cancel to some 1e-5 of the absolute ones, "
      "which "
      "they then hold to 1e-13. At numbers of pairs without a class a signed sum may come to near nothing: "
      "16 u for each pair are allowed besides, twice the rounding of a deviate (8 u of 0.8 on average)";
  for (const Official& one : official)
    kernel.classes.push_back({one.name, {one.pairs(), ElementType::float64, {one.pairs(), 1, 1}, {}}});
  kernel.unit = {UnitOfWork::Count::items, "Mop/s"};
  kernel.report = {"EP", "Random numbers generated", true, -1};
  return {kernel};
}

}  // namespace sextant
