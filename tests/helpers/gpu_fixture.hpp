// Provides a fixture for tests that need a GPU but not the engine.
#pragma once

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

namespace sextant::test {

class WithGpu : public testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) GTEST_SKIP() << "there is no GPU";
  }
};

}  // namespace sextant::test
