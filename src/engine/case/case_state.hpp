// Data that the functions of CaseRunner share; private to case_runner.cpp and case_timing.cpp.
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
#include "machine/thread_count.hpp"

namespace sextant {

// Maximum threads that move and compare the data of a case on a GPU. They keep up with its bus. Waking and
// joining more threads takes longer than it saves.
inline constexpr int most_checking_threads = 16;

struct CaseRunner::Subject : CaseSubject {
  Device* device = nullptr;
  int gpu = -1;  // index of the GPU; -1: the host
  bool on_gpu() const { return gpu >= 0; }
  // Threads of the checking stages; 0: all.
  int checking_threads() const { return on_gpu() ? std::min(openmp_threads(), most_checking_threads) : 0; }
};

// Consecutive cases of one kernel and problem share the host data. Cases in the same memory space also share
// the device copy, the allocation times and the transfer times.
struct CaseRunner::Kept : CaseData {
  using CaseData::CaseData;

  std::unique_ptr<Mapped> mapped;
  Device* mapped_on = nullptr;

  struct Costs {
    bool known = false;
    std::vector<Transfer> transfers;
    std::vector<double> alloc_times;
  };
  std::array<Costs, memory_space_count> costs;
  std::optional<std::string> trivial_answers;  // trivial answers that pass; empty until tried
  std::map<std::string, double> preparations;  // seconds of each variant's last `prepare`
};

}  // namespace sextant
