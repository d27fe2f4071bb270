#include "run/dry_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <span>

#include "base/plural.hpp"
#include "engine/case/sampling.hpp"
#include "engine/concurrent/tuning_search.hpp"
#include "plan/guess.hpp"
#include "plan/memory_need.hpp"
#include "present/format.hpp"
#include "record/place.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

constexpr double skip_seconds = 0.001;  // seconds that a skipped case costs

struct KernelRow {
  std::set<std::string> variants;
  std::int64_t cases = 0, without_device = 0, refused = 0, too_large = 0, too_long = 0;
  double seconds = 0;
};

double number(const Environment& environment, const std::string& key) {
  return std::atof(value_of(environment, key).c_str());
}

// Returns the host memory in bytes that the run may use, or a huge value if it is unknown.
double free_host(const Environment& environment) {
  const double available = number(environment, "memory.available"),
               limit = number(environment, "memory.limit");
  if (available <= 0) return 1e300;
  return limit > 0 ? std::min(available, limit) : available;
}

double free_device(const Environment& environment, const std::string& device) {
  const double memory = number(environment, device + ".memory");
  return memory > 0 ? memory - number(environment, device + ".memory_used") : 1e300;
}

// Returns the counter in KernelRow for the reason why a case cannot be measured, or null if it can.
std::int64_t KernelRow::*hindrance(const Case& what, const Settings& settings,
                                   const Environment& environment) {
  if (!has_device(environment, what.device)) return &KernelRow::without_device;
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
  if (!variant) return nullptr;
  std::vector<int> tuning;
  for (const auto& [name, value] : what.tuning) tuning.push_back(value);
  if (variant->refusal(what.problem, tuning.data())) return &KernelRow::refused;
  const std::string why =
      why_too_large(entry->kernel, what.problem, {variant->memory_space, variant->workspace, tuning.data()},
                    settings.guard_bytes, free_host(environment), free_device(environment, what.device));
  return why.empty() ? nullptr : &KernelRow::too_large;
}

// Returns a table cell that shows "-" instead of 0.
Cell some(std::int64_t count) { return count ? Cell(count) : Cell(count).as("-"); }

// Estimates the seconds of the visits (short repeated measurements in other processes, run/visits.hpp) after
// cases that took `first` seconds. Visits end when their time is spent, or when all processes have visited
// each case. One round of visits takes `round` seconds.
double seconds_of_visits(double first, double round, double slowdown, const DryRun& run) {
  constexpr double process = 0.4,
                   usual_excess = 1.2;  // seconds to start a process, and typical Pace::visits()
  if (run.visits <= 1 || round <= 0) return 0;
  const double excess = run.pace.visits() > 0 ? run.pace.visits() : usual_excess;
  return std::min(excess * most_seconds_of_visits(first), (run.visits - 1) * slowdown * (process + round));
}

// Returns the seconds of a visit of the case, or 0 if its calls are too long for visits.
double visit_seconds(const Case& what) {
  constexpr double longest_call = 0.5;
  return guess_call_seconds(what) > longest_call ? 0 : guess_visit_seconds(what);
}

std::string note_of(const KernelRow& all, const Settings& settings, const Environment& environment,
                    const DryRun& run) {
  std::string note = fmt::format("{}, about {}", plural(all.cases, "case"), format_duration(all.seconds));
  if (run.ceilings) note += " including the ceilings";
  note += basis_text(run.pace.cases(), environment);
  const auto add = [&](std::int64_t count, const std::string& what) {
    if (count) note += fmt::format("\n{} {}", count, what);
  };
  add(all.without_device,
      "will be skipped, because this machine lacks their device (`sextant list devices`)");
  add(all.too_large, "will be skipped, because they need more memory than is free");
  add(all.refused, "will be skipped, because their variant does not support this size with this tuning");
  add(all.too_long,
      fmt::format("may exceed the limit of {} per case (--timeout), and are counted with that time",
                  format_duration(settings.timeout)));
  if (run.budget > 0 && all.seconds > run.budget)
    note += fmt::format("\nThe budget of {} will end first.", format_duration(run.budget));
  return note;
}

// Estimates the duration of cases on several GPUs. Computing the reference and copying take as long as on one
// GPU; the GPUs share all other work.
class DistributedTime {
 public:
  explicit DistributedTime(std::size_t gpus) : gpus_(gpus) {}

  // `seconds` is the estimate for the whole case, and `measuring` the time that remains after the problem's
  // reference is computed. `passes` tells whether the end-to-end pass is timed.
  void add(const Case& what, bool first_of_problem, double seconds, double measuring, bool passes) {
    if (gpus_.empty()) return;
    const double copying = passes ? std::min(copying_seconds, measuring) : 0;
    const double distributed = what.device == "cpu" ? 0 : measuring - copying;
    one_at_a_time_ += seconds - distributed;
    if (first_of_problem) least_busy_ = std::min_element(gpus_.begin(), gpus_.end());
    *least_busy_ += distributed;
  }

