#include "analysis/compare/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/join.hpp"
#include "record/gpu_kind.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

const std::vector<double>& times_of(const Summary& s, ComparedTime time) {
  return time == ComparedTime::call ? s.measurement->call_times : s.measurement->device_times;
}

Interval interval_of(const std::vector<double>& samples, ComparedTime time) {
  return time == ComparedTime::device ? middle_mean(samples, gpu_timer_step)
                                      : dependent_median_interval(samples);
}

bool on_gpu(const Summary& s) { return s.measurement->what.device.rfind("gpu", 0) == 0; }

// Identifies a build by its version, compilers and flags. All runs of a side that are compared come from one
// build.
std::string build_of(const Summary& s) {
  std::string build;
  if (!s.session) return build;
  for (const auto& [key, value] : s.session->environment)
    if (key == "version" || key == "git_revision" || key == "build_type" || key.rfind("compiler.", 0) == 0 ||
        key.rfind("flags.", 0) == 0)
      build += key + "=" + value + "\n";
  return build;
}

std::pair<std::string, std::string> moment(const Summary& s) {
  return {s.session ? s.session->started : std::string(), s.measurement->timestamp};
}

// The key of a case that ignores which of its machine's GPUs measured it.
std::string key_on_any_gpu(const Summary& s) {
  Case what = s.measurement->what;
  what.device = "gpu";
  return s.machine + "|" + key_of(what);
}

// True if the session distributed its cases over several GPUs of one model (`run --devices`).
bool was_dealt(const Summary& s) {
  return s.session && !value_of(s.session->environment, "run.devices").empty();
}

// Builds the key by which cases are matched across sides. The key names the GPU if a machine has several GPU
// models. It also does so if two GPUs of a machine measured the same case outside of `run --devices`.
struct Keys {
  bool machines = false, gpus = false, threads = false;

  explicit Keys(const std::vector<Side>& sides) {
    for (const Side& side : sides) {
      std::set<std::string> machine_names;
      std::map<std::string, std::string> kinds, gpus_of_case;  // [machine]; [case]
      std::map<std::string, std::string> threads_of_case;      // [machine, case]
      for (const Summary& s : side.summaries) {
        machine_names.insert(s.machine);
        if (on_gpu(s)) {
          const std::string& device = s.measurement->what.device;
          const std::string kind = s.session ? gpu_kind(s.session->environment, device) : "";
          const std::string& known = kinds.try_emplace(s.machine, kind.empty() ? device : kind).first->second;
          gpus = gpus || known != (kind.empty() ? device : kind);
          if (!was_dealt(s))
            gpus = gpus || gpus_of_case.try_emplace(key_on_any_gpu(s), device).first->second != device;
        }
        const std::string text = text_of(s.threads);
        const auto [known, fresh] =
            threads_of_case.try_emplace(s.machine + "|" + key_of(s.measurement->what), text);
        threads = threads || known->second != text;
      }
      machines = machines || machine_names.size() > 1;
    }
  }

  std::string operator()(const Summary& s) const {
    Case what = s.measurement->what;
    if (!gpus && on_gpu(s)) what.device = "gpu";
    return (machines ? s.machine : std::string()) + "|" + key_of(what) +
           (threads ? "|" + text_of(s.threads) : "");
  }
};

// Sorts the runs from oldest to newest and drops skipped ones.
std::vector<const Summary*> in_order(std::vector<const Summary*> runs) {
  std::erase_if(runs, [](const Summary* s) { return s->measurement->status == Status::skipped; });
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Summary* a, const Summary* b) { return moment(*a) < moment(*b); });
  return runs;
}

// The runs that the newest run's build made, oldest first.
std::vector<const Summary*> repeats(std::vector<const Summary*> runs) {
  runs = in_order(std::move(runs));
  if (runs.empty()) return runs;
  const std::string newest = build_of(*runs.back());
  std::erase_if(runs, [&](const Summary* s) { return build_of(*s) != newest; });
  return runs;
}

// The correct and timed runs of one side of one case.
struct Runs {
  std::vector<Interval> intervals;
  std::vector<double> log_medians;  // sorted
  double minimum = 0;
  double sample_noise = 0;  // the largest noise of any run

  Runs(const std::vector<const Summary*>& summaries, ComparedTime time) {
    for (const Summary* s : summaries) {
      const std::vector<double>& samples = times_of(*s, time);
      if (s->measurement->status != Status::ok || samples.empty()) continue;
      const Interval interval = interval_of(samples, time);
      if (!(interval.median > 0)) continue;
      minimum = intervals.empty() ? interval.minimum : std::min(minimum, interval.minimum);
      sample_noise = std::max(sample_noise, noise(median_interval(samples)));
      intervals.push_back(interval);
      log_medians.push_back(std::log(interval.median));
    }
    std::sort(log_medians.begin(), log_medians.end());
  }

