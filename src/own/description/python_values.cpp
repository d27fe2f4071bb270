#include "own/description/python_values.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>

#include "own/description/expression.hpp"

namespace sextant::own {
namespace {

constexpr std::size_t most_values = 4096;
constexpr std::size_t longest_text = 65536;
constexpr int deepest_list = 16;

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

bool is_name_part(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

// Returns the first position at or after `from` where `token` (a comma, a plus or a word) stands outside all
// brackets and quotes.
std::size_t find_outside(std::string_view text, std::string_view token, std::size_t from = 0) {
  int depth = 0;
  char quote = 0;
  const bool word = is_name_part(token[0]);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0 || c == '"' || c == '\'') {
      quote = quote == 0 ? c : quote == c ? '\0' : quote;
      continue;
    }
    if (c == '[' || c == '(') ++depth;
    if (c == ']' || c == ')') --depth;
    if (depth != 0 || i < from || text.substr(i, token.size()) != token) continue;
    const std::size_t end = i + token.size();
    if (!word || ((i == 0 || !is_name_part(text[i - 1])) && (end == text.size() || !is_name_part(text[end]))))
      return i;
  }
  return std::string_view::npos;
}

std::vector<std::string_view> split_outside(std::string_view text, std::string_view token) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t at = find_outside(text, token, begin);
    parts.push_back(without_blanks(text.substr(begin, at == std::string_view::npos ? at : at - begin)));
    if (at == std::string_view::npos) return parts;
    begin = at + token.size();
  }
}

Value number_value(double number) {
  Value value;
  value.number = number;
  value.kind =
      number == std::floor(number) && std::abs(number) < 0x1p53 ? Value::Kind::whole : Value::Kind::number;
  if (value.kind == Value::Kind::whole) value.whole = static_cast<std::int64_t>(number);
  return value;
}

class PythonValues {
 public:
  PythonValues(const std::string& what, const Place& place) : what_(what), place_(place) {}

  std::vector<Value> list(std::string_view text, int depth) const {
    if (depth > deepest_list) refuse(place_, what_ + " are nested too deeply");
    std::vector<Value> all;
    for (const std::string_view part : split_outside(text, "+"))
      for (Value& one : term(part, depth)) add(std::move(one), &all);
    return all;
  }

 private:
  [[noreturn]] void none(std::string_view text) const {
    refuse(place_, what_ + " must be a list of numbers or texts, not " + std::string(text.substr(0, 80)));
  }
  void add(Value value, std::vector<Value>* to) const {
    if (to->size() == most_values) refuse(place_, what_ + " are more than 4096");
    to->push_back(std::move(value));
  }
  Expression expression(std::string_view text, const std::vector<std::string>& names) const {
    return Expression(text, names, what_, place_, Dialect::python);
  }

  // Returns the text between the brackets if `text` has the form "name(…)".
  static std::optional<std::string_view> inside_of(std::string_view text, std::string_view begin) {
    if (text.size() <= begin.size() || !text.starts_with(begin)) return std::nullopt;
    const char close = begin.back() == '[' ? ']' : ')';
    if (text.back() != close) return std::nullopt;
    return without_blanks(text.substr(begin.size(), text.size() - begin.size() - 1));
  }

  std::vector<Value> term(std::string_view text, int depth) const {
    for (const std::string_view name : {"list(", "tuple(", "sorted("})
      if (const auto inner = inside_of(text, name)) return list(*inner, depth + 1);
    for (const std::string_view name : {"range(", "np.arange(", "numpy.arange("})
      if (const auto inner = inside_of(text, name)) return range(*inner);
    for (const std::string_view name : {"[", "("})
      if (const auto inner = inside_of(text, name))
        return find_outside(*inner, "for") == std::string_view::npos ? elements(*inner)
                                                                     : comprehension(*inner, depth);
    if (find_outside(text, ",") != std::string_view::npos) return elements(text);  // a tuple without brackets
    none(text);
  }

  std::vector<Value> elements(std::string_view text) const {
    std::vector<Value> all;
    if (text.empty()) return all;
    std::vector<std::string_view> parts = split_outside(text, ",");
    if (parts.back().empty()) parts.pop_back();
    for (const std::string_view part : parts) add(element(part), &all);
    return all;
  }

  Value element(std::string_view text) const {
    Value value;
    if (text == "True" || text == "False" || text == "true" || text == "false") {
      value.kind = Value::Kind::truth;
      value.whole = text[0] == 'T' || text[0] == 't';
      value.number = static_cast<double>(value.whole);
      return value;
    }
    if (text.size() >= 2 && (text[0] == '"' || text[0] == '\'') && text.back() == text[0]) {
      std::string json(text.substr(1, text.size() - 2));
      for (std::size_t at = json.find('"'); at != std::string::npos; at = json.find('"', at + 2))
        if (at == 0 || json[at - 1] != '\\') json.insert(at, "\\");
      value = parse_json('"' + json + '"', place_.file + ": " + what_);
      value.place = place_;
      return value;
    }
    value = number_value(expression(text, {}).real_at({}));
    if (text.find_first_not_of("+-0123456789.eE") == std::string_view::npos &&
        text.find('.') != std::string_view::npos)
      value.kind = Value::Kind::number;  // so that a macro's text stays a floating-point number: 1.0, not 1
    value.place = place_;
    return value;
  }

  std::vector<Value> range(std::string_view text) const {
    std::vector<double> bounds;
    for (const std::string_view part : split_outside(text, ","))
      bounds.push_back(expression(part, {}).real_at({}));
    if (bounds.size() == 1) bounds.insert(bounds.begin(), 0);
    if (bounds.size() == 2) bounds.push_back(1);
    if (bounds.size() != 3 || bounds[2] == 0)
      refuse(place_, what_ + " must be a range with three numbers and a step that is not 0");
    std::vector<Value> all;
    for (std::int64_t i = 0;; ++i) {
      const double one = bounds[0] + static_cast<double>(i) * bounds[2];
      if (bounds[2] > 0 ? one >= bounds[1] : one <= bounds[1]) return all;
      add(number_value(one), &all);
    }
  }

  // Evaluates "EXPRESSION for NAME in LIST", optionally followed by "if CONDITION".
  std::vector<Value> comprehension(std::string_view text, int depth) const {
    const std::size_t after_for = find_outside(text, "for"), in = find_outside(text, "in", after_for);
    const std::size_t condition = find_outside(text, "if", after_for);
    if (in == std::string_view::npos || find_outside(text, "for", after_for + 3) != std::string_view::npos)
      none(text);
    const std::vector<std::string> names = {
        std::string(without_blanks(text.substr(after_for + 3, in - after_for - 3)))};
    const Expression each = expression(without_blanks(text.substr(0, after_for)), names);
    const std::string_view from =
        text.substr(in + 2, condition == std::string_view::npos ? condition : condition - in - 2);
    const Expression when = condition == std::string_view::npos
                                ? Expression()
                                : expression(without_blanks(text.substr(condition + 2)), names);
    std::vector<Value> all;
    for (const Value& one : list(without_blanks(from), depth + 1)) {
      const std::array<double, 1> values = {one.number};
      if (when.empty() || when.real_at(values) != 0) add(number_value(each.real_at(values)), &all);
    }
    return all;
  }

  const std::string& what_;
  const Place& place_;
};

}  // namespace

std::vector<Value> python_values(const std::string& text, const std::string& what, const Place& place) {
  if (text.size() > longest_text) refuse(place, what + " are longer than 65536 characters");
  return PythonValues(what, place).list(without_blanks(text), 0);
}

}  // namespace sextant::own
