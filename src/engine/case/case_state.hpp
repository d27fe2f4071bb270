// What the functions of a CaseRunner hand each other; private to case_runner.cpp and case_timing.cpp.
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

// Threads that move and compare the data of a case on a GPU: they keep up with its bus (55 GB/s), and waking
// more, and waiting until all of them have ended, takes longer than they save.
inline constexpr int most_checking_threads = 16;

struct CaseRunner::Subject : CaseSubject {
  Device* device = nullptr;
  int gpu = -1;  // where it runs, -1: the host
  bool on_gpu() const { return gpu >= 0; }
  // Of the stages that check it; 0: as many as there are.
  int checking_threads() const { return on_gpu() ? std::min(openmp_threads(), most_checking_threads) : 0; }
};

// Consecutive cases of one kernel and problem share the host data, and those of one memory_space the device's
// copy, the allocation times and the transfer times.
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
  std::optional<std::string> trivial_answers;  // that pass; asked for once
  std::map<std::string, double> preparations;  // by variant, seconds of its last
};

}  // namespace sextant
