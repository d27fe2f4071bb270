// Tests of recorded search spaces: results files, T4 results (a JSON format), Kernel Tuner caches, compact
// spaces, and invalid files.
#include "tuner/recorded_space.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

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
    "64,False": {"block": 64, "unroll": false, "__error__": "InvalidConfig"},)";  // incomplete, as after a
                                                                                  // killed search

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
  EXPECT_FALSE(recorded.points[3].evaluation.usable());  // its time is NaN
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

TEST(Compact, NumbersThatAreNoneInJsonAreTexts) {
  const RecordedSpace recorded = read_compact("1 4\nx 4 64.e2 007 .5 64\n0 1\n1 2\n2 3\n3 4\n", "file");
  EXPECT_EQ(recorded.space.axes()[0].texts,
            (std::vector<std::string>{"\"64.e2\"", "\"007\"", "\".5\"", "64"}));
  EXPECT_EQ(read_t4(write_t4(recorded), "again").points.size(), 4u);
}

// Words in a compact file contain no spaces, so that any program can split its lines at spaces.
TEST(Compact, HasOneWordForEachText) {
  const std::string results = R"({"results": [
    {"configuration": {"the mode": "row major", "on": true, "tile": [32, 4], "say": "\"\\\"", "digits": "64"},
     "times": {"runtimes": [1]}, "invalidity": "correct", "correctness": 1},
    {"configuration": {"the mode": "\u00e4", "on": false, "tile": [4, 32], "say": "true", "digits": ""},
     "times": {"runtimes": [2]}, "invalidity": "correct", "correctness": 1}]})";
  const RecordedSpace recorded = read_t4(results, "file");
  const std::string text = write_compact(recorded);
  std::istringstream lines(text);
  std::vector<std::size_t> words;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream split(line);
    words.push_back(static_cast<std::size_t>(
        std::distance(std::istream_iterator<std::string>(split), std::istream_iterator<std::string>())));
  }
  EXPECT_EQ(words, (std::vector<std::size_t>{2, 4, 4, 4, 4, 4, 6, 6})) << text;
  const RecordedSpace again = read_compact(text, "again");
  for (std::size_t a = 0; a < 5; ++a) {
    EXPECT_EQ(again.space.axes()[a].name, recorded.space.axes()[a].name);
    EXPECT_EQ(again.space.axes()[a].texts, recorded.space.axes()[a].texts);
  }
}

// T4 results whose rates grow from 20 to 100 GFLOP/s, which means times from 5 down to 1 ms.
std::string rate_t4(const std::string& name, const std::string& unit,
                    const std::vector<std::string>& values) {
  std::string results;
  for (std::size_t i = 0; i < values.size(); ++i)
    results += (i ? "," : "") + std::string(R"({"configuration": {"x": )") + std::to_string(i) +
               R"(}, "times": {}, "invalidity": "correct", "correctness": 1, "measurements": [
               {"name": "other", "value": 1, "unit": "ms"}, {"name": ")" +
               name + R"(", "value": )" + values[i] + R"(, "unit": ")" + unit + R"("}], "objectives": [")" +
               name + "\"]}";
  return R"({"metadata": {"timeunit": "milliseconds"}, "results": [)" + results + "]}";
}

std::size_t best_of(const RecordedSpace& recorded) {
  std::size_t best = 0;
  while (recorded.points[best].evaluation.time != recorded.optimum()) ++best;
  return best;
}

TEST(Objectives, AreMaximisedIfTheyAreRates) {
  for (const auto& [name, unit] : std::vector<std::pair<std::string, std::string>>{
           {"GFLOP/s", ""}, {"speed", "GB/s"}, {"GFLOPS/W", ""}, {"throughput", ""}, {"MLUPS", ""}}) {
    const RecordedSpace recorded = read_t4(rate_t4(name, unit, {"20", "50", "100"}), "file");
    EXPECT_EQ(best_of(recorded), 2u) << name;
    EXPECT_DOUBLE_EQ(recorded.fraction(recorded.points[1].evaluation.time), 0.5) << name;
    EXPECT_DOUBLE_EQ(recorded.value(2), 100) << name;
  }
  for (const char* name : {"energy", "score", "cost"})
    EXPECT_EQ(best_of(read_t4(rate_t4(name, "", {"20", "50", "100"}), "file")), 0u) << name;
}

