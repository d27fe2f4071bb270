#include "record/keys.hpp"

#include <algorithm>

#include "base/intern.hpp"
#include "base/join.hpp"

namespace sextant {

std::string shape_text(const Extents& shape) {
  const bool plane = shape.z == 1 && shape.y > 1;
  return std::to_string(shape.x) + 'x' + std::to_string(shape.y) +
         (plane ? std::string() : 'x' + std::to_string(shape.z));
}

std::string value_text(const TunedValue& value) {
  if (!value.text) return std::to_string(value.number);
  const std::string text = value.text;
  if (!text.empty() && text.find_first_of(" ,\"\t|\\([{)]}") == std::string::npos) return text;
  std::string quoted = "\"";  // the option -t accepts this quoted form
  for (const char c : text) quoted += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  return quoted + '"';
}

std::string tuning_text(const Tuning& tuning) {
  return join(tuning, " ", [](const auto& one) { return one.first + '=' + value_text(one.second); });
}

bool is_asked(const TunedValue& value, const TunedValue& asked) {
  if (!value.text) return !asked.text && value.number == asked.number;
  return value.text == (asked.text ? std::string(asked.text) : std::to_string(asked.number));
}

bool is_asked(const TunedValue& value, const std::vector<TunedValue>& asked) {
  return std::any_of(asked.begin(), asked.end(), [&](const TunedValue& one) { return is_asked(value, one); });
}

void add_texts(const ChoiceTexts& texts, const std::string& variant, Tuning* tuning) {
  const auto known = texts.find(variant);
  if (known == texts.end()) return;
  for (auto& [name, value] : *tuning) {
    const auto found = known->second.find(name);
    if (found == known->second.end() || value.number < 0) continue;
    const auto place = static_cast<std::size_t>(value.number);
    if (place < found->second.size()) value.text = intern(found->second[place]);
  }
}

std::string model_of(const std::string& variant) { return variant.substr(0, variant.find('.')); }

Case problem_case(Case what) {
  what.variant.clear(), what.tuning.clear(), what.device.clear();
  return what;
}

std::string key_of(const Case& what) {
  const Problem& problem = what.problem;
  std::string key = what.kernel + '|' + what.variant + '|' + name_of(problem.type) + '|' +
                    (what.problem_class.empty() ? std::to_string(problem.n) : what.problem_class) + '|' +
                    std::to_string(problem.extents.x) + 'x' + std::to_string(problem.extents.y) + 'x' +
                    std::to_string(problem.extents.z) + '|';
  for (const std::int64_t parameter : problem.parameters) key += std::to_string(parameter) + ' ';
  key.back() = '|';
  return key + tuning_text(what.tuning) + '|' + what.device + '|' +
         (what.cache == CacheMode::warm ? "warm" : "cold") + text_of(what.fill, "|");
}

std::string space_key_of(Case what) {
  what.tuning.clear();
  return key_of(what);
}

}  // namespace sextant
