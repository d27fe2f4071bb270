// What the functions of a CaseRunner hand each other; private to case_runner.cpp and case_timing.cpp.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "device/device.hpp"
#include "engine/case_runner.hpp"
#include "engine/case_subject.hpp"

namespace sextant {

// Seconds from which the check's own executions count as samples.
inline constexpr double counted_execution = 0.06;

struct CaseRunner::Subject : CaseSubject {
  Device* device = nullptr;
  int gpu = -1;  // where it runs, -1: the host
  bool on_gpu() const { return gpu >= 0; }
};

// Consecutive cases of one kernel and problem share the host data, and those of one home the device's copy,
// the allocation times and the transfer times.
struct CaseRunner::Kept : CaseData {
  using CaseData::CaseData;

  std::unique_ptr<Mapped> mapped;
  Device* mapped_on = nullptr;

  struct Costs {
    bool known = false;
    std::vector<Transfer> transfers;
    std::vector<double> alloc_times;
  };
  std::array<Costs, home_count> costs;
};

}  // namespace sextant
