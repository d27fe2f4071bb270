// sextant tune as a user meets it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "cli_process.hpp"

namespace sextant {
namespace {

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
  // 1 to 12 by 1 to 12, fastest at (9, 4) plus `shift`.
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
  void expect_refusal(const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
    const Ran ran = run_sextant(arguments);
    EXPECT_EQ(ran.exit_code, 2) << ran.err;
    for (const std::string& word : words)
      EXPECT_NE(ran.err.find(word), std::string::npos) << word << " is not in: " << ran.err;
  }
  Folder folder_;
};

TEST_F(Tune, ReplaysARecordedSpace) {
  const Ran ran = run_sextant(
      {"tune", "--replay", space("here.txt"), "--strategy", "model,exhaustive", "--seeds", "3", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("\"space\":\"here.txt\""), std::string::npos) << ran.out;
  // All 144 points were tried at the end, by both.
  const std::string last = ran.out.substr(ran.out.rfind("\"evaluations\":"));
  EXPECT_NE(last.find("\"evaluations\":200,\"mean\":1"), std::string::npos) << last;
  EXPECT_NE(ran.out.find("\"strategy\":\"exhaustive\""), std::string::npos);
}

TEST_F(Tune, WritesTrajectoriesOfEachSeed) {
  const std::string file = folder_.path("runs.jsonl");
  const Ran ran = run_sextant({"tune", "--replay", space("here.txt"), "--strategy", "random", "--seeds", "2",
                               "--budget", "3", "--trajectory", file});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::string text = read(file);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 7) << text;
  EXPECT_EQ(text.find("{\"block\": "), 0u) << text;
  EXPECT_NE(text.find("}\n\n{"), std::string::npos) << text;
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
  EXPECT_EQ(first({"--prior", there}), "{\"block\": 160, \"items\": 4}\n");  // the best there
  EXPECT_NE(first({"--prior", "none"}), "{\"block\": 160, \"items\": 4}\n");
  const Ran both = run_sextant({"tune", "--replay", here, there, "--prior", "others", "--json"});
  EXPECT_NE(both.out.find("\"priors\":1"), std::string::npos) << both.out;
}

// One point, one choice of a tunable, points that were never measured, times that are none: searches all the same.
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
      const Ran ran = run_sextant({"tune", "--replay", write(name, text), "--strategy", strategy, "--json"});
      EXPECT_EQ(ran.exit_code, 0) << name << ran.err;
      EXPECT_NE(ran.out.find("\"evaluations\":200,\"mean\":1.0"), std::string::npos)
          << name << strategy << ran.out;
    }
}

TEST_F(Tune, RefusesWhatItCannotReplay) {
  const std::string here = space("here.txt"), other = space("other.txt");
  expect_refusal({"tune", "--replay", folder_.path("none.txt")},
                 {"none.txt", "cannot be read", "sextant run -k"});
  expect_refusal({"tune", "--replay", write("foreign.json", "{\"a\": 1}")},
                 {"foreign.json", "not a T4", "sextant run -k"});
  expect_refusal({"tune", "--replay", folder_.path(".")},
                 {"is a folder without a data set", "--format data-set", "named itself: ", "/FILE"});
  expect_refusal({"tune", "--replay", write("empty.txt", "")}, {"empty.txt", "is empty", "sextant run -k"});
  expect_refusal({"tune", "--replay", write("failed.txt", "1 2\nx 2 1 2\n0 -1\n1 nan\n")},
                 {"failed.txt", "no point of it ever ran"});
  expect_refusal({"tune", "--replay", here, "--budget", "0"}, {"`0` of --budget", "at least 1"});
  expect_refusal({"tune", "--replay", here, "--budget", "10s"}, {"counts evaluations"});
  expect_refusal({"tune", "--replay", here, "--strategy", "modle"}, {"no strategy `modle`", "`model`"});
  expect_refusal({"tune", "--replay", here, "--prior", write("a.txt", "1 1\nz 1 1\n0 1\n")},
                 {"has the tunables"});
  expect_refusal({"tune", "--replay", here, other, "--trajectory", folder_.path("t")}, {"one space"});
  expect_refusal({"tune", "--replay", write("cut.gz", "\x1f\x8b\x08")}, {"cut.gz", "unpacked"});
  expect_refusal({"tune", "--replay", here, "-t", "block=99"}, {"as they are", "--tunings"});
  expect_refusal({"tune", "--replay", here, "-k", "triad"}, {"as they are", "--kernels"});
  expect_refusal({"tune", "--replay", write("list.json", "[1, 2]")},
                 {"list.json", "not a T4", "nor a cache"});
  expect_refusal({"tune", "--replay", write("none.txt", "1 0\nx 1 5\n")}, {"none.txt", "holds no point"});
}

