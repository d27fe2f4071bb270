// Tests NPB LU, SP and BT beyond the published norms: intermediate norms, the whole final state, the order of
// accuracy, memory, and that the verification detects tampered values.
#include <gtest/gtest.h>

#include <cmath>

#include "machine/thread_count.hpp"
#include "npb_flow_checks.hpp"
#include "toolbox/npb_flow/reference.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant {
namespace {

using namespace npb::flow;

class HostVariant : public testing::TestWithParam<FlowVariant> {
 protected:
  const RegisteredKernel& flow() const { return *GetParam().flow; }
  const Variant& variant() const { return *GetParam().variant; }
  // Offloaded variants are slow on the host, because they start threads for each region.
  bool takes_long() const { return is_offloaded(variant().model); }
};

bool on_the_host(const Variant& variant) {
  return variant.memory_space != MemorySpace::cuda && !(variant.unavailable && variant.unavailable());
}
std::string title(const testing::TestParamInfo<FlowVariant>& info) { return title_of(info.param); }
INSTANTIATE_TEST_SUITE_P(NpbFlow, HostVariant, testing::ValuesIn(flow_variants(on_the_host)), title);

TEST_P(HostVariant, GivesThePublishedNorms) {
  for (const char* name : {"S", "W"}) {
    if (*name == 'W' && (address_sanitizer || variant().name != "serial.native")) continue;  // takes seconds
    const Problem problem = class_problem(flow().kernel, name);
    const CheckResult result =
        run_checked(flow().kernel, variant(), problem, default_tuning(variant(), problem));
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(HostVariant, WritesAllOfTheState) {
  const Kernel& kernel = whole_of(flow()).kernel;
  for (const char* name : {"S", "W"}) {
    if (*name == 'W' && address_sanitizer) continue;
    Problem problem = class_problem(kernel, name);
    problem.parameters[0] = *name == 'S' && !takes_long() ? problem.parameters[0] : 3;
    const CheckResult result = run_checked(kernel, variant(), problem, default_tuning(variant(), problem));
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(HostVariant, HandlesAnyNumberOfPoints) {
  const Kernel& kernel = whole_of(flow()).kernel;
  for (const std::int64_t n : {5, 6, 7, 8, 9, 10, 11, 13, 17, 18, 19, 23})
    for (const std::int64_t steps : {1, 4}) {
      if ((takes_long() || address_sanitizer) && steps != 1) continue;
      const Problem problem = flow_problem(n, steps, true);
      const CheckResult result = run_checked(kernel, variant(), problem, default_tuning(variant(), problem));
      EXPECT_TRUE(result.passed) << n << ", " << steps << " steps: " << result.reason;
    }
}

TEST_P(HostVariant, GivesTheSameWithEveryTuning) {
  const Kernel& kernel = whole_of(flow()).kernel;
  const Problem problem = flow_problem(14, 2, true);
  for (const std::vector<int>& tuning : every_choice(variant(), problem)) {
    const CheckResult result = run_checked(kernel, variant(), problem, tuning);
    EXPECT_TRUE(result.passed) << result.reason;
  }
}

TEST_P(HostVariant, GivesTheSameBitsAgain) {
  if (variant().memory_space != MemorySpace::host) GTEST_SKIP() << "its arrays are mapped by the engine";
  const Problem problem = flow_problem(14, 2, true);
  const std::vector<int> tuning = default_tuning(variant(), problem);
  std::vector<double> results[2];
  for (std::vector<double>& all : results) {
    all.assign(static_cast<std::size_t>(norm_count + 1 + components * problem.extents.count()), 0.0);
    ArrayAt arrays[] = {all.data(), all.data() + norm_count + 1};
    Call call;
    call.problem = problem;
    call.tuning = tuning.data();
    call.arrays = arrays;
    ASSERT_EQ(variant().prepare(call, &call.state), nullptr);
    variant().launch.float64(call);
    variant().release(call.state);
  }
  EXPECT_TRUE(results[0] == results[1]);
}

// ---- intermediate norms, computed by an independent program ----

struct Checkpoint {
  const char *program, *name;
  double residual[components], forcing[components], error[components], next_residual[components],
      next_error[components];
};
const Checkpoint checkpoints[] = {
    {"npb_sp",
     "S",
     {6.78774408493238e+04, 6.86566714664446e+03, 1.73739164505811e+04, 1.46532164602739e+04,
      9.76824159916386e+04},
     {9.33994726291822e+00, 8.65721859424882e+00, 7.85633440038973e+00, 7.28373462520871e+00,
      5.76865640917496e+00},
     {4.93194501452176e+02, 4.22058898528373e+01, 1.24733080265732e+02, 1.08353222707364e+02,
      8.92802411187248e+02},
     {3.11048793953939e+04, 2.74699041552217e+03, 7.57162585629111e+03, 6.35432751369366e+03,
      4.38657495845454e+04},
     {2.97838078686914e+02, 2.19245209443807e+01, 7.32788473627065e+01, 6.33784638517425e+01,
      5.71441794128766e+02}},
    {"npb_sp",
     "W",
     {3.56274613617593e+05, 3.80531940948991e+04, 9.29474807466834e+04, 7.88236467781891e+04,
      4.90875526818508e+05},
     {9.69260020879844e+00, 9.00189532875729e+00, 8.24453869482417e+00, 7.61620917963312e+00,
      3.86183334286329e+00},
     {5.41961648483477e+02, 4.88380935218446e+01, 1.37102243176575e+02, 1.18384001307691e+02,
      9.22771706566787e+02},
     {1.42319490672668e+05, 1.46757125576007e+04, 3.61294811390381e+04, 3.05203179191900e+04,
      1.90758573647944e+05},
     {4.40619200194166e+02, 3.78309144581765e+01, 1.11121134918115e+02, 9.64526631473368e+01,
      7.91234520372907e+02}},
    {"npb_sp",
     "A",
     {8.37012237209884e+05, 9.01440997502358e+04, 2.19341737009484e+05, 1.86390038485723e+05,
      1.15127159737398e+06},
     {9.76535511248949e+00, 9.07100175489613e+00, 8.32313338277465e+00, 7.68341539649710e+00,
      3.41194768394721e+00},
     {5.52035606596322e+02, 5.02243941632487e+01, 1.39664994027524e+02, 1.20453735239700e+02,
      9.28886689811963e+02},
     {2.90293640700491e+05, 3.11677793330736e+04, 7.38314609398757e+04, 6.20456576123622e+04,
      3.63399255626741e+05},
     {4.38106490204102e+02, 3.78598731170547e+01, 1.10499678482942e+02, 9.58400459075145e+01,
      7.82196758692910e+02}},
    {"npb_sp",
     "C",
     {3.33531861571197e+06, 3.61060869335206e+05, 8.77165984491449e+05, 7.46827972803215e+05,
      4.59336585872213e+06},
     {9.82063367120835e+00, 9.12320861588274e+00, 8.38265757166845e+00, 7.73426608705343e+00,
      3.04024221107207e+00},
     {5.59728288940320e+02, 5.12862039736936e+01, 1.41623457030463e+02, 1.22033643608681e+02,
      9.33541008049938e+02},
     {9.70127054779311e+05, 1.07609049484952e+05, 2.48397430401371e+05, 2.08288072158273e+05,
      1.17649814221606e+06},
     {4.71565952519892e+02, 4.15000609229818e+01, 1.19016836744131e+02, 1.03012767566471e+02,
      8.24471048821160e+02}},
    {"npb_bt",
     "S",
     {6.78774408493238e+04, 6.86566714664446e+03, 1.73739164505811e+04, 1.46532164602739e+04,
      9.76824159916386e+04},
     {9.33994726291822e+00, 8.65721859424882e+00, 7.85633440038973e+00, 7.28373462520871e+00,
      5.76865640917496e+00},
     {4.93194501452176e+02, 4.22058898528373e+01, 1.24733080265732e+02, 1.08353222707364e+02,
      8.92802411187248e+02},
     {3.35352936884000e+04, 3.35607132466048e+03, 8.43759475047419e+03, 7.11274008615435e+03,
      4.75632088487326e+04},
     {3.16373004559664e+02, 2.53394807445167e+01, 7.98637703410581e+01, 7.01513996542406e+01,
      6.18659278181787e+02}},
    {"npb_bt",
     "W",
     {1.94824520871595e+05, 2.05740475560291e+04, 5.05765024233773e+04, 4.28118357127883e+04,
      2.70008916649966e+05},
     {9.60727988913718e+00, 8.92016143660467e+00, 8.15189822636830e+00, 7.53692200390218e+00,
      4.35220345435949e+00},
     {5.30191852405225e+02, 4.72248914704832e+01, 1.34111106959745e+02, 1.15964786966211e+02,
      9.15596895919456e+02},
     {1.19267378335064e+05, 1.22967297972021e+04, 3.05694737203463e+04, 2.59052092145140e+04,
      1.66909946643485e+05},
     {4.70509003369261e+02, 4.06281323477848e+01, 1.18735944858049e+02, 1.03024161817415e+02,
      8.39268362108852e+02}},
    {"npb_bt",
     "A",
     {8.37012237209884e+05, 9.01440997502358e+04, 2.19341737009484e+05, 1.86390038485723e+05,
      1.15127159737398e+06},
     {9.76535511248949e+00, 9.07100175489613e+00, 8.32313338277465e+00, 7.68341539649710e+00,
      3.41194768394721e+00},
     {5.52035606596322e+02, 5.02243941632487e+01, 1.39664994027524e+02, 1.20453735239700e+02,
      9.28886689811963e+02},
     {2.91597210333914e+05, 3.15336360975702e+04, 7.46613239283257e+04, 6.28761908954788e+04,
      3.77001939610371e+05},
     {4.65056276054994e+02, 4.04817773442455e+01, 1.17284248964825e+02, 1.01646944935114e+02,
      8.20879532915791e+02}},
    {"npb_bt",
     "C",
     {3.33531861571197e+06, 3.61060869335206e+05, 8.77165984491449e+05, 7.46827972803215e+05,
      4.59336585872213e+06},
     {9.82063367120835e+00, 9.12320861588274e+00, 8.38265757166845e+00, 7.73426608705343e+00,
      3.04024221107207e+00},
     {5.59728288940320e+02, 5.12862039736936e+01, 1.41623457030463e+02, 1.22033643608681e+02,
      9.33541008049938e+02},
     {1.03755831498396e+06, 1.10704677010667e+05, 2.66759230083637e+05, 2.25751129272831e+05,
      1.38980636641585e+06},
     {5.26325456587486e+02, 4.74083917274143e+01, 1.32975687621710e+02, 1.14783600189758e+02,
      8.94107695458457e+02}},
    {"npb_lu",
     "S",
     {6.78774408493238e+04, 6.86566714664446e+03, 1.73739164505811e+04, 1.46532164602739e+04,
      9.76824159916386e+04},
     {9.33994726291822e+00, 8.65721859424882e+00, 7.85633440038973e+00, 7.28373462520871e+00,
      5.76865640917496e+00},
     {4.93194501452176e+02, 4.22058898528373e+01, 1.24733080265732e+02, 1.08353222707364e+02,
      8.92802411187248e+02},
     {1.51586446956026e+04, 1.38032946261062e+03, 3.79741282318087e+03, 3.24318627544264e+03,
      2.45403232996545e+04},
     {2.67053388679599e+02, 2.03168256956400e+01, 6.77578633083790e+01, 6.01179484825733e+01,
      5.51906645662521e+02}},
    {"npb_lu",
     "W",
     {3.13073578432530e+05, 3.33746154183780e+04, 8.16025987563269e+04, 6.91770792060194e+04,
      4.31687196696198e+05},
     {9.67725441098244e+00, 8.98725386564925e+00, 8.22791769772578e+00, 7.60198884345704e+00,
      3.95250327374654e+00},
     {5.39842183057518e+02, 4.85470642128932e+01, 1.36563361578704e+02, 1.17948440827504e+02,
      9.21482173586348e+02},
     {1.23273623932687e+05, 1.26205683481316e+04, 3.14987887431365e+04, 2.67172876776109e+04,
      1.71652192563431e+05},
     {4.62687241647606e+02, 3.99558878668963e+01, 1.16740032498798e+02, 1.01287274559642e+02,
      8.24593563954315e+02}},
    {"npb_lu",
     "A",
     {8.37012237209884e+05, 9.01440997502358e+04, 2.19341737009484e+05, 1.86390038485723e+05,
      1.15127159737398e+06},
     {9.76535511248949e+00, 9.07100175489613e+00, 8.32313338277465e+00, 7.68341539649710e+00,
      3.41194768394721e+00},
     {5.52035606596322e+02, 5.02243941632487e+01, 1.39664994027524e+02, 1.20453735239700e+02,
      9.28886689811963e+02},
     {2.43426267172837e+05, 2.52626959794265e+04, 6.24095319174564e+04, 5.29330703443293e+04,
      3.35915911499048e+05},
     {4.95283532124639e+02, 4.37556452631932e+01, 1.25036046747726e+02, 1.08178696806976e+02,
      8.60046347809847e+02}},
    {"npb_lu",
     "C",
     {3.33531861571197e+06, 3.61060869335206e+05, 8.77165984491449e+05, 7.46827972803215e+05,
      4.59336585872213e+06},
     {9.82063367120835e+00, 9.12320861588274e+00, 8.38265757166845e+00, 7.73426608705343e+00,
      3.04024221107207e+00},
     {5.59728288940320e+02, 5.12862039736936e+01, 1.41623457030463e+02, 1.22033643608681e+02,
      9.33541008049938e+02},
     {9.88873947257529e+05, 1.03928251304141e+05, 2.54800077633698e+05, 2.16328868847585e+05,
      1.35586532607388e+06},
     {5.36404030586628e+02, 4.85666396725188e+01, 1.35580862685215e+02, 1.16969073977144e+02,
      9.06068874506572e+02}},
};

void expect_norms(const LongState& got, const double* want, const char* what) {
  for (std::size_t m = 0; m < components; ++m)
    EXPECT_NEAR(static_cast<double>(got[m]) / want[m], 1, 1e-12) << what << ' ' << m;
}

TEST(NpbFlowReference, StartsWithTheKnownNorms) {
  for (const Checkpoint& one : checkpoints) {
    const RegisteredKernel* flow = find_kernel(one.program);
    if (!flow || *one.name == 'C' || (address_sanitizer && *one.name != 'S')) continue;
    const std::int64_t n = points(class_problem(flow->kernel, one.name));
    const LongField u = long_start(n), f = long_forcing(n);
    expect_norms(long_norms(long_residual(u, f, 1)), one.residual, "residual");
    expect_norms(long_norms(f), one.forcing, "forcing");
    expect_norms(long_error_norms(u), one.error, "error");
  }
}

const Variant& fastest_of_the_host(const RegisteredKernel& flow) {
  const Variant* panels = find_variant(flow, "openmp.panels");
  return panels ? *panels : *find_variant(flow, "openmp.pipelined");
}

// In double precision, the variants are accurate enough for these norms, even in class C.
TEST(NpbFlowPrograms, HaveTheKnownNormsAfterAStep) {
  for (const Checkpoint& one : checkpoints) {
    const RegisteredKernel* flow = find_kernel(one.program);
    if (!flow || (address_sanitizer && *one.name != 'S')) continue;
    const Variant& variant = fastest_of_the_host(*flow);
    const Problem problem = flow_problem(points(class_problem(flow->kernel, one.name)), 1, false);
    double norms_of[norm_count + 1] = {};
    ArrayAt arrays[] = {norms_of, nullptr};
    const std::vector<int> tuning = default_tuning(variant, problem);
    Call call;
    call.problem = problem;
    call.tuning = tuning.data();
    call.arrays = arrays;
    ASSERT_EQ(variant.prepare(call, &call.state), nullptr);
    variant.launch.float64(call);
    variant.release(call.state);
    for (int m = 0; m < components; ++m) {
      EXPECT_NEAR(norms_of[m] / one.next_residual[m], 1, 1e-11) << one.program << ' ' << one.name << ' ' << m;
      EXPECT_NEAR(norms_of[components + m] / one.next_error[m], 1, 1e-11)
          << one.program << ' ' << one.name << ' ' << m;
    }
  }
}

// ---- the operator ----

// Returns the continuous operator at point x, applied to the exact solution. The derivatives are sixth-order
// differences with a tiny step.
LongState continuous_operator(std::array<Long, 3> x) {
  constexpr Long h = 1e-3L;
  LongState sum = {};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto at = [&](int step) {
      std::array<Long, 3> there = x;
      there[axis] += h * static_cast<Long>(step);
      return long_exact(there);
    };
    const Long first[] = {-1 / 60.0L, 3 / 20.0L, -3 / 4.0L, 0, 3 / 4.0L, -3 / 20.0L, 1 / 60.0L};
    const Long second[] = {1 / 90.0L, -3 / 20.0L, 3 / 2.0L, -49 / 18.0L, 3 / 2.0L, -3 / 20.0L, 1 / 90.0L};
    for (int step = -3; step <= 3; ++step) {
      const LongState w = at(step), flux = long_flux(w, axis), viscous = long_viscous(w, axis);
      for (std::size_t m = 0; m < components; ++m)
        sum[m] += -first[step + 3] / h * flux[m] +
                  second[step + 3] / (h * h) * ((axis == 2 ? 1.0L : 0.75L) * w[m] + 0.1L * viscous[m]);
    }
  }
  return sum;
}

// Returns the largest difference between the discrete and the continuous operator at inner points. The
// fourth-difference dissipation, 0.25 h^4, is below the second-order error.
Long operator_error(std::int64_t n) {
  const Grid g = dense_grid(n);
  std::vector<double> u(static_cast<std::size_t>(components * g.size()));
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i) store(u.data(), g.size(), g.at(i, j, k), exact_at(n, i, j, k));
  Long largest = 0;
  const std::int64_t step = (n - 1) / 8;  // the same points in space for every n
  for (std::int64_t k = 2 * step; k <= 6 * step; k += step)
    for (std::int64_t j = 2 * step; j <= 6 * step; j += step)
      for (std::int64_t i = 2 * step; i <= 6 * step; i += step) {
        const Five s = operator_at(g, u.data(), i, j, k);
        const double discrete[] = {s.r, s.x, s.y, s.z, s.e};
        const LongState want = continuous_operator(place_of(n, {i, j, k}));
        for (std::size_t m = 0; m < components; ++m)
          largest = std::max(largest, std::abs(discrete[m] - want[m]));
      }
  return largest;
}

TEST(NpbFlowOperator, IsOfSecondOrder) {
  const Long coarse = operator_error(17), middle = operator_error(33), fine = operator_error(65);
  EXPECT_NEAR(static_cast<double>(std::log2(coarse / middle)), 2, 0.2);
  EXPECT_NEAR(static_cast<double>(std::log2(middle / fine)), 2, 0.1);
}

// The exact solution is a steady state of the discrete equations, so the residual is only rounding error.
TEST(NpbFlowOperator, LeavesTheExactSolution) {
  const std::int64_t n = 12;
  const LongField u = long_solution(n), f = long_forcing(n);
  for (const Long norm : long_norms(long_residual(u, f, 1))) EXPECT_LT(norm, 1e-14L);
  const Grid g = dense_grid(n);
  std::vector<double> state(static_cast<std::size_t>(components * g.size())), forcing(state.size());
  for (std::int64_t k = 0; k < n; ++k)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i) store(state.data(), g.size(), g.at(i, j, k), exact_at(n, i, j, k));
  for (std::int64_t k = 1; k < n - 1; ++k)
    for (std::int64_t j = 1; j < n - 1; ++j)
      for (std::int64_t i = 1; i < n - 1; ++i) {
        store(forcing.data(), g.size(), g.at(i, j, k), forcing_at(n, i, j, k));
        const Five r = residual_at(g, state.data(), forcing.data(), i, j, k);
        for (const double value : {r.r, r.x, r.y, r.z, r.e}) EXPECT_LT(std::abs(value), 1e-10);
      }
}

// ---- the verification values ----

double tampering = 1;
std::size_t tampered_norm = 0;
const Kernel* honest = nullptr;

Kernel tampered_kernel(const Kernel& kernel, std::size_t norm, double factor) {
  honest = &kernel;
  tampering = factor, tampered_norm = norm;
  Kernel tampered = kernel;
  tampered.name = "tampered " + kernel.name + std::to_string(norm) + std::to_string((factor - 1) * 1e9);
  tampered.reference = {
      .float64 = [](const Problem& problem, const void* const* arrays, double* const* results) {
        honest->reference.float64(problem, arrays, results);
        results[0][tampered_norm] *= tampering;
      }};
  return tampered;
}

TEST(NpbFlowVerification, FailsWithATamperedValue) {
  for (const RegisteredKernel* flow : flows()) {
    const Variant& variant = *find_variant(*flow, "serial.native");
    const Problem problem = class_problem(flow->kernel, "S");
    const std::vector<int> tuning = default_tuning(variant, problem);
    EXPECT_TRUE(run_checked(tampered_kernel(flow->kernel, 0, 1), variant, problem, tuning).passed);
    const auto count = static_cast<std::size_t>(flow->kernel.elements(problem, norms));
    for (std::size_t norm = 0; norm < count; ++norm)
      for (const double factor : {1 + 2e-8, 1 - 2e-8, std::nan("")}) {
        const CheckResult result =
            run_checked(tampered_kernel(flow->kernel, norm, factor), variant, problem, tuning);
        EXPECT_FALSE(result.passed) << flow->kernel.name << ' ' << norm << ' ' << factor;
      }
  }
}

TEST(NpbFlowVerification, FailsWhereNothingIsPublished) {
  for (const RegisteredKernel* flow : flows()) {
    const Variant& variant = *find_variant(*flow, "serial.native");
    for (const Problem& problem : {flow_problem(12, 7, false), flow_problem(13, 2, false)})
      EXPECT_FALSE(run_checked(flow->kernel, variant, problem, default_tuning(variant, problem)).passed);
  }
}

TEST(NpbFlowVerification, IsNoLaxerThanNpb) {
  for (const RegisteredKernel* flow : flows())
    for (const NamedProblem& one : flow->kernel.classes) {
      const Tolerance tolerance = flow->kernel.tolerance(one.problem);
      EXPECT_EQ(tolerance.absolute, 0);
      EXPECT_LE(tolerance.relative, 1e-8);
      EXPECT_FALSE(flow->kernel.tolerance_at);
    }
}

// ---- problems ----

std::string classes_of(const std::string& name) {
  std::string seen;
  const RegisteredKernel* flow = find_kernel(name);
  for (const NamedProblem& one : flow->kernel.classes) {
    EXPECT_EQ(flow->kernel.refuse(one.problem), nullptr);
    seen += one.name + (' ' + std::to_string(points(one.problem))) + ' ' +
            std::to_string(iterations(one.problem)) + '\n';
  }
  return seen;
}

// A panel of LU has four rows of two planes, or two rows if there would be fewer panels than threads. Class W
// has 31 rows, which make 8 panels. Class A has 62 rows, which make 16. Results are also right if some
// threads have no panel.
TEST(NpbLuPipelined, TilesAreSmallerWhereThreadsWouldHaveNone) {
  const RegisteredKernel* lu = find_kernel("npb_lu");
  const Variant* pipelined = lu ? find_variant(*lu, "openmp.pipelined") : nullptr;
  if (!pipelined) GTEST_SKIP() << "no OpenMP";
  const auto chosen = [&](const char* name, int threads) {
    const GivenThreads given(threads);
    return default_tuning(*pipelined, class_problem(lu->kernel, name));
  };
  const std::vector<int> large = {4, 2}, small = {2, 2};
  EXPECT_EQ(chosen("W", 8), large);
  EXPECT_EQ(chosen("W", 9), small);
  EXPECT_EQ(chosen("A", 16), large);
  EXPECT_EQ(chosen("A", 17), small);
  EXPECT_EQ(chosen("S", 1), large);

  const GivenThreads given(7);  // the ten rows of class S are five panels of two rows
  const Problem problem = class_problem(lu->kernel, "S");
  const CheckResult result =
      run_checked(lu->kernel, *pipelined, problem, default_tuning(*pipelined, problem));
  EXPECT_TRUE(result.passed) << result.reason;
}

TEST(NpbFlowProblem, ClassesAreNpbs) {
  EXPECT_EQ(classes_of("npb_sp"), "S 12 100\nW 36 400\nA 64 400\nB 102 400\nC 162 400\nD 408 500\n");
  EXPECT_EQ(classes_of("npb_bt"), "S 12 60\nW 24 200\nA 64 200\nB 102 200\nC 162 200\nD 408 250\n");
  EXPECT_EQ(classes_of("npb_lu"),
            "S 12 50\nW 33 300\nA 64 250\nB 102 250\nC 162 250\nD 408 300\nE 1020 300\n");
}

TEST(NpbFlowProblem, RefusesWhatIsNoCubeOfFivePoints) {
  for (const RegisteredKernel* flow : flows()) {
    const Kernel& kernel = whole_of(*flow).kernel;
    for (const Extents& shape :
         {Extents{4, 4, 4}, Extents{12, 12, 13}, Extents{12, 11, 12}, Extents{2049, 2049, 2049}}) {
      Problem problem = flow_problem(12, 1, true);
      problem.extents = shape;
      EXPECT_NE(kernel.refuse(problem), nullptr) << shape.x;
    }
    EXPECT_EQ(kernel.refuse(flow_problem(5, 1, true)), nullptr);
  }
}

TEST(NpbFlowProblem, CountsOperationsAsNpb) {
  const Kernel& sp = find_kernel("npb_sp")->kernel;
  // NPB's formula for SP: 100 (881.174 n^3 - 4683.91 n^2 + 11484.5 n - 19272.4), n = 12
  EXPECT_NEAR(static_cast<double>(sp.work(class_problem(sp, "S")).flops), 96'672'723, 1);
  const Kernel& bt = find_kernel("npb_bt")->kernel;
  // NPB's formula for BT: 60 (3478.8 n^3 - 17655.7 n^2 + 28023.7 n), n = 12
  EXPECT_NEAR(static_cast<double>(bt.work(class_problem(bt, "S")).flops), 228'313'800, 1);
  const Kernel& lu = find_kernel("npb_lu")->kernel;
  // NPB's formula for LU: 50 (1984.77 n^3 - 10923.3 n^2 + 27770.9 n - 144010), n = 12
  EXPECT_NEAR(static_cast<double>(lu.work(class_problem(lu, "S")).flops), 102'298'408, 1);
}

TEST(NpbFlowProblem, SaysWhatItKeeps) {
  for (const RegisteredKernel* flow : flows())
    for (const Variant& variant : flow->variants) {
      const Problem problem = class_problem(flow->kernel, "C");
      ASSERT_NE(variant.workspace, nullptr) << variant.name;
      const std::int64_t bytes = variant.workspace(problem, default_tuning(variant, problem).data());
      EXPECT_GE(bytes, 2 * 5 * 8 * problem.extents.count()) << variant.name;
    }
}

}  // namespace
}  // namespace sextant
