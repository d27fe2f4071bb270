// Tests of search spaces, search strategies and the surrogate model on known functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "golden.hpp"
#include "refusal.hpp"
#include "tuner/replay.hpp"
#include "tuner/surrogate.hpp"

namespace sextant::tuner {
namespace {

Space product(const std::vector<Axis>& axes) {
  std::vector<Choice> points;
  std::size_t count = 1;
  for (const Axis& axis : axes) count *= axis.texts.size();
  for (std::size_t point = 0; point < count; ++point) {
    std::size_t rest = point;
    std::vector<Choice> choices;
    for (const Axis& axis : axes) {
      choices.push_back(static_cast<Choice>(rest % axis.texts.size()));
      rest /= axis.texts.size();
    }
    points.insert(points.end(), choices.begin(), choices.end());
  }
  return Space(axes, points);
}

std::vector<TunedValue> counted(int first, int last) {
  std::vector<TunedValue> values;
  for (int value = first; value <= last; ++value) values.emplace_back(value);
  return values;
}

Evaluation timed(double seconds) { return {Status::ok, "", seconds, 0, 0}; }
Evaluation failed() { return {Status::failed, "too much shared memory", 0, 0, 0}; }

// Returns a valley-shaped space with failing points. Its minimum is off the centre and moves with `shift`.
RecordedSpace valley(double shift = 0) {
  RecordedSpace recorded{
      "valley",
      "",
      Format::compact,
      product({Axis::of("x", counted(1, 24)), Axis::of("y", counted(1, 24)), Axis::of("z", {0, 1})}),
      {}};
  for (std::size_t point = 0; point < recorded.space.size(); ++point) {
    const auto c = recorded.space.choices(point);
    const double x = c[0] - 16 - shift, y = c[1] - 5 + shift;
    const bool hole = c[0] > 20 && c[1] > 20;
    recorded.points.push_back(
        {hole ? failed() : timed(1e-3 * (1 + 0.02 * x * x + 0.03 * y * y + 0.01 * x * y + 0.3 * c[2])), ""});
  }
  return recorded;
}

RecordedSpace all_failing() {
  RecordedSpace recorded = valley();
  for (RecordedPoint& point : recorded.points) point.evaluation = failed();
  return recorded;
}

using test::refusal;

TEST(Space, PutsChoicesOnTheUnitInterval) {
  const Space space = product({Axis::of("block", {32, 64, 128}), Axis::of("items", {3, 4, 5}),
                               Axis::of("one", {7}), Axis{"word", {"\"a\"", "\"b\""}}});
  std::vector<float> at(4);
  space.features(1 + 3 * 1 + 9 * 0 + 9 * 1, at.data());
  EXPECT_FLOAT_EQ(at[0], 0.5f);  // positions are logarithmic
  EXPECT_FLOAT_EQ(at[1], 0.5f);
  EXPECT_FLOAT_EQ(at[2], 0.0f);
  EXPECT_FLOAT_EQ(at[3], 1.0f);
}

TEST(Space, FindsPointsAndTheirNeighbours) {
  // All pairs of three and two values, except {2, 1}.
  const Space space({Axis::of("x", {1, 2, 3}), Axis::of("y", {1, 2})}, {0, 0, 1, 0, 2, 0, 0, 1, 1, 1});
  EXPECT_EQ(space.find(std::vector<Choice>{1, 1}), 4u);
  EXPECT_FALSE(space.find(std::vector<Choice>{2, 1}));
  EXPECT_FALSE(space.find(std::vector<Choice>{3, 0}));
  EXPECT_FALSE(space.find(std::vector<Choice>{1}));
  std::vector<std::size_t> near = space.neighbours(4);
  std::sort(near.begin(), near.end());
  EXPECT_EQ(near, (std::vector<std::size_t>{1, 3}));
}

TEST(Space, RefusesWhatIsNone) {
  const std::vector<std::string> said = {refusal([] {
                                           Space({Axis::of("x", {2, 2})}, {0, 1});
                                         }),
                                         refusal([] { Space({Axis::of("x", {})}, {}); }), refusal([] {
                                           Space({Axis::of("x", {1, 2})}, {0, 2});
                                         }),
                                         refusal([] {
                                           Space({Axis::of("x", {1, 2})}, {0, 0});
                                         }),
                                         refusal([] {
                                           Space({Axis::of("x", {1}), Axis::of("x", {1})}, {0, 0});
                                         })};
  test::expect_golden(test::lines(said), "tuner/refusals:spaces");
}

class EveryStrategy : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Tuner, EveryStrategy, testing::ValuesIn(strategy_names()),
                         [](const auto& one) { return one.param; });

TEST_P(EveryStrategy, TriesEveryPointOnce) {
  for (const RecordedSpace& recorded : {valley(), all_failing()}) {
    const Trajectory run = replay(recorded, GetParam(), nullptr, 3, recorded.space.size() + 10);
    const std::set<std::size_t> different(run.points.begin(), run.points.end());
    EXPECT_EQ(run.points.size(), recorded.space.size());
    EXPECT_EQ(different.size(), recorded.space.size());
  }
}

TEST_P(EveryStrategy, SearchesSpacesOfOnePointAndOfOneAxis) {
  for (const std::vector<Axis>& axes :
       {std::vector<Axis>{Axis::of("x", {5})}, {Axis::of("x", counted(1, 30))}}) {
    RecordedSpace recorded{"narrow", "", Format::compact, product(axes), {}};
    for (std::size_t i = 0; i < recorded.space.size(); ++i)
      recorded.points.push_back({timed(1 + 0.1 * std::abs(static_cast<double>(i) - 20)), ""});
    EXPECT_EQ(replay(recorded, GetParam(), nullptr, 1, 100).points.size(), recorded.space.size());
  }
}

TEST_P(EveryStrategy, IsAFunctionOfItsSeed) {
  const RecordedSpace recorded = valley();
  const auto points = [&](std::uint64_t seed) {
    return replay(recorded, GetParam(), nullptr, seed, 60).points;
  };
  EXPECT_EQ(points(5), points(5));
  EXPECT_EQ(points(5) == points(6), GetParam() == "exhaustive");
}

// Asking for likely next points must not change a strategy. If it does not learn, the answer is exact.
TEST_P(EveryStrategy, SaysWhatIsLikelyNext) {
  const RecordedSpace recorded = valley();
  const Space& space = recorded.space;
  const auto asked = make_strategy(GetParam(), space, nullptr, 7),
             left = make_strategy(GetParam(), space, nullptr, 7);
  std::vector<std::size_t> likely;
  for (int step = 0; step < 60; ++step) {
    const auto point = asked->next();
    ASSERT_EQ(point, left->next()) << step;
    if (!point) break;
    if ((GetParam() == "random" || GetParam() == "exhaustive") && !likely.empty()) {
      EXPECT_EQ(likely.front(), *point) << step;
    }
    likely = likely_after(*asked, *point, 1, 3);
    std::set<std::size_t> different(likely.begin(), likely.end());
    different.insert(*point);
    EXPECT_EQ(different.size(), 1 + likely.size());
    const Evaluation& evaluation = recorded.points[*point].evaluation;
    asked->learn(*point, evaluation);
    left->learn(*point, evaluation);
  }
}

TEST(Strategies, BeatRandomDrawsOnAValley) {
  const RecordedSpace recorded = valley();
  std::vector<double> means;
  for (const char* name : {"random", "genetic", "local", "model"}) {
    std::vector<Trajectory> runs;
    for (std::uint64_t seed = 1; seed <= 20; ++seed)
      runs.push_back(replay(recorded, name, nullptr, seed, 60));
    means.push_back(score_of(recorded, runs, 60).mean);
  }
  EXPECT_LT(means[0], 0.9);
  EXPECT_GT(means[1], means[0]);
  EXPECT_GT(means[2], means[0] + 0.03);
  EXPECT_GT(means[3], 0.995);
}

TEST(Strategies, LearnFromOtherMachines) {
  const RecordedSpace here = valley(), there = valley(1), elsewhere = valley(-1);
  const std::vector<const RecordedSpace*> others = {&there, &elsewhere};
  const Prior prior = prior_of(here.space, others);
  ASSERT_EQ(prior.sources.size(), 2u);
  std::vector<Trajectory> cold, taught;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    cold.push_back(replay(here, "model", nullptr, seed, 10));
    taught.push_back(replay(here, "model", &prior, seed, 10));
  }
  EXPECT_LT(score_of(here, cold, 10).mean, 0.9);
  EXPECT_GT(score_of(here, taught, 10).mean, 0.98);
}

