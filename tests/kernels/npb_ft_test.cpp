// Tests NPB FT beyond the published checksums: transforms at every length, all of w, memory, and that the
// verification detects tampered values.
#include <gtest/gtest.h>

#include <cmath>

#include "../../npb/npb_ft/panels.hpp"
#include "../../npb/npb_ft/reference.hpp"
#include "../../npb/npb_ft/verification.hpp"
#include "npb_ft_checks.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant {
namespace {

using npb_ft::Complex;
using npb_ft::LongComplex;
using npb_ft::LongField;

std::vector<const Variant*> host_variants() {
  std::vector<const Variant*> list;
  for (const Variant& variant : verified().variants)
    if (variant.memory_space != MemorySpace::cuda && !is_partitioned(variant.memory_space) &&
        !(variant.unavailable && variant.unavailable()))
      list.push_back(&variant);
  return list;
}

class HostVariant : public testing::TestWithParam<const Variant*> {};

std::string title(const testing::TestParamInfo<const Variant*>& info) { return title_of(*info.param); }

INSTANTIATE_TEST_SUITE_P(NpbFt, HostVariant, testing::ValuesIn(host_variants()), title);

TEST_P(HostVariant, GivesThePublishedChecksums) {
  for (const char* name : {"S", "W"}) {
    if (*name == 'W' && (address_sanitizer || is_offloaded(GetParam()->model))) continue;  // takes seconds
    const Problem problem = class_problem(verified().kernel, name);
    const CheckResult result =
        run_checked(verified().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem));
    EXPECT_TRUE(result.passed) << name << ": " << result.reason;
  }
}

TEST_P(HostVariant, WritesAllOfTheInverseTransform) {
  const Problem problem = class_problem(whole().kernel, "S");
  const CheckResult result =
      run_checked(whole().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem));
  EXPECT_TRUE(result.passed) << result.reason;
}

TEST_P(HostVariant, HandlesEveryLengthInEveryDimension) {
  for (const Extents& shape : test_shapes()) {
    const Problem problem = problem_of(shape, 2, true);
    const CheckResult result =
        run_checked(whole().kernel, *GetParam(), problem, default_tuning(*GetParam(), problem));
    EXPECT_TRUE(result.passed) << shape.x << "x" << shape.y << "x" << shape.z << ": " << result.reason;
  }
}

TEST_P(HostVariant, GivesTheSameWithEveryTuning) {
  const Variant& variant = *GetParam();
  int checked = 0;
  for (std::size_t i = 0; i < variant.tunables.size(); ++i)
    for (const int value : variant.tunables[i].choices) {
      const Problem problem = problem_of({64, 32, 16}, 3, true);
      std::vector<int> tuning = default_tuning(variant, problem);
      tuning[i] = value;
      if (variant.constraint && variant.constraint(problem, tuning.data())) continue;
      const CheckResult result = run_checked(whole().kernel, variant, problem, tuning);
      EXPECT_TRUE(result.passed) << variant.tunables[i].name << "=" << value << ": " << result.reason;
      ++checked;
    }
  EXPECT_TRUE(variant.tunables.empty() || checked > 0) << "no tuning was taken";
}

TEST(NpbFt, DiffersFromFftwByRoundingOnly) {
  const Variant* fftw = find_variant(whole(), "library.fftw");
  if (!fftw) GTEST_SKIP() << "FFTW is not in this build";
  for (const char* name : {"S", "W"}) {
    if (*name == 'W' && address_sanitizer) continue;
    const Problem problem = class_problem(whole().kernel, name);
    const double allowed = whole().kernel.tolerance(problem).absolute;
    const auto w_of = [&](const Variant& variant) {
      EXPECT_TRUE(run_checked(whole().kernel, variant, problem, default_tuning(variant, problem)).passed);
      const HostArray& w = workset_of(whole().kernel, problem).arrays()[npb_ft::field];
      const auto* values = static_cast<const double*>(w.data);
      return std::vector<double>(values, values + 2 * problem.extents.count());
    };
    const std::vector<double> theirs = w_of(*fftw), ours = w_of(*find_variant(whole(), "serial.native"));
    double largest = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) largest = std::max(largest, std::abs(ours[i] - theirs[i]));
    EXPECT_LE(largest, allowed) << name;
  }
}

