// The main function of tests: GoogleTest's, with a line for ctest if all tests were skipped.
#include <gtest/gtest.h>

#include <cstdio>

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const int result = RUN_ALL_TESTS();
  const testing::UnitTest& tests = *testing::UnitTest::GetInstance();
  if (result == 0 && tests.skipped_test_count() > 0 && tests.successful_test_count() == 0)
    std::puts("[ SKIPPED  ] all");
  return result;
}
