#include "present/search_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/study/advice.hpp"
#include "present/format.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

constexpr std::size_t marks[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000};

Cell seconds_cell(double seconds) { return seconds > 0 ? Cell(seconds) : Cell(); }

// Returns a table of the searches' progress. It shows the best time after certain numbers of evaluations, as
// a fraction of the search's best time.
Table curves(const std::vector<Search>& searches) {
  std::size_t longest = 0;
  for (const Search& search : searches) longest = std::max(longest, search.steps.size());
  Table table;
  table.title = "Best so far, relative to the search's best, by number of evaluations";
  table.columns = {{"space"}, {"strategy"}};
  std::vector<std::size_t> shown;
  for (const std::size_t mark : marks)
    if (mark <= longest) shown.push_back(mark);
  for (const std::size_t mark : shown) table.columns.push_back({std::to_string(mark), "", Unit::percent});
  for (const Search& search : searches) {
    const double best = best_after(search, search.steps.size());
    std::vector<Cell> row = {space_text(search.space), search.strategy};
    for (const std::size_t mark : shown) {
      const double so_far = best_after(search, mark);
      row.push_back(so_far > 0 && mark <= search.steps.size() ? Cell(best / so_far) : Cell());
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// Returns a table with one row for each search space. It shows the distribution of times, and the number of
// points (tunings) that failed.
Table spreads(const std::vector<Search>& searches) {
  Table table;
  table.title = "The search spaces, by the times of the measured points";
  table.columns = {{"space"},
                   {"points", "", Unit::count},
                   {"tried", "", Unit::count},
                   {"no result", "", Unit::count},
                   {"best", "", Unit::seconds},
                   {"median", "", Unit::seconds},
                   {"worst", "", Unit::seconds},
                   {"within 5 %", "", Unit::count},
                   {"default", "", Unit::seconds}};
  for (const Search& search : searches) {
    std::vector<double> times;
    double standard = 0;
    for (const SearchStep& step : search.steps) {
      if (step.status != Status::ok || !(step.time > 0)) continue;
      times.push_back(step.time);
      if (step.tuning == search.standard) standard = step.time;
    }
    std::sort(times.begin(), times.end());
    const auto close =
        std::count_if(times.begin(), times.end(), [&](double time) { return time <= 1.05 * times[0]; });
    const auto tried = static_cast<std::int64_t>(search.steps.size());
    table.rows.push_back({space_text(search.space), search.points, tried,
                          tried - static_cast<std::int64_t>(times.size()),
                          times.empty() ? Cell() : minimized_cell(search, times.front()),
                          times.empty() ? Cell() : minimized_cell(search, times[times.size() / 2]),
                          times.empty() ? Cell() : minimized_cell(search, times.back()),
                          static_cast<std::int64_t>(close), minimized_cell(search, standard)});
  }
  return table;
}

Cell gain_cell(const std::optional<Interval>& gain) {
  if (!gain || gain->samples == 0) return {};
  return Cell(gain->median).as(ratio_with_interval(*gain));
}

// The view names a default tuning that is slower than the best one by more than this factor.
constexpr double much = 1.05;

constexpr double near = 1.02;  // A time within this factor of the best one counts as the best.

// Returns the fastest measured step (evaluation) among the first `most` steps; null if there is none.
const SearchStep* best_among(const Search& search, std::int64_t most) {
  const SearchStep* best = nullptr;
  for (const SearchStep& step : search.steps) {
    if (most-- == 0) break;
    if (step.status == Status::ok && step.effort == Effort::measured && step.time > 0 &&
        (!best || step.time < best->time))
      best = &step;
  }
  return best;
}

// Returns a sentence on how many searches came within 2 % of their best time after a third of their points.
std::string early_note(const std::vector<Search>& searches) {
  std::int64_t all = 0, early = 0, steps = 0, points = 0;
  for (const Search& search : searches) {
    const SearchStep* best = best_among(search, search.points);
    if (!best || search.points < 3) continue;
    const std::int64_t third = (search.points + 2) / 3;
    const SearchStep* then = best_among(search, third);
    ++all;
    early += then && then->low <= near * best->high;
    steps += std::min(third, static_cast<std::int64_t>(search.steps.size()));
    points += search.points;
  }
  if (all == 0) return "";
  return fmt::format(
      " After a third of its points, rounded up, the search was within 2 % of its best, by the intervals, in "
      "{} of {} ({} evaluations of {} points).",
      early, all, steps, points);
}

// Returns a sentence on the mean gain of the searches, and on defaults that are much slower than the best
// tuning.
std::string gains_note(const std::vector<Search>& searches) {
  std::vector<double> gains;
  std::vector<const Search*> lost;
  for (const Search& search : searches) {
    if (!search.gain || search.gain->samples == 0) continue;
    gains.push_back(search.gain->median);
    if (search.gain->low > much) lost.push_back(&search);
  }
  if (gains.empty()) return "";
  std::sort(gains.begin(), gains.end());
  std::stable_sort(lost.begin(), lost.end(),
                   [](const Search* a, const Search* b) { return a->gain->low > b->gain->low; });
  std::string text = fmt::format(
      "Gain over the default in {} {}: median {:.3f}x, most {:.3f}x. In {} the default loses more than 5 %, "
      "by the interval",
      gains.size(), gains.size() == 1 ? "search" : "searches", gains[gains.size() / 2], gains.back(),
      lost.size());
  for (std::size_t i = 0; i < lost.size(); ++i)
    text +=
        fmt::format("{}{} {:.2f}x", i == 0 ? ": " : "; ", space_text(lost[i]->space), lost[i]->gain->median);
  return text + "." + early_note(searches);
}

Table findings(const std::vector<Search>& searches) {
  Table table;
  table.title = "Results";
  table.columns = {{"space"},
                   {"best tuning"},
                   {"gain", "over the default", Unit::ratio},
                   {"ties", "", Unit::count},
                   {"ended because"}};
  table.note = gains_note(searches);
  for (const Search& search : searches)
    table.rows.push_back({space_text(search.space), tuning_text(winner_of(search)), gain_cell(search.gain),
                          std::count_if(search.finalists.begin(), search.finalists.end(),
                                        [](const Finalist& one) { return one.tie; }),
                          search.ended.empty() ? std::string("it was interrupted") : search.ended});
  return table;
}

Table steps_of(const std::vector<Search>& searches) {
  Table table;
  table.columns = {{"kernel"},
                   {"variant"},
                   {"type"},
                   {"n"},
                   {"class"},
                   {"device"},
                   {"strategy"},
                   {"seed"},
                   {"goal"},
                   {"step"},
                   {"tuning"},
                   {"known"},
                   {"effort"},
                   {"status"},
                   {"reason"},
                   {"time", "", Unit::seconds},
                   {"time_low", "", Unit::seconds},
                   {"time_high", "", Unit::seconds},
                   {"best_so_far", "", Unit::seconds},
                   {"cost", "", Unit::seconds}};
  for (const Search& search : searches)
    for (std::size_t i = 0; i < search.steps.size(); ++i) {
      const SearchStep& step = search.steps[i];
      const Case& space = search.space;
      table.rows.push_back({space.kernel,
                            space.variant,
                            name_of(space.problem.type),
                            space.problem.n,
                            space.problem_class,
                            space.device,
                            search.strategy,
                            static_cast<std::int64_t>(search.seed),
                            search.goal,
                            static_cast<std::int64_t>(i + 1),
                            tuning_text(step.tuning),
                            step.known,
                            name_of(step.effort),
                            name_of(step.status),
                            step.reason,
                            seconds_cell(step.time),
                            seconds_cell(step.low),
                            seconds_cell(step.high),
                            seconds_cell(best_after(search, i + 1)),
                            seconds_cell(step.cost)});
    }
  return table;
}

}  // namespace

std::string space_text(const Case& space) {
  return fmt::format("{} {} {} {}", space.kernel, space.variant, name_of(space.problem.type),
                     space.problem_class.empty() ? std::to_string(space.problem.n) : space.problem_class);
}

std::string ratio_with_interval(const Interval& ratio) {
  const auto digits = [](double one) {
    return one < 10 ? fmt::format("{:.3f}", one) : format_significant(one);
  };
  return digits(ratio.median) + "x (" + digits(ratio.low) + " to " + digits(ratio.high) + ")";
}

std::string minimized_text(const Search& search, double value) {
  return minimizes_time(search)    ? format_seconds(value)
         : search.goal == "energy" ? format_joules(value)
                                   : format_significant(value) + " J·s";
}

Cell minimized_cell(const Search& search, double value) {
  if (!(value > 0)) return {};
  return minimizes_time(search) ? Cell(value) : Cell(value).as(minimized_text(search, value));
}

double best_after(const Search& search, std::size_t count) {
  double best = 0;
  for (std::size_t i = 0; i < std::min(count, search.steps.size()); ++i) {
    const SearchStep& step = search.steps[i];
    if (step.status == Status::ok && step.time > 0 && (best == 0 || step.time < best)) best = step.time;
  }
  return best;
}

std::string searches_sentence(const std::vector<Search>& searches) {
  std::size_t tried = 0, points = 0, ties = 0;
  std::vector<double> gains;
  const Search* most = nullptr;
  for (const Search& search : searches) {
    tried += search.steps.size();
    points += static_cast<std::size_t>(search.points);
    if (!search.gain || search.gain->samples == 0) continue;
    gains.push_back(search.gain->median);
    ties += search.gain->low <= 1;
    if (!most || search.gain->median > most->gain->median) most = &search;
  }
  std::string text = fmt::format("{} {} tried {} of {} tunings", searches.size(),
                                 searches.size() == 1 ? "search" : "searches", tried, points);
  if (!most) return text + "; none reached its final round.";
  const Spread all = spread_of(gains);
  text += fmt::format(": the best is {} as {} as the default in the geometric mean, at most {} ({})",
                      format_ratio(all.mean),
                      std::all_of(searches.begin(), searches.end(), minimizes_time) ? "fast" : "good",
                      format_ratio(all.high), space_text(most->space));
  return text + (ties ? fmt::format("; at {} the default is as good within noise.", ties) : ".");
}

std::vector<Search> last_searches(const Results& results) {
  std::map<std::int64_t, std::string> machines;
  for (const Session& session : results.sessions) machines[session.id] = machine_of(session);
  std::map<std::string, std::size_t> last;
  for (std::size_t i = 0; i < results.searches.size(); ++i)
    last[key_of(results.searches[i].space) + " on " + machines[results.searches[i].session]] = i;
  std::vector<Search> searches;
  for (std::size_t i = 0; i < results.searches.size(); ++i)
    if (last[key_of(results.searches[i].space) + " on " + machines[results.searches[i].session]] == i)
      searches.push_back(results.searches[i]);
  return searches;
}

bool are_of_searches(const Results& results) {
  std::set<std::string> searched;
  for (const Search& search : results.searches)
    searched.insert(space_text(search.space) + " " + search.space.device);
  return !searched.empty() && std::all_of(results.measurements.begin(), results.measurements.end(),
                                          [&](const StoredMeasurement& one) {
                                            const Case& what = one.measurement.what;
                                            return searched.contains(space_text(what) + " " + what.device);
                                          });
}

View search_view(const std::vector<Search>& searches) {
  View view;
  view.rows = steps_of(searches);
  if (!searches.empty()) view.texts = {curves(searches), spreads(searches), findings(searches)};
  return view;
}

}  // namespace sextant
