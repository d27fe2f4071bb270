// Tests of training the advice model. Without XGBoost, most tests are skipped.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "predict/train/training.hpp"
#include "predict/trees.hpp"
#include "refusal.hpp"
#include "tuner/random.hpp"

namespace sextant::predict {
namespace {

using test::refusal;
using tuner::Random;

#define NEEDS_XGBOOST() \
  if (const std::string why = why_no_training(); !why.empty()) GTEST_SKIP() << why

// Returns training rows of ten families. The model can learn `effect` of the features a, b and c. It cannot
// learn the offset of each family, which is `own` times its number.
template <typename Effect>
TrainingTable table_of(Effect&& effect, double own = 0) {
  TrainingTable table;
  table.features = {{"a", false}, {"b", false}, {"c", true}};
  Random random(3);
  for (int family = 0; family < 10; ++family)
    for (int i = 0; i < 20 + 10 * family; ++i) {
      const auto a = static_cast<float>(4 * random.uniform()), b = static_cast<float>(random.uniform()),
                 c = static_cast<float>(random.below(2));
      const double shift = own * (family % 2 ? 1 : -1);
      table.rows.push_back({Option::openmp, Target::call, "family" + std::to_string(family), 1,
                            static_cast<float>(effect(a, b, c) + shift)});
      for (const float value : {a, b, c}) table.values.push_back(value);
    }
  return table;
}

double step(float a, float, float c) { return (a > 2 ? 1.5 : -0.5) + 0.7 * static_cast<double>(c); }

TrainingSettings quick() {
  TrainingSettings settings;
  settings.most_trees = 40;
  return settings;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Training, FoldsHoldGroupsOutWholeAndDealTheLargestOutFirst) {
  EXPECT_EQ(folds_of({5, 90, 7, 80, 6}, 2), (std::vector<std::size_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(folds_of({1, 1, 1}, 8), (std::vector<std::size_t>{0, 1, 2}));
  EXPECT_EQ(folds_of({4}, 8), std::vector<std::size_t>{0});
  EXPECT_TRUE(folds_of({}, 8).empty());
}

TEST(Training, EachGroupWeighsTheSame) {
  const std::vector<float> weights = group_weights({0, 1, 1, 1, 2, 2}, {5, 1, 1, 2, 0.5f, 0.5f});
  ASSERT_EQ(weights.size(), 6u);
  EXPECT_FLOAT_EQ(weights[0], 2);
  EXPECT_FLOAT_EQ(weights[1] + weights[2] + weights[3], 2);
  EXPECT_FLOAT_EQ(weights[3], 2 * weights[2]);
  EXPECT_FLOAT_EQ(weights[4] + weights[5], 2);
}

TEST(Training, ATableIsReadFromText) {
  const TrainingTable table = read_training_table(
      "option,target,group,weight,residual,log_bytes,trait.stride\n"
      "cuda,whole,stream,1,-0.25,17.5,\r\n"
      "gpu_library,call,ft,0.5,2,3,-1e3\n",
      "t.csv");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.features[1].name, "stride");
  EXPECT_TRUE(table.features[1].trait);
  EXPECT_FALSE(table.features[0].trait);
  EXPECT_EQ(table.rows[0].option, Option::cuda);
  EXPECT_EQ(table.rows[0].target, Target::whole);
  EXPECT_EQ(table.rows[1].group, "ft");
  EXPECT_EQ(table.rows[1].weight, 0.5f);
  EXPECT_EQ(table.rows[0].residual, -0.25f);
  EXPECT_TRUE(std::isnan(table.of(0)[1]));
  EXPECT_EQ(table.of(1)[1], -1000);
}

TEST(Training, ATableThatDoesNotHoldTogetherIsRefusedWithItsPlace) {
  const std::string head = "option,target,group,weight,residual,a\n";
  const auto refused = [](const std::string& text) {
    return refusal([&] { read_training_table(text, "t.csv"); });
  };
  EXPECT_EQ(refused(""), "t.csv has no columns for the model's inputs (features)");
  EXPECT_EQ(refused(head), "t.csv has no rows. After the first line, write one row per measured case.");
  EXPECT_EQ(refused("option,target\n"),
            "t.csv:1: the first line must be `option,target,group,weight,residual`, followed by the names of "
            "the features");
  EXPECT_EQ(refused("option,target,group,weight,residual,a b\n"),
            "t.csv: `a b` is not a valid feature name. Use letters, digits, underscores and dots.");
  EXPECT_EQ(refused("option,target,group,weight,residual,a,trait.call_time\ncuda,call,f,1,0,1,1\n"),
            "t.csv: `call_time` cannot be a feature (an input of the model), because it is a result of the "
            "measurement.");
  EXPECT_EQ(refused(head + "cuda,call,f,1,0\n"), "t.csv:2: 5 values, but the first line names 6 columns");
  EXPECT_EQ(refused(head + "cuda,call,f,1,0,1\nrust,call,f,1,0,1\n"),
            "t.csv:3: `rust` is not a name that this column can have");
  EXPECT_EQ(refused(head + "cuda,call,f,1,0,1x\n"), "t.csv:2: `1x` is not a number");
  EXPECT_EQ(refused(head + "cuda,call,,1,0,1\n"), "t.csv, row 1 has no value in the column `group`");
  EXPECT_EQ(refused(head + "cuda,call,f,0,0,1\n"),
            "t.csv, row 1: the value of the column `weight` is not a number above 0");
  EXPECT_EQ(refused(head + "cuda,call,f,1,,1\n"),
            "t.csv, row 1: the value of the column `residual` is not a finite number");
  EXPECT_EQ(refused(head + "cuda,call,f,1,0,inf\n"), "t.csv, row 1: the value of the column `a` is infinite");
}

TEST(Training, OurTreesSayWhatXGBoostSays) {
  NEEDS_XGBOOST();
  const TrainingTable table = table_of(step);
  Samples samples{3, table.values, {}, std::vector<float>(table.rows.size(), 1)};
  for (std::size_t i = 0; i < samples.x.size(); i += 7)
    samples.x[i] = std::numeric_limits<float>::quiet_NaN();
  for (const TrainingRow& row : table.rows) samples.y.push_back(row.residual + 20);
  Booster booster(samples, samples, {4, 0.3f, 19.5f});
  for (int round = 0; round < 25; ++round) booster.grow();
  const std::vector<float> theirs = booster.on_held_out();
  const std::string head = R"({"sextant_trees": 1, "features": [{"name": "a", "low": 0, "high": 4},
      {"name": "b", "low": 0, "high": 1}, {"name": "c", "low": 0, "high": 1}],
      "ensembles": [{"option": "openmp", "target": "call", "term": "residual", "xgboost": )";
  const Trees ours = Trees::read(head + booster.json() + "}]}", "booster");
  ASSERT_EQ(theirs.size(), table.rows.size());
  for (std::size_t i = 0; i < theirs.size(); ++i) {
    const std::vector<float> x(samples.x.data() + 3 * i, samples.x.data() + 3 * (i + 1));
    EXPECT_NEAR(*ours.at(Option::openmp, Target::call, Term::residual, x), theirs[i],
                1e-6f * std::abs(theirs[i]))
        << i;
  }
}

TEST(Training, LearnsWhatFamiliesShareAndGivesTheSameBytesAgain) {
  NEEDS_XGBOOST();
  const TrainingTable table = table_of(step);
  const Training training = train(table, quick());
  EXPECT_EQ(train(table, quick()).json, training.json);
  ASSERT_EQ(training.reports.size(), 1u);
  const EnsembleReport& report = training.reports[0];
  EXPECT_EQ(report.rows, table.rows.size());
  EXPECT_EQ(report.groups, 10u);
  EXPECT_GT(report.trees, 10u);
  EXPECT_GT(report.analytic_error, 1);
  EXPECT_LT(report.error, 0.3);
  const Trees trees = Trees::read(training.json, "trained");
  EXPECT_EQ(trees.features()[0].name, "a");
  EXPECT_LT(trees.features()[0].low, 0.1f);
  EXPECT_GT(trees.features()[0].high, 3.9f);
  const std::vector<float> x = {3, 0.5f, 1};
  EXPECT_NEAR(*trees.at(Option::openmp, Target::call, Term::residual, x), 2.2, 0.15);
  EXPECT_GT(*trees.at(Option::openmp, Target::call, Term::difficulty, x), 0);
  EXPECT_EQ(trees.at(Option::cuda, Target::call, Term::residual, x), std::nullopt);
}

TEST(Training, TakesNoTreesWhereTheyDoNotHelpOtherFamilies) {
  NEEDS_XGBOOST();
  TrainingTable table = table_of([](float, float, float) { return 0.0; }, 1);
  for (std::size_t i = 0; i < table.rows.size();
       ++i)  // feature a identifies the family, which is useless for other families
    table.values[3 * i] = static_cast<float>(table.rows[i].group.back() - '0');
  const Training training = train(table, quick());
  EXPECT_EQ(training.reports[0].trees, 0u);
  EXPECT_DOUBLE_EQ(training.reports[0].error, training.reports[0].analytic_error);
  const std::vector<float> x = {1, 0, 0};
  EXPECT_EQ(Trees::read(training.json, "trained").at(Option::openmp, Target::call, Term::residual, x), 0.0f);
}

TEST(Training, LearnsNothingOfFewFamiliesOrWhereTooMuchOfTheErrorIsLeft) {
  NEEDS_XGBOOST();
  const TrainingTable table = table_of(step);
  ASSERT_GT(train(table, quick()).reports.front().trees, 0u);
  TrainingSettings settings = quick();
  settings.least_families = 100;
  const EnsembleReport few = train(table, settings).reports.front();
  EXPECT_EQ(few.trees, 0u);
  EXPECT_EQ(few.error, few.analytic_error);
  settings = quick();
  settings.worth = 1e-6;
  EXPECT_EQ(train(table, settings).reports.front().trees, 0u);
}

// Learning the times has a high threshold here, and learning the size of the errors a low one. So only the
// size is learnt.
TEST(Training, LearnsHowLargeErrorsAreWhereTheyAreNotLearntThemselves) {
  NEEDS_XGBOOST();
  Random random(5);
  const TrainingTable table = table_of(
      [&](float a, float, float) { return (a > 2 ? 1.0 : 0.1) * (random.uniform() < 0.5 ? -1 : 1); });
  TrainingSettings settings = quick();
  settings.worth = settings.difficulty_worth = 1e-6;
  EXPECT_EQ(train(table, settings).reports.front().difficulty_trees, 0u);
  settings.difficulty_worth = 1;
  const Training training = train(table, settings);
  EXPECT_EQ(training.reports.front().trees, 0u);
  EXPECT_GT(training.reports.front().difficulty_trees, 0u);
  const Trees trees = Trees::read(training.json, "trained");
  const auto expected = [&](float a) {
    const std::vector<float> x = {a, 0.5f, 0};
    return *trees.at(Option::openmp, Target::call, Term::difficulty, x);
  };
  EXPECT_NEAR(expected(3), 1, 0.1);
  EXPECT_NEAR(expected(1), 0.1, 0.1);
}

TEST(Training, BeginsWithTheMeanWhereFamiliesShareIt) {
  NEEDS_XGBOOST();
  TrainingTable table = table_of([](float, float, float) { return 0.8; }, 0.1);
  const Training training = train(table, quick());
  EXPECT_EQ(training.reports[0].trees, 0u);
  const std::vector<float> x = {1, 0, 0};
  EXPECT_NEAR(*Trees::read(training.json, "trained").at(Option::openmp, Target::call, Term::residual, x),
              0.8f, 1e-5f);
  for (std::size_t i = 0; i < table.rows.size(); ++i)  // a held-out family gets the mean of the nine others
    EXPECT_NEAR(std::abs(training.held_out[i].residual), 0.1 + 0.1 / 9, 0.03);
}

TEST(Training, WhatIsHeldOutWasNotSeen) {
  NEEDS_XGBOOST();
  TrainingTable table = table_of(step);
  std::set<std::size_t> odd;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    if (table.rows[i].group == "family4") {
      table.rows[i].residual += 3;
      table.values[3 * i + 1] = 7;  // b identifies this family only if the trees have seen it
      odd.insert(i);
    }
  const Training training = train(table, quick());
  double inside = 0, outside = 0;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    (odd.contains(i) ? inside : outside) += static_cast<double>(std::abs(training.held_out[i].residual));
  EXPECT_NEAR(inside / static_cast<double>(odd.size()), 3, 0.4);
  EXPECT_LT(outside / static_cast<double>(table.rows.size() - odd.size()), 0.4);
}

TEST(Training, HidesTraitsInAShareOfTheRowsAndNothingElse) {
  NEEDS_XGBOOST();
  const TrainingTable table = table_of(step);
  TrainingSettings settings = quick();
  settings.hidden_share = 1;
  const Training blind = train(table, settings);
  const Trees trees = Trees::read(blind.json, "blind");
  const auto value = [&](const Trees& model, float a, float c) {
    const std::vector<float> x = {a, 0.5f, c};
    return *model.at(Option::openmp, Target::call, Term::residual, x);
  };
  EXPECT_EQ(value(trees, 3, 0), value(trees, 3, 1));
  EXPECT_GT(value(trees, 3, 0), value(trees, 1, 0) + 1.5f);
  const Trees usual = Trees::read(train(table, quick()).json, "usual");
  EXPECT_GT(value(usual, 3, 1), value(usual, 3, 0) + 0.5f);
  EXPECT_EQ(usual.features()[2].low, 0);  // the range of the known values
  EXPECT_EQ(usual.features()[2].high, 1);
}

// All kernels have larger errors on one of two machines. The trees must not learn this, because it says
// nothing about a third machine.
TEST(Training, SplitsAtNothingThatIsOfTheMachineAlone) {
  NEEDS_XGBOOST();
  TrainingTable table = table_of([](float a, float, float) { return a > 2 ? 1.5 : 0.0; });
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    table.rows[i].residual += table.values[3 * i + 2] * (i % 2 ? 2 : -2);
  for (const bool machine : {false, true}) {
    table.features[2] = {"c", false, machine};
    const Training training = train(table, quick());
    const Trees trees = Trees::read(training.json, "trained");
    const auto value = [&](Term term, float a, float c) {
      const std::vector<float> x = {a, 0.5f, c};
      return *trees.at(Option::openmp, Target::call, term, x);
    };
    if (machine)
      EXPECT_EQ(value(Term::difficulty, 1, 0), value(Term::difficulty, 1, 1));
    else
      EXPECT_LT(value(Term::difficulty, 1, 0) + 1, value(Term::difficulty, 1, 1));
    EXPECT_LT(value(Term::residual, 1, 0) + 0.5f,
              value(Term::residual, 3, 0));  // other features are still used
    EXPECT_EQ(trees.features()[2].high, 1);  // the range of the known values
  }
}

TEST(Training, OneFamilyGetsNoTrees) {
  NEEDS_XGBOOST();
  TrainingTable table = table_of(step);
  for (TrainingRow& row : table.rows) row.group = "stream";
  const Training training = train(table, quick());
  EXPECT_EQ(training.reports[0].trees, 0u);
  EXPECT_EQ(training.reports[0].groups, 1u);
}

TEST(Training, EachOptionAndTargetIsTrainedByItself) {
  NEEDS_XGBOOST();
  TrainingTable table = table_of(step);
  const std::size_t rows = table.rows.size();
  for (std::size_t i = 0; i < rows; ++i) {
    TrainingRow row = table.rows[i];
    row.option = Option::cuda;
    row.target = Target::whole;
    row.residual = -row.residual;
    table.rows.push_back(row);
    for (std::size_t f = 0; f < 3; ++f) table.values.push_back(table.of(i)[f]);
  }
  const Training training = train(table, quick());
  ASSERT_EQ(training.reports.size(), 2u);
  EXPECT_EQ(training.reports[0].rows, rows);
  const Trees trees = Trees::read(training.json, "trained");
  const std::vector<float> x = {3, 0.5f, 1};
  EXPECT_GT(*trees.at(Option::openmp, Target::call, Term::residual, x), 1.5f);
  EXPECT_LT(*trees.at(Option::cuda, Target::whole, Term::residual, x), -1.5f);
  EXPECT_EQ(count_of(training.json, "\"xgboost\""), 4u);
}

TEST(Training, WithoutXGBoostSaysSo) {
  if (why_no_training().empty()) GTEST_SKIP() << "XGBoost is here";
  EXPECT_NE(refusal([] { train(table_of(step), quick()); }).find("the advice model cannot be trained: "),
            std::string::npos);
}

}  // namespace
}  // namespace sextant::predict
