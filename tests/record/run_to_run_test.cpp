// Tests of the run-to-run scatter in older results files, and of confidence intervals that include it.
#include "record/run_to_run.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sextant {
namespace {

Case case_of(const std::string& variant, std::int64_t n) {
  Case what;
  what.kernel = "triad";
  what.variant = variant;
  what.problem.n = n;
  what.device = "cpu";
  return what;
}

TEST(RunToRun, WidensEachSideOnTheLogarithmicScale) {
  const Interval wide = across_runs({0.9, 1, 1.2, 0.8, 50}, {0.1, 12});
  EXPECT_NEAR(std::log(wide.low), -std::hypot(std::log(0.9), 0.2179), 1e-12);
  EXPECT_NEAR(std::log(wide.high), std::hypot(std::log(1.2), 0.2179), 1e-12);
  EXPECT_EQ(wide.median, 1);
  EXPECT_EQ(wide.minimum, 0.8);
  EXPECT_GT(across_runs({0.9, 1, 1.2, 0.8, 50}, {0.1, 4}).high, wide.high) << "fewer pairs know less";
  EXPECT_EQ(across_runs({0.9, 1, 1.2, 0.8, 5}, {0.1, 12}).high, 1.2) << "five samples have no interval";
}

TEST(RunToRun, IsReadByModelThenByDeviceClass) {
  const Environment environment = {{"run_to_run.cpu", "0.1 of 15"}, {"run_to_run.cpu.openmp", "0.2 of 12"}};
  const std::optional<RunToRun> openmp = run_to_run_of(environment, case_of("openmp.stream", 9));
  ASSERT_TRUE(openmp);
  EXPECT_EQ(openmp->pairs, 12);
  EXPECT_EQ(openmp->deviation, 0.2);
  EXPECT_EQ(run_to_run_of(environment, case_of("serial.baseline", 9))->pairs, 15) << "that of all on the CPU";
  Case gpu = case_of("cuda.vector", 9);
  gpu.device = "gpu0";
  EXPECT_FALSE(run_to_run_of(environment, gpu));
}

TEST(RunToRun, IsNotReadFromDamagedText) {
  for (const char* text : {"", "x", "0.1", "0.1 of 3", "-1 of 12", "nan of 12", "inf of 12"})
    EXPECT_FALSE(run_to_run_of({{"run_to_run.cpu", text}}, case_of("serial.baseline", 1))) << text;
}

}  // namespace
}  // namespace sextant
