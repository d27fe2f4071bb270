// T4 results and Kernel Tuner's caches. What is not understood of an entry is kept as its text, so that nothing is lost
// where it is written in its own format again.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "record/json.hpp"
#include "tuner/space_builder.hpp"

namespace sextant::tuner {
namespace {

constexpr double millisecond = 1e-3;

// A number of seconds as milliseconds, rounded to what a conversion keeps.
double milliseconds(double seconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%.15g", seconds / millisecond);
  return std::strtod(text, nullptr);
}

// Python writes NaN and Infinity, which JSON has not: they become null.
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

using Unordered = nlohmann::json;  // a cache has an entry a point, which ordered objects look up one by one

constexpr int deepest = 64;  // no file of these formats nests deeper

// Throws UserError for what nests too deep to be written again.
template <typename Any>
Any parsed(const std::string& text) {
  return Any::parse(text, [](int depth, typename Any::parse_event_t, Any&) {
    if (depth > deepest) throw UserError("nests deeper than any recorded tuning space");
    return true;
  });
}

template <typename Any>
std::string dumped(const Any& json) {
  return json.dump(-1, ' ', false, Any::error_handler_t::replace);
}

// The value as it stands in a file. Throws UserError for what is no value of a tunable.
template <typename Any>
std::string value_text(const Any& value) {
  if (!value.is_number() && !value.is_boolean() && !value.is_string())
    throw UserError("a tunable's value is neither a number nor a text");
  return dumped(value);
}

Evaluation failed(Status status, const std::string& reason) { return {status, reason, 0, 0, 0}; }

// Reads with every complaint of the JSON library made a UserError that names the file.
template <typename Read>
auto reading_file(const std::string& name, const char* what, Read&& read) {
  try {
    return read();
  } catch (const Json::exception& error) {
    throw UserError(name + ": is not a " + what + ": " + error.what());
  } catch (const UserError& error) {
    const std::string message = error.what();
    throw UserError(message.starts_with(name) ? message : name + ": " + message);
  }
}

// ---- T4

Status status_of(const std::string& invalidity) {
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

Evaluation t4_evaluation(const Json& result) {
  const std::string invalidity = result.at("invalidity").get<std::string>();
  const Status status = status_of(invalidity);
  if (status != Status::ok) return failed(status, invalidity);
  const Json& objectives = result.at("objectives");
  if (!objectives.is_array() || objectives.empty()) throw UserError("a result names no objective");
  for (const Json& one : result.at("measurements"))
    if (one.at("name") == objectives[0]) {
      const Json& value = one.at("value");
      if (!value.is_number() || !(value.get<double>() > 0) || !(value.get<double>() < no_time))
        return failed(Status::failed, "its time is no number");
      return {Status::ok, "", value.get<double>() * millisecond, 0, 0};
    }
  return failed(Status::failed, "it has no measurement of its objective");
}

Json configuration_of(const RecordedSpace& recorded, std::size_t point) {
  Json configuration = Json::object();
  const auto choices = recorded.space.choices(point);
  for (std::size_t a = 0; a < choices.size(); ++a)
    configuration[recorded.space.axes()[a].name] = Json::parse(recorded.space.axes()[a].texts[choices[a]]);
  return configuration;
}

Json t4_entry(const RecordedSpace& recorded, std::size_t point) {
  const Evaluation& evaluation = recorded.points[point].evaluation;
  const bool ok = evaluation.usable();
  Json entry;
  entry["timestamp"] = "";
  entry["configuration"] = configuration_of(recorded, point);
  entry["times"] = {{"compilation", 0}, {"framework", 0}, {"search_algorithm", 0}, {"validation", 0}};
  if (ok) entry["times"]["runtimes"] = {milliseconds(evaluation.time)};
  entry["invalidity"] =
      invalidity_of(evaluation.status == Status::ok && !ok ? Status::failed : evaluation.status);
  entry["correctness"] = ok ? 1 : 0;
  const Json value = ok ? Json(milliseconds(evaluation.time)) : Json(evaluation.reason);
  entry["measurements"] = {{{"name", "time"}, {"value", value}, {"unit", ok ? "miliseconds" : ""}}};
  entry["objectives"] = {"time"};
  return entry;
}

// ---- Kernel Tuner

Evaluation cache_evaluation(const Unordered& entry, const std::string& objective) {
  if (const auto error = entry.find("__error__"); error != entry.end())
    return failed(Status::failed, error->is_string() ? error->get<std::string>() : dumped(*error));
  const auto time = entry.find(objective);
  if (time == entry.end()) return failed(Status::failed, "it has no " + objective);
  if (time->is_string()) return failed(Status::failed, time->get<std::string>());
  if (!time->is_number() || !(time->get<double>() > 0) || !(time->get<double>() < no_time))
    return failed(Status::failed, "its time is no number");
  return {Status::ok, "", time->get<double>() * millisecond, 0, 0};
}

// Kernel Tuner appends an entry at a time: the brackets at the end are missing until it is done.
Unordered cache_from(const std::string& text) {
  if (Unordered::accept(text)) return parsed<Unordered>(text);
  const std::size_t end = text.find_last_not_of(" \t\r\n,");
  return parsed<Unordered>(text.substr(0, end == std::string::npos ? 0 : end + 1) + "}}");
}

std::string cache_key(const RecordedSpace& recorded, std::size_t point) {
  std::string key;
  for (const Json& value : configuration_of(recorded, point))
    key += (key.empty() ? "" : ",") + (value.is_string() ? value.get<std::string>() : dumped(value));
  return key;
}

Json cache_header(const RecordedSpace& recorded) {
  Json header = {{"device_name", ""},
                 {"kernel_name", recorded.name},
                 {"tune_params_keys", Json::array()},
                 {"tune_params", Json::object()},
                 {"objective", "time"}};
  for (const Axis& axis : recorded.space.axes()) {
    header["tune_params_keys"].push_back(axis.name);
    for (const std::string& text : axis.texts) header["tune_params"][axis.name].push_back(Json::parse(text));
  }
  return header;
}

}  // namespace

RecordedSpace read_t4(const std::string& text, const std::string& name) {
  return reading_file(name, "T4 results file", [&] {
    Json json = parsed<Json>(without_python_numbers(text));
    const Json& results = json.at("results");
    if (!results.is_array() || results.empty()) throw UserError("holds no point of a tuning space");
    std::vector<std::string> names;
    for (const auto& item : results[0].at("configuration").items()) names.push_back(item.key());
    SpaceBuilder builder(names);
    for (const Json& result : results) {
      std::vector<std::string> values;
      for (const std::string& axis : names) values.push_back(value_text(result.at("configuration").at(axis)));
      builder.add(values, {t4_evaluation(result), dumped(result)});
    }
    json["results"] = Json::array();
    return builder.finish(name, Format::t4, dumped(json));
  });
}

RecordedSpace read_kernel_tuner(const std::string& text, const std::string& name) {
  return reading_file(name, "cache of Kernel Tuner", [&] {
    Unordered json = cache_from(without_python_numbers(text));
    const auto names = json.at("tune_params_keys").get<std::vector<std::string>>();
    const std::string objective = json.contains("objective") && json["objective"].is_string()
                                      ? json["objective"].get<std::string>()
                                      : std::string("time");
    const Unordered& cache = json.at("cache");
    if (!cache.is_object() || cache.empty()) throw UserError("holds no point of a tuning space");
    SpaceBuilder builder(names);
    for (const auto& item : cache.items()) {
      std::vector<std::string> values;
      for (const std::string& axis : names) values.push_back(value_text(item.value().at(axis)));
      const Unordered source = {{"key", item.key()}, {"entry", item.value()}};
      builder.add(values, {cache_evaluation(item.value(), objective), dumped(source)});
    }
    json["cache"] = Unordered::object();
    return builder.finish(name, Format::kernel_tuner, dumped(json));
  });
}

std::string write_t4(const RecordedSpace& recorded) {
  const bool own = recorded.format == Format::t4;
  Json json = own ? Json::parse(recorded.header)
                  : Json{{"schema_version", "1.0.0"}, {"metadata", {{"timeunit", "miliseconds"}}}};
  json["results"] = Json::array();
  for (std::size_t point = 0; point < recorded.points.size(); ++point)
    json["results"].push_back(own ? Json::parse(recorded.points[point].source) : t4_entry(recorded, point));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string write_kernel_tuner(const RecordedSpace& recorded) {
  const bool own = recorded.format == Format::kernel_tuner;
  for (const Axis& axis : recorded.space.axes())
    if (!own && (axis.name == "time" || axis.name == "__error__"))
      throw UserError("a cache of Kernel Tuner has no place for a tunable called " + axis.name);
  Unordered json = Unordered::parse(own ? recorded.header : dumped(cache_header(recorded)));
  json["cache"] = Unordered::object();
  for (std::size_t point = 0; point < recorded.points.size(); ++point) {
    if (own) {
      const Unordered source = Unordered::parse(recorded.points[point].source);
      json["cache"][source["key"].get<std::string>()] = source["entry"];
      continue;
    }
    const Evaluation& evaluation = recorded.points[point].evaluation;
    Json entry = configuration_of(recorded, point);
    if (evaluation.usable())
      entry["time"] = milliseconds(evaluation.time);
    else
      entry["time"] = entry["__error__"] =
          evaluation.reason.empty() ? "RuntimeFailedConfig" : evaluation.reason;
    json["cache"][cache_key(recorded, point)] = Unordered::parse(dumped(entry));
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

RecordedSpace read_recorded(const std::string& text, const std::string& name) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw UserError(name + ": is empty, not a recorded tuning space");
  if (text[first] != '{' && text[first] != '[') return read_compact(text, name);
  const std::string head = text.substr(first, 1 << 20);
  const auto has = [&](const char* key) { return head.find(key) != std::string::npos; };
  if (has("\"cache\"") && has("\"tune_params_keys\"")) return read_kernel_tuner(text, name);
  if (text[first] == '[' || !has("\"results\""))
    throw UserError(
        name +
        ": is not a T4 results file (it has no `results`), nor a cache of Kernel Tuner (it has no "
        "`cache` with `tune_params_keys`)");
  return read_t4(text, name);
}

}  // namespace sextant::tuner
