// Tests of locking clocks of GPUs, with a stand-in for NVML (tests/machine/stand_in_nvml.cpp). No GPU's clock
// is changed.
#include "run/clock_guard.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "cli/run/locked_clocks.hpp"
#include "cli_process.hpp"
#include "machine/nvml.hpp"
#include "sample_results.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

const std::vector<std::string> guardian = {SEXTANT_PROGRAM, "guard-clocks"};
const std::vector<GpuToLock> one_gpu = {{"gpu0", "", 0}};

class Locking : public testing::Test {
 protected:
  void SetUp() override {
    path_ = folder_ / "values";
    ::setenv("SEXTANT_STAND_IN_NVML", path_.c_str(), 1);
    write("gpus 2");
    if (nvml::gpu_count() != 2) GTEST_SKIP() << "NVML is not the stand-in: run this test with ctest";
  }
  void write(const std::string& text) const { std::ofstream(path_) << text << "\n"; }

  // What was asked of the driver: "lock 1500 1500; reset".
  std::string log() const {
    std::ifstream file(path_ + ".log");
    std::string all;
    for (std::string line; std::getline(file, line);) all += (all.empty() ? "" : "; ") + line;
    return all;
  }
  // Waits until the log is as expected.
  std::string log_after_a_while(const std::string& expected) const {
    for (int i = 0; i < 500 && log() != expected; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return log();
  }

  test::TemporaryFolder folder_;
  std::string path_;
};

TEST_F(Locking, LocksAndGivesBack) {
  {
    ClockGuard guard(guardian, {{"gpu0", "", 0}, {"gpu1", "", 1}}, 1500);
    EXPECT_EQ(guard.locked().size(), 2u);
    EXPECT_TRUE(guard.obstacles().empty());
    EXPECT_EQ(log(), "lock 1500 1500; lock 1500 1500");
  }
  EXPECT_EQ(log(), "lock 1500 1500; lock 1500 1500; reset; reset");
}

TEST_F(Locking, OfTheBaseClockNamesNoMegahertz) {
  ClockGuard guard(guardian, one_gpu, std::nullopt);
  EXPECT_EQ(log(), "lock 4294967041 4294967041");  // 0xffffff01
}

TEST_F(Locking, ThatIsRefusedSaysWhy) {
  write("gpus 2\nlock_status 4");
  ClockGuard guard(guardian, {{"gpu0", "", 0}, {"gpu7", "", 7}}, 1500);
  EXPECT_TRUE(guard.locked().empty());
  EXPECT_EQ(guard.obstacles(),
            (std::vector<std::string>{"gpu0: Insufficient Permissions", "gpu7: NVML does not find the GPU"}));
  EXPECT_TRUE(guard.release().empty());
  EXPECT_EQ(log(), "");
}

TEST_F(Locking, EndsWhenTheProcessIsKilled) {
  const pid_t child = ::fork();
  if (child == 0) {
    const ClockGuard guard(guardian, one_gpu, 1500);
    ::pause();
    ::_exit(1);
  }
  ASSERT_EQ(log_after_a_while("lock 1500 1500"), "lock 1500 1500");
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(log_after_a_while("lock 1500 1500; reset"), "lock 1500 1500; reset");
}

// A child of the killed process keeps the guardian's channel open.
TEST_F(Locking, EndsWhenTheProcessIsKilledThoughItsChildLives) {
  const pid_t child = ::fork();
  if (child == 0) {
    const ClockGuard guard(guardian, one_gpu, 1500);
    const pid_t grandchild = ::fork();
    if (grandchild == 0) {
      ::close(STDOUT_FILENO);  // who waits for the end of the output does not wait for this process
      ::close(STDERR_FILENO);
      ::sleep(20);
      ::_exit(0);
    }
    ::pause();
    ::_exit(1);
  }
  ASSERT_EQ(log_after_a_while("lock 1500 1500"), "lock 1500 1500");
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_EQ(log_after_a_while("lock 1500 1500; reset"), "lock 1500 1500; reset");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
}

TEST_F(Locking, OutlivesSignalsOfTheTerminal) {
  ClockGuard guard(guardian, one_gpu, 1500);
  EXPECT_NE(::getsid(guard.guardian()), ::getsid(0));
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::kill(guard.guardian(), signal);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(::waitpid(guard.guardian(), nullptr, WNOHANG), 0) << "it has ended";
  EXPECT_EQ(log(), "lock 1500 1500");
  EXPECT_TRUE(guard.release().empty());
  EXPECT_EQ(log(), "lock 1500 1500; reset");
}

TEST_F(Locking, IsUndoneByTheProcessIfTheGuardianIsKilled) {
  ClockGuard guard(guardian, one_gpu, 1500);
  ::kill(guard.guardian(), SIGKILL);
  EXPECT_TRUE(guard.release().empty());
  EXPECT_EQ(log(), "lock 1500 1500; reset");
  ClockGuard other(guardian, one_gpu, 1500);
  write("gpus 2\nlock_status 4");
  ::kill(other.guardian(), SIGKILL);
  EXPECT_EQ(other.release(), std::vector<std::string>{"gpu0"}) << "it is still locked";
}

TEST_F(Locking, NeedsAProgram) {
  const ClockGuard guard({"/nonexistent/program"}, one_gpu, 1500);
  EXPECT_EQ(guard.obstacles(),
            std::vector<std::string>{"gpu0: the guardian process does not start: No such file or directory"});
}

TEST_F(Locking, OfARunSaysWhatWasNotHeld) {
  Environment environment = {{"gpu0.name", "a"}, {"gpu1.name", "b"}};
  ProgressReporter progress(true, {});
  std::vector<Case> cases = {test::make_case("triad", "cuda.vector", 300)};
  {
    LockedClocks clocks(guardian, 1500, cases, {"gpu1"}, &environment, progress);
    EXPECT_EQ(environment.at("gpu0.locked_clock"), "1500000000");
    EXPECT_EQ(environment.at("gpu1.locked_clock"), "1500000000");
    Measurement m;
    m.what = cases[0];
    clocks.add(m);  // its clock is not known
    for (const double clock : {1.5e9, 1.49e9, 1.3e9, 1.35e9}) {
      m.clock = clock;
      clocks.add(m);
    }
    EXPECT_EQ(clocks.text(),
              "gpu0 did not hold 1500 MHz in 2 of 4 cases: 1300 to 1350 MHz. Its power limit may "
              "allow a lower clock");
  }
  EXPECT_EQ(log(), "lock 1500 1500; lock 1500 1500; reset; reset");
}

TEST_F(Locking, OfARunGoesOnIfItIsRefused) {
  write("gpus 1\nlock_status 4");
  Environment environment = {{"gpu0.name", "a"}};
  ProgressReporter progress(false, {});
  testing::internal::CaptureStderr();
  {
    const LockedClocks clocks(guardian, 1500, {test::make_case("triad", "cuda.vector", 300)}, {},
                              &environment, progress);
    EXPECT_EQ(clocks.text(), "");
  }
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "the clock is not locked on gpu0: Insufficient Permissions"),
            std::string::npos);
  EXPECT_FALSE(environment.contains("gpu0.locked_clock"));
  testing::internal::CaptureStderr();
  const LockedClocks none(guardian, 1500, {test::make_case("triad", "serial.native", 300)}, {}, &environment,
                          progress);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("no case runs on a GPU"), std::string::npos);
}

