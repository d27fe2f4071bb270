#include "tuner/space_builder.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <numeric>

#include "base/error.hpp"

namespace sextant::tuner {
namespace {

double number_in(const std::string& text) {
  if (text == "false" || text == "true") return text == "true" ? 1 : 0;
  double value = std::numeric_limits<double>::infinity();
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

void SpaceBuilder::add(const std::vector<std::string>& values, RecordedPoint point) {
  std::vector<Choice> choice;
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (axes_[a].texts.size() >= std::numeric_limits<Choice>::max())
      throw UserError("the tunable " + axes_[a].name + " has more than 65534 values");
    const auto [place, fresh] =
        positions_[a].try_emplace(values[a], static_cast<Choice>(axes_[a].texts.size()));
    if (fresh) axes_[a].texts.push_back(values[a]);
    choice.push_back(place->second);
  }
  const auto [place, fresh] = known_.try_emplace(choice, points_.size());
  if (!fresh) {
    points_[place->second] = std::move(point);
    return;
  }
  choices_.insert(choices_.end(), choice.begin(), choice.end());
  points_.push_back(std::move(point));
}

RecordedSpace SpaceBuilder::finish(const std::string& name, Format format, std::string header,
                                   RecordedObjective objective) {
  if (points_.empty() || axes_.empty()) throw UserError(name + " holds no measured tuning");
  std::vector<std::vector<Choice>> place(axes_.size());  // by axis: old position of a choice -> new position
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    std::vector<Choice> order(axes_[a].texts.size());
    std::iota(order.begin(), order.end(), Choice{0});
    std::stable_sort(order.begin(), order.end(), [&](Choice one, Choice other) {
      return number_in(axes_[a].texts[one]) < number_in(axes_[a].texts[other]);
    });
    place[a].resize(order.size());
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < order.size(); ++i) {
      place[a][order[i]] = static_cast<Choice>(i);
      texts.push_back(axes_[a].texts[order[i]]);
    }
    axes_[a].texts = std::move(texts);
  }
  for (std::size_t i = 0; i < choices_.size(); ++i) choices_[i] = place[i % axes_.size()][choices_[i]];
  set_times(&points_, &objective);
  return {
      name, std::move(header),   format, Space(std::move(axes_), std::move(choices_)), std::move(points_), {},
      {},   std::move(objective)};
}

}  // namespace sextant::tuner
