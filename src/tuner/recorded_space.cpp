#include "tuner/recorded_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "record/keys.hpp"
#include "record/statistics.hpp"

namespace sextant::tuner {
namespace {

// The key of a case without its tuning.
std::string space_key(Case what) {
  what.tuning.clear();
  return key_of(what);
}

double time_of(const Measurement& measurement) {
  return median_interval(measurement.device_times.empty() ? measurement.call_times : measurement.device_times)
      .median;
}

Evaluation evaluation_of(const Measurement& measurement) {
  const bool on_device = !measurement.device_times.empty();
  const double spread = noise(median_interval(on_device ? measurement.device_times : measurement.call_times));
  return {measurement.status, measurement.reason, time_of(measurement), std::isfinite(spread) ? spread : 0,
          0};
}

// The measurements of one space; empty if they are fewer than two.
std::vector<RecordedSpace> space_of(const std::string& name, const std::vector<const Measurement*>& all) {
  const Tuning& first = all.front()->what.tuning;
  std::vector<std::vector<int>> values(first.size());
  std::map<std::vector<int>, const Measurement*> points;
  for (const Measurement* one : all) {
    if (one->what.tuning.size() != first.size()) continue;
    std::vector<int> point;
    for (const auto& [axis, value] : one->what.tuning) point.push_back(value);
    points[point] = one;  // the last of equals
  }
  if (first.empty() || points.size() < 2) return {};
  for (const auto& [point, measurement] : points)
    for (std::size_t a = 0; a < values.size(); ++a) values[a].push_back(point[a]);
  std::vector<Axis> axes;
  for (std::size_t a = 0; a < values.size(); ++a) {
    std::sort(values[a].begin(), values[a].end());
    values[a].erase(std::unique(values[a].begin(), values[a].end()), values[a].end());
    axes.push_back(Axis::of(first[a].first, values[a]));
  }
  std::vector<Choice> choices;
  std::vector<RecordedPoint> recorded;
  for (const auto& [point, measurement] : points) {
    for (std::size_t a = 0; a < values.size(); ++a)
      choices.push_back(static_cast<Choice>(std::lower_bound(values[a].begin(), values[a].end(), point[a]) -
                                            values[a].begin()));
    recorded.push_back({evaluation_of(*measurement), {}});
  }
  return {{name, {}, Format::compact, Space(std::move(axes), std::move(choices)), std::move(recorded)}};
}

// By axis of `space` and its choice: the choice of `other` with the same text; -1: none. Empty: other axes.
std::vector<std::vector<int>> translation(const Space& space, const Space& other,
                                          std::vector<std::size_t>* order) {
  std::vector<std::vector<int>> found;
  if (space.axes().size() != other.axes().size()) return {};
  for (const Axis& axis : space.axes()) {
    const auto same = std::find_if(other.axes().begin(), other.axes().end(),
                                   [&](const Axis& one) { return one.name == axis.name; });
    if (same == other.axes().end()) return {};
    order->push_back(static_cast<std::size_t>(same - other.axes().begin()));
    found.emplace_back();
    for (const std::string& text : axis.texts) {
      const auto choice = std::find(same->texts.begin(), same->texts.end(), text);
      found.back().push_back(choice == same->texts.end() ? -1
                                                         : static_cast<int>(choice - same->texts.begin()));
    }
  }
  return found;
}

// log(time / best time) of each point of `space` in `other`; empty if they share none that ran.
std::vector<float> taught_by(const Space& space, const RecordedSpace& other) {
  std::vector<std::size_t> order;
  const auto choices = translation(space, other.space, &order);
  if (choices.empty()) return {};
  const double best = other.optimum();
  double worst = 0;
  for (const RecordedPoint& point : other.points)
    if (point.evaluation.usable()) worst = std::max(worst, point.evaluation.time);
  if (worst == 0) return {};
  std::vector<float> taught(space.size(), static_cast<float>(std::log(worst / best)));
  bool shared = false;
  std::vector<Choice> there(order.size());
  for (std::size_t point = 0; point < space.size(); ++point) {
    bool known = true;
    for (std::size_t a = 0; a < order.size(); ++a) {
      const int choice = choices[a][space.choices(point)[a]];
      known = known && choice >= 0;
      there[order[a]] = static_cast<Choice>(std::max(choice, 0));
    }
    const auto same = known ? other.space.find(there) : std::nullopt;
    if (!same || !other.points[*same].evaluation.usable()) continue;
    taught[point] = static_cast<float>(std::log(other.points[*same].evaluation.time / best));
    shared = true;
  }
  return shared ? taught : std::vector<float>();
}

}  // namespace

std::size_t RecordedSpace::usable() const {
  return static_cast<std::size_t>(std::count_if(
      points.begin(), points.end(), [](const RecordedPoint& one) { return one.evaluation.usable(); }));
}

double RecordedSpace::optimum() const {
  double best = std::numeric_limits<double>::infinity();
  for (const RecordedPoint& point : points)
    if (point.evaluation.usable()) best = std::min(best, point.evaluation.time);
  return best;
}

std::vector<RecordedSpace> recorded_spaces(const Results& results) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<const Measurement*>> by_name;
  const bool several = results.sessions.size() > 1;
  std::map<std::int64_t, std::string> machines;
  for (const Session& session : results.sessions) machines[session.id] = machine_of(session);
  for (const StoredMeasurement& stored : results.measurements) {
    const std::string machine = several ? machines[stored.session] : std::string();
    const std::string name = space_key(stored.measurement.what) + (machine.empty() ? "" : "|" + machine);
    std::vector<const Measurement*>& all = by_name[name];
    if (all.empty()) names.push_back(name);
    all.push_back(&stored.measurement);
  }
  std::vector<RecordedSpace> spaces;
  for (const std::string& name : names)
    for (RecordedSpace& one : space_of(name, by_name[name])) spaces.push_back(std::move(one));
  return spaces;
}

Prior prior_of(const Space& space, std::span<const RecordedSpace* const> others) {
  Prior prior;
  for (const RecordedSpace* other : others)
    if (std::vector<float> taught = taught_by(space, *other); !taught.empty())
      prior.sources.push_back(std::move(taught));
  return prior;
}

}  // namespace sextant::tuner
