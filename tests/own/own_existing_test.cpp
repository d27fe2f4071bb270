// Tests that existing CUDA files load unchanged, with kernels, host functions, launches and a main.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli_process.hpp"
#include "own/compile/nvcc.hpp"

namespace sextant {
namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string content(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ExistingFiles, AreDraftedAndCheckedAsTheyAre) {
  const Folder here;
  const auto run = [&](const std::vector<std::string>& arguments) {
    return run_sextant(arguments, {"SEXTANT_CACHE=" + here.path("cache")});
  };
  if (own::nvcc_version().empty()) GTEST_SKIP() << "there is no nvcc";
  const std::string folder = std::string(SEXTANT_SOURCE_DIR) + "/tests/own/kernels/";
  const std::string text = content(folder + "softmax.cu"), file = here.path("row_softmax.cu");
  std::ofstream(file) << text.substr(text.find("*/") + 3);
  EXPECT_EQ(run({"new", file}).exit_code, 0);
  const std::string drafted = content(file);
  for (const char* line :
       {"reference = { variant = \"serial.baseline\", precision = \"float\" }", "compiler = \"nvcc\"",
        "[variant.\"cuda.softmax_naive\"]", "[variant.\"serial.baseline\"]\nfunction = \"softmax_cpu\""})
    EXPECT_TRUE(contains(drafted, line)) << line << drafted;
  const Ran verified = run({"verify", "--load", file, "-v", "serial", "-n", "1000"});
  EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
  EXPECT_TRUE(contains(verified.err, "checked against its own serial.baseline, run in float"))
      << verified.err;
  for (const char* name : {"histogram", "softmax", "jacobi"}) {
    const Ran looked = run({"doctor", "--load", folder + name + ".cu"});
    std::size_t compile = 0;
    for (std::size_t at = 0; (at = looked.out.find(" compiles", at + 1)) != std::string::npos;) ++compile;
    EXPECT_EQ(compile, 3u) << name << looked.out << looked.err;
    const Ran right = run({"verify", "--load", folder + name + ".cu", "-v", "serial", "-n", "300,4099"});
    EXPECT_EQ(right.exit_code, 0) << name << right.out << right.err;
  }
}

}  // namespace
}  // namespace sextant