TEST_F(Locking, IsPartOfARun) {
  ::setenv("SEXTANT_STAND_IN_GPUS", "alpha,alpha", 1);
  const std::string file = folder_ / "r.sextant";
  const auto run = [&](const char* clock) {
    return run_sextant({"run", "-k", "triad", "-n", "300", "-v", "serial.native", "--type", "float",
                        "--devices", "all", "--no-ceilings", "--samples", "2:3", "--lock-clocks", clock, "-o",
                        file});
  };
  EXPECT_EQ(run("1.5GHz").exit_code, 2);
  EXPECT_EQ(log(), "");
  const Ran ran = run("1500");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(log(), "lock 1500 1500; lock 1500 1500; reset; reset");
  const Results results = ResultsFile(file, ResultsFile::Mode::read).load();
  EXPECT_EQ(value_of(results.sessions.at(0).environment, "gpu1.locked_clock"), "1500000000");
  EXPECT_EQ(run("1500").exit_code, 0);
  EXPECT_EQ(log(), "lock 1500 1500; lock 1500 1500; reset; reset") << "nothing is left to measure";
  ::unsetenv("SEXTANT_STAND_IN_GPUS");
}

TEST(LockedClocks, AreMegahertzOrBase) {
  EXPECT_EQ(parse_clock("1500"), 1500u);
  EXPECT_EQ(parse_clock("base"), std::nullopt);
  for (const char* wrong : {"", "1.5GHz", "99", "10001", "-1500", "max"})
    EXPECT_THROW(parse_clock(wrong), std::exception) << wrong;
}

}  // namespace
}  // namespace sextant
