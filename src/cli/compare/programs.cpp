#include "cli/compare/programs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>

#include "analysis/compare/intervals.hpp"
#include "analysis/compare/turns.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/plural.hpp"
#include "cli/options/own.hpp"
#include "cli/options/values.hpp"
#include "engine/case/sampling.hpp"
#include "engine/concurrent/turns.hpp"
#include "engine/form/callbacks.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/unmeasured.hpp"
#include "engine/process/worker_command.hpp"
#include "engine/process/worker_executor.hpp"
#include "engine/process/worker_questions.hpp"
#include "own/kernel/load.hpp"
#include "plan/describe.hpp"
#include "plan/plan.hpp"
#include "present/terminal.hpp"
#include "run/interrupt.hpp"
#include "run/progress.hpp"
#include "run/sweep.hpp"

namespace sextant {
namespace {

// Splits a text that consists of exactly two names, separated by a comma.
std::array<std::string, 2> two_of(const std::string& text, const char* option, const char* example) {
  const std::size_t comma = text.find(',');
  if (comma == 0 || comma == std::string::npos || comma + 1 == text.size() ||
      text.find(',', comma + 1) != std::string::npos)
    throw UserError(std::string("`") + text + "` of " + option +
                    " is not valid. Write two names with a comma between them, such as " + example);
  return {text.substr(0, comma), text.substr(comma + 1)};
}

WorkerCommand worker_of_program(const std::string& program) {
  if (program.find('/') != std::string::npos && ::access(program.c_str(), X_OK) != 0)
    throw UserError("there is no runnable program " + program +
                    ". --programs needs the `sextant` programs of two builds, such as "
                    "old/build/cpu/bin/sextant,build/cpu/bin/sextant.");
  return {{program, "worker"}};
}

struct Version {
  std::string name;  // Path as the user gave it.
  WorkerCommand worker;
};

std::array<Version, 2> programs_of(const ProgramsRequest& request) {
  const auto names = two_of(request.programs, "--programs", "--programs old/sextant,new/sextant");
  return {Version{names[0], worker_of_program(names[0])}, Version{names[1], worker_of_program(names[1])}};
}

// Prepares workers for both versions of a kernel. This process also loads the first version, because it plans
// the cases with that version.
std::array<Version, 2> loads_of(const ProgramsRequest& request) {
  const auto names = two_of(request.loads, "--loads", "--loads old/mine.cu,new/mine.cu");
  const Loadable base = loadable(names[0], request.asked), other = loadable(names[1], request.asked);
  if (base.path == other.path)
    throw UserError("--loads needs two different files, but both names are the file " + base.path +
                    ". `sextant run --load` measures a single file.");
  load(base.path, "", base.asked);
  return {Version{names[0], worker_with(base)}, Version{names[1], worker_with(other)}};
}

Environment environment_of(const Version& side, bool is_program) {
  try {
    return ask_environment(side.worker);
  } catch (const UserError& error) {
    if (!is_program) throw;
    throw UserError(side.name + " does not answer as a `sextant` program: " + as_sentence(error.what()) +
                        " --programs needs the `sextant` programs of two builds.",
                    ExitCode::missing);
  }
}

// Throws UserError if the second version lacks a kernel that the cases use.
void require_both(const std::vector<Case>& cases, const std::array<Version, 2>& sides,
                  const Environment& base, const Environment& other) {
  for (const Case& one : cases) {
    const std::string loaded = "plugin." + one.kernel;
    if (base.contains(loaded) && !other.contains(loaded))
      throw UserError(sides[1].name + " has no kernel " + one.kernel + ", which " + sides[0].name +
                      " has. Give the kernel the same name in both files, or set the name with --as NAME.");
  }
}

// Passes the hash of the code to the workers. A worker that starts later then refuses the code if it has
// changed.
void hold_code(const Environment& environment, Version* version) {
  const std::string loaded = "plugin.";
  const auto entry = environment.lower_bound(loaded);
  if (entry == environment.end() || !entry->first.starts_with(loaded)) return;
  const std::string code = entry->second.substr(0, entry->second.find(' '));
  version->worker.arguments.insert(version->worker.arguments.end(), {"--code", code});
}

std::size_t parse_runs(const std::string& text) {
  if (text.empty()) return most_turns;
  int runs = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), runs);
  if (error != std::errc() || end != text.data() + text.size() || runs < 4 || runs > 1000)
    throw UserError(
        "`" + text +
        "` of --runs is not a number from 4 to 1000. --runs limits how often each version measures a case.");
  return static_cast<std::size_t>(runs);
}

