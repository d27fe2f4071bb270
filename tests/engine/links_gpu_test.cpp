// Tests that the bytes that a kernel reports as sent between two GPUs match NVML's link counters.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <climits>
#include <cstdio>
#include <optional>

#include "base/dynamic_library.hpp"
#include "device/team.hpp"
#include "engine/case/case_subject.hpp"
#include "parts_cases.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// NVML's counter of the payload sent over a GPU's links. The declarations follow its reference manual ("Field
// Value Queries").
class Counter {
 public:
  explicit Counter(int device) {
    char bus[32] = {};
    if (!library_.find("nvmlInit_v2", &init_) || !library_.find("nvmlDeviceGetFieldValues", &read_) ||
        !library_.find("nvmlDeviceGetHandleByPciBusId_v2", &by_bus_) || init_() != 0 ||
        cudaDeviceGetPCIBusId(bus, sizeof bus, device) != cudaSuccess || by_bus_(bus, &gpu_) != 0)
      gpu_ = nullptr;
  }
  // Returns the bytes sent since an unspecified start; empty if the driver does not report them.
  std::optional<double> bytes() const {
    Field all = {.field = data_sent, .scope = UINT_MAX};  // scope of all links
    if (gpu_ && read_(gpu_, 1, &all) == 0 && all.status == 0) return 1024.0 * static_cast<double>(all.value);
    return std::nullopt;
  }

 private:
  static constexpr unsigned data_sent = 138;  // NVML_FI_DEV_NVLINK_THROUGHPUT_DATA_TX, KiB
  struct Field {
    unsigned field = 0, scope = 0;
    long long time = 0, latency = 0;
    int type = 0, status = 0;
    unsigned long long value = 0;
  };

  DynamicLibrary library_{{"libnvidia-ml.so.1"}};
  int (*init_)() = nullptr;
  int (*by_bus_)(const char*, void**) = nullptr;
  int (*read_)(void*, int, Field*) = nullptr;
  void* gpu_ = nullptr;
};

// A case on two GPUs that is ready to launch.
class Launches {
 public:
  Launches(DeviceTeam& team, const Case& what) : team_(team) {
    problem_ = find_subject(what, &subject_);
    subject_.problem.parts = 2;
    if (problem_.empty()) problem_ = tune_subject(what, "here", &subject_);
    if (!problem_.empty()) return;
    data_ = std::make_unique<CaseData>(subject_, checks(), [](Stage) {});
    for (const HostArray& array : data_->workset->arrays()) arrays_.emplace_back(array.data);
    call_ = {.problem = subject_.problem, .tuning = subject_.tuning.data(), .arrays = arrays_.data()};
    call_.parts.ranks = &team.team();
    const char* reason = subject_.variant->prepare(call_, &call_.state);
    if (reason) problem_ = reason;
    if (!reason) subject_.variant->parts.scatter(call_);
  }
  Launches(const Launches&) = delete;
  Launches& operator=(const Launches&) = delete;
  ~Launches() {
    if (call_.state) subject_.variant->release(call_.state);
  }
  const std::string& problem() const { return problem_; }
  void run(int times) {
    for (int i = 0; i < times; ++i) {
      subject_.variant->launch[subject_.problem.type](call_);
      team_.synchronise();
    }
  }
  double counted() const { return static_cast<double>(subject_.kernel->work(subject_.problem).bytes_sent); }

 private:
  DeviceTeam& team_;
  CaseSubject subject_;
  std::unique_ptr<CaseData> data_;
  std::vector<ArrayAt> arrays_;
  Call call_;
  std::string problem_;
};

// Returns a large problem of the kernel that is distributed over two GPUs.
Case case_of(const std::string& kernel) {
  Selection selection;
  selection.kernels = {kernel};
  selection.variants = {"cuda.peers"};
  selection.device = "gpu0-1";
  if (kernel == "all_to_all") {
    selection.types = {ElementType::float32};
    selection.sizes = {64 << 20};
  } else if (kernel == "npb_ft") {
    selection.classes = {"A"};
  } else {
    selection.types = {ElementType::float32};
    selection.shapes = {{256, 256, 64}};
  }
  return plan(selection).front();
}

class Links : public testing::TestWithParam<const char*> {};

TEST_P(Links, CarryWhatPartsAreSaidToSend) {
  std::string why_not;
  const std::unique_ptr<DeviceTeam> team = gpus_of_machine() > 1 ? open_team(0, 2, 1, &why_not) : nullptr;
  if (!team) GTEST_SKIP() << "it takes two GPUs " << why_not;
  const Counter counter(0);
  if (!counter.bytes()) GTEST_SKIP() << "NVML has no counters of these GPUs' links";
  const Case what = case_of(GetParam());
  Launches launches(*team, what);
  ASSERT_EQ(launches.problem(), "") << key_of(what);
  launches.run(2);
  const double wanted = 2e9;  // bytes: far more than any other traffic on the links
  const int times = 1 + static_cast<int>(wanted / launches.counted());
  const double before = *counter.bytes();
  launches.run(times);
  const double carried = (*counter.bytes() - before) / times;
  std::printf("%s: %.0f bytes a call are counted, %.0f carried, %.4f of it\n", key_of(what).c_str(),
              launches.counted(), carried, carried / launches.counted());
  EXPECT_NEAR(carried / launches.counted(), 1, 0.05);
}
INSTANTIATE_TEST_SUITE_P(Of, Links, testing::Values("all_to_all", "heat3d_r1", "lbm_d3q15", "npb_ft"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace sextant
