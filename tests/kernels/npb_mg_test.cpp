// Tests NPB MG beyond the published norms: all of u and r, the charges, intermediate norms, the order of
// accuracy, memory, and that the verification detects tampered values.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>

#include "../../npb/npb_mg/reference.hpp"
#include "../../npb/npb_mg/tiles.hpp"
#include "../../npb/npb_mg/verification.hpp"
#include "npb_mg_checks.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant {
namespace {

using npb_mg::LongField;

std::vector<const Variant*> host_variants() {
  std::vector<const Variant*> list;
  for (const Variant& variant : verified().variants)
    if (variant.memory_space != MemorySpace::cuda && !(variant.unavailable && variant.unavailable()))
      list.push_back(&variant);
  return list;
}

class HostVariant : public testing::TestWithParam<const Variant*> {};

std::string title(const testing::TestParamInfo<const Variant*>& info) { return title_of(*info.param); }

INSTANTIATE_TEST_SUITE_P(NpbMg, HostVariant, testing::ValuesIn(host_variants()), title);

TEST_P(HostVariant, GivesThePublishedNorms) {
  for (const char* name : {"S", "W"}) {
    if (*name == 'W' && (address_sanitizer || is_offloaded(GetParam()->model))) continue;  // takes seconds
    const Problem problem = class_problem(verified().kernel, name);
    const CheckResult result =
        run_checked(verified().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem));
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(HostVariant, GivesAllOfTheFieldsOfClassS) {
  const Problem problem = class_problem(whole().kernel, "S");
  const CheckResult result =
      run_checked(whole().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem));
  EXPECT_TRUE(result.passed) << result.reason;
}

TEST_P(HostVariant, GivesTheSerialFormsFieldsOfClassW) {
  if (address_sanitizer) GTEST_SKIP() << "class S goes the same ways with a sixty-fourth of the points";
  const Problem problem = class_problem(whole().kernel, "W");
  const double allowed = whole().kernel.tolerance(problem).absolute;
  const std::vector<double> plain = fields_of(*find_variant(whole(), "serial.baseline"), problem);
  const std::vector<double> ours = fields_of(*GetParam(), problem);
  ASSERT_EQ(plain.size(), ours.size());
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) wrong += !(std::abs(plain[i] - ours[i]) <= allowed);
  EXPECT_EQ(wrong, 0U);
}

TEST_P(HostVariant, HandlesEverySideBothSmoothersAndAnyCycles) {
  for (const std::int64_t side : {4, 8, 16, 32})
    for (const bool later : {false, true})
      for (const std::int64_t cycles : {1, 2, 3}) {
        const Problem problem = problem_of(side, cycles, later, true);
        const CheckResult result =
            run_checked(whole().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem));
        EXPECT_TRUE(result.passed) << side << " " << later << " " << cycles << ": " << result.reason;
      }
}

TEST_P(HostVariant, GivesTheSameWithEveryTuning) {
  const Variant& variant = *GetParam();
  for (std::size_t i = 0; i < variant.tunables.size(); ++i)
    for (const int value : variant.tunables[i].choices) {
      const Problem problem = problem_of(32, 2, true, true);
      std::vector<int> tuning = default_tuning(variant, problem);
      tuning[i] = value;
      const CheckResult result = run_checked(whole().kernel, variant, problem, tuning);
      EXPECT_TRUE(result.passed) << variant.tunables[i].name << "=" << value << ": " << result.reason;
    }
}

TEST_P(HostVariant, GivesTheSameBitsAgain) {
  const Problem problem = problem_of(64, 2, true, true);
  const std::vector<double> first = fields_of(*GetParam(), problem), second = fields_of(*GetParam(), problem);
  EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(double)), 0);
}

TEST_P(HostVariant, PassesTheNormsOnTheWay) {
  const std::int64_t largest = address_sanitizer ? 64 : 128;
  for (const Checkpoints& one : checkpoints)
    for (std::int64_t cycles = 1; cycles <= 4 && one.side <= largest; ++cycles) {
      const Problem problem = problem_of(one.side, cycles, one.later, true);
      const double norm = fields_of(*GetParam(), problem)[1], wanted = one.norms[cycles - 1];
      EXPECT_NEAR(norm, wanted, 1e-10 * wanted) << one.side << " " << cycles;
    }
}

// ---- the reference ----

