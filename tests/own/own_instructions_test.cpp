// Tests of counting the instructions of a user kernel's serial code.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "own/kernel/described_kernel.hpp"
#include "own/trial/instructions.hpp"
#include "toolbox/sanitizer.hpp"

namespace sextant::own {
namespace {

TEST(Instructions, ExtendToOtherSizes) {
  EXPECT_DOUBLE_EQ(instructions_at({256, 1000, 256, 1000}, 512), 2000);
  EXPECT_DOUBLE_EQ(instructions_at({100, 1200, 200, 2200}, 1000), 10200);  // 200 and 10 for each
  EXPECT_NEAR(instructions_at({100, 1e4, 200, 4e4}, 1000), 1e6, 1e-3);     // of a square
}

// Registers a kernel whose function has this body, and returns its instructions for N.
double counted(const std::string& name, const std::string& body, std::int64_t n) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("own_instructions." + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  setenv("SEXTANT_CACHE", (folder / "cache").c_str(), 1);
  const std::string file = folder / (name + ".cpp");
  std::ofstream(file)
      << "/* sextant\nname = \"" << name
      << "\"\ntypes = [\"float\"]\nsizes = { n = \"N / 2\" }\narrays = [ { name = \"x\", role = \"in\", "
         "length = "
         "\"n\" }, { name = \"y\", role = \"out\", length = \"n\" } ]\nreference = \"serial.baseline\"\n"
         "tolerance = { relative = \"eps\", reason = \"one\" }\n[variant.\"serial.baseline\"]\nfunction = "
         "\"f\"\narguments = [\"n\", \"x\", \"y\"]\n*/\nvoid f(long n, const T* x, T* y) { "
      << body << " }\n";
  static std::vector<RegisteredKernel> kernels;
  kernels.push_back(described(read_description(file)));
  Problem problem;
  problem.n = n, problem.extents = {n / 2, 1, 1};
  const std::optional<double> count = counted_instructions(name, problem);
  std::filesystem::remove_all(folder);
  return count.value_or(0);
}

TEST(Instructions, AreCountedInTheSerialCode) {
  if (address_sanitizer) GTEST_SKIP() << "the build has a sanitizer itself";
  const double once = counted("once", "for (long i = 0; i < n; ++i) y[i] = 2 * x[i];", 1 << 20);
  EXPECT_GT(once, 1 << 19);  // at least one of each item, unless vectors are used
  EXPECT_LT(once, 10 << 19);
  const double often = counted(
      "often",
      "for (long i = 0; i < n; ++i) { T a = x[i]; for (int k = 0; k < 50; ++k) a = a * a + 1; y[i] = a; }",
      1 << 20);
  EXPECT_GT(often, 100 << 19);
  EXPECT_LT(often, 400 << 19);
  const double square = counted(
      "square",
      "for (long i = 0; i < n; ++i) { T a = 0; for (long k = 0; k < n; ++k) a += x[k] * x[k]; y[i] = a; }",
      1 << 12);
  EXPECT_GT(square, 50 * 2048);
  EXPECT_EQ(counted("crashes", "*(volatile int*)8 = 1;", 1 << 12), 0);
  EXPECT_EQ(counted_instructions("nobody", {}), std::nullopt);
}

// One instruction of each item differs: a division, or a branch whose outcome follows no pattern.
TEST(Instructions, DivisionsAndUnexpectedBranchesCountAsSeveral) {
  if (address_sanitizer) GTEST_SKIP() << "the build has a sanitizer itself";
  const auto of_loop = [](const std::string& name, const std::string& item) {
    return counted(
        name, "unsigned h = 1; for (long i = 0; i < n; ++i) { h = h * 1664525u + 1013904223u; " + item + " }",
        1 << 20);
  };
  const std::string rare = "asm volatile(\"\" : \"+r\"(h)); if ((h >> 16) % 64 < ",
                    then = ") { asm volatile(\"\"); y[i] = 1; } else { y[i] = x[i]; }";
  const double plain = of_loop("plain", "y[i] = x[i] * (float)h;"),
               divides = of_loop("divides", "y[i] = x[i] / (float)h;"),
               expected = of_loop("expected", rare + "1" + then), open = of_loop("open", rare + "32" + then);
  EXPECT_GT(divides, plain + 10.0 * (1 << 19));
  EXPECT_GT(open, expected + 10.0 * (1 << 19));
}

}  // namespace
}  // namespace sextant::own
