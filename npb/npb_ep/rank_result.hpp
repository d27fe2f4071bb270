// The result in the MPI variants of npb_ep. After one all-reduce of the sums and counts, every rank has a
// copy.
#pragma once

#include <algorithm>
#include <cstring>
#include <numeric>

#include "ep.hpp"
#include "suite/variant.hpp"

namespace sextant::ep {

struct RankResult {
  double sums[sum_count] = {}, counts[ring_count] = {};
};

// Adds the 14 partial values of all ranks on every rank (all-reduce). The number of accepted pairs is the sum
// of the counts.
inline void add_all(const parts::Ranks& ranks, RankResult* result) {
  constexpr int sent_sums = partial_values - ring_count;
  double values[partial_values];
  std::copy_n(result->sums, sent_sums, values);
  std::copy_n(result->counts, ring_count, values + sent_sums);
  ranks.allreduce(values, partial_values, parts::Combine::sum);
  std::copy_n(values, sent_sums, result->sums);
  std::copy_n(values + sent_sums, ring_count, result->counts);
  result->sums[sent_sums] = std::accumulate(result->counts, result->counts + ring_count, 0.0);
}

// Writes the last rank's copy to the output arrays of rank 0. Checking that copy shows that the reduction
// reached all ranks.
inline void gather_result(const Call& call, const RankResult& result) {
  const parts::Ranks& ranks = *call.parts.ranks;
  const int last = ranks.size - 1;
  if (last > 0 && ranks.rank == last) {
    parts::Request request;
    ranks.isend(&result, sizeof result, 0, &request);
    ranks.waitall(1, &request);
  }
  if (ranks.rank > 0) return;
  RankResult of_last = result;
  if (last > 0) {
    parts::Request request;
    ranks.irecv(&of_last, sizeof of_last, last, &request);
    ranks.waitall(1, &request);
  }
  std::copy(std::begin(of_last.sums), std::end(of_last.sums), call.array<double>(0));
  std::copy(std::begin(of_last.counts), std::end(of_last.counts), call.array<double>(1));
}

inline const char* why_too_few(const Problem& problem) {
  return problem.extents.x < problem.parts ? "fewer pairs than ranks: choose fewer ranks, or more pairs"
                                           : nullptr;
}

// Sets the members that all MPI variants share. `State` must be RankResult or derive from it. `scatter` only
// fills each rank's copy with invalid values, because the problem has no inputs.
template <typename State>
void complete_result(Variant& variant) {
  variant.memory_space = MemorySpace::partitioned;
  variant.parts.needs_mpi = true;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.parts.scatter = [](const Call& call) {
    RankResult& result = *static_cast<State*>(call.state);
    std::memset(static_cast<void*>(&result), 0xFF, sizeof result);
  };
  variant.parts.gather = [](const Call& call) {
    gather_result(call, *static_cast<const State*>(call.state));
  };
  variant.parts.separable = true;
}

}  // namespace sextant::ep
