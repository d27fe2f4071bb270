#include "analysis/compare/turns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/compare/intervals.hpp"
#include "record/device_time.hpp"

namespace sextant {

bool time_to_judge(std::size_t turns, std::size_t most) {
  for (std::size_t look = 8; look < most; look *= 2)
    if (turns == look) return true;
  return turns >= most;
}

TurnsVerdict judge_turns(const std::vector<double>& base, const std::vector<double>& other,
                         double threshold) {
  constexpr double certain = 0.001;  // error probability of one test; 1 in 200 over five tests
  TurnsVerdict judged;
  const Shift likely = shift_interval(base, other), sure = shift_interval(base, other, certain);
  if (!likely.known) return judged;
  judged.ratio = {std::exp(likely.low), std::exp(likely.middle), std::exp(likely.high), 0,
                  std::min(base.size(), other.size())};
  const double limit = std::log1p(threshold);
  if (std::abs(likely.low) < limit && std::abs(likely.high) < limit)
    judged.verdict = Verdict::equal;
  else if (sure.known && std::abs(sure.middle) > limit && (sure.low > 0 || sure.high < 0))
    judged.verdict = sure.low > 0 ? Verdict::slower : Verdict::faster;
  return judged;
}

bool confirmed(const std::vector<double>& shifts, double threshold) {
  const auto beyond = [&](double sign) {
    return std::all_of(shifts.begin(), shifts.end(), [&](double shift) { return sign * shift > 0; }) &&
           sign * median_interval(shifts).median > std::log1p(threshold);
  };
  return beyond(1) || beyond(-1);
}

std::size_t confirming_turns(std::size_t first) { return std::clamp<std::size_t>(first / 2, 8, 32); }

double fastest_quarter(std::vector<double> samples) {
  if (samples.empty()) return 0;
  std::sort(samples.begin(), samples.end());
  const std::size_t count = std::max<std::size_t>(1, samples.size() / 4);
  return std::accumulate(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(count), 0.0) /
         static_cast<double>(count);
}

std::vector<double> turn_times(const std::vector<Measurement>& turns, ComparedTime time) {
  std::vector<double> times;
  for (const Measurement& turn : turns) {
    const double seconds = time == ComparedTime::device
                               ? middle_mean(turn.device_times, gpu_timer_step).median
                               : fastest_quarter(turn.call_times);
    if (turn.status == Status::ok && seconds > 0) times.push_back(std::log(seconds));
  }
  return times;
}

ComparedTime turns_time(const std::vector<Measurement>& base, const std::vector<Measurement>& other,
                        ComparedTime asked) {
  if (asked != ComparedTime::steadiest) return asked;
  for (const auto* turns : {&base, &other})
    for (const Measurement& turn : *turns)
      if (turn.device_times.empty() || copies_itself(turn)) return ComparedTime::call;
  return ComparedTime::device;
}

}  // namespace sextant
