
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "ep.hpp"
#include "suite/tunables.hpp"
#include "toolbox/target/teams.hpp"

// OpenMP offload variants of NAS EP. One target region stores the sums and counts of each batch of pairs; a
// second region adds them.
namespace sextant::ep {

struct Batches {
  int batch_log2 = 10;
};

inline std::int64_t batches_of(const Problem& problem, const Batches& batches) {
  return (problem.extents.x + (std::int64_t{1} << batches.batch_log2) - 1) >> batches.batch_log2;
}

// Processes one batch with the library's logarithm and stores its results in partials[value * batches +
// batch]. Rings are counted by comparisons in registers. In a simd loop, an indexed array would be shared by
// all lanes (GCC 12, docs/reference/target.md).
inline void tally_batch(std::int64_t pairs, std::int64_t batches, int batch_log2, std::int64_t batch,
                        double* partials) {
  const std::int64_t first = batch << batch_log2;
  const std::int64_t left = pairs - first, full = std::int64_t{1} << batch_log2;
  const std::int64_t count = left < full ? left : full;
  double sx = 0, sy = 0, abs_sx = 0, abs_sy = 0;
  int accepted = 0, from_1 = 0, from_2 = 0, from_3 = 0, from_4 = 0, from_5 = 0, from_6 = 0, from_7 = 0,
      from_8 = 0,
      from_9 = 0;  // pairs with max(|X|, |Y|) of at least 1, 2, …
  std::uint64_t state = state_before(first);
  for (std::int64_t i = 0; i < count; ++i) {
    state = npb::random_next(state);
    const double x = 2 * npb::random_value(state) - 1;
    state = npb::random_next(state);
    const double y = 2 * npb::random_value(state) - 1;
    const double t = x * x + y * y;
    if (t > 1) continue;
    const double f = std::sqrt(-2 * std::log(t) / t);
    const double X = x * f, Y = y * f, abs_X = __builtin_fabs(X), abs_Y = __builtin_fabs(Y);
    const double larger = abs_X > abs_Y ? abs_X : abs_Y;
    sx += X, sy += Y, abs_sx += abs_X, abs_sy += abs_Y;
    accepted += 1;
    from_1 += larger >= 1, from_2 += larger >= 2, from_3 += larger >= 3;
    if (larger < 4) continue;  // true for all but one pair in 10000
    from_4 += 1, from_5 += larger >= 5, from_6 += larger >= 6, from_7 += larger >= 7;
    from_8 += larger >= 8, from_9 += larger >= 9;
  }
  partials[batch] = sx;
  partials[batches + batch] = sy;
  partials[2 * batches + batch] = abs_sx;
  partials[3 * batches + batch] = abs_sy;
  double* const rings = partials + 4 * batches + batch;
  rings[0] = accepted - from_1;
  rings[batches] = from_1 - from_2;
  rings[2 * batches] = from_2 - from_3;
  rings[3 * batches] = from_3 - from_4;
  rings[4 * batches] = from_4 - from_5;
  rings[5 * batches] = from_5 - from_6;
  rings[6 * batches] = from_6 - from_7;
  rings[7 * batches] = from_7 - from_8;
  rings[8 * batches] = from_8 - from_9;
  rings[9 * batches] = from_9;
}

// Adds partials[value * batches + batch] over all batches and writes the outputs. Each value has one team of
// one thread.
inline void add_partials(std::int64_t batches, const double* partials, double* sums, double* counts) {
  const std::int64_t count = partial_values * batches;
#pragma omp target SEXTANT_ONE_WARP map(partials [0:count], sums [0:sum_count], counts [0:ring_count])
#pragma omp teams distribute num_teams(partial_values)
  for (int value = 0; value < partial_values; ++value) {
    double sum = 0;
#pragma omp SEXTANT_LANES reduction(+ : sum)
    for (std::int64_t batch = 0; batch < batches; ++batch) sum += partials[value * batches + batch];
    if (value < 4)
      sums[value] = sum;
    else
      counts[value - 4] = sum;
  }
#pragma omp target map(sums [0:sum_count], counts [0:ring_count])
  {
    double accepted = 0;
    for (int l = 0; l < ring_count; ++l) accepted += counts[l];
    sums[4] = accepted;
  }
}

// Partial sums on the host and on the device, which `prepare` allocates.
struct Partials {
  double* data;
  std::int64_t count;
};

inline std::int64_t partial_bytes(const Problem& problem, const Batches& batches) {
  return batches_of(problem, batches) * partial_values * std::int64_t{sizeof(double)};
}

inline const char* prepare_partials(const Call& call, void** state) {
  const std::int64_t bytes = partial_bytes(call.problem, call.tuned<Batches>());
  const std::int64_t count = bytes / std::int64_t{sizeof(double)};
  auto* data = static_cast<double*>(std::malloc(static_cast<std::size_t>(bytes)));
  if (!data) return "no host memory for the partial sums";
#pragma omp target enter data map(alloc : data [0:count])
  *state = new Partials{data, count};
  return nullptr;
}

inline void release_partials(void* state) {
  const auto* partials = static_cast<const Partials*>(state);
  double* data = partials->data;
  const std::int64_t count = partials->count;
#pragma omp target exit data map(delete : data [0:count])
  std::free(data);
  delete partials;
}

inline const char* refuse_batches(const Problem& problem, const Batches& batches) {
  return batches_of(problem, batches) > std::int64_t{1} << 24 ? "more than 2^24 batches" : nullptr;
}

inline Variant batches_variant(const char* description) {
  Variant variant = target::mapped_variant(description);
  variant.tunables = tunables<Batches>({{"batch_log2", &Batches::batch_log2, {8, 10, 12, 14, 16}}});
  variant.constraint = by_name<refuse_batches>;
  variant.prepare = prepare_partials;
  variant.workspace = by_name<partial_bytes>;
  variant.release = release_partials;
  return variant;
}

}  // namespace sextant::ep

