#include "cli/options/values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "base/error.hpp"

namespace sextant {
namespace {

// Reads a plain decimal number at the start of `text` and removes it. Returns false if there is none.
bool take_number(std::string* text, double* value) {
  const char* begin = text->data();
  const auto [end, error] = std::from_chars(begin, begin + text->size(), *value, std::chars_format::fixed);
  if (error != std::errc() || !(*value >= 0) || !std::isfinite(*value)) return false;
  text->erase(0, static_cast<std::size_t>(end - begin));
  return true;
}

bool take_whole(const std::string& text, std::int64_t* value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *value);
  return error == std::errc() && end == text.data() + text.size();
}

void trim_left(std::string* text) { text->erase(0, std::min(text->find_first_not_of(' '), text->size())); }

// Removes the unit at the start of `text` and returns its length in seconds. Returns 0 if there is none.
double take_unit(std::string* text) {
  static constexpr struct {
    const char* name;
    double seconds;
  } units[] = {{"ms", 1e-3}, {"min", 60}, {"s", 1}, {"m", 60}, {"h", 3600}};
  for (const auto& unit : units)
    if (text->starts_with(unit.name)) {
      text->erase(0, std::string(unit.name).size());
      return unit.seconds;
    }
  return 0;
}

std::string percentage(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g %%", 100 * share);
  return text;
}

}  // namespace

double parse_duration(const std::string& text, const std::string& option) {
  const auto refuse = [&] {
    throw UserError(
        "`" + text + "` of " + option +
        " is not a duration. Write numbers with ms, s, m or h, such as 500ms, 60s, 10m or 1h30m.");
  };
  std::string rest = text;
  double seconds = 0;
  do {
    double value = 0;
    if (!take_number(&rest, &value)) refuse();
    trim_left(&rest);
    double unit = take_unit(&rest);
    if (unit == 0 && rest.empty() && seconds == 0) unit = 1;
    if (unit == 0) refuse();
    seconds += value * unit;
    trim_left(&rest);
  } while (!rest.empty());
  if (!(seconds > 0)) refuse();
  return seconds;
}

double parse_share(const std::string& text, const std::string& option, const ShareRange& range) {
  std::string rest = text;
  double value = 0;
  const bool number = take_number(&rest, &value);
  trim_left(&rest);
  if (number && rest.empty() && range.ask_below_one && value > 0 && value < 1)
    throw UserError("`" + text + "` of " + option + " may mean " + percentage(value / 100) + " or " +
                    percentage(value) + ". Write the percentage with the sign %.");
  value /= 100;
  const bool high_enough = range.with_least ? value >= range.least : value > range.least;
  if (!number || (!rest.empty() && rest != "%") || !high_enough || value > range.most)
    throw UserError("`" + text + "` of " + option + " is not valid. Write a percentage " +
                    (range.with_least ? "from " : "above ") + percentage(range.least) + " to " +
                    percentage(range.most) + ", such as 5, 5%, 0.5 or 0.5%.");
  return value;
}

std::string understood_share(const std::string& option, double share) {
  return option + ": " + percentage(share);
}

SampleRange parse_samples(const std::string& text, int default_maximum) {
  const std::size_t colon = text.find(':');
  std::int64_t low = 0, high = 0;
  bool good = take_whole(text.substr(0, colon), &low);
  if (colon == std::string::npos)
    high = std::max<std::int64_t>(low, default_maximum);
  else
    good = good && take_whole(text.substr(colon + 1), &high);
  if (!good || low < 1 || high < low || high > 1'000'000)
    throw UserError("`" + text +
                    "` of --samples is not valid. Write MIN or MIN:MAX with whole numbers from 1 to 1000000, "
                    "such as 20 or 10:500.");
  return {static_cast<int>(low), static_cast<int>(high)};
}

TuneBudget parse_tune_budget(const std::string& text) {
  TuneBudget budget;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    std::int64_t evaluations = 0;
    const bool number = take_whole(part, &evaluations), share = part.ends_with('%');
    const bool twice = number || share ? budget.evaluations > 0 || budget.share > 0 : budget.seconds > 0;
    if (twice || (number && evaluations < 1))
      throw UserError(
          "`" + text +
          "` of --budget is not valid. Write a number of evaluations, a time, or both with a comma, " +
          "such as 200, 10m or 200,10m.");
    if (share)
      budget.share = parse_share(part, "--budget");
    else if (number)
      budget.evaluations = static_cast<std::size_t>(evaluations);
    else
      budget.seconds = parse_duration(part, "--budget");
    if (end == text.size()) return budget;
    begin = end + 1;
  }
}

Shard parse_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  std::int64_t index = 0, count = 0;
  if (slash == std::string::npos || !take_whole(text.substr(0, slash), &index) ||
      !take_whole(text.substr(slash + 1), &count) || index < 1 || count < index || count > 100'000)
    throw UserError("`" + text +
                    "` of --shard is not valid. Write i/n with i from 1 to n. For example, 2/4 is the second "
                    "of four parts.");
  return {static_cast<std::size_t>(index), static_cast<std::size_t>(count)};
}

}  // namespace sextant
