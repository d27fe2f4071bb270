#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli_process.hpp"
#include "golden.hpp"

namespace sextant {
namespace {

using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Verify, ChecksEveryVariantAtItsDefaultSizes) {
  const Ran ran = run_sextant({"verify", "-k", "triad,copy", "-v", "serial,openmp", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Json rows = Json::parse(ran.out);
  ASSERT_GE(rows.size(), 6u);
  for (const Json& row : rows) {
    EXPECT_GE(row["passed"], 18) << row;  // nine sizes or more in two types
    EXPECT_EQ(row["failed"], 0) << row;
    EXPECT_EQ(row["result"], "pass") << row;
    EXPECT_LE(row["worst"], 1) << row;
  }
  EXPECT_TRUE(contains(ran.err, " ok")) << ran.err;
}

// The benchmark's tolerance is relative alone: what is allowed goes by the value.
TEST(Verify, KnowsTheShareOfARelativeTolerance) {
  const Ran ran = run_sextant({"verify", "-k", "npb_ep", "-v", "serial.native", "-n", "S", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Json rows = Json::parse(ran.out);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["result"], "pass");
  EXPECT_GT(rows[0]["worst"], 0);
  EXPECT_LT(rows[0]["worst"], 1);
}

TEST(Verify, DividesLoopsAmongMoreThanTwoThreads) {
  const Ran ran =
      run_sextant({"verify", "-k", "triad", "-v", "openmp.simd", "-n", "1000", "-t", "threads=5", "--json"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Json rows = Json::parse(ran.out);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_GT(rows[0]["passed"], 0) << rows[0];
  EXPECT_EQ(rows[0]["skipped"], 0) << rows[0];
}

TEST(Verify, PrintsATableOfVerdicts) {
  const Ran ran = run_sextant({"verify", "-k", "triad", "-v", "serial", "-n", "3,1000"});
  test::expect_golden(test::without_numbers(ran.out), "cli/verify_triad");
}

}  // namespace
}  // namespace sextant
