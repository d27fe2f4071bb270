// Tests of comparing two versions of a user kernel.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli_process.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using Arguments = std::vector<std::string>;

// Returns a kernel of this name. `value` is the expression that it writes for x.
std::string doubling(const std::string& name, const std::string& value) {
  return "/* sextant\nname = \"" + name + R"own("
types = ["float"]
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "y", role = "out", length = "n" } ]
reference = "serial.baseline"
tolerance = { absolute = 0, reason = "a doubling is exact" }
[variant."serial.baseline"]
function = "twice"
arguments = ["n", "x", "y"]
[variant."serial.other"]
function = "other"
arguments = ["n", "x", "y"]
[variant."serial.same"]
function = "twice"
arguments = ["n", "x", "y"]
*/
void twice(long n, const T* x, T* y) { for (long i = 0; i < n; ++i) y[i] = 2 * x[i]; }
void other(long n, const T* x, T* y) { for (long i = 0; i < n; ++i) y[i] = )own" +
         value + "; }\n";
}

class Versions : public testing::Test {
 protected:
  std::string version(const std::string& side, const std::string& text) const {
    std::filesystem::create_directories(folder_.path(side));
    const std::string file = folder_.path(side + "/mine.cpp");
    std::ofstream(file) << text;
    return file;
  }
  Ran compare(Arguments arguments) const {
    arguments.insert(arguments.begin(), "compare");
    arguments.insert(arguments.end(), {"-n", "20000", "--runs", "8", "-q", "--results",
                                       folder_.path("a.sextant") + "," + folder_.path("b.sextant")});
    return run_sextant(arguments, {"SEXTANT_CACHE=" + folder_.path("cache")});
  }
  Environment environment(const std::string& file) const {
    return ResultsFile(folder_.path(file), ResultsFile::Mode::read).load().sessions.at(0).environment;
  }
  void refuses(const Arguments& arguments, const std::string& part) const {
    const Ran ran = compare(arguments);
    EXPECT_EQ(ran.exit_code, 2) << ran.out;
    EXPECT_NE(ran.err.find(part), std::string::npos) << ran.err;
  }
  const Folder folder_;
};

TEST_F(Versions, AreMeasuredInTurnsEachByItsOwnCode) {
  const std::string old_file = version("old", doubling("doubled", "x[i] + x[i]"));
  const std::string new_file = version("new", doubling("doubled", "2 * x[i] + 1"));  // a wrong result
  const Ran ran = compare({"--loads", old_file + "," + new_file, "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const nlohmann::json report = nlohmann::json::parse(ran.out);
  const nlohmann::json& cases = report["comparisons"][0]["cases"];
  ASSERT_EQ(cases.size(), 3u) << report.dump(1);
  for (const nlohmann::json& one : cases) {
    if (one["variant"] == "serial.other")
      EXPECT_EQ(one["verdict"], "broken") << one.dump(1);
    else
      EXPECT_EQ(one["base_runs"], 8) << one.dump(1);
  }
  const Environment base = environment("a.sextant"), other = environment("b.sextant");
  EXPECT_FALSE(base.at("plugin.doubled").empty());
  EXPECT_NE(base.at("plugin.doubled"), other.at("plugin.doubled"));
}

// The new version changes its own file while it is measured. A new process would measure other code.
TEST_F(Versions, ThatChangeMeanwhileAreNotMeasured) {
  const std::string old_file = version("old", doubling("doubled", "2 * x[i]")),
                    new_file = folder_.path("new/mine.cpp");
  version("new", "#include <cstdlib>\n#include <fstream>\n" +
                     doubling("doubled",
                              "(std::ofstream(\"" + new_file +
                                  "\", std::ios::app) << \"// other\\n\" << std::flush, std::abort(), 0)"));
  const Ran ran = compare({"--loads", old_file + "," + new_file, "-v", "serial.other,serial.same", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const nlohmann::json cases = nlohmann::json::parse(ran.out)["comparisons"][0]["cases"];
  ASSERT_EQ(cases.size(), 2u) << cases.dump(1);
  EXPECT_EQ(cases[1]["verdict"], "broken") << cases.dump(1);
  EXPECT_NE(cases[1]["reason"].get<std::string>().find("changed while"), std::string::npos) << cases.dump(1);
}

TEST_F(Versions, OfOtherNamesAreCalledAlike) {
  const std::string both =
      version("old", doubling("first", "2 * x[i]")) + "," + version("new", doubling("second", "x[i] + x[i]"));
  refuses({"--loads", both}, "has no kernel first");
  const Ran ran = compare({"--loads", both, "--as", "mine", "--json"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(nlohmann::json::parse(ran.out)["comparisons"][0]["cases"].size(), 3u);
}

TEST_F(Versions, ThatCannotBeComparedAreRefused) {
  const std::string file = version("old", doubling("doubled", "2 * x[i]"));
  refuses({"--loads", file}, "two names");
  refuses({"--loads", file + "," + file}, "needs two different files");
  refuses({"--loads", file + ",/no/such.cpp"}, "/no/such.cpp");
  refuses({"--loads", file + "," + file, "--programs", "a,b"}, "Give only one of these options");
  refuses({"--loads", file + "," + file, "more.sextant"}, "needs no results files");
  refuses({"--programs", "a,b", "--as", "mine"}, "apply only to kernels that --loads");
}

}  // namespace
}  // namespace sextant
