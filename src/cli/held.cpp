#include "cli/held.hpp"

#include <cstdlib>
#include <unordered_map>

#include "base/error.hpp"
#include "record/keys.hpp"
#include "record/statistics.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// Whether the variant itself refuses the case, whatever the machine.
bool refused_by_variant(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
  if (!variant || !variant->constraint || variant->tunables.size() != what.tuning.size()) return false;
  std::vector<int> values;
  for (const auto& [name, value] : what.tuning) values.push_back(value);
  return variant->constraint(what.problem, values.data()) != nullptr;
}

// What a session asked for; the defaults where its file does not say.
Settings settings_of(const Session& session) {
  Settings settings;
  const auto read = [&](const char* key, auto* value) {
    if (const std::string text = value_of(session.environment, key); !text.empty())
      *value = static_cast<std::remove_pointer_t<decltype(value)>>(std::atof(text.c_str()));
  };
  read("run.min_samples", &settings.min_samples);
  read("run.max_samples", &settings.max_samples);
  read("run.max_noise", &settings.max_noise);
  read("run.timeout", &settings.timeout);
  return settings;
}

bool measured_with_less(const Measurement& measurement, const Settings& then, const Settings& now) {
  const std::size_t samples = measurement.call_times.size();
  if (now.timeout > then.timeout && !measurement.warnings.empty() &&
      measurement.warnings.front().starts_with("cut short"))
    return true;
  if (now.min_samples > then.min_samples && samples < static_cast<std::size_t>(now.min_samples)) return true;
  const bool asks_more = now.max_noise < then.max_noise || now.max_samples > then.max_samples;
  return asks_more && samples >= min_interval_samples &&
         noise(median_interval(measurement.call_times)) > now.max_noise;
}

bool to_be_repeated(const Measurement& m, const Settings& then, const Settings& now,
                    const Environment& environment, const Repeat& repeat) {
  if (repeat.all) return true;
  if (m.status == Status::skipped && !has_device(environment, m.what.device)) return repeat.bad;
  if (m.status != Status::ok) return repeat.bad || deserves_another_try(m);
  if (now.counters && m.what.device != "cpu" && m.counters.empty()) return true;
  if (repeat.noisy && m.call_times.size() >= min_interval_samples &&
      noise(median_interval(m.call_times)) > now.max_noise)
    return true;
  return measured_with_less(m, then, now);
}

// Threads and binding as one text; empty where the session does not say.
std::string threads_of(const Environment& environment) {
  std::string text = value_of(environment, "openmp.threads");
  if (text.empty()) return text;
  text += text == "1" ? " thread" : " threads";
  for (const char* name : {"env.OMP_PROC_BIND", "env.OMP_PLACES", "env.GOMP_CPU_AFFINITY"})
    if (const std::string value = value_of(environment, name); !value.empty())
      text += std::string(" ") + (name + 4) + "=" + value;
  return text;
}

bool uses_threads(const Case& what) { return model_of(what.variant) == "openmp"; }

}  // namespace

void record_settings(const Settings& settings, Environment* environment) {
  (*environment)["run.min_samples"] = std::to_string(settings.min_samples);
  (*environment)["run.max_samples"] = std::to_string(settings.max_samples);
  (*environment)["run.max_noise"] = std::to_string(settings.max_noise);
  (*environment)["run.timeout"] = std::to_string(settings.timeout);
}

bool deserves_another_try(const Measurement& m) {
  switch (m.status) {
    case Status::ok:
    case Status::wrong:
      return false;
    case Status::timed_out:
      return true;
    case Status::skipped:
      return !refused_by_variant(m.what);
    case Status::failed:  // signal 9: the system's answer to memory that ran out
      return contains(m.reason, "memory ran out") || contains(m.reason, "out of memory") ||
             contains(m.reason, "killed by signal 9 ");
  }
  return false;
}

bool has_device(const Environment& environment, const std::string& device) {
  return device == "cpu" || environment.contains(device + ".name");
}

Held hold_against(const Results& results, const Environment& now, const std::vector<Case>& cases,
                  const Settings& settings, const Repeat& repeat) {
  const std::string machine = value_of(now, "machine");
  std::unordered_map<std::int64_t, Settings> then;
  for (const Session& session : results.sessions)
    if (machine_of(session) == machine) then[session.id] = settings_of(session);
  std::unordered_map<std::string, const StoredMeasurement*> stored;  // the last of each key
  for (const StoredMeasurement& one : results.measurements)
    if (then.contains(one.session)) stored[key_of(one.measurement.what)] = &one;
  Held held;
  for (const Case& what : cases) {
    const auto found = stored.find(key_of(what));
    if (found == stored.end()) {
      held.open.push_back(what);
    } else if (const Measurement& m = found->second->measurement;
               to_be_repeated(m, then.at(found->second->session), settings, now, repeat)) {
      held.open.push_back(what);
      ++held.again;
    } else {
      held.known.push_back(&m);
    }
  }
  return held;
}

void require_same_threads(const Results& results, const std::string& path, const Environment& now,
                          const std::vector<Case>& cases) {
  const std::string here = threads_of(now), machine = value_of(now, "machine");
  bool any = false;
  for (const Case& what : cases) any = any || uses_threads(what);
  if (!any || here.empty()) return;
  std::unordered_map<std::int64_t, std::string> others;
  for (const Session& session : results.sessions)
    if (const std::string then = threads_of(session.environment);
        machine_of(session) == machine && !then.empty() && then != here)
      others[session.id] = then;
  for (const StoredMeasurement& one : results.measurements)
    if (const auto other = others.find(one.session);
        other != others.end() && uses_threads(one.measurement.what))
      throw UserError(
          path + ": holds OpenMP cases that were measured with " + other->second + "; this run would use " +
          here +
          ", and tables would mix them. Name another file with -o, or set OMP_NUM_THREADS and the "
          "binding as they were.");
}

}  // namespace sextant
