// Tests of `sextant tune` as a user calls it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "cli_process.hpp"
#include "golden.hpp"
#include "stand_in_power.hpp"

namespace sextant {
namespace {

using Json = nlohmann::json;

// Parses the rows of a --json table or of an NDJSON export.
Json rows_of(const Ran& ran) {
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  Json rows = Json::parse(ran.out, nullptr, false);
  if (!rows.is_discarded()) return rows.is_array() ? rows : Json::array({rows});
  rows = Json::array();
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) rows.push_back(Json::parse(line, nullptr, false));
  return rows;
}

// Returns the distinct texts of a field.
std::set<std::string> all_of(const Json& rows, const char* name) {
  std::set<std::string> texts;
  for (const Json& row : rows) texts.insert(row.at(name).get<std::string>());
  return texts;
}

class Tune : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path(name)) << text;
    return folder_.path(name);
  }
  static std::string read(const std::string& path) {
    std::ifstream file(path);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  // Writes a recorded space of 12 x 12 tunings. The fastest has the indices (9, 4), moved by `shift`.
  std::string space(const std::string& name, int shift = 0) {
    std::ostringstream text;
    text << "2 144\nblock 12";
    for (int i = 1; i <= 12; ++i) text << ' ' << 16 * i;
    text << "\nitems 12";
    for (int i = 1; i <= 12; ++i) text << ' ' << i;
    text << '\n';
    for (int x = 0; x < 12; ++x)
      for (int y = 0; y < 12; ++y)
        text << x << ' ' << y << ' ' << 1 + 0.1 * (x - 8 - shift) * (x - 8 - shift) + 0.05 * (y - 3) * (y - 3)
             << '\n';
    return write(name, text.str());
  }
  // Expects that the program rejects the arguments, and appends the error message to said_.
  void expect_refusal(const std::vector<std::string>& arguments) {
    const Ran ran = run_sextant(arguments);
    EXPECT_EQ(ran.exit_code, 2) << ran.err;
    said_ += ran.err;
  }
  // Returns all error messages so far, without the folder's path.
  std::string said() const { return test::replaced(said_, folder_.path(""), ""); }
  Folder folder_;
  std::string said_;
};

TEST_F(Tune, ReplaysARecordedSpace) {
  const Json rows = rows_of(run_sextant(
      {"tune", "--replay", space("here.txt"), "--strategy", "model,exhaustive", "--seeds", "3", "--json"}));
  EXPECT_EQ(all_of(rows, "space"), std::set<std::string>{"here.txt"});
  EXPECT_EQ(all_of(rows, "strategy"), (std::set<std::string>{"model", "exhaustive"}));
  for (const Json& row : rows)  // both strategies tried all 144 points in the end
    if (row.at("evaluations") == 200) {
      EXPECT_EQ(row.at("mean"), 1) << row;
    }
  EXPECT_EQ(rows.back().at("evaluations"), 200);
}

TEST_F(Tune, WritesTrajectoriesOfEachSeed) {
  const std::string file = folder_.path("runs.jsonl");
  const Ran ran = run_sextant({"tune", "--replay", space("here.txt"), "--strategy", "random", "--seeds", "2",
                               "--budget", "3", "--trajectory", file});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string text = read(file);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7) << text;
  EXPECT_TRUE(text.starts_with("{\"block\": ")) << text;
  std::istringstream lines(text);
  std::vector<int> blank;
  int number = 0;
  for (std::string line; std::getline(lines, line); ++number)
    if (line.empty()) blank.push_back(number);
  EXPECT_EQ(blank, std::vector<int>{3}) << text;
}

