#include <omp.h>

#include <algorithm>

#include "lanes.hpp"
#include "rank_result.hpp"
#include "suite/tunables.hpp"
#include "toolbox/share.hpp"

namespace sextant {
namespace {

using namespace ep;

struct Blocks {
  int block_log2 = 14;
};

// MPI variant. Each rank processes an equal number of pairs as openmp.simd does. One all-reduce adds the 14
// result numbers of all ranks: the sums, and the counts as exact doubles.
namespace mpi {

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
  const parts::Ranks& ranks = *call.parts.ranks;
  Tally tally;
  if (call.parts.what != parts::Do::exchange)
    tally = tally_share(share_of(call.problem.extents.x, ranks.size, ranks.rank),
                        std::int64_t{1} << call.tuned<Blocks>().block_log2);
  auto* const result = static_cast<RankResult*>(call.state);
  tally.write(result->sums, result->counts);
  if (call.parts.what != parts::Do::compute) add_all(ranks, result);
}

Variant form() {
  Variant variant;
  complete_result<RankResult>(variant);
  variant.description = "MPI ranks with an equal number of pairs each, threads within; one all-reduce";
  variant.tunables = tunables<Blocks>({{"block_log2", &Blocks::block_log2, {10, 12, 14, 16}}});
  variant.launch = {.float64 = launch};
  variant.constraint = [](const Problem& problem, const int*) { return why_too_few(problem); };
  variant.prepare = [](const Call&, void** state) -> const char* {
    *state = new RankResult;
    return nullptr;
  };
  return variant;
}

}  // namespace mpi

namespace simd {

// Each thread processes a contiguous range of blocks of pairs and keeps its own sums. These are added in
// thread order, so that the result does not depend on timing.
void launch(const Call& call) {
  const std::int64_t pairs = call.problem.extents.x;
  const std::int64_t block = std::int64_t{1} << call.tuned<Blocks>().block_log2;
  Tally total;
#pragma omp parallel
  {
    Tally mine;
#pragma omp for schedule(static) nowait
    for (std::int64_t first = 0; first < pairs; first += block)
      mine.add(tally_pairs(first, std::min(block, pairs - first)));
#pragma omp for ordered schedule(static, 1)
    for (int thread = 0; thread < omp_get_num_threads(); ++thread)
#pragma omp ordered
      total.add(mine);
  }
  total.write(call.array<double>(0), call.array<double>(1));
}

}  // namespace simd

}  // namespace

std::vector<Variant> npb_ep_openmp() {
  return {
      named("mpi", mpi::form()),
      {.name = "simd",
       .description = "threads over blocks of pairs; SIMD lanes with a vectorised logarithm",
       .tunables = tunables<Blocks>({{"block_log2", &Blocks::block_log2, {10, 12, 14, 16}}}),
       .launch = {.float64 = simd::launch}},
  };
}

}  // namespace sextant