  std::string note(double seconds) const {
    if (gpus_.empty()) return {};
    const double distributed = one_at_a_time_ + *std::max_element(gpus_.begin(), gpus_.end());
    return fmt::format("\nDistributed over {} GPUs: about {} instead of {}", gpus_.size(),
                       format_duration(distributed), format_duration(seconds));
  }

 private:
  // seconds per case for timing copies and the end-to-end pass
  static constexpr double copying_seconds = 0.05;
  std::vector<double> gpus_;  // estimated seconds of the cases on each GPU
  std::vector<double>::iterator least_busy_ = gpus_.begin();
  double one_at_a_time_ = 0;
};

// Returns the tunings whose end-to-end pass is not timed. A search for the best tuning times that pass for
// two tunings only (engine/concurrent/tuning_search.hpp). Here these are assumed to be the first two.
std::set<const Case*> measured_briefly(std::span<const Case> cases) {
  std::set<const Case*> brief;
  for (; !cases.empty(); cases = cases.subspan(tunings_in_front(cases).size())) {
    const std::span<const Case> tunings = tunings_in_front(cases);
    if (!is_search(tunings)) continue;
    for (const Case& what : tunings.subspan(2)) brief.insert(&what);
  }
  return brief;
}

}  // namespace

double seconds_of_ceilings(const Pace& pace, const Environment& environment) {
  constexpr double usual_start = 6;
  return slowdown_of(environment) * (pace.start() > 0 ? pace.start() : usual_start);
}

std::string basis_text(std::size_t cases, const Environment& environment) {
  constexpr double much = 1.25;  // a smaller slowdown is not mentioned
  std::string text =
      cases > 0 ? fmt::format(", estimated from {} of earlier runs on this machine", plural(cases, "case"))
                : ", estimated only from the kernels' numbers of operations, because no results file in this "
                  "folder is from this machine";
  if (slowdown_of(environment) > much)
    text += fmt::format(", at the present load of {} on {}", value_of(environment, "load"),
                        plural(static_cast<std::int64_t>(number(environment, "cpu.usable")), "processor"));
  return text;
}

bool can_be_done(const Case& what, const Settings& settings, const Environment& environment) {
  return !hindrance(what, settings, environment);
}

Table dry_run_table(const std::vector<Case>& cases, const Settings& settings, const Environment& environment,
                    const DryRun& run) {
  std::vector<std::string> order;
  std::map<std::string, KernelRow> rows;
  KernelRow all;
  const double slowdown = slowdown_of(environment);
  double visits = 0;           // seconds of one round of visits on an idle machine
  const Case* last = nullptr;  // the last case for which a reference was computed
  DistributedTime distributed(run.gpus);
  const std::set<const Case*> brief = measured_briefly(cases);
  for (const Case& one : cases) {
    if (!rows.contains(one.kernel)) order.push_back(one.kernel);
    KernelRow& row = rows[one.kernel];
    double seconds = skip_seconds;
    std::int64_t KernelRow::*why = hindrance(one, settings, environment);
    if (!why) {
      const bool first = !last || !same_reference(*last, one);
      last = &one;
      const double factor = slowdown * run.pace.factor(one);
      seconds = factor * guess_seconds(one, sampled_by(settings), first);
      if (seconds > settings.timeout) {
        seconds = settings.timeout;
        why = &KernelRow::too_long;
      }
      visits += visit_seconds(one);
      const double measuring = first ? factor * guess_seconds(one, sampled_by(settings), false) : seconds;
      distributed.add(one, first, seconds, std::min(measuring, seconds),
                      settings.transfers && !brief.contains(&one));
    }
    row.variants.insert(one.variant);
    for (KernelRow* sum : {&row, &all}) {
      ++sum->cases;
      sum->seconds += seconds;
      if (why) ++(sum->*why);
    }
  }
  // missing devices have no column; the note below the table counts them
  const bool skips = all.too_large + all.refused > 0;
  Table table;
  table.columns = {{"kernel"},
                   {"variants", "", Unit::count},
                   {"cases", "", Unit::count},
                   {"skipped", skips ? "" : "-", Unit::count},
                   {"without_device", "-"},
                   {"too_large", "-"},
                   {"refused", "-"},
                   {"too_long", all.too_long ? "too long" : "-", Unit::count},
                   {"seconds", "about", Unit::number}};
  for (const std::string& kernel : order) {
    const KernelRow& row = rows[kernel];
    table.rows.push_back({kernel, static_cast<std::int64_t>(row.variants.size()), row.cases,
                          some(row.too_large + row.refused), row.without_device, row.too_large, row.refused,
                          some(row.too_long), Cell(row.seconds).as(format_duration(row.seconds))});
  }
  all.seconds += (run.ceilings ? seconds_of_ceilings(run.pace, environment) : 0) +
                 seconds_of_visits(all.seconds, visits, slowdown, run);
  table.note = note_of(all, settings, environment, run) + distributed.note(all.seconds);
  return table;
}

}  // namespace sextant
