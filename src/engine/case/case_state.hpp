// Data that the member functions of CaseRunner share; only case_runner.cpp and case_timing.cpp include this.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "engine/case/case_runner.hpp"
#include "engine/case/case_subject.hpp"
#include "engine/case/device_copies.hpp"
#include "machine/thread_count.hpp"

namespace sextant {

// Maximum number of threads that copy and compare the data of a GPU case. This many saturate the bus to the
// GPU.
inline constexpr int most_checking_threads = 16;

struct CaseRunner::Subject : CaseSubject {
  Device* device = nullptr;
  int gpu = -1;  // index of the GPU; -1: the case runs on the host
  bool on_gpu() const { return gpu >= 0; }
  // Returns the number of threads for the stages that check; 0: all threads.
  int checking_threads() const { return on_gpu() ? std::min(openmp_threads(), most_checking_threads) : 0; }
};

// Data that consecutive cases of one kernel and problem share. Cases in the same memory space also share the
// device copy, the allocation times and the transfer times.
struct CaseRunner::Kept : CaseData {
  using CaseData::CaseData;

  std::map<Device*, KeptOnDevice> on_devices;  // destroyed after device_copies, which use them
  std::unique_ptr<DeviceCopies> device_copies;
  Device* copied_to = nullptr;

  struct Costs {
    bool known = false;
    std::vector<Transfer> transfers;
    std::vector<double> alloc_times;
  };
  std::array<Costs, memory_space_count> costs;
  // names of trivial results (such as zeros) that the tolerance accepts; no value until they were tried
  std::optional<std::string> trivial_answers;
  std::map<std::string, double> preparations;  // seconds of each variant's last `prepare`, by variant name
};

}  // namespace sextant
