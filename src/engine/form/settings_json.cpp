#include "engine/form/settings_json.hpp"

namespace sextant {

Json json_of(const Settings& s) {
  return {{"min_samples", s.min_samples},
          {"max_samples", s.max_samples},
          {"all_samples", s.all_samples},
          {"max_noise", json_of(s.max_noise)},
          {"least_seconds", json_of(s.least_seconds)},
          {"warm_seconds", json_of(s.warm_seconds)},
          {"case_seconds", json_of(s.case_seconds)},
          {"stay_seconds", json_of(s.stay_seconds)},
          {"timeout", json_of(s.timeout)},
          {"in_process", s.in_process},
          {"check_only", s.check_only},
          {"check_once", s.check_once},
          {"visit", s.visit},
          {"check_fully", s.check_fully},
          {"transfers", s.transfers},
          {"timed", static_cast<int>(s.timed)},
          {"gap", json_of(s.gap)},
          {"energy_windows", s.energy_windows},
          {"energy_window", json_of(s.energy_window)},
          {"steady_seconds", json_of(s.steady_seconds)},
          {"counters", s.counters},
          {"offload_on_host", s.offload_on_host},
          {"give_up_above", json_of(s.give_up_above)},
          {"screen_above", json_of(s.screen_above)},
          {"seed", s.seed},
          {"guard_bytes", s.guard_bytes}};
}

Settings settings_from(const Json& json) {
  return reading("set of settings", [&] {
    Settings s;
    s.min_samples = json.at("min_samples");
    s.max_samples = json.at("max_samples");
    s.max_noise = number_from(json.at("max_noise"));
    // older versions of Sextant (`compare --programs`) do not send the following fields
    if (json.contains("least_seconds")) s.least_seconds = number_from(json.at("least_seconds"));
    if (json.contains("warm_seconds")) s.warm_seconds = number_from(json.at("warm_seconds"));
    if (json.contains("all_samples")) s.all_samples = json.at("all_samples");
    if (json.contains("check_once")) s.check_once = json.at("check_once");
    if (json.contains("visit")) s.visit = json.at("visit");
    if (json.contains("check_fully")) s.check_fully = json.at("check_fully");
    if (json.contains("gap")) s.gap = number_from(json.at("gap"));
    if (json.contains("energy_windows")) s.energy_windows = json.at("energy_windows");
    if (json.contains("energy_window")) s.energy_window = number_from(json.at("energy_window"));
    if (json.contains("steady_seconds")) s.steady_seconds = number_from(json.at("steady_seconds"));
    if (json.contains("timed")) s.timed = static_cast<Timed>(json.at("timed").get<int>());
    if (json.contains("give_up_above")) s.give_up_above = number_from(json.at("give_up_above"));
    if (json.contains("screen_above")) s.screen_above = number_from(json.at("screen_above"));
    s.case_seconds = number_from(json.at("case_seconds"));
    if (json.contains("stay_seconds")) s.stay_seconds = number_from(json.at("stay_seconds"));
    s.timeout = number_from(json.at("timeout"));
    s.in_process = json.at("in_process");
    s.check_only = json.at("check_only");
    s.transfers = json.at("transfers");
    s.counters = json.at("counters");
    s.offload_on_host = json.at("offload_on_host");
    s.seed = json.at("seed");
    s.guard_bytes = json.at("guard_bytes");
    return s;
  });
}

Json answer_in(const std::string& line) {
  try {
    return parse_json(line);
  } catch (const UserError& error) {
    throw UserError(std::string("a worker sent an invalid answer: ") + error.what() +
                    ". Check loaded kernels for writes out of bounds, or install Sextant again.");
  }
}

}  // namespace sextant
