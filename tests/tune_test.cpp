// sextant tune as a user meets it.
#include <gtest/gtest.h>

#include <algorithm>
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

TEST_F(Tune, RefusesWhatItCannotReplay) {
  const std::string here = space("here.txt"), other = space("other.txt");
  expect_refusal({"tune", "--replay", folder_.path("none.txt")}, {"none.txt", "cannot be read"});
  expect_refusal({"tune", "--replay", write("foreign.json", "{\"a\": 1}")}, {"foreign.json", "not a T4"});
  expect_refusal({"tune", "--replay", write("empty.txt", "")}, {"empty.txt", "is empty"});
  expect_refusal({"tune", "--replay", write("failed.txt", "1 2\nx 2 1 2\n0 -1\n1 nan\n")},
                 {"failed.txt", "no point of it ever ran"});
  expect_refusal({"tune", "--replay", here, "--budget", "0"}, {"`0` of --budget", "at least 1"});
  expect_refusal({"tune", "--replay", here, "--budget", "10s"}, {"counts evaluations"});
  expect_refusal({"tune", "--replay", here, "--strategy", "modle"}, {"no strategy `modle`", "`model`"});
  expect_refusal({"tune", "--replay", here, "--prior", write("a.txt", "1 1\nz 1 1\n0 1\n")},
                 {"has the tunables"});
  expect_refusal({"tune", "--replay", here, other, "--trajectory", folder_.path("t")}, {"one space"});
  expect_refusal({"tune", "--replay", write("cut.gz", "\x1f\x8b\x08")}, {"cut.gz", "unpacked"});
}

}  // namespace
}  // namespace sextant
