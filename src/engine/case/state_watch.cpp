#include "engine/case/state_watch.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include "base/join.hpp"

namespace sextant {
namespace {

using Readings = std::vector<StateReader::Reading>;

std::optional<double> mean_of(const Readings& readings, std::optional<double> GpuState::*member) {
  double sum = 0;
  int count = 0;
  for (const StateReader::Reading& one : readings)
    if (const std::optional<double>& value = one.state.*member) sum += *value, ++count;
  return count > 0 ? std::optional<double>(sum / count) : std::nullopt;
}

std::string reasons_of(const Readings& readings) {
  std::set<std::string> reasons;
  for (const StateReader::Reading& one : readings)
    reasons.insert(one.state.throttle_reasons.begin(), one.state.throttle_reasons.end());
  return join(reasons);
}

// Returns the reading that is nearest to the time, or null.
const StateReader::Reading* nearest(const Readings& readings, double time) {
  const auto found = std::min_element(readings.begin(), readings.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.time - time) < std::abs(b.time - time);
  });
  return found == readings.end() ? nullptr : &*found;
}

}  // namespace

StateWatch::StateWatch(Device* counters, StateReader::Read read, Clock& clock)
    : counters_(counters), read_(std::move(read)), clock_(clock), reader_(read_, clock) {
  counts();  // loads the kernel that reads the counters
}

std::vector<CycleCount> StateWatch::counts() const {
  return counters_ ? counters_->cycle_counts() : std::vector<CycleCount>();
}

void StateWatch::begin() {
  const double now = clock_.now();
  if (!open_ || now - groups_.back().begin >= group_seconds) {
    const std::vector<CycleCount> counts = this->counts();
    if (open_) close(now, counts);
    at_begin_ = counts;
    groups_.push_back({clock_.now(), 0, 0, {}});
    open_ = true;
  }
  ++groups_.back().samples;
}

void StateWatch::end() {
  if (!open_) return;
  const double now = clock_.now();
  close(now, counts());
}

void StateWatch::close(double now, const std::vector<CycleCount>& counts) {
  groups_.back().end = now;
  groups_.back().clock = mean_clock(at_begin_, counts);
  open_ = false;
}

void StateWatch::keep_last(const std::vector<char>& wanted) {
  if (wanted.size() > groups_.size()) return groups_.clear();
  const std::size_t before = groups_.size() - wanted.size();
  std::vector<Group> kept(groups_.begin(), groups_.begin() + static_cast<std::ptrdiff_t>(before));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (wanted[i]) kept.push_back(groups_[before + i]);
  groups_ = std::move(kept);
}

Readings StateWatch::readings_of_samples(const Readings& readings) const {
  Readings found;
  for (const StateReader::Reading& one : readings)
    if (std::any_of(groups_.begin(), groups_.end(),
                    [&](const Group& group) { return one.time >= group.begin && one.time <= group.end; }))
      found.push_back(one);
  return found;
}

// Without counters, the clock of a group is the mean of the driver's readings in it.
void StateWatch::add_driver_clocks(const Readings& readings) {
  for (Group& group : groups_) {
    if (group.clock) continue;
    Readings inside;
    for (const StateReader::Reading& one : readings)
      if (one.time >= group.begin && one.time <= group.end) inside.push_back(one);
    group.clock = mean_of(inside, &GpuState::clock);
  }
}

SampledState StateWatch::finish() {
  end();
  Readings readings = readings_of_samples(reader_.stop());
  if (readings.empty() && read_ && !groups_.empty()) readings.push_back({groups_.back().end, read_()});
  if (!readings.empty()) max_clock_ = readings.back().state.max_clock;
  add_driver_clocks(readings);
  SampledState state;
  state.power = mean_of(readings, &GpuState::power);
  state.temperature = mean_of(readings, &GpuState::temperature);
  state.throttle_reasons = reasons_of(readings);
  for (const Group& group : groups_) {
    SampleGroup& stored = state.groups.emplace_back(SampleGroup{group.samples, group.clock, {}});
    if (const StateReader::Reading* one = nearest(readings, (group.begin + group.end) / 2))
      stored.throttled = !one->state.throttle_reasons.empty();
  }
  return state;
}

}  // namespace sextant
