// Reads results files of the tuner KTT, which contain Metadata and Results.
#include "tuner/format_json.hpp"

namespace sextant::tuner {
namespace {

RecordedPoint ktt_point(const Unordered& result, const RecordedObjective& objective) {
  const auto status = result.at("Status").get<std::string>();
  if (status == "Ok") return point_of(measured(result.at("TotalDuration")), objective.seconds, objective, "");
  return failed_point(status == "ValidationFailed"       ? Status::wrong
                      : status == "DeviceLimitsExceeded" ? Status::skipped
                                                         : Status::failed,
                      status, "");
}

}  // namespace

RecordedSpace read_ktt(const std::string& text, const std::string& name) {
  return reading_file(name, "results file of KTT", [&] {
    const auto json = parsed<Unordered>(text);
    const Unordered& results = json.at("Results");
    const auto unit = json.at("Metadata").at("TimeUnit").get<std::string>();
    if (!seconds_in(unit))
      throw UserError(name + " has the TimeUnit " + unit + ", which is not a unit of time");
    if (!results.is_array() || results.empty()) throw UserError(name + " holds no measured tuning");
    const RecordedObjective objective = objective_of("TotalDuration", unit, 1e-3);
    std::vector<std::string> names;
    for (const Unordered& one : results[0].at("Configuration")) names.push_back(one.at("Name"));
    SpaceBuilder builder(names);
    for (const Unordered& result : results) {
      std::map<std::string, std::string> known;
      for (const Unordered& one : result.at("Configuration")) known[one.at("Name")] = dumped(one.at("Value"));
      std::vector<std::string> values;
      for (const std::string& axis : names) values.push_back(known.count(axis) ? known[axis] : "null");
      builder.add(values, ktt_point(result, objective));
    }
    return builder.finish(name, Format::ktt, "", objective);
  });
}

}  // namespace sextant::tuner