// ---- the transforms ----

// Computes the Fourier transform by its definition, as a direct sum.
LongField by_sums(const LongField& in, int sign) {
  const std::size_t n = in.size();
  LongField out(n);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j) {
      const long double angle = sign * 2 * 3.14159265358979323846264338327950288L *
                                static_cast<long double>(j * k % n) / static_cast<long double>(n);
      out[k].re += in[j].re * std::cos(angle) - in[j].im * std::sin(angle);
      out[k].im += in[j].re * std::sin(angle) + in[j].im * std::cos(angle);
    }
  return out;
}

LongField random_field(std::int64_t count) {
  LongField field;
  std::uint64_t state = npb::ep_seed;
  for (std::int64_t i = 0; i < count; ++i) {
    const long double re = npb::random_value(state = npb::random_next(state));
    const long double im = npb::random_value(state = npb::random_next(state));
    field.push_back({re - 0.5L, im - 0.5L});
  }
  return field;
}

long double energy(const LongField& field) {
  long double sum = 0;
  for (const LongComplex& value : field) sum += value.re * value.re + value.im * value.im;
  return sum;
}

TEST(NpbFtReference, IsTheSumThatDefinesTheTransform) {
  for (const int sign : {1, -1})
    for (const std::int64_t n : {2, 4, 8, 32, 128}) {
      const LongField in = random_field(n), want = by_sums(in, sign);
      for (const Extents& shape : {Extents{n, 1, 1}, Extents{1, n, 1}, Extents{1, 1, n}}) {
        LongField got = in;
        npb_ft::transform_field(shape, sign, got);
        for (std::size_t i = 0; i < want.size(); ++i) {
          EXPECT_NEAR(static_cast<double>(got[i].re - want[i].re), 0, 1e-15 * static_cast<double>(n));
          EXPECT_NEAR(static_cast<double>(got[i].im - want[i].im), 0, 1e-15 * static_cast<double>(n));
        }
      }
    }
}

// The tuned one-dimensional transforms of the host variants, in both directions.
struct PanelTransforms {
  Problem problem;
  npb_ft::Panels panels = {.columns = 16, .streaming_stores = 0};
  std::vector<Complex> data;
  std::vector<double> sums = std::vector<double>(2);
  ArrayAt arrays[2] = {sums.data(), nullptr};
  Call call;

  explicit PanelTransforms(const Extents& extents) : problem(problem_of(extents, 1, false)) {
    call.problem = problem;
    call.tuning = reinterpret_cast<const int*>(&panels);
    call.arrays = arrays;
    EXPECT_EQ(npb_ft::prepare_panels(call, &call.state), nullptr);
    auto& state = *static_cast<npb_ft::PanelState*>(call.state);
    for (int axis = 0; axis < 3; ++axis) npb_ft::set_factors(state.plans[axis], state.plan_memory[axis]);
  }
  ~PanelTransforms() { npb_ft::release_panels(call.state); }

  void transform(int axis) {
    if (axis == 0)
      npb_ft::transform_x<false>(call, data.data());
    else
      npb_ft::transform_yz<false>(call, axis, data.data(), data.data());
  }
  void exchange() {
    for (Complex& value : data) std::swap(value.re, value.im);
  }
};

double energy(const std::vector<Complex>& data) {
  double sum = 0;
  for (const Complex& value : data) sum += value.re * value.re + value.im * value.im;
  return sum;
}

