// Tests that results of a user kernel can be read without its source and its compiled images.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli_process.hpp"

namespace sextant {
namespace {

using Arguments = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

const std::string source = R"own(/* sextant
name = "doubled"
formula = "y[i] = 2*x[i]"
types = ["float"]
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "y", role = "out", length = "n" } ]
work = { flops = "n" }
reference = "serial.baseline"
tolerance = { absolute = 0, reason = "a doubling is exact" }
[variant."serial.baseline"]
function = "twice"
arguments = ["n", "x", "y"]
[variant."serial.steps"]
function = "in_steps"
arguments = ["n", "x", "y"]
tune = { steps = [1, 2] }
*/
void twice(long n, const T* x, T* y) { for (long i = 0; i < n; ++i) y[i] = 2 * x[i]; }
#ifdef steps
void in_steps(long n, const T* x, T* y) {
  for (int s = 0; s < steps; ++s)
    for (long i = s; i < n; i += steps) y[i] = 2 * x[i];
}
#endif
)own";

class Results : public testing::Test {
 protected:
  Ran run(const Arguments& arguments) const {
    return run_sextant(arguments, {"SEXTANT_CACHE=" + folder_.path("cache")});
  }
  // Measures and tunes a user kernel, and then deletes its source.
  std::string measured(const std::string& text, const std::string& name) const {
    const std::string file = folder_.path("doubled.cpp"), results = folder_.path(name);
    std::ofstream(file) << text;
    const Arguments selection = {"--load", file, "-n", "20000", "--samples", "2:3", "-o", results};
    for (const std::string command : {"run", "tune"}) {
      Arguments arguments = {command};
      arguments.insert(arguments.end(), selection.begin(), selection.end());
      if (command == "run") arguments.insert(arguments.end(), {"--no-ceilings", "--visits", "1"});
      const Ran ran = run(arguments);
      EXPECT_EQ(ran.exit_code, 0) << command << ran.out << ran.err;
    }
    std::filesystem::remove(file);
    std::filesystem::remove_all(folder_.path("cache"));
    return results;
  }
  const Folder folder_;
};

TEST_F(Results, AreShownExportedReportedAndComparedWithoutTheKernel) {
  const std::string first = measured(source, "first.sextant"),
                    second = measured(source + "// another\n", "second.sextant"),
                    page = folder_.path("r.html");
  const struct {
    Arguments command;
    std::string says;
  } all[] = {{{"show", first}, " cases: every result was right"},
             {{"show", first, "--by", "variants"}, "doubled"},
             {{"show", first, "--by", "all"}, "serial.steps"},
             {{"show", first, "--by", "search"}, "doubled serial.steps float 20000"},
             {{"export", first, "--format", "csv"}, "doubled,own,serial,serial.steps,float,20000"},
             {{"export", first, "--format", "ndjson"}, "\"doubled\""},
             {{"export", first, "--format", "header"}, "DOUBLED_SERIAL_STEPS_FLOAT_20000_STEPS"},
             {{"compare", first, second}, "plugin.doubled: "},
             {{"compare", first, second, "--format", "csv", "--all"}, "doubled"}};
  for (const auto& [command, says] : all) {
    const Ran ran = run(command);
    EXPECT_EQ(ran.exit_code, 0) << command[0] << ran.err;
    EXPECT_TRUE(contains(ran.out, says)) << command[0] << " " << command.back() << ": " << says << "\n"
                                         << ran.out;
  }
  EXPECT_EQ(run({"report", first, second, "-o", page}).exit_code, 0);
  EXPECT_TRUE(contains(content(page), "y[i] = 2*x[i]"));
  const Ran again = run({"run", "--load", folder_.path("doubled.cpp"), "-n", "20000"});
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_TRUE(contains(again.err, "there is no file")) << again.err;
}

// A kernel with arrays of four types. T is the type of the case.
const std::string typed = R"own(/* sextant
name = "typed"
types = ["float", "double"]
sizes = { n = "N / 4" }
arrays = [ { name = "x", role = "in", length = "n", type = "float" },
           { name = "scale", role = "in", length = "n", type = "int" },
           { name = "mask", role = "in", length = "n", type = "uint8" },
           { name = "y", role = "out", length = "n" } ]
reference = "serial.baseline"
tolerance = { absolute = 0, reason = "factors of two are exact" }
[variant."serial.baseline"]
function = "typed"
arguments = ["n", "x", "scale", "mask", "y"]
*/
void typed(long n, const float* x, const int* scale, const unsigned char* mask, T* y) {
  for (long i = 0; i < n; ++i) y[i] = T(x[i]) * (scale[i] > 0 ? 2 : mask[i] > 9 ? 4 : 8);
}
)own";

