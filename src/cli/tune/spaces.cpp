#include "cli/tune/spaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/plural.hpp"
#include "engine/case/sampling.hpp"
#include "plan/guess.hpp"
#include "plan/plan.hpp"
#include "plan/tunings.hpp"
#include "present/format.hpp"
#include "present/search_view.hpp"
#include "record/keys.hpp"
#include "registry/registry.hpp"
#include "run/dry_run.hpp"
#include "suite/thread_count.hpp"

namespace sextant {
namespace {

// Returns the variant of a case in this build.
const Variant& variant_of(const Case& space) {
  return *find_variant(*find_kernel(space.kernel), space.variant);
}

// Returns the cases whose variants have something to tune.
std::vector<Case> spaces_of(const Resolved& resolved, int threads) {
  std::vector<Case> cases;
  for (const auto& [entry, variant, what] : resolved.cases) {
    const bool has_threads = threads > 1 && takes_thread_count(*variant);
    if (what.tuning.empty() && !has_threads) continue;
    cases.push_back(what);
    if (has_threads) cases.back().tuning.emplace_back(thread_count, threads);
  }
  if (cases.empty())
    throw UserError(
        "there is nothing to tune, because no selected variant has a tunable (a parameter of its code). "
        "`sextant list variants` lists the tunables.");
  return cases;
}

// Orders the sizes of a variant from the middle outwards, so that each search can learn from a nearby size.
// The variants keep their order.
std::vector<Case> in_teaching_order(const std::vector<Case>& cases) {
  std::vector<Case> ordered;
  std::map<std::string, bool> done;
  const auto family = [](const Case& one) {
    return one.kernel + "|" + one.variant + "|" + name_of(one.problem.type) + "|" + one.device;
  };
  for (const Case& first : cases) {
    if (std::exchange(done[family(first)], true)) continue;
    std::vector<Case> sizes;
    for (const Case& one : cases)
      if (family(one) == family(first)) sizes.push_back(one);
    std::stable_sort(sizes.begin(), sizes.end(),
                     [](const Case& a, const Case& b) { return a.problem.n < b.problem.n; });
    const std::size_t middle = sizes.size() / 2;
    ordered.push_back(sizes[middle]);
    for (std::size_t step = 1; step <= middle; ++step) {
      if (middle + step < sizes.size()) ordered.push_back(sizes[middle + step]);
      ordered.push_back(sizes[middle - step]);
    }
  }
  return ordered;
}

// Removes spaces that have no points, and adds a note for them. Throws the first reason if no space is left.
void leave_out_empty(const Selection& selection, std::vector<Case>* spaces, std::vector<std::string>* notes) {
  std::string first;
  const std::size_t all = spaces->size();
  std::erase_if(*spaces, [&](const Case& space) {
    try {
      points_of(space, selection);
      return false;
    } catch (const UserError& error) {
      if (first.empty()) first = space_text(space) + ": " + error.what();
      return true;
    }
  });
  if (spaces->empty())
    throw UserError(first +
                    (first.ends_with('.') ? "" : ". Choose other values with -t or another size with -n."));
  if (const std::size_t empty = all - spaces->size(); empty > 0)
    notes->push_back(fmt::format("{} of {} searches {} left out, because no tuning is valid. The first is {}",
                                 empty, all, empty == 1 ? "is" : "are", first));
}

}  // namespace

std::vector<Case> spaces_to_tune(const Resolved& resolved, const Selection& selection, int threads,
                                 std::vector<std::string>* notes) {
  std::vector<Case> spaces = spaces_of(resolved, threads);
  leave_out_empty(selection, &spaces, notes);
  return in_teaching_order(spaces);
}

std::vector<int> thread_counts(int most) {
  std::set<int> counts = {most};
  if (most > 1) counts.insert(most / 2);
  for (int count = 1; count < most; count *= 2) counts.insert(count);
  return {counts.begin(), counts.end()};
}

tuner::LiveSpace points_of(const Case& space, const Selection& selection) {
  Variant variant = variant_of(space);
  const ChoiceTexts& texts = find_kernel(space.kernel)->texts;
  const AskedTunings asked_tunings = current_tunings(selection.tunings, space);
  if (space.tuning.size() == variant.tunables.size())
    return tuner::live_space(variant, space.problem, asked_tunings, texts);
  const int most = space.tuning.back().second;
  std::vector<int> counts = thread_counts(most);
  if (const auto asked = asked_tunings.find(thread_count); asked != asked_tunings.end()) {
    counts.assign(asked->second.begin(), asked->second.end());
    std::sort(counts.begin(), counts.end());
    std::erase_if(counts, [&](int count) { return count > most; });
    if (counts.empty())
      throw UserError("OpenMP has " + std::to_string(most) +
                      " threads here, fewer than the value of `threads` in --tunings. Set OMP_NUM_THREADS to "
                      "a larger number.");
  }
  variant.tunables.push_back({thread_count, counts, most});
  return tuner::live_space(variant, space.problem, asked_tunings, texts);
}

std::size_t evaluations_of(const TuneBudget& budget, std::size_t points) {
  if (budget.share > 0)
    return std::max<std::size_t>(1, static_cast<std::size_t>(budget.share * static_cast<double>(points)));
  return budget.evaluations > 0 ? budget.evaluations : 200;
}

std::string note_on_many(std::size_t spaces, const TuneBudget& budget) {
  constexpr std::size_t many = 50;
  if (spaces < many || budget.seconds > 0) return "";
  return fmt::format(
      "the tunings of {} variants and sizes are searched one after another, which may take hours. --dry-run "
      "lists them. -k, -v and -n select fewer, and --budget 20m limits the time. An interrupted search keeps "
      "its results",
      spaces);
}

namespace {

// Estimates the seconds of a search on an idle machine: its evaluations, and its final round.
double search_seconds(const Case& space, std::size_t evaluations, const TuneDryRun& run) {
  const double factor = run.pace.factor(space, Pace::Measured::by_search);
  const Sampled by = sampled_by(run.settings);
  const double references = guess_seconds(space, by, true) - guess_seconds(space, by, false);
  const auto finalists = static_cast<double>(std::min(run.finalists, evaluations) * run.rounds);
  return factor * (references + static_cast<double>(evaluations) * guess_seconds(space, by, false)) +
         finalists * guess_visit_seconds(space);
}

std::string time_note(std::size_t spaces, double seconds, const TuneDryRun& run) {
  const double limit = run.budget.seconds;
  std::string note = fmt::format("{}, about {}", plural(spaces, "space"), format_duration(seconds));
  if (run.ceilings) note += " including the ceilings";
  note += basis_text(run.pace.cases(Pace::Measured::by_search), run.environment);
  if (limit > 0 && seconds > limit)
    note += fmt::format("\nThe budget of {} will end first.", format_duration(limit));
  return note;
}

}  // namespace

Table tuning_plan(const std::vector<Case>& spaces, const Selection& selection, const TuneDryRun& run) {
  Table table;
  table.columns = {{"space"},
                   {"points", "", Unit::count},
                   {"refused", "", Unit::count},
                   {"evaluations", "", Unit::count},
                   {"seconds", "about", Unit::number}};
  double all = 0;
  for (const Case& space : spaces) {
    const tuner::LiveSpace live = points_of(space, selection);
    const std::size_t evaluations =
        std::min(evaluations_of(run.budget, live.space.size()), live.space.size());
    const double seconds = can_be_done(space, run.settings, run.environment)
                               ? slowdown_of(run.environment) * search_seconds(space, evaluations, run)
                               : 0;
    all += seconds;
    table.rows.push_back({space_text(space), static_cast<std::int64_t>(live.space.size()), live.refused,
                          static_cast<std::int64_t>(evaluations),
                          Cell(seconds).as(seconds > 0 ? format_duration(seconds) : "skipped")});
  }
  if (run.ceilings) all += seconds_of_ceilings(run.pace, run.environment);
  table.note = time_note(spaces.size(), all, run);
  return table;
}

}  // namespace sextant
