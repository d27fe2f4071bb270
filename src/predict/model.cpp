#include "predict/model.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "predict/csv.hpp"
#include "predict/named.hpp"
#include "predict/sha256.hpp"

namespace sextant::predict {
namespace {

constexpr std::string_view magic = "sextant advice ", version = "5";

[[noreturn]] void refuse_model(const std::string& message) {
  throw UserError(message + ". Create a model with `sextant train FILE.sextant… --model MODEL`.");
}

[[noreturn]] void refuse_model(const std::string& where, const std::string& why) {
  refuse_model(where + ": " + why);
}

// A calibration applies to kernels without measured cases ("unknown") or with some ("remembered").
constexpr const char *unknown_kernels = "unknown", *remembered_kernels = "remembered";

std::string line_of(const char* kernels, Option option, Target target, const Calibration& calibration) {
  return std::string("calibration ") + kernels + ' ' + name_of(option) + ' ' + name_of(target) + ' ' +
         csv_number(calibration.quantile) + ' ' + std::to_string(calibration.groups) + ' ' +
         (calibration.few_groups ? "few" : "enough") + ' ' + csv_number(calibration.coverage) + ' ' +
         csv_number(calibration.spread) + ' ' + csv_number(calibration.scatter) + '\n';
}

std::string lines_of(const char* kernels, const Calibrations& calibrations) {
  std::string lines;
  for (const Option option : all_options)
    for (const Target target : all_targets) {
      const Calibration& one =
          calibrations[static_cast<std::size_t>(option)][static_cast<std::size_t>(target)];
      if (one.groups > 0) lines += line_of(kernels, option, target, one);
    }
  return lines;
}

// Parses "calibration remembered cuda call 1.5 12 enough 0.91 0.8 0.1", after its first word.
void read_calibration(std::istringstream& words, AdviceModel* model, const std::string& where) {
  std::string kernels, option_name, target_name, few;
  Calibration one;
  words >> kernels >> option_name >> target_name >> one.quantile >> one.groups >> few >> one.coverage >>
      one.spread >> one.scatter;
  const auto option = find_named(all_options, option_name);
  const auto target = find_named(all_targets, target_name);
  const bool remembered = kernels == remembered_kernels;
  if (!words || (!remembered && kernels != unknown_kernels) || !option || !target ||
      (few != "few" && few != "enough") || !(one.quantile >= 0) || !(one.spread >= 0) ||
      !(one.scatter >= 0) || !std::isfinite(one.quantile + one.spread + one.scatter))
    refuse_model(where, "a line that begins with `calibration` is not valid");
  one.few_groups = few == "few";
  Calibrations& calibrations = remembered ? model->of_sizes : model->calibrations;
  calibrations[static_cast<std::size_t>(*option)][static_cast<std::size_t>(*target)] = one;
}

// Writes "relation call 0.5 0.3", followed by the `lasting` value of each option.
std::string line_of(Target target, const Relation& relation) {
  std::string line = std::string("relation ") + name_of(target) + ' ' + csv_number(relation.same_device) +
                     ' ' + csv_number(relation.other_device);
  for (const double lasting : relation.lasting) line += ' ' + csv_number(lasting);
  return line + '\n';
}

void read_relation(std::istringstream& words, AdviceModel* model, const std::string& where) {
  std::string target_name;
  Relation one;
  words >> target_name >> one.same_device >> one.other_device;
  for (double& lasting : one.lasting) words >> lasting;
  const auto share = [](double value) { return value >= 0 && value <= 1; };
  const auto target = find_named(all_targets, target_name);
  if (!words || !target || !share(one.same_device) || !share(one.other_device) ||
      !std::all_of(one.lasting.begin(), one.lasting.end(), share))
    refuse_model(where, "a line that begins with `relation` is not valid");
  model->relations[static_cast<std::size_t>(*target)] = one;
}

std::string lines_of(const Constants& constants) {
  std::string lines;
  for (const ConstantLine& line : constant_lines())
    lines += std::string("constant ") + line.name + ' ' + csv_number(constants.*line.value) + '\n';
  return lines;
}

// Reads the next constant, in the order of constant_lines.
void read_constant(std::istringstream& words, std::size_t next, AdviceModel* model,
                   const std::string& where) {
  std::string name;
  double value = 0;
  words >> name >> value;
  if (!words || next >= constant_lines().size() || name != constant_lines()[next].name || !(value > 0) ||
      !std::isfinite(value))
    refuse_model(where, "the constant `" + name + "` is not the one that this program has in this place");
  model->constants.*constant_lines()[next].value = value;
}

void read_range(std::istringstream& words, AdviceModel* model, const std::string& where) {
  FormRange range;
  words >> range.name >> range.low >> range.high;
  if (!words || !(range.low <= range.high))
    refuse_model(where, "a line that begins with `range` is not valid");
  model->ranges.push_back(range);
}

// Verifies the first line with its checksum and returns the text after this line.
std::string checked(const std::string& text, const std::string& where) {
  const std::size_t end = text.find('\n');
  if (!text.starts_with(magic) || end == std::string::npos)
    refuse_model(where, "the file is not an advice model");
  std::istringstream words(text.substr(magic.size(), end - magic.size()));
  std::string its_version, sum;
  words >> its_version >> sum;
  if (its_version != version) refuse_model(where, "the model has a version that this program does not read");
  const std::string rest = text.substr(end + 1);
  if (sha256(rest) != sum) refuse_model(where, "the file is damaged, because its checksum does not match");
  return rest;
}

}  // namespace

std::string to_text(const AdviceModel& model) {
  std::string rest;
  for (const std::string& machine : model.machines) rest += "machine " + machine + '\n';
  rest += lines_of(model.constants);
  for (const FormRange& range : model.ranges)
    rest += "range " + range.name + ' ' + csv_number(range.low) + ' ' + csv_number(range.high) + '\n';
  rest += lines_of(unknown_kernels, model.calibrations) + lines_of(remembered_kernels, model.of_sizes);
  for (const Target target : all_targets)
    rest += line_of(target, model.relations[static_cast<std::size_t>(target)]);
  return std::string(magic) + std::string(version) + ' ' + sha256(rest) + '\n' + rest;
}

AdviceModel read_model(const std::string& text, const std::string& where) {
  std::istringstream lines(checked(text, where));
  AdviceModel model;
  std::size_t constants = 0;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first == "machine")
      model.machines.push_back(line.substr(std::min(first.size() + 1, line.size())));
    else if (first == "constant")
      read_constant(words, constants++, &model, where);
    else if (first == "range")
      read_range(words, &model, where);
    else if (first == "calibration")
      read_calibration(words, &model, where);
    else if (first == "relation")
      read_relation(words, &model, where);
    else
      refuse_model(where, "the file has an unknown line, which begins with `" + first + "`");
  }
  if (constants != constant_lines().size()) refuse_model(where, "the model lacks constants");
  return model;
}

}  // namespace sextant::predict
