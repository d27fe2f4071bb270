// Tests of the history correction, which corrects a predicted time by the errors of similar measured cases.
#include "predict/history.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tuner/random.hpp"

namespace sextant::predict {
namespace {

using tuner::Random;

Place place(Option option = Option::openmp, double log_size = 14, const std::string& kernel = "matmul",
            const std::string& machine = "here") {
  return {option, kernel, {0.5f, 1.0f}, log_size, machine, {2.0f}};
}

TEST(HistoryCorrection, EmptyChangesNothing) {
  const Correction correction = HistoryCorrection({}).at(place());
  EXPECT_EQ(correction.mean, 0);
  EXPECT_EQ(correction.variance, 1);
}

TEST(HistoryCorrection, IsExactWhereItWasMeasuredWithoutNoise) {
  std::vector<MeasuredResidual> cases;
  Random random(4);
  for (int i = 0; i < 30; ++i)
    cases.push_back({place(i % 2 ? Option::openmp : Option::cuda, 8 + 0.4 * i), 2 * random.uniform() - 1, 0});
  const HistoryCorrection history(cases);
  for (const MeasuredResidual& one : cases) {
    const Correction correction = history.at(one.place);
    EXPECT_NEAR(correction.mean, one.residual, 1e-9);
    EXPECT_NEAR(correction.variance, 0, 1e-9);
  }
}

TEST(HistoryCorrection, LooksAtTheNearestAlone) {
  std::vector<MeasuredResidual> cases = {{place(Option::openmp, 14), 0.8, 0},
                                         {place(Option::openmp, 13), -5, 0}};
  const Place asked = place(Option::openmp, 14.2);
  EXPECT_EQ(HistoryCorrection(cases, {}, 1).at(asked).mean, HistoryCorrection({cases[0]}).at(asked).mean);
  EXPECT_NE(HistoryCorrection(cases).at(asked).mean, HistoryCorrection({cases[0]}).at(asked).mean);
}

TEST(HistoryCorrection, OneCaseFadesWithTheDistanceOfSizes) {
  const HistoryCorrection history({{place(), 0.8, 0}});
  const double lasting = Relation().lasting[0];
  double last = 0.8;
  for (const double away : {0.5, 1.0, 2.5, 5.0, 10.0}) {
    const Correction above = history.at(place(Option::openmp, 14 + away)),
                     below = history.at(place(Option::openmp, 14 - away));
    const double u = std::sqrt(3.0) * away / 2.5, expected = lasting + (1 - lasting) * (1 + u) * std::exp(-u);
    EXPECT_NEAR(above.mean, 0.8 * expected, 1e-12);
    EXPECT_EQ(above.mean, below.mean);
    EXPECT_NEAR(above.variance, 1 - expected * expected, 1e-12);
    EXPECT_LT(above.mean, last);
    last = above.mean;
  }
  EXPECT_NEAR(last, 0.8 * lasting, 0.01);  // the part of the error that occurs at every size
}

// A kernel's error from dependent steps occurs at every size. Its serial code may be slow at one size only.
TEST(HistoryCorrection, WhatLastsIsTheOptionsOwn) {
  Relation relation;
  relation.lasting = {0, 0.36, 0.5, 0.5, 1, 0.5};
  const auto far = [&](Option remembered, Option asked) {
    return HistoryCorrection({{place(remembered, 14), 1, 0}}, relation).at(place(asked, 100)).mean;
  };
  EXPECT_NEAR(far(Option::serial, Option::serial), 0, 1e-12);
  EXPECT_NEAR(far(Option::openmp, Option::openmp), 0.36, 1e-12);
  EXPECT_NEAR(far(Option::cuda, Option::cuda), 1, 1e-12);
  EXPECT_NEAR(far(Option::cuda, Option::openmp), relation.other_device * 0.6, 1e-12);
  EXPECT_NEAR(HistoryCorrection({{place(Option::cuda), 1, 0}}, relation).at(place(Option::openmp)).mean,
              relation.other_device * 0.6, 1e-12);
}

TEST(HistoryCorrection, OtherOptionsKernelsAndMachinesCountForLess) {
  const HistoryCorrection history({{place(), 1, 0}});
  EXPECT_NEAR(history.at(place(Option::serial)).mean, 0.5, 1e-12);
  EXPECT_NEAR(history.at(place(Option::cuda)).mean, 0.5, 1e-12);
  EXPECT_NEAR(history.at(place(Option::openmp, 14, "product")).mean, 0.5, 1e-12);
  EXPECT_NEAR(history.at(place(Option::openmp, 14, "matmul", "there")).mean, 0.8, 1e-12);
  Place other = place(Option::openmp, 14, "product");
  other.form[0] += 2;
  EXPECT_NEAR(history.at(other).mean, 0.5 * std::exp(-1.0), 1e-12);
  other.form[0] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_NEAR(history.at(other).mean, 0.5 * std::exp(-0.5), 1e-12);
  Place elsewhere = place(Option::openmp, 14, "matmul", "there");
  elsewhere.profile[0] -= 4;
  EXPECT_NEAR(history.at(elsewhere).mean, 0.8 * std::exp(-2.0), 1e-12);
  EXPECT_NEAR(history.at(place(Option::serial, 14, "product", "there")).mean, 0.5 * 0.5 * 0.8, 1e-12);
}

TEST(HistoryCorrection, NoiseIsNotTakenForTruth) {
  const Relation relation;
  const Correction noisy = HistoryCorrection({{place(), 1, relation.deviation}}).at(place());
  EXPECT_NEAR(noisy.mean, 0.5, 1e-12);  // the noise equals the prior deviation
  EXPECT_NEAR(noisy.variance, 0.5, 1e-12);
  EXPECT_NEAR(HistoryCorrection({{place(), 1, relation.deviation / 2}}).at(place()).mean, 0.8, 1e-12);
  const std::vector<MeasuredResidual> often(4, {place(), 1, relation.deviation});
  EXPECT_NEAR(HistoryCorrection(often).at(place()).mean, 0.8, 1e-12);
  EXPECT_NEAR(HistoryCorrection(often).at(place()).variance, 0.2, 1e-12);
}

// Large problems are dominated by work, small ones by launches. An error in one says nothing about the other.
TEST(HistoryCorrection, OfWorkSaysNothingOfLaunches) {
  EXPECT_NEAR(work_correlation(1, 1), 1, 1e-12);
  EXPECT_NEAR(work_correlation(0.2, 0.2), 1, 1e-12);
  EXPECT_EQ(work_correlation(1, 0), 0);
  EXPECT_NEAR(work_correlation(1, 0.5), std::sqrt(0.5), 1e-12);
  Place large = place(Option::openmp, 15), small = place(Option::openmp, 14);
  const double as_large = HistoryCorrection({{large, 0.8, 0}}).at(small).mean;
  EXPECT_GT(as_large, 0.5);
  small.work = 0;
  EXPECT_EQ(HistoryCorrection({{large, 0.8, 0}}).at(small).mean, 0);
  EXPECT_EQ(HistoryCorrection({{large, 0.8, 0}}).at(small).variance, 1);
  small.work = 0.5;
  EXPECT_NEAR(HistoryCorrection({{large, 0.8, 0}}).at(small).mean, as_large * std::sqrt(0.5), 1e-12);
}

Place on_cores(Option option, double cores, double log_size = 14) {
  Place one = place(option, log_size);
  one.apart = on_gpu(option) ? 1 : cores_apart(cores);
  return one;
}

// On one core, OpenMP takes as long as serial code. On two cores they differ by at most a factor of two, on
// many cores by any factor.
TEST(HistoryCorrection, OptionsOfFewCoresGoTogether) {
  EXPECT_EQ(cores_apart(1), 0);
  EXPECT_NEAR(cores_apart(2), std::log(2) * std::log(2) / 12 / (2 * 0.7 * 0.7), 1e-12);
  EXPECT_EQ(cores_apart(64), 1);
  const auto told = [&](Option asked, double cores) {
    return HistoryCorrection({{on_cores(Option::serial, cores), 0.8, 0}}).at(on_cores(asked, cores)).mean;
  };
  EXPECT_NEAR(told(Option::openmp, 1), 0.8, 1e-12);
  EXPECT_NEAR(told(Option::cpu_library, 2), 0.8 * (1 - 0.5 * cores_apart(2)), 1e-12);
  EXPECT_NEAR(told(Option::openmp, 64), 0.8 * 0.5, 1e-12);
  EXPECT_NEAR(told(Option::serial, 4), 0.8, 1e-12);
  EXPECT_NEAR(told(Option::cuda, 1), 0.8 * 0.5, 1e-12);
  EXPECT_NEAR(HistoryCorrection({{on_cores(Option::openacc, 1), 0.8, 0}}).at(on_cores(Option::cuda, 1)).mean,
              0.8 * 0.5, 1e-12);
}

// All options on machines with few and many cores. Each new case must reduce the remaining variance.
TEST(HistoryCorrection, OptionsOfUnlikeMachinesHaveOneCovariance) {
  Relation relation;
  relation.same_device = 0.4, relation.other_device = 0.3;
  std::vector<MeasuredResidual> cases;
  for (const double cores : {1.5, 2.0, 4.0, 16.0, 64.0})
    for (const Option option : all_options)
      cases.push_back({on_cores(option, cores, on_gpu(option) ? 14 + cores / 8 : 14), 0.5, 0});
  double open = 1;
  for (std::size_t known = 1; known <= cases.size(); ++known) {
    const HistoryCorrection history({cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(known)},
                                    relation);
    EXPECT_NEAR(history.at(cases[known - 1].place).mean, 0.5, 1e-6) << known;
    const double left = history.at(on_cores(Option::openmp, 8, 13)).variance;
    EXPECT_LE(left, open + 1e-9);
    open = left;
  }
  EXPECT_GT(open, 0.01);
}

TEST(HistoryCorrection, TwoCasesAgreeWithTheClosedForm) {
  const Place a = place(Option::openmp, 13), b = place(Option::serial, 15),
              asked = place(Option::openmp, 14.5);
  const Relation relation;
  const double ab = correlation(a, b, relation), aq = correlation(a, asked, relation),
               bq = correlation(b, asked, relation), determinant = 1 - ab * ab;
  const double wa = (aq - ab * bq) / determinant, wb = (bq - ab * aq) / determinant;
  const Correction correction = HistoryCorrection({{a, 0.7, 0}, {b, -0.4, 0}}).at(asked);
  EXPECT_NEAR(correction.mean, 0.7 * wa - 0.4 * wb, 1e-12);
  EXPECT_NEAR(correction.variance, 1 - wa * aq - wb * bq, 1e-12);
}

TEST(HistoryCorrection, TheSameCaseTwiceIsNoTrouble) {
  const HistoryCorrection history(
      {{place(), 0.5, 0}, {place(), 0.5, 0}, {place(Option::openmp, 15), 0.1, 0}});
  EXPECT_NEAR(history.at(place()).mean, 0.5, 1e-9);
  EXPECT_NEAR(history.at(place(Option::openmp, 15)).mean, 0.1, 1e-9);
}

TEST(HistoryCorrection, TheNearestSixtyFourAreLookedAt) {
  std::vector<MeasuredResidual> cases;
  for (int i = 0; i < 1000; ++i) cases.push_back({place(Option::openmp, 2 + 0.01 * i), 0.3, 0.1});
  cases.push_back({place(), -0.6, 0});
  const HistoryCorrection history(cases);
  EXPECT_EQ(history.size(), 1001u);
  EXPECT_NEAR(history.at(place()).mean, -0.6, 1e-6);
  EXPECT_NEAR(history.at(place(Option::openmp, 7)).mean, 0.3, 0.02);
}

TEST(HistoryCorrection, WhatIsNoCaseIsRefused) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(HistoryCorrection({{place(), infinity, 0}}), std::invalid_argument);
  EXPECT_THROW(HistoryCorrection({{place(), 0, -1}}), std::invalid_argument);
  EXPECT_THROW(HistoryCorrection({{place(), 0, std::nan("")}}), std::invalid_argument);
  Place other = place();
  other.form.push_back(1);
  EXPECT_THROW(HistoryCorrection({{place(), 0, 0}}).at(other), std::invalid_argument);
}

}  // namespace
}  // namespace sextant::predict
