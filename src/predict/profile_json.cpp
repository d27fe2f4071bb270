// Converts profiles to and from JSON, which contains only the measured values.
#include "predict/profile.hpp"
#include "record/json.hpp"

namespace sextant::predict {
namespace {

// Calls `visit(name, number)` for each number of a profile or of a GPU.
template <typename Visit>
void each_number(Profile& profile, const Visit& visit) {
  visit("sockets", profile.sockets);
  visit("cores", profile.cores);
  visit("threads", profile.threads);
  visit("l1_cache", profile.l1_cache);
  visit("l2_cache", profile.l2_cache);
  visit("last_level_cache", profile.last_level_cache);
  visit("memory", profile.memory);
}

template <typename Visit>
void each_number(GpuProfile& gpu, const Visit& visit) {
  visit("multiprocessors", gpu.multiprocessors);
  visit("l2_cache", gpu.l2_cache);
  visit("memory", gpu.memory);
  visit("whole_multiprocessors", gpu.whole_multiprocessors);
  visit("pcie_generation", gpu.pcie_generation);
  visit("pcie_width", gpu.pcie_width);
}

}  // namespace

std::string to_json(const Profile& profile) {
  Profile copy = profile;
  Json json = {{"machine", profile.machine}, {"processor", profile.processor}};
  each_number(copy, [&](const char* name, double& value) { json[name] = value; });
  if (copy.gpu) {
    Json gpu = {{"name", copy.gpu->name}};
    each_number(*copy.gpu, [&](const char* name, double& value) { gpu[name] = value; });
    json["gpu"] = gpu;
  }
  if (profile.load > 0) json["load"] = profile.load;
  json["ceilings"] = Json::array();
  for (const Ceiling& ceiling : profile.ceilings) json["ceilings"].push_back(json_of(ceiling));
  return sextant::text_of(json);
}

Profile profile_from_json(const std::string& text) {
  const Json json = parse_json(text);
  return reading("machine's profile", [&] {
    Profile profile;
    profile.machine = json.at("machine");
    profile.processor = json.at("processor");
    each_number(profile, [&](const char* name, double& value) { value = json.at(name); });
    if (json.contains("gpu")) {
      profile.gpu.emplace();
      profile.gpu->name = json.at("gpu").at("name");
      each_number(*profile.gpu,
                  [&](const char* name, double& value) { value = json.at("gpu").value(name, 0.0); });
    }
    for (const Json& ceiling : json.at("ceilings")) profile.ceilings.push_back(ceiling_from(ceiling));
    profile.load = json.value("load", 0.0);
    digest(&profile);
    return profile;
  });
}

}  // namespace sextant::predict
