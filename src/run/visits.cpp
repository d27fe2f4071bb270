#include "run/visits.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <set>

#include "engine/case/case_subject.hpp"
#include "record/keys.hpp"
#include "record/lasting.hpp"
#include "record/place.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

// minimum number of processes that must measure a problem before a comparison can be decided
constexpr std::size_t least_stays = 3;
// Time for this many more processes is kept for problems that stay undecided, before other cases get visits.
constexpr int later_rounds = 2;
constexpr double far_behind = 3;      // a case that is this many times slower than the fastest gets no visits
constexpr double longest_call = 0.5;  // longest call in seconds of a case that gets visits
constexpr int most_samples = 9;

bool is_ranked(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
  return variant && !variant->excluded_from_ranking && parts_together_of(what.device) == 0;
}

// A partitioned problem always needs all its processes or GPUs, so it gets no visits.
bool can_be_visited(const Measurement& m) {
  return parts_together_of(m.what.device) == 0 && median_interval(m.call_times).median <= longest_call;
}

// Returns the number of processes whose call times of the case count.
std::size_t stays_so_far(const Measurement& m) { return visit_times(m).size(); }

double seconds_of(const Measurement& m) { return median_interval(m.call_times).median; }

// Estimates the seconds of a visit: setting up, filling and checking the arrays, plus some calls.
double expected_seconds(const Measurement& m) {
  constexpr double around = 0.02, calls = 6;
  return around + calls * seconds_of(m);
}

std::string model_and_device(const Case& what) {
  return (is_on_cpu(what.device) ? "cpu " : "gpu ") + model_of(what.variant);
}

// Times of a case in all processes that measured it.
struct Stays {
  std::vector<VisitTime> times;
  double spread;
  Interval time;
};

Stays stays_of(const Measurement& m, const Spreads& spreads) {
  Stays stays{visit_times(m), 0, {}};
  stays.spread = spreads.of(m.what, std::exp(stays.times.front().log));
  stays.time = stays.times.size() > 1 ? interval_of(stays.times, stays.spread, m)
                                      : interval_of(lasting_interval(m.call_times), stays.spread);
  return stays;
}

Contest contest_of(const Measurement& slow, const Measurement& fast, const SessionSpreads& spreads) {
  const Stays a = stays_of(slow, spreads.times), b = stays_of(fast, spreads.times);
  return contest({slow, a.time, a.times, a.spread}, {fast, b.time, b.times, b.spread}, &spreads.ratios);
}

std::optional<Wanted> wanted_of(const std::vector<const Measurement*>& contenders,
                                const SessionSpreads& spreads) {
  if (contenders.size() < 2 || seconds_of(*contenders.front()) > longest_call) return std::nullopt;
  const Measurement& fastest = *contenders.front();
  Wanted wanted{{&fastest}, stays_so_far(fastest), 0, expected_seconds(fastest)};
  for (const Measurement* one : contenders) {
    if (one == &fastest || seconds_of(*one) > std::min(longest_call, far_behind * seconds_of(fastest)))
      continue;
    const Contest contest = contest_of(*one, fastest, spreads);
    const std::size_t stays = std::min(stays_so_far(*one), stays_so_far(fastest));
    if (contest.decision != Decision::open && stays >= least_stays) continue;
    wanted.cases.push_back(one);
    wanted.stays = std::min(wanted.stays, stays);
    wanted.seconds += expected_seconds(*one);
    const double half_width = std::log(contest.ratio.high / contest.ratio.low) / 2;
    wanted.nearness = std::max(wanted.nearness, std::log(contest.ratio.median) / half_width);
  }
  if (wanted.cases.size() < 2) return std::nullopt;
  return wanted;
}

// Returns `faster` if the fastest is known to beat all others, `open` if any comparison is undecided, else
// `equal`.
Decision decision_of(const std::vector<const Measurement*>& contenders, const SessionSpreads& spreads) {
  Decision all = Decision::faster;
  for (const Measurement* one : contenders) {
    if (one == contenders.front()) continue;
    const Decision decision = contest_of(*one, *contenders.front(), spreads).decision;
    if (decision == Decision::open) return decision;
    if (decision == Decision::equal) all = decision;
  }
  return all;
}

