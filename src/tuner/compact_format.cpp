#include <algorithm>
#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "tuner/recorded_space.hpp"

namespace sextant::tuner {
namespace {

// Reads a text word by word.
class Words {
 public:
  Words(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  std::string_view word() {
    at_ = text_.find_first_not_of(" \t\r\n", at_);
    if (at_ == std::string::npos)
      throw UserError(name_ + " ends too early, so the measurements of a variant's tunings are incomplete");
    const std::size_t begin = at_;
    at_ = std::min(text_.find_first_of(" \t\r\n", at_), text_.size());
    return std::string_view(text_).substr(begin, at_ - begin);
  }

  template <typename Number>
  Number number(const char* what) {
    const std::string_view text = word();
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
      throw UserError(name_ + " is not in Sextant's compact format: it has `" +
                      std::string(text.substr(0, 40)) + "` in place of " + what);
    return value;
  }

  bool done() const { return text_.find_first_not_of(" \t\r\n", at_) == std::string::npos; }

 private:
  const std::string& text_;
  const std::string& name_;
  std::size_t at_ = 0;
};

using nlohmann::json;

bool is_plain(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(),
                                      [](char c) { return c > ' ' && c < 0x7F && c != '"' && c != '\\'; });
}

// Converts a word of the file to JSON. Valid JSON stays unchanged; any other word becomes a JSON string.
std::string json_text(std::string_view word, const std::string& name) {
  if (json::accept(word)) {
    const json value = json::parse(word);
    if (value.is_string()) return value.dump(-1, ' ', false, json::error_handler_t::replace);
    if (value.is_primitive()) return std::string(word);
    for (const json& one : value)
      if (one.is_structured()) throw UserError(name + ": a tunable's value is nested too deeply");
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
  }
  if (!is_plain(word))
    throw UserError(name + ": a tunable's name or value is neither JSON nor a simple word");
  return '"' + std::string(word) + '"';
}

std::string axis_name(std::string_view word, const std::string& name) {
  const std::string text = json_text(word, name);
  return text.starts_with('"') ? json::parse(text).get<std::string>() : text;
}

// Converts a string to one word of the file. Strings that have special characters or could be read as JSON
// are quoted, with blanks as \u0020. Other strings are written without quotes.
std::string word_of(const std::string& text) {
  if (is_plain(text) && !json::accept(text)) return text;
  std::string word;
  for (const char c : json(text).dump(-1, ' ', true, json::error_handler_t::replace))
    word += c == ' ' ? std::string("\\u0020") : std::string(1, c);
  return word;
}

std::string choice_word(const std::string& choice) {
  const json value = json::parse(choice);
  if (value.is_string()) return word_of(value.get<std::string>());
  if (value.is_primitive()) return choice;
  for (const json& one : value)
    if (one.is_structured())
      throw UserError("the compact format cannot store the value " + choice +
                      ", because it is nested too deeply. Use `--format t4`.");
  std::string word;
  for (const char c : value.dump(-1, ' ', true, json::error_handler_t::replace))
    word += c == ' ' ? std::string("\\u0020") : std::string(1, c);
  return word;
}

}  // namespace

RecordedSpace read_compact(const std::string& text, const std::string& name) {
  Words words(text, name);
  const auto axis_count = words.number<std::size_t>("the number of tunables"),
             point_count = words.number<std::size_t>("the number of tunings");
  if (axis_count == 0 || point_count == 0) throw UserError(name + " holds no measured tuning");
  // A damaged file may contain huge counts. Counts that do not fit in the file are rejected before
  // allocation.
  if (axis_count > text.size() / 4 || point_count > text.size() / 2 / (axis_count + 1))
    throw UserError(name + " ends too early, so the measurements of a variant's tunings are incomplete");
  std::vector<Axis> axes;
  for (std::size_t a = 0; a < axis_count; ++a) {
    Axis axis{axis_name(words.word(), name), {}};
    const auto choices = words.number<std::size_t>("a number of choices");
    for (std::size_t i = 0; i < choices; ++i) axis.texts.push_back(json_text(words.word(), name));
    axes.push_back(std::move(axis));
  }
  std::vector<Choice> choices;
  std::vector<RecordedPoint> points;
  for (std::size_t point = 0; point < point_count; ++point) {
    for (std::size_t a = 0; a < axis_count; ++a)
      choices.push_back(words.number<Choice>("the index of a tunable's value"));
    const auto time = words.number<double>("a time");
    const bool ran = time > 0 && time < no_time;
    points.push_back({ran ? Evaluation{Status::ok, "", time * 1e-3, 0, 0}
                          : Evaluation{Status::failed, "it did not run", 0, 0, 0},
                      {}});
  }
  if (!words.done()) throw UserError(name + " has text after its last tuning");
  try {
    return {name, {}, Format::compact, Space(std::move(axes), std::move(choices)), std::move(points)};
  } catch (const UserError& error) {
    throw UserError(name + ": " + error.what());
  }
}

std::string write_compact(const RecordedSpace& recorded) {
  if (!recorded.objective.is_time)
    throw UserError("the compact format stores only times, but " + recorded.name + " has measured " +
                    recorded.objective.name + ". Use `--format t4` or `--format kernel-tuner`.");
  const Space& space = recorded.space;
  std::string text = std::to_string(space.axes().size()) + " " + std::to_string(space.size()) + "\n";
  for (const Axis& axis : space.axes()) {
    text += word_of(axis.name) + " " + std::to_string(axis.texts.size());
    for (const std::string& choice : axis.texts) text += " " + choice_word(choice);
    text += "\n";
  }
  for (std::size_t point = 0; point < space.size(); ++point) {
    for (const Choice choice : space.choices(point)) text += std::to_string(choice) + " ";
    const Evaluation& evaluation = recorded.points[point].evaluation;
    char time[40] = "-1";
    if (evaluation.usable()) std::snprintf(time, sizeof time, "%.15g", evaluation.time * 1e3);
    text += std::string(time) + "\n";
  }
  return text;
}

}  // namespace sextant::tuner
