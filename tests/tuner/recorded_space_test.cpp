// Recorded spaces: results files, T4 results, caches of Kernel Tuner, compact spaces; and files that are none.
#include "tuner/recorded_space.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "golden.hpp"
#include "refusal.hpp"

namespace sextant::tuner {
namespace {

using nlohmann::json;

const std::string t4 = R"({
  "schema_version": "1.0.0", "metadata": {"timeunit": "miliseconds", "hardware": {"gpu": "any"}},
  "results": [
    {"timestamp": "2023-01-26 01:05:09.730633+00:00", "configuration": {"tile": 4, "block": 64, "mode": "row"},
     "times": {"compilation": 0.03, "framework": 26.8, "search_algorithm": 0, "validation": 0, "runtimes": [1.5, 2.5]},
     "invalidity": "correct", "correctness": 1,
     "measurements": [{"name": "energy", "value": 7, "unit": "J"}, {"name": "time", "value": 2.0, "unit": "miliseconds"}],
     "objectives": ["time"]},
    {"timestamp": "", "configuration": {"tile": 2, "block": 64, "mode": "row"},
     "times": {"compilation_time": 3.5}, "invalidity": "compile", "correctness": 0,
     "measurements": [{"name": "time", "value": "CompilationFailedConfig", "unit": ""}], "objectives": ["time"]},
    {"timestamp": "", "configuration": {"tile": 2, "block": 128, "mode": "col"}, "times": {},
     "invalidity": "correctness", "correctness": 0, "measurements": [], "objectives": ["time"]},
    {"timestamp": "", "configuration": {"tile": 4, "block": 128, "mode": "col"}, "times": {},
     "invalidity": "correct", "correctness": 1, "measurements": [{"name": "time", "value": NaN, "unit": ""}],
     "objectives": ["time"]}
  ]})";

const std::string cache = R"({
  "device_name": "A GPU", "kernel_name": "convolution", "problem_size": [4096, 4096], "objective": "time",
  "tune_params_keys": ["block", "unroll"], "tune_params": {"block": [32, 64], "unroll": [true, false]},
  "cache": {
    "32,True": {"block": 32, "unroll": true, "time": 0.5, "times": [0.4, 0.6], "compile_time": 12.5, "GFLOP/s": 3.25},
    "64,True": {"block": 64, "unroll": true, "time": "RuntimeFailedConfig", "timestamp": "2024-01-01"},
    "32,False": {"block": 32, "unroll": false, "time": 1e20},
    "64,False": {"block": 64, "unroll": false, "__error__": "InvalidConfig"},)";  // as a killed search leaves it

const std::string compact = "2 3\nblock 2 32 64\nmode 2 row col\n0 0 2.5\n1 0 -1\n1 1 0.125\n";

std::string refusal(const std::string& text, RecordedSpace (*read)(const std::string&, const std::string&)) {
  return test::refusal([&] { read(text, "file"); });
}

json with_null(std::string text) {
  text.replace(text.find("NaN"), 3, "null");
  return json::parse(text);
}

TEST(T4, GivesPointsTimesAndFailures) {
  const RecordedSpace recorded = read_recorded(t4, "file");
  ASSERT_EQ(recorded.space.size(), 4u);
  EXPECT_EQ(recorded.space.axes()[1].name, "block");
  EXPECT_EQ(recorded.space.axes()[0].texts, (std::vector<std::string>{"2", "4"}));
  EXPECT_EQ(recorded.space.axes()[2].texts, (std::vector<std::string>{"\"row\"", "\"col\""}));
  EXPECT_DOUBLE_EQ(recorded.points[0].evaluation.time, 0.002);
  EXPECT_EQ(recorded.points[1].evaluation.status, Status::failed);
  EXPECT_EQ(recorded.points[1].evaluation.reason, "compile");
  EXPECT_EQ(recorded.points[2].evaluation.status, Status::wrong);
  EXPECT_FALSE(recorded.points[3].evaluation.usable());  // NaN
  EXPECT_EQ(recorded.usable(), 1u);
  EXPECT_DOUBLE_EQ(recorded.optimum(), 0.002);
}