class LiveTune : public Tune {
 protected:
  LiveTune() : file_(folder_.path("tuned.sextant")) {}
  Ran tune(const std::vector<std::string>& more) {
    std::vector<std::string> arguments = {"tune",  "-k", "stencil2d_4pt", "-v", "openmp.simd", "--type",
                                          "float", "-o", file_,           "-q"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_sextant(arguments);
  }
  // The text of a field of the only row of a JSON table.
  static std::string field(const std::string& json, const std::string& name) {
    const std::size_t begin = json.find("\"" + name + "\":");
    if (begin == std::string::npos) return "";
    const std::size_t value = begin + name.size() + 3;
    return json.substr(value, json.find_first_of(",}", value) - value);
  }
  std::string file_;
};

TEST_F(LiveTune, FindsATuningThatRunThenUses) {
  const Ran ran = tune({"-n", "7936", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(field(ran.out, "tried"), field(ran.out, "points")) << ran.out;
  EXPECT_EQ(field(ran.out, "ended"), "\"all points tried\"") << ran.out;
  EXPECT_NE(field(ran.out, "gain_low"), "null") << ran.out;
  const std::string tuning = field(ran.out, "tuning");
  ASSERT_NE(tuning.find("rows_per_iteration="), std::string::npos) << ran.out;
  const std::size_t begin = tuning.find('=') + 1;
  const std::string value = tuning.substr(begin, tuning.find_first_of(" \"", begin) - begin);

  const Ran used =
      run_sextant({"run", "-k", "stencil2d_4pt", "-v", "openmp.simd", "-n", "7936", "--type", "float", "-t",
                   "tuned=" + file_, "-o", folder_.path("r.sextant"), "--no-ceilings", "-q"});
  EXPECT_EQ(used.exit_code, 0) << used.err;
  const Ran exported = run_sextant({"export", folder_.path("r.sextant"), "--format", "ndjson"});
  EXPECT_NE(exported.out.find("\"tuning.rows_per_iteration\":" + value), std::string::npos) << exported.out;
}

const std::vector<std::string> triad = {"-k", "triad", "-v", "openmp.simd", "-n", "7936", "--type", "float"};

// `sextant COMMAND` on triad, with two OpenMP threads.
Ran with_two_threads(const char* command, const std::vector<std::string>& more) {
  std::vector<std::string> arguments = {command};
  arguments.insert(arguments.end(), triad.begin(), triad.end());
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_sextant(arguments, {"OMP_NUM_THREADS=2"});
}

TEST_F(LiveTune, SearchesThreadsWhereThereAreSeveral) {
  const Ran all = with_two_threads("tune", {"-o", file_, "-q", "--json"});
  EXPECT_EQ(all.exit_code, 0) << all.err;
  EXPECT_EQ(field(all.out, "points"), "2") << all.out;
  EXPECT_NE(field(all.out, "tuning").find("threads="), std::string::npos) << all.out;
  const Ran one = with_two_threads("tune", {"-t", "threads=1", "-o", file_, "-q", "--json"});
  EXPECT_EQ(field(one.out, "points"), "1") << one.out << one.err;
  const Ran alone = run_sextant({"tune", "-k", "triad", "-v", "openmp.simd", "-n", "7936", "-o", file_},
                                {"OMP_NUM_THREADS=1"});
  EXPECT_EQ(alone.exit_code, 2);
  EXPECT_NE(alone.err.find("no selected variant has a tunable"), std::string::npos) << alone.err;
  const Ran more = with_two_threads("tune", {"-t", "threads=3"});
  EXPECT_EQ(more.exit_code, 2);
  EXPECT_NE(more.err.find("OMP_NUM_THREADS"), std::string::npos) << more.err;
}

TEST_F(LiveTune, RunsOnTheThreadsThatWereFound) {
  const auto run = [&](const std::string& file, const std::string& tunings) {
    const Ran ran = with_two_threads("run", {"-t", tunings, "-o", folder_.path(file), "-q", "--no-ceilings"});
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return run_sextant({"export", folder_.path(file), "--format", "ndjson"}).out;
  };
  const std::string one = run("one.sextant", "threads=1");
  EXPECT_EQ(field(one, "tuning.threads"), "1") << one;
  EXPECT_EQ(field(one, "threads"), "1") << one;
  const std::string again = run("again.sextant", "tuned=" + folder_.path("one.sextant"));
  EXPECT_EQ(field(again, "tuning.threads"), "1") << again;
  // What had all of its machine's threads has all of this one's.
  run("all.sextant", "threads=2");
  const std::string all = run("each.sextant", "tuned=" + folder_.path("all.sextant"));
  EXPECT_EQ(field(all, "tuning.threads"), "") << all;
  EXPECT_EQ(field(all, "threads"), "2") << all;
}

TEST_F(LiveTune, ShowsAndExportsWhatItFound) {
  ASSERT_EQ(tune({"-n", "7936"}).exit_code, 0);
  const Ran shown = run_sextant({"show", file_, "--by", "search"});
  EXPECT_NE(shown.out.find("Best so far"), std::string::npos) << shown.out << shown.err;
  EXPECT_NE(shown.out.find("all points tried"), std::string::npos) << shown.out;
  EXPECT_NE(run_sextant({"show", file_, "--by", "search", "--json"}).out.find("\"best_so_far\""),
            std::string::npos);
  const Ran none = run_sextant({"show", file_, "--by", "search", "-k", "triad"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.err.find("it holds stencil2d_4pt openmp.simd float 7936"), std::string::npos) << none.err;
  const Ran header = run_sextant({"export", file_, "--format", "header"});
  EXPECT_NE(header.out.find("_STENCIL2D_4PT_OPENMP_SIMD_FLOAT_7936_ROWS_TOGETHER "), std::string::npos)
      << header.out;
  const Ran tunings = run_sextant({"export", file_, "--format", "tunings"});
  EXPECT_NE(tunings.out.find("\"rows_per_iteration\""), std::string::npos) << tunings.out << tunings.err;
  for (const char* format : {"t4", "kernel-tuner", "compact"}) {
    const std::string to = folder_.path(std::string("space.") + format);
    ASSERT_EQ(run_sextant({"export", file_, "--format", format, "-o", to}).exit_code, 0) << format;
    const Ran again = run_sextant({"tune", "--replay", to, "--strategy", "exhaustive", "--json"});
    EXPECT_NE(again.out.find("\"mean\":1"), std::string::npos) << format << again.out << again.err;
  }
}

TEST_F(LiveTune, ReplaysWhatItFoundUnderTheNameThatItHad) {
  ASSERT_EQ(tune({"-n", "7936"}).exit_code, 0);
  const Ran again = run_sextant({"tune", "--replay", file_, "--strategy", "random"});
  EXPECT_NE(again.out.find("stencil2d_4pt openmp.simd float 7936 62x62"), std::string::npos) << again.out;
  EXPECT_EQ(again.out.find('|'), std::string::npos) << again.out;
}

TEST_F(LiveTune, HoldsItsWinnerAgainstTheBestOfAnotherFile) {
  const std::string all = folder_.path("all.sextant");
  const Ran measured = run_sextant({"run", "-k", "stencil2d_4pt", "-v", "openmp.simd", "--type", "float",
                                    "-n", "7936", "-t", "all", "-o", all, "-q", "--no-ceilings"});
  ASSERT_EQ(measured.exit_code, 0) << measured.err;
  const Ran held = tune({"-n", "7936", "--against", all, "--json"});
  ASSERT_EQ(held.exit_code, 0) << held.err;
  EXPECT_GT(std::atof(field(held.out, "against").c_str()), 0) << held.out;
  EXPECT_GE(std::atoi(field(held.out, "against_points").c_str()), 2) << held.out;
  const Ran shown = run_sextant({"show", file_, "--by", "search"});
  EXPECT_NE(shown.out.find("Gain over the default in 1 search"), std::string::npos) << shown.out;
}

TEST_F(LiveTune, GoesOnWhereItsBudgetEnded) {
  const Ran first = tune({"-n", "7936,31744", "--budget", "1ms"});
  EXPECT_EQ(first.exit_code, 6) << first.err;
  const Ran second = tune({"-n", "7936,31744", "--json"});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  const Ran steps = run_sextant({"show", file_, "--by", "search", "--json"});
  EXPECT_NE(steps.out.find("\"known\":true"), std::string::npos) << steps.out;
  for (const char* size : {"31744", "124KiB"}) {
    const Ran one = run_sextant({"show", file_, "--by", "search", "--json", "-n", size});
    EXPECT_NE(one.out.find("\"n\":31744"), std::string::npos) << one.out;
    EXPECT_EQ(one.out.find("\"n\":7936"), std::string::npos) << one.out;
  }
  const Ran none = run_sextant({"show", file_, "--by", "search", "--type", "double"});
  EXPECT_NE(none.err.find("no search in the file matches"), std::string::npos) << none.err;
}

// What was concluded stays: nothing is measured again for it.
TEST_F(LiveTune, KeepsWhatItConcluded) {
  const Ran first = tune({"-n", "31744", "--json"}), second = tune({"-n", "31744", "--json"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(field(first.out, "gain_high"), "null") << first.out;
  for (const char* name : {"best", "gain_low", "gain", "gain_high", "tuning"})
    EXPECT_EQ(field(first.out, name), field(second.out, name)) << name;
}

TEST_F(LiveTune, FindsOneTuningForAllSizes) {
  const Ran ran = tune({"-n", "7936,31744,130560", "--one", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const std::size_t row = ran.out.find("\"space\":\"stencil2d_4pt openmp.simd float, 3 sizes\"");
  ASSERT_NE(row, std::string::npos) << ran.out;
  const std::string shared = ran.out.substr(row), tuning = field(shared, "tuning");
  EXPECT_NE(tuning.find("rows_per_iteration="), std::string::npos) << shared;
  EXPECT_NE(field(shared, "loss"), "null") << shared;
  const Ran kept = run_sextant({"export", file_, "--format", "header", "-o", folder_.path("tuned.h")});
  ASSERT_EQ(kept.exit_code, 0) << kept.err;
  std::ifstream header(folder_.path("tuned.h"));
  const std::string text{std::istreambuf_iterator<char>(header), {}};
  const std::string value = tuning.substr(tuning.find('=') + 1, 1);
  std::size_t defines = 0, same = 0;
  for (std::size_t at = text.find("ROWS_TOGETHER"); at != std::string::npos;
       at = text.find("ROWS_TOGETHER", at + 1)) {
    ++defines;
    same += text.substr(text.find_first_of(" \n", at) + 1, 1) == value;
  }
  EXPECT_GE(defines, 3u) << text;
  EXPECT_EQ(same, defines) << text;
  const Ran alone = tune({"-n", "7936,31744,130560"});  // each its own again
  EXPECT_EQ(alone.exit_code, 0) << alone.err;
  EXPECT_EQ(alone.out.find("one tuning for"), std::string::npos) << alone.out;
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
  EXPECT_NE(ran.err.find(" skipped: no GPU here (-v cuda"), std::string::npos) << ran.err;
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
  EXPECT_EQ(field(ran.out, "evaluations"), "2") << ran.out;
  EXPECT_FALSE(std::ifstream(file_).good());
}

TEST_F(LiveTune, TakesTheKernelsOfASuite) {
  const Ran ran = run_sextant({"tune", "--suite", "programs", "-v", "openmp", "--dry-run", "-o", file_});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("lbm_d3q15"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("triad"), std::string::npos) << ran.out;
  expect_refusal({"tune", "--suite", "programs", "--replay", "none.json"}, {"leave --suite out"});
}

TEST_F(LiveTune, RefusesWhatItCannotTune) {
  expect_refusal({"tune", "-k", "triad", "-v", "serial.baseline", "-n", "7936"},
                 {"no selected variant has a tunable"});
  expect_refusal({"tune", "-k", "stencil2d_4pt", "--seeds", "3"}, {"--seeds", "--replay"});
  expect_refusal({"tune", "-k", "stencil2d_4pt", "--dry-run", "--seed", "-1"},
                 {"--seed", "a whole number from 0 on, not -1"});
  expect_refusal({"tune", "-k", "stencil2d_4pt", "-v", "openmp.simd", "--by", "wall"}, {"`wall` of --by"});
  expect_refusal({"tune", "-k", "stencil2d_4pt", "-v", "openmp.simd", "-t", "rows_per_iteration=99"},
                 {"rows_per_iteration"});
  // Before anything is measured.
  const std::vector<std::string> live = {"tune", "-k",     "stencil2d_4pt", "-v", "openmp.simd", "-n",
                                         "7936", "--type", "float",         "-o", file_};
  const auto with = [&](const std::string& option, const std::string& value) {
    std::vector<std::string> arguments = live;
    arguments.insert(arguments.end(), {option, value});
    return arguments;
  };
  const std::string foreign = write("foreign.json", "{\"a\": 1}");
  expect_refusal(with("--prior", foreign), {"foreign.json", "no `results`"});
  expect_refusal(with("--prior", "others"), {"--prior others", "--replay"});
  expect_refusal(with("--against", foreign), {"foreign.json", "not a results file"});
  expect_refusal(with("--budget", "0"), {"at least 1"});
  expect_refusal(with("--budget", "0s"), {"no duration"});
  EXPECT_FALSE(std::ifstream(file_).good());
  const Ran other =
      tune({"-n", "7936", "--prior", space("other.txt"), "--strategy", "model", "--budget", "2"});
  EXPECT_EQ(other.exit_code, 0) << other.err;
  expect_refusal({"run", "-k", "stencil2d_4pt", "-t", "tuned=" + folder_.path("none"), "--dry-run"},
                 {"no such file"});
  expect_refusal({"run", "-k", "stencil2d_4pt", "-t", "tuned=a", "-t", "rows_per_iteration=2", "--dry-run"},
                 {"stands for all tunings"});
}

}  // namespace
}  // namespace sextant
