// sizes: large
// Many bins: each thread takes its keys to pieces of neighbouring bins, and a piece is then counted by one thread. A key goes
// from core to core once; tables of all threads would go as a whole, each as large as the result.
#include <omp.h>

#include <vector>

#include "loop.hpp"

namespace sextant {
namespace {

constexpr int most_bits = 16;            // of a piece's bins: 256 KiB, which a core's second cache keeps
constexpr int least_bits = 4;            // a line
constexpr std::int64_t pieces_each = 2;  // of a thread at least, while they have bins enough

struct Share {
  std::vector<std::int64_t> counts;  // of the thread's keys, by piece
  std::vector<std::int64_t> places;  // where its next key of each piece goes
};

struct Pieces {
  int bits;
  std::int64_t count;
  std::vector<std::int32_t> keys;  // by pieces
  std::vector<std::int64_t> begins;
  std::vector<Share> shares;  // by thread
};

int bits_of(std::int64_t bins, std::int64_t threads) {
  int bits = most_bits;
  while (bits > least_bits && (bins >> bits) < pieces_each * threads) --bits;
  return bits;
}

// Where each piece begins among the keys, and where this thread's keys of it do.
void find_places(std::size_t thread, std::size_t threads, Pieces* pieces) {
  std::int64_t begin = 0;
  Share& own = pieces->shares[thread];
  for (std::size_t piece = 0; piece < static_cast<std::size_t>(pieces->count); ++piece) {
    if (thread == 0) pieces->begins[piece] = begin;
    for (std::size_t other = 0; other < threads; ++other) {
      if (other == thread) own.places[piece] = begin;
      begin += pieces->shares[other].counts[piece];
    }
  }
  if (thread == 0) pieces->begins.back() = begin;
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
  auto& pieces = *static_cast<Pieces*>(call.state);
  const int bits = pieces.bits;
  const auto most = static_cast<int>(pieces.shares.size());
#pragma omp parallel num_threads(most)
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads()),
               thread = static_cast<std::size_t>(omp_get_thread_num());
    std::int64_t *counts = pieces.shares[thread].counts.data(), *places = pieces.shares[thread].places.data();
    std::int32_t* keys = pieces.keys.data();
    std::fill(counts, counts + pieces.count, 0);
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) ++counts[k[i] >> bits];
    find_places(thread, threads, &pieces);
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) keys[places[k[i] >> bits]++] = k[i];
#pragma omp for schedule(static)
    for (std::int64_t piece = 0; piece < pieces.count; ++piece) {
      std::fill(c + (piece << bits), c + std::min(bins, (piece + 1) << bits), 0);
      const auto begin = pieces.begins.begin() + piece;
      for (std::int64_t i = begin[0]; i < begin[1]; ++i) ++c[keys[i]];
    }
  }
}

const char* refuse(const Problem& problem, const int*) {
  return problem.parameters[0] == histogram::wide ? nullptr : "256 bins, which are no pieces";
}

const char* prepare(const Call& call, void** state) {
  const auto threads = static_cast<std::size_t>(omp_get_max_threads());
  const std::int64_t bins = histogram::bins_of(call.problem);
  const int bits = bits_of(bins, static_cast<std::int64_t>(threads));
  const std::int64_t count = (bins + (std::int64_t{1} << bits) - 1) >> bits;
  auto* pieces = new Pieces{bits, count, {}, {}, std::vector<Share>(threads)};
  pieces->keys.resize(static_cast<std::size_t>(call.problem.extents.x));
  pieces->begins.resize(static_cast<std::size_t>(count) + 1);
  for (Share& share : pieces->shares) {
    share.counts.resize(static_cast<std::size_t>(count));
    share.places.resize(static_cast<std::size_t>(count));
  }
  *state = pieces;
  return nullptr;
}

}  // namespace

Variant histogram_openmp_partitioned() {
  Variant variant;
  variant.description = "keys to pieces of neighbouring bins first, a thread counts a piece";
  variant.launch.int32 = launch;
  variant.constraint = refuse;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<Pieces*>(state); };
  return variant;
}

}  // namespace sextant
