// Results of a kernel of the user's own on a machine without it: its source is gone, and so is what was compiled of it.
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
  // Measures and tunes what `text` describes, and takes it away.
  std::string measured(const std::string& text, const std::string& name) const {
    const std::string file = folder_.path("doubled.cpp"), results = folder_.path(name);
    std::ofstream(file) << text;
    const Arguments selection = {"--load", file, "-n", "20000", "--samples", "2:3", "-o", results};
    for (const std::string command : {"run", "tune"}) {
      Arguments arguments = {command};
      arguments.insert(arguments.end(), selection.begin(), selection.end());
      if (command == "run") arguments.insert(arguments.end(), {"--no-ceilings", "--no-repeats"});
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
  } all[] = {{{"show", first}, "serial.steps"},
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

}  // namespace
}  // namespace sextant
