#include <algorithm>

#include "ep.hpp"
#include "lanes.hpp"
#include "suite/compilation.hpp"

namespace sextant {
namespace {

using namespace ep;

namespace baseline {

void generate(std::int64_t first, std::int64_t count, double* numbers) {
  std::uint64_t state = state_before(first);
  for (std::int64_t i = 0; i < 2 * count; ++i) {
    state = npb::random_next(state);
    numbers[i] = npb::random_value(state);
  }
}

void accumulate(std::int64_t count, const double* numbers, Tally* tally) {
  for (std::int64_t i = 0; i < count; ++i) {
    const double x = 2 * numbers[2 * i] - 1, y = 2 * numbers[2 * i + 1] - 1;
    const double t = x * x + y * y;
    if (t > 1) continue;
    const double f = std::sqrt(-2 * std::log(t) / t);
    const double X = x * f, Y = y * f;
    tally->rings[static_cast<int>(std::max(std::abs(X), std::abs(Y)))] += 1;
    tally->sx += X, tally->sy += Y;
    tally->abs_sx += std::abs(X), tally->abs_sy += std::abs(Y);
  }
}

void launch(const Call& call) {
  const std::int64_t pairs = call.problem.extents.x;
  auto* numbers = static_cast<double*>(call.state);
  Tally tally;
  for (std::int64_t first = 0; first < pairs; first += batch_pairs) {
    const std::int64_t count = std::min(batch_pairs, pairs - first);
    call.phase("generate");
    generate(first, count, numbers);
    call.phase("accumulate");
    accumulate(count, numbers, &tally);
  }
  call.phase("");
  tally.write(call.array<double>(0), call.array<double>(1));
}

const char* prepare(const Call&, void** state) {
  *state = new double[2 * batch_pairs];
  return nullptr;
}

}  // namespace baseline

}  // namespace

std::vector<Variant> SEXTANT_SERIAL(npb_ep)() {
  return compiled_here({
      {.name = "baseline",
       .description = "the benchmark's loop: batches of 2^16 pairs through a buffer, -O2",
       .launch = {.float64 = baseline::launch},
       .prepare = baseline::prepare,
       .release = [](void* state) { delete[] static_cast<double*>(state); },
       .workspace = [](const Problem&,
                       const int*) { return 2 * batch_pairs * std::int64_t{sizeof(double)}; }},
      {.name = "native",
       .description = "chunks of 256 pairs in SIMD lanes; vectorised logarithm; masks instead of branches",
       .launch = {.float64 =
                      [](const Call& call) {
                        ep::tally_pairs(0, call.problem.extents.x)
                            .write(call.array<double>(0), call.array<double>(1));
                      }}},
  });
}

}  // namespace sextant