TEST(T4, GoesRoundWithoutLoss) { EXPECT_EQ(json::parse(write_t4(read_t4(t4, "file"))), with_null(t4)); }

TEST(KernelTuner, GivesPointsOfACacheThatWasCutOff) {
  const RecordedSpace recorded = read_recorded(cache, "file");
  ASSERT_EQ(recorded.space.size(), 4u);
  EXPECT_EQ(recorded.usable(), 1u);
  EXPECT_DOUBLE_EQ(recorded.optimum(), 0.0005);
  const auto point = [&](Choice block, Choice unroll) {
    return recorded.points[*recorded.space.find(std::vector<Choice>{block, unroll})].evaluation;
  };
  ASSERT_EQ(recorded.space.axes()[1].texts[0], "false");
  EXPECT_EQ(point(1, 1).reason, "RuntimeFailedConfig");
  EXPECT_EQ(point(1, 0).reason, "InvalidConfig");
  EXPECT_FALSE(point(0, 0).usable());
}

TEST(KernelTuner, GoesRoundWithoutLoss) {
  const std::string whole = cache.substr(0, cache.size() - 1) + "}}";
  EXPECT_EQ(json::parse(write_kernel_tuner(read_kernel_tuner(cache, "file"))), json::parse(whole));
}

TEST(Compact, GivesPointsAndGoesRound) {
  const RecordedSpace recorded = read_recorded(compact, "file");
  EXPECT_EQ(recorded.usable(), 2u);
  EXPECT_DOUBLE_EQ(recorded.optimum(), 0.000125);
  EXPECT_EQ(write_compact(recorded), compact);
}

// From one format to another: points, choices, times and what failed stay.
TEST(Compact, NumbersThatAreNoneInJsonAreTexts) {
  const RecordedSpace recorded = read_compact("1 4\nx 4 64.e2 007 .5 64\n0 1\n1 2\n2 3\n3 4\n", "file");
  EXPECT_EQ(recorded.space.axes()[0].texts,
            (std::vector<std::string>{"\"64.e2\"", "\"007\"", "\".5\"", "64"}));
  EXPECT_EQ(read_t4(write_t4(recorded), "again").points.size(), 4u);
}

TEST(RecordedSpaces, ChangeFormatWithoutLosingWhatBothHave) {
  const RecordedSpace original = read_compact(compact, "file");
  for (const RecordedSpace& other :
       {read_recorded(write_t4(original), "t4"), read_recorded(write_kernel_tuner(original), "cache")}) {
    ASSERT_EQ(other.space.size(), original.space.size());
    EXPECT_EQ(other.space.axes()[1].texts.size(), 2u);
    EXPECT_DOUBLE_EQ(other.optimum(), original.optimum());
    EXPECT_EQ(other.usable(), original.usable());
    EXPECT_EQ(read_compact(write_compact(other), "again").optimum(), original.optimum());
  }
  const RecordedSpace foreign = read_t4(t4, "file");
  EXPECT_EQ(read_kernel_tuner(write_kernel_tuner(foreign), "cache").usable(), 1u);
}

TEST(RecordedSpaces, RefuseWhatIsNone) {
  const std::vector<std::string> said = {
      refusal("", read_recorded),
      refusal("{\"name\": \"x\"}", read_recorded),
      refusal("{\"results\": []}", read_recorded),
      refusal("{\"results\": [{\"configuration\": {\"x\": [1]}}]}", read_t4),
      refusal("{\"results\": " + std::string(5000, '[') + std::string(5000, ']') + "}", read_t4),
      refusal("{\"tune_params_keys\": [\"x\"], \"cache\": {}}", read_recorded),
      refusal("{\"tune_params_keys\": [\"x\"], \"cache\": {\"1\": {\"y\": 1}}}", read_recorded),
      refusal("0 0", read_compact),
      refusal("2 99999999999\nx 1 1\n", read_compact),
      refusal(compact + "1", read_compact),
      refusal("2 1\nx 1 1\ny 1 1\n0 4 1.0\n", read_compact),
      refusal("1 1\n\xff 1 1\n0 1\n", read_compact),
      refusal("name,time\nx,1\n", read_recorded)};
  test::expect_golden(test::lines(said), "tuner/refusals:recorded spaces");
  EXPECT_EQ(read_compact("1 3\nx 3 1 2 3\n0 nan\n1 inf\n2 1e20\n", "file").usable(), 0u);
}