TEST(NpbMgReference, PassesTheNormsOnTheWay) {
  for (std::int64_t cycles = 1; cycles <= 4; ++cycles) {
    double norms[2];
    npb_mg::reference_run(problem_of(32, cycles, false, false), norms, nullptr, nullptr);
    EXPECT_NEAR(norms[0], 2.4705294220065e-02, 1e-15);
    EXPECT_NEAR(norms[1], checkpoints[0].norms[cycles - 1], 1e-12 * norms[1]);
  }
}

// Returns `factor` * sin(2 pi x) sin(2 pi y) sin(4 pi z) at the points of a grid.
template <typename T>
std::vector<T> waves(std::int64_t n, T factor) {
  constexpr T turn = 2 * std::numbers::pi_v<T>;
  std::vector<T> field;
  for (std::int64_t z = 0; z < n; ++z)
    for (std::int64_t y = 0; y < n; ++y)
      for (std::int64_t x = 0; x < n; ++x)
        field.push_back(factor * std::sin(turn * static_cast<T>(x) / static_cast<T>(n)) *
                        std::sin(turn * static_cast<T>(y) / static_cast<T>(n)) *
                        std::sin(2 * turn * static_cast<T>(z) / static_cast<T>(n)));
  return field;
}

// Returns h^2 times the Laplacian of the waves. The discrete solution then differs from the waves by O(h^2).
template <typename T>
std::vector<T> source(std::int64_t n) {
  constexpr T turn = 2 * std::numbers::pi_v<T>;
  return waves<T>(n, -6 * turn * turn / static_cast<T>(n * n));
}

