// NAS IS on the host: counting by buckets. Pass 1 partitions the keys by their highest bits into buckets and
// stores the low bits of each key, at most 16, as a "piece". Pass 2 counts one bucket after the other, so
// that the counters stay in cache. Each part of the keys has its own contiguous run in every bucket, so that
// threads write without synchronization. Runs start on cache lines and are written in whole lines from
// buffers.
#pragma once

#include <memory>
#include <vector>

#include "host_state.hpp"
#include "suite/tunables.hpp"
#include "toolbox/host/streaming.hpp"

namespace sextant::npb_is {
namespace {

struct Buckets {
  int low_bits = 12;
};

constexpr int most_low_bits = 16;
constexpr std::int64_t line_pieces = line_bytes / 2;

struct BucketState {
  std::int64_t keys = 0, parts = 0, buckets = 0;
  int low = 0;
  HostKeys key;
  // piece: the low bits of all keys. buffer: one cache line per run, [part][bucket][line_pieces].
  HostMemory<std::uint16_t> piece, buffer;
  HostMemory<std::uint32_t> tables;  // four histograms of each part, [part][bucket][4]
  std::vector<std::int64_t> number, begin,
      at;  // for each run, [part][bucket]: number of pieces, start, next position to write
  std::vector<std::int64_t> before;  // number of keys in all earlier buckets, for each bucket
};

inline int low_bits_of(const Problem& problem, const Buckets& tuned) {
  return std::min(tuned.low_bits, max_log2(problem));
}
inline std::int64_t bucket_count(const Problem& problem, const Buckets& tuned) {
  return value_count(problem) >> low_bits_of(problem, tuned);
}
inline std::int64_t piece_count(const Problem& problem, const Buckets& tuned, std::int64_t parts) {
  return key_count(problem) + parts * bucket_count(problem, tuned) * line_pieces;
}

inline std::int64_t bucket_bytes(const Problem& problem, const Buckets& tuned, std::int64_t parts) {
  const std::int64_t runs = parts * bucket_count(problem, tuned);
  return key_bytes(problem) + 2 * piece_count(problem, tuned, parts) + runs * (line_bytes + 16 + 24) +
         bucket_count(problem, tuned) * 8;
}

inline const char* make_buckets(const Call& call, const Buckets& tuned, std::int64_t parts, void** state) {
  auto made = std::make_unique<BucketState>();
  const Problem& problem = call.problem;
  made->keys = key_count(problem);
  made->parts = parts;
  made->low = low_bits_of(problem, tuned);
  made->buckets = bucket_count(problem, tuned);
  const std::int64_t runs = parts * made->buckets;
  made->key = make_keys(problem);
  made->piece = allocate_host<std::uint16_t>(piece_count(problem, tuned, parts));
  made->buffer = allocate_host<std::uint16_t>(runs * line_pieces);
  made->tables = allocate_host<std::uint32_t>(runs * 4);
  if (!made->key || !made->piece || !made->buffer || !made->tables) return "host memory ran out";
  for (std::vector<std::int64_t>* one : {&made->number, &made->begin, &made->at})
    one->resize(static_cast<std::size_t>(runs));
  made->before.resize(static_cast<std::size_t>(made->buckets));
  *state = made.release();
  return nullptr;
}

inline void release_buckets(void* state) { delete static_cast<BucketState*>(state); }

inline std::int64_t part_begin(const BucketState& state, std::int64_t part) {
  return state.keys / state.parts * part + std::min(part, state.keys % state.parts);
}

// Computes the histogram of one part over the buckets. Four tables are used in turn, because consecutive keys
// in the same bucket would otherwise cause dependent additions.
inline void count_part(BucketState& state, std::int64_t part) {
  const std::int32_t* key = state.key.get();
  const std::int64_t begin = part_begin(state, part), end = part_begin(state, part + 1);
  const int low = state.low;
  std::uint32_t* table = state.tables.get() + part * state.buckets * 4;
  std::fill(table, table + state.buckets * 4, 0u);
  std::int64_t j = begin;
  for (; j + 4 <= end; j += 4)
    for (int k = 0; k < 4; ++k) ++table[std::int64_t{4} * (key[j + k] >> low) + k];
  for (; j < end; ++j) ++table[std::int64_t{4} * (key[j] >> low)];
  std::int64_t* number = state.number.data() + part * state.buckets;
  for (std::int64_t b = 0; b < state.buckets; ++b)
    number[b] = std::int64_t{table[4 * b]} + table[4 * b + 1] + table[4 * b + 2] + table[4 * b + 3];
}

// Computes the start of each run by an exclusive prefix sum.
inline void place_runs(BucketState& state) {
  std::int64_t at = 0, before = 0;
  for (std::int64_t b = 0; b < state.buckets; ++b) {
    state.before[static_cast<std::size_t>(b)] = before;
    for (std::int64_t p = 0; p < state.parts; ++p) {
      const auto run = static_cast<std::size_t>(p * state.buckets + b);
      state.begin[run] = state.at[run] = at;
      before += state.number[run];
      at += (state.number[run] + line_pieces - 1) / line_pieces * line_pieces;
    }
  }
}

inline void scatter_part(BucketState& state, std::int64_t part) {
  const std::int32_t* key = state.key.get();
  std::uint16_t *piece = state.piece.get(), *buffer = state.buffer.get() + part * state.buckets * line_pieces;
  const std::int64_t begin = part_begin(state, part), end = part_begin(state, part + 1);
  const int low = state.low;
  const std::int32_t mask = (std::int32_t{1} << low) - 1;
  std::int64_t* at = state.at.data() + part * state.buckets;
  for (std::int64_t j = begin; j < end; ++j) {
    const std::int64_t b = key[j] >> low, to = at[b]++, slot = to % line_pieces;
    buffer[b * line_pieces + slot] = static_cast<std::uint16_t>(key[j] & mask);
    if (slot == line_pieces - 1) stream_line(piece + to - slot, buffer + b * line_pieces);
  }
  for (std::int64_t b = 0; b < state.buckets; ++b) {
    const std::int64_t rest = at[b] % line_pieces;
    std::copy_n(buffer + b * line_pieces, rest, piece + at[b] - rest);
  }
  stream_fence();
}

// Counts the pieces of one bucket by value and computes the running sums.
inline void count_bucket(const BucketState& state, std::int64_t bucket, std::uint32_t* counts) {
  const std::uint16_t* piece = state.piece.get();
  const std::int64_t values = std::int64_t{1} << state.low;
  std::uint32_t* c = counts + bucket * values;
  std::fill(c, c + values, 0u);
  for (std::int64_t p = 0; p < state.parts; ++p) {
    const auto run = static_cast<std::size_t>(p * state.buckets + bucket);
    const std::int64_t begin = state.begin[run], end = begin + state.number[run];
    for (std::int64_t j = begin; j < end; ++j) ++c[piece[j]];
  }
  auto sum = static_cast<std::uint32_t>(state.before[static_cast<std::size_t>(bucket)]);
  for (std::int64_t v = 0; v < values; ++v) c[v] = sum += c[v];
}

// Chooses one to two thousand buckets. Their buffers then fit in the L2 cache, and the counters of one bucket
// in the L1 cache.
inline void adapt_buckets(const Problem& problem, Buckets& tuned) {
  tuned.low_bits = std::clamp(max_log2(problem) - (max_log2(problem) < 21 ? 10 : 11), 2, most_low_bits);
}

inline const char* refuse_buckets(const Problem& problem, const Buckets& tuned) {
  return bucket_count(problem, tuned) > 1 << 16 ? "more than 65536 buckets" : nullptr;
}

inline Variant bucket_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.tunables =
      tunables<Buckets>({{"low_bits", &Buckets::low_bits, {2, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16}}});
  variant.constraint = by_name<refuse_buckets>;
  variant.adapt = by_name<adapt_buckets>;
  variant.release = release_buckets;
  return variant;
}

}  // namespace
}  // namespace sextant::npb_is