// Misleading results of another space delay the search, but it still finds the optimum.
TEST(Strategies, FindOutThatAPriorIsWrong) {
  const RecordedSpace here = valley();
  Prior prior;
  prior.sources.emplace_back();
  for (const RecordedPoint& point : here.points)
    prior.sources.back().push_back(
        point.evaluation.usable() ? static_cast<float>(3 - std::log(1e3 * point.evaluation.time)) : 0.0f);
  std::vector<Trajectory> runs;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) runs.push_back(replay(here, "model", &prior, seed, 80));
  EXPECT_GT(score_of(here, runs, 80).mean, 0.98);
}

TEST(Strategies, RefuseAWrongName) {
  test::expect_golden(refusal([] { require_strategy("modle"); }), "tuner/refusals:strategies");
}

// From 400 observations on, the Gaussian process keeps only the best and the latest ones.
TEST(Strategies, SearchLongerThanTheProcessRemembers) {
  const RecordedSpace recorded = valley();
  EXPECT_EQ(replay(recorded, "model", nullptr, 2, 900).points.size(), 900u);
}

// Solves A x = b by Gaussian elimination with pivoting.
std::vector<double> solved(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t pivot = i;
    for (std::size_t j = i; j < n; ++j)
      if (std::abs(a[j][i]) > std::abs(a[pivot][i])) pivot = j;
    std::swap(a[i], a[pivot]);
    std::swap(b[i], b[pivot]);
    for (std::size_t j = i + 1; j < n; ++j) {
      const double factor = a[j][i] / a[i][i];
      for (std::size_t k = i; k < n; ++k) a[j][k] -= factor * a[i][k];
      b[j] -= factor * b[i];
    }
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

// Ordinary kriging by the textbook formulas, in double precision, as the expected result.
struct Kriging {
  std::vector<std::vector<double>> points;
  std::vector<double> values;

  static double covariance(const std::vector<double>& a, const std::vector<double>& b) {
    double squared = 0;
    for (std::size_t i = 0; i < a.size(); ++i) squared += (a[i] - b[i]) * (a[i] - b[i]) / (0.7 * 0.7);
    const double u = std::sqrt(3 * squared);
    return (1 + u) * std::exp(-u);
  }

  std::pair<double, double> at(const std::vector<double>& x) const {  // returns mean and standard deviation
    const std::size_t n = points.size();
    std::vector<std::vector<double>> k(n, std::vector<double>(n));
    std::vector<double> to(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) k[i][j] = covariance(points[i], points[j]) + (i == j ? 1e-3 : 0);
      to[i] = covariance(points[i], x);
    }
    const std::vector<double> ones = solved(k, std::vector<double>(n, 1)), weighted = solved(k, values),
                              weights = solved(k, to);
    double sum_ones = 0, sum_values = 0, residual = 0, explained = 0, left = 1, mean = 0;
    for (std::size_t i = 0; i < n; ++i) sum_ones += ones[i], sum_values += weighted[i];
    const double constant = sum_values / sum_ones;
    for (std::size_t i = 0; i < n; ++i) {
      residual += (values[i] - constant) * (weighted[i] - constant * ones[i]);
      explained += weights[i] * to[i];
      left -= weights[i];
      mean += weights[i] * (values[i] - constant);
    }
    const double scale = residual / static_cast<double>(n);
    return {constant + mean, std::sqrt(scale * (1 - explained + left * left / sum_ones))};
  }
};

