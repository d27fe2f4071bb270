#include "run/held.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <unordered_map>

#include "record/gpu_kind.hpp"
#include "record/lasting.hpp"
#include "record/place.hpp"
#include "record/threads.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Returns true if the variant refuses the problem or tuning of the case, which does not depend on the
// machine.
bool refused_by_variant(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
  if (!variant || variant->tunables.size() != what.tuning.size()) return false;
  std::vector<int> values;
  for (const auto& [name, value] : what.tuning) values.push_back(value);
  return variant->refusal(what.problem, values.data()) != nullptr;
}

bool measured_with_less(const Measurement& measurement, const Settings& then, const Settings& now) {
  const std::size_t samples = measurement.call_times.size();
  if (now.timeout > then.timeout && !measurement.warnings.empty() &&
      measurement.warnings.front().starts_with("cut short"))
    return true;
  const bool asks_all = now.all_samples && !then.all_samples;
  if ((asks_all || now.min_samples > then.min_samples) && samples < static_cast<std::size_t>(now.min_samples))
    return true;
  const bool asks_more = now.max_noise < then.max_noise || now.max_samples > then.max_samples;
  return asks_more && samples >= min_interval_samples &&
         noise(lasting_interval(measurement.call_times)) > now.max_noise;
}

// Returns true if the measurement has no energy, although its device counts it.
bool lacks_energy(const Measurement& m, const Environment& environment) {
  return m.energies.empty() && m.what.cache == CacheMode::warm &&
         value_of(environment, m.what.device + ".energy") == "ok" &&
         std::none_of(m.warnings.begin(), m.warnings.end(), [](const std::string& text) {
           return text.starts_with("the energy of calls is not known");
         });
}

bool to_be_repeated(const Measurement& m, const Settings& then, const Settings& now,
                    const Environment& environment, const Repeat& repeat) {
  if (repeat.all) return true;
  if (m.status == Status::skipped && !has_device(environment, m.what.device)) return repeat.bad;
  if (m.status != Status::ok) return repeat.bad || deserves_another_try(m);
  if (now.counters && !is_on_cpu(m.what.device) && m.counters.empty()) return true;
  if (now.steady_seconds > 0 && !is_on_cpu(m.what.device) && !m.steady_after) return true;
  if (now.energy_windows > 0 && lacks_energy(m, environment)) return true;
  return measured_with_less(m, then, now);
}

// Returns the key by which a case is found in the file. With `alike`, all GPUs of the same kind have the same
// key.
std::string held_key(Case what, const Environment& environment, bool alike) {
  if (const std::string kind = alike ? gpu_kind(environment, what.device) : ""; !kind.empty())
    what.device = kind;
  return key_of(what, environment);
}

enum class HowHeld : std::uint8_t { open, changed, again, unfinished, known };

// A requested case and its measurement in the results file, if there is one.
struct HeldCase {
  HowHeld how = HowHeld::open;
  const Measurement* measurement = nullptr;
};

// The requested tunings of one variant and problem. Together they form a search for the fastest tuning.
struct HeldSearch {
  // Fastest tuning by device time, and by call time among undisturbed measurements. The next two members are
  // their times in seconds.
  HeldCase *on_device = nullptr, *by_call = nullptr;
  double least_on_device = 0, least_by_call = 0;
  bool any_open = false, any_disturbed = false;
  // any_alone: a tuning other than the default was measured with isolated calls. any_with_pass: a tuning
  // other than the default has an end-to-end time.
  bool any_alone = false, any_with_pass = false;
};

void keep_faster(HeldCase* one, const std::vector<double>& times, HeldCase** fastest, double* least) {
  if (times.empty()) return;
  const double time = lasting_interval(times).median;
  if (!*fastest || time < *least) *fastest = one, *least = time;
}

void add_to(HeldSearch* search, HeldCase* one) {
  if (one->how != HowHeld::known) {
    search->any_open = true;
    return;
  }
  const Measurement& m = *one->measurement;
  if (m.status != Status::ok) return;
  keep_faster(one, m.device_times, &search->on_device, &search->least_on_device);
  if (m.isolation == Isolation::calls_disturbed)
    search->any_disturbed = true;
  else
    keep_faster(one, m.call_times, &search->by_call, &search->least_by_call);
  if (m.standard_tuning.value_or(false)) return;
  if (!m.device_times.empty() && m.isolation != Isolation::calls_disturbed &&
      m.isolation != Isolation::undisturbed)
    search->any_alone = true;
  if (!m.end_to_end_times.empty()) search->any_with_pass = true;
}

// At its end, a search measures the fastest tuning once more, if its calls were disturbed or its end-to-end
// pass is missing. If the earlier run stopped before that, marks the fastest tuning as unfinished.
void reopen_fastest(const HeldSearch& search, bool passes) {
  HeldCase* fastest = search.any_disturbed ? search.on_device : search.by_call;
  if (!fastest) return;
  const Measurement& m = *fastest->measurement;
  const bool lacks_calls =
      m.isolation == Isolation::calls_disturbed && (search.any_open || !search.any_alone);
  if (lacks_calls || (passes && lacks_pass(m) && (search.any_open || !search.any_with_pass)))
    fastest->how = HowHeld::unfinished;
}

