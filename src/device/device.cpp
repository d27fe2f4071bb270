#include "device/device.hpp"

#include <chrono>

namespace sextant {

void Device::mark() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  marks_.push_back(std::chrono::duration<double>(now).count());
}

std::vector<double> Device::take_marks() {
  std::vector<double> marks = std::move(marks_);
  marks_.clear();
  for (std::size_t i = marks.size(); i-- > 0;) marks[i] -= marks[0];
  return marks;
}

}  // namespace sextant