TEST_F(Tune, LearnsFromOtherFiles) {
  const std::string here = space("here.txt"), there = space("there.txt", 1);
  const auto first = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {
        "tune", "--replay", here, "--budget", "1", "--trajectory", folder_.path("one.jsonl")};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ran ran = run_sextant(arguments);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return read(folder_.path("one.jsonl"));
  };
  EXPECT_EQ(first({"--prior", there}),
            "{\"block\": 160, \"items\": 4}\n");  // the best point of the other file
  EXPECT_NE(first({"--prior", "none"}), "{\"block\": 160, \"items\": 4}\n");
  const Json both = rows_of(run_sextant({"tune", "--replay", here, there, "--prior", "others", "--json"}));
  EXPECT_EQ(both.at(0).at("priors"), 1) << both;
}

// Searches must work on unusual spaces: one point, a tunable with one choice, points without a measurement,
// and invalid times.
TEST_F(Tune, ReplaysOddSpaces) {
  const std::pair<const char*, const char*> spaces[] = {
      {"point.txt", "1 1\nx 1 5\n0 3\n"},
      {"choice.txt", "2 3\nx 1 5\ny 3 1 2 3\n0 0 nan\n0 1 1\n0 2 2\n"},
      {"sparse.txt", "2 3\nx 9 1 2 3 4 5 6 7 8 9\ny 9 1 2 3 4 5 6 7 8 9\n0 0 3\n4 4 1\n8 8 2\n"},
      {"cache.json",
       "{\"tune_params_keys\": [\"x\"], \"tune_params\": {\"x\": [1, 2]}, \"cache\": "
       "{\"1\": {\"x\": 1, \"time\": NaN}, \"2\": {\"x\": 2, \"time\": 0.5}}}"}};
  for (const auto& [name, text] : spaces)
    for (const char* strategy : {"model", "local", "genetic", "random", "exhaustive"}) {
      const Json last =
          rows_of(run_sextant({"tune", "--replay", write(name, text), "--strategy", strategy, "--json"}))
              .back();
      EXPECT_EQ(last.at("evaluations"), 200) << name;
      EXPECT_EQ(last.at("mean"), 1) << name << last;
    }
}

TEST_F(Tune, RefusesWhatItCannotReplay) {
  const std::string here = space("here.txt"), other = space("other.txt");
  expect_refusal({"tune", "--replay", folder_.path("none.txt")});
  expect_refusal({"tune", "--replay", write("foreign.json", "{\"a\": 1}")});
  expect_refusal({"tune", "--replay", folder_.path(".")});
  expect_refusal({"tune", "--replay", write("empty.txt", "")});
  expect_refusal({"tune", "--replay", write("failed.txt", "1 2\nx 2 1 2\n0 -1\n1 nan\n")});
  expect_refusal({"tune", "--replay", here, "--budget", "0"});
  expect_refusal({"tune", "--replay", here, "--budget", "10s"});
  expect_refusal({"tune", "--replay", here, "--strategy", "modle"});
  expect_refusal({"tune", "--replay", here, "--prior", write("a.txt", "1 1\nz 1 1\n0 1\n")});
  expect_refusal({"tune", "--replay", here, other, "--trajectory", folder_.path("t")});
  expect_refusal({"tune", "--replay", write("cut.gz", "\x1f\x8b\x08")});
  expect_refusal({"tune", "--replay", here, "-t", "block=99"});
  expect_refusal({"tune", "--replay", here, "-k", "triad"});
  expect_refusal({"tune", "--replay", here, "--suite", "programs"});
  expect_refusal({"tune", "--replay", write("list.json", "[1, 2]")});
  expect_refusal({"tune", "--replay", write("none.txt", "1 0\nx 1 5\n")});
  test::expect_golden(said(), "cli/tune:replay");
}

