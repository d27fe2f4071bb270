#include "tuner/recorded_space.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "record/keys.hpp"
#include "suite/thread_count.hpp"
#include "tuner/goal.hpp"

namespace sextant::tuner {
namespace {

Evaluation evaluation_of(const Measurement& measurement) {
  const Interval time = goal_time(measurement, Goal::device);
  const double spread = noise(time);
  return {measurement.status, measurement.reason, time.median, std::isfinite(spread) ? spread : 0, 0};
}

// The measured points of one space with their results. The last result of a point counts.
using Known = std::map<std::vector<int>, Evaluation>;
// For each axis (tunable): the values that occur, by number.
using Values = std::vector<std::map<int, TunedValue>>;

// The points of one space in a results file.
struct Gathered {
  std::string name, machine;
  Case what;  // the case without its tuning
  std::vector<std::string> axes;
  Known known;
  Values values;
};

// Makes a recorded space of the measured points; empty if there are fewer than two.
std::vector<RecordedSpace> space_of(const Gathered& one) {
  const auto& [name, machine, what, axis_names, known, named] = one;
  if (axis_names.empty() || known.size() < 2) return {};
  std::vector<std::vector<int>> values(axis_names.size());
  for (const auto& [point, evaluation] : known)
    for (std::size_t a = 0; a < values.size(); ++a) values[a].push_back(point[a]);
  std::vector<Axis> axes;
  for (std::size_t a = 0; a < values.size(); ++a) {
    std::sort(values[a].begin(), values[a].end());
    values[a].erase(std::unique(values[a].begin(), values[a].end()), values[a].end());
    std::vector<TunedValue> choices;
    for (const int value : values[a]) choices.push_back(named[a].at(value));
    axes.push_back(Axis::of(axis_names[a], choices));
  }
  std::vector<Choice> choices;
  std::vector<RecordedPoint> recorded;
  for (const auto& [point, evaluation] : known) {
    for (std::size_t a = 0; a < values.size(); ++a)
      choices.push_back(static_cast<Choice>(std::lower_bound(values[a].begin(), values[a].end(), point[a]) -
                                            values[a].begin()));
    recorded.push_back({evaluation, {}});
  }
  return {{name,
           {},
           Format::compact,
           Space(std::move(axes), std::move(choices)),
           std::move(recorded),
           what,
           machine}};
}

// Collects the points of every space in a results file, in order of first occurrence.
struct Gathering {
  std::vector<Gathered> all;
  std::map<std::string, std::size_t> index;

  void add(Case what, const std::string& machine, const Tuning& tuning, const Evaluation& evaluation) {
    std::vector<std::string> axes;
    std::vector<int> point;
    for (const auto& [axis, value] : tuning) {
      axes.push_back(axis);
      point.push_back(value);
    }
    // If the number of threads is an axis, the space gets another name, because it differs from the space
    // without this axis.
    const bool threads = !axes.empty() && axes.back() == thread_count;
    const std::string name = space_key_of(what) + (machine.empty() ? "" : "|" + machine) +
                             (threads ? std::string("|") + thread_count : "");
    const auto [place, fresh] = index.try_emplace(name, all.size());
    if (fresh) {
      what.tuning.clear();
      all.push_back({name, machine, std::move(what), axes, {}, Values(axes.size())});
    }
    Gathered& one = all[place->second];
    if (point.size() != one.axes.size()) return;
    one.known[point] = evaluation;
    for (std::size_t a = 0; a < point.size(); ++a) one.values[a][point[a]] = tuning[a].second;
  }
};

// Text of a choice for comparisons. Python tuners write true and false where C macros have 1 and 0.
std::string as_number(const std::string& text) { return text == "true" ? "1" : text == "false" ? "0" : text; }

// For each axis of `space` and each of its choices: the index of the same choice in `other`, or -1. Empty if
// the axes differ. `order` receives the index of each axis in `other`.
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
      const auto choice = std::find_if(same->texts.begin(), same->texts.end(), [&](const std::string& one) {
        return as_number(one) == as_number(text);
      });
      found.back().push_back(choice == same->texts.end() ? -1
                                                         : static_cast<int>(choice - same->texts.begin()));
    }
  }
  return found;
}

// Searches measure only a few points of a space. Up to this number of measured points, an unmeasured point
// takes the value of the nearest measured one.
constexpr std::size_t most_compared = 1000;

void take_nearest(const Space& space, const std::vector<std::size_t>& known,
                  const std::vector<std::size_t>& unknown, std::vector<float>* taught) {
  const std::size_t axes = space.axes().size();
  std::vector<float> places(known.size() * axes), own(axes);
  for (std::size_t i = 0; i < known.size(); ++i) space.features(known[i], places.data() + i * axes);
  for (const std::size_t point : unknown) {
    space.features(point, own.data());
    float nearest = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < known.size(); ++i) {
      float distance = 0;
      for (std::size_t a = 0; a < axes; ++a) distance += std::abs(own[a] - places[i * axes + a]);
      if (distance >= nearest) continue;
      nearest = distance;
      (*taught)[point] = (*taught)[known[i]];
    }
  }
}

