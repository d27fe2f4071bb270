// Whole vectors between ranks whose numbers differ in one bit, bit after bit: log2(ranks) messages one after the other,
// which is the fewest, and as many vectors sent. Where the number of ranks is no power of two, those beyond the last one
// hand theirs to a rank below before, and get the sum after.
#include "ranks.hpp"

namespace sextant {
namespace {

using namespace all_reduce;

template <typename T>
void launch(const Call& call) {
  const auto& vectors = *static_cast<const RankVectors*>(call.state);
  const parts::Ranks& ranks = *call.ranks;
  const std::int64_t n = call.problem.extents.x, bytes = n * static_cast<std::int64_t>(sizeof(T));
  const T* const a = vectors.from->data<const T>();
  T *const c = vectors.to->data<T>(), *const other = reinterpret_cast<T*>(vectors.between.get());
  int power = 1;
  while (2 * power <= ranks.size) power *= 2;
  const int beyond = ranks.size - power;
  parts::Request requests[2];
  if (ranks.rank >= power) {
    ranks.isend(a, bytes, ranks.rank - power, &requests[0]);
    ranks.irecv(c, bytes, ranks.rank - power, &requests[1]);
    return ranks.waitall(2, requests);
  }
  const T* sum = a;
  if (ranks.rank < beyond) {
    ranks.irecv(other, bytes, ranks.rank + power, &requests[0]);
    ranks.waitall(1, requests);
    add(a, other, c, n);
    sum = c;
  }
  for (int bit = 1; bit < power; bit *= 2) {
    ranks.irecv(other, bytes, ranks.rank ^ bit, &requests[0]);
    ranks.isend(sum, bytes, ranks.rank ^ bit, &requests[1]);
    ranks.waitall(2, requests);
    add(sum, other, c, n);
    sum = c;
  }
  if (sum == a) copy(a, c, n);
  if (ranks.rank >= beyond) return;
  ranks.isend(c, bytes, ranks.rank + power, &requests[0]);
  ranks.waitall(1, requests);
}

}  // namespace

Variant all_reduce_openmp_doubling() {
  Variant variant;
  variant.description = "ranks exchange whole vectors with those at distance 1, 2, 4, …; threads add";
  complete_vectors<RankVectors>(variant);
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = [](const Problem& problem, const int*) { return bytes_of_parts(problem, 3); };
  variant.prepare = [](const Call& call, void** state) {
    return prepare_vectors(call, call.problem.extents.x, true, state);
  };
  return variant;
}

}  // namespace sextant
