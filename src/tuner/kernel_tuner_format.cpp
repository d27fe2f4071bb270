// Reads and writes cache files of Kernel Tuner. Each entry keeps its original text, so that rewriting a cache
// loses nothing.
#include <algorithm>
#include <array>

#include "tuner/format_json.hpp"

namespace sextant::tuner {
namespace {

// Texts that Kernel Tuner writes instead of a time for a failed configuration.
constexpr std::array<const char*, 4> failure_words = {"ErrorConfig", "InvalidConfig",
                                                      "CompilationFailedConfig", "RuntimeFailedConfig"};

bool is_failure(const std::string& text) {
  return std::find(failure_words.begin(), failure_words.end(), text) != failure_words.end();
}

// The reason why an entry failed; empty if it did not fail.
std::string failure_of(const Unordered& entry, const std::string& objective) {
  if (const auto error = entry.find("__error__"); error != entry.end()) {
    const auto reason = entry.find("failure");  // a key that only Sextant writes
    const Unordered& said = reason != entry.end() && reason->is_string() ? *reason : *error;
    return said.is_string() ? said.get<std::string>() : dumped(said);
  }
  const auto value = entry.find(objective);
  if (value != entry.end()) return value->is_string() && !measured(*value) ? value->get<std::string>() : "";
  for (const Unordered& one : entry)
    if (one.is_string() && is_failure(one.get<std::string>())) return one.get<std::string>();
  return "it has no " + objective;
}

RecordedPoint cache_point(const std::string& key, const Unordered& entry,
                          const RecordedObjective& objective) {
  std::string source = dumped(Unordered{{"key", key}, {"entry", entry}});
  if (const std::string failure = failure_of(entry, objective.name); !failure.empty())
    return failed_point(Status::failed, failure, std::move(source));
  return point_of(measured(entry.at(objective.name)), objective.is_time ? objective.seconds : 1, objective,
                  std::move(source));
}

// Parses the complete entries of a truncated text. Kernel Tuner appends entries one by one, and may be killed
// while it writes.
Unordered complete_part(const std::string& text) {
  Unordered whole = Unordered::object();
  std::string field, point;
  const auto keep = [&](int depth, Unordered::parse_event_t event, Unordered& value) {
    using Event = Unordered::parse_event_t;
    if (depth > 64) return false;
    if (event == Event::key) (depth == 1 ? field : point) = depth <= 2 ? value.get<std::string>() : point;
    const bool ended = event == Event::value || event == Event::object_end || event == Event::array_end;
    if (ended && depth == 1) whole[field] = value;
    if (ended && depth == 2 && field == "cache") whole["cache"][point] = value;
    return true;
  };
  // Parsing fails at the truncated end. The error is ignored, because the callback has kept all complete
  // entries.
  [[maybe_unused]] const Unordered discarded = Unordered::parse(text, keep, false);
  return whole;
}

Unordered cache_from(const std::string& text) {
  return Unordered::accept(text) ? parsed<Unordered>(text) : complete_part(text);
}

RecordedObjective cache_objective(const Unordered& cache) {
  const auto first = [](const Unordered& one) { return one.is_array() && !one.empty() ? one.front() : one; };
  const Unordered said = first(cache.value("objective", Unordered())),
                  larger = first(cache.value("objective_higher_is_better", Unordered()));
  // Kernel Tuner stores every time in milliseconds.
  RecordedObjective objective = objective_of(said.is_string() ? said.get<std::string>() : "time", "", 1e-3);
  if (larger.is_boolean()) objective.maximised = larger.get<bool>();
  return objective;
}

// Writes a value like Python's str(). Kernel Tuner builds the keys of its cache from such texts.
std::string python_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_null()) return "None";
  if (!value.is_array()) return dumped(value);
  std::string list;
  for (const Json& one : value)
    list += (list.empty() ? "" : ", ") + (one.is_string() ? "'" + python_text(one) + "'" : python_text(one));
  return "[" + list + "]";
}

std::string cache_key(const Json& configuration) {
  std::string key;
  for (const Json& value : configuration) key += (key.empty() ? "" : ",") + python_text(value);
  return key;
}

// The objective (the minimized or maximized quantity) as a cache stores it, without a unit. A time is in
// milliseconds unless its name ends in another unit. Throws UserError if a reader would misinterpret the
// objective.
RecordedObjective objective_in_cache(const RecordedObjective& objective) {
  RecordedObjective named = objective_of(objective.name, "", 1e-3);
  if (objective.is_time && !named.is_time) named = {};
  if (!objective.is_time && named.is_time)
    throw UserError("the kernel-tuner format cannot store " + objective.name + " in " + objective.unit +
                    ", because it stores only times, without units. Use `--format t4`.");
  return named;
}

