// Tests of the kernel `alias`, which writes two arrays and reads none. kernels_test checks its variants.
#include <gtest/gtest.h>

#include "engine/case/check.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

TEST(Alias, WritesOnesAndReadsNothing) {
  const Kernel& kernel = find_kernel("alias")->kernel;
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32}) {
    const Problem problem{101, type, kernel.extents(101), kernel.parameters};
    EXPECT_EQ(problem.extents.x, 50);
    const Work work = kernel.work(problem);
    EXPECT_EQ(work.bytes_read, 0);
    EXPECT_EQ(work.bytes_written, 100 * static_cast<std::int64_t>(element_size(type)));
    Workset workset(kernel, problem, 1);
    for (const int index : {0, 1})
      EXPECT_EQ(workset.reference(index), std::vector<double>(50, 1.0))
          << name_of(type) << " array " << index;
  }
}

// An array that a variant does not write holds poison instead of ones.
TEST(Alias, NoticesAnArrayThatWasNotWritten) {
  const Kernel& kernel = find_kernel("alias")->kernel;
  for (const ElementType type : {ElementType::float32, ElementType::int32}) {
    const Problem problem{100, type, kernel.extents(100), kernel.parameters};
    Workset workset(kernel, problem, 1);
    for (int i = 0; i < 50; ++i) {
      if (type == ElementType::float32)
        static_cast<float*>(workset.arrays()[0].data)[i] = 1;
      else
        static_cast<std::int32_t*>(workset.arrays()[0].data)[i] = 1;
    }
    Deviation error;
    EXPECT_NE(workset.compare(&error).find("y[0]"), std::string::npos) << name_of(type);
  }
}

}  // namespace
}  // namespace sextant