TEST(Objectives, HaveTheirUnit) {
  for (const auto& [name, unit, seconds] :
       std::vector<std::tuple<std::string, std::string, double>>{{"TotalDuration", "Microseconds", 1e-6},
                                                                 {"time", "s", 1},
                                                                 {"time", "", 1e-3},
                                                                 {"time", "ns", 1e-9},
                                                                 {"time_us", "", 1e-6},
                                                                 {"Time (s)", "", 1},
                                                                 {"t", "miliseconds", 1e-3}})
    EXPECT_DOUBLE_EQ(read_t4(rate_t4(name, unit, {"3", "2", "4"}), "file").optimum(), 2 * seconds)
        << name << unit;
  std::string microseconds = rate_t4("time", "", {"3", "2"});
  microseconds.replace(microseconds.find("milliseconds"), 12, "microseconds");
  EXPECT_DOUBLE_EQ(read_t4(microseconds, "file").optimum(), 2e-6);
}

TEST(Objectives, OfZeroAndLessAreValues) {
  const RecordedSpace recorded = read_t4(rate_t4("score", "", {"-1", "0", "3", "-5"}), "file");
  EXPECT_EQ(recorded.usable(), 4u);
  EXPECT_EQ(best_of(recorded), 3u);
  EXPECT_DOUBLE_EQ(recorded.fraction(recorded.points[3].evaluation.time), 1);
  EXPECT_DOUBLE_EQ(recorded.fraction(recorded.points[2].evaluation.time), 0);
  EXPECT_DOUBLE_EQ(recorded.fraction(recorded.points[0].evaluation.time), 0.5);
  EXPECT_EQ(best_of(read_t4(rate_t4("GB/s", "", {"0", "3"}), "file")), 1u);
  EXPECT_EQ(read_t4(rate_t4("time", "", {"0", "-3", "1"}), "file").usable(),
            1u);  // 0 and -3 are no valid times
  EXPECT_EQ(read_t4(rate_t4("score", "", {"-1e20", "1e308", "1"}), "file").usable(), 1u);
}

TEST(Objectives, OfSeveralValuesAreTheirMedian) {
  EXPECT_DOUBLE_EQ(read_t4(rate_t4("time", "", {"[9, 1, 2]", "\"3.5\""}), "file").optimum(), 2e-3);
  EXPECT_EQ(read_t4(rate_t4("time", "", {"[]", "[\"x\"]", "1"}), "file").usable(), 1u);
}

// The schema requires configuration, times, invalidity and correctness, and allows any values in a
// configuration.
TEST(T4, IsReadAsItsSchemaAllows) {
  const std::string bare = R"({"results": [
    {"configuration": {"x": 1}, "times": {"runtimes": [4, 2, 3]}, "invalidity": "correct", "correctness": 1},
    {"configuration": {"x": [1, 2], "y": null}, "times": {}, "invalidity": "compile", "correctness": 0},
    {"configuration": {"y": 2}, "times": {}, "invalidity": "correct", "correctness": 1, "objectives": [],
     "measurements": [{"name": "time", "value": 5}]}]})";
  const RecordedSpace recorded = read_recorded(bare, "file");
  ASSERT_EQ(recorded.space.size(), 3u);
  EXPECT_EQ(recorded.space.axes().size(), 2u);
  EXPECT_DOUBLE_EQ(recorded.points[0].evaluation.time, 3e-3);
  EXPECT_DOUBLE_EQ(recorded.points[2].evaluation.time, 5e-3);
  EXPECT_EQ(json::parse(write_t4(recorded)), json::parse(bare));
}

const std::string rate_cache = R"({"device_name": "GPU", "kernel_name": "k", "tune_params_keys": ["bx", "on"],
 "tune_params": {"bx": [32, 64], "on": [true, false]}, "objective": "GFLOP/s", "cache": {
 "32,True": {"bx": 32, "on": true, "time": 2.0, "GFLOP/s": 50.0},
 "64,True": {"bx": 64, "on": true, "time": 1.0, "GFLOP/s": 100.0},
 "32,False": {"bx": 32, "on": false, "time": "InvalidConfig", "__error__": "InvalidConfig"},
 "64,False": {"bx": 64, "on": false, "time": "RuntimeFailedConfig"}}})";

TEST(KernelTuner, GivesItsObjective) {
  const RecordedSpace recorded = read_recorded(rate_cache, "file");
  const auto at = [&](Choice bx, Choice on) { return *recorded.space.find(std::vector<Choice>{bx, on}); };
  EXPECT_EQ(best_of(recorded), at(1, 1));
  EXPECT_EQ(recorded.points[at(1, 0)].evaluation.reason, "RuntimeFailedConfig");
  std::string list = rate_cache;  // newer versions store a list
  list.replace(list.find("\"GFLOP/s\""), 9, "[\"GFLOP/s\"]");
  EXPECT_EQ(best_of(read_recorded(list, "file")), at(1, 1));
  std::string said = rate_cache;
  said.replace(said.find("\"objective\""), 11, "\"objective_higher_is_better\": false, \"objective\"");
  EXPECT_EQ(best_of(read_recorded(said, "file")), at(0, 1));
}