  bool empty() const { return intervals.empty(); }

  // Joins the runs into one interval around the median run. Its half-widths are the mean of the runs'
  // half-widths on the logarithmic scale, divided by the square root of the number of runs.
  Interval joined() const {
    if (intervals.size() == 1) return intervals.front();
    double down = 0, up = 0;
    std::size_t fewest = intervals.front().samples;
    for (const Interval& run : intervals) {
      down += std::log(run.median / std::max(run.low, std::numeric_limits<double>::min()));
      up += std::log(run.high / run.median);
      fewest = std::min(fewest, run.samples);
    }
    const double n = static_cast<double>(intervals.size()), share = 1 / (n * std::sqrt(n));
    const double median = std::exp(median_interval(log_medians).median);
    return {median * std::exp(-down * share), median, median * std::exp(up * share), minimum, fewest};
  }
};

// The newest run if its result is wrong or missing, else null. The newest run alone decides whether a side
// has a valid result.
const Summary* newest_bad(const std::vector<const Summary*>& runs) {
  return runs.back()->measurement->status == Status::ok ? nullptr : runs.back();
}

// True if the verdict rests on call times that the work of other GPUs disturbed.
bool by_disturbed_calls(const ComparedCase& c) {
  const auto disturbed = [](const Summary* s) {
    return s->measurement->isolation == Isolation::calls_disturbed;
  };
  return c.time == ComparedTime::call && (disturbed(c.base) || disturbed(c.other));
}

// True if more threads wanted to run than the processor can run at once. Then threads that wait for each
// other, for example at OpenMP barriers, measure the scheduler. This can slow down all samples of a run.
bool overloaded(const Summary& s) {
  if (!s.session || !s.on_host || s.model == "serial") return false;
  const auto value = [&](const char* key) {
    const auto found = s.session->environment.find(key);
    return found == s.session->environment.end() ? 0.0 : std::atof(found->second.c_str());
  };
  return value("cpu.threads") > 0 && value("load") > value("cpu.threads");
}

std::string why(const Summary& s) {
  return std::string(name_of(s.measurement->status)) +
         (s.measurement->reason.empty() ? "" : ": " + s.measurement->reason);
}

// The kind of noise that applies to the ratio of two runs of this case.
NoiseKind kind_of(const ComparedCase& c, const Runs& base, const Runs& other) {
  return c.time == ComparedTime::device
             ? device_kind(c.base->model, base.intervals.front(), other.intervals.front())
             : call_kind(c.base->model, std::max(base.sample_noise, other.sample_noise));
}

