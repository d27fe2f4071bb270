// Tests that user kernels that skip work in timed calls are reported as wrong, for each way to load them.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "cli_process.hpp"
#include "device/open.hpp"
#include "own/compile/nvcc.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

const std::string files = std::string(SEXTANT_SOURCE_DIR) + "/tests/own/kernels/cheats";

Measurement measured(const std::string& load, const std::string& variant) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Ran ran = run_sextant({"run", "--load", load, "-v", variant, "-n", "50000", "--no-ceilings",
                               "--no-transfers", "--samples", "5:9", "-o", file},
                              {"SEXTANT_CACHE=" + folder.path("cache")});
  if (!std::filesystem::exists(file)) {
    ADD_FAILURE() << ran.out << ran.err;
    return {};
  }
  const Results results = ResultsFile(file, ResultsFile::Mode::read).load();
  EXPECT_EQ(results.measurements.size(), 1u) << ran.out << ran.err;
  return results.measurements.empty() ? Measurement{} : results.measurements.front().measurement;
}

// Repeats the measurement, because timing can miss a cheat on a busy machine.
void expect_wrong(const std::string& load, const std::string& variant, int most = 1) {
  Measurement m = measured(load, variant);
  for (int i = 1; i < most && m.status != Status::wrong; ++i) m = measured(load, variant);
  EXPECT_EQ(m.status, Status::wrong) << load << " " << variant << " " << m.reason;
  EXPECT_TRUE(m.call_times.empty()) << load << " " << variant;
}

void expect_ok(const std::string& load, const std::string& variant) {
  const Measurement m = measured(load, variant);
  EXPECT_EQ(m.status, Status::ok) << load << " " << variant << " " << m.reason;
}

#ifdef SEXTANT_TEST_GPU

TEST(UserCheats, InACudaFileAreWrong) {
  std::string why_not;
  if (!open_device(MemorySpace::cuda, 0, &why_not)) GTEST_SKIP() << why_not;
  expect_ok(files + ".cu", "cuda.honest");
  for (const char* cheat : {"already_there", "computes_twice", "keeps_its_first", "writes_rubbish"})
    expect_wrong(files + ".cu", std::string("cuda.") + cheat);
  expect_wrong(files + ".cu", "cuda.recognises", 10);
}

#else

class UserCheats : public testing::TestWithParam<std::string> {};

TEST_P(UserCheats, AreWrong) {
  expect_ok(GetParam(), "serial.baseline");
  for (const char* cheat : {"already_there", "computes_twice", "keeps_its_first", "writes_rubbish"})
    expect_wrong(GetParam(), std::string("serial.") + cheat);
  for (const char* found_by_time : {"recognises", "joins_later"})
    expect_wrong(GetParam(), std::string("serial.") + found_by_time, 10);
}

INSTANTIATE_TEST_SUITE_P(Loaded, UserCheats, testing::Values(files + ".cpp", std::string(SEXTANT_OWN_CHEATS)),
                         [](const auto& one) { return one.index == 0 ? "AsAFile" : "AsALibrary"; });

TEST(UserCheatsInACudaFile, Compile) {
  if (own::nvcc_version().empty()) GTEST_SKIP() << "there is no nvcc";
  const Folder folder;
  const Ran looked =
      run_sextant({"doctor", "--load", files + ".cu"}, {"SEXTANT_CACHE=" + folder.path("cache")});
  if (looked.out.find("left out of this build: no nvcc") != std::string::npos)
    GTEST_SKIP() << "there is no CUDA";
  EXPECT_EQ(looked.out.find("does not compile"), std::string::npos) << looked.out << looked.err;
  EXPECT_NE(looked.out.find("cuda.writes_rubbish compiles"), std::string::npos) << looked.out << looked.err;
}

#endif

}  // namespace
}  // namespace sextant