template <typename T>
T distance(const std::vector<T>& a, const T* b) {
  T largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

TEST(NpbMgReference, SolvesPoissonsProblemToSecondOrder) {
  long double errors[2];
  for (int i = 0; i < 2; ++i) {
    const std::int64_t n = 8 << i;
    const LongField v = source<long double>(n);
    LongField u(v.size()), r = v, change(v.size());
    for (int t = 0; t < 12; ++t) {
      npb_mg::cycle(n, false, v, r, u);
      const long double a[4] = {-8.0L / 3, 0, 1.0L / 6, 1.0L / 12};
      npb_mg::apply(n, a, u, change);
      for (std::size_t at = 0; at < r.size(); ++at) r[at] = v[at] - change[at];
    }
    errors[i] = distance(waves<long double>(n, 1), u.data());
  }
  EXPECT_NEAR(static_cast<double>(errors[0] / errors[1]), 4, 0.8);
}

// ---- the fused variant with another right-hand side ----

double error_of_tiles(std::int64_t n) {
  const Problem problem = problem_of(n, 12, false, true);
  const Variant& variant = *find_variant(whole(), "serial.native");
  const std::vector<int> tuning = default_tuning(variant, problem);
  const auto count = static_cast<std::size_t>(problem.extents.count());
  std::vector<double> norms(2), u(count), r(count);
  ArrayAt arrays[] = {norms.data(), u.data(), r.data()};
  Call call;
  call.problem = problem;
  call.tuning = tuning.data();
  call.arrays = arrays;
  EXPECT_EQ(npb_mg::prepare_tiles<npb_mg::OnThreads>(call, &call.state), nullptr);
  const std::vector<double> v = source<double>(n);
  std::copy(v.begin(), v.end(), static_cast<npb_mg::HostState*>(call.state)->v_memory.get());
  npb_mg::launch_tiles<npb_mg::OnThreads>(call);
  npb_mg::release_host(call.state);
  EXPECT_LT(norms[1], 1e-5 * norms[0]);
  return distance(waves<double>(n, 1), u.data());
}

TEST(NpbMgTiles, SolvePoissonsProblemToSecondOrder) {
  const double coarse = error_of_tiles(16), middle = error_of_tiles(32), fine = error_of_tiles(64);
  EXPECT_NEAR(coarse / middle, 4, 0.2);
  EXPECT_NEAR(middle / fine, 4, 0.1);
}

// ---- charges ----

struct Published {
  std::int64_t side;
  std::int64_t minus[npb_mg::charge_count][3], plus[npb_mg::charge_count][3];  // x, y, z
};
constexpr Published published[] = {
    {32,
     {{0, 11, 2},
      {13, 8, 17},
      {5, 14, 0},
      {4, 28, 15},
      {12, 2, 1},
      {5, 17, 8},
      {20, 19, 11},
      {26, 15, 31},
      {8, 25, 22},
      {7, 14, 26}},
     {{7, 1, 20},
      {19, 29, 31},
      {2, 0, 3},
      {4, 22, 3},
      {1, 16, 21},
      {21, 31, 6},
      {12, 15, 12},
      {30, 4, 25},
      {28, 0, 28},
      {17, 26, 17}}},
    {128,
     {{15, 22, 123},
      {102, 117, 59},
      {14, 121, 75},
      {109, 87, 121},
      {9, 1, 21},
      {95, 34, 54},
      {38, 126, 12},
      {92, 83, 35},
      {70, 2, 64},
      {114, 103, 5}},
     {{113, 85, 50},
      {127, 45, 32},
      {14, 110, 118},
      {34, 21, 100},
      {29, 17, 109},
      {27, 48, 11},
      {80, 90, 20},
      {26, 84, 73},
      {39, 32, 1},
      {115, 86, 20}}},
    {256,
     {{221, 40, 238},
      {152, 160, 34},
      {80, 182, 253},
      {248, 168, 155},
      {197, 5, 201},
      {90, 61, 203},
      {15, 203, 30},
      {99, 154, 57},
      {100, 136, 110},
      {209, 152, 96}},
     {{52, 207, 38},
      {241, 170, 12},
      {201, 16, 196},
      {200, 81, 207},
      {113, 121, 205},
      {210, 5, 246},
      {43, 192, 232},
      {174, 244, 162},
      {3, 116, 173},
      {55, 118, 165}}},
    {512,
     {{397, 310, 198},
      {94, 399, 236},
      {221, 276, 59},
      {342, 137, 166},
      {381, 72, 281},
      {350, 192, 416},
      {16, 19, 455},
      {152, 336, 8},
      {400, 502, 447},
      {72, 0, 105}},
     {{308, 359, 9},
      {9, 491, 116},
      {449, 268, 441},
      {147, 115, 197},
      {241, 85, 3},
      {507, 41, 125},
      {161, 278, 73},
      {144, 91, 310},
      {201, 8, 49},
      {149, 399, 329}}},
    {1024,
     {{186, 374, 694},
      {773, 345, 474},
      {478, 874, 804},
      {306, 75, 624},
      {397, 667, 49},
      {606, 199, 59},
      {892, 70, 361},
      {844, 261, 252},
      {221, 906, 14},
      {85, 327, 232}},
     {{739, 879, 781},
      {742, 641, 147},
      {335, 295, 600},
      {982, 944, 696},
      {622, 881, 180},
      {956, 217, 952},
      {777, 453, 706},
      {258, 730, 482},
      {271, 75, 815},
      {78, 276, 250}}},
};

std::vector<std::int64_t> places(std::int64_t n, const std::int64_t (&points)[npb_mg::charge_count][3]) {
  std::vector<std::int64_t> list;
  for (const auto& point : points) list.push_back((point[2] * n + point[1]) * n + point[0]);
  std::sort(list.begin(), list.end());
  return list;
}
std::vector<std::int64_t> sorted(const std::int64_t (&places)[npb_mg::charge_count]) {
  std::vector<std::int64_t> list(std::begin(places), std::end(places));
  std::sort(list.begin(), list.end());
  return list;
}

TEST(NpbMgCharges, LieWhereThoseOfTheClassesDo) {
  for (const Published& one : published) {
    if (address_sanitizer && one.side > 128) continue;
    const npb_mg::Charges charges = npb_mg::find_charges(one.side);
    EXPECT_EQ(sorted(charges.negative), places(one.side, one.minus)) << one.side;
    EXPECT_EQ(sorted(charges.positive), places(one.side, one.plus)) << one.side;
  }
}

TEST(NpbMgCharges, AreTheExtremesOfAllNumbers) {
  constexpr std::int64_t n = 4;
  std::vector<std::pair<std::uint64_t, std::int64_t>> all;
  std::uint64_t state = npb::other_seed;
  for (std::int64_t i = 0; i < n * n * n; ++i) all.emplace_back(state = npb::random_next(state), i);
  std::sort(all.begin(), all.end());
  const npb_mg::Charges charges = npb_mg::find_charges(n);
  for (std::size_t i = 0; i < npb_mg::charge_count; ++i) {
    EXPECT_EQ(charges.negative[i], all[i].second);
    EXPECT_EQ(charges.positive[i], all[all.size() - 1 - i].second);
  }
}

// ---- the verification values ----

double tampering = 1;  // factor on the last norm

Kernel tampered_kernel(double factor) {
  static const Kernel& honest = verified().kernel;
  tampering = factor;
  Kernel kernel = honest;
  kernel.name = "tampered " + std::to_string((factor - 1) * 1e9);
  kernel.reference = {
      .float64 = [](const Problem& problem, const void* const* arrays, double* const* results) {
        honest.reference.float64(problem, arrays, results);
        results[0][1] *= tampering;
      }};
  return kernel;
}

TEST(NpbMgVerification, FailsWithTamperedValues) {
  const Variant& variant = *find_variant(verified(), "serial.native");
  const Problem problem = class_problem(verified().kernel, "S");
  const std::vector<int> tuning = default_tuning(variant, problem);
  EXPECT_TRUE(run_checked(tampered_kernel(1), variant, problem, tuning).passed);
  for (const double factor : {1 + 2e-8, 1 - 2e-8, 1.5, std::nan("")}) {
    const CheckResult result = run_checked(tampered_kernel(factor), variant, problem, tuning);
    EXPECT_FALSE(result.passed) << factor;
    EXPECT_NE(result.reason.find("norms[1]"), std::string::npos) << result.reason;
  }
}

TEST(NpbMgVerification, FailsWhereNothingIsPublished) {
  const Variant& variant = *find_variant(verified(), "serial.native");
  for (const Problem& problem : {problem_of(32, 3, false, false), problem_of(32, 4, true, false)})
    EXPECT_FALSE(run_checked(verified().kernel, variant, problem, default_tuning(variant, problem)).passed);
}

TEST(NpbMgVerification, ToleranceIsNpbs) {
  for (const NamedProblem& one : verified().kernel.classes) {
    const Tolerance tolerance = verified().kernel.tolerance(one.problem);
    EXPECT_EQ(tolerance.absolute, 0);
    EXPECT_EQ(tolerance.relative, 1e-8);
  }
}

// ---- problems and memory ----

TEST(NpbMgProblem, ClassesAreNpbs) {
  std::string seen;
  for (const NamedProblem& one : verified().kernel.classes) {
    seen += one.name + (' ' + std::to_string(one.problem.extents.x)) + ' ' +
            std::to_string(npb_mg::iterations(one.problem)) + ' ' +
            std::to_string(one.problem.parameters[1]) + '\n';
    EXPECT_EQ(verified().kernel.refuse(one.problem), nullptr);
  }
  EXPECT_EQ(seen, "S 32 4 0\nW 128 4 0\nA 256 4 0\nB 256 20 1\nC 512 20 1\nD 1024 50 1\n");
}

TEST(NpbMgProblem, RefusesWhatIsNoCubeOfAPowerOfTwo) {
  for (const Extents& shape : {Extents{2, 2, 2}, Extents{12, 12, 12}, Extents{8, 8, 16}, Extents{8, 16, 8},
                               Extents{2048, 2048, 2048}}) {
    Problem problem = problem_of(8, 2, false, true);
    problem.extents = shape;
    EXPECT_NE(whole().kernel.refuse(problem), nullptr) << shape.x;
  }
  EXPECT_EQ(whole().kernel.refuse(problem_of(8, 2, false, true)), nullptr);
}

TEST(NpbMgProblem, CountsOperationsAsNpb) {
  EXPECT_EQ(verified().kernel.work(class_problem(verified().kernel, "C")).flops, 155'692'564'480);
}

TEST(NpbMgProblem, ThreeFieldsAndTheCoarserGridsAreEnough) {
  const Problem problem = class_problem(verified().kernel, "D");
  for (const Variant& variant : verified().variants) {
    ASSERT_NE(variant.workspace, nullptr) << variant.name;
    const std::int64_t bytes = variant.workspace(problem, default_tuning(variant, problem).data());
    EXPECT_GE(bytes, 3 * 8 * problem.extents.count()) << variant.name;
    EXPECT_LE(bytes, 29'500'000'000) << variant.name;
  }
}

}  // namespace
}  // namespace sextant
