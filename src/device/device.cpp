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

void Device::mark() { marks_.push_back(now()); }

std::vector<double> Device::take_marks() {
  std::vector<double> marks = std::move(marks_);
  marks_.clear();
  for (std::size_t i = marks.size(); i-- > 0;) marks[i] -= marks[0];
  return marks;
}

}  // namespace sextant
