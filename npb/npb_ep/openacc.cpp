#include <algorithm>

#include "partials.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using namespace ep;

struct Batches {
  int batch_log2 = 16;
};

constexpr int vector_length_ = 128;

// Runs the reference program's loop over batches in parallel, with the library's logarithm. One thread
// processes one batch. It writes the batch's sums and counts to `partials`, which a second region adds.
void tally_batches(std::int64_t pairs, std::int64_t batches, int batch_log2, double* partials) {
#pragma acc parallel loop gang vector vector_length(vector_length_) deviceptr(partials)
  for (std::int64_t batch = 0; batch < batches; ++batch) {
    const std::int64_t first = batch << batch_log2;
    const std::int64_t left = pairs - first, full = std::int64_t{1} << batch_log2;
    const std::int64_t count = left < full ? left : full;
    double sx = 0, sy = 0, abs_sx = 0, abs_sy = 0, rings[ring_count];
    for (int l = 0; l < ring_count; ++l) rings[l] = 0;
    std::uint64_t state = state_before(first);
    for (std::int64_t i = 0; i < count; ++i) {
      state = npb::random_next(state);
      const double x = 2 * npb::random_value(state) - 1;
      state = npb::random_next(state);
      const double y = 2 * npb::random_value(state) - 1;
      const double t = x * x + y * y;
      if (t <= 1) {
        const double f = __builtin_sqrt(-2 * __builtin_log(t) / t);
        const double X = x * f, Y = y * f, abs_X = __builtin_fabs(X), abs_Y = __builtin_fabs(Y);
        sx += X, sy += Y, abs_sx += abs_X, abs_sy += abs_Y;
        rings[static_cast<int>(abs_X > abs_Y ? abs_X : abs_Y)] += 1;
      }
    }
    partials[batch] = sx;
    partials[batches + batch] = sy;
    partials[2 * batches + batch] = abs_sx;
    partials[3 * batches + batch] = abs_sy;
    for (int l = 0; l < ring_count; ++l) partials[(4 + l) * batches + batch] = rings[l];
  }
}

std::int64_t batches_of(const Problem& problem, const Batches& batches) {
  return (problem.extents.x + (std::int64_t{1} << batches.batch_log2) - 1) >> batches.batch_log2;
}

void launch(const Call& call) {
  const auto tuned = call.tuned<Batches>();
  const std::int64_t batches = batches_of(call.problem, tuned);
  auto* partials = static_cast<double*>(call.state);
  call.phase("pairs");
  tally_batches(call.problem.extents.x, batches, tuned.batch_log2, partials);
  call.phase("sums");
  add_partials(batches, partials, call.array<double>(0), call.array<double>(1));
  call.phase("");
}

const char* constraint(const Problem& problem, const Batches& batches) {
  return batches_of(problem, batches) > std::int64_t{1} << 24 ? "more than 2^24 batches" : nullptr;
}

const char* prepare(const Call& call, void** state) {
  return allocate_partials(batches_of(call.problem, call.tuned<Batches>()), state);
}

std::int64_t workspace(const Problem& problem, const Batches& batches) {
  return partial_bytes(batches_of(problem, batches));
}

}  // namespace

std::vector<Variant> npb_ep_openacc() {
  return {
      {.name = "batches",
       .description = "parallel loop over the benchmark's batches; library logarithm; partial sums per batch",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Batches>({{"batch_log2", &Batches::batch_log2, {8, 10, 12, 14, 16}}}),
       .launch = {.float64 = launch},
       .constraint = by_name<constraint>,
       .prepare = prepare,
       .release = acc_free,
       .workspace = by_name<workspace>}};
}

}  // namespace sextant
