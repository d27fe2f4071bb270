// Writes and reads searches as JSON.
#include "record/json.hpp"
#include "record/json_text.hpp"

namespace sextant {
namespace {

Json json_of_tuning(const Tuning& tuning) {
  Json json = Json::object();
  for (const auto& [name, value] : tuning) json[name] = value.number;
  return json;
}

Tuning tuning_from(const Json& json) {
  Tuning tuning;
  for (const auto& [name, value] : json.items()) tuning.emplace_back(name, value.get<int>());
  return tuning;
}

Json json_of_interval(const Interval& interval) {
  return {{"low", json_of(interval.low)},
          {"median", json_of(interval.median)},
          {"high", json_of(interval.high)},
          {"samples", interval.samples}};
}

Interval interval_from(const Json& json) {
  Interval interval;
  interval.low = number_from(json.at("low"));
  interval.median = number_from(json.at("median"));
  interval.high = number_from(json.at("high"));
  interval.samples = json.at("samples");
  return interval;
}

}  // namespace

std::string to_json(const Tuning& tuning) { return text_of(json_of_tuning(tuning)); }

Tuning tuning_from_json(const std::string& text) {
  return reading("tuning", [&] { return tuning_from(parse_json(text)); });
}

std::string to_json(const Search& search) {
  Json finalists = Json::array();
  for (const Finalist& one : search.finalists)
    finalists.push_back({{"tuning", json_of_tuning(one.tuning)},
                         {"time", json_of(one.time)},
                         {"ratio", json_of_interval(one.ratio)},
                         {"tie", one.tie}});
  return text_of({{"space", json_of(search.space)},
                  {"strategy", search.strategy},
                  {"seed", search.seed},
                  {"goal", search.goal},
                  {"prior", search.prior},
                  {"points", search.points},
                  {"refused", search.refused},
                  {"standard", json_of_tuning(search.standard)},
                  {"finalists", finalists},
                  {"gain", search.gain ? json_of_interval(*search.gain) : Json()},
                  {"ended", search.ended},
                  {"sizes", search.sizes}});
}

Search search_from_json(const std::string& text) {
  return reading("search", [&] {
    const Json json = parse_json(text);
    Search search;
    search.space = case_from(json.at("space"));
    search.strategy = json.at("strategy");
    search.seed = json.at("seed");
    search.goal = json.at("goal");
    search.prior = json.at("prior");
    search.points = json.at("points");
    search.refused = json.at("refused");
    search.standard = tuning_from(json.at("standard"));
    for (const Json& one : json.at("finalists"))
      search.finalists.push_back({tuning_from(one.at("tuning")), number_from(one.at("time")),
                                  interval_from(one.at("ratio")), one.at("tie")});
    if (!json.at("gain").is_null()) search.gain = interval_from(json.at("gain"));
    search.ended = json.at("ended");
    search.sizes = json.value("sizes", std::int64_t{1});  // older files lack this field
    return search;
  });
}

}  // namespace sextant
