#include "predict/first_uses.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "predict/data_machines.hpp"
#include "record/place.hpp"
#include "record/statistics.hpp"

namespace sextant::predict {
namespace {

const std::string first_use_prefix = "first_use_";

// Seconds of a library's first preparation and first call in a process, minus an ordinary call. Nothing if
// they were not timed.
std::optional<double> first_use(const Measurement& measured) {
  const bool in_parts = measured.what.device.find('-') != std::string::npos;
  if (measured.status != Status::ok || !measured.first_call || measured.call_times.empty() || in_parts)
    return std::nullopt;
  const double prepared = measured.prepare_times.empty() ? 0 : measured.prepare_times.front();
  const double more = prepared + *measured.first_call - median_interval(measured.call_times).median;
  return more > 0 ? std::optional(more) : std::nullopt;
}

}  // namespace

std::string library_of(const std::string& variant) {
  const std::string model = "library.";
  if (!variant.starts_with(model)) return "";
  return variant.substr(model.size(), variant.find('_') - model.size());
}

std::vector<Ceiling> first_uses(const Results& results, const std::string& machine) {
  std::set<std::int64_t> here;
  for (const Session& session : results.sessions)
    if (machine_name(session) == machine) here.insert(session.id);
  using Library = std::pair<std::string, std::string>;  // device name, library name
  std::map<std::tuple<Library, std::int64_t>, const Measurement*> firsts;
  for (const StoredMeasurement& stored : results.measurements) {
    const Measurement& one = stored.measurement;
    const std::string name = library_of(one.what.variant);
    if (name.empty() || !here.contains(stored.session) || !first_use(one)) continue;
    const Measurement*& first = firsts[{{is_on_cpu(one.what.device) ? "cpu" : "gpu0", name}, stored.session}];
    if (!first || one.timestamp < first->timestamp) first = &one;
  }
  std::map<Library, std::vector<double>> times;
  for (const auto& [key, first] : firsts) times[std::get<Library>(key)].push_back(*first_use(*first));
  std::vector<Ceiling> found;
  for (const auto& [library, seconds] : times)
    found.push_back({library.first, first_use_prefix + library.second, 0, median_interval(seconds).median});
  return found;
}

std::optional<double> first_use(const Profile& profile, const std::string& variant) {
  const std::string name = first_use_prefix + library_of(variant);
  if (name == first_use_prefix) return std::nullopt;
  for (const Ceiling& ceiling : profile.ceilings)
    if (ceiling.name == name) return ceiling.value;
  return std::nullopt;
}

bool is_first_use(const Ceiling& ceiling) { return ceiling.name.starts_with(first_use_prefix); }

void add_first_uses(const std::vector<Ceiling>& other, Profile* profile) {
  for (const Ceiling& one : other) {
    const auto same = [&](const Ceiling& known) { return known.name == one.name; };
    if (is_first_use(one) && std::none_of(profile->ceilings.begin(), profile->ceilings.end(), same))
      profile->ceilings.push_back(one);
  }
}

}  // namespace sextant::predict
