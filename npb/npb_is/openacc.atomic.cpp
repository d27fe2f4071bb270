// OpenACC version of NAS IS: one atomic update per key in a single table of counts, then running sums in
// three levels. Compute regions map no data, because mapping costs more than a launch in GCC
// (docs/reference/openacc.md). Their parameters are in the device variable `acc_ranking`.
#include <openacc.h>

#include <algorithm>
#include <memory>

#include "problem.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/openacc/memory.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace npb_is {

struct AccRanking {
  std::int64_t n, values, block;
  std::int64_t tests[test_count];
  std::int32_t *keys, *ranks;
  std::uint32_t *counts, *sums, *sums_of_sums;
  int bits, it;  // it: the current iteration; the last region of an iteration increments it
};
AccRanking acc_ranking;
#pragma acc declare create(acc_ranking)

}  // namespace npb_is
namespace {

using namespace npb_is;
using openacc::gangs_for;

constexpr int queue = 1;
constexpr int length = 128;                 // threads per gang; GCC requires a constant
constexpr int keys_counted = 16;            // keys that a thread counts
constexpr std::int64_t keys_a_thread = 64;  // consecutive keys that a thread generates

struct Sums {
  int elements_per_thread = 128;  // consecutive counts that a thread sums
};

struct State {
  openacc::Memory<std::int32_t> keys;
  openacc::Memory<std::uint32_t> sums, sums_of_sums;  // sums of blocks of counts, and sums of blocks of sums
};

void generate(std::int64_t n, int bits, std::int32_t* keys) {
  const std::int64_t stretches = (n + keys_a_thread - 1) / keys_a_thread;
#pragma acc parallel loop gang vector vector_length(length) deviceptr(keys)
  for (std::int64_t stretch = 0; stretch < stretches; ++stretch) {
    const std::int64_t first = stretch * keys_a_thread;
    const std::int64_t last = first + keys_a_thread < n ? first + keys_a_thread : n;
    std::uint64_t state = state_before(first);
    for (std::int64_t j = first; j < last; ++j) keys[j] = next_key(state, bits);
  }
}

// Starts an iteration: clears the counts and applies the key changes.
void begin(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t values = acc_ranking.values;
    const int it = acc_ranking.it, bits = acc_ranking.bits;
    std::int32_t* const keys = acc_ranking.keys;
    std::uint32_t* const c = acc_ranking.counts;
#pragma acc loop gang vector
    for (std::int64_t v = 0; v < values; ++v) {
      c[v] = 0;
      if (v >= 1 && v < changed_end && (it == 1 || v == it || v == it + iterations))
        keys[v] = key_at(v, it, bits);
    }
  }
}

void count(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t n = acc_ranking.n;
    const std::int32_t* const keys = acc_ranking.keys;
    std::uint32_t* const c = acc_ranking.counts;
#pragma acc loop gang vector
    for (std::int64_t j = 0; j < n; ++j) {
#pragma acc atomic update
      c[keys[j]] += 1;
    }
  }
}

// Computes running sums in three levels. Sums blocks of counts, then blocks of those sums. Then adds the sums
// of all earlier blocks, from the top level down.
void add_blocks(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t values = acc_ranking.values, block = acc_ranking.block,
                       blocks = (values + block - 1) / block;
    const std::uint32_t* const c = acc_ranking.counts;
    std::uint32_t* const sums = acc_ranking.sums;
#pragma acc loop gang vector
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t last = (b + 1) * block < values ? (b + 1) * block : values;
      std::uint32_t sum = 0;
      for (std::int64_t v = b * block; v < last; ++v) sum += c[v];
      sums[b] = sum;
    }
  }
}
void add_blocks_of_sums(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t values = acc_ranking.values, block = acc_ranking.block,
                       blocks = (values + block - 1) / block, upper = (blocks + block - 1) / block;
    const std::uint32_t* const sums = acc_ranking.sums;
    std::uint32_t* const sums_of_sums = acc_ranking.sums_of_sums;
#pragma acc loop gang vector
    for (std::int64_t u = 0; u < upper; ++u) {
      const std::int64_t last = (u + 1) * block < blocks ? (u + 1) * block : blocks;
      std::uint32_t sum = 0;
      for (std::int64_t b = u * block; b < last; ++b) sum += sums[b];
      sums_of_sums[u] = sum;
    }
  }
}
void run_over_sums(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t values = acc_ranking.values, block = acc_ranking.block,
                       blocks = (values + block - 1) / block, upper = (blocks + block - 1) / block;
    std::uint32_t* const sums = acc_ranking.sums;
    const std::uint32_t* const sums_of_sums = acc_ranking.sums_of_sums;
#pragma acc loop gang vector
    for (std::int64_t u = 0; u < upper; ++u) {
      const std::int64_t last = (u + 1) * block < blocks ? (u + 1) * block : blocks;
      std::uint32_t before = 0;
      for (std::int64_t other = 0; other < u; ++other) before += sums_of_sums[other];
      for (std::int64_t b = u * block; b < last; ++b) {
        const std::uint32_t sum = sums[b];
        sums[b] = before;
        before += sum;
      }
    }
  }
}
void run_over_counts(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t values = acc_ranking.values, block = acc_ranking.block,
                       blocks = (values + block - 1) / block;
    const std::uint32_t* const sums = acc_ranking.sums;
    std::uint32_t* const c = acc_ranking.counts;
#pragma acc loop gang vector
    for (std::int64_t b = 0; b < blocks; ++b) {
      const std::int64_t last = (b + 1) * block < values ? (b + 1) * block : values;
      std::uint32_t sum = sums[b];
      for (std::int64_t v = b * block; v < last; ++v) {
        sum += c[v];
        c[v] = sum;
      }
    }
  }
}