TEST(NpbFtTransforms, KeepTheEnergyAndInvertAtEveryLength) {
  for (std::int64_t n = 2; n <= npb_ft::longest; n *= 2)
    for (int axis = 0; axis < 3; ++axis) {
      PanelTransforms one(axis == 0 ? Extents{n, 4, 2} : axis == 1 ? Extents{32, n, 2} : Extents{32, 2, n});
      for (const LongComplex& value : random_field(one.problem.extents.count()))
        one.data.push_back({static_cast<double>(value.re), static_cast<double>(value.im)});
      const std::vector<Complex> before = one.data;
      const double scale = static_cast<double>(n), bound = 1e-15 * (1 + std::log2(scale));
      one.transform(axis);
      // By Parseval's theorem, the sum of squares grows by n.
      EXPECT_NEAR(energy(one.data) / (scale * energy(before)), 1, 4 * bound) << "axis " << axis << " n " << n;
      one.exchange();
      one.transform(axis);
      one.exchange();
      for (std::size_t i = 0; i < before.size(); ++i) {
        ASSERT_NEAR(one.data[i].re / scale, before[i].re, 4 * bound) << "axis " << axis << " n " << n;
        ASSERT_NEAR(one.data[i].im / scale, before[i].im, 4 * bound) << "axis " << axis << " n " << n;
      }
    }
}

TEST(NpbFtTransforms, TheReferenceKeepsTheEnergyAndInverts) {
  const Extents shape = {16, 64, 8};
  const LongField before = random_field(shape.count());
  LongField data = before;
  npb_ft::transform_field(shape, 1, data);
  const auto count = static_cast<long double>(shape.count());
  EXPECT_NEAR(static_cast<double>(energy(data) / (count * energy(before))), 1, 1e-16);
  npb_ft::transform_field(shape, -1, data);
  for (std::size_t i = 0; i < before.size(); ++i)
    ASSERT_NEAR(static_cast<double>(data[i].re / count - before[i].re), 0, 1e-17);
}

// ---- the verification values ----

double tampering = 1;  // factor on the real part of the first checksum

Kernel tampered_kernel(double factor) {
  static const Kernel& honest = verified().kernel;
  tampering = factor;
  Kernel kernel = honest;
  kernel.name = "tampered " + std::to_string((factor - 1) * 1e13);
  kernel.reference = {
      .float64 = [](const Problem& problem, const void* const* arrays, double* const* results) {
        honest.reference.float64(problem, arrays, results);
        results[0][0] *= tampering;
      }};
  return kernel;
}

TEST(NpbFtVerification, FailsWithTamperedValues) {
  const Variant& variant = *find_variant(verified(), "serial.native");
  const Problem problem = class_problem(verified().kernel, "S");
  const std::vector<int> tuning = default_tuning(variant, problem);
  EXPECT_TRUE(run_checked(tampered_kernel(1), variant, problem, tuning).passed);
  for (const double factor : {1 + 2e-12, 1 - 2e-12, 1.5, std::nan("")}) {
    const CheckResult result = run_checked(tampered_kernel(factor), variant, problem, tuning);
    EXPECT_FALSE(result.passed) << factor;
    EXPECT_NE(result.reason.find("checksums[0]"), std::string::npos) << result.reason;
  }
}

TEST(NpbFtVerification, FailsWhereNothingIsPublished) {
  const Variant& variant = *find_variant(verified(), "serial.native");
  const Problem problem = problem_of({64, 64, 64}, 5, false);
  EXPECT_FALSE(run_checked(verified().kernel, variant, problem, default_tuning(variant, problem)).passed);
}

// NPB bounds the modulus of the complex error. Every error that the check accepts is within that bound.
TEST(NpbFtVerification, IsNoLaxerThanNpb) {
  for (const npb_ft::Class& one : npb_ft::classes) {
    const Problem problem = problem_of(one.extents, one.iterations, false);
    const Tolerance tolerance = verified().kernel.tolerance(problem);
    for (std::int64_t t = 0; t < one.iterations; ++t) {
      const Complex& value = one.checksums[t];
      const double worst = std::hypot(tolerance.absolute + tolerance.relative * std::abs(value.re),
                                      tolerance.absolute + tolerance.relative * std::abs(value.im));
      EXPECT_LE(worst, 1e-12 * std::hypot(value.re, value.im) * (1 + 1e-15)) << one.name;
    }
  }
}

TEST(NpbFtVerification, ReferenceGivesWhatIsPublished) {
  const npb_ft::Class& s = npb_ft::classes[0];
  std::vector<double> sums(12);
  npb_ft::reference_run(problem_of(s.extents, s.iterations, false), sums.data(), nullptr);
  for (int t = 0; t < 6; ++t) {
    EXPECT_NEAR(sums[2 * t], s.checksums[t].re, 1e-12 * s.checksums[t].re);
    EXPECT_NEAR(sums[2 * t + 1], s.checksums[t].im, 1e-12 * s.checksums[t].im);
  }
}

