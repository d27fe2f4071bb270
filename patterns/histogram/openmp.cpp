#include <omp.h>

#include <vector>

#include "loop.hpp"

namespace sextant {
namespace {

namespace atomic {

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t b = 0; b < bins; ++b) c[b] = 0;
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < n; ++i)
#pragma omp atomic
      ++c[k[i]];
  }
}

}  // namespace atomic

// For many bins: each thread partitions its keys into ranges of neighbouring bins ("pieces"). Then one thread
// counts each piece, so that a key moves between cores only once. With one table per thread, each core would
// read the whole tables of all other cores.
namespace partitioned {

// Base-2 logarithm of the largest number of bins per piece: 256 KiB, which fit in a core's L2 cache.
constexpr int most_bits = 16;
constexpr int least_bits = 4;  // base-2 logarithm of the smallest number of bins per piece: one cache line
constexpr std::int64_t pieces_each = 2;  // least number of pieces per thread, if there are enough bins

struct Share {
  std::vector<std::int64_t> counts;  // number of this thread's keys in each piece
  std::vector<std::int64_t> places;  // position of this thread's next key in each piece
};

struct Pieces {
  int bits;
  std::int64_t count;
  std::vector<std::int32_t> keys;  // all keys, ordered by piece
  std::vector<std::int64_t> begins;
  std::vector<Share> shares;  // one entry per thread
};

int bits_of(std::int64_t bins, std::int64_t threads) {
  int bits = most_bits;
  while (bits > least_bits && (bins >> bits) < pieces_each * threads) --bits;
  return bits;
}

// Computes where each piece starts among the ordered keys, and where this thread's keys start within each
// piece.
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
  return problem.parameters[0] == histogram::wide
             ? nullptr
             : "only for histogram_wide: 256 bins are too few to partition";
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

}  // namespace partitioned

// Each thread has its own table; at the end all threads together add up the tables.
namespace private_tables {

constexpr std::int64_t most_bins = 1 << 20;  // limit of the table size: 4 MiB per thread

struct Tables {
  std::int64_t bins;
  std::vector<std::vector<std::int32_t>> of_thread;
};

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
  auto& tables = *static_cast<Tables*>(call.state);
  const auto most = static_cast<int>(tables.of_thread.size());
#pragma omp parallel num_threads(most)
  {
    const auto threads = static_cast<std::size_t>(omp_get_num_threads());
    std::int32_t* mine = tables.of_thread[static_cast<std::size_t>(omp_get_thread_num())].data();
    std::fill(mine, mine + tables.bins, 0);
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) ++mine[k[i]];
#pragma omp for schedule(static)
    for (std::int64_t b = 0; b < tables.bins; ++b) {
      std::int32_t sum = 0;
      for (std::size_t t = 0; t < threads; ++t) sum += tables.of_thread[t][static_cast<std::size_t>(b)];
      c[b] = sum;
    }
  }
}

const char* refuse(const Problem& problem, const int*) {
  return histogram::bins_of(problem) > most_bins ? "a table per thread would exceed 4 MiB" : nullptr;
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t bins = histogram::bins_of(call.problem);
  auto* tables = new Tables{bins, {}};
  tables->of_thread.resize(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel
  tables->of_thread[static_cast<std::size_t>(omp_get_thread_num())].resize(static_cast<std::size_t>(bins));
  for (auto& table : tables->of_thread) table.resize(static_cast<std::size_t>(bins));
  *state = tables;
  return nullptr;
}

}  // namespace private_tables

namespace tables {

constexpr int tables = 8, per_line = 16,
              ahead = 512;             // per_line: keys per cache line; ahead: prefetch distance in keys
constexpr std::int64_t piece = 16384;  // keys that a thread takes at a time

struct alignas(64) Tables {
  std::int32_t of[tables][histogram::few_bins];
};

// Counts keys in several tables. Consecutive keys go to different tables, so that equal keys do not wait for
// each other's store. The array has `left` keys from k on, of which the first `count` are counted.
void count_keys(const std::int32_t* k, std::int64_t count, std::int64_t left, Tables& mine) {
  std::int64_t i = 0;
  for (; i + per_line <= count; i += per_line) {
    __builtin_prefetch(k + std::min(i + ahead, left - 1));
#pragma GCC unroll 16
    for (int e = 0; e < per_line; ++e) ++mine.of[e % tables][k[i + e]];
  }
  for (; i < count; ++i) ++mine.of[0][k[i]];
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  auto& all = *static_cast<std::vector<std::int32_t>*>(call.state);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
#pragma omp parallel num_threads(static_cast <int>(all.size() / histogram::few_bins))
  {
    Tables mine = {};
#pragma omp for schedule(dynamic) nowait
    for (std::int64_t first = 0; first < n; first += piece)
      count_keys(k + first, std::min(piece, n - first), n - first, mine);
    const std::int64_t threads = omp_get_num_threads();
    std::int32_t* sums = all.data() + omp_get_thread_num() * histogram::few_bins;
    for (std::int64_t b = 0; b < bins; ++b) {
      sums[b] = 0;
      for (int t = 0; t < tables; ++t) sums[b] += mine.of[t][b];
    }
#pragma omp barrier
#pragma omp for schedule(static)
    for (std::int64_t b = 0; b < bins; ++b) {
      std::int32_t sum = 0;
      for (std::int64_t t = 0; t < threads; ++t)
        sum += all[static_cast<std::size_t>(t * histogram::few_bins + b)];
      c[b] = sum;
    }
  }
}

}  // namespace tables

}  // namespace

std::vector<Variant> histogram_openmp() {
  return {
      {.name = "atomic",
       .description = "threads update one shared table atomically",
       .launch = {.int32 = atomic::launch}},
      {.name = "partitioned",
       .description = "partitions keys into ranges of bins, then one thread counts each range",
       .launch = {.int32 = partitioned::launch},
       .constraint = partitioned::refuse,
       .prepare = partitioned::prepare,
       .release = [](void* state) { delete static_cast<partitioned::Pieces*>(state); },
       .for_large_arrays = true},
      {.name = "private",
       .description = "one table per thread, added up at the end",
       .launch = {.int32 = private_tables::launch},
       .constraint = private_tables::refuse,
       .prepare = private_tables::prepare,
       .release = [](void* state) { delete static_cast<private_tables::Tables*>(state); }},
      {.name = "tables",
       .description = "eight tables per thread, used alternately, added up at the end",
       .launch = {.int32 = tables::launch},
       .constraint = histogram::refuse_many_bins,
       .prepare = [](const Call&, void** state) -> const char* {
         *state = new std::vector<std::int32_t>(
             static_cast<std::size_t>(omp_get_max_threads() * histogram::few_bins));
         return nullptr;
       },
       .release = [](void* state) { delete static_cast<std::vector<std::int32_t>*>(state); }},
  };
}

}  // namespace sextant
