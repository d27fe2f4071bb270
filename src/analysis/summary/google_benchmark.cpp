#include "analysis/summary/google_benchmark.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "record/keys.hpp"

namespace sextant {
namespace {

using Json = nlohmann::ordered_json;

constexpr double nanoseconds = 1e9;

std::string name_of_case(const Summary& s, bool with_machine, bool with_threads) {
  const Case& what = s.measurement->what;
  std::string name = what.kernel + "/" + what.variant + "/" + name_of(what.problem.type) + "/" +
                     (what.problem_class.empty() ? std::to_string(what.problem.n) : what.problem_class);
  for (const auto& [key, value] : what.tuning) name += "/" + key + ":" + value_text(value);
  if (what.cache == CacheMode::cold) name += "/cold";
  name += text_of(what.fill, "/");
  if (what.device != "cpu" && what.device != "gpu0") name += "/" + what.device;
  if (with_threads && !s.threads.count.empty()) name += "/threads:" + s.threads.count;
  if (with_threads && !s.threads.binding.empty()) name += "/" + s.threads.binding;
  if (with_machine) name += "/" + s.machine;
  return name;
}

std::string environment_of(const Session* session, const std::string& key) {
  if (!session) return {};
  const auto found = session->environment.find(key);
  return found == session->environment.end() ? std::string() : found->second;
}

double number_of(const Session* session, const std::string& key) {
  return std::atof(environment_of(session, key).c_str());
}

Json context_of(const std::vector<Summary>& summaries) {
  const Session* session = nullptr;
  for (const Summary& s : summaries)
    if (s.session && (!session || s.session->started > session->started)) session = s.session;
  Json context = {
      {"date", session ? session->started : ""},
      {"host_name", environment_of(session, "machine")},
      {"executable", "sextant"},
      {"num_cpus", static_cast<int>(number_of(session, "cpu.threads"))},
      {"mhz_per_cpu", static_cast<int>(std::lround(number_of(session, "cpu.clock") * 1e-6))},
      {"cpu_scaling_enabled", false},
      {"caches", Json::array()},
      {"load_avg", Json::array()},
      {"library_build_type", environment_of(session, "build_type") == "Debug" ? "debug" : "release"}};
  const auto add_cache = [&](const char* key, int level, const char* type) {
    const auto size = static_cast<std::int64_t>(number_of(session, key));
    if (size > 0)
      context["caches"].push_back({{"type", type}, {"level", level}, {"size", size}, {"num_sharing", 1}});
  };
  add_cache("cpu.l1_cache", 1, "Data");
  add_cache("cpu.l2_cache", 2, "Unified");
  add_cache("cpu.last_level_cache", 3, "Unified");
  if (const std::string load = environment_of(session, "load"); !load.empty())
    context["load_avg"].push_back(std::atof(load.c_str()));
  for (const char* key : {"cpu", "gpu0.name", "git_revision"})
    if (const std::string value = environment_of(session, key); !value.empty())
      context["sextant." + std::string(key)] = value;
  if (session) context["sextant.version"] = session->version;
  return context;
}

struct Aggregate {
  const char* name;
  const char* unit;
  double value;
};

// Returns aggregates of all samples, in seconds. The standard deviation divides by n - 1, as Google
// Benchmark's does.
std::vector<Aggregate> aggregates_of(const Summary& s) {
  const std::vector<double>& times = s.measurement->call_times;
  const auto n = static_cast<double>(times.size());
  const double mean = std::accumulate(times.begin(), times.end(), 0.0) / n;
  double squares = 0;
  for (const double time : times) squares += (time - mean) * (time - mean);
  const double deviation = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
  return {{"mean", "time", mean},
          {"median", "time", s.call_time.median},
          {"stddev", "time", deviation},
          {"cv", "percentage", mean > 0 ? deviation / mean : 0}};
}

class Entries {
 public:
  Entries(const Summary& s, std::string name, int family) : s_(s), name_(std::move(name)), family_(family) {
    const std::size_t count = s.measurement->call_times.size();
    repetitions_ = std::min(count, most_repetitions);
  }

