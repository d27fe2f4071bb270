#include "engine/case/paused_calls.hpp"

#include <algorithm>

namespace sextant {

int paused_calls(double gap, double expected) {
  constexpr double seconds = 2;
  constexpr int least = 3, most = 11;
  return static_cast<int>(std::clamp<double>(seconds / (gap + expected), least, most));
}

std::vector<double> time_after_pauses(const std::function<void()>& execute,
                                      const std::function<void()>& pause, int calls, Clock& clock,
                                      double clock_cost_seconds) {
  std::vector<double> times;
  execute();
  for (int i = 0; i < calls; ++i) {
    pause();
    const double start = clock.now();
    execute();
    times.push_back(std::max(0.0, clock.now() - start - clock_cost_seconds));
  }
  return times;
}

}  // namespace sextant
