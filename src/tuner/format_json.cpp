#include "tuner/format_json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace sextant::tuner {
namespace {

constexpr int deepest = 64;  // maximum nesting depth; valid files of these formats are less deep

std::optional<double> number_from(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> median_of_list(const Unordered& list) {
  std::vector<double> numbers;
  for (const Unordered& one : list)
    if (const auto number = one.is_array() ? std::nullopt : measured(one)) numbers.push_back(*number);
  if (numbers.empty()) return std::nullopt;
  std::sort(numbers.begin(), numbers.end());
  return (numbers[(numbers.size() - 1) / 2] + numbers[numbers.size() / 2]) / 2;
}

}  // namespace

std::string without_python_numbers(const std::string& text) {
  std::string plain;
  plain.reserve(text.size());
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\' && i + 1 < text.size()) {
      plain += text[i];
      plain += text[++i];
      continue;
    }
    if (text[i] == '"') quoted = !quoted;
    bool replaced = false;
    for (const char* word : {"-Infinity", "Infinity", "NaN"})
      if (!quoted && !replaced && text.compare(i, std::strlen(word), word) == 0) {
        plain += "null";
        i += std::strlen(word) - 1;
        replaced = true;
      }
    if (!replaced) plain += text[i];
  }
  return plain;
}

template <typename Any>
Any parsed(const std::string& text) {
  return Any::parse(text, [](int depth, typename Any::parse_event_t, Any&) {
    if (depth > deepest) throw UserError("the JSON is nested too deeply for a file of measured tunings");
    return true;
  });
}
template Json parsed<Json>(const std::string& text);
template Unordered parsed<Unordered>(const std::string& text);

std::optional<double> measured(const Unordered& value) {
  if (value.is_array()) return median_of_list(value);
  const std::optional<double> number = value.is_number()   ? value.get<double>()
                                       : value.is_string() ? number_from(value.get_ref<const std::string&>())
                                                           : std::nullopt;
  return number && std::abs(*number) < no_time ? number : std::nullopt;
}

RecordedPoint failed_point(Status status, const std::string& reason, std::string source) {
  return {{status, reason, 0, 0, 0}, std::move(source)};
}

RecordedPoint point_of(std::optional<double> value, double scale, const RecordedObjective& objective,
                       std::string source) {
  if (objective.is_time && value && *value * scale <= 0) value.reset();
  if (!value)
    return failed_point(Status::failed, "its " + objective.name + " is not a number", std::move(source));
  return {{Status::ok, "", 0, 0, 0}, std::move(source), *value * scale};
}

double milliseconds(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", seconds * 1e3);
  return std::strtod(text, nullptr);
}

Json configuration_of(const RecordedSpace& recorded, std::size_t point) {
  Json configuration = Json::object();
  const auto choices = recorded.space.choices(point);
  for (std::size_t a = 0; a < choices.size(); ++a)
    configuration[recorded.space.axes()[a].name] = Json::parse(recorded.space.axes()[a].texts[choices[a]]);
  return configuration;
}

}  // namespace sextant::tuner
