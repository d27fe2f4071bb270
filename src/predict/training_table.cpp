#include "predict/training_table.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/error.hpp"
#include "predict/data_set.hpp"
#include "predict/named.hpp"

namespace sextant::predict {
namespace {

constexpr std::string_view head = "option,target,group,weight,residual";
constexpr const char* name_characters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";
constexpr std::string_view trait_mark = "trait.";

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  if (line.ends_with('\r')) line.remove_suffix(1);
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

float number_of(std::string_view field, const std::string& where) {
  if (field.empty()) return std::numeric_limits<float>::quiet_NaN();
  float value = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (error != std::errc() || end != field.data() + field.size())
    throw UserError(where + ": `" + std::string(field) + "` is not a number");
  return value;
}

template <typename All>
typename All::value_type one_of(const All& all, std::string_view field, const std::string& where) {
  const auto found = find_named(all, field);
  if (!found)
    throw UserError(where + ": `" + std::string(field) + "` is not a name that this column can have");
  return *found;
}

std::vector<TrainingFeature> features_of(std::string_view line, const std::string& where) {
  const std::vector<std::string_view> names = fields_of(line);
  if (!line.starts_with(head) || names.size() < 6)
    throw UserError(where + ": the first line must be `" + std::string(head) +
                    "`, followed by the names of the features");
  std::vector<TrainingFeature> features;
  for (std::size_t i = 5; i < names.size(); ++i) {
    const bool trait = names[i].starts_with(trait_mark);
    features.push_back({std::string(trait ? names[i].substr(trait_mark.size()) : names[i]), trait});
  }
  return features;
}

}  // namespace

void check(const TrainingTable& table, const std::string& where) {
  if (table.features.empty()) throw UserError(where + " has no columns for the model's inputs (features)");
  std::vector<std::string> names;
  for (const TrainingFeature& feature : table.features) {
    names.push_back(feature.name);
    if (feature.name.empty() || feature.name.find_first_not_of(name_characters) != std::string::npos)
      throw UserError(where + ": `" + feature.name +
                      "` is not a valid feature name. Use letters, digits, underscores and dots.");
  }
  require_features(names, where);
  if (table.rows.empty())
    throw UserError(where + " has no rows. After the first line, write one row per measured case.");
  if (table.values.size() != table.rows.size() * table.features.size())
    throw UserError(where + ": " + std::to_string(table.values.size()) + " values do not fill " +
                    std::to_string(table.rows.size()) + " rows with " +
                    std::to_string(table.features.size()) + " features each");
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const TrainingRow& row = table.rows[i];
    const std::string place = where + ", row " + std::to_string(i + 1);
    if (row.group.empty()) throw UserError(place + " has no value in the column `group`");
    if (!std::isfinite(row.residual))
      throw UserError(place + ": the value of the column `residual` is not a finite number");
    if (!(row.weight > 0) || !std::isfinite(row.weight))
      throw UserError(place + ": the value of the column `weight` is not a number above 0");
    for (std::size_t f = 0; f < table.features.size(); ++f)
      if (std::isinf(table.of(i)[f]))
        throw UserError(place + ": the value of the column `" + table.features[f].name + "` is infinite");
  }
}

TrainingTable read_training_table(const std::string& text, const std::string& where) {
  TrainingTable table;
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = rest.find('\n');
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    const std::string place = where + ':' + std::to_string(++number);
    if (number == 1) {
      table.features = features_of(line, place);
      continue;
    }
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.size() != table.features.size() + 5)
      throw UserError(place + ": " + std::to_string(fields.size()) + " values, but the first line names " +
                      std::to_string(table.features.size() + 5) + " columns");
    table.rows.push_back({one_of(all_options, fields[0], place), one_of(all_targets, fields[1], place),
                          std::string(fields[2]), number_of(fields[3], place), number_of(fields[4], place),
                          true});
    for (std::size_t f = 5; f < fields.size(); ++f) table.values.push_back(number_of(fields[f], place));
  }
  check(table, where);
  return table;
}

}  // namespace sextant::predict