Measurement measured(int block, int items, double seconds, bool on_device) {
  Measurement one;
  one.what.kernel = "triad";
  one.what.variant = "cuda.tuned";
  one.what.problem.n = 1000;
  one.what.tuning = {{"block_size", block}, {"items", items}};
  one.status = Status::ok;
  one.call_times = {2 * seconds, 2 * seconds, 2 * seconds};
  if (on_device) one.device_times = {seconds, seconds, seconds};
  return one;
}

TEST(RecordedSpaces, AreWhatDiffersInItsTuningAlone) {
  Results results;
  results.sessions.push_back({});
  const auto add = [&](Measurement one) { results.measurements.push_back({std::move(one), 0}); };
  add(measured(64, 1, 3e-3, true));
  add(measured(32, 4, 2e-3, true));
  add(measured(32, 1, 1e-3, true));
  Measurement refused = measured(64, 4, 0, false);
  refused.status = Status::skipped;
  refused.reason = "too many threads";
  refused.call_times.clear();
  add(refused);
  Measurement other = measured(32, 1, 1e-3, false);
  other.what.problem.n = 2000;
  add(other);  // alone
  const std::vector<RecordedSpace> spaces = recorded_spaces(results);
  ASSERT_EQ(spaces.size(), 1u);
  EXPECT_EQ(spaces[0].space.size(), 4u);
  EXPECT_EQ(spaces[0].usable(), 3u);
  EXPECT_DOUBLE_EQ(spaces[0].optimum(), 1e-3);  // of the device
  const auto at = *spaces[0].space.find(std::vector<Choice>{1, 1});
  EXPECT_EQ(spaces[0].points[at].evaluation.reason, "too many threads");
}

TEST(RecordedSpaces, WithThreadsAreOthersThanWithout) {
  Results results;
  results.sessions.push_back({});
  for (const int threads : {0, 1, 2})
    for (const int block : {32, 64}) {
      Measurement one = measured(block, 1, 1e-3, false);
      if (threads > 0) one.what.tuning.emplace_back("threads", threads);
      results.measurements.push_back({one, 0});
    }
  const std::vector<RecordedSpace> spaces = recorded_spaces(results);
  ASSERT_EQ(spaces.size(), 2u);
  EXPECT_EQ(spaces[0].space.size(), 2u);
  EXPECT_EQ(spaces[1].space.size(), 4u);
  EXPECT_NE(spaces[0].name, spaces[1].name);
}

TEST(Priors, FindPointsByNameAndValue) {
  const RecordedSpace here = read_compact("2 4\na 2 1 2\nb 2 8 16\n0 0 1\n0 1 1\n1 0 1\n1 1 1\n", "here"),
                      there = read_compact("2 3\nb 3 4 8 16\na 2 1 2\n1 0 2\n2 1 8\n0 0 4\n", "there"),
                      foreign = read_compact("2 1\na 1 1\nc 1 8\n0 0 1\n", "foreign"),
                      apart = read_compact("2 1\na 1 5\nb 1 8\n0 0 1\n", "apart");
  const std::vector<const RecordedSpace*> others = {&there, &foreign, &apart};
  const Prior prior = prior_of(here.space, others);
  ASSERT_EQ(prior.sources.size(), 1u);
  // The best there; not tried: as the nearest, which is that; what failed or was slow: as it was.
  EXPECT_EQ(prior.sources[0], (std::vector<float>{0, 0, 0, std::log(4.0f)}));
}

}  // namespace
}  // namespace sextant::tuner
