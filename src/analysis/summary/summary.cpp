#include "analysis/summary/summary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <string_view>
#include <unordered_map>

#include "analysis/summary/outcome.hpp"
#include "analysis/summary/roofline.hpp"
#include "analysis/summary/scaling.hpp"
#include "analysis/summary/time_of.hpp"
#include "record/keys.hpp"
#include "record/lasting.hpp"
#include "record/place.hpp"
#include "record/run_to_run.hpp"

namespace sextant {
namespace {

const KernelDescription* description_of(const Session* session, const std::string& kernel) {
  if (!session) return nullptr;
  const auto found = session->kernels.find(kernel);
  return found == session->kernels.end() ? nullptr : &found->second;
}

void add_transfers(Summary* s) {
  const std::string plain = s->model == "openacc" || s->model == "target" ? "directive" : "pageable";
  const auto add = [](std::optional<double>* sum, double value) { *sum = sum->value_or(0) + value; };
  for (const Transfer& transfer : s->measurement->transfers) {
    if (transfer.times.empty()) continue;
    const double time = median_interval(transfer.times).median;
    if (transfer.method == plain) {
      add(transfer.to_device ? &s->h2d_time : &s->d2h_time, time);
      std::optional<std::int64_t>& bytes = transfer.to_device ? s->h2d_bytes : s->d2h_bytes;
      bytes = bytes.value_or(0) + transfer.bytes;
    } else if (transfer.method == "pinned") {
      add(transfer.to_device ? &s->h2d_pinned_time : &s->d2h_pinned_time, time);
    }
  }
}

void add_launch(Summary* s) {
  const std::vector<KernelLaunch>& launches = s->measurement->launches;
  const auto longest = std::max_element(launches.begin(), launches.end(),
                                        [](const auto& a, const auto& b) { return a.time < b.time; });
  if (longest == launches.end()) return;
  if (longest->registers > 0) s->registers = longest->registers;
  s->shared_memory = longest->shared_memory;
  if (longest->occupancy > 0) s->occupancy = longest->occupancy;
}

void add_rates(Summary* s) {
  if (!s->ok()) return;
  const double time = s->work_time().median;
  const Work& work = s->measurement->work;
  if (!(time > 0)) return;
  if (work.bytes_read + work.bytes_written > 0)
    s->bandwidth = static_cast<double>(work.bytes_read + work.bytes_written) / time;
  if (work.flops > 0) s->flop_rate = static_cast<double>(work.flops) / time;
}

// The standard deviation between processes, estimated from each session's visits (short re-measurements in
// separate processes). Sessions from versions without visits have no entry.
using SpreadsOfSessions = std::map<const Session*, std::shared_ptr<const SessionSpreads>>;

// Returns the call time with its interval. Files from older versions have no visits (re-measurements in other
// processes). For these files, the interval uses the session's own estimate of the noise.
Interval call_time_of(const Summary& s) {
  const Measurement& m = *s.measurement;
  if (s.visits.size() > 1) return interval_of(s.visits, s.spread, m);
  const Interval stay = lasting_interval(m.call_times);
  if (s.spread > 0) return interval_of(stay, s.spread);
  if (s.session)
    if (const std::optional<RunToRun> noise = run_to_run_of(s.session->environment, m.what))
      return across_runs(stay, *noise);
  return stay;
}

// Sets the call time. Its interval is widened to at least the clock's resolution.
void set_call_time(Interval time, Summary* s) {
  const double step = s->measurement->clock_step / s->measurement->calls_per_sample;
  time.low = std::max(0.0, time.low - step);
  time.high += step;
  s->call_time = time;
}

Summary basic_summary(const StoredMeasurement& stored, const Session* session,
                      const SpreadsOfSessions& spreads) {
  const Measurement& m = stored.measurement;
  Summary s;
  s.measurement = &m;
  s.session = session;
  s.machine = session ? machine_of(*session) : "";
  s.model = model_of(m.what.variant);
  s.on_host = is_on_cpu(m.what.device);
  s.parts = parts_together_of(m.what.device);
  s.description = description_of(session, m.what.kernel);
  if (session) s.threads = threads_of(session->environment, m.what);
  if (s.description) {
    const std::vector<std::string>& excluded = s.description->excluded_from_ranking;
    s.group = s.description->group;
    s.excluded_from_ranking = std::find(excluded.begin(), excluded.end(), m.what.variant) != excluded.end();
    if (const auto found = s.description->preparations.find(m.what.variant);
        found != s.description->preparations.end())
      s.prepare_depends_on = found->second;
  }
  s.visits = visit_times(m);
  if (const auto found = spreads.find(session); found != spreads.end()) {
    const std::shared_ptr<const SessionSpreads>& known = found->second;
    if (!s.visits.empty()) s.spread = known->times.of(m.what, std::exp(s.visits.front().log));
    s.ratio_spreads = std::shared_ptr<const RatioSpreads>(known, &known->ratios);
  }
  s.processes = s.visits.size();
  set_call_time(call_time_of(s), &s);
  s.prepare_time = median_interval(m.prepare_times);
  if (m.first_call && !m.prepare_times.empty()) s.first_use = m.prepare_times.front() + *m.first_call;
  s.device_time = median_interval(m.device_times);
  s.alloc_time = median_interval(m.alloc_times);
  s.end_to_end_time = median_interval(m.end_to_end_times);
  add_transfers(&s);
  add_launch(&s);
  add_rates(&s);
  return s;
}

// Marks a measurement as not current if the same machine measured the case again later. Only merged files
// contain both.
void mark_outdated(std::vector<Summary>* summaries) {
  std::unordered_map<std::string, Summary*> newest;
  const auto moment = [](const Summary& s) {
    return std::pair(s.session ? s.session->started : "", s.measurement->timestamp);
  };
  for (Summary& s : *summaries) {
    Summary*& other = newest[s.machine + "|" + key_of(s.measurement->what) + "|" + text_of(s.threads)];
    if (other && moment(*other) > moment(s)) {
      s.current = false;
    } else {
      if (other) other->current = false;
      other = &s;
    }
  }
}

// Returns the standard deviation of the logarithms of the times.
double deviation_of(const std::vector<VisitTime>& times) {
  const auto count = static_cast<double>(times.size());
  double mean = 0, squares = 0;
  for (const VisitTime& time : times) mean += time.log / count;
  for (const VisitTime& time : times) squares += (time.log - mean) * (time.log - mean);
  return std::sqrt(squares / (count - 1));
}

// Joins the runs of each case that come from one machine and build. The newest run gets the mean over all
// sessions. Sessions without visits are left out, so that figures of older files do not change.
void join_runs(std::vector<Summary>* summaries) {
  std::unordered_map<std::string, std::vector<const Summary*>> cases;
  std::map<const Session*, int> sessions;  // each session's position in the file
  const auto key = [](const Summary& s) {
    return s.machine + "|" + key_of(s.measurement->what) + "|" + text_of(s.threads) + "|" + build_of(s);
  };
  for (const Summary& s : *summaries) {
    if (!(s.spread > 0) || !s.ok()) continue;
    cases[key(s)].push_back(&s);
    sessions.try_emplace(s.session, static_cast<int>(sessions.size()));
  }
  for (auto& [name, runs] : cases) {
    if (runs.size() < 2) continue;
    std::vector<VisitTime> times;
    std::size_t processes = 0;
    for (const Summary* run : runs) {
      times.push_back({sessions.at(run->session), centre_of(run->visits, run->spread).log});
      processes += run->processes;
    }
    for (const Summary* run : runs) {
      if (!run->current) continue;
      Summary* const newest = &(*summaries)[static_cast<std::size_t>(run - summaries->data())];
      newest->runs = times;
      newest->processes = processes;
      set_call_time(interval_of(times, std::max(newest->spread, deviation_of(times)), *newest->measurement),
                    newest);
      add_rates(newest);
    }
  }
}

// Returns the highest plausible ceilings. On the CPU, other programs may have lowered the measured ones. Each
// bandwidth is therefore raised to at least that of larger footprints and of one core. Each arithmetic rate
// is raised to at least that of one core. Other devices keep their ceilings.
std::vector<Ceiling> at_best(std::vector<Ceiling> ceilings, const std::string& device) {
  constexpr std::string_view one_core = "_core";
  if (device != "cpu") return ceilings;
  const std::vector<Ceiling> measured = ceilings;
  for (Ceiling& c : ceilings)
    for (const Ceiling& other : measured) {
      std::string_view name = other.name;
      if (name.ends_with(one_core)) name.remove_suffix(one_core.size());
      if (name == c.name && other.footprint >= c.footprint && !name.starts_with("launch_"))
        c.value = std::max(c.value, other.value);
    }
  return ceilings;
}

// The ceilings as measured, and corrected for other programs that may have lowered them (see at_best).
struct Ceilings {
  Roofline measured, at_best;
};

// Finds ceilings for a summary: those of its session, else of the latest session of its machine that has any.
class Rooflines {
 public:
  explicit Rooflines(const Results& results) : results_(results) {}