class LiveTune : public Tune {
 protected:
  LiveTune() : file_(folder_.path("tuned.sextant")) {}
  Ran tune(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"tune",  "-k", "stencil2d_4pt", "-v", "openmp.simd",  "--type",
                                          "float", "-o", file_,           "-q", "--no-ceilings"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_sextant(arguments);
  }
  // Returns the values in the exported header whose names contain `part`.
  std::vector<std::string> values_in_header(const std::string& part) {
    std::vector<std::string> values;
    std::istringstream words(run_sextant({"export", file_, "--format", "header"}).out);
    for (std::string word; words >> word;)
      if (word.starts_with("SEXTANT_") && word.ends_with(part)) words >> values.emplace_back();
    return values;
  }
  // Returns "rows_per_iteration=4" from a row with a tuning.
  static std::string rows_per_iteration(const Json& row) {
    const std::string tuning = row.at("tuning");
    EXPECT_TRUE(tuning.starts_with("rows_per_iteration=")) << row;
    return tuning.substr(0, tuning.find(' '));
  }
  std::string file_;
};

TEST_F(LiveTune, FindsATuningThatRunThenUses) {
  const Json found = rows_of(tune({"-n", "7936", "--json"})).at(0);
  EXPECT_EQ(found.at("tried"), found.at("points")) << found;
  EXPECT_EQ(found.at("ended"), "all points tried");
  EXPECT_TRUE(found.at("gain_low").is_number()) << found;

  const Ran used =
      run_sextant({"run", "-k", "stencil2d_4pt", "-v", "openmp.simd", "-n", "7936", "--type", "float", "-t",
                   "tuned=" + file_, "-o", folder_.path("r.sextant"), "--no-ceilings", "-q"});
  EXPECT_EQ(used.exit_code, 0) << used.err;
  const Json run = rows_of(run_sextant({"export", folder_.path("r.sextant"), "--format", "ndjson"})).at(0);
  EXPECT_EQ("rows_per_iteration=" + run.at("tuning.rows_per_iteration").dump(), rows_per_iteration(found));
}

const std::vector<std::string> triad = {"-k", "triad", "-v", "openmp.simd", "-n", "7936", "--type", "float"};

