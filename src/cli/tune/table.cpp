#include "cli/tune/table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "present/format.hpp"
#include "present/search_view.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

std::int64_t count_of(const Search& search, Status status) {
  return std::count_if(search.steps.begin(), search.steps.end(),
                       [&](const SearchStep& step) { return step.status == status; });
}

double standard_time(const Search& search) {
  for (const Finalist& one : search.finalists)
    if (one.tuning == search.standard) return one.time;
  for (const SearchStep& step : search.steps)
    if (step.tuning == search.standard) return step.time;
  return 0;
}

double winner_time(const Search& search) {
  if (!search.finalists.empty()) return search.finalists.front().time;
  const SearchStep* best = best_of(search);
  return best ? best->time : 0;
}

Cell number_cell(const std::optional<Interval>& interval, double Interval::*member) {
  return interval && interval->samples > 0 ? Cell((*interval).*member) : Cell();
}

}  // namespace

std::vector<Column> search_columns() {
  return {{"space", "", Unit::text, 44},
          {"points", "", Unit::count, 6},
          {"refused", "-", Unit::count},
          {"tried", "", Unit::count, 5},
          {"failed", "-", Unit::count},
          {"wrong", "-", Unit::count},
          {"default", "", Unit::seconds, 8},
          {"best", "", Unit::seconds, 8},
          {"gain", "gain over the default", Unit::number, 24},
          {"gain_low", "-", Unit::number},
          {"gain_high", "-", Unit::number},
          {"against", "over the best known", Unit::number, 24},
          {"against_low", "-", Unit::number},
          {"against_high", "-", Unit::number},
          {"against_points", "-", Unit::count},
          {"tuning", "-"},
          {"ties", "-"},
          {"strategy", "-"},
          {"ended", "ended because"},
          {"loss", "-", Unit::number},  // For --one: the loss from using one tuning for several sizes.
          {"loss_low", "-", Unit::number},
          {"loss_high", "-", Unit::number},
          {"loss_at", "-", Unit::count},
          {"default_loss", "-", Unit::number},
          {"goal", "-"}};
}

std::vector<Cell> search_row(const Search& search, const std::optional<Against>& against) {
  const std::optional<Interval> other = against ? std::optional(against->ratio) : std::nullopt;
  std::string ties;
  for (const Finalist& one : search.finalists)
    if (one.tie) ties += (ties.empty() ? "" : "; ") + tuning_text(one.tuning);
  const auto with_text = [](Cell cell, const std::optional<Interval>& interval) {
    return interval && interval->samples > 0 ? std::move(cell).as(ratio_with_interval(*interval)) : Cell();
  };
  return {space_text(search.space),
          search.points,
          search.refused,
          static_cast<std::int64_t>(search.steps.size()),
          count_of(search, Status::failed) + count_of(search, Status::timed_out) +
              count_of(search, Status::skipped),
          count_of(search, Status::wrong),
          minimized_cell(search, standard_time(search)),
          minimized_cell(search, winner_time(search)),
          with_text(number_cell(search.gain, &Interval::median), search.gain),
          number_cell(search.gain, &Interval::low),
          number_cell(search.gain, &Interval::high),
          with_text(number_cell(other, &Interval::median), other),
          number_cell(other, &Interval::low),
          number_cell(other, &Interval::high),
          against ? Cell(against->points) : Cell(),
          tuning_text(winner_of(search)),
          ties,
          search.strategy,
          search.ended.empty() ? std::string("interrupted") : search.ended,
          Cell(),
          Cell(),
          Cell(),
          Cell(),
          Cell(),
          search.goal};
}

std::string search_details(const Search& search) {
  std::string text;
  if (best_of(search)) text += "  " + tuning_text(winner_of(search));
  std::vector<const Finalist*> ties;
  for (const Finalist& one : search.finalists)
    if (one.tie) ties.push_back(&one);
  if (!ties.empty()) {
    text += "; equal within noise: " + tuning_text(ties.front()->tuning);
    if (ties.size() > 1) text += fmt::format(" and {} more", ties.size() - 1);
  }
  if (!text.empty()) text += "\n";
  std::string parts;
  const auto add = [&](const std::string& part) { parts += (parts.empty() ? "  " : "; ") + part; };
  if (search.refused > 0) add(fmt::format("{} refused by the constraint", search.refused));
  for (const Status status :
       {Status::wrong, Status::impossible, Status::failed, Status::timed_out, Status::skipped}) {
    const auto first = std::find_if(search.steps.begin(), search.steps.end(),
                                    [&](const SearchStep& step) { return step.status == status; });
    if (first != search.steps.end())
      add(fmt::format("{} {}: {} (first: {})", count_of(search, status),
                      status == Status::timed_out ? "timed out" : name_of(status), first->reason,
                      tuning_text(first->tuning)));
  }
  return text + (parts.empty() ? "" : parts + "\n");
}

}  // namespace sextant
