#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "cli_process.hpp"
#include "golden.hpp"
#include "toolbox/sanitizer.hpp"

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

// NPB specifies a relative tolerance, so the allowed error is proportional to the value.
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

// Returns a user kernel that sums five numbers in [-1, 1) per point of a plane. The second variant gets
// element 600000 wrong.
std::string plane(const std::string& tolerance) {
  return R"own(/* sextant
name = "plane_sum"
types = ["float"]
shape = ["nx", "ny"]
arrays = [ { name = "a", role = "in", length = "nx * ny" }, { name = "b", role = "out", length = "nx * ny" } ]
reference = "serial.baseline"
tolerance = { absolute = ")own" +
         tolerance + R"own(", reason = "a test" }
[variant."serial.baseline"]
function = "sums"
arguments = ["nx", "ny", "a", "b"]
[variant."serial.late"]
function = "sums_but_one"
arguments = ["nx", "ny", "a", "b"]
*/
static T at(long long nx, long long ny, const T* a, long long x, long long y) {
  return x < 0 || y < 0 || x >= nx || y >= ny ? T(0) : a[y * nx + x];
}
void sums(long long nx, long long ny, const T* a, T* b) {
  for (long long y = 0; y < ny; ++y)
    for (long long x = 0; x < nx; ++x)
      b[y * nx + x] = at(nx, ny, a, x, y) + at(nx, ny, a, x - 1, y) + at(nx, ny, a, x + 1, y) +
                      at(nx, ny, a, x, y - 1) + at(nx, ny, a, x, y + 1);
}
void sums_but_one(long long nx, long long ny, const T* a, T* b) {
  sums(nx, ny, a, b);
  if (nx * ny > 600000) b[600000] += T(1);
}
)own";
}

Json verify_plane(const std::string& tolerance) {
  const Folder folder;
  const std::string file = folder.path("plane.cpp");
  std::ofstream(file) << plane(tolerance);
  const Ran ran =
      run_sextant({"verify", "--load", file, "--json"}, {"SEXTANT_CACHE=" + folder.path("cache")});
  const Json rows = Json::parse(ran.out);
  EXPECT_EQ(rows.size(), 2u) << ran.err;
  return rows;
}

TEST(VerifyOwn, TakesShapesOfAMillionElements) {
  const Json rows = verify_plane("8 * eps");
  EXPECT_EQ(rows.at(0).at("result"), "pass") << rows;
  EXPECT_EQ(rows.at(1).at("failed"), 1) << rows;
  EXPECT_TRUE(contains(rows.at(1).at("reason"), "1021x1019: b[600000]")) << rows;
}

// Verifies a kernel that computes y[i] = x[i] + x[i + 1] for i < n - 1 and then runs the statement `last`.
Json verify_pairs(const std::string& last) {
  const Folder folder;
  const std::string file = folder.path("pairs.cpp");
  std::ofstream(file) << R"own(/* sextant
name = "pairs"
types = ["float"]
sizes = { n = "N / 2" }
arrays = [ { name = "x", role = "in", length = "n" }, { name = "y", role = "out", length = "n" } ]
reference = "serial.baseline"
tolerance = { absolute = 0, reason = "a test" }
[variant."serial.baseline"]
function = "pairs"
arguments = ["n", "x", "y"]
[variant."serial.late"]
function = "late"
arguments = ["n", "x", "y"]
*/
void pairs(long n, const T* x, T* y) {
  for (long i = 0; i < n; ++i) y[i] = x[i] + (i + 1 < n ? x[i + 1] : T(0));
}
void late(long n, const T* x, T* y) {
  pairs(n, x, y);
  )own" << last << "\n}\n";
  const Ran ran = run_sextant({"verify", "--load", file, "-v", "serial.late", "-n", "2000", "--json"},
                              {"SEXTANT_CACHE=" + folder.path("cache")});
  const Json rows = Json::parse(ran.out);
  EXPECT_EQ(rows.size(), 1u) << ran.err;
  return rows;
}

// Whatever the overrun causes (wrong result, changed guard zone, crash), the message names the array, the
// index, the length and the source line.
TEST(VerifyOwn, SaysWhichArrayIsOverrunAndWhere) {
  if (address_sanitizer) GTEST_SKIP() << "the build has a sanitizer itself";
  for (const auto& [last, said] :
       {std::pair("y[n - 1] = x[n - 1] + x[n];", "it reads x[1000] of 1000 elements, pairs.cpp:20"),
        std::pair("y[n + 2] = 1;", "it writes y[1002] of 1000 elements, pairs.cpp:20"),
        std::pair("y[n << 40] = 1;", "far outside its arrays, pairs.cpp:20")}) {
    const Json rows = verify_pairs(last);
    EXPECT_EQ(rows.at(0).at("failed"), 1) << rows;
    EXPECT_TRUE(contains(rows.at(0).at("reason"), said)) << rows;
  }
}

// A read outside an array may leave the result right.
TEST(VerifyOwn, FailsReadsOutsideThatLeaveTheResultRight) {
  if (address_sanitizer) GTEST_SKIP() << "the build has a sanitizer itself";
  const Json rows = verify_pairs("if (x[n] > 1e30f) y[0] = x[0] + x[1];");
  EXPECT_EQ(rows.at(0).at("failed"), 1) << rows;
  EXPECT_TRUE(contains(rows.at(0).at("reason"),
                       "its result is right, but it reads x[1000] of 1000 elements, pairs.cpp:20"))
      << rows;
}

TEST(VerifyOwn, SaysNothingOfOverrunsWhereThereIsNone) {
  const std::string reason = verify_pairs("y[3] = 9;").at(0).at("reason");
  EXPECT_TRUE(contains(reason, "y[3] is 9")) << reason;
  EXPECT_FALSE(contains(reason, "; it ")) << reason;
}

TEST(VerifyOwn, NamesATrivialAnswerThatTheToleranceLetsPass) {
  const Json rows = verify_plane("5");
  const std::string reason = rows.at(0).at("reason");
  EXPECT_TRUE(reason.starts_with("the kernel's tolerance is too wide")) << rows;
  for (const char* part : {"5 + 0 times the value", "zeros, a copy of a"})
    EXPECT_TRUE(contains(reason, part)) << reason;
}

}  // namespace
}  // namespace sextant
