// Pairwise exchange: in step s, rank r sends to rank r + s and receives from rank r - s. No rank receives
// from two ranks in one step. Several steps overlap.
#include <algorithm>
#include <array>
#include <cstring>

#include "ranks.hpp"

namespace sextant {
namespace {

using namespace all_to_all;

constexpr int most_at_a_time = 16;

struct Shape {
  int steps_in_flight = 4;
};

void launch(const Call& call) {
  const auto& vectors = *static_cast<const RankVectors*>(call.state);
  const parts::Ranks& ranks = *call.parts.ranks;
  const std::int64_t bytes = piece_bytes(call.problem);
  const char* const from = vectors.from->data<const char>();
  char* const to = vectors.to->data<char>();
  const int at_a_time = call.tuned<Shape>().steps_in_flight;
  std::array<parts::Request, 2 * most_at_a_time> requests;
  for (int first = 1; first < ranks.size; first += at_a_time) {
    int count = 0;
    for (int step = first; step < std::min(first + at_a_time, ranks.size); ++step) {
      const int before = (ranks.rank + ranks.size - step) % ranks.size,
                after = (ranks.rank + step) % ranks.size;
      ranks.irecv(to + before * bytes, bytes, before, &requests[static_cast<std::size_t>(count++)]);
      ranks.isend(from + after * bytes, bytes, after, &requests[static_cast<std::size_t>(count++)]);
    }
    if (first == 1)
      std::memcpy(to + ranks.rank * bytes, from + ranks.rank * bytes, static_cast<std::size_t>(bytes));
    ranks.waitall(count, requests.data());
  }
  if (ranks.size == 1) std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

}  // namespace

std::vector<Variant> all_to_all_openmp() {
  Variant variant;
  variant.name = "pairwise";
  variant.description =
      "pairwise exchange: in step s, rank r sends to rank r + s; steps_in_flight steps at a time";
  complete_variant(variant);
  variant.tunables =
      tunables<Shape>({{"steps_in_flight", &Shape::steps_in_flight, {1, 2, 4, most_at_a_time}}});
  variant.launch = {.float32 = launch, .float64 = launch};
  return {variant};
}

}  // namespace sextant