void reopen_fastest_of_searches(const std::vector<Case>& cases, const Environment& now, bool alike,
                                bool passes, std::vector<HeldCase>* held) {
  std::map<std::string, HeldSearch> searches;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Case space = cases[i];
    space.tuning.clear();
    add_to(&searches[held_key(space, now, alike)], &(*held)[i]);
  }
  for (const auto& [key, search] : searches) reopen_fastest(search, passes);
}

void add_to(Held* held, const Case& what, const HeldCase& one) {
  if (one.how == HowHeld::known) {
    held->known.push_back(one.measurement);
    return;
  }
  held->open.push_back(what);
  held->again += one.how == HowHeld::again;
  held->changed += one.how == HowHeld::changed;
  held->unfinished += one.how == HowHeld::unfinished;
}

}  // namespace

Settings settings_of(const Session& session) {
  Settings settings;
  const auto read = [&](const char* key, auto* value) {
    if (const std::string text = value_of(session.environment, key); !text.empty())
      *value = static_cast<std::remove_pointer_t<decltype(value)>>(std::atof(text.c_str()));
  };
  read("run.min_samples", &settings.min_samples);
  read("run.max_samples", &settings.max_samples);
  read("run.all_samples", &settings.all_samples);
  read("run.max_noise", &settings.max_noise);
  read("run.case_seconds", &settings.case_seconds);
  read("run.timeout", &settings.timeout);
  return settings;
}

void record_settings(const Settings& settings, Environment* environment) {
  (*environment)["run.min_samples"] = std::to_string(settings.min_samples);
  (*environment)["run.max_samples"] = std::to_string(settings.max_samples);
  (*environment)["run.all_samples"] = settings.all_samples ? "1" : "0";
  (*environment)["run.max_noise"] = std::to_string(settings.max_noise);
  (*environment)["run.case_seconds"] = std::to_string(settings.case_seconds);
  (*environment)["run.timeout"] = std::to_string(settings.timeout);
}

bool deserves_another_try(const Measurement& m) {
  switch (m.status) {
    case Status::ok:
    case Status::wrong:
      return false;
    // the device may have been disturbed, either during the case or when its peak rates were measured
    case Status::impossible:
      return true;
    case Status::timed_out:
      return true;
    case Status::skipped:
      return !refused_by_variant(m.what);
    case Status::failed:  // signal 9 usually means that the system ran out of memory
      return contains(m.reason, "memory ran out") || contains(m.reason, "out of memory") ||
             contains(m.reason, "killed by signal 9 ");
  }
  return false;
}

Held hold_against(const Results& results, const Environment& now, const std::vector<Case>& cases,
                  const Settings& settings, const Repeat& repeat) {
  const std::string machine = value_of(now, "machine");
  std::unordered_map<std::int64_t, Settings> then;
  std::unordered_map<std::int64_t, const Environment*> environments;
  for (const Session& session : results.sessions)
    if (machine_of(session) == machine) {
      then[session.id] = settings_of(session);
      environments[session.id] = &session.environment;
    }
  // the last measurement for each key of held_key()
  std::unordered_map<std::string, const StoredMeasurement*> stored;
  for (const StoredMeasurement& one : results.measurements)
    if (then.contains(one.session))
      stored[held_key(one.measurement.what, *environments.at(one.session), repeat.alike)] = &one;
  const auto held_of = [&](const Case& what) -> HeldCase {
    const auto found = stored.find(held_key(what, now, repeat.alike));
    if (found == stored.end()) return {};
    const auto& [m, session] = *found->second;
    if (loaded_code(*environments.at(session), what.kernel) != loaded_code(now, what.kernel))
      return {HowHeld::changed, &m};
    const bool again = to_be_repeated(m, then.at(session), settings, now, repeat);
    return {again ? HowHeld::again : HowHeld::known, &m};
  };
  std::vector<HeldCase> held_cases;
  for (const Case& what : cases) held_cases.push_back(held_of(what));
  reopen_fastest_of_searches(cases, now, repeat.alike, settings.transfers, &held_cases);
  Held held;
  for (std::size_t i = 0; i < cases.size(); ++i) add_to(&held, cases[i], held_cases[i]);
  return held;
}

std::vector<std::string> other_threads(const Results& results, const Environment& now,
                                       const std::vector<Case>& cases) {
  std::set<std::string> here, others;
  for (const Case& what : cases)
    if (const std::string text = text_of(threads_of(now, what)); !text.empty()) here.insert(text);
  if (here.empty()) return {};
  std::unordered_map<std::int64_t, const Environment*> sessions;
  for (const Session& session : results.sessions)
    if (machine_of(session) == value_of(now, "machine")) sessions[session.id] = &session.environment;
  for (const StoredMeasurement& one : results.measurements)
    if (const auto found = sessions.find(one.session); found != sessions.end())
      if (const std::string text = text_of(threads_of(*found->second, one.measurement.what));
          !text.empty() && !here.contains(text))
        others.insert(text);
  return {others.begin(), others.end()};
}

}  // namespace sextant
