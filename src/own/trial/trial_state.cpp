#include "own/trial/trial_state.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "base/error.hpp"
#include "suite/element.hpp"

namespace sextant::own {
namespace {

constexpr std::chrono::seconds most_time{20};
constexpr std::int64_t single_sizes[] = {6, 7, 9, 12, 16, 17, 25, 33, 64, 100, 129, 300};

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool holds_whole_members(const DescribedArray& array) {
  return std::any_of(array.fill.members.begin(), array.fill.members.end(),
                     [](const Fill::Members& one) { return one.type && is_whole(*one.type) && !one.truth; });
}

// Returns the smallest value of a size that its expression "max(…, 4)" allows, or 1.
std::int64_t least_value(const std::string& expression) {
  const std::size_t comma = expression.rfind(", ");
  if (!expression.starts_with("max(") || comma == std::string::npos || !expression.ends_with(")")) return 1;
  const std::string last = expression.substr(comma + 2, expression.size() - comma - 3);
  return is_number(last) ? std::stoll(last) : 1;
}

}  // namespace

TrialState::TrialState(const TrialAsked& asked)
    : asked_(asked),
      description_(asked.draft({})),
      reference_(description_),
      end_(std::chrono::steady_clock::now() + most_time) {}

bool TrialState::change(const std::function<void(DraftChanges*)>& how) {
  DraftChanges changed = changes_;
  how(&changed);
  try {
    description_ = asked_.draft(changed);
  } catch (const UserError&) {
    return false;
  }
  changes_ = std::move(changed);
  return true;
}

bool TrialState::is_constant(std::size_t size) const {
  return size > 0 && is_number(description_.sizes[size - 1].expression.text());
}

void TrialState::vary(std::size_t size) { varied_.insert(description_.sizes[size - 1].name); }

bool TrialState::fix(std::size_t size, std::int64_t value, const std::string& why) {
  const std::string name = description_.sizes[size - 1].name;
  varied_.erase(name);
  return change([&](DraftChanges* changes) { changes->sizes[name] = {std::to_string(value), why}; });
}

std::vector<std::size_t> TrialState::free_sizes() const {
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < description_.sizes.size(); ++i)
    if (!is_constant(i + 1) || varied_.contains(description_.sizes[i].name)) free.push_back(i + 1);
  if (description_.sizes.empty()) free.push_back(0);
  return free;
}

std::int64_t TrialState::least_size(std::size_t size) const {
  if (size == 0) return 1;
  const std::string text = description_.sizes[size - 1].expression.text();
  for (std::size_t other = 1; other < size; ++other)
    if (description_.sizes[other - 1].name == text) return least_size(other);
  return least_value(text);
}

std::vector<TrialPoint> TrialState::points() const {
  constexpr std::size_t least_points = 3;  // callers take that many
  const std::vector<std::size_t> free = free_sizes();
  TrialPoint usual = {64};
  for (const NamedExpression& one : description_.sizes)
    usual.push_back(is_number(one.expression.text()) ? std::stoll(one.expression.text()) : 0);
  std::vector<TrialPoint> points;
  if (free.empty()) points.assign(least_points, usual);
  if (free.size() == 1)
    for (const std::int64_t one : single_sizes) {
      points.push_back(usual);
      points.back()[free[0]] = std::max(one, least_size(free[0]));
    }
  const std::int64_t span = free.size() == 2 ? 29 : free.size() == 3 ? 11 : 7;
  for (std::int64_t i = 0; free.size() > 1 && i < (free.size() == 2 ? 14 : 20); ++i) {
    points.push_back(usual);
    std::int64_t last = i * 5;
    for (std::size_t k = 0; k < free.size(); ++k) {
      last = (last + 7 + i * static_cast<std::int64_t>(k)) % span;
      points.back()[free[k]] = std::max<std::int64_t>(5, least_size(free[k])) + last;
    }
  }
  return points;
}

SizeFit TrialState::fit() const {
  SizeFit fit;
  fit.constants = asked_.constants;
  for (const std::size_t one : free_sizes())
    fit.names.push_back(one == 0 ? "N" : description_.sizes[one - 1].name);
  return fit;
}

Observation TrialState::observed(const TrialPoint& point, std::int64_t number) const {
  Observation result;
  for (const std::size_t one : free_sizes()) result.sizes.push_back(point[one]);
  result.number = number;
  return result;
}

WatchedRun TrialState::run(const Description& description, const TrialPoint& point) {
  TrialPoint whole = point;  // with N, the elements of all arrays
  if (!description.sizes.empty()) {
    whole[0] = 0;
    for (const DescribedArray& one : description.arrays) whole[0] += one.elements(point);
  }
  return reference_.run(description, whole);
}

bool TrialState::is_unknown(std::size_t array) const {
  return array >= description_.arrays.size() || asked_.unknown.contains(description_.arrays[array].name);
}

std::vector<std::size_t> TrialState::whole_inputs() const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < description_.arrays.size(); ++i) {
    const DescribedArray& one = description_.arrays[i];
    if (one.role == Role::out) continue;
    const bool whole = one.type ? is_whole(one.type->element) && one.fill.kind != Fill::Kind::members
                                : description_.types.size() == 1 && is_whole(description_.types[0]);
    if (whole || holds_whole_members(one)) all.push_back(i);
  }
  return all;
}

std::int64_t TrialState::most_value(std::size_t array) const {
  constexpr std::int64_t most = 1 << 16;
  const std::optional<ArrayType>& type = description_.arrays[array].type;
  if (!type) return most;
  std::int64_t highest = most;
  with_elements(type->element, static_cast<void*>(nullptr), [&]<typename T>(T*) {
    if constexpr (std::is_integral_v<T> && sizeof(T) <= 2) highest = std::numeric_limits<T>::max();
  });
  return type->cpp == "bool" ? 1 : highest;
}

void fill_with(std::int64_t value, std::size_t array, Description* description) {
  Fill& fill = description->arrays[array].fill;
  const std::vector<std::string> names = description->size_names();
  if (fill.kind == Fill::Kind::members) {
    fill.high = Expression(std::to_string(value + 1), names, "a fill");
    return;
  }
  fill = {};
  fill.kind = Fill::Kind::between;
  fill.low = fill.high = Expression(std::to_string(value), names, "a fill");
}

Description with_zeros(const TrialState& state, const std::vector<std::size_t>& kept) {
  Description description = state.description();
  for (const std::size_t one : state.whole_inputs())
    if (std::find(kept.begin(), kept.end(), one) == kept.end()) fill_with(0, one, &description);
  return description;
}

}  // namespace sextant::own
