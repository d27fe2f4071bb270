// Tests of the findings of `sextant doctor` on made-up machines.
#include <gtest/gtest.h>

#include <algorithm>

#include "golden.hpp"
#include "machine/diagnosis.hpp"
#include "machine/environment.hpp"
#include "machine/fftw.hpp"

namespace sextant {
namespace {

Environment quiet_machine() {
  return {{"version", "1.2.3"},
          {"git_revision", "abc"},
          {"build_type", "Release"},
          {"machine", "box"},
          {"os", "Linux"},
          {"os.kernel", "Linux 6"},
          {"cpu", "Some CPU"},
          {"cpu.cores", "16"},
          {"cpu.threads", "16"},
          {"cpu.sockets", "1"},
          {"cpu.numa_nodes", "1"},
          {"cpu.usable", "16"},
          {"load", "0.10"},
          {"memory", "137438953472"},
          {"memory.available", "130000000000"},
          {"openmp.threads", "16"},
          {"compiler.serial", "GNU"},
          {"compiler.openmp", "GNU"},
          {"compiler.openacc", "GNU"},
          {"compiler.stdpar", "GNU, TBB"},
          {"compiler.target", "GNU"},
          {"compiler.cuda", "nvcc"},
          {"compiler.library", "GNU"},
          {"cuda", "13.0"},
          {"cuda.driver", "13.0"},
          {"cuda.code", "ok"},
          {"gpus", "1"},
          {"driver.gpus", "1"},
          {"gpu0.name", "NVIDIA X"},
          {"gpu0.processes", "1"},
          {"gpu0.utilisation", "0"},
          {"gpu0.compute_capability", "9.0"},
          {"gpu0.temperature", "40"},
          {"gpu0.persistence", "on"},
          {"gpu0.compute_mode", "default"},
          {"openacc.gpus", "1"},
          {"target.gpus", "1"},
          {"activity", "ok"}};
}

Environment with(const Environment& changes) {
  Environment environment = quiet_machine();
  for (const auto& [key, value] : changes) environment[key] = value;
  return environment;
}

Environment without_gpu() {
  Environment environment = quiet_machine();
  std::erase_if(environment, [](const auto& entry) { return entry.first.starts_with("gpu0."); });
  environment["gpus"] = "0";
  environment["gpus.missing"] = "no NVIDIA driver is loaded";
  environment.erase("driver.gpus");
  environment["openacc.gpus"] = environment["target.gpus"] = "0";
  environment["activity"] = "no usable NVIDIA GPU";
  return environment;
}

// Returns all findings that are not ok, one per line: "severity topic: text -> remedy".
std::string complaints(const Environment& environment) {
  std::string lines;
  for (const Finding& finding : diagnose(environment)) {
    EXPECT_FALSE(finding.text.empty());
    EXPECT_EQ(finding.remedy.empty(), finding.severity == Severity::ok) << finding.text;
    if (finding.severity == Severity::ok) continue;
    lines += std::string(name_of(finding.severity)) + " " + finding.topic + ": " + finding.text + " -> " +
             finding.remedy + "\n";
  }
  return lines;
}

TEST(Doctor, AQuietMachineIsWell) { EXPECT_EQ(complaints(quiet_machine()), ""); }

TEST(Doctor, EveryAilmentHasItsRemedy) {
  struct Ailment {
    Environment changes;
    const char* severity_and_topic;
  };
  const Ailment ailments[] = {
      {{{"build_type", "Debug"}}, "note build"},
      {{{"sanitizers", "address"}}, "note build"},
      {{{"virtual", "yes"}}, "note cpu"},
      {{{"cpu.cores", "2"}, {"cpu.threads", "2"}, {"cpu.usable", "2"}, {"openmp.threads", "2"}}, "note cpu"},
      {{{"cpu.governor", "powersave"}}, "note governor"},
      {{{"cpu.turbo", "on"}}, "note turbo"},
      {{{"load", "9.5"}}, "note busy"},
      {{{"memory.limit", "1000000000"}}, "note memory"},
      {{{"cpu.limit", "4"}}, "problem quota"},
      {{{"cpu.limit", "0.5"}}, "problem quota"},
      {{{"openmp.threads", "64"}}, "problem openmp"},
      {{{"openmp.threads", "4"}}, "note openmp"},
      {{{"cpu.numa_nodes", "2"}}, "note openmp"},
      {{{"cpu.threads", "32"}, {"cpu.usable", "32"}, {"openmp.threads", "32"}}, "note smt"},
      {{{"cpu.threads", "32"}, {"cpu.usable", "32"}}, "note smt"},
      {{{"openblas.threads", "1"}}, "note library"},
      {{{"cpu.cores", "96"},
        {"cpu.threads", "96"},
        {"cpu.usable", "96"},
        {"openmp.threads", "96"},
        {"openblas.threads", "64"},
        {"openblas", "OpenBLAS 0.3.21 NO_AFFINITY Haswell MAX_THREADS=64"}},
       "note library"},
      {{{"fftw.threads", "1"}}, "note library"},
      {{{"left_out.library.openblas", "not installed"}}, "note library"},
      {{{"gpu0.compute_mode", "prohibited"}}, "problem gpu0"},
      {{{"gpu0.processes", "3"}}, "note gpu0"},
      {{{"gpu0.utilisation", "0.9"}}, "note gpu0"},
      {{{"gpu0.throttle_reasons", "hardware thermal"}}, "note gpu0"},
      {{{"gpu0.temperature", "88"}}, "note gpu0"},
      {{{"gpu0.persistence", "off"}}, "note gpu0"},
      {{{"gpu0.pcie_width", "8"}, {"gpu0.max_pcie_width", "16"}}, "note gpu0"},
      {{{"cuda.code", "no kernel image"}}, "problem cuda"},
      {{{"openacc.gpus", "0"}}, "problem openacc"},
      {{{"env.ACC_DEVICE_TYPE", "host"}}, "note openacc"},
      {{{"target.gpus", "0"}}, "problem target"},
      {{{"target.gpus", "0"}, {"openmp.library", "libomp.so.5"}}, "problem target"},
      {{{"env.OMP_TARGET_OFFLOAD", "DISABLED"}}, "note target"},
      {{{"activity", "CUPTI says CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"}}, "note activity"},
      {{{"activity", "libcupti is not there"}}, "note activity"},
      {{{"activity", "CUPTI says CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"}}, "note activity"},
  };
  std::string all;
  for (const Ailment& ailment : ailments) {
    const std::string lines = complaints(with(ailment.changes));
    EXPECT_TRUE(lines.starts_with(std::string(ailment.severity_and_topic) + ": ")) << lines;
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1) << lines;
    for (const auto& [key, value] : ailment.changes) all += key + "=" + value + " ";
    all += "\n  " + lines;
  }
  test::expect_golden(all, "machine/doctor");
}

TEST(Doctor, SaysWhichVectorsFftwLacks) {
  const std::string debian = "fftw-3.3.10-sse2-avx-avx2-avx2_128";
  EXPECT_EQ(vectors_that_fftw_lacks(debian, {.avx2 = true, .avx512 = false}), "");
  EXPECT_EQ(vectors_that_fftw_lacks(debian, {.avx2 = true, .avx512 = true}), "AVX-512");
  EXPECT_EQ(vectors_that_fftw_lacks(debian + "-avx512", {.avx2 = true, .avx512 = true}), "");
  EXPECT_EQ(vectors_that_fftw_lacks("fftw-3.3.10-sse2-avx", {.avx2 = true, .avx512 = false}), "AVX2");
  EXPECT_EQ(vectors_that_fftw_lacks("", {.avx2 = true, .avx512 = true}), "");
  const VectorInstructions here = vector_instructions_of_this_processor();
  const std::string lines = complaints(with({{"fftw", "fftw-3.3.10-sse2"}}));
  EXPECT_EQ(lines.find("note library: fftw was built without AVX") != std::string::npos,
            here.avx2 || here.avx512)
      << lines;
}

TEST(Doctor, SaysWhetherGpusReachEachOther) {
  Environment machine = quiet_machine();
  machine["gpus"] = "3";
  for (const char* gpu : {"gpu1", "gpu2"})
    for (const char* key : {".name", ".compute_capability", ".multiprocessors", ".memory"})
      machine[gpu + std::string(key)] = machine["gpu0" + std::string(key)];
  machine["gpu0.peers"] = "1,2";
  machine["gpu1.peers"] = "0,2";
  machine["gpu2.peers"] = "0,1";
  EXPECT_EQ(complaints(machine), "");
  machine["gpu1.peers"] = "0";
  test::expect_golden(complaints(machine), "machine/doctor_peers");
}

TEST(Doctor, NamesLinksThatAreSlowerThanOthers) {
  const Finding even = links_finding("gpu0-2: copies 390 GB/s", "");
  EXPECT_EQ(even.severity, Severity::ok);
  EXPECT_EQ(even.text, "gpu0-2: copies 390 GB/s");
  EXPECT_EQ(even.remedy, "");
  const Finding uneven = links_finding("gpu0-2: copies 98 GB/s to 390 GB/s", "gpu0 to gpu2 (98 GB/s)");
  EXPECT_EQ(uneven.severity, Severity::note);
  test::expect_golden(uneven.text + "\n" + uneven.remedy + "\n", "machine/doctor_links");
}

TEST(Doctor, SaysOfTheProcessorWhatItFoundInOrder) {
  std::string said;
  for (const Finding& finding : diagnose(with(
           {{"cpu.governor", "performance"}, {"cpu.turbo", "off"}, {"cpu.smt", "off"}, {"cpu.limit", "16"}})))
    for (const char* topic : {"governor", "turbo", "smt", "busy", "quota"})
      if (finding.topic == topic) said += finding.topic + ": " + finding.text + "\n";
  test::expect_golden(said, "machine/doctor_processor");
}

TEST(Doctor, AModelWithoutItsDeviceIsNotOk) {
  for (const Finding& finding : diagnose(without_gpu()))
    for (const char* model : {"cuda", "openacc", "target"})
      if (finding.topic == model) {
        EXPECT_EQ(finding.severity, Severity::note) << finding.text;
        EXPECT_NE(finding.text.find("no device"), std::string::npos) << finding.text;
      }
}

TEST(Doctor, BoundThreadsAreLeftAlone) {
  EXPECT_EQ(complaints(with({{"cpu.numa_nodes", "2"}, {"env.OMP_PLACES", "cores"}})), "");
  EXPECT_EQ(complaints(with({{"cpu.threads", "32"}, {"cpu.usable", "32"}, {"env.OMP_PLACES", "cores"}})), "");
}

TEST(Doctor, AModelThatIsLeftOutIsNotedWithItsReason) {
  Environment environment = quiet_machine();
  environment.erase("compiler.openacc");
  environment.erase("openacc.gpus");
  environment["left_out.openacc"] = "the compiler cannot offload";
  std::string said = complaints(environment);
  environment["left_out.openacc"] = "switched off by SEXTANT_OPENACC=OFF";
  said += complaints(environment);
  environment = quiet_machine();
  environment.erase("compiler.stdpar");
  environment["left_out.stdpar"] = "no TBB";
  said += complaints(environment);
  environment.erase("compiler.target");
  environment["left_out.target"] = "the compiler cannot offload";
  said += complaints(environment);
  test::expect_golden(said, "machine/doctor_models_left_out");
}

TEST(Doctor, NoGpuIsANoteAndABrokenOneAProblem) {
  Environment environment = without_gpu();
  std::string said = complaints(environment);
  environment["driver.gpus"] = "2";
  said += complaints(environment);
  environment["gpus.missing"] = "the driver supports CUDA 12.2, this build needs 13.0";
  said += complaints(environment);
  environment["env.CUDA_VISIBLE_DEVICES"] = "7";
  said += complaints(environment);
  test::expect_golden(said, "machine/doctor_no_gpu");
}

TEST(Doctor, AGpuWithoutCudaInTheBuildIsNoted) {
  Environment environment = without_gpu();
  environment.erase("compiler.cuda");
  environment["left_out.cuda"] = "no nvcc";
  environment["driver.gpus"] = "1";
  environment["driver.gpu"] = "NVIDIA X";
  test::expect_golden(complaints(environment), "machine/doctor_no_cuda");
}

TEST(Doctor, RequirementsWantModelAndDevice) {
  const Environment well = quiet_machine();
  for (const std::string& name : requirements())
    EXPECT_EQ(unmet_requirement(well, name), std::nullopt) << name;
  const Environment bare = without_gpu();
  std::string said;
  for (const char* name : {"gpu", "cuda", "openacc", "target"})
    said += std::string(name) + ": " + unmet_requirement(bare, name).value_or("met") + "\n";
  for (const char* name : {"serial", "openmp", "stdpar", "library"})
    EXPECT_EQ(unmet_requirement(bare, name), std::nullopt);
  EXPECT_TRUE(unmet_requirement(with({{"openacc.gpus", "0"}}), "openacc"));
  EXPECT_TRUE(unmet_requirement(with({{"target.gpus", "0"}}), "target"));
  EXPECT_TRUE(unmet_requirement(with({{"cuda.code", "no kernel image"}}), "cuda"));
  Environment left_out = quiet_machine();
  left_out.erase("compiler.openmp");
  left_out["left_out.openmp"] = "no OpenMP";
  said += "openmp: " + unmet_requirement(left_out, "openmp").value_or("met") + "\n";
  test::expect_golden(said, "machine/doctor_requirements");
}

TEST(Doctor, LooksAtThisMachine) {
  const Environment environment = read_environment();
  EXPECT_EQ(unmet_requirement(environment, "serial"), std::nullopt);
  EXPECT_GE(diagnose(environment).size(), 5u);
}

}  // namespace
}  // namespace sextant
