// Tests NPB IS: the published ranks, tampered values, an independent implementation, and full verification.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "../../npb/npb_is/host_state.hpp"
#include "engine/case/check.hpp"
#include "registry/registry.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant {
namespace {

using namespace npb_is;

const RegisteredKernel& entry() { return *find_kernel("npb_is"); }

Problem problem_of(std::int64_t keys, int bits) {
  return {keys, ElementType::int32, {keys, 1, 1}, {bits, 0, 0, 0}};
}
Problem problem_of(const Class& one) { return problem_of(one.keys(), one.max_log2); }

struct Answer {
  std::vector<double> ranks, counts;
};

Answer reference_of(const Problem& problem) {
  Answer answer{std::vector<double>(rank_count),
                std::vector<double>(static_cast<std::size_t>(value_count(problem)))};
  const void* arrays[] = {nullptr, nullptr};
  double* results[] = {answer.ranks.data(), answer.counts.data()};
  entry().kernel.reference.int32(problem, arrays, results);
  return answer;
}

// Generates the keys by NPB's definition in long double. The generator cannot overflow.
std::vector<std::int64_t> generated_keys(const Problem& problem) {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t state = 314'159'265;
  const auto random = [&] {
    state = static_cast<std::uint64_t>(Wide{state} * 1'220'703'125 % (Wide{1} << 46));
    return static_cast<long double>(state) / 0x1p46L;
  };
  std::vector<std::int64_t> keys;
  for (std::int64_t j = 0; j < key_count(problem); ++j) {
    long double sum = random();
    for (int i = 1; i < 4; ++i) sum += random();
    keys.push_back(static_cast<std::int64_t>(static_cast<long double>(value_count(problem)) / 4 * sum));
  }
  return keys;
}

// Runs NPB's algorithm as defined. `keys` then holds the final keys.
Answer by_definition(const Problem& problem, std::vector<std::int64_t>& keys) {
  const std::int64_t values = value_count(problem);
  const TestKeys tests = test_keys(problem);
  keys = generated_keys(problem);
  Answer answer;
  for (std::size_t it = 1; it <= iterations; ++it) {
    keys[it] = static_cast<std::int64_t>(it);
    keys[it + iterations] = values - static_cast<std::int64_t>(it);
    answer.counts.assign(static_cast<std::size_t>(values), 0);
    for (const std::int64_t key : keys) ++answer.counts[static_cast<std::size_t>(key)];
    std::partial_sum(answer.counts.begin(), answer.counts.end(), answer.counts.begin());
    for (const std::int64_t index : tests.index) {
      const std::int64_t key = keys[static_cast<std::size_t>(index)];
      answer.ranks.push_back(key == 0 ? 0 : answer.counts[static_cast<std::size_t>(key - 1)]);
    }
  }
  return answer;
}

// Returns why the check rejects these ranks and counts; empty if it accepts them.
std::string complaint(const Problem& problem, const Answer& answer) {
  Workset workset(entry().kernel, problem, 1);
  std::copy(answer.ranks.begin(), answer.ranks.end(),
            static_cast<std::int32_t*>(workset.arrays()[ranks].data));
  std::copy(answer.counts.begin(), answer.counts.end(),
            static_cast<std::int32_t*>(workset.arrays()[counts].data));
  Deviation error;
  return workset.compare(&error);
}

// The expected keys, positions and ranks were computed by an independent program.
TEST(NpbIs, GeneratesTheBenchmarksKeys) {
  const std::vector<std::int64_t> keys = generated_keys(problem_of(classes[0]));
  const std::vector<std::int64_t> first = {1585, 825, 1060, 1343, 956}, at_tests = {50, 158, 310, 1697, 1855};
  EXPECT_EQ(std::vector<std::int64_t>(keys.begin(), keys.begin() + 5), first);
  EXPECT_EQ(std::accumulate(keys.begin(), keys.end(), std::int64_t{0}), 67'027'849);
  for (std::size_t i = 0; i < test_count; ++i)
    EXPECT_EQ(keys[static_cast<std::size_t>(classes[0].index[i])], at_tests[i]);
  std::uint64_t state = state_before(0);
  for (const std::int64_t key : keys) ASSERT_EQ(next_key(state, 11), key);
  for (std::int64_t j = 0; j < 3; ++j) {
    state = state_before(40'000 + j);
    EXPECT_EQ(next_key(state, 11), keys[static_cast<std::size_t>(40'000 + j)]);
  }
}

// The expected sums over all generated keys were computed by an independent program.
TEST(NpbIs, KeysHaveTheClassesCheckpoints) {
  const struct {
    const Class* known;
    std::int64_t sum;
    std::int32_t first[5], last, least, most, at_tests[test_count];
  } all[] = {
      {&classes[0], 67'027'849, {1585, 825, 1060, 1343, 956}, 962, 50, 1973, {50, 158, 310, 1697, 1855}},
      {&classes[1],
       34'365'783'705,
       {50737, 26409, 33921, 42989, 30600},
       32561,
       892,
       64839,
       {6786, 11782, 54665, 56197, 60014}},
      {&classes[2],
       2'199'179'599'308,
       {405901, 211274, 271374, 343919, 244803},
       300038,
       6048,
       522036,
       {17237, 62059, 101168, 428502, 500879}},
      {&classes[3],
       35'185'069'513'920,
       {1623605, 845097, 1085496, 1375676, 979214},
       1068453,
       17235,
       2088145,
       {1806863, 153192, 237944, 1709407, 48333}}};
  for (const auto& want : all) {
    if (address_sanitizer && want.known > &classes[1]) continue;
    const HostKeys made = make_keys(problem_of(*want.known));
    const std::int32_t *keys = made.get(), *end = keys + want.known->keys();
    EXPECT_EQ(std::accumulate(keys, end, std::int64_t{0}), want.sum) << want.known->name;
    EXPECT_TRUE(std::equal(std::begin(want.first), std::end(want.first), keys)) << want.known->name;
    EXPECT_EQ(end[-1], want.last) << want.known->name;
    const auto [least, most] = std::minmax_element(keys, end);
    EXPECT_EQ(*least, want.least) << want.known->name;
    EXPECT_EQ(*most, want.most) << want.known->name;
    for (std::size_t i = 0; i < test_count; ++i)
      EXPECT_EQ(keys[want.known->index[i]], want.at_tests[i]) << want.known->name << ' ' << i;
  }
}

// The reference returns NPB's published ranks. An implementation by NPB's definition must give the same
// ranks.
TEST(NpbIs, PublishedRanksAreTheDefinitions) {
  std::vector<std::int64_t> keys;
  for (const Class& one : {classes[0], classes[1]}) {
    const Answer got = reference_of(problem_of(one)), want = by_definition(problem_of(one), keys);
    EXPECT_EQ(got.ranks, want.ranks) << one.name;
    EXPECT_EQ(got.counts, want.counts) << one.name;
  }
}

TEST(NpbIs, OtherSizesAreTheDefinitions) {
  std::vector<std::int64_t> keys;
  for (const std::int64_t count : {32, 33, 97, 4099, 100'003})
    for (const int bits : {5, 11, 17}) {
      const Problem problem = problem_of(count, bits);
      const Answer got = reference_of(problem), want = by_definition(problem, keys);
      EXPECT_EQ(got.ranks, want.ranks) << count << " keys of " << bits << " bits";
      EXPECT_EQ(got.counts, want.counts) << count << " keys of " << bits << " bits";
    }
}

// The change of the test keys' ranks in each iteration, as listed in NPB for each class.
TEST(NpbIs, RanksMoveWithTheIterations) {
  const auto moves = [](const Class& one, int it) {
    std::vector<std::int64_t> list;
    for (int i = 0; i < test_count; ++i) list.push_back(one.rank_at(it, i) - one.rank[i]);
    return list;
  };
  using List = std::vector<std::int64_t>;
  EXPECT_EQ(moves(classes[0], 3), (List{3, 3, 3, -3, -3}));     // class S
  EXPECT_EQ(moves(classes[1], 1), (List{-1, -1, -1, -1, -1}));  // class W
  EXPECT_EQ(moves(classes[1], 9), (List{7, 7, -9, -9, -9}));
  EXPECT_EQ(moves(classes[2], 1), (List{0, 0, 0, 0, 0}));  // class A
  EXPECT_EQ(moves(classes[2], 10), (List{9, 9, 9, -9, -9}));
  EXPECT_EQ(moves(classes[3], 10), (List{-10, 10, 10, -10, 10}));   // class B
  EXPECT_EQ(moves(classes[4], 10), (List{10, 10, 10, -10, -10}));   // class C
  EXPECT_EQ(moves(classes[5], 10), (List{10, 10, -10, -10, -10}));  // class D
}

// A changed verification value must make the verification fail.
TEST(NpbIs, TamperedValuesFail) {
  const Problem problem = problem_of(classes[0]);
  const Answer honest = reference_of(problem);
  ASSERT_EQ(complaint(problem, honest), "");
  for (std::size_t i = 0; i < rank_count; ++i) {
    Answer tampered = honest;
    tampered.ranks[i] += i % 2 ? 1 : -1;
    EXPECT_NE(complaint(problem, tampered), "") << "rank " << i;
  }
  for (std::size_t v = 0; v < honest.counts.size(); v += 89) {
    Answer tampered = honest;
    tampered.counts[v] += v % 2 ? 1 : -1;
    EXPECT_NE(complaint(problem, tampered), "") << "count of " << v;
  }
}

// Class D has more keys than an int32 can hold, so the check compares 32 bits.
TEST(NpbIs, ClassesAreNpbs) {
  ASSERT_EQ(entry().kernel.classes.size(), 6u);
  for (const NamedProblem& named : entry().kernel.classes) {
    const Class* one = class_of(key_count(named.problem), named.problem.parameters[0]);
    ASSERT_NE(one, nullptr) << named.name;
    EXPECT_STREQ(one->name, named.name);
    EXPECT_EQ(entry().kernel.work(named.problem).items, 10 * one->keys());  // counted by the rate in Mop/s
    EXPECT_EQ(entry().kernel.refuse(named.problem), nullptr);
  }
  EXPECT_NE(entry().kernel.refuse(problem_of(31, 5)), nullptr);
  EXPECT_NE(entry().kernel.refuse(problem_of((std::int64_t{1} << 31) + 1, 27)), nullptr);
}

// NPB's full verification. Moves every key to the position that the counts give. Returns the number of keys
// that exceed their successor.
std::int64_t places_out_of_order(const std::vector<std::int64_t>& keys, std::vector<std::int32_t> places) {
  std::vector<std::int64_t> sorted(keys.size(), -1);
  for (const std::int64_t key : keys)
    sorted.at(static_cast<std::size_t>(--places[static_cast<std::size_t>(key)])) = key;
  std::int64_t wrong = 0;
  for (std::size_t p = 1; p < sorted.size(); ++p) wrong += sorted[p - 1] > sorted[p];
  EXPECT_EQ(std::accumulate(sorted.begin(), sorted.end(), std::int64_t{0}),
            std::accumulate(keys.begin(), keys.end(), std::int64_t{0}));
  return wrong;
}

TEST(NpbIs, EveryHostVariantIsFullyVerified) {
  int checked = 0;
  for (const Class& one : {classes[0], classes[1]}) {
    const Problem problem = problem_of(one);
    std::vector<std::int64_t> keys;
    const Answer want = by_definition(problem, keys);
    for (const Variant& variant : entry().variants) {
      if (needs_gpu(variant) || is_offloaded(variant.model)) continue;
      std::vector<int> tuning;
      for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
      if (variant.adapt) variant.adapt(problem, tuning.data());
      std::vector<std::int32_t> found(rank_count, -1), counted(want.counts.size(), -1);
      ArrayAt arrays[] = {found.data(), counted.data()};
      Call call;
      call.problem = problem;
      call.tuning = tuning.data();
      call.arrays = arrays;
      ASSERT_EQ(variant.prepare(call, &call.state), nullptr);
      for (int run = 0; run < 2; ++run) {  // the first run changes some keys
        std::fill(counted.begin(), counted.end(), -1);
        variant.launch.int32(call);
        EXPECT_TRUE(std::equal(found.begin(), found.end(), want.ranks.begin())) << variant.name;
        EXPECT_TRUE(std::equal(counted.begin(), counted.end(), want.counts.begin())) << variant.name;
        EXPECT_EQ(places_out_of_order(keys, counted), 0) << variant.name;
      }
      variant.release(call.state);
      ++checked;
    }
  }
  EXPECT_GE(checked, 2 * 3);
}

// A value has 3125 keys on average, so a one-byte counter (at most 255) overflows.
TEST(NpbIs, CountersOfOneByteThatRunOverAreSeen) {
  const Problem problem = problem_of(100'003, 5);
  std::vector<std::int64_t> keys;
  const Answer want = by_definition(problem, keys);
  int checked = 0;
  for (const Variant& variant : entry().variants) {
    if (variant.name != "serial.native" && variant.name != "openmp.tables") continue;
    std::vector<int> tuning;
    for (const Tunable& tunable : variant.tunables)
      tuning.push_back(std::string(tunable.name) == "counter_bits" ? 8 : tunable.preferred);
    std::vector<std::int32_t> found(rank_count, -1), counted(want.counts.size(), -1);
    ArrayAt arrays[] = {found.data(), counted.data()};
    Call call;
    call.problem = problem;
    call.tuning = tuning.data();
    call.arrays = arrays;
    ASSERT_EQ(variant.prepare(call, &call.state), nullptr);
    variant.launch.int32(call);
    EXPECT_TRUE(std::equal(found.begin(), found.end(), want.ranks.begin())) << variant.name;
    EXPECT_TRUE(std::equal(counted.begin(), counted.end(), want.counts.begin())) << variant.name;
    variant.release(call.state);
    ++checked;
  }
  EXPECT_EQ(checked, 2);
}

std::vector<int> adapted(const Variant& variant, const Problem& problem) {
  std::vector<int> tuning;
  for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
  variant.adapt(problem, tuning.data());
  return tuning;
}

// By default, the GPU variant uses one-byte counters only if no value is likely to have more than 255 keys.
// Otherwise, its constraint rejects them.
TEST(NpbIs, BytesCountNoMoreKeysThanTheyHold) {
  const Variant* pieces = nullptr;
  for (const Variant& variant : entry().variants)
    if (variant.name == "cuda.pieces") pieces = &variant;
  if (!pieces || !pieces->adapt) GTEST_SKIP() << "no CUDA";
  std::size_t bits = 0;
  while (bits < pieces->tunables.size() && std::string(pieces->tunables[bits].name) != "counter_bits") ++bits;
  ASSERT_LT(bits, pieces->tunables.size());
  for (const NamedProblem& named : entry().kernel.classes)
    EXPECT_EQ(adapted(*pieces, named.problem)[bits], 8) << named.name;
  // With 32 values, the most frequent one has a twelfth of the keys. Its mean plus ten deviations plus 10
  // must fit in a byte: a mean of 125 keys gives 247, a mean of 133 gives 259.
  for (const auto& [keys, want] : {std::pair{1'400, 8}, {1'500, 8}, {1'600, 16}, {100'003, 16}}) {
    const Problem problem = problem_of(keys, 5);
    std::vector<int> tuning = adapted(*pieces, problem);
    EXPECT_EQ(tuning[bits], want) << keys;
    EXPECT_EQ(pieces->constraint(problem, tuning.data()), nullptr) << keys;
    tuning[bits] = 8;
    EXPECT_EQ(pieces->constraint(problem, tuning.data()) == nullptr, want == 8) << keys;
  }
}

// By default, two groups share a row of the first pass only in class D. The constraint rejects rows that are
// too long for the lanes of a warp, and more rows than threads in a block.
TEST(NpbIs, TwinsShareRowsWhereRowsAreShort) {
  const Variant* pieces = find_variant(entry(), "cuda.pieces");
  if (!pieces || !pieces->adapt) GTEST_SKIP() << "no CUDA";
  const auto with = [&](const Problem& problem, const std::vector<std::pair<std::string, int>>& wanted) {
    std::vector<int> tuning = adapted(*pieces, problem);
    for (std::size_t i = 0; i < tuning.size(); ++i)
      for (const auto& [name, value] : wanted)
        if (pieces->tunables[i].name == name) tuning[i] = value;
    return tuning;
  };
  const auto refused = [&](const Problem& problem, const std::vector<std::pair<std::string, int>>& wanted) {
    return pieces->constraint(problem, with(problem, wanted).data()) != nullptr;
  };
  for (const NamedProblem& named : entry().kernel.classes) {
    const bool is_d = named.name == std::string("D");
    EXPECT_EQ(adapted(*pieces, named.problem), with(named.problem, {{"paired_groups", is_d}})) << named.name;
    EXPECT_FALSE(refused(named.problem, {})) << named.name;
  }
  // With 128 rows, a tile of 64 keys per row needs 13 vectors. 128 keys per row exceed the limit of 15
  // vectors.
  const Problem w = problem_of(classes[1]);
  EXPECT_FALSE(
      refused(w, {{"paired_groups", 1}, {"block_size", 256}, {"items_per_thread", 32}, {"groups_log2", 8}}));
  EXPECT_TRUE(
      refused(w, {{"paired_groups", 1}, {"block_size", 256}, {"items_per_thread", 64}, {"groups_log2", 8}}));
  // 1024 rows exceed the threads of the block.
  const Problem d = problem_of(classes[5]);
  EXPECT_TRUE(refused(d, {{"block_size", 512}, {"items_per_thread", 32}}));
}

}  // namespace
}  // namespace sextant