// Runs `sextant COMMAND` on triad with two OpenMP threads.
Ran with_two_threads(const char* command, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {command};
  arguments.insert(arguments.end(), triad.begin(), triad.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_sextant(arguments, {"OMP_NUM_THREADS=2"});
}

TEST_F(LiveTune, SearchesThreadsWhereThereAreSeveral) {
  const Json all = rows_of(with_two_threads("tune", {"-o", file_, "-q", "--json"})).at(0);
  EXPECT_EQ(all.at("points"), 2) << all;
  EXPECT_TRUE(all.at("tuning").get<std::string>().starts_with("threads=")) << all;
  const Json one = rows_of(with_two_threads("tune", {"-t", "threads=1", "-o", file_, "-q", "--json"})).at(0);
  EXPECT_EQ(one.at("points"), 1) << one;
  const Ran alone = run_sextant({"tune", "-k", "triad", "-v", "openmp.simd", "-n", "7936", "-o", file_},
                                {"OMP_NUM_THREADS=1"});
  EXPECT_EQ(alone.exit_code, 2);
  const Ran more = with_two_threads("tune", {"-t", "threads=3"});
  EXPECT_EQ(more.exit_code, 2);
  test::expect_golden(alone.err + more.err, "cli/tune:threads");
}

TEST_F(LiveTune, RunsOnTheThreadsThatWereFound) {
  const auto run = [&](const std::string& file, const std::string& tunings) {
    const Ran ran = with_two_threads("run", {"-t", tunings, "-o", folder_.path(file), "-q", "--no-ceilings"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return rows_of(run_sextant({"export", folder_.path(file), "--format", "ndjson"})).at(0);
  };
  const Json one = run("one.sextant", "threads=1");
  EXPECT_EQ(one.at("tuning.threads"), 1) << one;
  EXPECT_EQ(one.at("threads"), 1) << one;
  const Json again = run("again.sextant", "tuned=" + folder_.path("one.sextant"));
  EXPECT_EQ(again.at("tuning.threads"), 1) << again;
  // A tuning that used all threads of its machine uses all threads here, too.
  run("all.sextant", "threads=2");
  const Json all = run("each.sextant", "tuned=" + folder_.path("all.sextant"));
  EXPECT_FALSE(all.contains("tuning.threads")) << all;
  EXPECT_EQ(all.at("threads"), 2) << all;
}

TEST_F(LiveTune, ShowsAndExportsWhatItFound) {
  ASSERT_EQ(tune({"-n", "7936"}).exit_code, 0);
  EXPECT_EQ(run_sextant({"show", file_, "--by", "search"}).exit_code, 0);
  EXPECT_GT(rows_of(run_sextant({"show", file_, "--by", "search", "--json"})).at(0).at("best_so_far"), 0);
  const Ran none = run_sextant({"show", file_, "--by", "search", "-k", "triad"});
  EXPECT_EQ(none.exit_code, 2);
  test::expect_golden(test::replaced(none.err, folder_.path(""), ""), "cli/tune:no search");
  EXPECT_EQ(values_in_header("_STENCIL2D_4PT_OPENMP_SIMD_FLOAT_7936_ROWS_PER_ITERATION").size(), 1u);
  const Json tunings = rows_of(run_sextant({"export", file_, "--format", "tunings"}));
  EXPECT_TRUE(tunings.at(0).at("tuning").contains("rows_per_iteration")) << tunings;
  for (const char* format : {"t4", "kernel-tuner", "compact"}) {
    const std::string to = folder_.path(std::string("space.") + format);
    ASSERT_EQ(run_sextant({"export", file_, "--format", format, "-o", to}).exit_code, 0) << format;
    const Json again = rows_of(run_sextant({"tune", "--replay", to, "--strategy", "exhaustive", "--json"}));
    EXPECT_EQ(again.back().at("mean"), 1) << format << again;
  }
}

TEST_F(LiveTune, ReplaysWhatItFoundUnderTheNameThatItHad) {
  ASSERT_EQ(tune({"-n", "7936"}).exit_code, 0);
  for (const std::string& space :
       all_of(rows_of(run_sextant({"tune", "--replay", file_, "--strategy", "random", "--json"})), "space")) {
    EXPECT_TRUE(space.starts_with("stencil2d_4pt openmp.simd float 7936 62x62")) << space;
    EXPECT_EQ(space.find('|'), std::string::npos) << space;
  }
}

TEST_F(LiveTune, HoldsItsWinnerAgainstTheBestOfAnotherFile) {
  const std::string all = folder_.path("all.sextant");
  const Ran measured = run_sextant({"run", "-k", "stencil2d_4pt", "-v", "openmp.simd", "--type", "float",
                                    "-n", "7936", "-t", "all", "-o", all, "-q", "--no-ceilings"});
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  const Json held = rows_of(tune({"-n", "7936", "--against", all, "--json"})).at(0);
  EXPECT_GT(held.at("against"), 0) << held;
  EXPECT_GE(held.at("against_points"), 2) << held;
}

TEST_F(LiveTune, GoesOnWhereItsBudgetEnded) {
  const Ran first = tune({"-n", "7936,31744", "--budget", "1ms"});
  EXPECT_EQ(first.exit_code, 6) << first.err;
  EXPECT_EQ(tune({"-n", "7936,31744"}).exit_code, 0);
  const Json steps = rows_of(run_sextant({"show", file_, "--by", "search", "--json"}));
  EXPECT_TRUE(std::any_of(steps.begin(), steps.end(), [](const Json& step) {
    return step.at("known") == true;
  })) << steps;
  for (const char* size : {"31744", "124KiB"})
    for (const Json& step : rows_of(run_sextant({"show", file_, "--by", "search", "--json", "-n", size})))
      EXPECT_EQ(step.at("n"), 31744);
  EXPECT_EQ(run_sextant({"show", file_, "--by", "search", "--type", "double"}).exit_code, 2);
}

// A second search reuses the stored result of a finished search.
TEST_F(LiveTune, KeepsWhatItConcluded) {
  const Json first = rows_of(tune({"-n", "31744", "--json"})).at(0),
             second = rows_of(tune({"-n", "31744", "--json"})).at(0);
  EXPECT_TRUE(first.at("gain_high").is_number()) << first;
  for (const char* name : {"best", "gain_low", "gain", "gain_high", "tuning"})
    EXPECT_EQ(first.at(name), second.at(name)) << name;
}

TEST_F(LiveTune, FindsOneTuningForAllSizes) {
  const Json rows = rows_of(tune({"-n", "7936,31744,130560", "--one", "--json"}));
  const auto shared = std::find_if(rows.begin(), rows.end(), [](const Json& row) {
    return row.at("space") == "stencil2d_4pt openmp.simd float, 3 sizes";
  });
  ASSERT_NE(shared, rows.end()) << rows;
  EXPECT_TRUE(shared->at("loss").is_number()) << *shared;
  const std::vector<std::string> values = values_in_header("ROWS_PER_ITERATION");
  EXPECT_GE(values.size(), 3u);
  for (const std::string& value : values)
    EXPECT_EQ("rows_per_iteration=" + value, rows_per_iteration(*shared));
  EXPECT_EQ(rows_of(tune({"-n", "7936,31744,130560", "--json"})).size(),
            3u);  // each size has its own tuning again
}

TEST_F(LiveTune, CountsInALineWhatHasNoGpuUnlessAskedForIt) {
  const Ran devices = run_sextant({"list", "devices"});
  if ((devices.out + devices.err).find("no GPU: ") == std::string::npos ||
      run_sextant({"list", "variants", "-k", "copy", "-v", "cuda"}).exit_code != 0)
    GTEST_SKIP() << "this build has no CUDA, or the machine has a GPU";
  const std::vector<std::string> all = {"tune",  "-k",       "copy", "-n", "300", "--type",
                                        "float", "--budget", "1",    "-o", file_};
  const Ran ran = run_sextant(all);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.err.find(" skipped: this machine has no GPU (list them with -v cuda"), std::string::npos)
      << ran.err;
  EXPECT_EQ(ran.out.find("cuda."), std::string::npos) << ran.out;
  std::vector<std::string> named = all;
  named.insert(named.end(), {"-v", "cuda"});
  const Ran asked = run_sextant(named);
  EXPECT_EQ(asked.exit_code, 5);
  EXPECT_NE(asked.out.find("cuda.vector"), std::string::npos) << asked.out;
}

TEST_F(LiveTune, SaysHowLargeTheSpacesAre) {
  const Ran ran = tune({"-n", "7936", "--dry-run", "--json", "--budget", "2"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(rows_of(ran).at(0).at("evaluations"), 2) << ran.out;
  EXPECT_GT(rows_of(ran).at(0).at("seconds"), 0) << ran.out;
  const Ran text = tune({"-n", "7936", "--dry-run", "--budget", "2"});
  EXPECT_NE(text.out.find("1 space, about "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find(", estimated "), std::string::npos) << text.out;
  const Ran more = tune({"-n", "7936", "--dry-run", "--json"});
  EXPECT_GT(rows_of(more).at(0).at("seconds"), rows_of(ran).at(0).at("seconds")) << more.out;
  EXPECT_FALSE(std::ifstream(file_).good());
}

TEST_F(LiveTune, TakesTheKernelsOfASuite) {
  for (const std::string& space : all_of(rows_of(run_sextant({"tune", "--suite", "programs", "-v", "openmp",
                                                              "--dry-run", "--json", "-o", file_})),
                                         "space"))
    EXPECT_TRUE(space.starts_with("lbm_d3q15 ")) << space;
}

TEST_F(LiveTune, MinimizesTheEnergy) {
  const StandInPower power(folder_.path("powercap"), 50);
  const Ran ran =
      run_sextant({"tune", "-k", "stencil2d_4pt", "-v", "openmp.simd", "-n", "7936", "--type", "float", "-t",
                   "rows_per_iteration=2", "--by", "energy", "--no-ceilings", "--json", "-o", file_});
  const Json row = rows_of(ran).at(0);
  EXPECT_EQ(row.at("goal"), "energy");
  EXPECT_GT(row.at("best"), 0) << row;
  const Json steps = rows_of(run_sextant({"show", file_, "--by", "search", "--json"}));
  EXPECT_EQ(steps.at(0).at("goal"), "energy");
  EXPECT_NE(run_sextant({"show", file_, "--by", "search"}).out.find("J "), std::string::npos);
  const Json cases = rows_of(run_sextant({"export", file_, "--format", "ndjson"}));
  const double joules = cases.at(0).at("energy"), seconds = cases.at(0).at("energy_time");
  EXPECT_NEAR(joules / seconds, 50, 10);
  EXPECT_NEAR(steps[0].at("time").get<double>(), joules, 1e-12);
}

TEST_F(LiveTune, NeedsTheEnergyThatItMinimizes) {
  ::setenv("SEXTANT_POWERCAP", folder_.path("none").c_str(), 1);
  for (const char* by : {"energy", "edp"}) {
    const Ran ran = run_sextant(
        {"tune", "-k", "stencil2d_4pt", "-v", "openmp.simd", "-n", "7936", "--by", by, "-o", file_});
    EXPECT_EQ(ran.exit_code, 5);
    EXPECT_NE(
        ran.err.find(std::string("--by ") + by + " needs the energy of calls on cpu, which is not known ("),
        std::string::npos)
        << ran.err;
    EXPECT_NE(ran.err.find("Choose --by device, or another device with -d."), std::string::npos) << ran.err;
  }
  ::unsetenv("SEXTANT_POWERCAP");
  EXPECT_FALSE(std::ifstream(file_).good()) << "nothing was measured";
}

TEST_F(LiveTune, RefusesWhatItCannotTune) {
  expect_refusal({"tune", "-k", "triad", "-v", "serial.baseline", "-n", "7936"});
  expect_refusal({"tune", "-k", "stencil2d_4pt", "--seeds", "3"});
  expect_refusal({"tune", "-k", "stencil2d_4pt", "--dry-run", "--seed", "-1"});
  expect_refusal({"tune", "-k", "stencil2d_4pt", "-v", "openmp.simd", "--by", "wall"});
  expect_refusal({"tune", "-k", "stencil2d_4pt", "-v", "openmp.simd", "-t", "rows_per_iteration=99"});
  // The following arguments must be rejected before anything is measured.
  const std::vector<std::string> live = {"tune", "-k",     "stencil2d_4pt", "-v", "openmp.simd", "-n",
                                         "7936", "--type", "float",         "-o", file_};
  const auto with = [&](const std::string& option, const std::string& value) {
    std::vector<std::string> arguments = live;
    arguments.insert(arguments.end(), {option, value});
    return arguments;
  };
  const std::string foreign = write("foreign.json", "{\"a\": 1}");
  expect_refusal(with("--prior", foreign));
  expect_refusal(with("--prior", "others"));
  expect_refusal(with("--against", foreign));
  expect_refusal(with("--budget", "0"));
  expect_refusal(with("--budget", "0s"));
  EXPECT_FALSE(std::ifstream(file_).good());
  const Ran other =
      tune({"-n", "7936", "--prior", space("other.txt"), "--strategy", "model", "--budget", "2"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  expect_refusal({"run", "-k", "stencil2d_4pt", "-t", "tuned=" + folder_.path("none"), "--dry-run"});
  expect_refusal({"run", "-k", "stencil2d_4pt", "-t", "tuned=a", "-t", "rows_per_iteration=2", "--dry-run"});
  test::expect_golden(said(), "cli/tune:refused");
}

}  // namespace
}  // namespace sextant
