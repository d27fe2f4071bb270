#include "tuner/live_space.hpp"

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "plan/plan.hpp"
#include "record/keys.hpp"
#include "tuner/random.hpp"

namespace sextant::tuner {
namespace {

constexpr double most_enumerated = 4e6;
constexpr std::size_t most_drawn = 1'000'000;

// For each tunable of the variant: the choices within the user's restrictions.
std::vector<std::vector<TunedValue>> choices_of(const Variant& variant, const AskedTunings& narrowed,
                                                const ChoiceTexts& texts) {
  std::vector<std::vector<TunedValue>> choices;
  for (const Tunable& tunable : variant.tunables) {
    choices.push_back(values_of(variant, tunable, texts));
    const auto asked = narrowed.find(tunable.name);
    if (asked == narrowed.end()) continue;
    std::erase_if(choices.back(), [&](const TunedValue& choice) { return !is_asked(choice, asked->second); });
    if (choices.back().empty())
      throw UserError(variant.name + " has none of the values that --tunings requests for " + tunable.name);
  }
  return choices;
}

// Converts the choices of each tunable to numbers.
std::vector<std::vector<int>> numbers_of(const std::vector<std::vector<TunedValue>>& values) {
  std::vector<std::vector<int>> numbers;
  for (const std::vector<TunedValue>& one : values) numbers.emplace_back(one.begin(), one.end());
  return numbers;
}

// Collects the points (combinations of choices) that satisfy the variant's constraint.
class Admitted {
 public:
  Admitted(const Variant& variant, const Problem& problem, const std::vector<std::vector<int>>& choices)
      : variant_(variant), problem_(problem), choices_(choices), values_(choices.size()) {}

  void offer(const std::vector<Choice>& point) {
    for (std::size_t a = 0; a < point.size(); ++a) values_[a] = choices_[a][point[a]];
    const char* reason = variant_.refusal(problem_, values_.data());
    if (reason) {
      ++refused;
      if (first_reason.empty()) first_reason = reason;
    } else {
      points.insert(points.end(), point.begin(), point.end());
    }
  }

  std::vector<Choice> points;
  std::int64_t refused = 0;
  std::string first_reason;

 private:
  const Variant& variant_;
  const Problem& problem_;
  const std::vector<std::vector<int>>& choices_;
  std::vector<int> values_;
};

// Enumerates all points in ascending order of their values. The first tunable changes slowest.
void enumerate(const std::vector<std::vector<int>>& choices, Admitted* admitted) {
  std::vector<Choice> point(choices.size(), 0);
  for (;;) {
    admitted->offer(point);
    std::size_t axis = choices.size();
    while (axis > 0 && ++point[axis - 1] == choices[axis - 1].size()) point[--axis] = 0;
    if (axis == 0) return;
  }
}

void draw(const std::vector<std::vector<int>>& choices, Admitted* admitted) {
  Random random(1);
  std::set<std::vector<Choice>> drawn;
  while (drawn.size() < most_drawn) {
    std::vector<Choice> point;
    for (const std::vector<int>& values : choices)
      point.push_back(static_cast<Choice>(random.below(values.size())));
    if (drawn.insert(point).second) admitted->offer(point);
  }
}

}  // namespace

LiveSpace live_space(const Variant& variant, const Problem& problem, const AskedTunings& narrowed,
                     const ChoiceTexts& texts) {
  const std::vector<std::vector<TunedValue>> values = choices_of(variant, narrowed, texts);
  const std::vector<std::vector<int>> choices = numbers_of(values);
  std::vector<Axis> axes;
  double count = 1;
  for (std::size_t a = 0; a < choices.size(); ++a) {
    axes.push_back(Axis::of(variant.tunables[a].name, values[a]));
    count *= static_cast<double>(choices[a].size());
  }
  Admitted admitted(variant, problem, choices);
  const bool drawn = count > most_enumerated;
  if (drawn)
    draw(choices, &admitted);
  else if (!choices.empty())
    enumerate(choices, &admitted);
  if (admitted.points.empty())
    throw UserError(variant.name + " has no valid tuning for this size" +
                    (admitted.first_reason.empty() ? "" : ": " + admitted.first_reason));
  return {Space(std::move(axes), std::move(admitted.points)), admitted.refused, drawn};
}

Tuning tuning_of(const Space& space, std::size_t point) {
  Tuning tuning;
  const std::span<const Choice> choices = space.choices(point);
  for (std::size_t a = 0; a < choices.size(); ++a)
    tuning.emplace_back(space.axes()[a].name, space.axes()[a].values.at(choices[a]));
  return tuning;
}

std::optional<std::size_t> find(const Space& space, const Tuning& tuning) {
  if (tuning.size() != space.axes().size()) return {};
  std::vector<Choice> choices;
  for (std::size_t a = 0; a < tuning.size(); ++a) {
    const Axis& axis = space.axes()[a];
    const auto place = std::find(axis.texts.begin(), axis.texts.end(), axis_text(tuning[a].second));
    if (axis.name != tuning[a].first || place == axis.texts.end()) return {};
    choices.push_back(static_cast<Choice>(place - axis.texts.begin()));
  }
  return space.find(choices);
}

}  // namespace sextant::tuner
