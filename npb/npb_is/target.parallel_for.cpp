// OpenMP offload version of NAS IS: one atomic update per key in a single table of counts, then running sums
// in three levels.
#include "problem.hpp"
#include "suite/tunables.hpp"
#include "toolbox/target/memory.hpp"

namespace sextant {
namespace {

using namespace npb_is;

constexpr std::int64_t keys_a_thread = 64;  // consecutive keys that a thread generates

struct Sums {
  int elements_per_thread = 128;  // consecutive counts that a thread sums
};

std::int64_t blocks_of(std::int64_t n, std::int64_t block) { return (n + block - 1) / block; }

// Lengths of the device arrays: keys, sums of blocks of counts, and sums of blocks of those sums.
struct Lengths {
  std::int64_t keys, sums, sums_of_sums;
  Lengths(const Problem& problem, const Sums& tuned)
      : keys(key_count(problem)),
        sums(blocks_of(value_count(problem), tuned.elements_per_thread)),
        sums_of_sums(blocks_of(sums, tuned.elements_per_thread)) {}
  std::int64_t words() const { return keys + test_count + sums + sums_of_sums; }
};

std::int64_t workspace(const Problem& problem, const int* tuning) {
  return 4 * Lengths(problem, values_of<Sums>(tuning)).words();
}

void generate(std::int64_t n, int bits, std::int32_t* keys) {
  const std::int64_t stretches = blocks_of(n, keys_a_thread);
#pragma omp target map(keys [0:n])
#pragma omp teams distribute parallel for
  for (std::int64_t stretch = 0; stretch < stretches; ++stretch) {
    const std::int64_t first = stretch * keys_a_thread;
    const std::int64_t last = first + keys_a_thread < n ? first + keys_a_thread : n;
    std::uint64_t state = state_before(first);
    for (std::int64_t j = first; j < last; ++j) keys[j] = next_key(state, bits);
  }
}

void change(std::int64_t n, int bits, int it, TestKeys at, std::int32_t* keys, std::int32_t* tests) {
#pragma omp target map(keys [0:n], tests [0:test_count])
  {
    for (int j = 1; j < changed_end; ++j)
      if (it == 1 || j == it || j == it + iterations) keys[j] = key_at(j, it, bits);
    for (int i = 0; i < test_count; ++i) tests[i] = keys[at.index[i]];
  }
}

void count(std::int64_t n, std::int64_t values, const std::int32_t* keys, std::uint32_t* c) {
#pragma omp target map(c [0:values])
#pragma omp teams distribute parallel for
  for (std::int64_t v = 0; v < values; ++v) c[v] = 0;
#pragma omp target map(keys [0:n], c [0:values])
#pragma omp teams distribute parallel for
  for (std::int64_t j = 0; j < n; ++j) {
#pragma omp atomic update
    c[keys[j]] += 1;
  }
}

// Computes running sums in three levels. Sums blocks of counts, then blocks of those sums. Then adds the sums
// of all earlier blocks, from the top level down.
void add_up(std::int64_t values, std::int64_t block, std::uint32_t* sums, std::uint32_t* sums_of_sums,
            std::uint32_t* c) {
  const std::int64_t blocks = blocks_of(values, block), upper = blocks_of(blocks, block);
#pragma omp target map(c [0:values], sums [0:blocks])
#pragma omp teams distribute parallel for
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t last = (b + 1) * block < values ? (b + 1) * block : values;
    std::uint32_t sum = 0;
    for (std::int64_t v = b * block; v < last; ++v) sum += c[v];
    sums[b] = sum;
  }
#pragma omp target map(sums [0:blocks], sums_of_sums [0:upper])
#pragma omp teams distribute parallel for
  for (std::int64_t u = 0; u < upper; ++u) {
    const std::int64_t last = (u + 1) * block < blocks ? (u + 1) * block : blocks;
    std::uint32_t sum = 0;
    for (std::int64_t b = u * block; b < last; ++b) sum += sums[b];
    sums_of_sums[u] = sum;
  }
#pragma omp target map(sums [0:blocks], sums_of_sums [0:upper])
#pragma omp teams distribute parallel for
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
#pragma omp target map(c [0:values], sums [0:blocks])
#pragma omp teams distribute parallel for
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t last = (b + 1) * block < values ? (b + 1) * block : values;
    std::uint32_t sum = sums[b];
    for (std::int64_t v = b * block; v < last; ++v) {
      sum += c[v];
      c[v] = sum;
    }
  }
}

void take_ranks(int it, std::int64_t values, const std::int32_t* tests, const std::uint32_t* c,
                std::int32_t* found) {
#pragma omp target map(tests [0:test_count], c [0:values], found [0:rank_count])
  for (int i = 0; i < test_count; ++i)
    found[(it - 1) * test_count + i] = tests[i] == 0 ? 0 : static_cast<std::int32_t>(c[tests[i] - 1]);
}

void launch(const Call& call) {
  const auto tuned = call.tuned<Sums>();
  const std::int64_t n = key_count(call.problem), values = value_count(call.problem);
  const Lengths lengths(call.problem, tuned);
  auto* keys = target::memory_of<std::int32_t>(call);
  std::int32_t* tests = keys + lengths.keys;
  auto* sums = reinterpret_cast<std::uint32_t*>(tests + test_count);
  auto* c = call.array<std::uint32_t>(counts);
  const TestKeys at = test_keys(call.problem);
  for (int it = 1; it <= iterations; ++it) {
    call.phase("count");
    change(n, max_log2(call.problem), it, at, keys, tests);
    count(n, values, keys, c);
    call.phase("sum");
    add_up(values, tuned.elements_per_thread, sums, sums + lengths.sums, c);
    take_ranks(it, values, tests, c, call.array<std::int32_t>(ranks));
    call.phase("");
  }
}

const char* prepare(const Call& call, void** state) {
  if (const char* why_not = target::prepare_memory<workspace>(call, state)) return why_not;
  Call mine = call;
  mine.state = *state;
  generate(key_count(call.problem), max_log2(call.problem), target::memory_of<std::int32_t>(mine));
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_is_target_parallel_for() {
  Variant variant = target::mapped_variant(
      "target teams distribute parallel for: one atomic update per key; running sums in three levels");
  variant.name = "parallel_for";
  variant.tunables =
      tunables<Sums>({{"elements_per_thread", &Sums::elements_per_thread, {32, 64, 128, 256}}});
  target::add_memory<workspace>(&variant);
  variant.prepare = prepare;
  variant.launch.int32 = launch;
  return {variant};
}

}  // namespace sextant