Json cache_header(const RecordedSpace& recorded) {
  Json header = {{"device_name", ""}, {"kernel_name", recorded.name}};
  if (recorded.what) {
    const Extents& extents = recorded.what->problem.extents;
    header["kernel_name"] = recorded.what->kernel;
    header["problem_size"] = {extents.x, extents.y, extents.z};
  }
  header["tune_params_keys"] = Json::array();
  header["tune_params"] = Json::object();
  header["objective"] = objective_in_cache(recorded.objective).name;
  if (recorded.objective.maximised) header["objective_higher_is_better"] = true;
  for (const Axis& axis : recorded.space.axes()) {
    header["tune_params_keys"].push_back(axis.name);
    for (const std::string& text : axis.texts) header["tune_params"][axis.name].push_back(Json::parse(text));
  }
  return header;
}

// Kernel Tuner's name for this failure.
const char* error_of(const Evaluation& evaluation) {
  if (evaluation.status == Status::skipped) return "InvalidConfig";
  return evaluation.reason.starts_with("compil") ? "CompilationFailedConfig" : "RuntimeFailedConfig";
}

Json cache_entry(const RecordedSpace& recorded, std::size_t point) {
  const Evaluation& evaluation = recorded.points[point].evaluation;
  const RecordedObjective& objective = recorded.objective;
  const std::string name = objective_in_cache(objective).name;
  Json entry = configuration_of(recorded, point);
  if (evaluation.usable()) {
    const double value = recorded.value(point), unit = objective_in_cache(objective).seconds;
    entry[name] = !objective.is_time ? value : unit == 1e-3 ? milliseconds(value) : value / unit;
  } else {
    const std::string& reason = evaluation.reason;
    entry[name] = entry["__error__"] = is_failure(reason) ? reason : error_of(evaluation);
    if (!reason.empty() && !is_failure(reason)) entry["failure"] = reason;
  }
  for (const char* time :
       {"compile_time", "verification_time", "benchmark_time", "strategy_time", "framework_time"})
    if (!entry.contains(time)) entry[time] = 0;
  return entry;
}

void check_names(const RecordedSpace& recorded) {
  for (const Axis& axis : recorded.space.axes())
    if (axis.name == objective_in_cache(recorded.objective).name || axis.name == "__error__" ||
        axis.name == "failure")
      throw UserError("the kernel-tuner format cannot store a tunable with the name " + axis.name +
                      ". Use `--format t4`.");
}

}  // namespace

RecordedSpace read_kernel_tuner(const std::string& text, const std::string& name) {
  return reading_file(name, "cache of Kernel Tuner", [&] {
    Unordered json = cache_from(without_python_numbers(text));
    if (!json.contains("cache") || !json["cache"].is_object() || json["cache"].empty())
      throw UserError(name + " holds no measured tuning");
    const auto names = json.at("tune_params_keys").get<std::vector<std::string>>();
    const RecordedObjective objective = cache_objective(json);
    SpaceBuilder builder(names);
    for (const auto& [key, entry] : json.at("cache").items()) {
      std::vector<std::string> values;
      for (const std::string& axis : names) values.push_back(dumped(entry.at(axis)));
      builder.add(values, cache_point(key, entry, objective));
    }
    json.erase("cache");
    return builder.finish(name, Format::kernel_tuner, dumped(json), objective);
  });
}

// Kernel Tuner treats a text that does not end in brace, newline, brace as the cache of a killed search, and
// appends these characters. `cache` is therefore the last key, with one entry per line.
std::string write_kernel_tuner(const RecordedSpace& recorded) {
  const bool own = recorded.format == Format::kernel_tuner;
  if (!own) check_names(recorded);
  const Json header = own ? Json::parse(recorded.header) : cache_header(recorded);
  std::string text = "{\n";
  for (const auto& [key, value] : header.items()) text += dumped(Json(key)) + ": " + dumped(value) + ",\n";
  text += "\"cache\": {";
  for (std::size_t point = 0; point < recorded.points.size(); ++point) {
    const Json source = own ? Json::parse(recorded.points[point].source) : Json();
    const Json entry = own ? source["entry"] : cache_entry(recorded, point);
    const std::string key =
        own ? source["key"].get<std::string>() : cache_key(configuration_of(recorded, point));
    text += (point == 0 ? "\n" : ",\n") + dumped(Json(key)) + ": " + dumped(entry);
  }
  return text + "}\n}\n";
}

}  // namespace sextant::tuner