// Returns the verdict of a case. The summaries of its measurements are added later.
ComparedCase judged(const Turns& turns, std::size_t most, const ProgramsRequest& request) {
  ComparedCase c;
  const auto& [base, other] = turns.sides;
  const auto bad = [](const std::vector<Measurement>& side) { return side.back().status != Status::ok; };
  const auto why = [](const std::vector<Measurement>& side) {
    const Measurement& last = side.back();
    return std::string(name_of(last.status)) + (last.reason.empty() ? "" : ": " + last.reason);
  };
  if (bad(base) || bad(other)) {
    c.verdict = bad(base) && bad(other) ? Verdict::no_result
                : bad(other)            ? Verdict::broken
                                        : Verdict::repaired;
    c.reason = bad(other) ? why(other) : "was " + why(base);
    return c;
  }
  c.time = turns_time(base, other, request.time);
  const std::vector<double> base_times = turn_times(base, c.time), other_times = turn_times(other, c.time);
  c.base_runs = base_times.size();
  c.other_runs = other_times.size();
  const TurnsVerdict verdict = judge_turns(base_times, other_times, request.threshold);
  c.verdict = verdict.verdict;
  c.ratio = verdict.ratio;
  c.base_time = std::exp(median_interval(base_times).median);
  c.other_time = std::exp(median_interval(other_times).median);
  if (c.verdict == Verdict::open)
    c.reason = fmt::format("{} measurements of each version do not decide{}", c.base_runs,
                           c.base_runs < most ? ": the budget is spent" : "; --runs allows more");
  return c;
}

class Comparing {
 public:
  Comparing(const ProgramsRequest& request, ProgramsResult* result)
      : request_(request),
        result_(result),
        versions_(request.loads.empty() ? programs_of(request) : loads_of(request)),
        paths_(two_of(request.results.empty() ? "turns-base.sextant,turns-other.sextant" : request.results,
                      "--results", "--results old.sextant,new.sextant")),
        most_(parse_runs(request.runs)),
        budget_(request.budget.empty() ? 0 : parse_duration(request.budget, "--budget")),
        progress_(request.quiet, inspect_terminal(STDERR_FILENO)) {
    if (paths_[0] == paths_[1])
      throw UserError(
          "--results names the same file twice. Each of the two versions needs its own results file.");
  }

  void run() {
    std::vector<std::string> notes;
    Selection selection = request_.selection;
    selection.timed = true;
    const std::vector<Case> cases = plan(selection, &notes);
    for (const std::string& note : notes) progress_.message("note: " + note);
    Settings settings;
    if (!request_.timeout.empty()) settings.timeout = parse_duration(request_.timeout, "--timeout");
    settings = turn_settings(settings);
    begin(cases);
    const InterruptGuard guard;
    began_ = now();
    Progress shown;
    shown.total = cases.size();
    TurnCallbacks callbacks;
    callbacks.decided = [&](const Turns& turns) { return decided(turns); };
    callbacks.done = [&](const Turns& turns) {
      store(turns);
      ++shown.done;
      shown.elapsed = now() - began_;
      shown.remaining =
          shown.elapsed / static_cast<double>(shown.done) * static_cast<double>(shown.total - shown.done);
      progress_.update(shown);
    };
    // Half of the time is reserved for confirming differences.
    callbacks.stop = [&] { return stopped(0.5); };
    take_turns_in_new_workers(cases, settings, callbacks, false);
    confirm(settings);
    progress_.clear();
    result_->interrupted = InterruptGuard::interrupted();
    if (shown.done < cases.size())
      progress_.message(fmt::format("{} of {} not measured: {}", cases.size() - shown.done, cases.size(),
                                    result_->interrupted ? "interrupted" : "the budget is spent"));
    report();
  }

