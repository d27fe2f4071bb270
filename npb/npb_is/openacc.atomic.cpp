// The form that one would write first: an atomic update a key of the one table of counts; running sums in three levels.
#include <openacc.h>

#include <memory>

#include "problem.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"

namespace sextant {
namespace {

using namespace npb_is;

constexpr int length = 128;                 // vector_length, which GCC wants constant
constexpr std::int64_t keys_a_thread = 64;  // that are generated one after the other

struct Sums {
  int block = 128;  // elements that a thread adds up
};

struct State {
  std::int32_t *keys = nullptr, *tests = nullptr;
  std::uint32_t *sums = nullptr, *sums_of_sums = nullptr;  // of blocks of counts, of blocks of sums
  ~State() {
    for (void* memory : {static_cast<void*>(keys), static_cast<void*>(tests), static_cast<void*>(sums),
                         static_cast<void*>(sums_of_sums)})
      if (memory) acc_free(memory);
  }
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

void change(int bits, int it, TestKeys at, std::int32_t* keys, std::int32_t* tests) {
#pragma acc parallel loop gang vector num_gangs(1) vector_length(32) deviceptr(keys)
  for (int j = 1; j < changed_end; ++j)
    if (it == 1 || j == it || j == it + iterations) keys[j] = key_at(j, it, bits);
  const std::int64_t i0 = at.index[0], i1 = at.index[1], i2 = at.index[2], i3 = at.index[3], i4 = at.index[4];
#pragma acc parallel num_gangs(1) vector_length(32) deviceptr(keys, tests)
  {
    tests[0] = keys[i0];
    tests[1] = keys[i1];
    tests[2] = keys[i2];
    tests[3] = keys[i3];
    tests[4] = keys[i4];
  }
}

void count(std::int64_t n, std::int64_t values, const std::int32_t* keys, std::uint32_t* c) {
#pragma acc parallel loop present(c [0:values]) vector_length(length)
  for (std::int64_t v = 0; v < values; ++v) c[v] = 0;
#pragma acc parallel loop deviceptr(keys) present(c [0:values]) vector_length(length)
  for (std::int64_t j = 0; j < n; ++j) {
#pragma acc atomic update
    c[keys[j]] += 1;
  }
}

// Running sums: of blocks, of blocks of those, whose predecessors each adds up by itself, and down again.
void add_up(std::int64_t values, std::int64_t block, std::uint32_t* sums, std::uint32_t* sums_of_sums,
            std::uint32_t* c) {
  const std::int64_t blocks = (values + block - 1) / block, upper = (blocks + block - 1) / block;
#pragma acc parallel loop gang vector present(c [0:values]) deviceptr(sums) vector_length(length)
  for (std::int64_t b = 0; b < blocks; ++b) {
    const std::int64_t last = (b + 1) * block < values ? (b + 1) * block : values;
    std::uint32_t sum = 0;
    for (std::int64_t v = b * block; v < last; ++v) sum += c[v];
    sums[b] = sum;
  }
#pragma acc parallel loop gang vector deviceptr(sums, sums_of_sums) vector_length(length)
  for (std::int64_t u = 0; u < upper; ++u) {
    const std::int64_t last = (u + 1) * block < blocks ? (u + 1) * block : blocks;
    std::uint32_t sum = 0;
    for (std::int64_t b = u * block; b < last; ++b) sum += sums[b];
    sums_of_sums[u] = sum;
  }
#pragma acc parallel loop gang vector deviceptr(sums, sums_of_sums) vector_length(length)
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
#pragma acc parallel loop gang vector present(c [0:values]) deviceptr(sums) vector_length(length)
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
#pragma acc parallel loop gang vector num_gangs(1) vector_length(32) \
    present(c [0:values], found [0:rank_count]) deviceptr(tests)
  for (int i = 0; i < test_count; ++i) {
    const std::int32_t key = tests[i];
    found[(it - 1) * test_count + i] = key == 0 ? 0 : static_cast<std::int32_t>(c[key == 0 ? 0 : key - 1]);
  }
}

void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  const std::int64_t n = key_count(call.problem), values = value_count(call.problem);
  auto* c = call.array<std::uint32_t>(counts);
  const TestKeys tests = test_keys(call.problem);
  for (int it = 1; it <= iterations; ++it) {
    call.phase("count");
    change(max_log2(call.problem), it, tests, state.keys, state.tests);
    count(n, values, state.keys, c);
    call.phase("sum");
    add_up(values, call.tuned<Sums>().block, state.sums, state.sums_of_sums, c);
    take_ranks(it, values, state.tests, c, call.array<std::int32_t>(ranks));
    call.phase("");
  }
}

std::int64_t blocks_of(std::int64_t n, const Sums& tuned) { return (n + tuned.block - 1) / tuned.block; }

std::int64_t workspace(const Problem& problem, const Sums& tuned) {
  const std::int64_t blocks = blocks_of(value_count(problem), tuned);
  return 4 * (key_count(problem) + test_count + blocks + blocks_of(blocks, tuned));
}

template <typename T>
T* allocate(std::int64_t count) {
  return static_cast<T*>(acc_malloc(static_cast<std::size_t>(count) * sizeof(T)));
}

const char* prepare(const Call& call, void** state) {
  const auto tuned = call.tuned<Sums>();
  const std::int64_t n = key_count(call.problem), blocks = blocks_of(value_count(call.problem), tuned);
  auto made = std::make_unique<State>();
  made->keys = allocate<std::int32_t>(n);
  made->tests = allocate<std::int32_t>(test_count);
  made->sums = allocate<std::uint32_t>(blocks);
  made->sums_of_sums = allocate<std::uint32_t>(blocks_of(blocks, tuned));
  if (!made->keys || !made->tests || !made->sums || !made->sums_of_sums) return "device memory ran out";
  generate(n, max_log2(call.problem), made->keys);
  *state = made.release();
  return nullptr;
}

}  // namespace

Variant npb_is_openacc_atomic() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "the form one writes first: an atomic update a key, running sums in three levels";
  variant.tunables = tunables<Sums>({{"block", &Sums::block, {32, 64, 128, 256}}});
  variant.launch.int32 = launch;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = by_name<workspace>;
  return variant;
}

}  // namespace sextant
