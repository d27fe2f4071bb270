// Pairs cut into as many parts as there are ranks; each adds up its own as openmp.simd does, and one reduction of 14
// numbers, which every rank gets, is all that is sent: the sums and the counts, exact in double.
#include <omp.h>

#include <algorithm>
#include <cstring>

#include "lanes.hpp"
#include "suite/tunables.hpp"
#include "toolbox/share.hpp"

namespace sextant {
namespace {

using namespace ep;

struct Blocks {
  int block_log2 = 14;
};

// A rank's copy of the result.
struct Result {
  double sums[sum_count] = {}, counts[ring_count] = {};
};

Tally tally_share(const Share& share, std::int64_t block) {
  const std::int64_t end = share.first + share.count;
  Tally total;
#pragma omp parallel
  {
    Tally mine;
#pragma omp for schedule(static) nowait
    for (std::int64_t first = share.first; first < end; first += block)
      mine.add(tally_pairs(first, std::min(block, end - first)));
#pragma omp for ordered schedule(static, 1)
    for (int thread = 0; thread < omp_get_num_threads(); ++thread)
#pragma omp ordered
      total.add(mine);
  }
  return total;
}

void launch(const Call& call) {
  const parts::Ranks& ranks = *call.ranks;
  Tally tally;
  if (call.what != parts::Do::exchange)
    tally = tally_share(share_of(call.problem.extents.x, ranks.size, ranks.rank),
                        std::int64_t{1} << call.tuned<Blocks>().block_log2);
  if (call.what != parts::Do::compute) {
    double values[partial_values] = {tally.sx, tally.sy, tally.abs_sx, tally.abs_sy};
    std::copy(std::begin(tally.rings), std::end(tally.rings), values + 4);
    ranks.allreduce(values, partial_values, parts::Combine::sum);
    tally = {values[0], values[1], values[2], values[3], {}};
    std::copy(values + 4, std::end(values), tally.rings);
  }
  auto* const result = static_cast<Result*>(call.state);
  tally.write(result->sums, result->counts);
}

// There are no inputs; what is poisoned at the first rank is so in all copies.
void scatter(const Call& call) { std::memset(call.state, 0xFF, sizeof(Result)); }

// The last rank's copy: all ranks are to have it.
void gather(const Call& call) {
  const parts::Ranks& ranks = *call.ranks;
  auto* const result = static_cast<Result*>(call.state);
  const int last = ranks.size - 1;
  if (last > 0 && ranks.rank == last) {
    parts::Request request;
    ranks.isend(result, sizeof *result, 0, &request);
    ranks.waitall(1, &request);
  }
  if (ranks.rank > 0) return;
  Result of_last = *result;
  if (last > 0) {
    parts::Request request;
    ranks.irecv(&of_last, sizeof of_last, last, &request);
    ranks.waitall(1, &request);
  }
  std::copy(std::begin(of_last.sums), std::end(of_last.sums), call.array<double>(0));
  std::copy(std::begin(of_last.counts), std::end(of_last.counts), call.array<double>(1));
}

}  // namespace

Variant npb_ep_openmp_mpi() {
  Variant variant;
  variant.home = Home::ranks;
  variant.description = "ranks with a part of the pairs each, threads within; one reduction to all";
  variant.tunables = tunables<Blocks>({{"block_log2", &Blocks::block_log2, {10, 12, 14, 16}}});
  variant.launch = {.float64 = launch};
  variant.constraint = [](const Problem& problem, const int*) -> const char* {
    return problem.extents.x < problem.parts ? "fewer pairs than ranks: take fewer ranks, or more pairs"
                                             : nullptr;
  };
  variant.prepare = [](const Call&, void** state) -> const char* {
    *state = new Result;
    return nullptr;
  };
  variant.release = [](void* state) { delete static_cast<Result*>(state); };
  variant.scatter = scatter;
  variant.gather = gather;
  variant.separable = true;
  return variant;
}

}  // namespace sextant
