// Tests which option (such as serial, OpenMP or CUDA) a case belongs to.
#include "predict/option.hpp"

#include <gtest/gtest.h>

namespace sextant::predict {
namespace {

TEST(Option, IsToldByModelAndDevice) {
  EXPECT_EQ(option_of("serial", "cpu"), Option::serial);
  EXPECT_EQ(option_of("openmp", "cpu"), Option::openmp);
  EXPECT_EQ(option_of("openacc", "gpu0"), Option::openacc);
  EXPECT_EQ(option_of("cuda", "gpu7"), Option::cuda);
  EXPECT_EQ(option_of("library", "cpu"), Option::cpu_library);
  EXPECT_EQ(option_of("library", "gpu0"), Option::gpu_library);
}

TEST(Option, OtherModelsAndRegionsThatFellBackToTheHostAreNone) {
  for (const char* model : {"stdpar", "target", "", "cpu_library", "gpu_library", "own"})
    for (const char* device : {"cpu", "gpu0"}) EXPECT_EQ(option_of(model, device), std::nullopt) << model;
  EXPECT_EQ(option_of("openacc", "cpu"), std::nullopt);  // ran on the host, because there was no GPU
  EXPECT_EQ(option_of("cuda", ""), std::nullopt);
}

TEST(Option, VariantsWhoseThreadsTakeTurnsAreToldByTheirNames) {
  for (const char* name :
       {"openmp.atomic", "openmp.atomics", "openmp.critical_when_shorter", "openmp.with_lock"})
    EXPECT_TRUE(takes_turns(name)) << name;
  for (const char* name : {"openmp.blocks", "openmp.reduction", "openmp.", "", "openmp.uncritical"})
    EXPECT_FALSE(takes_turns(name)) << name;
}

TEST(Option, NamesAreReadBack) {
  for (const Option option : all_options) {
    const bool library = option == Option::cpu_library || option == Option::gpu_library;
    EXPECT_EQ(option_of(library ? "library" : name_of(option), on_gpu(option) ? "gpu0" : "cpu"), option);
  }
  EXPECT_STREQ(name_of(Target::whole), "whole");
}

}  // namespace
}  // namespace sextant::predict
