#include "trace/activity.hpp"

#include <gtest/gtest.h>

namespace sextant {
namespace {

ActivityRecord record(double start, double end) {
  ActivityRecord made{};
  made.start = start;
  made.end = end;
  return made;
}

TEST(Activity, NothingRecordedIsNoTime) { EXPECT_EQ(busy_time({}), 0); }

TEST(Activity, SeparateRecordsAddUp) { EXPECT_DOUBLE_EQ(busy_time({record(1, 2), record(3, 5)}), 3); }

TEST(Activity, TimeThatRecordsShareCountsOnce) {
  EXPECT_DOUBLE_EQ(busy_time({record(1, 4), record(2, 6)}), 5);                 // overlapping
  EXPECT_DOUBLE_EQ(busy_time({record(1, 10), record(2, 3), record(4, 5)}), 9);  // nested
  EXPECT_DOUBLE_EQ(busy_time({record(1, 2), record(2, 3)}), 2);                 // touching
  EXPECT_DOUBLE_EQ(busy_time({record(1, 2), record(1, 2)}), 1);                 // identical
}

TEST(Activity, OrderOfRecordsDoesNotMatter) {
  EXPECT_DOUBLE_EQ(busy_time({record(7, 8), record(1, 4), record(3, 5)}), 5);
}

TEST(Activity, RecordsWithoutAnEndCountNothing) {
  EXPECT_DOUBLE_EQ(busy_time({record(0.5, 0), record(1, 2), record(3, 3)}), 1);
}

TEST(Activity, NamesAreReadable) {
  EXPECT_EQ(demangled("_ZN7sextant4copyIdEEvPT_"), "void sextant::copy<double>(double*)");
  EXPECT_EQ(demangled("_Z4axpyPd$_omp_fn$0"), "axpy(double*) [region 0]");
  EXPECT_EQ(demangled("main$_omp_fn$12"), "main [region 12]");
  EXPECT_EQ(demangled("ampere_sgemm_128x64_nn"), "ampere_sgemm_128x64_nn");
}

TEST(Activity, WhereThereAreNoRecordsTheReasonIsSaid) {
  const char* why = activity_unavailable();
  if (!why) GTEST_SKIP() << "records are to be had here";
  EXPECT_STRNE(why, "");
  EXPECT_ANY_THROW(start_activity());
}

}  // namespace
}  // namespace sextant
