#include "cli/advise/probe.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "cli/advise/measure.hpp"
#include "engine/executor.hpp"
#include "plan/describe.hpp"
#include "predict/as_used.hpp"
#include "record/keys.hpp"
#include "record/statistics.hpp"
#include "run/held.hpp"
#include "run/interrupt.hpp"
#include "run/progress.hpp"
#include "run/sweep.hpp"

namespace sextant {
namespace {

constexpr std::int64_t step = 8, least_size = 2048;  // probed sizes, in N
constexpr std::size_t most_variants = 3;             // of an option
constexpr int sure_sizes = 2;                        // sizes of a variant that are probed if time is left

Settings settings_of_probes() {
  Settings settings;
  settings.min_samples = 3, settings.max_samples = 40;
  settings.max_noise = 0.03;
  settings.least_seconds = 0.001, settings.warm_seconds = 0.001, settings.case_seconds = 0.012;
  settings.timeout = 4 * predict::probe_seconds;
  return settings;
}

// Stages that depend on caches of compiled code and on drivers. They are not part of the budget.
bool is_start(Stage stage) {
  return stage == Stage::starting || stage == Stage::starting_gpu || stage == Stage::loading_code ||
         stage == Stage::compiling || stage == Stage::waiting_for_compilers;
}

}  // namespace

std::vector<std::int64_t> probed_sizes(const std::vector<Question>& questions) {
  std::int64_t largest = 0;
  for (const Question& question : questions)
    if (question.at_size) largest = std::max(largest, question.what.problem.n);
  std::vector<std::int64_t> sizes;
  for (std::int64_t n = largest; n >= least_size || (n > 0 && sizes.size() < 2); n /= step)
    sizes.push_back(n);
  std::reverse(sizes.begin(), sizes.end());
  return sizes;
}

std::vector<Case> cases_to_probe(const std::vector<Question>& ladder, const predict::DataSet& known,
                                 const std::string& hardware) {
  std::set<std::string> cases;                             // keys of the measured cases
  std::map<std::string, std::set<std::int64_t>> measured;  // sizes by kernel, type and option
  const auto series = [](const Case& what, predict::Option option) {
    return predict::kernel_in_type(what) + " " + name_of(option);
  };
  for (const predict::DataRow& row : known.rows) {
    if (!row.option || predict::hardware_of(known.machines[row.machine].profile) != hardware) continue;
    cases.insert(key_of(row.what));
    measured[series(row.what, *row.option)].insert(row.what.problem.n);
  }
  std::vector<Case> probes;
  for (const Question& question : ladder)
    for (const predict::Option option : predict::all_options) {
      const std::vector<Case>& candidates = question.candidates[static_cast<std::size_t>(option)];
      if (measured[series(question.what, option)].size() >= sure_sizes) continue;
      for (std::size_t i = 0; i < std::min(candidates.size(), most_variants); ++i)
        if (!cases.contains(key_of(candidates[i]))) probes.push_back(candidates[i]);
    }
  std::stable_sort(probes.begin(), probes.end(),
                   [](const Case& a, const Case& b) { return a.problem.n < b.problem.n; });
  return probes;
}

std::string ProbeBudget::series_of(const Case& what) {
  return predict::kernel_in_type(what) + " " + what.variant + " " + what.device;
}

double ProbeBudget::expected_call(const std::string& series, const Case& what) const {
  const auto call = calls_.find(series);
  return call == calls_.end() ? 0
                              : call->second.seconds * static_cast<double>(what.problem.n) / call->second.n;
}

std::string ProbeBudget::refuse(const Case& what) const {
  const std::string series = series_of(what);
  if (failed_.contains(series)) return "it failed at a smaller size";
  Case serial = what;
  serial.variant = "serial.baseline", serial.device = "cpu";
  const double seconds =
      predict::seconds_of_probe(expected_call(series_of(serial), what), expected_call(series, what));
  const auto sizes = measured_.find(series);
  const bool needed = sizes == measured_.end() || sizes->second < sure_sizes;
  return seconds > (needed ? left_ : left_ / 2) ? "the time for probes is spent" : "";
}

void ProbeBudget::add(const Measurement& measured) {
  const std::string series = series_of(measured.what);
  if (measured.status == Status::ok && !measured.call_times.empty()) {
    calls_[series] = {static_cast<double>(measured.what.problem.n),
                      median_interval(measured.call_times).median};
    ++measured_[series];
  } else if (measured.status != Status::skipped) {
    failed_.insert(series);
  }
}

Results probe(const std::vector<Case>& cases, const AdviceGround& ground, bool quiet) {
  ProgressReporter progress(quiet, inspect_terminal(STDERR_FILENO));
  const Settings settings = settings_of_probes();
  const Session session = session_of(cases, settings, ground);
  Results results;
  results.sessions = {session};
  if (const predict::Profile now = predict::profile_of(session); predict::is_loaded(now.load, now.threads))
    progress.message(
        fmt::format("note: other programs use the processors (load average {:.1f}), so the probes may take "
                    "too long and the advice may be wrong",
                    now.load));
  ProbeBudget budget(predict::probe_seconds);
  const InterruptGuard guard;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& measured) {
    budget.add(measured);
    if (measured.status == Status::ok) results.measurements.push_back({measured, session.id});
    if (measured.status != Status::ok && measured.status != Status::skipped)
      progress.message(describe(measured.what) + " is left out: " + measured.reason);
  };
  callbacks.progress = [&](const Progress& now) { progress.update(now); };
  callbacks.message = [&](const std::string& text) { progress.message(text); };
  callbacks.refuse = [&](const Case& what) { return budget.refuse(what); };
  callbacks.spent = [&](const Case&, Stage stage, double seconds) {
    if (!is_start(stage)) budget.spend(seconds);
  };
  callbacks.stop = [&] { return InterruptGuard::interrupted() || budget.left() <= -predict::probe_seconds; };
  execute(cases, settings, worker_command(), callbacks);
  progress.clear();
  return results;
}

}  // namespace sextant