TEST(Surrogate, AgreesWithTheTextbookWhicheverWayItCameThere) {
  std::vector<float> features;
  Kriging kriging;
  for (int i = 0; i < 40; ++i)
    for (const double value : {std::fmod(0.618 * i, 1.0), std::fmod(0.755 * i, 1.0)})
      features.push_back(static_cast<float>(value));
  const auto point = [&](std::size_t i) {
    return std::vector<double>{static_cast<double>(features[2 * i]),
                               static_cast<double>(features[2 * i + 1])};
  };
  Surrogate surrogate(2, 0);
  Shape other, shape;
  other.lengths = {2, 0.3f};
  shape.lengths = {0.7f, 0.7f};
  surrogate.reshape(other);
  surrogate.add(features, {}, 20);  // adds further points after the first observations
  for (std::size_t i = 0; i < 24; ++i) {
    if (i == 10) surrogate.add(std::span(features).subspan(40), {}, 20);
    if (i == 15) surrogate.reshape(shape);
    const double value = i == 7 ? 4 : std::sin(5 * point(i)[0]) + point(i)[1];
    if (i == 7)
      surrogate.observe_failed(i);
    else
      surrogate.observe(i, static_cast<float>(value));
    kriging.points.push_back(point(i));
    kriging.values.push_back(value);
  }
  kriging.values[7] = *std::max_element(kriging.values.begin(), kriging.values.begin() + 7);
  for (const double value : kriging.values)
    if (value != 4) kriging.values[7] = std::max(kriging.values[7], value);
  const std::span<const Normal> all = surrogate.predict();
  ASSERT_EQ(all.size(), 40u);
  for (std::size_t i = 0; i < 40; ++i) {
    const auto [mean, deviation] = kriging.at(point(i));
    EXPECT_NEAR(all[i].mean, mean, 2e-3) << i;
    if (i < 24) continue;  // known points are not predicted
    EXPECT_NEAR(all[i].deviation, deviation, 0.01 * deviation + 1e-3) << i;
  }
}