  const Ceilings& of(const Summary& s) {
    const std::string& device = s.measurement->what.device;
    if (const auto found = cache_.find({s.session, device}); found != cache_.end()) return found->second;
    std::vector<Ceiling> known;
    for (const std::string& each : devices_of_ceilings(device))
      if (const Session* best = best_session(s, each))
        std::copy_if(best->ceilings.begin(), best->ceilings.end(), std::back_inserter(known),
                     [&](const Ceiling& ceiling) { return ceiling.device == each; });
    return cache_
        .emplace(std::pair(s.session, device),
                 Ceilings{Roofline(known, device), Roofline(at_best(known, device), device)})
        .first->second;
  }

 private:
  const Session* best_session(const Summary& s, const std::string& device) const {
    const Session* best = nullptr;
    for (const Session& session : results_.sessions) {
      const bool has = std::any_of(session.ceilings.begin(), session.ceilings.end(),
                                   [&](const Ceiling& ceiling) { return ceiling.device == device; });
      if (!has || machine_of(session) != s.machine) continue;
      if (!best || &session == s.session || (best != s.session && session.started > best->started))
        best = &session;
    }
    return best;
  }

  const Results& results_;
  std::map<std::pair<const Session*, std::string>, Ceilings> cache_;
};

// True if the name of the kernel with the longest time shows that it uses matrix units: "…tensor16x8x16…",
// "tensorop_d884gemm", "tensor_tile".
bool names_matrix_units(const Measurement& m) {
  const auto longest = std::max_element(m.launches.begin(), m.launches.end(),
                                        [](const auto& a, const auto& b) { return a.time < b.time; });
  return longest != m.launches.end() && longest->name.find("tensor") != std::string::npos;
}

std::optional<double> counter_of(const Measurement& m, const char* name) {
  for (const auto& [key, value] : m.counters)
    if (key == name) return value;
  return std::nullopt;
}

// True if the hardware counters show that less than half of the memory bandwidth is used.
bool memory_waits(const Roofline& roofline, const Measurement& m, double seconds) {
  const auto read = counter_of(m, "dram_bytes_read"), written = counter_of(m, "dram_bytes_written");
  if (!read || !written || !(*read + *written > 0)) return false;
  const auto most =
      roofline.bandwidth(std::numeric_limits<std::int64_t>::max(), *written / (*read + *written));
  return most && (*read + *written) / seconds < *most / 2;
}

Limit limit_of(const Roofline& roofline, const Summary& s, const Bound& bound) {
  // A fraction of the ceiling below `near` is far from it. A call shorter than `few` launches is limited by
  // the launch.
  constexpr double near = 0.5, few = 4;
  if (*s.ceiling_fraction < near) {
    const std::optional<double> launch = roofline.launch_cost(s.model);
    const double seconds = s.work_time().median;
    if (launch && seconds < few * *launch) return Limit::launch;
    if (memory_waits(roofline, *s.measurement, seconds)) return Limit::launch;
  }
  return bound.by_link ? Limit::link : bound.by_arithmetic ? Limit::arithmetic : Limit::memory;
}

// Explains why a measurement is faster than its ceiling, which allows `bound` seconds.
void explain_above(const Roofline& roofline, double bound, Summary* s) {
  const std::string& device = s->measurement->what.device;
  const Problem& problem = s->measurement->what.problem;
  constexpr double at_ceiling = 1.05;  // a smaller factor needs no further reason
  const std::int64_t bytes = problem.n * static_cast<std::int64_t>(element_size(problem.type));
  if (*s->ceiling_fraction <= at_ceiling) {
    s->above_ceiling = "at its ceiling: two measurements of a ceiling differ by as much";
  } else if (bytes > 0 && bytes < roofline.least_footprint()) {
    s->above_ceiling =
        "its arrays are smaller than the smallest that the ceilings of " + device + " were measured with";
  } else if (bound > ceiling_repeatability * s->work_time().high) {
    s->above_ceiling = "faster than the ceilings of " + device +
                       " allow: results were cached, work was skipped, or the ceilings are too low";
    s->beyond_ceiling = true;
  } else {
    s->above_ceiling = "within its own interval of the ceilings of " + device;
  }
}

// Formats a time for comparison with another one: always in microseconds ("38.2 µs", "1880 µs").
std::string microseconds(double seconds) {
  const double value = 1e6 * seconds;
  char text[32];
  std::snprintf(text, sizeof text, value < 1000 ? "%.3g µs" : "%.0f µs", value);
  return text;
}

// Explains why a result is impossible; empty if it is plausible. An impossible result is far faster than the
// ceilings allow, even at the slow end of its interval. The variant cannot have done the work. Arrays smaller
// than any measured footprint get a larger margin, because faster caches may hold them. So do variants that
// prepare for the inputs' structure: what they prepare may be shorter than the arrays (a mesh as runs of
// edges has 0.39 of the bytes).
std::string why_impossible(const Roofline& roofline, const Bound& bound, const Summary& s) {
  constexpr double far = 2, far_of_less = 4;
  const Problem& problem = s.measurement->what.problem;
  const std::int64_t bytes = problem.n * static_cast<std::int64_t>(element_size(problem.type));
  const bool is_small = bytes < roofline.least_footprint() && !bound.by_arithmetic;
  const bool is_prepared =
      s.prepare_depends_on == DependsOn::structure && !bound.by_arithmetic && !bound.by_link;
  const double margin = is_small || is_prepared ? far_of_less : far;
  if (!(bound.seconds > margin * s.work_time().high)) return {};
  const std::string& device = s.measurement->what.device;
  const std::string by = bound.by_link         ? "the links of " + device + " allow"
                         : bound.by_arithmetic ? "the arithmetic of " + device + " allows"
                                               : "the memory of " + device + " allows";
  return microseconds(s.work_time().median) + ", where " + by + " at least " + microseconds(bound.seconds);
}

// Raises the lower bounds of the time intervals to the time that the ceiling allows, divided by the
// repeatability of ceilings.
void cut_at_ceiling(const Bound& bound, Summary* s) {
  const double least = bound.seconds / ceiling_repeatability;
  for (Interval* interval : {&s->call_time, &s->device_time})
    if (interval->samples && least <= interval->median) interval->low = std::max(interval->low, least);
}

void add_ceiling(const Ceilings& ceilings, Summary* s) {
  const Roofline& roofline = ceilings.measured;
  const double time = s->work_time().median;
  if (!s->ok() || !(time > 0)) return;
  const Measurement& m = *s->measurement;
  const Problem& problem = m.what.problem;
  const auto plain = roofline.flop_rate(problem.type, false), matrix = roofline.flop_rate(problem.type, true);
  // A double rate above the ceiling of the ordinary arithmetic units shows that matrix units were used.
  const bool beyond_plain =
      problem.type == ElementType::float64 && plain && s->flop_rate && *s->flop_rate > 1.02 * *plain;
  s->matrix_units = plain && matrix && *matrix > *plain && (names_matrix_units(m) || beyond_plain);
  const std::optional<Bound> bound = roofline.bound(m.work, problem, m.what.cache, s->matrix_units);
  if (!bound) {
    const bool of_links = !roofline.empty() && roofline.lacks_links();
    s->notes.push_back(
        "no ceiling of " +
        (of_links ? "the links of " + m.what.device : devices_of_ceilings(m.what.device).front()) +
        " was measured");
    return;
  }
  s->ceiling_fraction = bound->seconds / time;
  // Only sessions with visits have a spread. For older files, the interval stays as it is.
  if (s->spread > 0) cut_at_ceiling(*bound, s);
  const bool of_unknown_units = !s->matrix_units && names_matrix_units(m) && bound->by_arithmetic;
  // Variants excluded from ranking do other work, so the bound does not apply to them.
  if (!of_unknown_units && !s->excluded_from_ranking)
    s->why_impossible =
        why_impossible(roofline, *ceilings.at_best.bound(m.work, problem, m.what.cache, s->matrix_units), *s);
  s->limit = limit_of(roofline, *s, *bound);
  if (*s->ceiling_fraction <= 1) return;
  explain_above(roofline, bound->seconds, s);
  s->notes.push_back(s->above_ceiling);
}

// The fastest measurement of each thread setting. The key "" is for measurements without threads.
using FastestByThreads = std::map<std::string, const Summary*>;

// Returns the fastest among measurements with the same thread setting as `s` or without one. Returns the
// fastest of all if `s` has no threads.
const Summary* best_of(const FastestByThreads& all, const Summary& s, TimeOf time_of) {
  const std::string own = text_of(s.threads);
  const Summary* best = nullptr;
  for (const auto& [threads, one] : all)
    if (own.empty() || threads.empty() || threads == own) keep_faster(*one, time_of, &best);
  return best;
}

// For each variant that prepares for its inputs, sets the number of launches from which the preparation pays.
void add_break_evens(std::vector<Summary>* summaries) {
  const auto competes = [](const Summary& s) {
    return s.ok() && s.current && !s.excluded_from_ranking && s.parts == 0;
  };
  const auto key = [](const Summary& s) { return problem_key(s) + "|" + s.measurement->what.device; };
  std::unordered_map<std::string, std::map<std::string, const Summary*>> rivals;
  for (const Summary& s : *summaries)
    if (competes(s) && s.prepare_depends_on == DependsOn::sizes)
      keep_faster(s, call_of, &rivals[key(s)][text_of(s.threads)]);
  for (Summary& s : *summaries) {
    if (!competes(s) || s.prepare_depends_on == DependsOn::sizes) continue;
    const auto found = rivals.find(key(s));
    const Summary* rival = found == rivals.end() ? nullptr : best_of(found->second, s, call_of);
    if (!rival) continue;
    s.pays_from.rival = rival->measurement;
    const double saved = rival->call_time.median - s.call_time.median;
    if (saved > 0)
      s.pays_from.launches = std::max<std::int64_t>(1, std::llround(std::ceil(s.preparation() / saved)));
  }
}

struct Baselines {
  const Summary* serial = nullptr;
  FastestByThreads cpu, cpu_once;  // the fastest CPU versions: by call time, and by the time of a single use
};

std::unordered_map<std::string, Baselines> find_baselines(const std::vector<Summary>& summaries) {
  std::unordered_map<std::string, Baselines> baselines;
  for (const Summary& s : summaries) {
    if (!is_cpu_version(s)) continue;
    Baselines& b = baselines[problem_key(s)];
    if (s.measurement->what.variant == "serial.baseline") b.serial = &s;
    keep_faster(s, call_of, &b.cpu[text_of(s.threads)]);
    keep_faster(s, whole_of, &b.cpu_once[text_of(s.threads)]);
  }
  return baselines;
}

// Returns the speed-up of `s` over the baseline. The speed-up of a baseline over itself is exactly 1.
Interval speedup(const Summary* baseline, const Summary* s, TimeOf time_of) {
  if (baseline == s) return {.low = 1, .median = 1, .high = 1, .minimum = 1, .samples = time_of(*s).samples};
  return ratio_of_medians(time_of(*baseline), time_of(*s));
}

void add_speedups(const Baselines& baselines, Summary* s) {
  if (!s->ok()) return;
  if (!s->on_host && s->end_to_end_time.samples == 0)
    s->notes.emplace_back(
        lacks_pass(*s->measurement)
            ? "no end-to-end time: a search times it only for the default and the fastest tuning"
            : "the end-to-end time was not measured");
  if (baselines.serial) {
    s->speedup_serial = speedup(baselines.serial, s, call_of);
    s->speedup_serial_with_transfers = speedup(baselines.serial, s, whole_of);
  } else {
    s->notes.emplace_back("serial.baseline was not measured (correctly) for this problem");
  }
  const Summary* cpu = best_of(baselines.cpu, *s, call_of);
  set_best_cpu(cpu, best_of(baselines.cpu_once, *s, whole_of), s);
  if (!cpu) s->notes.emplace_back("no CPU version was measured (correctly) for this problem");
}

}  // namespace

std::vector<std::pair<std::string, std::int64_t>> parameters_of(const Summary& s) {
  std::vector<std::pair<std::string, std::int64_t>> list;
  const auto& values = s.measurement->what.problem.parameters;
  if (s.description)
    for (std::size_t i = 0; i < s.description->parameters.size() && i < values.size(); ++i)
      list.emplace_back(s.description->parameters[i], values[i]);
  return list;
}

std::string problem_key(const Summary& s) {
  return s.machine + "|" + key_of(problem_case(s.measurement->what));
}

Contest contest_of_calls(const Summary& slow, const Summary& fast) {
  const bool by_runs = !slow.runs.empty() && !fast.runs.empty();
  const bool together = slow.session == fast.session && slow.runs.empty() && fast.runs.empty();
  const auto visits = [&](const Summary& s) {
    return by_runs ? std::span<const VisitTime>(s.runs) : together ? s.visits : std::span<const VisitTime>();
  };
  return contest({*slow.measurement, slow.call_time, visits(slow), slow.spread},
                 {*fast.measurement, fast.call_time, visits(fast), fast.spread},
                 together ? fast.ratio_spreads.get() : nullptr);
}

std::string build_of(const Summary& s) {
  std::string build;
  if (!s.session) return build;
  const std::string loaded = "plugin." + s.measurement->what.kernel;
  for (const auto& [key, value] : s.session->environment)
    if (key == "version" || key == "git_revision" || key == "build_type" || key == loaded ||
        key.rfind("compiler.", 0) == 0 || key.rfind("flags.", 0) == 0)
      build += key + "=" + value + "\n";
  return build;
}

bool is_cpu_version(const Summary& s) {
  return s.ok() && s.current && !s.excluded_from_ranking && s.on_host && s.parts == 0 &&
         s.model != "openacc" && s.model != "target" && s.model != "cuda";
}

bool lacks_device(const Summary& s) {
  return s.measurement->status == Status::skipped && s.session &&
         !has_device(s.session->environment, s.measurement->what.device);
}

void set_best_cpu(const Summary* best, const Summary* best_once, Summary* s) {
  s->speedup_cpu = best ? speedup(best, s, call_of) : Interval{};
  s->speedup_cpu_with_transfers = best_once ? speedup(best_once, s, whole_of) : Interval{};
}

double Summary::preparation() const {
  const std::span<const double> all = measurement->prepare_times;
  return median_interval(all.size() > 1 ? all.subspan(1) : all).median;
}

std::vector<Summary> summarise(const Results& results) {
  std::unordered_map<std::int64_t, const Session*> sessions;
  for (const Session& session : results.sessions) sessions[session.id] = &session;
  const auto session_of = [&](const StoredMeasurement& stored) {
    const auto found = sessions.find(stored.session);
    return found == sessions.end() ? nullptr : found->second;
  };
  std::map<const Session*, std::vector<const Measurement*>> with_visits;
  for (const StoredMeasurement& stored : results.measurements)
    if (const Session* session = session_of(stored);
        session && !value_of(session->environment, most_visits_key).empty())
      with_visits[session].push_back(&stored.measurement);
  SpreadsOfSessions spreads;
  for (const auto& [session, measurements] : with_visits)
    spreads[session] = std::make_shared<const SessionSpreads>(session_spreads(measurements));
  std::vector<Summary> summaries;
  summaries.reserve(results.measurements.size());
  for (const StoredMeasurement& stored : results.measurements)
    summaries.push_back(basic_summary(stored, session_of(stored), spreads));
  mark_outdated(&summaries);
  join_runs(&summaries);
  Rooflines rooflines(results);
  for (Summary& s : summaries) add_ceiling(rooflines.of(s), &s);
  const std::unordered_map<std::string, Baselines> baselines = find_baselines(summaries);
  for (Summary& s : summaries) {
    const auto found = baselines.find(problem_key(s));
    add_speedups(found == baselines.end() ? Baselines() : found->second, &s);
  }
  add_outcomes(&summaries);
  add_break_evens(&summaries);
  add_scaling(&summaries);
  return summaries;
}

std::vector<Summary> with_usual_inputs(std::vector<Summary> summaries) {
  std::erase_if(summaries, [](const Summary& s) { return s.measurement->what.fill != InputFill::uniform; });
  return summaries;
}

Summary held_against(const std::vector<Ceiling>& ceilings, const Measurement& measurement,
                     DependsOn prepares_for) {
  Results one;
  one.sessions.emplace_back().ceilings = ceilings;
  if (prepares_for != DependsOn::sizes)
    one.sessions.front().kernels[measurement.what.kernel].preparations[measurement.what.variant] =
        prepares_for;
  one.measurements.push_back({measurement, one.sessions.front().id});
  Summary summary = summarise(one).front();
  summary.measurement = nullptr, summary.session = nullptr, summary.description = nullptr;
  summary.pays_from = {};
  return summary;
}

}  // namespace sextant