namespace sextant {
namespace {

using namespace ep;

// The plain version: `target teams distribute parallel for` over the batches.
namespace parallel_for {

void tally_batches(std::int64_t pairs, std::int64_t batches, int batch_log2, double* partials) {
  const std::int64_t count = partial_values * batches;
#pragma omp target teams distribute parallel for map(from : partials [0:count])
  for (std::int64_t batch = 0; batch < batches; ++batch)
    tally_batch(pairs, batches, batch_log2, batch, partials);
}

void launch(const Call& call) {
  const auto tuned = call.tuned<Batches>();
  const std::int64_t batches = batches_of(call.problem, tuned);
  double* partials = static_cast<const Partials*>(call.state)->data;
  call.phase("pairs");
  tally_batches(call.problem.extents.x, batches, tuned.batch_log2, partials);
  call.phase("sums");
  add_partials(batches, partials, call.array<double>(0), call.array<double>(1));
  call.phase("");
}

Variant form() {
  Variant variant = batches_variant("target teams distribute parallel for over batches; library logarithm");
  variant.launch = {.float64 = launch};
  return variant;
}

}  // namespace parallel_for

// Uses no `parallel` directive: each team is one thread, and each of its SIMD lanes processes a batch.
namespace teams_simd {

void tally_batches(std::int64_t pairs, std::int64_t batches, int batch_log2, double* partials) {
  const std::int64_t count = partial_values * batches;
  const int teams = target::teams_for(8448, batches, target::lanes);
#pragma omp target SEXTANT_ONE_WARP map(partials [0:count])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t batch = 0; batch < batches; ++batch)
    tally_batch(pairs, batches, batch_log2, batch, partials);
}

void launch(const Call& call) {
  const auto tuned = call.tuned<Batches>();
  const std::int64_t batches = batches_of(call.problem, tuned);
  double* partials = static_cast<const Partials*>(call.state)->data;
  call.phase("pairs");
  tally_batches(call.problem.extents.x, batches, tuned.batch_log2, partials);
  call.phase("sums");
  add_partials(batches, partials, call.array<double>(0), call.array<double>(1));
  call.phase("");
}

Variant form() {
  Variant variant =
      batches_variant("teams distribute simd: one batch per lane, one-thread teams; library logarithm");
  variant.launch = {.float64 = launch};
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> npb_ep_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