// For each point of `space`: log(time / best time) in `other`. Empty if the spaces have no common point.
std::vector<float> taught_by(const Space& space, const RecordedSpace& other) {
  std::vector<std::size_t> order;
  const auto choices = translation(space, other.space, &order);
  if (choices.empty()) return {};
  const double best = other.optimum();
  double worst = 0;
  for (const RecordedPoint& point : other.points)
    if (point.evaluation.usable()) worst = std::max(worst, point.evaluation.time);
  if (worst == 0) return {};
  const auto log_worst = static_cast<float>(std::log(worst / best));
  std::vector<float> taught(space.size(), log_worst);
  std::vector<std::size_t> known, unknown;
  std::vector<Choice> there(order.size());
  for (std::size_t point = 0; point < space.size(); ++point) {
    bool translated = true;
    for (std::size_t a = 0; a < order.size(); ++a) {
      const int choice = choices[a][space.choices(point)[a]];
      translated = translated && choice >= 0;
      there[order[a]] = static_cast<Choice>(std::max(choice, 0));
    }
    const auto same = translated ? other.space.find(there) : std::nullopt;
    (same ? known : unknown).push_back(point);
    if (same && other.points[*same].evaluation.usable())
      taught[point] = static_cast<float>(std::log(other.points[*same].evaluation.time / best));
  }
  if (known.empty()) return {};
  if (known.size() <= most_compared) take_nearest(space, known, unknown, &taught);
  return taught;
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

double RecordedSpace::value(std::size_t point) const {
  return objective.is_time && !objective.maximised ? points[point].evaluation.time : points[point].value;
}

double RecordedSpace::fraction(double time) const {
  return objective.positive ? optimum() / time : 1 - std::log(time / optimum());
}

void set_times(std::vector<RecordedPoint>* points, RecordedObjective* objective) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const RecordedPoint& one : *points) {
    if (one.evaluation.status != Status::ok) continue;
    low = std::min(low, one.value);
    high = std::max(high, one.value);
  }
  objective->positive = low > 0;
  const double best = objective->maximised ? high : low;
  for (RecordedPoint& one : *points) {
    if (one.evaluation.status != Status::ok) continue;
    if (objective->positive)
      one.evaluation.time = objective->maximised ? 1 / one.value : one.value;
    else
      one.evaluation.time = high > low ? std::exp(std::abs(one.value - best) / (high - low)) : 1;
  }
}

std::vector<RecordedSpace> recorded_spaces(const Results& results) {
  std::map<std::int64_t, std::string> machines;
  for (const Session& session : results.sessions)
    if (results.sessions.size() > 1) machines[session.id] = machine_of(session);
  Gathering gathering;
  // Measurements are added after the points of searches and replace them, because they contain more
  // information.
  for (const Search& search : results.searches)
    for (const SearchStep& step : minimizes_time(search) ? search.steps : std::vector<SearchStep>())
      gathering.add(search.space, machines[search.session], step.tuning,
                    {step.status, step.reason, step.time, 0, step.cost});
  for (const StoredMeasurement& stored : results.measurements) {
    const Case& what = stored.measurement.what;
    if (what.fill == InputFill::uniform)
      gathering.add(what, machines[stored.session], what.tuning, evaluation_of(stored.measurement));
  }
  std::vector<RecordedSpace> spaces;
  for (const Gathered& one : gathering.all)
    for (RecordedSpace& space : space_of(one)) spaces.push_back(std::move(space));
  return spaces;
}

Prior prior_of(const Space& space, std::span<const RecordedSpace* const> others) {
  Prior prior;
  for (const RecordedSpace* other : others)
    if (std::vector<float> taught = taught_by(space, *other); !taught.empty())
      prior.sources.push_back(std::move(taught));
  return prior;
}

RecordedSpace read_recorded(const std::string& text, const std::string& name) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw UserError(name + " is empty, so it holds no measured tuning");
  if (text[first] == '<')
    throw UserError(name + " is XML, which is not supported. Let KTT write JSON (OutputFormat::JSON).");
  if (text[first] != '{' && text[first] != '[') return read_compact(text, name);
  const auto has = [&](const char* key) { return text.find(key) != std::string::npos; };
  if (has("\"cache\"") && has("\"tune_params_keys\"")) return read_kernel_tuner(text, name);
  if (has("\"Results\"") && has("\"Metadata\"")) return read_ktt(text, name);
  if (text[first] == '[' || !has("\"results\""))
    throw UserError(name +
                    " has an unknown format. T4 results have `results`, a cache of Kernel Tuner has `cache` "
                    "with `tune_params_keys`, and KTT's results have `Results` with `Metadata`");
  return read_t4(text, name);
}

}  // namespace sextant::tuner
