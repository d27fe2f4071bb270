// sextant show --by threads, and the note of the answer on gains that exceed the cores.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

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

// The -O2 loop takes 36 ms, the native one 4, OpenMP 2 ms on one thread and 1.1 on two.
void store(const std::string& path, const std::string& cores, bool one_thread = true) {
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
  if (one_thread) add("openmp.simd", 2e-3, {{"threads", 1}});
  add("openmp.simd", 1.1e-3, {{"threads", 2}});
  add("openmp.simd", 1.2e-3, {{"threads", 4}});
}

TEST(ShowThreads, HasSpeedUpAndEfficiencyNextToTheSerialLoops) {
  const TemporaryFolder folder;
  store(folder / "r", "2");
  store(folder / "without", "2", false);
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

TEST(ShowThreads, TheAnswerNotesAGainThatExceedsTheCores) {
  const TemporaryFolder folder;
  store(folder / "two", "2");
  store(folder / "many", "64");
  EXPECT_NE(run_sextant("show " + (folder / "two")).out.find("more than threads can"), std::string::npos);
  EXPECT_EQ(run_sextant("show " + (folder / "many")).out.find("more than threads can"), std::string::npos);
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