// The convolution and the transforms are independent ways to compute the same result.
TEST(NpbFtReference, ConvolutionGivesWhatTransformsGive) {
  for (const Extents& shape : {Extents{8, 4, 2}, Extents{2, 16, 32}, Extents{32, 16, 8}, Extents{64, 64, 64}})
    for (const std::int64_t steps : {1, 2, 6}) {
      if (address_sanitizer && shape.x == 64 && steps != 2) continue;
      const Problem problem = problem_of(shape, steps, true);
      std::vector<double> sums[2], fields[2];
      for (int way = 0; way < 2; ++way) {
        sums[way].resize(static_cast<std::size_t>(2 * steps));
        fields[way].resize(static_cast<std::size_t>(2 * shape.count()));
        (way == 0 ? npb_ft::reference_run : npb_ft::convolved_run)(problem, sums[way].data(),
                                                                   fields[way].data());
      }
      const double allowed = 40 * 0x1p-53 * static_cast<double>(shape.count());
      ASSERT_LT(allowed, whole().kernel.tolerance(problem).absolute) << "the bound of what it judges";
      for (std::size_t i = 0; i < fields[0].size(); ++i)
        ASSERT_NEAR(fields[0][i], fields[1][i], allowed) << shape.x << " " << steps << " element " << i;
      for (std::size_t i = 0; i < sums[0].size(); ++i)
        ASSERT_NEAR(sums[0][i], sums[1][i], 1e-12 * std::abs(sums[0][i])) << shape.x << " " << steps;
    }
}

// ---- problems and memory ----

TEST(NpbFtProblem, ClassesAreNpbs) {
  std::string seen;
  for (const NamedProblem& one : verified().kernel.classes) {
    const Extents& e = one.problem.extents;
    seen += one.name + (' ' + std::to_string(e.x)) + 'x' + std::to_string(e.y) + 'x' + std::to_string(e.z) +
            ' ' + std::to_string(npb_ft::iterations(one.problem)) + '\n';
    EXPECT_EQ(verified().kernel.refuse(one.problem), nullptr);
  }
  EXPECT_EQ(seen,
            "S 64x64x64 6\nW 128x128x32 6\nA 256x256x128 6\nB 512x256x256 20\nC 512x512x512 20\n"
            "D 2048x1024x1024 25\nE 4096x2048x2048 25\n");
}

TEST(NpbFtProblem, RefusesLengthsThatAreNoPowersOfTwo) {
  for (const Extents& shape : {Extents{3, 4, 4}, Extents{4, 12, 4}, Extents{4, 4, 8192}, Extents{1, 4, 4}})
    EXPECT_NE(whole().kernel.refuse(problem_of(shape, 2, true)), nullptr) << shape.x << " " << shape.y;
  EXPECT_EQ(whole().kernel.refuse(problem_of({8, 4, 2}, 2, true)), nullptr);
}

TEST(NpbFtProblem, CountsOperationsAsNpb) {
  const Problem problem = class_problem(verified().kernel, "S");
  // 262144 * (14.8157 + 7.19641 ln N + (5.23518 + 7.21113 ln N) * 6), computed by hand
  EXPECT_NEAR(static_cast<double>(verified().kernel.work(problem).flops), 177'166'956, 2);
}

TEST(NpbFtProblem, TwoFieldsAreEnough) {
  const Problem problem = class_problem(verified().kernel, "D");
  for (const Variant& variant : verified().variants) {
    ASSERT_NE(variant.workspace, nullptr) << variant.name;
    const std::int64_t bytes = variant.workspace(problem, default_tuning(variant, problem).data());
    EXPECT_GE(bytes, 2 * npb_ft::field_bytes(problem)) << variant.name;
    // MPI ranks need a third field, which receives while the second one is sent.
    if (variant.name != "cuda.study" && variant.model != Model::library &&
        !is_partitioned(variant.memory_space)) {
      EXPECT_LE(bytes, 69'000'000'000) << variant.name;
    }
  }
}

}  // namespace
}  // namespace sextant