TEST_F(Results, HaveTheTypeOfEachArray) {
  const std::string file = folder_.path("typed.cpp"), results = folder_.path("typed.sextant");
  std::ofstream(file) << typed;
  const Ran ran = run({"run", "--load", file, "-n", "20000", "--samples", "2:3", "--no-ceilings", "--visits",
                       "1", "-o", results});
  ASSERT_EQ(ran.exit_code, 0) << ran.out << ran.err;
  std::filesystem::remove(file);
  for (const Arguments& command : {Arguments{"export", results},
                                   {"export", results, "--format", "ndjson"},
                                   {"show", results, "--by", "variants", "--json"},
                                   {"show", results, "--json"}}) {
    const std::string out = run(command).out;
    for (const std::string type : {"float", "double"})
      EXPECT_TRUE(contains(out, "x:float scale:int mask:uint8 y:" + type)) << command[0] << out;
  }
}

// A kernel with a tunable that selects types and one that selects a compiler option. Results show the chosen
// value as text, with and without the source.
const std::string texts = R"own(/* sextant
name = "halved"
types = ["float"]
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "y", role = "out", length = "n" } ]
reference = "serial.baseline"
tolerance = { absolute = 0, reason = "a halving is exact" }
[variant."serial.baseline"]
function = "halve"
arguments = ["n", "x", "y"]
[variant."serial.index"]
function = "halve_by"
arguments = ["n", "x", "y"]
tune = { index = ["unsigned int", "long"], flag.level = ["-O1", ""] }
*/
void halve(long n, const T* x, T* y) { for (long i = 0; i < n; ++i) y[i] = x[i] / 2; }
#ifdef index
void halve_by(index n, const T* x, T* y) { for (index i = 0; i < n; ++i) y[i] = x[i] / 2; }
#endif
)own";

class Texts : public Results {
 protected:
  void says(const Arguments& command, const std::string& text) const {
    const Ran ran = run(command);
    EXPECT_EQ(ran.exit_code, 0) << command[0] << ran.err;
    EXPECT_TRUE(contains(ran.out, text)) << command[0] << " " << command.back() << ": " << text << "\n"
                                         << ran.out;
  }
  static constexpr const char* chosen = "index=\"unsigned int\"";
  static constexpr const char* option = "flag.level=-O1";
};

TEST_F(Texts, AreShownInPlaceOfNumbers) {
  const std::string file = folder_.path("halved.cpp"), results = folder_.path("r.sextant");
  std::ofstream(file) << texts;
  const Arguments measure = {"--load", file, "-n", "20000", "--samples", "2:3", "-o", results};
  Arguments all = {"run", "--no-ceilings", "--visits", "1", "-t", "all"}, search = {"tune"};
  all.insert(all.end(), measure.begin(), measure.end());
  search.insert(search.end(), measure.begin(), measure.end());
  says(all, chosen);
  const auto names_a_winner = [](const std::string& text) {
    return contains(text, "index=long") || contains(text, chosen);
  };
  const Ran tuned = run(search);
  EXPECT_TRUE(names_a_winner(tuned.out)) << tuned.out << tuned.err;
  std::filesystem::remove(file);
  says({"show", results, "--by", "tuning"}, chosen);
  says({"show", results, "--by", "tuning"}, option);
  EXPECT_TRUE(names_a_winner(run({"show", results, "--by", "search"}).out));
  says({"show", results, "--by", "variants", "--json"}, "index=");
  says({"show", results, "--by", "variants", "-t", "flag.level=-O1"}, "serial.index");
  says({"export", results, "--format", "csv"}, "unsigned int");
  says({"export", results, "--format", "t4"}, "\"index\": \"unsigned int\"");
  const std::string page = folder_.path("r.html");
  EXPECT_EQ(run({"report", results, "-o", page}).exit_code, 0);
  const std::string drawn = content(page);  // includes only the fastest tuning
  EXPECT_TRUE(contains(drawn, "index=long") || contains(drawn, "unsigned int"));
  EXPECT_FALSE(contains(drawn, "index=0") || contains(drawn, "index=1"));
}

// Only the default tuning remains, so it wins.
TEST_F(Texts, AreAskedForAndExported) {
  const std::string file = folder_.path("halved.cpp"), results = folder_.path("r.sextant");
  std::ofstream(file) << texts;
  Arguments tune = {"tune",
                    "--load",
                    file,
                    "-n",
                    "20000",
                    "--samples",
                    "2:3",
                    "-o",
                    results,
                    "-t",
                    "index=\"unsigned int\"",
                    "-t",
                    "flag.level=-O1"};
  says(tune, std::string(chosen) + " " + option);
  tune.back() = "flag.level=-O7";
  const Ran refused = run(tune);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(contains(refused.err, "flag.level cannot be -O7. Its possible values are -O1, \"\"."))
      << refused.err;
  std::filesystem::remove(file);
  says({"export", results, "--format", "header"}, "HALVED_SERIAL_INDEX_FLOAT_20000_INDEX unsigned int\n");
  says({"export", results, "--format", "header"}, "20000_FLAG_LEVEL \"-O1\"\n");
  says({"export", results, "--format", "tunings"}, "\"index\": \"unsigned int\"");
  EXPECT_EQ(run({"merge", results, "-o", folder_.path("merged.sextant")}).exit_code, 0);
  says({"export", folder_.path("merged.sextant"), "--format", "csv", "-t", "flag.level=-O1"}, "unsigned int");
}

}  // namespace
}  // namespace sextant
