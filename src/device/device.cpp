#include "device/device.hpp"

#include <chrono>

#include "base/clock.hpp"

namespace sextant {

void Device::mark() { marks_.push_back(now()); }

std::vector<double> Device::take_marks() {
  std::vector<double> marks = std::move(marks_);
  marks_.clear();
  for (std::size_t i = marks.size(); i-- > 0;) marks[i] -= marks[0];
  return marks;
}

}  // namespace sextant
