// Tests NPB EP: the published values, tampered values, the reference at other sizes, and the vectorized
// logarithm.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "../../npb/npb_ep/lanes.hpp"
#include "../../npb/npb_ep/official.hpp"
#include "../../npb/npb_ep/table.hpp"
#include "base/error.hpp"
#include "engine/case/check.hpp"
#include "plan/plan.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

const RegisteredKernel& entry() { return *find_kernel("npb_ep"); }

Problem problem_of(std::int64_t pairs) { return {pairs, ElementType::float64, {pairs, 1, 1}, {}}; }

using Values = std::vector<double>;  // the five sums, then the ten counts

Values flat(const Values& sums, const Values& counts) {
  Values all = sums;
  all.insert(all.end(), counts.begin(), counts.end());
  return all;
}

Values reference_of(const Kernel& kernel, const Problem& problem) {
  Values sums(ep::sum_count), counts(ep::ring_count);
  const void* arrays[] = {nullptr, nullptr};
  double* results[] = {sums.data(), counts.data()};
  kernel.reference.float64(problem, arrays, results);
  return flat(sums, counts);
}

// Returns why the check rejects these outputs; empty if it accepts them.
std::string complaint(const Kernel& kernel, const Problem& problem, const Values& values) {
  Workset workset(kernel, problem, 1);
  std::copy_n(values.begin(), ep::sum_count, static_cast<double*>(workset.arrays()[0].data));
  std::copy_n(values.begin() + ep::sum_count, ep::ring_count, static_cast<double*>(workset.arrays()[1].data));
  Deviation error;
  return workset.compare(&error);
}

Values computed_class_s() {
  Values sums(ep::sum_count), counts(ep::ring_count);
  ArrayAt arrays[] = {sums.data(), counts.data()};
  Call call;
  call.problem = entry().kernel.classes.front().problem;
  call.arrays = arrays;
  find_variant(entry(), "serial.native")->launch.float64(call);
  return flat(sums, counts);
}

TEST(NpbEp, EveryHostVariantVerifiesClassS) {
  std::string why_not;
  const auto device = open_device(MemorySpace::host, -1, &why_not);
  int checked = 0;
  for (const Variant& variant : entry().variants) {
    if (needs_gpu(variant) || is_partitioned(variant.memory_space)) continue;
    const NamedProblem& named = entry().kernel.classes.front();
    ASSERT_STREQ(named.name, "S");
    Workset workset(entry().kernel, named.problem, 1);
    DeviceCopies device_copies(*device, workset);
    std::vector<int> tuning;
    for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
    Call call;
    call.problem = named.problem;
    call.tuning = tuning.data();
    call.arrays = device_copies.arrays();
    if (variant.prepare) {
      ASSERT_EQ(variant.prepare(call, &call.state), nullptr);
    }
    const CheckResult result = check(variant, call, *device, workset, device_copies, 0);
    if (variant.release) variant.release(call.state);
    EXPECT_TRUE(result.passed) << variant.name << ": " << result.reason;
    ++checked;
  }
  EXPECT_GE(checked, 2);
}