// Adds the log ratios between all pairs of runs of one side.
void add_repeat_ratios(const ComparedCase& c, const Runs& runs, std::vector<NoiseRatio>* ratios) {
  for (std::size_t i = 1; i < runs.log_medians.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      ratios->push_back({runs.log_medians[i] - runs.log_medians[j], kind_of(c, runs, runs)});
}

bool separated(const Runs& base, const Runs& other) {
  return base.log_medians.back() < other.log_medians.front() ||
         other.log_medians.back() < base.log_medians.front();
}

bool beyond(double log_ratio, double log_minimum, double limit) {
  return (log_ratio > limit && log_minimum > limit) || (log_ratio < -limit && log_minimum < -limit);
}

// True if both sides have enough runs for complete separation to be significant at 1 %. If the two sides do
// not differ, complete separation has probability 2 / C(base + other, base). This is the extreme value of
// Wilcoxon's rank-sum test. It assumes only that every order of the runs is equally likely. With equal
// numbers, at least 5 runs a side are needed.
bool enough_runs(std::size_t base, std::size_t other) {
  double ways = 1;
  for (std::size_t i = 1; i <= base; ++i) ways *= static_cast<double>(other + i) / static_cast<double>(i);
  return 2 / ways <= 0.01;
}

struct Judge {
  double threshold;  // on the logarithmic scale
  const NoiseModel& model;
  bool may_differ;  // true for different machines: their noise is unknown, and a verdict does not need it

  void operator()(const Runs& base, const Runs& other, ComparedCase* c) const {
    const RunNoise noise = model.at(kind_of(*c, base, other));
    const Interval a = base.joined(), b = other.joined();
    c->base_time = a.median;
    c->other_time = b.median;
    c->sampling = ratio_of_medians(b, a);
    c->ratio = c->sampling;
    // The noise model describes ratios of single runs. Averages over several runs have less noise.
    const double less = std::sqrt((1.0 / static_cast<double>(base.intervals.size()) +
                                   1.0 / static_cast<double>(other.intervals.size())) /
                                  2);
    const double middle = std::log(c->ratio.median);
    c->ratio.low =
        c->ratio.median * std::exp(-std::hypot(middle - std::log(c->sampling.low), less * noise.interval()));
    c->ratio.high =
        c->ratio.median * std::exp(std::hypot(std::log(c->sampling.high) - middle, less * noise.interval()));

    const Shift own = shift_interval(base.log_medians, other.log_medians);
    if (own.known) {  // the case's own runs are more specific than the noise model of all cases
      c->ratio.low = std::min(c->ratio.median, std::exp(own.low));
      c->ratio.high = std::max(c->ratio.median, std::exp(own.high));
    }

    const double minimum = c->ratio.minimum > 0 ? std::log(c->ratio.minimum) : 0;
    const bool known = noise.source != RunNoise::Source::unknown;
    const bool clear = c->sampling.low > 1 || c->sampling.high < 1;
    if (by_disturbed_calls(*c)) {
      c->reason = "calls were sampled while other GPUs worked, which moves such short ones";
    } else if (std::abs(std::log(c->ratio.low)) < threshold &&
               std::abs(std::log(c->ratio.high)) < threshold && (known || own.known || may_differ)) {
      c->verdict = Verdict::same;
    } else if (std::abs(middle) <= threshold) {
      c->reason = "within the threshold, but not known well enough to be called the same";
    } else if (!clear) {
      c->reason = "the samples do not tell the two apart";
    } else if (!beyond(middle, minimum, threshold)) {
      c->reason = "the fastest samples do not show what the medians do";
    } else if (!known && !may_differ) {
      c->reason = "how much runs differ is not known from so few cases: measure each side more than once";
    } else if (!beyond(middle, minimum, less * noise.limit()) &&
               !enough_runs(base.intervals.size(), other.intervals.size())) {
      c->reason = "runs of the same thing differ as much here";
    } else if (base.intervals.size() + other.intervals.size() == 2 &&
               (overloaded(*c->base) || overloaded(*c->other))) {
      c->reason = "the machine had more to do than processors, and threads wait for each other";
    } else if (!separated(base, other)) {
      c->reason = "some runs of the two sides overlap";
    } else {
      c->verdict = middle > 0 ? Verdict::slower : Verdict::faster;
    }
  }
};

// True if a wrong or missing result decides the verdict, so that times need not be compared.
bool judge_status(const MatchedCase& matched, std::size_t other, ComparedCase* c) {
  const Summary* base_bad = newest_bad(matched.runs[0]);
  const Summary* other_bad = newest_bad(matched.runs[other]);
  if (!base_bad && !other_bad) return false;
  c->verdict = base_bad && other_bad ? Verdict::no_result : other_bad ? Verdict::broken : Verdict::repaired;
  c->reason = other_bad ? why(*other_bad) : "was " + why(*base_bad);
  return true;
}

// Subtracts from the log ratios of one kind of time their median, and returns it.
double take_out_common(const char* time, std::vector<NoiseRatio>* ratios) {
  std::vector<double> log_ratios;
  for (const NoiseRatio& ratio : *ratios)
    if (ratio.kind.time == time) log_ratios.push_back(ratio.log_ratio);
  const double common = median_interval(log_ratios).median;
  for (NoiseRatio& ratio : *ratios)
    if (ratio.kind.time == time) ratio.log_ratio -= common;
  return common;
}

std::vector<TimeNoise> noise_by_time(const std::vector<NoiseRatio>& ratios, const NoiseModel& model) {
  std::vector<TimeNoise> times;
  for (const ComparedTime time : {ComparedTime::device, ComparedTime::call}) {
    TimeNoise one;
    one.time = time;
    std::vector<double> log_ratios;
    for (const NoiseRatio& ratio : ratios) {
      if (ratio.kind.time != name_of(time)) continue;
      const double limit = model.at(ratio.kind).limit();
      one.least_limit = log_ratios.empty() ? limit : std::min(one.least_limit, limit);
      one.greatest_limit = std::max(one.greatest_limit, limit);
      log_ratios.push_back(ratio.log_ratio);
    }
    one.cases = log_ratios.size();
    one.noise = run_noise(std::move(log_ratios), model.source());
    if (one.noise.source != RunNoise::Source::unknown) times.push_back(one);
  }
  return times;
}

// The runs of each case on each side, in the order in which the cases first appear.
std::vector<MatchedCase> find_cases(const std::vector<Side>& sides) {
  const Keys key(sides);
  std::vector<MatchedCase> cases;
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < sides.size(); ++i)
    for (const Summary& s : sides[i].summaries) {
      const auto [entry, fresh] = index.try_emplace(key(s), cases.size());
      if (fresh) cases.push_back({std::vector<std::vector<const Summary*>>(sides.size())});
      cases[entry->second].runs[i].push_back(&s);
    }
  return cases;
}

