#include "device/device.hpp"

#include <chrono>

#include "base/clock.hpp"

namespace sextant {
namespace {

std::vector<const char* (*)()>& askers() {
  static std::vector<const char* (*)()> all;
  return all;
}

}  // namespace

void ask_for_gpu_errors(const char* (*last_error)()) { askers().push_back(last_error); }

const char* foreign_gpu_error() {
  for (const auto ask : askers())
    if (const char* error = ask()) return error;
  return nullptr;
}

std::optional<double> mean_clock(const std::vector<CycleCount>& first, const std::vector<CycleCount>& last) {
  // Some GPUs update their clock only every microsecond. The error is then below 1 %.
  constexpr std::uint64_t least_nanoseconds = 200'000;
  for (const CycleCount& end : last)
    for (const CycleCount& begin : first)
      if (begin.multiprocessor == end.multiprocessor && end.cycles > begin.cycles &&
          end.nanoseconds >= begin.nanoseconds + least_nanoseconds)
        return static_cast<double>(end.cycles - begin.cycles) /
               (static_cast<double>(end.nanoseconds - begin.nanoseconds) * 1e-9);
  return std::nullopt;
}

void Device::mark() { marks_.push_back(now()); }

std::vector<double> Device::take_marks() {
  std::vector<double> marks = std::move(marks_);
  marks_.clear();
  for (std::size_t i = marks.size(); i-- > 0;) marks[i] -= marks[0];
  return marks;
}

}  // namespace sextant