TEST(Surrogate, FollowsABasisAsFarAsTheDataDo) {
  std::vector<float> features, basis;
  for (int i = 0; i < 30; ++i) {
    features.push_back(static_cast<float>(i) / 30);
    basis.push_back(std::sin(static_cast<float>(40 * i)));  // independent of the neighbouring values
  }
  for (const float slope : {0.0f, 1.0f}) {
    Surrogate surrogate(1, 1);
    Shape shape;
    shape.lengths = {0.5f};
    surrogate.reshape(shape);
    surrogate.add(features, basis, 30);
    for (std::size_t i = 0; i < 20; ++i)
      surrogate.observe(i, slope * basis[i] + 0.1f * std::cos(static_cast<float>(70 * i)));
    surrogate.predict();
    EXPECT_NEAR(surrogate.slope(0), slope, 0.15);
  }
}

TEST(Surrogate, PrefersTheLengthsThatTheDataHave) {
  std::vector<float> features;
  for (int i = 0; i < 30; ++i) {
    features.push_back(static_cast<float>(i % 6) / 5);
    features.push_back(static_cast<float>(i / 6) / 4);
  }
  Surrogate surrogate(2, 0);
  Shape shape, wrong;
  shape.lengths = {0.5f, 8};
  wrong.lengths = {8, 0.5f};
  surrogate.reshape(shape);
  surrogate.add(features, {}, 30);
  for (std::size_t i = 0; i < 30; ++i) surrogate.observe(i, std::sin(4 * features[2 * i]));
  surrogate.predict();
  EXPECT_GT(surrogate.log_likelihood(shape), surrogate.log_likelihood(wrong) + 10);
}

TEST(Replay, ScoresByTheRule) {
  RecordedSpace recorded{"three", "", Format::compact, product({Axis::of("x", {1, 2, 3, 4})}), {}};
  for (const double time : {4.0, 0.0, 2.0, 1.0})
    recorded.points.push_back({time > 0 ? timed(time) : failed(), ""});
  const std::vector<Trajectory> runs = {{{1, 0, 2}, 0}, {{3}, 0}, {{0, 1, 2}, 0}};
  EXPECT_EQ(fraction_after(recorded, runs[0], 1), 0);  // a failed point costs an evaluation
  EXPECT_EQ(fraction_after(recorded, runs[0], 2), 0.25);
  EXPECT_EQ(fraction_after(recorded, runs[1], 3), 1);  // if a search ends early, its last value remains
  const Score score = score_of(recorded, runs, 2);
  EXPECT_NEAR(score.mean, (0.25 + 1 + 0.25) / 3, 1e-12);
  EXPECT_EQ(score.worst, 0.25);
  EXPECT_NEAR(score.percentile_10, 0.25, 1e-12);
  EXPECT_NEAR(score_of(recorded, runs, 1).percentile_10, 0.2 * 0.25, 1e-12);
  EXPECT_EQ(trajectories(recorded, {runs[1], runs[1]}), "{\"x\": 4}\n\n{\"x\": 4}\n");
}

}  // namespace
}  // namespace sextant::tuner
