// Tests of `show --by threads`, and of the note on a speed-up that exceeds the number of cores.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "command.hpp"
#include "golden.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using test::make_case;
using test::make_measurement;
using test::make_session;
using test::Outcome;
using test::run_sextant;
using test::TemporaryFolder;

using Times = std::vector<std::pair<int, double>>;  // pairs of threads and seconds; 0 stands for all threads

// Stores OpenMP cases with these times. Serial code takes 36 ms with -O2 and 4 ms with native options.
void store(const std::string& path, const std::string& cores,
           const Times& times = {{1, 2e-3}, {2, 1.1e-3}, {4, 1.2e-3}}) {
  ResultsFile file(path, ResultsFile::Mode::write);
  Session session = make_session();
  session.environment["cpu.cores"] = cores;
  session.environment["openmp.threads"] = cores;
  const std::int64_t id = file.begin_session(session);
  const auto add = [&](const std::string& variant, double seconds, Tuning tuning = {}) {
    file.add(id,
             make_measurement(
                 make_case("reduction", variant, 1 << 24, ElementType::float32, std::move(tuning)), seconds));
  };
  add("serial.baseline", 36e-3);
  add("serial.native", 4e-3);
  for (const auto& [threads, seconds] : times)
    add("openmp.simd", seconds, threads ? Tuning{{"threads", threads}} : Tuning{});
}

// Joins all words of the text with single spaces.
std::string flowing(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += word + " ";
  return line;
}

std::string shown(const std::string& arguments) { return flowing(run_sextant("show " + arguments).out); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ShowThreads, HasSpeedUpAndEfficiencyNextToTheSerialLoops) {
  const TemporaryFolder folder;
  store(folder / "r", "2");
  store(folder / "without", "2", {{2, 1.1e-3}, {4, 1.2e-3}});
  const Outcome table = run_sextant("show --by threads " + (folder / "r"));
  EXPECT_EQ(table.code, 0) << table.err;
  const Outcome without = run_sextant("show --by threads " + (folder / "without"));
  const Outcome none = run_sextant("show --by threads -v serial " + (folder / "r"));
  test::expect_golden(test::replaced(table.out + without.out + none.out, folder / "", ""),
                      "present/show_threads");
  const auto json = nlohmann::json::parse(run_sextant("show --by threads --json " + (folder / "r")).out);
  ASSERT_EQ(json.size(), 3u);
  EXPECT_NEAR(json[1]["speedup_self"].get<double>(), 2 / 1.1, 1e-9);
  EXPECT_NEAR(json[1]["efficiency"].get<double>(), 1 / 1.1, 1e-9);
  EXPECT_NEAR(json[1]["speedup_native"].get<double>(), 4 / 1.1, 1e-9);
}

TEST(ShowThreads, TheAnswerNotesAGainThatThreadsCannotGive) {
  const TemporaryFolder folder;
  store(folder / "two", "2", {{0, 1.1e-3}});
  store(folder / "many", "64", {{0, 1.1e-3}});
  store(folder / "several", "64");
  EXPECT_TRUE(has(shown(folder / "two"),
                  "32.7x as fast as the -O2 loop, on 2 cores: more than threads alone can gain."));
  EXPECT_TRUE(
      has(shown(folder / "two"), "`sextant run -t threads=1,2` and `show --by threads` measure both."));
  EXPECT_FALSE(has(shown(folder / "many"), "as fast as the -O2 loop"));
  const std::string several = shown(folder / "several");
  EXPECT_TRUE(has(several, "18.0x as fast as the -O2 loop, on one thread: that is the code of one thread"))
      << several;
  EXPECT_TRUE(has(several, "32.7x as fast as the -O2 loop, on 2 threads: more than threads alone can gain."))
      << several;
  EXPECT_TRUE(has(several, "`sextant show FILE --by threads` separates the two.")) << several;
}

TEST(ShowThreads, SaysWhereThreadsLoseAndWhyTheyMayGainMoreThanTheirNumber) {
  const TemporaryFolder folder;
  store(folder / "lose", "4", {{1, 2e-3}, {4, 2.5e-3}});
  store(folder / "more", "4", {{1, 2e-3}, {4, 0.3e-3}});
  const auto in_one_line = [&](const std::string& name) {
    return test::replaced(shown("--by threads " + (folder / name)), "\n    ", " ");
  };
  EXPECT_TRUE(has(in_one_line("lose"), "threads lose: 0.80x.")) << in_one_line("lose");
  EXPECT_FALSE(has(in_one_line("lose"), "Efficiency above"));
  EXPECT_TRUE(has(in_one_line("more"), "threads gain 6.67x. Efficiency above 100 %: "))
      << in_one_line("more");
}

TEST(Show, NamesNoNumberOfThreadsAsATuning) {
  const TemporaryFolder folder;
  store(folder / "r", "4");
  EXPECT_TRUE(has(shown("--by tuning " + (folder / "r")), "The file has no rows for this table"));
  {
    ResultsFile file(folder / "r", ResultsFile::Mode::write);
    const std::int64_t id = file.begin_session(make_session());
    const auto add = [&](std::int64_t n, const std::string& variant, Tuning tuning) {
      file.add(id, make_measurement(make_case("matmul", variant, n, ElementType::float32, std::move(tuning)),
                                    1e-3));
    };
    add(7936, "openmp.blocked", {{"tile_rows", 48}, {"threads", 2}});
    add(130560, "openmp.other", {{"depth", 8}, {"threads", 2}});
  }
  const std::string tuning = shown("--by tuning " + (folder / "r"));
  EXPECT_TRUE(has(tuning, "openmp tile_rows 48 depth 8")) << tuning;
  EXPECT_FALSE(has(tuning, "threads per block")) << tuning;
}

TEST(Show, HasTheSentencesAsJson) {
  const TemporaryFolder folder;
  store(folder / "r", "2");
  const auto json = nlohmann::json::parse(run_sextant("show --json " + (folder / "r")).out);
  EXPECT_EQ(json["advice"][0]["topic"], "Which model");
  EXPECT_FALSE(json["advice"][0]["text"].get<std::string>().empty());
  EXPECT_EQ(json["advice"].back()["topic"], "Threads");
}

}  // namespace
}  // namespace sextant
