#include "record/keys.hpp"

namespace sextant {

std::string shape_text(const Extents& shape) {
  const bool plane = shape.z == 1 && shape.y > 1;
  return std::to_string(shape.x) + 'x' + std::to_string(shape.y) +
         (plane ? std::string() : 'x' + std::to_string(shape.z));
}

std::string tuning_text(const Tuning& tuning) {
  std::string text;
  for (const auto& [name, value] : tuning)
    text += (text.empty() ? "" : " ") + name + '=' + std::to_string(value);
  return text;
}

std::string model_of(const std::string& variant) { return variant.substr(0, variant.find('.')); }

std::string key_of(const Case& what) {
  const Problem& problem = what.problem;
  std::string key = what.kernel + '|' + what.variant + '|' + name_of(problem.type) + '|' +
                    (what.problem_class.empty() ? std::to_string(problem.n) : what.problem_class) + '|' +
                    std::to_string(problem.extents.x) + 'x' + std::to_string(problem.extents.y) + 'x' +
                    std::to_string(problem.extents.z) + '|';
  for (const std::int64_t parameter : problem.parameters) key += std::to_string(parameter) + ' ';
  key.back() = '|';
  return key + tuning_text(what.tuning) + '|' + what.device + '|' +
         (what.cache == CacheMode::warm ? "warm" : "cold");
}

std::string space_key_of(Case what) {
  what.tuning.clear();
  return key_of(what);
}

}  // namespace sextant
