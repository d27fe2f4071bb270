// Decoding on the host. Sequences are distributed over workers, each of which has its own memory.
#pragma once

#include <omp.h>

#include <cstdlib>

#include "packed.hpp"
#include "toolbox/host/vector_bytes.hpp"

namespace sextant::viterbi {

// Decodes one sequence with plain loops. `static`: each including source file compiles its own copy with its
// own compiler flags.
static inline void decode(const Task& task, std::int64_t sequence, char* bytes) {
  Memory memory(task.states, bytes);
  const std::int32_t* observed = task.observed + sequence * task.length;
  for (std::int64_t j = 0; j < task.states; ++j) memory.before[j] = task.e[j * symbols + observed[0]];
  for (std::int64_t t = 1; t < task.length; ++t) {
    for (std::int64_t j = 0; j < task.states; ++j) {
      const Best best = best_way(task, memory.before, j);
      memory.after[j] = best.score + task.e[j * symbols + observed[t]];
      memory.back[t * task.states + j] = static_cast<Place>(best.from);
    }
    std::swap(memory.before, memory.after);
  }
  walk_back(task.states, task.length, memory.before, memory.back, task.path + sequence * task.length);
}

// number of states whose packed words are computed in registers at a time
inline constexpr std::int64_t lanes = vector_bytes / 4, together = 4 * lanes;

// Returns the number of states, padded to whole vectors. All functions of this file are static, because each
// including source file has its own compiler flags.
static inline std::int64_t padded(std::int64_t states) {
  return (states + together - 1) / together * together;
}

// Stores A with rows that are padded to padded(states) elements. Elements are shifted left to leave low bits
// for the state.
static inline void shift_table(const Task& task, const Packing& packing, std::int32_t* table) {
  const std::int64_t step = padded(task.states);
  for (std::int64_t i = 0; i < task.states; ++i)
    for (std::int64_t j = 0; j < step; ++j)
      table[i * step + j] = j < task.states ? packing.above(task.a[i * task.states + j]) : 0;
}

// Computes the largest packed word of a way to each of the states j … j + together - 1.
static inline void best_words(std::int64_t states, std::int64_t j, const std::int32_t* before,
                              const std::int32_t* table, std::int32_t* best) {
  typedef std::int32_t Vector __attribute__((vector_size(vector_bytes), aligned(4), may_alias));
  const std::int64_t step = padded(states);
  Vector most[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) most[k] = Vector{} + lowest;
  for (std::int64_t i = 0; i < states; ++i) {
    const auto* row = reinterpret_cast<const Vector*>(table + i * step + j);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      const Vector word = row[k] + before[i];
      most[k] = word > most[k] ? word : most[k];
    }
  }
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) reinterpret_cast<Vector*>(best)[k] = most[k];
}

static inline void decode_packed(const Task& task, const Packing& packing, const std::int32_t* table,
                                 std::int64_t sequence, char* bytes) {
  Memory memory(padded(task.states), bytes);
  const std::int32_t* observed = task.observed + sequence * task.length;
  for (std::int32_t j = 0; j <= packing.last; ++j)
    memory.before[j] = packing.word(task.e[j * symbols + observed[0]], j);
  for (std::int64_t t = 1; t < task.length; ++t) {
    const std::int32_t base = packing.score(memory.before[0]);
    Place* back = memory.back + t * task.states;
    for (std::int64_t j = 0; j < task.states; j += together)
      best_words(task.states, j, memory.before, table, memory.after + j);
    for (std::int32_t j = 0; j <= packing.last; ++j) {
      const std::int32_t word = memory.after[j];
      back[j] = static_cast<Place>(packing.state(word));
      memory.after[j] = packing.word(packing.score(word) + task.e[j * symbols + observed[t]] - base, j);
    }
    std::swap(memory.before, memory.after);
  }
  walk_back(task.states, task.length, memory.before, memory.back, task.path + sequence * task.length);
}

// Decodes all sequences. for_each(count, body) must call body(worker) for 0 <= worker < count; the calls may
// run concurrently.
template <bool packed, typename ForEach>
static inline void decode_all(const Call& call, std::int64_t workers, const ForEach& for_each) {
  Task task = task_of(call);
  const Packing packing(task.states);
  char* memory = static_cast<char*>(call.state);
  auto* table = reinterpret_cast<std::int32_t*>(memory);
  Task sized = task;
  sized.states = padded(task.states);
  char* own = memory + task.states * sized.states * 4;
  const std::int64_t bytes = bytes_of_one(sized);
  if constexpr (packed) shift_table(task, packing, table);
  for_each(workers, [=](std::int64_t worker) {
    for (std::int64_t b = worker; b < task.sequences; b += workers)
      if constexpr (packed)
        decode_packed(task, packing, table, b, own + worker * bytes);
      else
        decode(task, b, own + worker * bytes);
  });
}

inline std::int64_t one_worker() { return 1; }
inline std::int64_t a_worker_a_thread() { return omp_get_max_threads(); }

template <auto workers>
static inline Variant host_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.workspace = [](const Problem& problem, const int*) {
    Call call;
    call.problem = problem;
    ArrayAt none[4];
    call.arrays = none;
    Task task = task_of(call);
    const std::int64_t table = task.states * padded(task.states) * 4;
    task.states = padded(task.states);
    return (table + workers() * bytes_of_one(task) + 63) / 64 * 64;
  };
  variant.prepare = [](const Call& call, void** state) -> const char* {
    const auto bytes = host_variant<workers>("").workspace(call.problem, call.tuning);
    *state = std::aligned_alloc(64, static_cast<std::size_t>(bytes));
    return *state ? nullptr : "no host memory for the predecessor states";
  };
  variant.release = [](void* state) { std::free(state); };
  return variant;
}

}  // namespace sextant::viterbi
