// Tests of a machine's profile (ceilings and hardware data): from a session, as JSON, and as features.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/error.hpp"
#include "predict/profile.hpp"

namespace sextant::predict {
namespace {

Session made_up() {
  Session session;
  session.environment = {{"machine", "m"},
                         {"cpu", "A Processor"},
                         {"cpu.sockets", "1"},
                         {"cpu.cores", "4"},
                         {"openmp.threads", "4"},
                         {"cpu.l2_cache", "1000000"},
                         {"memory", "8000000000"},
                         {"gpu1.name", "A GPU"},
                         {"gpu1.multiprocessors", "10"},
                         {"gpu1.l2_cache", "5000"},
                         {"gpu1.max_pcie_generation", "4"},
                         {"gpu1.max_pcie_width", "16"}};
  session.ceilings = {{"cpu", "read", 1 << 20, 4e10},
                      {"cpu", "read_core", 1 << 20, 1e10},
                      {"cpu", "fp64", 0, 4e11},
                      {"cpu", "fp64_core", 0, 1e11},
                      {"cpu", "launch_openmp", 0, 2e-6},
                      {"gpu1", "read", 1 << 20, 1e12},
                      {"gpu1", "launch_cuda", 0, 8e-6},
                      {"gpu1", "h2d_pageable_latency", 4, 5e-6},
                      {"gpu1", "h2d_pageable_time", 1000, 6e-6},
                      {"gpu1", "h2d_pageable", 1'000'000, 1e9},
                      {"gpu0", "read", 1 << 20, 3}};
  return session;
}

double feature(const Profile& profile, const std::string& name) {
  for (const ProfileColumn& column : profile_columns(profile))
    if (column.name == name) return column.value;
  ADD_FAILURE() << "no column " << name;
  return 0;
}

TEST(CostOverSize, IsLinearBetweenWhatWasMeasured) {
  CostOverSize cost;
  EXPECT_FALSE(cost.known());
  EXPECT_EQ(cost.at(10), std::nullopt);
  cost.add(100, 2);
  EXPECT_EQ(cost.at(1), 2);    // constant below the smallest size (latency)
  EXPECT_EQ(cost.at(200), 4);  // proportional above the largest size (rate)
  cost.add(300, 3);
  EXPECT_EQ(cost.at(200), 2.5);
  EXPECT_EQ(cost.at(300), 3);
  EXPECT_EQ(cost.at(600), 6);
}

TEST(Profile, TakesProcessorAndOneGpu) {
  const Profile profile = profile_of(made_up(), "gpu1");
  EXPECT_EQ(profile.machine, "m");
  EXPECT_EQ(profile.cores, 4);
  ASSERT_TRUE(profile.gpu.has_value());
  EXPECT_EQ(profile.gpu->name, "A GPU");
  EXPECT_EQ(profile.gpu->multiprocessors, 10);
  EXPECT_EQ(profile.on_gpu.bandwidth(1 << 20, 0), 1e12);  // from gpu1, the chosen GPU
  EXPECT_EQ(profile.on_gpu.launch_cost("cuda"), 8e-6);
  EXPECT_EQ(profile.gpu->copy_in.at(4), 5e-6);
  EXPECT_EQ(profile.gpu->copy_in.at(1000), 6e-6);
  EXPECT_DOUBLE_EQ(*profile.gpu->copy_in.at(2'000'000), 2e-3);
  EXPECT_FALSE(profile.gpu->copy_out.known());
}

TEST(Profile, KeepsOneCoreApartFromAll) {
  const Profile profile = profile_of(made_up(), "gpu1");
  EXPECT_EQ(profile.all_cores.bandwidth(1 << 20, 0), 4e10);
  EXPECT_EQ(profile.one_core.bandwidth(1 << 20, 0), 1e10);
  EXPECT_EQ(profile.one_core.flop_rate(ElementType::float64, false), 1e11);
  EXPECT_EQ(profile.one_core.launch_cost("openmp"), std::nullopt);
}

TEST(Profile, WithoutTheDeviceHasNoGpu) {
  const Profile profile = profile_of(made_up(), "gpu2");
  EXPECT_FALSE(profile.gpu.has_value());
  EXPECT_TRUE(profile.on_gpu.empty());
  EXPECT_TRUE(std::isnan(feature(profile, "gpu_multiprocessors")));
}

TEST(Profile, ComesBackFromItsJson) {
  const Profile profile = profile_of(made_up(), "gpu1");
  const Profile again = profile_from_json(to_json(profile));
  EXPECT_EQ(to_json(again), to_json(profile));
  EXPECT_EQ(again.one_core.bandwidth(1 << 20, 0), 1e10);
  EXPECT_EQ(again.gpu->copy_in.at(1000), 6e-6);
  const Profile no_gpu = profile_of(made_up(), "gpu2");
  EXPECT_EQ(to_json(profile_from_json(to_json(no_gpu))), to_json(no_gpu));
}

TEST(Profile, OfAPartOfAGpuIsAMachineOfItsOwnAndPartOfTheWholeOne) {
  Session session = made_up();
  const Profile whole = profile_of(session, "gpu1");
  session.environment["gpu1.multiprocessors"] = "3";
  session.environment["gpu1.whole_multiprocessors"] = "10";
  const Profile part = profile_of(session, "gpu1");
  EXPECT_EQ(hardware_of(whole), "A Processor, 4 threads; A GPU, 10 multiprocessors; PCIe 4 x16");
  EXPECT_EQ(hardware_of(part), "A Processor, 4 threads; A GPU, 3 of 10 multiprocessors; PCIe 4 x16");
  EXPECT_EQ(whole_hardware_of(part), whole_hardware_of(whole));
  for (const Profile& profile : {whole, part})
    EXPECT_EQ(whole_hardware_of(hardware_of(profile)), whole_hardware_of(profile));
  EXPECT_EQ(partition_of(whole), "");
  EXPECT_EQ(partition_of(part), "3 of 10 multiprocessors");
  EXPECT_EQ(feature(part, "gpu_multiprocessors"), 3);
  EXPECT_EQ(to_json(profile_from_json(to_json(part))), to_json(part));
  session.environment["openmp.threads"] = "2";
  EXPECT_EQ(partition_of(profile_of(session, "gpu1")), "2 of 4 cores, 3 of 10 multiprocessors");
}

TEST(Profile, IsNotReadFromOtherTexts) {
  for (const char* text : {"", "[]", "{", R"({"machine":"m"})", R"({"machine":1,"processor":"p"})"})
    EXPECT_THROW(profile_from_json(text), UserError) << text;
}

TEST(Profile, OfTheSameHardwareIsTheSameMachine) {
  Session other = made_up();
  other.environment["machine"] = "another";
  EXPECT_EQ(hardware_of(profile_of(made_up(), "gpu1")), hardware_of(profile_of(other, "gpu1")));
  other.environment["gpu1.max_pcie_generation"] = "5";
  EXPECT_NE(hardware_of(profile_of(made_up(), "gpu1")), hardware_of(profile_of(other, "gpu1")));
  EXPECT_NE(hardware_of(profile_of(made_up(), "gpu1")), hardware_of(profile_of(made_up(), "gpu2")));
  other = made_up();
  other.environment["openmp.threads"] = "2";  // with fewer threads, the same host counts as another machine
  EXPECT_NE(hardware_of(profile_of(made_up(), "gpu1")), hardware_of(profile_of(other, "gpu1")));
}

TEST(Profile, HasTheSameColumnsForEveryMachine) {
  const auto one = profile_columns(profile_of(made_up(), "gpu1")), none = profile_columns(Profile());
  ASSERT_EQ(one.size(), none.size());
  std::set<std::string> names;
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].name, none[i].name);
    EXPECT_TRUE(names.insert(one[i].name).second) << one[i].name;
    EXPECT_TRUE(std::isnan(none[i].value)) << none[i].name;
  }
  EXPECT_EQ(feature(profile_of(made_up(), "gpu1"), "core_read_1Mi"), 1e10);
  EXPECT_EQ(feature(profile_of(made_up(), "gpu1"), "launch_openmp"), 2e-6);
}

TEST(Profile, OfOneHardwareNamesAllThreadsAtOnce) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(
      joined_by_threads({"Xeon, 2700, 16 threads; H200", "Epyc, 8 threads", "Xeon, 2700, 4 threads; H200",
                         "Xeon, 2700, 4 threads; H100", "told"}),
      (Texts{"Xeon, 2700, 4, 16 threads; H200", "Epyc, 8 threads", "Xeon, 2700, 4 threads; H100", "told"}));
}

TEST(MachineProfile, RemembersTheLoadUnderWhichItWasMeasured) {
  Session session;
  session.environment = {
      {"machine", "m"}, {"cpu", "A Processor"}, {"openmp.threads", "16"}, {"load", "5.25"}};
  const Profile profile = profile_of(session);
  EXPECT_EQ(profile_from_json(to_json(profile)).load, 5.25);
  EXPECT_TRUE(is_loaded(profile.load, profile.threads));
  EXPECT_FALSE(is_loaded(3, 16));
  EXPECT_FALSE(is_loaded(0.9, 2));
  EXPECT_FALSE(to_json(Profile()).find("load") != std::string::npos);
}

}  // namespace
}  // namespace sextant::predict
