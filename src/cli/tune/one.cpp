#include "cli/tune/one.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "cli/tune/spaces.hpp"
#include "cli/tune/table.hpp"
#include "present/search_view.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// Returns the kernel, variant and type of a search. Searches with an equal text differ only in size.
std::string family_of(const Search& search) {
  return search.space.kernel + " " + search.space.variant + " " + name_of(search.space.problem.type);
}

std::string key_without_size(Case what) {
  what.problem.n = 0;
  what.problem.extents = {};
  return key_of(what);
}

double time_of(const Search& search, const Tuning& tuning) {
  const auto one = std::find_if(search.finalists.begin(), search.finalists.end(),
                                [&](const Finalist& other) { return other.tuning == tuning; });
  return one == search.finalists.end() ? 0 : one->time;
}

// Returns the largest ratio, over all sizes, of the time with the default tuning to the fastest time.
double worst_default(const std::vector<Search*>& searches) {
  double worst = 0;
  for (const Search* search : searches) {
    const auto fastest =
        std::min_element(search->finalists.begin(), search->finalists.end(),
                         [](const Finalist& a, const Finalist& b) { return a.time < b.time; });
    worst = std::max(worst, time_of(*search, search->standard) / fastest->time);
  }
  return worst;
}

}  // namespace

std::vector<std::vector<Search*>> sizes_together(std::vector<Search>& searches) {
  std::vector<std::vector<Search*>> families;
  std::map<std::string, std::size_t> places;
  for (Search& one : searches) {
    if (one.finalists.empty()) continue;
    const auto [place, is_new] = places.try_emplace(key_without_size(one.space), families.size());
    if (is_new) families.emplace_back();
    families[place->second].push_back(&one);
  }
  std::erase_if(families, [](const std::vector<Search*>& family) { return family.size() < 2; });
  return families;
}

std::vector<Tuning> shared_tunings(const std::vector<Search*>& searches, const Selection& selection) {
  std::vector<Tuning> tunings;
  const auto add = [&](const Tuning& tuning) {
    if (std::find(tunings.begin(), tunings.end(), tuning) == tunings.end()) tunings.push_back(tuning);
  };
  std::size_t most = 0;
  for (const Search* search : searches) most = std::max(most, search->finalists.size());
  for (std::size_t place = 0; place < most; ++place)
    for (const Search* search : searches)
      if (place < search->finalists.size()) add(search->finalists[place].tuning);
  for (const Search* search : searches) add(search->standard);
  for (const Search* search : searches) {
    Case space = search->space;
    space.tuning = search->standard;
    const tuner::LiveSpace points = points_of(space, selection);
    std::erase_if(tunings, [&](const Tuning& tuning) { return !find(points.space, tuning); });
  }
  return tunings;
}

std::string shared_text(const tuner::SharedTuning& shared, const std::vector<Search*>& searches) {
  const Interval& loss = shared.losses[shared.worst];
  return fmt::format(
      "{}, one tuning for {} sizes: {}\n  at most {:.3f}x ({:.3f} to {:.3f}) the best {} of each size, at "
      "N={}. The default tunings take at most {:.3f}x\n",
      family_of(*searches.front()), searches.size(), tuning_text(shared.tuning), loss.median, loss.low,
      loss.high, minimizes_time(*searches.front()) ? "time" : "energy",
      searches[shared.worst]->space.problem.n, worst_default(searches));
}

std::vector<Cell> shared_row(const tuner::SharedTuning& shared, const std::vector<Search*>& searches) {
  const Interval& loss = shared.losses[shared.worst];
  const std::map<std::string, Cell> known = {
      {"space", fmt::format("{}, {} sizes", family_of(*searches.front()), searches.size())},
      {"tuning", tuning_text(shared.tuning)},
      {"loss", loss.median},
      {"loss_low", loss.low},
      {"loss_high", loss.high},
      {"loss_at", searches[shared.worst]->space.problem.n},
      {"default_loss", worst_default(searches)},
      {"goal", searches.front()->goal}};
  std::vector<Cell> row;
  for (const Column& column : search_columns()) {
    const auto cell = known.find(column.name);
    row.push_back(cell == known.end() ? Cell() : cell->second);
  }
  return row;
}

}  // namespace sextant
