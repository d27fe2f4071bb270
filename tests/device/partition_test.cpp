// Tests of SEXTANT_MULTIPROCESSORS, the number of multiprocessors that a process requests.
#include "device/cuda/partition.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/error.hpp"

namespace sextant {
namespace {

int asked_by(const char* text) {
  setenv("SEXTANT_MULTIPROCESSORS", text, 1);
  struct Unset {
    ~Unset() { unsetenv("SEXTANT_MULTIPROCESSORS"); }
  } unset;
  return multiprocessors_asked();
}

TEST(Partition, IsAskedForByACount) {
  EXPECT_EQ(multiprocessors_asked(), 0);
  EXPECT_EQ(asked_by(""), 0);
  EXPECT_EQ(asked_by("66"), 66);
  for (const char* text : {"0", "-1", "33sm", "half", " 33", "99999999999"})
    EXPECT_THROW(asked_by(text), UserError) << text;
}

}  // namespace
}  // namespace sextant
