#include "tuner/space.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.hpp"
#include "toolbox/random.hpp"

namespace sextant::tuner {
namespace {

std::optional<double> number_of(const std::string& text) {
  if (text == "true") return 1;
  if (text == "false") return 0;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return {};
  return value;
}

// The choices of an axis as numbers, or their indices if one of them is not a number.
std::vector<double> numbers_of(const Axis& axis) {
  std::vector<double> numbers;
  for (const std::string& text : axis.texts)
    if (const std::optional<double> number = number_of(text)) numbers.push_back(*number);
  if (numbers.size() == axis.texts.size()) return numbers;
  numbers.clear();
  for (std::size_t i = 0; i < axis.texts.size(); ++i) numbers.push_back(static_cast<double>(i));
  return numbers;
}

std::vector<float> places_of(const Axis& axis) {
  std::vector<double> numbers = numbers_of(axis);
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  if (*low > 0 && *high / *low >= 4)
    for (double& number : numbers) number = std::log(number);
  const double least = *std::min_element(numbers.begin(), numbers.end()),
               range = *std::max_element(numbers.begin(), numbers.end()) - least;
  std::vector<float> places;
  for (const double number : numbers)
    places.push_back(range > 0 && std::isfinite(range) ? static_cast<float>((number - least) / range) : 0);
  return places;
}

void require_axes(const std::vector<Axis>& axes) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].texts.empty()) throw UserError("the tunable " + axes[i].name + " has no value");
    if (axes[i].texts.size() > std::numeric_limits<Choice>::max())
      throw UserError("the tunable " + axes[i].name + " has more than 65535 values");
    std::set<std::string> seen;
    for (const std::string& text : axes[i].texts)
      if (!seen.insert(text).second)
        throw UserError("the tunable " + axes[i].name + " has the value " + text + " twice");
    for (std::size_t j = 0; j < i; ++j)
      if (axes[i].name == axes[j].name) throw UserError("two tunables are called " + axes[i].name);
  }
}

}  // namespace

std::string axis_text(const TunedValue& value) {
  if (!value.text) return std::to_string(value.number);
  return nlohmann::json(value.text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Axis Axis::of(std::string name, const std::vector<TunedValue>& choices) {
  Axis axis{std::move(name), {}, choices};
  for (const TunedValue& choice : choices) axis.texts.push_back(axis_text(choice));
  return axis;
}

Space::Space(std::vector<Axis> axes, std::vector<Choice> points)
    : axes_(std::move(axes)), points_(std::move(points)) {
  require_axes(axes_);
  if (!axes_.empty()) size_ = points_.size() / axes_.size();
  if (size_ * axes_.size() != points_.size()) throw UserError("the last tuning lacks values of tunables");
  if (size_ >= std::numeric_limits<std::uint32_t>::max()) throw UserError("there are too many tunings");
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    places_.push_back(places_of(axes_[a]));
    parts_.emplace_back();
    for (std::size_t i = 0; i < axes_[a].texts.size(); ++i) parts_[a].push_back(random_bits(a + 1, i));
  }
  slots_.assign(std::bit_ceil(2 * size_ + 2), 0);
  for (std::size_t point = 0; point < size_; ++point) {
    const std::span<const Choice> chosen = choices(point);
    for (std::size_t a = 0; a < axes_.size(); ++a)
      if (chosen[a] >= axes_[a].texts.size())
        throw UserError("a tuning has the value with index " + std::to_string(chosen[a]) + " of " +
                        axes_[a].name + ", but the number of values is " +
                        std::to_string(axes_[a].texts.size()));
    const std::uint64_t code = hash(chosen);
    if (look_up(code, chosen)) throw UserError("a tuning appears twice");
    std::size_t slot = code & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<std::uint32_t>(point + 1);
  }
}

std::uint64_t Space::hash(std::span<const Choice> choices) const {
  std::uint64_t code = 0;
  for (std::size_t a = 0; a < axes_.size(); ++a) code ^= parts_[a][choices[a]];
  return code;
}

std::optional<std::size_t> Space::look_up(std::uint64_t code, std::span<const Choice> wanted) const {
  for (std::size_t slot = code & (slots_.size() - 1); slots_[slot] != 0;
       slot = (slot + 1) & (slots_.size() - 1))
    if (std::ranges::equal(choices(slots_[slot] - 1), wanted)) return slots_[slot] - 1;
  return {};
}

std::optional<std::size_t> Space::find(std::span<const Choice> wanted) const {
  if (wanted.size() != axes_.size()) return {};
  for (std::size_t a = 0; a < axes_.size(); ++a)
    if (wanted[a] >= axes_[a].texts.size()) return {};
  return look_up(hash(wanted), wanted);
}

void Space::features(std::size_t point, float* to) const {
  const std::span<const Choice> chosen = choices(point);
  for (std::size_t a = 0; a < axes_.size(); ++a) to[a] = places_[a][chosen[a]];
}

std::vector<std::size_t> Space::neighbours(std::size_t point) const {
  std::vector<std::size_t> found;
  const std::span<const Choice> own = choices(point);
  std::vector<Choice> other(own.begin(), own.end());
  const std::uint64_t code = hash(own);
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    for (std::size_t i = 0; i < axes_[a].texts.size(); ++i) {
      if (i == own[a]) continue;
      other[a] = static_cast<Choice>(i);
      if (const auto there = look_up(code ^ parts_[a][own[a]] ^ parts_[a][i], other)) found.push_back(*there);
    }
    other[a] = own[a];
  }
  return found;
}

}  // namespace sextant::tuner
