// Tests of expect_golden and its helpers.
#include "golden.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace sextant::test {
namespace {

TEST(Golden, FailsByAnotherWordByAMissingFileAndByNothing) {
  ::unsetenv("SEXTANT_REGENERATE");
  expect_golden("two words\n", "helpers/words");
  EXPECT_NONFATAL_FAILURE(expect_golden("two swords\n", "helpers/words"), "holds another text");
  EXPECT_NONFATAL_FAILURE(expect_golden("two words\n", "helpers/missing"), "holds another text");
  expect_golden("three words\n", "helpers/sections:first");
  expect_golden("four words, no end of a line", "helpers/sections:last");
  EXPECT_NONFATAL_FAILURE(expect_golden("four words", "helpers/sections:first"), "holds another text");
  EXPECT_NONFATAL_FAILURE(expect_golden("three words", "helpers/sections:missing"), "holds another text");
  EXPECT_FATAL_FAILURE(expect_golden("", "helpers/missing"), "nothing to compare");
}

TEST(Golden, LeavesOutWhatDiffersFromRunToRun) {
  EXPECT_EQ(without_numbers("1.5e-06 µs   ok, 3 of 4\n"), "0 s ok\n");
  EXPECT_EQ(replaced("/tmp/a/r and /tmp/a/s", "/tmp/a/", ""), "r and s");
  EXPECT_EQ(lines({"one", "two"}), "one\ntwo\n");
}

}  // namespace
}  // namespace sextant::test