TEST(KernelTuner, GivesTheCompletePointsOfACacheThatIsCutAnywhere) {
  const std::size_t begin = cache.find("\"32,True\"");
  std::size_t points = 0;
  for (std::size_t end = begin; end < cache.size(); ++end) {
    const std::size_t complete =
        static_cast<std::size_t>(std::count(cache.begin() + static_cast<std::ptrdiff_t>(begin),
                                            cache.begin() + static_cast<std::ptrdiff_t>(end), '}'));
    if (complete == 0) continue;
    points = read_recorded(cache.substr(0, end), "file").space.size();
    ASSERT_EQ(points, complete) << cache.substr(begin, end - begin);
  }
  EXPECT_EQ(points, 4u);
  EXPECT_NE(refusal(cache.substr(0, begin), read_recorded).find("holds no measured tuning"),
            std::string::npos);
}

// Repairs an incomplete cache as Kernel Tuner does (kernel_tuner/util.py, correct_open_cache and read_cache),
// independently of Sextant's reader.
json as_kernel_tuner_reads(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  if (!text.ends_with("}\n}") && !text.ends_with("}}}")) {
    if (text.ends_with(",")) text.pop_back();
    text += "}\n}";
  }
  return json::parse(text);
}

// Checks that Kernel Tuner can read a cache. A key is the values as Python prints them. A failure has one of
// Kernel Tuner's words under __error__. Every other entry has a number under the objective.
void expect_cache_of_kernel_tuner(const std::string& text) {
  const json read = as_kernel_tuner_reads(text);
  for (const char* key : {"device_name", "kernel_name", "tune_params_keys", "tune_params"})
    EXPECT_TRUE(read.contains(key)) << key;
  const std::string objective = read.value("objective", "time");
  for (const auto& [key, entry] : read.at("cache").items()) {
    std::string expected;
    for (const std::string name : read.at("tune_params_keys")) {
      const json& value = entry.at(name);
      EXPECT_NE(std::ranges::find(read["tune_params"][name], value), read["tune_params"][name].end());
      expected += (expected.empty() ? "" : ",") + (value.is_boolean()
                                                       ? std::string(value.get<bool>() ? "True" : "False")
                                                   : value.is_string() ? value.get<std::string>()
                                                                       : value.dump());
    }
    EXPECT_EQ(key, expected);
    static const std::set<std::string> errors = {"ErrorConfig", "InvalidConfig", "CompilationFailedConfig",
                                                 "RuntimeFailedConfig"};
    const bool failed = std::ranges::any_of(
        entry, [&](const json& one) { return one.is_string() && errors.count(one.get<std::string>()) != 0; });
    if (entry.contains("__error__")) {
      EXPECT_EQ(errors.count(entry["__error__"].get<std::string>()), 1u);
    }
    if (!failed) {
      EXPECT_TRUE(entry.at(objective).is_number()) << entry;
    }
  }
}

TEST(KernelTuner, ReadsWhatIsExportedForIt) {
  for (const std::string& text : {t4, rate_cache, compact, rate_t4("score", "", {"-1", "0", "3"})}) {
    const RecordedSpace recorded = read_recorded(text, "file");
    const std::string written = write_kernel_tuner(recorded);
    expect_cache_of_kernel_tuner(written);
    EXPECT_EQ(as_kernel_tuner_reads(written)["cache"].size(), recorded.space.size());
    EXPECT_EQ(read_recorded(written, "again").usable(), recorded.usable());
  }
  const json rates =
      as_kernel_tuner_reads(write_kernel_tuner(read_t4(rate_t4("GFLOP/s", "", {"20", "50"}), "f")));
  EXPECT_EQ(rates["objective"], "GFLOP/s");
  EXPECT_EQ(rates["cache"]["1"]["GFLOP/s"], 50.0);
  EXPECT_FALSE(rates["cache"]["1"].contains("time"));
}

// A cache stores no units, so times must be read back unchanged whatever their unit was.
TEST(KernelTuner, KeepsTimesOfAnyNameAndUnit) {
  for (const auto& [name, unit] : std::vector<std::pair<std::string, std::string>>{
           {"TotalDuration", "Microseconds"}, {"time_us", "ms"}, {"time_us", ""}, {"t", "s"}}) {
    const RecordedSpace recorded = read_t4(rate_t4(name, unit, {"3", "2"}), "file");
    EXPECT_DOUBLE_EQ(read_recorded(write_kernel_tuner(recorded), "again").optimum(), recorded.optimum())
        << name << unit;
  }
  EXPECT_NE(test::refusal([] {
              write_kernel_tuner(read_t4(rate_t4("time", "GB", {"3"}), "file"));
            }).find("it stores only times"),
            std::string::npos);
}

