// Tests of a problem's data on the host: input values, reference results, and results that are not finite.
#include "engine/case/workset.hpp"

#include <gtest/gtest.h>
#ifdef __x86_64__
  #include <xmmintrin.h>
#endif

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "machine/processor_state.hpp"

namespace sextant {
namespace {

constexpr std::int64_t n = 10'000;
constexpr float infinity = std::numeric_limits<float>::infinity();
const float a_nan = std::nanf("");
const auto poison = std::bit_cast<float>(0xFFFFFFFFu);

Kernel doubling() {
  Kernel kernel;
  kernel.name = "doubling";
  kernel.arrays = {{"a", Role::in}, {"c", Role::out}};
  kernel.extents = [](std::int64_t elements) { return Extents{elements, 1, 1}; };
  kernel.reference.float32 = [](const Problem& p, const void* const* arrays, double* const* results) {
    for (std::int64_t i = 0; i < p.extents.x; ++i)
      results[1][i] = 2.0 * static_cast<double>(static_cast<const float*>(arrays[0])[i]);
  };
  kernel.tolerance = [](const Problem&) { return Tolerance{.relative = 1e-6}; };
  return kernel;
}

// The first reference values are infinity, -infinity and NaN; the fourth is 1e30.
Kernel overflowing() {
  Kernel kernel = doubling();
  kernel.reference.float32 = [](const Problem& p, const void* const*, double* const* results) {
    for (std::int64_t i = 0; i < p.extents.x; ++i) results[1][i] = 1;
    results[1][0] = static_cast<double>(infinity);
    results[1][1] = static_cast<double>(-infinity);
    results[1][2] = static_cast<double>(a_nan);
    results[1][3] = 1e30;
  };
  return kernel;
}

Problem problem() { return {n, ElementType::float32, Extents{n, 1, 1}, {}}; }

std::vector<float> values(Workset& workset, std::size_t array) {
  const auto* data = static_cast<const float*>(workset.arrays()[array].data);
  return {data, data + n};
}

TEST(Workset, EachFillingHasItsInputsAndItsReference) {
  const Kernel kernel = doubling();
  Workset workset(kernel, problem(), 7);
  const std::vector<float> timed = values(workset, 0);
  const double first = workset.reference(1).front();
  std::vector<std::vector<float>> seen = {timed};
  for (const Filling filling : {1u, 2u, 70'000u, other_filling}) {
    workset.refill(filling);
    EXPECT_EQ(workset.filling(), filling);
    for (const auto& one : seen) EXPECT_NE(values(workset, 0), one);
    seen.push_back(values(workset, 0));
    EXPECT_DOUBLE_EQ(workset.reference(1).back(), 2.0 * static_cast<double>(seen.back().back()));
  }
  workset.reset(0xFF, 2);
  EXPECT_EQ(values(workset, 0), seen[2]);
  EXPECT_DOUBLE_EQ(workset.reference(1).back(), 2.0 * static_cast<double>(seen[2].back()));
  workset.reset(0xFF);
  EXPECT_EQ(values(workset, 0), timed);
  EXPECT_DOUBLE_EQ(workset.reference(1).front(), first);
  EXPECT_FALSE(workset.has_fixed_data());
  EXPECT_NE(values(workset, 0), [] {
    const Kernel same = doubling();
    Workset other(same, problem(), 7);
    other.refill(1);
    return values(other, 0);
  }()) << "other fillings are the process's";
}

TEST(Workset, FindsThatAllFillingsAreTheSame) {
  Kernel kernel = doubling();
  kernel.initialise.float32 = [](const Problem& p, int, std::uint64_t, void* data) {
    for (std::int64_t i = 0; i < p.extents.x; ++i) static_cast<float*>(data)[i] = static_cast<float>(i);
  };
  Workset workset(kernel, problem(), 7);
  EXPECT_FALSE(workset.has_fixed_data()) << "not known yet";
  const std::vector<float> timed = values(workset, 0);
  workset.refill(1);
  EXPECT_TRUE(workset.has_fixed_data());
  EXPECT_EQ(workset.filling(), timed_filling);  // so that its reference is known
  workset.refill(2);
  EXPECT_EQ(workset.filling(), timed_filling);
  EXPECT_EQ(values(workset, 0), timed);
}

// What is the same in all fillings, such as the structure of a mesh, is not computed for each.
TEST(Workset, RestoresFixedInputsFromACopy) {
  static int computed;
  computed = 0;
  Kernel kernel = doubling();
  kernel.arrays.insert(kernel.arrays.begin() + 1, {"structure", Role::in});
  kernel.initialise.float32 = [](const Problem& p, int index, std::uint64_t seed, void* data) {
    computed += index == 1;
    for (std::int64_t i = 0; i < p.extents.x; ++i)
      static_cast<float*>(data)[i] =
          static_cast<float>(i) + (index == 1 ? 0 : static_cast<float>(seed % 9973));
  };
  kernel.reference.float32 = [](const Problem& p, const void* const* inputs, double* const* results) {
    for (std::int64_t i = 0; i < p.extents.x; ++i)
      results[2][i] = 2.0 * static_cast<double>(static_cast<const float*>(inputs[0])[i]);
  };
  Workset workset(kernel, problem(), 7);
  const std::vector<float> structure = values(workset, 1);
  for (const Filling filling : {1u, 2u, 3u, 70'000u, 70'001u}) workset.refill(filling);
  EXPECT_FALSE(workset.has_fixed_data());
  EXPECT_EQ(computed, 2);
  static_cast<float*>(workset.arrays()[1].data)[7] = -1;
  workset.refill(70'002);
  EXPECT_EQ(values(workset, 1), structure);
  EXPECT_EQ(computed, 2);
}

// Small inputs may be equal by chance, so later fillings have their own.
TEST(Workset, SmallInputsThatAreEqualOnceStayFree) {
  static int fillings;
  fillings = 0;
  Kernel kernel = doubling();
  kernel.initialise.float32 = [](const Problem&, int, std::uint64_t, void* data) {
    *static_cast<float*>(data) = ++fillings < 3 ? 1.0f : 2.0f;
  };
  Workset workset(kernel, {1, ElementType::float32, Extents{1, 1, 1}, {}}, 7);
  workset.refill(1);
  EXPECT_TRUE(workset.has_fixed_data());
  EXPECT_EQ(workset.filling(), 1u);
  workset.refill(2);
  EXPECT_EQ(workset.filling(), 2u);
  EXPECT_EQ(*static_cast<const float*>(workset.arrays()[0].data), 2.0f);
}

// Normal numbers have three times the variance of uniform ones. Only the timed inputs are normal.
TEST(Workset, ATimedFillOfLargerVarianceAllowsLargerErrors) {
  Kernel kernel = doubling();
  kernel.tolerance = [](const Problem&) { return Tolerance{.absolute = 1e-3}; };
  Workset workset(kernel, problem(), 7, 16384, InputFill::normal);
  const auto compared_off_by = [&](double error) {
    const std::vector<double> want = workset.reference(1);
    auto* got = static_cast<float*>(workset.arrays()[1].data);
    for (std::size_t i = 0; i < want.size(); ++i) got[i] = static_cast<float>(want[i] + error);
    Deviation worst;
    return workset.compare(&worst);
  };
  EXPECT_EQ(compared_off_by(2.5e-3), "");
  EXPECT_NE(compared_off_by(3.5e-3), "");
  workset.refill(1);
  EXPECT_EQ(compared_off_by(0.5e-3), "");
  EXPECT_NE(compared_off_by(2.5e-3), "");
}

TEST(Workset, AlteredOutputsAreWrongAnswers) {
  const Kernel kernel = doubling();
  Workset workset(kernel, problem(), 7);
  const std::vector<double> want = workset.reference(1);
  auto* got = static_cast<float*>(workset.arrays()[1].data);
  for (std::size_t i = 0; i < want.size(); ++i) got[i] = static_cast<float>(want[i]);
  Deviation worst;
  EXPECT_EQ(workset.compare(&worst), "");
  workset.alter_outputs();
  for (std::size_t i = 0; i < want.size(); ++i) {
    EXPECT_TRUE(std::isfinite(got[i]));
    EXPECT_GT(std::abs(static_cast<double>(got[i]) - want[i]), std::abs(want[i])) << i;
  }
}

// Returns what `compare` reports if one output element has this value and all others are right.
std::string with_element(std::size_t index, float value) {
  const Kernel kernel = overflowing();
  Workset workset(kernel, problem(), 7);
  auto* got = static_cast<float*>(workset.arrays()[1].data);
  const std::vector<float> right = {infinity, -infinity, a_nan, 1e30f};
  for (std::size_t i = 0; i < n; ++i) got[i] = i < right.size() ? right[i] : 1;
  got[index] = value;
  Deviation worst;
  return workset.compare(&worst);
}

TEST(Workset, AnInfiniteReferenceAsksForTheSameInfinity) {
  EXPECT_EQ(with_element(0, infinity), "");
  for (const float wrong : {7.0f, 3e38f, -infinity, a_nan, poison})
    EXPECT_NE(with_element(0, wrong), "") << wrong;
  EXPECT_EQ(with_element(0, 7.0f), "c[0] is 7, not inf as the reference's");
  for (const float wrong : {7.0f, infinity, a_nan}) EXPECT_NE(with_element(1, wrong), "") << wrong;
  for (const float wrong : {infinity, a_nan}) EXPECT_NE(with_element(3, wrong), "") << wrong;
}

TEST(Workset, AReferenceThatIsNoNumberAsksForOneThatIsNoPoison) {
  EXPECT_EQ(with_element(2, a_nan), "");
  EXPECT_EQ(with_element(2, -a_nan), "");
  for (const float wrong : {1.0f, infinity, poison}) EXPECT_NE(with_element(2, wrong), "") << wrong;
}

TEST(Workset, AReferenceIsNotFlushedToZero) {
  Kernel kernel = doubling();
  kernel.reference.float32 = [](const Problem& p, const void* const*, double* const* results) {
    for (std::int64_t i = 0; i < p.extents.x; ++i)
      results[1][i] = std::ldexp(1.0 + static_cast<double>(i), -1050) / 2;
  };
  Workset workset(kernel, problem(), 7);
#ifdef __x86_64__
  _mm_setcsr(_mm_getcsr() | 0x8040);  // enables flush-to-zero for results and operands
#endif
  EXPECT_GT(workset.reference(1).front(), 0);
  EXPECT_TRUE(is_arithmetic_usual());
}

// Samples of poison suffice to find a part of 256 KiB that was not written.
TEST(Workset, SamplesOfPoisonRevealAPartThatWasNotWritten) {
  constexpr std::int64_t many = 300'000;  // 1.2 MB, not a whole number of samples
  const Kernel kernel = doubling();
  Workset workset(kernel, {many, ElementType::float32, kernel.extents(many), {}}, 7);
  const std::vector<double> want = workset.reference(1);
  auto* got = static_cast<float*>(workset.arrays()[1].data);
  const auto wrong_without = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = 0; i < want.size(); ++i) got[i] = static_cast<float>(want[i]);
    workset.reset(0x7F, timed_filling, Poisoned::samples);
    for (std::size_t i = 0; i < want.size(); ++i)
      if (i < begin || i >= end) got[i] = static_cast<float>(want[i]);
    Deviation worst;
    return workset.compare(&worst);
  };
  constexpr std::size_t part = 65'536;  // elements
  EXPECT_EQ(wrong_without(0, 0), "");
  for (std::size_t begin = 1; begin + part <= want.size(); begin += 40'000)
    EXPECT_NE(wrong_without(begin, begin + part), "") << begin;
  EXPECT_NE(wrong_without(want.size() - 1, want.size()), "");
}

// Right outputs are known by their checksum, also if a copy of them was compared. This holds for one filling.
TEST(Workset, KnowsRightOutputsByTheirChecksum) {
  const Kernel kernel = doubling();
  for (const bool keeps : {false, true}) {
    Workset workset(kernel, problem(), 7);
    const HostArray& output = workset.arrays()[1];
    auto* got = static_cast<float*>(output.data);
    const auto known = [&] { return workset.right_output(1, byte_sum(output.base, output.total)); };
    const auto compared = [&] {
      Deviation worst{-1, 0};
      if (keeps) workset.keep_outputs();
      const std::string wrong = workset.compare(&worst);
      EXPECT_GE(worst.error, 0);
      return wrong;
    };
    const std::vector<double> want = workset.reference(1);
    for (std::size_t i = 0; i < want.size(); ++i) got[i] = static_cast<float>(want[i]);
    EXPECT_FALSE(known());
    workset.keep_outputs();
    got[2] = 1e6f;  // written before the comparison: it is not known whether the checksum saw it
    Deviation of_copy;
    EXPECT_EQ(workset.compare(&of_copy), "");
    got[2] = static_cast<float>(want[2]);
    EXPECT_FALSE(known());
    EXPECT_EQ(compared(), "");
    EXPECT_TRUE(known());
    got[2] = std::nextafter(got[2], 100.0f);
    EXPECT_FALSE(known());
    EXPECT_EQ(compared(), "");
    ASSERT_TRUE(known());
    EXPECT_GT(known()->error, 0);
    Deviation again;
    EXPECT_EQ(workset.compare(&again), "");
    EXPECT_EQ(again.error, known()->error);
    got[2] = 1e6f;
    EXPECT_NE(compared(), "");
    EXPECT_FALSE(known());
    for (std::size_t i = 0; i < want.size(); ++i) got[i] = static_cast<float>(want[i]);
    EXPECT_TRUE(known());
    workset.keep_outputs();
    got[2] = 1e6f;  // written after the outputs were kept
    EXPECT_EQ(workset.compare(&again), "");
    EXPECT_EQ(again.error, 0);
    EXPECT_NE(workset.compare(&again), "") << "kept for one comparison";
    for (std::size_t i = 0; i < want.size(); ++i) got[i] = static_cast<float>(want[i]);
    workset.refill(1);
    EXPECT_FALSE(known());
    EXPECT_NE(compared(), "");
  }
}

// The comparison uses a copy of the outputs, so later changes to the outputs have no effect.
TEST(Workset, ComparesOutputsAsTheyWereKept) {
  const Kernel kernel = doubling();
  Workset workset(kernel, problem(), 7);
  const std::vector<double> want = workset.reference(1);
  workset.poison_outputs(0x7F);
  workset.keep_outputs();
  auto* got = static_cast<float*>(workset.arrays()[1].data);
  for (std::size_t i = 0; i < want.size(); ++i) got[i] = static_cast<float>(want[i]);
  Deviation worst;
  EXPECT_NE(workset.compare(&worst), "");
  EXPECT_EQ(workset.compare(&worst), "") << "kept for one comparison";
}

}  // namespace
}  // namespace sextant