// Returns the cases in random order of problems, and random order within each problem.
std::vector<Case> in_random_order(const std::vector<const Wanted*>& chosen) {
  std::map<std::string, std::vector<Case>> problems;
  for (const Wanted* one : chosen)
    for (const Measurement* m : one->cases) problems[key_of(problem_case(m->what))].push_back(m->what);
  std::vector<std::string> keys;
  for (const auto& [key, cases] : problems) keys.push_back(key);
  std::mt19937 random(std::random_device{}());
  std::shuffle(keys.begin(), keys.end(), random);
  std::vector<Case> all;
  for (const std::string& key : keys) {
    std::vector<Case>& cases = problems[key];
    std::shuffle(cases.begin(), cases.end(), random);
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

}  // namespace

Settings visit_settings(Settings settings) {
  settings.visit = true;
  settings.transfers = settings.counters = settings.check_fully = settings.all_samples = false;
  settings.gap = 0;
  settings.energy_windows = 0;
  settings.steady_seconds = 0;
  settings.min_samples = std::min(settings.min_samples, 3);
  settings.max_samples = std::min(settings.max_samples, most_samples);
  settings.least_seconds = settings.warm_seconds = 0.001;
  settings.case_seconds = 0.003;
  return settings;
}

void Visits::add(const Measurement& m) {
  if (m.status != Status::ok || m.effort != Effort::measured || m.call_times.empty()) return;
  problems_[key_of(problem_case(m.what))].push_back(m);
}

Visits::Contenders Visits::contenders_of(const std::vector<Measurement>& problem,
                                         const SessionSpreads& spreads) const {
  std::set<std::string> models;
  for (const Measurement& m : problem)
    if (is_ranked(m.what)) models.insert(model_and_device(m.what));
  std::map<std::string, const Measurement*> best;
  const auto time_of = [&](const Measurement& m) { return stays_of(m, spreads.times).time.median; };
  for (const Measurement& m : problem) {
    if (!is_ranked(m.what)) continue;
    const Measurement*& known = best[models.size() > 1 ? model_and_device(m.what) : m.what.variant];
    if (!known || time_of(m) < time_of(*known)) known = &m;
  }
  Contenders contenders;
  for (const auto& [model, one] : best) contenders.push_back(one);
  std::sort(contenders.begin(), contenders.end(),
            [&](const Measurement* a, const Measurement* b) { return time_of(*a) < time_of(*b); });
  return contenders;
}

SessionSpreads Visits::spreads() const {
  std::vector<const Measurement*> measurements;
  for (const auto& [key, problem] : problems_)
    for (const Measurement& m : problem) measurements.push_back(&m);
  return session_spreads(measurements);
}

std::vector<Case> Visits::next(double seconds, bool only_open) const {
  std::vector<const Wanted*> chosen;
  std::set<const Measurement*> already;
  const auto choose = [&](const std::vector<Wanted>& from) {
    for (const Wanted& one : from) {
      if (one.seconds > seconds || already.contains(one.cases.front())) continue;
      seconds -= one.seconds;
      already.insert(one.cases.begin(), one.cases.end());
      chosen.push_back(&one);
    }
  };
  const std::vector<Wanted> comparisons = wanted_by_comparisons();
  choose(comparisons);
  std::vector<Wanted> others;
  if (!only_open) {
    for (const Wanted* one : chosen) seconds -= later_rounds * one->seconds;
    others = wanted_by_others();
    choose(others);
  }
  return in_random_order(chosen);
}

// Returns the undecided problems, sorted by the number of processes that have measured them, then by how
// close they are to a decision.
std::vector<Wanted> Visits::wanted_by_comparisons() const {
  const SessionSpreads known = spreads();
  std::vector<Wanted> wanted;
  for (const auto& [key, problem] : problems_)
    if (std::optional<Wanted> one = wanted_of(contenders_of(problem, known), known))
      wanted.push_back(std::move(*one));
  std::sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) {
    const auto rank = [](const Wanted& one) { return std::pair(one.stays, -one.nearness); };
    return rank(a) < rank(b);
  });
  return wanted;
}

// Returns all cases that can be visited, each separately. Cases that the fewest processes have measured come
// first.
std::vector<Wanted> Visits::wanted_by_others() const {
  std::vector<Wanted> wanted;
  for (const auto& [key, problem] : problems_)
    for (const Measurement& m : problem)
      if (can_be_visited(m)) wanted.push_back({{&m}, stays_so_far(m), 0, expected_seconds(m)});
  std::stable_sort(wanted.begin(), wanted.end(), [](const Wanted& a, const Wanted& b) {
    return std::pair(a.stays, a.seconds) < std::pair(b.stays, b.seconds);
  });
  return wanted;
}

std::optional<Measurement> Visits::add(int process, const Measurement& visit) {
  const auto problem = problems_.find(key_of(problem_case(visit.what)));
  if (problem == problems_.end()) return std::nullopt;
  const std::string key = key_of(visit.what);
  const auto found = std::find_if(problem->second.begin(), problem->second.end(),
                                  [&](const Measurement& one) { return key_of(one.what) == key; });
  if (found == problem->second.end()) return std::nullopt;
  if (visit.status == Status::wrong) {
    Measurement wrong = std::move(*found);
    problem->second.erase(found);
    forget(&wrong, Status::wrong, "right in its first process, wrong in a later one: " + visit.reason);
    return wrong;
  }
  if (visit.status != Status::ok || visit.call_times.empty()) return std::nullopt;
  found->visits.push_back({process, visit.call_times});
  for (const SampledState& state : visit.states) {
    found->states.push_back(state);
    found->states.back().process = process;
  }
  ++visited_;
  return *found;
}

std::map<Decision, std::size_t> Visits::decisions() const {
  const SessionSpreads known = spreads();
  std::map<Decision, std::size_t> count;
  for (const auto& [key, problem] : problems_) {
    const Contenders contenders = contenders_of(problem, known);
    if (contenders.size() > 1) ++count[decision_of(contenders, known)];
  }
  return count;
}

Widths Visits::widths() const {
  constexpr double narrow = 0.05;
  const SessionSpreads known = spreads();
  Widths widths;
  for (const auto& [key, problem] : problems_)
    for (const Measurement& m : problem) {
      const Interval time = stays_of(m, known.times).time;
      const bool has_interval = time.samples >= min_interval_samples || !m.visits.empty();
      ++(has_interval ? widths.timed : widths.few);
      widths.wide += has_interval && !(noise(time) <= narrow);
    }
  return widths;
}

int Visits::last_process() const {
  int last = 0;
  for (const auto& [key, problem] : problems_)
    for (const Measurement& m : problem)
      for (const Visit& visit : m.visits) last = std::max(last, visit.process);
  return last;
}

// The width of an interval falls with the square root of the number of visits. A decision needs a 99.5 %
// interval, which is 1.6 times as wide as the 95 % interval that Wanted::nearness uses.
double Visits::seconds_to_decide() const {
  constexpr double wider = 1.6, most = 24;
  double seconds = 0;
  for (const Wanted& one : wanted_by_comparisons()) {
    const double share = wider / std::max(one.nearness, 1e-3);
    seconds += one.seconds * std::clamp(static_cast<double>(one.stays) * (share * share - 1), 1.0, most);
  }
  return seconds;
}

}  // namespace sextant