// The schema of T4 1.0.0 demands certain keys and types, and allows only these words for invalidity.
TEST(T4, IsWrittenByItsSchema) {
  static const std::set<std::string> words = {"timeout",     "compile",     "runtime",
                                              "correctness", "constraints", "correct"};
  for (const std::string& text : {rate_cache, cache, compact}) {
    const json written = json::parse(write_t4(read_recorded(text, "file")));
    EXPECT_EQ(written["schema_version"], "1.0.0");
    for (const json& result : written.at("results")) {
      EXPECT_TRUE(result.at("configuration").is_object());
      EXPECT_TRUE(result.at("times").at("runtimes").is_array());
      EXPECT_TRUE(result.at("times").at("compilation_time").is_number());
      EXPECT_TRUE(result.at("correctness").is_number());
      EXPECT_EQ(words.count(result.at("invalidity").get<std::string>()), 1u);
      EXPECT_EQ(result.at("objectives").at(0), result.at("measurements").at(0).at("name"));
    }
  }
  const RecordedSpace rate = read_recorded(write_t4(read_recorded(rate_cache, "file")), "again");
  EXPECT_EQ(rate.objective.name, "GFLOP/s");
  EXPECT_TRUE(rate.objective.maximised);
  EXPECT_NE(refusal(rate_cache,
                    [](const std::string& text, const std::string& name) {
                      return read_compact(write_compact(read_recorded(text, name)), name);
                    })
                .find("has measured GFLOP/s"),
            std::string::npos);
}

TEST(Ktt, GivesWhatItWritesItself) {
  const std::string ktt = R"({"Metadata": {"ComputeApi": "CUDA", "TimeUnit": "Microseconds"}, "Results": [
    {"KernelName": "k", "Status": "Ok", "TotalDuration": 16.5, "ComputationResults": [],
     "Configuration": [{"Name": "X", "Value": 1, "ValueType": "Int"}, {"Name": "B", "Value": true, "ValueType": "Bool"}]},
    {"KernelName": "k", "Status": "Ok", "TotalDuration": 8.25,
     "Configuration": [{"Name": "X", "Value": 2, "ValueType": "Int"}, {"Name": "B", "Value": true, "ValueType": "Bool"}]},
    {"KernelName": "k", "Status": "ValidationFailed", "TotalDuration": 1,
     "Configuration": [{"Name": "B", "Value": false, "ValueType": "Bool"}, {"Name": "X", "Value": 2, "ValueType": "Int"}]},
    {"KernelName": "k", "Status": "DeviceLimitsExceeded", "TotalDuration": 1.8e16,
     "Configuration": [{"Name": "X", "Value": 4, "ValueType": "Int"}, {"Name": "B", "Value": false}]}]})";
  const RecordedSpace recorded = read_recorded(ktt, "file");
  ASSERT_EQ(recorded.space.size(), 4u);
  EXPECT_EQ(recorded.usable(), 2u);
  EXPECT_DOUBLE_EQ(recorded.optimum(), 8.25e-6);
  EXPECT_EQ(recorded.points[2].evaluation.status, Status::wrong);
  EXPECT_EQ(recorded.points[3].evaluation.reason, "DeviceLimitsExceeded");
  EXPECT_DOUBLE_EQ(read_recorded(write_t4(recorded), "t4").optimum(), 8.25e-6);
  EXPECT_NE(refusal("<?xml version=\"1.0\"?>", read_recorded).find("XML"), std::string::npos);
}

// A conversion between formats keeps tunings, choices, times and failures.
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
      refusal("{\"Metadata\": {\"TimeUnit\": \"Days\"}, \"Results\": []}", read_recorded),
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
  add(other);  // belongs to another problem
  for (const int block : {32, 64}) {
    Measurement zeros = measured(block, 1, 1e-6, true);
    zeros.what.fill = InputFill::zeros;  // no times of usual inputs
    add(zeros);
  }
  const std::vector<RecordedSpace> spaces = recorded_spaces(results);
  ASSERT_EQ(spaces.size(), 1u);
  EXPECT_EQ(spaces[0].space.size(), 4u);
  EXPECT_EQ(spaces[0].usable(), 3u);
  EXPECT_DOUBLE_EQ(spaces[0].optimum(), 1e-3);  // device time
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
  // Untried tunings get the value of their nearest neighbour. Failed and slow ones keep their value.
  EXPECT_EQ(prior.sources[0], (std::vector<float>{0, 0, 0, std::log(4.0f)}));
}

}  // namespace
}  // namespace sextant::tuner
