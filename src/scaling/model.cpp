#include "scaling/model.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "record/keys.hpp"
#include "record/statistics.hpp"
#include "scaling/fitted.hpp"

namespace sextant::scaling {
namespace {

constexpr int resamples = 200;

// Returns true if both measurements run the same code and differ only in size and number of partitions.
// Measurements of a smaller problem then show how long smaller partitions compute.
bool is_same_code(const Summary& a, const Summary& b) {
  const Case &x = a.measurement->what, &y = b.measurement->what;
  const bool tuned_alike = x.tuning == y.tuning || (a.measurement->standard_tuning.value_or(false) &&
                                                    b.measurement->standard_tuning.value_or(false));
  return a.machine == b.machine && x.kernel == y.kernel && x.variant == y.variant && x.cache == y.cache &&
         x.fill == y.fill && x.problem.type == y.problem.type && parameters_of(a) == parameters_of(b) &&
         tuned_alike && a.on_host == b.on_host;
}

Sampled sampled(const Summary& s) {
  const Measurement& m = *s.measurement;
  const int parts = std::max(1, m.what.problem.parts);
  Sampled one{parts,
              static_cast<double>(m.work.items) / parts,
              1,
              static_cast<double>(m.work.bytes_sent),
              m.call_times,
              m.compute_times,
              m.exchange_times};
  if (m.cores && *m.cores > 0) one.cores = *m.cores / parts;
  // a call that sends nothing only computes
  if (one.compute.empty() && m.work.bytes_sent == 0) one.compute = one.all;
  return one;
}

Cut cut_of(const ScalingCurve& curve) {
  const Summary& last = *curve.points.back();
  const Measurement& m = *last.measurement;
  Cut cut;
  cut.weak = curve.weak;
  if (last.description) {
    const Exchange& exchange = last.description->exchange;
    cut.pattern = exchange.pattern;
    if (exchange.rounds >= 0 && exchange.rounds < 4)
      cut.rounds = static_cast<double>(m.what.problem.parameters[static_cast<std::size_t>(exchange.rounds)]);
  }
  cut.bytes = bytes_of_cut(cut, m.what.problem.parts, static_cast<double>(m.work.bytes_sent));
  const Extents& box = m.what.problem.extents;
  const double slowest = static_cast<double>(box.z > 1 ? box.z : box.y > 1 ? box.y : box.x);
  if (!curve.weak && cut.pattern != Exchange::Pattern::all_reduce) {
    cut.planes = slowest;
    cut.plane_points = static_cast<double>(box.count()) / slowest;
  }
  return cut;
}

std::vector<double> drawn_again(const std::vector<double>& samples, std::mt19937_64* random) {
  std::vector<double> again;
  for (std::size_t i = 0; i < samples.size(); ++i)
    // the modulo has a slight bias, which is negligible here
    again.push_back(samples[(*random)() % samples.size()]);
  return again;
}

std::vector<Sampled> drawn_again(std::vector<Sampled> measured, std::mt19937_64* random) {
  for (Sampled& one : measured)
    for (std::vector<double>* samples : {&one.all, &one.compute, &one.exchange})
      *samples = drawn_again(*samples, random);
  return measured;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5)];
}

// Returns why the measurements of the curve do not suffice for a model, or "".
std::string missing_in(const ScalingCurve& curve, const Cut& cut) {
  const Measurement& last = *curve.points.back()->measurement;
  if (last.work.bytes_sent > 0 && cut.pattern == Exchange::Pattern::none)
    return "the file does not describe how its parts exchange: it is from an older version, or the "
           "kernel has no such model";
  if (last.work.bytes_sent > 0 && last.exchange_times.empty())
    return "its variant cannot exchange without computing, so its messages were not timed";
  std::set<int> counts;
  for (const Summary* s : curve.points) counts.insert(s->parts);
  if (static_cast<int>(counts.size()) < fewest_counts)
    return "a model needs at least three numbers of parts, one of them for its test: measure more, e.g. "
           "`-d 1xcpu,2xcpu,4xcpu`";
  return {};
}

// Returns the measurements to fit. The points of this curve come first, in decreasing number of partitions.
// Measurements of other problem sizes follow. The curve's point with `left_out` partitions is excluded,
// because it tests the fit.
std::vector<Sampled> seen_by_fit(const ScalingCurve& curve, const std::vector<Summary>& summaries,
                                 int left_out) {
  std::vector<Sampled> seen;
  for (auto s = curve.points.rbegin(); s != curve.points.rend(); ++s)
    if ((*s)->parts < left_out) seen.push_back(sampled(**s));
  for (const Summary& s : summaries)
    if (s.parts > 0 && s.parts < left_out && s.ok() && s.current && is_same_code(s, *curve.points.back()) &&
        std::none_of(curve.points.begin(), curve.points.end(),
                     [&](const Summary* own) { return own->measurement == s.measurement; }))
      seen.push_back(sampled(s));
  return seen;
}

// Returns the number of items in the smallest measured partition, whether or not the fit uses it.
double smallest_part(const ScalingCurve& curve, const std::vector<Summary>& summaries) {
  const Summary& last = *curve.points.back();
  double least = sampled(last).items;
  for (const Summary& s : summaries)
    if (s.parts > 0 && s.ok() && s.current && is_same_code(s, last))
      least = std::min(least, sampled(s).items);
  return least;
}

