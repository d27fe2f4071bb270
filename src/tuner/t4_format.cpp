// Reads and writes results in the T4 format. Each result keeps its original text, so that rewriting a file
// loses nothing.
#include <algorithm>

#include "tuner/format_json.hpp"

namespace sextant::tuner {
namespace {

Status t4_status(const std::string& invalidity) {
  if (invalidity == "correct") return Status::ok;
  if (invalidity == "correctness") return Status::wrong;
  if (invalidity == "constraints") return Status::skipped;
  return invalidity == "timeout" ? Status::timed_out : Status::failed;
}

const char* invalidity_of(Status status) {
  switch (status) {
    case Status::ok:
      return "correct";
    case Status::wrong:
    case Status::impossible:
      return "correctness";
    case Status::skipped:
      return "constraints";
    case Status::timed_out:
      return "timeout";
    case Status::failed:
      break;
  }
  return "runtime";
}

// The value of the key; null if there is none.
const Json* member_of(const Json& table, const char* key) {
  const auto found = table.is_object() ? table.find(key) : table.end();
  return found == table.end() ? nullptr : &*found;
}

std::string text_member(const Json& table, const char* key) {
  const Json* text = member_of(table, key);
  return text && text->is_string() ? text->get<std::string>() : "";
}

const Json* t4_measurement(const Json& result, const std::string& name) {
  if (const Json* all = member_of(result, "measurements"))
    for (const Json& one : *all)
      if (text_member(one, "name") == name) return &one;
  return nullptr;
}

// Name of a result's objective, or of its first measurement if the result does not name an objective.
std::string objective_name(const Json& result) {
  const Json* objectives = member_of(result, "objectives");
  if (objectives && !objectives->empty() && objectives->front().is_string())
    return objectives->front().get<std::string>();
  const Json* all = member_of(result, "measurements");
  if (!all || all->empty() || t4_measurement(result, "time")) return "";
  return text_member(all->front(), "name");
}

// The objective of all results: the first name that occurs, and the first unit for this name. If no result
// names one, the times are in `times.runtimes`.
RecordedObjective t4_objective(const Json& file, const Json& results) {
  std::string name, unit;
  for (const Json& result : results)
    if (name = objective_name(result); !name.empty()) break;
  if (name.empty()) name = "time";
  for (const Json& result : results)
    if (const Json* one = t4_measurement(result, name); one && unit.empty()) unit = text_member(*one, "unit");
  const Json* metadata = member_of(file, "metadata");
  const auto default_seconds = metadata ? seconds_in(text_member(*metadata, "timeunit")) : std::nullopt;
  RecordedObjective objective = objective_of(name, unit, default_seconds.value_or(1e-3));
  const Json* larger = metadata ? member_of(*metadata, "objective_higher_is_better") : nullptr;
  if (larger && larger->is_boolean()) objective.maximised = larger->get<bool>();
  return objective;
}

RecordedPoint t4_point(const Json& result, const RecordedObjective& objective) {
  const std::string invalidity = result.at("invalidity").get<std::string>();
  const Status status = t4_status(invalidity);
  if (status != Status::ok) return failed_point(status, invalidity, dumped(result));
  const Json *one = t4_measurement(result, objective.name), *times = member_of(result, "times");
  const Json* value = one ? member_of(*one, "value") : nullptr;
  if (!one && times && objective.is_time) value = member_of(*times, "runtimes");
  const auto seconds = one && objective.is_time ? seconds_in(text_member(*one, "unit")) : std::nullopt;
  return point_of(value ? measured(*value) : std::nullopt,
                  objective.is_time ? seconds.value_or(objective.seconds) : 1, objective, dumped(result));
}

// Names of all tunables, in order of first occurrence.
std::vector<std::string> t4_names(const Json& results) {
  std::vector<std::string> names;
  for (const Json& result : results)
    for (const auto& item : result.at("configuration").items())
      if (std::find(names.begin(), names.end(), item.key()) == names.end()) names.push_back(item.key());
  return names;
}

Json t4_entry(const RecordedSpace& recorded, std::size_t point) {
  const Evaluation& evaluation = recorded.points[point].evaluation;
  const RecordedObjective& objective = recorded.objective;
  const bool ok = evaluation.usable();
  const double value = ok ? recorded.value(point) : 0;
  Json entry;
  entry["timestamp"] = "";
  entry["configuration"] = configuration_of(recorded, point);
  entry["times"] = {{"compilation_time", 0}, {"framework", 0}, {"search_algorithm", 0}, {"validation", 0}};
  entry["times"]["runtimes"] = Json::array();
  if (ok && objective.is_time) entry["times"]["runtimes"] = {milliseconds(value)};
  entry["invalidity"] =
      invalidity_of(evaluation.status == Status::ok && !ok ? Status::failed : evaluation.status);
  entry["correctness"] = ok ? 1 : 0;
  const Json said = !ok ? Json(evaluation.reason) : Json(objective.is_time ? milliseconds(value) : value);
  const std::string unit = objective.is_time ? "ms" : objective.unit;
  entry["measurements"] = {{{"name", objective.name}, {"value", said}, {"unit", ok ? unit : ""}}};
  entry["objectives"] = {objective.name};
  return entry;
}

}  // namespace

RecordedSpace read_t4(const std::string& text, const std::string& name) {
  return reading_file(name, "T4 results file", [&] {
    Json json = parsed<Json>(without_python_numbers(text));
    const Json& results = json.at("results");
    if (!results.is_array() || results.empty()) throw UserError(name + " holds no measured tuning");
    const RecordedObjective objective = t4_objective(json, results);
    const std::vector<std::string> names = t4_names(results);
    SpaceBuilder builder(names);
    for (const Json& result : results) {
      std::vector<std::string> values;
      for (const std::string& axis : names) {
        const Json* value = member_of(result.at("configuration"), axis.c_str());
        values.push_back(value ? dumped(*value) : "null");
      }
      builder.add(values, t4_point(result, objective));
    }
    json["results"] = Json::array();
    return builder.finish(name, Format::t4, dumped(json), objective);
  });
}

std::string write_t4(const RecordedSpace& recorded) {
  const bool own = recorded.format == Format::t4;
  Json json = own ? Json::parse(recorded.header)
                  : Json{{"schema_version", "1.0.0"}, {"metadata", {{"timeunit", "milliseconds"}}}};
  if (!own && recorded.objective.maximised) json["metadata"]["objective_higher_is_better"] = true;
  json["results"] = Json::array();
  for (std::size_t point = 0; point < recorded.points.size(); ++point)
    json["results"].push_back(own ? Json::parse(recorded.points[point].source) : t4_entry(recorded, point));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sextant::tuner