 private:
  void begin(const std::vector<Case>& cases) {
    std::array<Environment, 2> environments;
    for (std::size_t side = 0; side < 2; ++side) {
      environments[side] = environment_of(versions_[side], request_.loads.empty());
      if (!request_.loads.empty()) hold_code(environments[side], &versions_[side]);
    }
    require_both(cases, versions_, environments[0], environments[1]);
    require_device(request_.selection, environments[0]);
    for (std::size_t side = 0; side < 2; ++side) {
      Session session;
      session.environment = environments[side];
      session.started = timestamp_now();
      session.command = "sextant compare " + asked_text() + (side ? " (second)" : " (first)");
      session.version = value_of(session.environment, "version");
      session.kernels = describe(cases);
      files_[side] = std::make_unique<ResultsFile>(paths_[side], ResultsFile::Mode::write);
      session.id = files_[side]->begin_session(session);
      result_->stored[side].sessions.push_back(session);
    }
  }

  std::string asked_text() const {
    return request_.loads.empty() ? "--programs " + request_.programs : "--loads " + request_.loads;
  }

  bool decided(const Turns& turns) const {
    const std::size_t taken = turns.sides[0].size();
    if (!time_to_judge(taken, most_)) return false;
    return taken >= most_ || judged(turns, most_, request_).verdict != Verdict::open;
  }

  bool stopped(double share) const {
    return InterruptGuard::interrupted() || (budget_ > 0 && now() - began_ > share * budget_);
  }

  void take_turns_in_new_workers(const std::vector<Case>& cases, const Settings& settings,
                                 const TurnCallbacks& callbacks, bool second_first) {
    Callbacks worker_callbacks;
    worker_callbacks.message = [&](const std::string& text) { progress_.message(text); };
    worker_callbacks.stop = [] { return InterruptGuard::interrupted(); };
    const auto base = make_worker_executor(versions_[0].worker, settings, worker_callbacks),
               other = make_worker_executor(versions_[1].worker, settings, worker_callbacks);
    take_turns(cases, *base, *other, callbacks, second_first);
  }

  // Measures seemingly different cases again, in further pairs of processes. A case is done when one pair
  // contradicts the verdict or when enough pairs agree.
  void confirm(const Settings& settings) {
    struct Doubtful {
      ComparedCase* c;
      std::size_t index;
      std::vector<double> shifts;
    };
    std::vector<Doubtful> left;
    for (std::size_t i = 0; i < comparison_.cases.size(); ++i) {
      ComparedCase& c = comparison_.cases[i];
      if (c.verdict == Verdict::slower || c.verdict == Verdict::faster)
        left.push_back({&c, i, {std::log(c.ratio.median)}});
    }
    for (std::size_t pair = 1; pair < pairs_of_processes && !left.empty(); ++pair) {
      progress_.message(fmt::format("{} {}; other processes measure {}, {} of {}",
                                    plural(left.size(), "case"), left.size() == 1 ? "differs" : "differ",
                                    left.size() == 1 ? "it" : "them", pair, pairs_of_processes - 1));
      std::vector<Case> cases;
      for (const Doubtful& one : left)
        cases.push_back(result_->stored[0].measurements[one.index].measurement.what);
      std::size_t measured = 0;
      TurnCallbacks callbacks;
      callbacks.decided = [&](const Turns& turns) {
        return turns.sides[0].size() >= confirming_turns(left[measured].c->base_runs);
      };
      callbacks.stop = [&] { return stopped(1); };
      callbacks.done = [&](const Turns& turns) {
        Doubtful& one = left[measured++];
        const Shift shift =
            shift_interval(turn_times(turns.sides[0], one.c->time), turn_times(turns.sides[1], one.c->time));
        if (!shift.known) return;  // The measurement was stopped, or it failed.
        one.shifts.push_back(shift.middle);
        add_samples(turns, one.index);
      };
      take_turns_in_new_workers(cases, settings, callbacks, pair % 2 == 1);
      std::vector<Doubtful> next;
      for (Doubtful& one : left) {
        if (one.shifts.size() <= pair)
          doubt(one.c, "too few processes measured it before the end");
        else if (!confirmed(one.shifts, pair + 1 < pairs_of_processes ? 0 : request_.threshold))
          doubt(one.c, "processes of one program differ by as much");
        else
          next.push_back(one);
      }
      left = std::move(next);
    }
    // All pairs of processes agree, so the interval of all their ratios replaces that of the first pair.
    for (const Doubtful& one : left) {
      const auto [low, high] = std::minmax_element(one.shifts.begin(), one.shifts.end());
      one.c->ratio.median = std::exp(median_interval(one.shifts).median);
      one.c->ratio.low = std::exp(*low);
      one.c->ratio.high = std::exp(*high);
    }
  }