std::string count_text(double count) { return std::to_string(static_cast<long long>(std::llround(count))); }

std::string stop_at(int parts, double items, double least, const Case& what) {
  return "It stops before " + std::to_string(parts) + " parts: each would have " + count_text(items) +
         " units of work, but the smallest measured part has " + count_text(least) + ". `sextant run -k " +
         what.kernel + " -v " + what.variant +
         " -d 1xcpu -n SMALLER,SIZES` into the same file measures smaller parts.";
}

void add_assumptions(const std::optional<Network>& network, Model* model) {
  if (model->cut.pattern != Exchange::Pattern::none && !network)
    model->assumptions.emplace_back(
        "Messages between nodes are assumed to be as fast as the measured ones; --network FILE describes "
        "another network.");
  if (network)
    model->assumptions.push_back(
        "Of the network (" + network->file + "): " + std::to_string(network->devices_per_node) +
        (network->devices_per_node == 1 ? " part" : " parts") + " a node, its latency and its bandwidth.");
  if (model->link.one_size)
    model->assumptions.emplace_back(
        "All measured messages have one size, so latency and bandwidth cannot be separated: other sizes "
        "are assumed to take as long.");
}

void add_assumption_of_cores(const std::vector<Sampled>& seen, const Sampled& last, Model* model) {
  double least = last.cores, most = last.cores;
  for (const Sampled& one : seen) least = std::min(least, one.cores), most = std::max(most, one.cores);
  if (most <= 1.01 * least) return;
  const char* const remedy =
      least < 0.99
          ? "Of those with less than one, several shared a core: leave such numbers of parts out (-d)."
          : "`-t threads=1` gives each one core.";
  model->assumptions.emplace_back(
      std::string(
          "Parts had different numbers of cores; their speed is assumed to grow with the cores. Larger "
          "numbers of parts have as many cores per part as the largest measured one. ") +
      remedy);
}

// Returns the number of cores per partition. If this number of partitions was not measured, returns that of
// the measurement with the most partitions.
double cores_at(int parts, const ScalingCurve& curve) {
  const Summary* like = curve.points.back();
  for (const Summary* s : curve.points)
    if (s->parts == parts) like = s;
  return sampled(*like).cores;
}

}  // namespace

Model model_of(const ScalingCurve& curve, const std::vector<Summary>& summaries,
               const std::vector<int>& counts, const std::optional<Network>& network) {
  Model model;
  model.machine = curve.machine;
  model.title = curve.title;
  model.weak = curve.weak;
  model.cut = cut_of(curve);
  model.why_not = missing_in(curve, model.cut);
  if (!model.why_not.empty()) return model;
  model.left_out = curve.points.back()->parts;
  const std::vector<Sampled> seen = seen_by_fit(curve, summaries, model.left_out);
  model.fitted_up_to = seen.front().parts;
  const Fitted fitted(model.cut, seen);
  if (!fitted.why_not().empty()) {
    model.why_not = fitted.why_not();
    return model;
  }
  model.link = fitted.link();
  model.hidden = fitted.hidden();

  const Sampled last = sampled(*curve.points.back());
  const double least = smallest_part(curve, summaries);
  const double all_items = last.items * (curve.weak ? 1 : last.parts);
  const auto items_at = [&](int parts) { return curve.weak ? all_items : all_items / parts; };
  model.error = fitted.at(last.parts, last.items, last.cores, {}).time / median_interval(last.all).median - 1;
  add_assumptions(network, &model);
  add_assumption_of_cores(seen, last, &model);
  if (least < fitted.smallest() * (1 - 1e-9))
    model.assumptions.emplace_back(
        "Parts as small as those left out are assumed to compute at the rate of the smallest part in the "
        "fit.");

  std::vector<Fitted> others;
  std::mt19937_64 random(1);  // fixed seed, so that the confidence band is reproducible
  for (int i = 0; i < resamples; ++i) others.emplace_back(model.cut, drawn_again(seen, &random));
  const Summary* one = curve.points.front()->parts == 1 ? curve.points.front() : nullptr;
  for (const int parts : counts) {
    const double items = items_at(parts);
    if (items < least * (1 - 1e-9)) {
      model.stops = stop_at(parts, items, least, curve.points.back()->measurement->what);
      break;
    }
    const double cores = cores_at(parts, curve);
    Predicted point = fitted.at(parts, items, cores, network);
    std::vector<double> times;
    for (const Fitted& other : others) times.push_back(other.at(parts, items, cores, network).time);
    point.low = std::min(point.time, quantile(times, 0.025));
    point.high = std::max(point.time, quantile(times, 0.975));
    for (const Summary* s : curve.points)
      if (s->parts == parts) point.measured = s->call_time.median;
    if (one) {
      point.speedup = one->call_time.median / point.time * (curve.weak ? parts : 1);
      point.efficiency = *point.speedup / (parts * cores / sampled(*one).cores);
    }
    model.points.push_back(point);
  }
  return model;
}

double expected_largest(std::vector<double> samples, double draws) {
  std::sort(samples.begin(), samples.end());
  const auto count = static_cast<double>(samples.size());
  double sum = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto place = static_cast<double>(i);
    sum += samples[i] * (std::pow((place + 1) / count, draws) - std::pow(place / count, draws));
  }
  return sum;
}

}  // namespace sextant::scaling