// The sessions of a side, without duplicates.
std::vector<const Session*> sessions_of(const Side& side) {
  std::vector<const Session*> sessions;
  std::set<const Session*> seen;
  for (const Summary& s : side.summaries)
    if (s.session && seen.insert(s.session).second) sessions.push_back(s.session);
  return sessions;
}

using CeilingKey = std::tuple<std::string, std::string, std::int64_t>;  // device, name, footprint

std::map<CeilingKey, std::vector<double>> ceilings_of(const std::vector<const Session*>& sessions) {
  std::map<CeilingKey, std::vector<double>> values;
  for (const Session* session : sessions)
    for (const Ceiling& c : session->ceilings) values[{c.device, c.name, c.footprint}].push_back(c.value);
  return values;
}

// The machines that a side was measured on, as name, processor and first GPU.
std::set<std::string> machines_of(const Side& side) {
  std::set<std::string> names;
  for (const Summary& s : side.summaries) {
    std::string name = s.machine;
    if (s.session)
      for (const char* key : {"cpu", "gpu0.name"})
        if (const auto found = s.session->environment.find(key); found != s.session->environment.end())
          name += "|" + found->second;
    names.insert(name);
  }
  return names;
}

}  // namespace

bool copies_itself(const Measurement& m) {
  double kernels = 0;
  for (const KernelLaunch& launch : m.launches) kernels += launch.time;
  return !m.launches.empty() && kernels < median_interval(m.device_times).median / 2;
}

ComparedTime time_for(const std::vector<const Summary*>& runs, ComparedTime asked) {
  if (asked != ComparedTime::steadiest) return asked;
  for (const Summary* s : runs)
    if (s->measurement->status == Status::ok &&
        (s->measurement->device_times.empty() || copies_itself(*s->measurement)))
      return ComparedTime::call;
  return ComparedTime::device;
}

std::optional<double> time_of_run(const Summary& run, ComparedTime time) {
  const std::vector<double>& samples = times_of(run, time);
  if (run.measurement->status != Status::ok || samples.empty()) return std::nullopt;
  const double seconds = interval_of(samples, time).median;
  return seconds > 0 ? std::optional(seconds) : std::nullopt;
}

std::vector<std::vector<const Summary*>> runs_of_cases(const std::vector<Side>& sides) {
  std::vector<std::vector<const Summary*>> cases;
  for (const MatchedCase& found : find_cases(sides)) {
    std::vector<const Summary*> runs;
    for (const std::vector<const Summary*>& of_side : found.runs)
      runs.insert(runs.end(), of_side.begin(), of_side.end());
    runs = in_order(std::move(runs));
    if (!runs.empty()) cases.push_back(std::move(runs));
  }
  return cases;
}

Matching match(const std::vector<Side>& sides) {
  Matching matching;
  for (const MatchedCase& found : find_cases(sides)) {
    MatchedCase matched;
    MissingCase missing;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      matched.runs.push_back(repeats(found.runs[i]));
      if (matched.runs[i].empty())
        missing.missing_on.push_back(i);
      else
        missing.found = matched.runs[i].back();
    }
    if (missing.missing_on.empty())
      matching.matched.push_back(std::move(matched));
    else if (missing.found)
      matching.missing.push_back(std::move(missing));
  }
  return matching;
}