// The last region of an iteration. Stores the ranks of the test keys and increments the iteration.
void take_ranks() {
#pragma acc parallel num_gangs(1) vector_length(32) async(queue)
  {
    const int it = acc_ranking.it;
    const std::int32_t* const keys = acc_ranking.keys;
    const std::uint32_t* const c = acc_ranking.counts;
    std::int32_t* const found = acc_ranking.ranks;
#pragma acc loop vector
    for (int i = 0; i < test_count; ++i) {
      const std::int32_t key = keys[acc_ranking.tests[i]];
      found[(it - 1) * test_count + i] = key == 0 ? 0 : static_cast<std::int32_t>(c[key == 0 ? 0 : key - 1]);
    }
    acc_ranking.it = it + 1;
  }
}

void put_on_device(const Call& call, const State& state) {
  const TestKeys tests = test_keys(call.problem);
  acc_ranking = {key_count(call.problem),
                 value_count(call.problem),
                 call.tuned<Sums>().elements_per_thread,
                 {},
                 state.keys.data,
                 static_cast<std::int32_t*>(acc_deviceptr(call.address(ranks))),
                 static_cast<std::uint32_t*>(acc_deviceptr(call.address(counts))),
                 state.sums.data,
                 state.sums_of_sums.data,
                 max_log2(call.problem),
                 1};
  std::copy_n(tests.index, test_count, acc_ranking.tests);
  acc_update_device(&acc_ranking,
                    // Replaces the directive `update device`, which GCC 12 ignores for a declared variable.
                    sizeof acc_ranking);
}

void launch(const Call& call) {
  put_on_device(call, *static_cast<const State*>(call.state));
  const std::int64_t values = value_count(call.problem), block = call.tuned<Sums>().elements_per_thread;
  const int blocks = gangs_for(values, static_cast<int>(block) * length),
            upper = gangs_for(values, static_cast<int>(block * block) * length);
  for (int it = 1; it <= iterations; ++it) {
    call.phase("count");
    begin(gangs_for(values, length));
    count(gangs_for(key_count(call.problem), keys_counted * length));
    call.phase("sum");
    add_blocks(blocks);
    add_blocks_of_sums(upper);
    run_over_sums(upper);
    run_over_counts(blocks);
    take_ranks();
  }
  call.phase("");
#pragma acc wait(queue)
}

std::int64_t blocks_of(std::int64_t n, const Sums& tuned) {
  return (n + tuned.elements_per_thread - 1) / tuned.elements_per_thread;
}

std::int64_t workspace(const Problem& problem, const Sums& tuned) {
  const std::int64_t blocks = blocks_of(value_count(problem), tuned);
  return 4 * (key_count(problem) + blocks + blocks_of(blocks, tuned));
}

const char* prepare(const Call& call, void** state) {
  const auto tuned = call.tuned<Sums>();
  const std::int64_t n = key_count(call.problem), blocks = blocks_of(value_count(call.problem), tuned);
  auto made = std::make_unique<State>();
  if (!made->keys.allocate(n) || !made->sums.allocate(blocks) ||
      !made->sums_of_sums.allocate(blocks_of(blocks, tuned)))
    return "device memory ran out";
  generate(n, max_log2(call.problem), made->keys.data);
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_is_openacc_atomic() {
  return {
      {.name = "atomic",
       .description = "the plain form: one atomic update per key; running sums in three levels",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Sums>({{"elements_per_thread", &Sums::elements_per_thread, {32, 64, 128, 256}}}),
       .launch = {.int32 = launch},
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .workspace = by_name<workspace>}};
}

}  // namespace sextant