  static void doubt(ComparedCase* c, const char* why) {
    c->verdict = Verdict::open;
    c->reason = why;
  }

  void add_samples(const Turns& turns, std::size_t index) {
    for (std::size_t side = 0; side < 2; ++side) {
      Measurement& stored = result_->stored[side].measurements[index].measurement;
      stored = joined({stored, joined(turns.sides[side])});
      files_[side]->add(result_->stored[side].sessions.front().id, stored);
    }
  }

  void store(const Turns& turns) {
    for (std::size_t side = 0; side < 2; ++side) {
      Results& stored = result_->stored[side];
      stored.measurements.push_back({joined(turns.sides[side]), stored.sessions.front().id});
      files_[side]->add(stored.sessions.front().id, stored.measurements.back().measurement);
    }
    const auto& [base, other] = turns.sides;
    missing_.push_back({});
    if (base.back().status == Status::skipped) missing_.back().push_back(0);
    if (other.back().status == Status::skipped) missing_.back().push_back(1);
    comparison_.cases.push_back(judged(turns, most_, request_));
  }

  void report() {
    ComparisonReport& report = result_->report;
    report.threshold = request_.threshold;
    report.time = request_.time;
    for (std::size_t side = 0; side < 2; ++side)
      report.sides.push_back({paths_[side], summarise(result_->stored[side])});
    comparison_.in_turns = true;
    std::vector<ComparedCase> cases;
    for (std::size_t i = 0; i < comparison_.cases.size(); ++i) {
      ComparedCase& c = comparison_.cases[i];
      c.base = &report.sides[0].summaries[i];
      c.other = &report.sides[1].summaries[i];
      if (!missing_[i].empty()) {  // At least one of the programs cannot run the case.
        report.missing.push_back({c.other, missing_[i]});
        continue;
      }
      cases.push_back(c);
    }
    comparison_.cases = std::move(cases);
    report.notes.push_back("Stored: " + versions_[0].name + " in " + paths_[0] + ", " + versions_[1].name +
                           " in " + paths_[1] + ".");
    report.comparisons.push_back(std::move(comparison_));
  }

  const ProgramsRequest& request_;
  ProgramsResult* result_;
  std::array<Version, 2> versions_;
  std::array<std::string, 2> paths_;
  std::size_t most_;
  double budget_, began_ = 0;
  ProgressReporter progress_;
  std::unique_ptr<ResultsFile> files_[2];
  Comparison comparison_;
  std::vector<std::vector<std::size_t>> missing_;  // For each case, indices of the sides that skipped it.
};

}  // namespace

void compare_programs(const ProgramsRequest& request, ProgramsResult* result) {
  Comparing(request, result).run();
}

}  // namespace sextant