// A changed verification value must make the verification fail.
TEST(NpbEp, TamperedVerificationValuesFail) {
  static Values tampered;  // static, because a plain function has no captures
  const Values honest = computed_class_s();
  Kernel kernel = entry().kernel;
  const Problem problem = kernel.classes.front().problem;
  ASSERT_EQ(complaint(kernel, problem, honest), "");
  const Values wanted = reference_of(kernel, problem);
  kernel.reference.float64 = [](const Problem&, const void* const*, double* const* results) {
    std::copy_n(tampered.begin(), ep::sum_count, results[0]);
    std::copy_n(tampered.begin() + ep::sum_count, ep::ring_count, results[1]);
  };
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    tampered = wanted;
    const double sign = i % 2 == 0 ? 1 : -1;
    tampered[i] = wanted[i] == 0 ? sign : wanted[i] * (1 + sign * 1.1e-8);
    EXPECT_NE(complaint(kernel, problem, honest), "") << "value " << i;
  }
  tampered = wanted;
  tampered[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(complaint(kernel, problem, honest), "");
  tampered = wanted;
  EXPECT_EQ(complaint(kernel, problem, honest), "");
  Values results = honest;
  results[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(complaint(kernel, problem, results), "");
}

// The counts of pairs per ring must be exact: moving one pair to the next ring fails.
TEST(NpbEp, OneMovedCountFails) {
  for (const NamedProblem& named : entry().kernel.classes) {
    const Values wanted = reference_of(entry().kernel, named.problem);
    ASSERT_EQ(complaint(entry().kernel, named.problem, wanted), "") << named.name;
    for (int l = 0; l + 1 < ep::ring_count; ++l) {
      Values moved = wanted;
      moved[static_cast<std::size_t>(ep::sum_count + l)] -= 1;
      moved[static_cast<std::size_t>(ep::sum_count + l + 1)] += 1;
      EXPECT_NE(complaint(entry().kernel, named.problem, moved), "") << named.name << " ring " << l;
    }
    Values more = wanted;
    more[4] += 1;
    EXPECT_NE(complaint(entry().kernel, named.problem, more), "") << named.name;
  }
}

TEST(NpbEp, CountsOfEveryClassAddUpToItsAcceptedPairs) {
  for (const ep::Official& one : ep::official) {
    double sum = 0;
    for (const double ring : one.rings) sum += ring;
    EXPECT_EQ(sum, one.accepted) << one.name;
    EXPECT_NEAR(one.accepted / static_cast<double>(one.pairs()), std::acos(-1.0) / 4, 1e-3) << one.name;
  }
}

// Computes the sums and counts by NPB's definition in long double. The generator cannot overflow.
Values by_definition(std::int64_t pairs) {
  __extension__ using Wide = unsigned __int128;
  std::uint64_t state = 271'828'183;
  const auto random = [&] {
    state = static_cast<std::uint64_t>(Wide{state} * 1'220'703'125 % (Wide{1} << 46));
    return static_cast<long double>(state) / 0x1p46L;
  };
  long double sums[4] = {};
  Values counts(ep::ring_count);
  double accepted = 0;
  for (std::int64_t i = 0; i < pairs; ++i) {
    const long double x = 2 * random() - 1, y = 2 * random() - 1, t = x * x + y * y;
    if (t > 1) continue;
    const long double f = std::sqrt(-2 * std::log(t) / t), X = std::abs(x * f), Y = std::abs(y * f);
    sums[0] += x * f, sums[1] += y * f, sums[2] += X, sums[3] += Y;
    counts[static_cast<std::size_t>(std::max(X, Y))] += 1;
    accepted += 1;
  }
  Values values = {static_cast<double>(sums[0]), static_cast<double>(sums[1]), static_cast<double>(sums[2]),
                   static_cast<double>(sums[3]), accepted};
  return flat(values, counts);
}

TEST(NpbEp, ReferenceAtOtherSizesIsTheDefinition) {
  for (const std::int64_t pairs : {1, 2, 3, 4095, 4096, 4097, 100'003}) {
    const Values got = reference_of(entry().kernel, problem_of(pairs)), want = by_definition(pairs);
    for (std::size_t i = 0; i < want.size(); ++i)
      EXPECT_NEAR(got[i], want[i], 1e-15 * static_cast<double>(pairs)) << pairs << " pairs, value " << i;
  }
}

TEST(NpbEp, LanesAgreeWithTheReferenceAcrossChunks) {
  for (const std::int64_t first : {0, 1, 255, 256, 257, 70'001}) {
    const ep::Tally whole = ep::tally_pairs(0, first + 3001);
    ep::Tally parts = ep::tally_pairs(0, first);
    parts.add(ep::tally_pairs(first, 3001));
    EXPECT_NEAR(parts.sx, whole.sx, 1e-10);
    EXPECT_NEAR(parts.sy, whole.sy, 1e-10);
    EXPECT_NEAR(parts.abs_sx, whole.abs_sx, 1e-10);
    for (int l = 0; l < ep::ring_count; ++l) EXPECT_EQ(parts.rings[l], whole.rings[l]) << "ring " << l;
  }
}

// Returns the error of ep::logarithm in units of 2^-53 of the value.
double error_of_logarithm(double t) {
  const long double want = std::log(static_cast<long double>(t));
  return want == 0 ? std::abs(ep::logarithm(t))
                   : static_cast<double>(std::abs(ep::logarithm(t) - want) / std::abs(want)) * 0x1p53;
}

TEST(NpbEp, LogarithmErrsByFourRoundingsAtMost) {
  std::mt19937_64 bits(12345);
  double worst = 0;
  for (int i = 0; i < 500'000; ++i)
    worst = std::max(worst, error_of_logarithm(static_cast<double>(bits() >> 11) * 0x1p-53 + 0x1p-54));
  for (int i = 1; i < 20'000; ++i) {
    worst = std::max(worst, error_of_logarithm(1 - i * 0x1p-53));  // close to 1
    worst = std::max(worst, error_of_logarithm(std::sqrt(0.5) + (i - 10'000) * 0x1p-52));
  }
  for (int exponent = 1; exponent <= 90; ++exponent)  // the smallest t is 2^-89
    for (const double mantissa : {1.0, 1.25, std::sqrt(2.0), 1.75, 2 - 0x1p-52})
      worst = std::max(worst, error_of_logarithm(std::ldexp(mantissa, -exponent)));
  EXPECT_LE(worst, 4);
  EXPECT_GT(worst, 0.5);  // the values were really compared
  EXPECT_EQ(ep::logarithm(1), 0);
}

template <int bits>
double worst_error_by_table() {
  const std::vector<ep::LogEntry> table = ep::log_table(bits);
  const ep::LogPolynomial polynomial = ep::log_polynomial(bits);
  std::mt19937_64 random(bits);
  double worst = 0;
  for (int i = 0; i < 300'000; ++i) {
    // t covers the whole table and values close to 1.
    const double mantissa = 1 + static_cast<double>(random() >> 12) * 0x1p-52;
    const double t = i < 10'000 ? 1 - (i + 1) * 0x1p-53 : std::ldexp(mantissa, -1 - i % ep::table_binades);
    const std::uint64_t word = ep::bits_of(t) >> 32;
    const ep::LogEntry& entry = table[(word >> (20 - bits)) & ((unsigned{ep::table_binades} << bits) - 1)];
    const long double want = -2 * std::log(static_cast<long double>(t));
    const double got = ep::minus_twice_log<bits>(entry, polynomial.q[0], polynomial, t);
    worst = std::max(worst, static_cast<double>(std::abs(got - want) / want));
  }
  return worst * 0x1p53;
}

TEST(NpbEp, LogarithmByTableErrsByFourRoundingsAtMost) {
  EXPECT_LE(worst_error_by_table<5>(), 4);
  EXPECT_LE(worst_error_by_table<6>(), 4);
  EXPECT_LE(worst_error_by_table<7>(), 4);
}

TEST(NpbEp, WorkCountsRandomNumbersAsNpbDoes) {
  for (const NamedProblem& named : entry().kernel.classes) {
    const std::int64_t pairs = named.problem.extents.x;
    EXPECT_EQ(entry().kernel.work(named.problem).items, 2 * pairs);
    EXPECT_EQ(named.problem.n, pairs);
  }
}

TEST(NpbEp, UnknownClassIsToldWithTheKnownOnes) {
  Selection selection;
  selection.kernels = {"npb_ep"};
  selection.classes = {"Z"};
  std::vector<std::string> notes;
  try {
    plan(selection, &notes);
    FAIL() << "class Z was planned";
  } catch (const UserError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("`Z`"), std::string::npos) << text;
    EXPECT_NE(text.find("S, W, A, B, C, D"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace sextant
