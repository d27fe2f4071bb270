#include "base/dynamic_library.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace sextant {
namespace {

TEST(DynamicLibrary, FindsFunctionsOfTheFirstNameThatLoads) {
  DynamicLibrary library({"libsextant_is_not_there.so", "libm.so.6"}, "the C library");
  ASSERT_NE(library.handle, nullptr);
  double (*cosine)(double) = nullptr;
  library.find("cos", &cosine);
  EXPECT_EQ(library.problem, "");
  ASSERT_NE(cosine, nullptr);
  EXPECT_DOUBLE_EQ(cosine(1.0), std::cos(1.0));
}

TEST(DynamicLibrary, SaysWhatIsMissingAndTheRemedy) {
  DynamicLibrary library({"libsextant_is_not_there.so.2", "libsextant_is_not_there.so"}, "the package foo");
  EXPECT_EQ(library.handle, nullptr);
  EXPECT_NE(library.problem.find("libsextant_is_not_there.so.2"), std::string::npos) << library.problem;
  EXPECT_NE(library.problem.find("install the package foo"), std::string::npos) << library.problem;
  int (*function)() = [] { return 1; };
  library.find("anything", &function);
  EXPECT_EQ(function, nullptr);
}

TEST(DynamicLibrary, NamesTheFirstFunctionItLacks) {
  DynamicLibrary library({"libm.so.6"}, "the C library");
  int (*function)() = nullptr;
  library.find("sextant_has_no_such_function", &function);
  library.find("nor_this_one", &function);
  EXPECT_EQ(function, nullptr);
  EXPECT_NE(library.problem.find("sextant_has_no_such_function"), std::string::npos) << library.problem;
}

// True if the processor keeps denormal numbers instead of flushing them to zero.
bool keeps_small_numbers() {
  volatile float small = 1e-39f;
  return small * 0.5f != 0;
}

TEST(DynamicLibrary, LeavesTheProcessorAsItWas) {
  ASSERT_TRUE(keeps_small_numbers());
  DynamicLibrary library({SEXTANT_TEST_FLUSHING_LIBRARY});
  float (*halved)(float) = nullptr;
  ASSERT_TRUE(library.find("halved", &halved)) << library.problem;
  EXPECT_EQ(halved(3), 1.5f);
  EXPECT_TRUE(keeps_small_numbers());
}

}  // namespace
}  // namespace sextant
