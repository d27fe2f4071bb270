#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "own/description/asked.hpp"
#include "own/description/tree.hpp"

namespace sextant::own {
namespace {

using Json = nlohmann::ordered_json;

constexpr int deepest_nesting = 64;

Value converted(const Json& json, const Place& place) {
  Value value;
  value.place = place;
  if (json.is_object()) {
    value.kind = Value::Kind::table;
    for (const auto& item : json.items())
      value.members.push_back({item.key(), place, converted(item.value(), place)});
  } else if (json.is_array()) {
    value.kind = Value::Kind::list;
    for (const Json& inner : json) value.list.push_back(converted(inner, place));
  } else if (json.is_string()) {
    value.kind = Value::Kind::text;
    value.text = json.get<std::string>();
  } else if (json.is_number()) {
    value.number = json.get<double>();
    const bool fits = json.is_number_integer() && value.number < 0x1p63;
    value.kind = fits ? Value::Kind::whole : Value::Kind::number;
    if (fits) value.whole = json.get<std::int64_t>();
  } else if (json.is_boolean()) {
    value.kind = Value::Kind::truth;
    value.whole = json.get<bool>() ? 1 : 0;
  }
  return value;
}

}  // namespace

Value parse_json(const std::string& text, const std::string& file) {
  try {
    const Json json = Json::parse(text, [](int depth, Json::parse_event_t, Json&) {
      if (depth > deepest_nesting) throw UserError("the JSON is nested too deeply for a description");
      return true;
    });
    return converted(json, {file});
  } catch (const Json::exception& error) {
    throw UserError(file + " is not JSON: " + error.what());
  } catch (const UserError& error) {
    throw UserError(file + ": " + error.what());
  }
}

std::string text_of(const Asked& asked) {
  return Json{{"name", asked.name},
              {"reference", asked.reference},
              {"tolerance", asked.tolerance},
              {"unchecked", asked.unchecked}}
      .dump();
}

Asked asked_from(const std::string& text) {
  const Json json = Json::parse(text);
  return {json.at("name"), json.at("reference"), json.at("tolerance"), json.at("unchecked")};
}

}  // namespace sextant::own
