// Tests of choosing from uncertain times: the closed form for two options, and no uncertainty.
#include "predict/decision.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace sextant::predict {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double below(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

// Returns E[max(0, X - Y)] for X - Y normal with this mean and deviation. This is the regret of choosing X.
double exact_regret(double mean, double deviation) {
  return mean * below(mean / deviation) +
         deviation * std::exp(-0.5 * mean * mean / deviation / deviation) / std::sqrt(2 * std::numbers::pi);
}

TEST(Decision, AgreesWithTheClosedFormForTwoOptions) {
  for (const Option other :
       {Option::openmp, Option::cuda})  // OpenMP is correlated with serial code, CUDA is not
    for (const double own : {0.1, 0.5, 1.5})
      for (const double difference : {0.0, 0.2, 0.7, 2.0})
        for (const double deviation : {0.3, 0.5}) {
          const double correlation = other == Option::openmp ? 0.5 : 0;
          const double s = std::sqrt(own * own + deviation * deviation - 2 * correlation * own * deviation);
          const Decision decision = decide(
              std::vector<Outlook>{{Option::serial, -7, own}, {other, -7 + difference, deviation}}, 0.05);
          const Standing &first = decision.standings[0], &second = decision.standings[1];
          EXPECT_EQ(decision.choice, 0u);
          EXPECT_NEAR(first.best, below(difference / s), 0.07);
          EXPECT_NEAR(first.best + second.best, 1, 1e-12);
          EXPECT_NEAR(first.regret, exact_regret(-difference, s), 0.04 * s);
          EXPECT_NEAR(second.regret, exact_regret(difference, s), 0.04 * s);
          EXPECT_NEAR(second.regret - first.regret, difference, 1e-9);  // sampling does not shift the means
          EXPECT_EQ(decision.loss, std::expm1(first.regret));
        }
}

TEST(Decision, CorrelatedOptionsDifferLess) {
  const auto regret = [](Option other) {
    return decide(std::vector<Outlook>{{Option::openacc, 0, 1}, {other, 0, 1}}, 0.05).standings[0].regret;
  };
  EXPECT_GT(regret(Option::serial), 1.3 * regret(Option::cuda));  // the closed form gives sqrt(2)
}

TEST(Decision, IsCertainWithoutDeviations) {
  const std::vector<Outlook> outlooks = {
      {Option::serial, 2, 0}, {Option::openmp, 1, 0}, {Option::cuda, 3, 0}};
  const Decision decision = decide(outlooks, 0);
  EXPECT_EQ(decision.choice, 1u);
  EXPECT_FALSE(decision.abstains);
  EXPECT_NEAR(decision.loss, 0, 1e-12);
  EXPECT_NEAR(decision.standings[1].best, 1, 1e-12);
  EXPECT_EQ(decision.standings[0].best, 0);
  EXPECT_NEAR(decision.standings[2].regret, 2, 1e-12);
  EXPECT_TRUE(to_measure(outlooks, 0.05).empty());
}

TEST(Decision, TiesShareAndTheFirstIsTaken) {
  const Decision decision = decide(
      std::vector<Outlook>{{Option::cuda, 1, 0}, {Option::serial, 5, 0}, {Option::openmp, 1, 0}}, 0.05);
  EXPECT_EQ(decision.choice, 0u);
  EXPECT_NEAR(decision.standings[0].best, 0.5, 1e-12);
  EXPECT_NEAR(decision.standings[2].best, 0.5, 1e-12);
  EXPECT_FALSE(decision.abstains);
}

TEST(Decision, OneOptionIsTheBest) {
  const Decision decision = decide(std::vector<Outlook>{{Option::serial, 1, 4}}, 0.05);
  EXPECT_EQ(decision.choice, 0u);
  EXPECT_NEAR(decision.standings[0].best, 1, 1e-12);
  EXPECT_EQ(decision.loss, 0);
}

TEST(Decision, WhatIsImpossibleIsNeitherChosenNorMeasured) {
  const std::vector<Outlook> outlooks = {
      {Option::cuda, infinity, 0.5}, {Option::serial, 0, 1}, {Option::openmp, 0.1, 1}};
  const Decision decision = decide(outlooks, 0.05);
  EXPECT_EQ(decision.choice, 1u);
  EXPECT_EQ(decision.standings[0].best, 0);
  EXPECT_EQ(decision.standings[0].regret, infinity);
  const Decision alone = decide(std::vector<Outlook>{outlooks[1], outlooks[2]}, 0.05);
  EXPECT_EQ(alone.standings[0].regret, decision.standings[1].regret);
  const std::vector<ToMeasure> plan = to_measure(outlooks, 0.05);
  EXPECT_FALSE(plan.empty());
  for (const ToMeasure& one : plan) EXPECT_NE(one.option, 0u);
}

TEST(Decision, WithNothingPossibleThereIsNoChoice) {
  const std::vector<Outlook> outlooks = {{Option::cuda, infinity, 0}};
  EXPECT_EQ(decide(outlooks, 0.05).choice, std::nullopt);
  EXPECT_TRUE(decide(outlooks, 0.05).abstains);
  EXPECT_TRUE(to_measure(outlooks, 0.05).empty());
  EXPECT_EQ(decide({}, 0.05).choice, std::nullopt);
}