  void add_to(Json* list) const {
    const std::vector<double>& times = s_.measurement->call_times;
    for (std::size_t i = 0; i < repetitions_; ++i) {
      // Writes at most most_repetitions samples. They are evenly spaced over the series and include the first
      // sample.
      Json entry = head("iteration", name_);
      entry["repetition_index"] = i;
      entry["threads"] = 1;
      add_time(&entry, times[i * times.size() / repetitions_]);
      list->push_back(std::move(entry));
    }
    for (const Aggregate& aggregate : aggregates_of(s_)) {
      Json entry = head("aggregate", name_ + "_" + aggregate.name);
      entry["threads"] = 1;
      entry["aggregate_name"] = aggregate.name;
      entry["aggregate_unit"] = aggregate.unit;
      const bool time = aggregate.unit == std::string("time");
      entry["iterations"] = times.size();
      entry["real_time"] = aggregate.value * (time ? nanoseconds : 1);
      entry["cpu_time"] = entry["real_time"];
      entry["time_unit"] = "ns";
      if (aggregate.name == std::string("mean") || aggregate.name == std::string("median"))
        add_counters(&entry, aggregate.value);
      list->push_back(std::move(entry));
    }
  }

 private:
  Json head(const char* run_type, const std::string& name) const {
    return {{"name", name},      {"family_index", family_}, {"per_family_instance_index", 0},
            {"run_name", name_}, {"run_type", run_type},    {"repetitions", repetitions_}};
  }

  void add_time(Json* entry, double seconds) const {
    (*entry)["iterations"] = 1;
    (*entry)["real_time"] = seconds * nanoseconds;
    (*entry)["cpu_time"] = seconds * nanoseconds;
    (*entry)["time_unit"] = "ns";
    add_counters(entry, seconds);
  }

  // Adds rates computed from this time, and the case's other figures.
  void add_counters(Json* entry, double seconds) const {
    const Work& work = s_.measurement->work;
    const auto rate = [&](const char* name, std::int64_t amount) {
      if (amount > 0 && seconds > 0) (*entry)[name] = static_cast<double>(amount) / seconds;
    };
    rate("bytes_per_second", work.bytes_read + work.bytes_written);
    rate("items_per_second", work.items);
    rate("flop_per_second", work.flops);
    const auto figure = [&](const char* name, const Interval& interval) {
      if (interval.samples) (*entry)[name] = interval.median;
    };
    figure("device_time", s_.device_time);
    figure("end_to_end_time", s_.end_to_end_time);
    figure("speedup_serial", s_.speedup_serial);
    figure("speedup_cpu", s_.speedup_cpu);
    if (s_.ceiling_fraction) (*entry)["ceiling_fraction"] = *s_.ceiling_fraction;
  }

  const Summary& s_;
  std::string name_;
  int family_;
  std::size_t repetitions_ = 0;
};

}  // namespace

std::string to_google_benchmark(const std::vector<Summary>& summaries) {
  std::set<std::string> machines;
  std::map<std::string, std::string> threads;  // by case: the thread setting
  bool several_threads = false;
  for (const Summary& s : summaries) {
    machines.insert(s.machine);
    if (!s.current) continue;
    const auto [known, fresh] = threads.try_emplace(name_of_case(s, true, false), text_of(s.threads));
    several_threads = several_threads || known->second != text_of(s.threads);
  }
  Json benchmarks = Json::array(), left_out = Json::array();
  int family = 0;
  for (const Summary& s : summaries) {
    if (!s.current) continue;
    const std::string name = name_of_case(s, machines.size() > 1, several_threads);
    if (s.ok())
      Entries(s, name, family++).add_to(&benchmarks);
    else
      left_out.push_back(
          {{"name", name}, {"status", name_of(s.measurement->status)}, {"reason", s.measurement->reason}});
  }
  Json context = context_of(summaries);
  context["left_out"] = std::move(left_out);
  const Json all = {{"context", std::move(context)}, {"benchmarks", std::move(benchmarks)}};
  return all.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sextant