Comparison compare(const std::vector<Side>& sides, const Matching& matching, std::size_t other,
                   double threshold, ComparedTime time) {
  Comparison comparison;
  std::vector<std::pair<Runs, Runs>> runs;
  std::vector<NoiseRatio> repeat_ratios, ratios;
  bool same_build = true;
  for (const MatchedCase& matched : matching.matched) {
    ComparedCase c;
    c.base = matched.runs[0].back();
    c.other = matched.runs[other].back();
    same_build = same_build && build_of(*c.base) == build_of(*c.other);
    c.time = time_for(matched.runs[0], time);
    if (c.time == ComparedTime::device) c.time = time_for(matched.runs[other], time);
    runs.emplace_back(Runs(matched.runs[0], c.time), Runs(matched.runs[other], c.time));
    auto& [base_runs, other_runs] = runs.back();
    c.base_runs = base_runs.intervals.size();
    c.other_runs = other_runs.intervals.size();
    if (!judge_status(matched, other, &c)) {
      add_repeat_ratios(c, base_runs, &repeat_ratios);
      add_repeat_ratios(c, other_runs, &repeat_ratios);
      if (!base_runs.empty() && !other_runs.empty())
        ratios.push_back(
            {median_interval(other_runs.log_medians).median - median_interval(base_runs.log_medians).median,
             kind_of(c, base_runs, other_runs)});
    }
    comparison.cases.push_back(std::move(c));
  }

  const bool same_machine = machines_of(sides[0]) == machines_of(sides[other]);
  std::map<ComparedTime, double> common;
  comparison.noise = NoiseModel(repeat_ratios, RunNoise::Source::repeats);
  if (comparison.noise.source() == RunNoise::Source::unknown && same_machine) {
    // Without repeated runs, most cases are assumed unchanged, so their differences are noise. A new build
    // may shift all cases alike. That common shift is not noise and is removed first.
    if (!same_build)
      for (const ComparedTime one : {ComparedTime::device, ComparedTime::call})
        common[one] = take_out_common(name_of(one), &ratios);
    comparison.noise = NoiseModel(ratios, RunNoise::Source::comparison);
  }
  const bool by_repeats = comparison.noise.source() == RunNoise::Source::repeats;
  comparison.times = noise_by_time(by_repeats ? repeat_ratios : ratios, comparison.noise);
  for (TimeNoise& one : comparison.times)
    if (common.contains(one.time)) one.common_ratio = std::exp(common[one.time]);
  const Judge judge{std::log1p(threshold), comparison.noise, !same_machine};
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) {
    ComparedCase& c = comparison.cases[i];
    if (c.verdict != Verdict::ambiguous || !c.reason.empty()) continue;
    if (runs[i].first.empty() || runs[i].second.empty()) {
      c.verdict = Verdict::no_result;
      c.reason = std::string("no ") + name_of(c.time) + " time on " +
                 (runs[i].first.empty() ? "the first" : "this") + " side";
      continue;
    }
    judge(runs[i].first, runs[i].second, &c);
  }
  return comparison;
}

std::vector<ComparedCeiling> compare_ceilings(const Side& base, const Side& other) {
  std::vector<ComparedCeiling> compared;
  if (machines_of(base).size() > 1 || machines_of(other).size() > 1) return compared;
  const std::vector<const Session*> base_sessions = sessions_of(base);
  std::map<CeilingKey, std::vector<double>> before = ceilings_of(base_sessions),
                                            now = ceilings_of(sessions_of(other));
  const auto newest =
      std::max_element(base_sessions.begin(), base_sessions.end(), [](const Session* a, const Session* b) {
        return std::pair(!a->ceilings.empty(), a->started) < std::pair(!b->ceilings.empty(), b->started);
      });
  if (newest == base_sessions.end()) return compared;
  for (Ceiling one : (*newest)->ceilings) {
    const CeilingKey key{one.device, one.name, one.footprint};
    if (!now.contains(key)) continue;
    one.value = median_interval(before[key]).median;
    compared.push_back({one, median_interval(now[key]).median});
  }
  return compared;
}

std::vector<Difference> setting_differences(const Side& base, const Side& other) {
  // Ignores keys that differ between any two runs, and keys that follow from another key.
  const auto counts = [](const std::string& key) {
    for (const char* no : {"load", "memory", "activity", "left_out.", "gpus.missing", "nvml.missing",
                           "cpu.usable", "os.boot", "run_to_run."})
      if (key.rfind(no, 0) == 0) return false;
    return key.find(".clock") == std::string::npos && key.find("temperature") == std::string::npos &&
           key.find("power") == std::string::npos && key.find("memory") == std::string::npos;
  };
  const auto values = [&](const Side& side) {
    std::map<std::string, std::set<std::string>> all;
    for (const Session* session : sessions_of(side))
      for (const auto& [key, value] : session->environment)
        if (counts(key)) all[key].insert(value);
    std::map<std::string, std::string> texts;
    for (const auto& [key, set] : all) texts[key] = join(set, " or ");
    return texts;
  };
  std::map<std::string, std::string> of_base = values(base), of_other = values(other);
  std::vector<Difference> differences;
  for (const auto& [key, value] : of_other) of_base.try_emplace(key, "");
  for (const auto& [key, value] : of_base)
    if (const std::string& there = of_other[key]; there != value) differences.push_back({key, value, there});
  return differences;
}

}  // namespace sextant