TEST(Decision, AbstainsAboveTheRiskAlone) {
  // The difference of the times has mean 0 and deviation 0.2, so the regret is 0.2 / sqrt(2 pi) = 0.080.
  const double deviation = 0.2 / std::numbers::sqrt2;
  const std::vector<Outlook> outlooks = {{Option::serial, 0, deviation}, {Option::cuda, 0, deviation}};
  EXPECT_TRUE(decide(outlooks, 0.05).abstains);
  EXPECT_FALSE(decide(outlooks, 0.12).abstains);
  EXPECT_TRUE(to_measure(outlooks, 0.12).empty());
}

TEST(Decision, MeasuresWhatIsNotKnown) {
  // After the uncertain option is measured, no regret remains.
  const std::vector<ToMeasure> plan =
      to_measure(std::vector<Outlook>{{Option::serial, 0.1, 1.5}, {Option::cuda, 0, 0}}, 0.05);
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].option, 0u);
  EXPECT_NEAR(plan[0].loss, 0, 1e-9);
}

TEST(Decision, WhatIsLeftToRegretAfterAMeasurementAgreesWithTheClosedForm) {
  // X (deviation 1) is measured, Y (deviation 0.4) is not. The remaining regret is E[min(X, 0)] - E[min(X,
  // Y)], from deviations 1 and sqrt(1.16).
  const std::vector<ToMeasure> plan =
      to_measure(std::vector<Outlook>{{Option::serial, 0, 1}, {Option::cuda, 0, 0.4}}, 0.05, 1);
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_EQ(plan[0].option, 0u);
  const double regret = (std::sqrt(1.16) - 1) / std::sqrt(2 * std::numbers::pi);
  EXPECT_NEAR(plan[0].loss, std::expm1(regret), 0.02);
  // Both have deviation 1 and correlation 0.5. The remaining regret is E[min(X, X / 2)] - E[min(X, Y)]. The
  // deviation of Y falls to sqrt(0.75).
  const std::vector<ToMeasure> related =
      to_measure(std::vector<Outlook>{{Option::serial, 0, 1}, {Option::openmp, 0, 1}}, 0.05, 1);
  ASSERT_EQ(related.size(), 1u);
  EXPECT_NEAR(related[0].loss, std::expm1(0.5 / std::sqrt(2 * std::numbers::pi)), 0.02);
}

TEST(Decision, MeasuresFirstWhatTellsMostForASecond) {
  std::vector<Outlook> outlooks = {{Option::serial, 0, 1, 1}, {Option::cuda, 0, 0.4, 1}};
  EXPECT_EQ(to_measure(outlooks, 0.05).front().option, 0u);
  outlooks[0].cost = 60;
  EXPECT_EQ(to_measure(outlooks, 0.05).front().option, 1u);
  outlooks[1].cost = 30;
  EXPECT_EQ(to_measure(outlooks, 0.05).front().option, 0u);
}

TEST(Decision, GoesOnMeasuringUntilTheLossIsBelowTheRisk) {
  const std::vector<Outlook> outlooks = {
      {Option::serial, 0, 1}, {Option::openmp, 0, 1}, {Option::cuda, 0, 1}, {Option::openacc, 0, 1}};
  const std::vector<ToMeasure> plan = to_measure(outlooks, 0.05);
  ASSERT_GE(plan.size(), 2u);
  double before = decide(outlooks, 0.05).loss;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    EXPECT_LT(plan[i].loss, before);
    EXPECT_EQ(plan[i].loss <= 0.05, i + 1 == plan.size());
    before = plan[i].loss;
    for (std::size_t j = 0; j < i; ++j) EXPECT_NE(plan[i].option, plan[j].option);
  }
  EXPECT_EQ(to_measure(outlooks, 0.05, 1).size(), 1u);
  EXPECT_GE(to_measure(outlooks, 1e-6).size(), plan.size());
  EXPECT_TRUE(to_measure(outlooks, 10).empty());
}

// Measuring a CPU option also tells about the other CPU options. So it reduces the loss more than measuring
// an uncorrelated option with the same uncertainty.
TEST(Decision, WhatOneMeasurementSaysOfOthersCounts) {
  const std::vector<Outlook> outlooks = {
      {Option::cuda, 0, 0.8}, {Option::serial, 0.6, 0.8}, {Option::openmp, 0.6, 0.8}};
  const double both = to_measure(outlooks, 1e-6, 3).back().loss;
  EXPECT_NEAR(both, 0, 1e-9);
  const std::vector<Outlook> fixed = {
      {Option::cuda, 0, 0}, {Option::serial, 0, 0.8}, {Option::openmp, 0, 0.8}};
  const std::vector<Outlook> apart = {
      {Option::cuda, 0, 0}, {Option::serial, 0, 0.8}, {Option::gpu_library, 0, 0.8}};
  const auto left = [](const std::vector<Outlook>& all) {
    return to_measure(all, 1e-6, 1).front().loss / decide(all, 0).loss;
  };
  EXPECT_LT(left(fixed), left(apart));
}

TEST(Decision, WhatIsNoDistributionIsRefused) {
  for (const Outlook& one : {Outlook{Option::cuda, std::nan(""), 1}, Outlook{Option::cuda, -infinity, 1},
                             Outlook{Option::cuda, 0, -1}, Outlook{Option::cuda, 0, infinity}})
    EXPECT_THROW(decide(std::vector{one}, 0.05), std::invalid_argument);
  EXPECT_THROW(decide(std::vector<Outlook>(7), 0.05), std::invalid_argument);
}

}  // namespace
}  // namespace sextant::predict
