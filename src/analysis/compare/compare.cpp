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

#include "analysis/compare/intervals.hpp"
#include "analysis/compare/judge.hpp"
#include "analysis/summary/roofline.hpp"
#include "base/join.hpp"
#include "record/device_time.hpp"
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

std::pair<std::string, std::string> moment(const Summary& s) {
  return {s.session ? s.session->started : std::string(), s.measurement->timestamp};
}

// Returns the key of a case without the index of the GPU that measured it.
std::string key_on_any_gpu(const Summary& s) {
  Case what = s.measurement->what;
  what.device = "gpu";
  return s.machine + "|" + key_of(what);
}

// True if the session distributed its cases over several GPUs of one model (`run --devices`).
bool was_distributed(const Summary& s) {
  return s.session && !value_of(s.session->environment, "run.devices").empty();
}

// Builds the key that matches a case of one side with the same case of another side. Each member tells
// whether the key contains that condition. `gpus` is true if a machine has several GPU models, or if two of
// its GPUs measured the same case without `run --devices`.
struct Keys {
  bool machines = false, gpus = false, threads = false;

  explicit Keys(const std::vector<Side>& sides) {
    for (const Side& side : sides) {
      std::set<std::string> machine_names;
      std::map<std::string, std::string> kinds, gpus_of_case;  // GPU model by machine; GPU by case
      std::map<std::string, std::string> threads_of_case;      // thread setting by machine and case
      for (const Summary& s : side.summaries) {
        machine_names.insert(s.machine);
        if (on_gpu(s)) {
          const std::string& device = s.measurement->what.device;
          const std::string kind = s.session ? gpu_kind(s.session->environment, device) : "";
          const std::string& known = kinds.try_emplace(s.machine, kind.empty() ? device : kind).first->second;
          gpus = gpus || known != (kind.empty() ? device : kind);
          if (!was_distributed(s))
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

// Sorts the runs from oldest to newest and drops runs in which the case was skipped.
std::vector<const Summary*> in_order(std::vector<const Summary*> runs) {
  std::erase_if(runs, [](const Summary* s) { return s->measurement->status == Status::skipped; });
  std::stable_sort(runs.begin(), runs.end(),
                   [](const Summary* a, const Summary* b) { return moment(*a) < moment(*b); });
  return runs;
}

// Returns the runs that used the same build of the measured program as the newest run, oldest first.
std::vector<const Summary*> repeats(std::vector<const Summary*> runs) {
  runs = in_order(std::move(runs));
  if (runs.empty()) return runs;
  const std::string newest = build_of(*runs.back());
  std::erase_if(runs, [&](const Summary* s) { return build_of(*s) != newest; });
  return runs;
}

// Returns the newest run if its result is wrong or missing, else null. Older runs do not matter, because only
// the newest run decides whether a side has a valid result.
const Summary* newest_bad(const std::vector<const Summary*>& runs) {
  return runs.back()->measurement->status == Status::ok ? nullptr : runs.back();
}

std::string why(const Summary& s) {
  return std::string(name_of(s.measurement->status)) +
         (s.measurement->reason.empty() ? "" : ": " + s.measurement->reason);
}

// If a wrong or missing result decides the verdict, stores this verdict in `c` and returns true. The times
// then need no comparison.
bool judge_status(const MatchedCase& matched, std::size_t other, ComparedCase* c) {
  const Summary* base_bad = newest_bad(matched.runs[0]);
  const Summary* other_bad = newest_bad(matched.runs[other]);
  if (!base_bad && !other_bad) return false;
  c->verdict = base_bad && other_bad ? Verdict::no_result : other_bad ? Verdict::broken : Verdict::repaired;
  c->reason = other_bad ? why(*other_bad) : "was " + why(*base_bad);
  return true;
}

// Returns the mean clock of the correct runs in Hz. Runs of earlier releases do not count: they read the
// clock once, after the samples.
std::optional<double> clock_of_runs(const std::vector<const Summary*>& runs) {
  double sum = 0;
  int count = 0;
  for (const Summary* s : runs)
    if (const Measurement& m = *s->measurement; m.status == Status::ok && !m.states.empty() && m.clock)
      sum += *m.clock, ++count;
  return count > 0 ? std::optional<double>(sum / count) : std::nullopt;
}

// Returns a text if the clocks of the two sides explain the ratio of their times, else an empty text.
std::string clock_reason(const std::vector<const Summary*>& base, const std::vector<const Summary*>& other,
                         const Interval& ratio) {
  constexpr double least = 0.01;      // the smallest difference of clocks that matters
  constexpr double most_left = 0.25;  // largest part of the difference that the clock may leave unexplained
  const std::optional<double> before = clock_of_runs(base), now = clock_of_runs(other);
  if (!before || !now) return {};
  const double by_clock = std::log(*before / *now), all = std::log(ratio.median), left = all - by_clock;
  const bool in_interval = by_clock >= std::log(ratio.low) && by_clock <= std::log(ratio.high);
  if (std::abs(by_clock) < least || by_clock * all < 0) return {};
  if (!in_interval && std::abs(left) > most_left * std::abs(all)) return {};
  const auto megahertz = [](double clock) { return std::to_string(std::lround(clock * 1e-6)); };
  return "the clock: " + megahertz(*before) + " -> " + megahertz(*now) + " MHz";
}

// Updates the entry of `all` for this kind of time: its number of cases, and its smallest and largest limit.
// If there is no such entry, adds one.
void add_limit(ComparedTime time, double limit, std::vector<Limits>* all) {
  for (Limits& one : *all)
    if (one.time == time) {
      ++one.cases;
      one.least = std::min(one.least, limit);
      one.greatest = std::max(one.greatest, limit);
      return;
    }
  all->push_back({time, 1, limit, limit});
}

// Returns the runs of each case on each side, in the order in which the cases first appear.
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

// Returns the sessions of a side, without duplicates.
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

// Returns the machines that a side was measured on, each as a text of name, processor and first GPU.
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
  Judge judge(threshold);
  std::vector<std::pair<CaseRuns, CaseRuns>> runs;
  bool same_build = true;
  for (const MatchedCase& matched : matching.matched) {
    ComparedCase c;
    c.base = matched.runs[0].back();
    c.other = matched.runs[other].back();
    same_build = same_build && build_of(*c.base) == build_of(*c.other);
    c.time = time_for(matched.runs[0], time);
    if (c.time == ComparedTime::device) c.time = time_for(matched.runs[other], time);
    auto& [base, now] =
        runs.emplace_back(case_runs(matched.runs[0], c.time), case_runs(matched.runs[other], c.time));
    c.base_runs = base.runs;
    c.other_runs = now.runs;
    if (!judge_status(matched, other, &c)) {
      judge.learn(*c.base, base, c.time);
      judge.learn(*c.other, now, c.time);
    }
    comparison.cases.push_back(std::move(c));
  }
  // If both sides ran on the same machines, most cases have not changed. The spread of their ratios then
  // shows the noise between runs. On different machines, every ratio may be a real change.
  if (machines_of(sides[0]) == machines_of(sides[other])) {
    for (std::size_t i = 0; i < runs.size(); ++i)
      if (const ComparedCase& c = comparison.cases[i]; c.reason.empty())
        judge.add_ratio(*c.base, runs[i].first, runs[i].second, c.time);
    judge.learn_from_ratios(!same_build);
  }
  comparison.source = judge.source();
  for (std::size_t i = 0; i < comparison.cases.size(); ++i) {
    ComparedCase& c = comparison.cases[i];
    const auto& [base, now] = runs[i];
    if (c.verdict != Verdict::open || !c.reason.empty()) continue;
    if (base.empty() || now.empty()) {
      c.verdict = Verdict::no_result;
      c.reason = std::string("no ") + name_of(c.time) + " time on " + (base.empty() ? "the first" : "this") +
                 " side";
      continue;
    }
    judge.judge(base, now, &c);
    if (c.verdict == Verdict::faster || c.verdict == Verdict::slower)
      c.reason = clock_reason(matching.matched[i].runs[0], matching.matched[i].runs[other], c.ratio);
    add_limit(c.time, judge.limit(base, now, c), &comparison.limits);
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
    const double value = median_interval(now[key]).median;
    const auto [least_before, most_before] = std::minmax_element(before[key].begin(), before[key].end());
    const auto [least_now, most_now] = std::minmax_element(now[key].begin(), now[key].end());
    Interval ratio;
    if (*least_before > 0) {
      ratio.low = *least_now / *most_before / ceiling_repeatability;
      ratio.median = value / one.value;
      ratio.high = *most_now / *least_before * ceiling_repeatability;
      ratio.samples = std::min(before[key].size(), now[key].size());
    }
    compared.push_back({one, value, ratio});
  }
  return compared;
}

bool differs(const ComparedCeiling& ceiling, double threshold) {
  const Interval& ratio = ceiling.ratio;
  return ratio.samples > 0 && (ratio.low > 1 || ratio.high < 1) &&
         std::abs(std::log(ratio.median)) > std::log1p(threshold);
}

std::vector<Difference> setting_differences(const Side& base, const Side& other) {
  // Ignores environment keys whose values change from run to run, and keys that are derived from other keys.
  const auto counts = [](const std::string& key) {
    for (const char* no : {"load", "memory", "activity", "left_out.", "gpus.missing", "nvml.missing",
                           "cpu.usable", "os.boot", "run_to_run.", "run.seconds."})
      if (key.rfind(no, 0) == 0) return false;
    return !key.ends_with(".energy") && key.find(".clock") == std::string::npos &&
           key.find("temperature") == std::string::npos && key.find("power") == std::string::npos &&
           key.find("memory") == std::string::npos;
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
