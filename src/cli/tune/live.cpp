#include "cli/tune/live.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>

#include "base/clock.hpp"
#include "cli/files/load.hpp"
#include "cli/options/invocation.hpp"
#include "cli/tune/known.hpp"
#include "cli/tune/one.hpp"
#include "cli/tune/prior.hpp"
#include "cli/tune/spaces.hpp"
#include "cli/tune/table.hpp"
#include "engine/form/unmeasured.hpp"
#include "engine/process/in_process_executor.hpp"
#include "engine/process/worker_executor.hpp"
#include "engine/process/worker_questions.hpp"
#include "machine/thread_count.hpp"
#include "plan/describe.hpp"
#include "plan/plan.hpp"
#include "present/fastest_variants.hpp"
#include "present/search_view.hpp"
#include "present/wrap.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "run/ceilings.hpp"
#include "run/interrupt.hpp"
#include "run/judged_executor.hpp"
#include "run/sweep.hpp"
#include "run/timings.hpp"
#include "run/without_gpu.hpp"
#include "store/results_file.hpp"
#include "tuner/engine_objective.hpp"
#include "tuner/final_round.hpp"
#include "tuner/live_space.hpp"
#include "tuner/recorded_space.hpp"

namespace sextant {
namespace {

constexpr double generous = 3;  // A space may take this many times its equal share of the remaining time.
// Number of repeated measurements of each finalist. It suffices for a 95 % interval of the finalists' time
// ratios.
constexpr std::size_t rounds = 11;

Settings settings_of(const LiveTuningOptions& options) {
  Settings settings;
  if (!options.samples.empty()) {
    const SampleRange range = parse_samples(options.samples, settings.max_samples);
    settings.min_samples = range.minimum;
    settings.max_samples = range.maximum;
  }
  if (!options.max_noise.empty()) settings.max_noise = parse_share(options.max_noise, "--max-noise");
  if (!options.timeout.empty()) settings.timeout = parse_duration(options.timeout, "--timeout");
  settings.in_process = options.in_process;
  settings.transfers = false;
  std::random_device source;
  while (settings.seed == 0) settings.seed = (std::uint64_t{source()} << 32) ^ source();
  return settings;
}

tuner::Goal goal_of(const std::string& text) {
  for (std::size_t i = 0; i < std::size(tuner::goal_names); ++i)
    if (text == tuner::goal_names[i]) return static_cast<tuner::Goal>(i);
  throw UserError("`" + text +
                  "` of --by is not valid. Choose `device`, `call`, `whole`, `energy` or `edp`.");
}

// Throws UserError if the search needs the energy of calls, and it cannot be known on a device of the spaces.
void require_energy(tuner::Goal goal, const std::vector<Case>& spaces, const Environment& environment) {
  if (!needs_energy(goal)) return;
  const std::string by = std::string("--by ") + name_of(goal);
  for (const Case& space : spaces) {
    if (space.cache == CacheMode::cold)
      throw UserError(by + " measures calls in a row, whose caches are warm. Leave --cache cold out.");
    const std::string known = value_of(environment, space.device + ".energy");
    if (known == "ok") continue;
    const std::string why = known.empty() ? "nothing counts it" : known;
    throw UserError(by + " needs the energy of calls on " + space.device + ", which is not known (" + why +
                        "). Choose --by device, or another device with -d.",
                    ExitCode::missing);
  }
}

// Returns the number of OpenMP threads in the process that runs the cases, a worker or this one.
int threads_of(const Environment& environment, const LiveTuningOptions& options) {
  if (options.in_process) return openmp_threads();
  const std::string text = value_of(environment, "openmp.threads");
  return text.empty() ? 1 : std::stoi(text);
}

std::vector<Ceiling> of_device(std::vector<Ceiling> ceilings, const std::string& device) {
  std::erase_if(ceilings, [&](const Ceiling& one) { return one.device != device; });
  return ceilings;
}

// Does all the searches of one command.
class LiveTuning {
 public:
  LiveTuning(const LiveTuningOptions& options, std::vector<Case> spaces, const Selection& selection,
             const Environment& environment, ProgressReporter& progress)
      : options_(options),
        goal_(goal_of(options.by)),
        settings_(settings_of(options)),
        spaces_(std::move(spaces)),
        selection_(selection),
        environment_(environment),
        progress_(progress),
        against_(options.against.empty() ? std::optional<Results>() : load_results(options.against)),
        priors_(priors_in(options.priors)),
        file_(options.file, ResultsFile::Mode::write),
        held_(file_.load()) {
    if (!file_.note().empty()) progress.message("note: " + file_.note());
    complete(&held_);
    if (!options.fresh) known_ = known_here(held_, environment);
    Session session;
    session.started = timestamp_now();
    session.command = command_line();
    session.version = SEXTANT_VERSION;
    session.environment = environment;
    session.kernels = describe(spaces_);
    session_ = file_.begin_session(session);
    session.id = session_;
    taught_ = held_;
    taught_.sessions.push_back(session);
    callbacks_.message = [this](const std::string& text) { progress_.message(text); };
    callbacks_.spent = [this](const Case& what, Stage stage, double seconds) {
      timings_.cases[name_of(stage)][what.device == "cpu" ? 0 : 1] += seconds;
    };
    callbacks_.stop = [] { return InterruptGuard::interrupted(); };
    executor_ = std::make_unique<JudgedExecutor>(
        settings_.in_process ? make_in_process_executor(settings_, callbacks_)
                             : make_worker_executor(worker_command(), settings_, callbacks_),
        ceilings());
  }

  ExitCode run() {
    const InterruptGuard guard;
    const Terminal out = inspect_terminal(STDOUT_FILENO);
    std::vector<Column> columns = search_columns();
    if (options_.against.empty())
      std::erase_if(columns, [](const Column& one) { return one.name == "against"; });
    GrowingTable table(columns, options_.json, out.colour);
    const double began = now();
    std::size_t left = spaces_.size();
    for (const Case& space : spaces_) {
      const double spent = now() - began;
      if (InterruptGuard::interrupted() || (options_.budget.seconds > 0 && spent >= options_.budget.seconds))
        break;
      const double share =
          options_.budget.seconds > 0
              ? (options_.budget.seconds - spent) * std::min(1.0, generous / static_cast<double>(left))
              : 0;
      std::optional<Against> against;
      const Search search = tune(space, share, &against);
      --left;
      note_statuses(search);
      progress_.clear();
      add_row(search_row(search, against), &table);
      if (!options_.json) std::fputs(search_details(search).c_str(), stdout);
      std::fflush(stdout);
      found_searches_.push_back(search);
    }
    if (options_.one && !stopped_) choose_one_for_all(&table);
    progress_.clear();
    if (!options_.json) {
      const std::string fastest = fastest_variants(found_searches_);
      std::fputs(wrap(fastest, out.interactive ? out.columns : 0).c_str(), stdout);
    }
    if (options_.timings) std::fputs(timings_.text().c_str(), stderr);
    return exit_code(left);
  }

 private:
  // Returns the ceilings (measured limits) of the devices of all spaces. They are the newest ones of this
  // machine in the file. Missing ones are measured now.
  std::vector<Ceiling> ceilings() {
    if (options_.no_ceilings) return {};
    const std::string machine = value_of(environment_, "machine");
    std::map<std::string, std::vector<Ceiling>> of;  // Maps a device to its ceilings.
    for (const Case& space : spaces_) of[space.device];
    for (const Session& session : held_.sessions)
      for (auto& [device, known] : of)
        if (machine_of(session) == machine)
          if (std::vector<Ceiling> some = of_device(session.ceilings, device); !some.empty())
            known = std::move(some);
    std::set<std::string> unknown;
    std::vector<Ceiling> all;
    for (const auto& [device, known] : of) {
      if (known.empty() && has_device(environment_, device)) unknown.insert(device);
      all.insert(all.end(), known.begin(), known.end());
    }
    const std::vector<Ceiling> measured =
        RunCeilings(worker_command(), progress_, file_, session_, timings_).measure(unknown);
    all.insert(all.end(), measured.begin(), measured.end());
    return all;
  }

  void add_row(std::vector<Cell> row, GrowingTable* table) {
    if (options_.against.empty()) row.erase(row.begin() + 11);
    table->add(row);
  }

  // For --one: chooses one tuning for each kernel and variant that has several sizes.
  void choose_one_for_all(GrowingTable* table) {
    for (const std::vector<Search*>& searches : sizes_together(found_searches_)) {
      std::optional<tuner::SharedTuning> shared;
      stopped_ = !tuner::shared_round(*executor_, settings_, goal_, rounds,
                                      shared_tunings(searches, selection_), searches, &shared);
      if (stopped_) return;
      if (!shared) {
        progress_.message("note: no tuning of " + searches.front()->space.kernel + " " +
                          searches.front()->space.variant +
                          " runs at every size, so each size keeps its own tuning");
        continue;
      }
      for (const Search* search : searches) file_.add(session_, *search);
      progress_.clear();
      if (options_.json)
        add_row(shared_row(*shared, searches), table);
      else
        std::fputs(shared_text(*shared, searches).c_str(), stdout);
      std::fflush(stdout);
    }
  }

  // Returns what can be learned from other spaces of the same kernel and variant. These spaces are in the
  // files of --prior or, without that option, in the results file.
  NamedPrior prior_of(const Case& space, const tuner::Space& points) {
    const bool asked = !options_.priors.empty();
    const std::vector<tuner::RecordedSpace> own =
        asked ? std::vector<tuner::RecordedSpace>() : tuner::recorded_spaces(taught_);
    NamedPrior all = prior_for(asked ? priors_ : own, asked, space, points);
    if (!priors_.empty() && all.prior.empty())
      progress_.message("note: no file of --prior has the tunables of " + space_text(space) +
                        " and one of its tunings, so nothing is learned from these files");
    return all;
  }

  // Starts a search of the space. If an earlier search has the same strategy, seed and goal, the new search
  // continues it with its evaluations.
  Search begun(const Case& space, const tuner::LiveSpace& live, const std::string& strategy,
               const std::string& prior) {
    Search search;
    search.session = session_;
    search.space = space;
    search.space.tuning.clear();
    search.strategy = strategy;
    search.seed = options_.seed;
    search.goal = name_of(goal_);
    search.prior = prior;
    search.points = static_cast<std::int64_t>(live.space.size());
    search.refused = live.refused;
    search.standard = space.tuning;
    const auto before = known_.searches.find(key_of(search.space));
    if (before == known_.searches.end()) return search;
    const Search& old = before->second;
    if (old.strategy != search.strategy || old.seed != search.seed || old.goal != search.goal) return search;
    search.steps = old.steps;
    search.finalists = old.finalists;
    search.gain = old.gain;
    search.sizes = old.sizes;
    return search;
  }

  // Shows the progress after an evaluation. `total` is the maximum number of evaluations. `resumed` of them
  // come from an earlier search; their time is not included in `seconds`.
  void show_step(const Search& so_far, std::size_t resumed, std::size_t total, double seconds) {
    Progress shown;
    Case running = so_far.space;
    running.tuning = so_far.steps.back().tuning;
    shown.running = &running;
    shown.done = so_far.steps.size();
    shown.total = total;
    shown.elapsed = seconds;
    shown.remaining =
        seconds / static_cast<double>(shown.done - resumed) * static_cast<double>(shown.total - shown.done);
    progress_.update(shown);
  }

  // Searches a space. If the file of --against has a best tuning for it, stores the comparison with that
  // tuning in `against`.
  Search tune(const Case& space, double share, std::optional<Against>* against) {
    const tuner::LiveSpace live = points_of(space, selection_);
    const std::size_t budget = evaluations_of(options_.budget, live.space.size());
    const bool whole =
        options_.strategy.empty() && live.space.size() <= budget && options_.budget.seconds <= 0;
    const std::string strategy_name = whole                       ? "exhaustive"
                                      : options_.strategy.empty() ? "model"
                                                                  : options_.strategy;
    const NamedPrior prior = strategy_name == "model" ? prior_of(space, live.space) : NamedPrior();
    if (live.drawn)
      progress_.message(space_text(space) +
                        ": there are more than 4 million tunings, of which a million are drawn at random");
    Search search = begun(space, live, strategy_name, prior.names);
    const std::size_t resumed = search.steps.size();
    if (resumed > 0)
      progress_.message(
          fmt::format("{}: {} tunings are known from an earlier search", space_text(space), resumed));
    const auto strategy = tuner::make_strategy(strategy_name, live.space, &prior.prior, options_.seed);
    tuner::EngineObjective objective(*executor_, search.space, settings_, goal_, known_.measurements,
                                     [&](const Measurement& measurement) {
                                       file_.add(session_, measurement);
                                       taught_.measurements.push_back({measurement, session_});
                                     });
    file_.add(session_, search);
    tuner::Limits limits;
    limits.evaluations = budget;
    limits.seconds = share;
    limits.to_the_end = strategy_name != "model";
    if (!limits.to_the_end && minimizes_time(search))
      limits.least_time = least_time(files(), value_of(environment_, "machine"), space);
    const double began = now();
    tuner::SearchEvents events;
    events.now = [] { return now(); };
    events.stop = [] { return InterruptGuard::interrupted(); };
    events.stepped = [&](const Search& so_far) {
      file_.add_step(session_, so_far);
      show_step(so_far, resumed, std::min(budget, live.space.size()), now() - began);
    };
    const tuner::SearchEnd end = tuner::search_on(live.space, *strategy, objective, limits, events, &search);
    const bool as_before =
        search.steps.size() == resumed && !search.finalists.empty() && !against_ && search.sizes == 1;
    if (!as_before) {
      search.finalists.clear();
      search.gain.reset();
      if (end != tuner::SearchEnd::stopped && best_of(search)) finish(space, &search, against);
    }
    file_.add(session_, search);
    taught_.searches.push_back(search);
    return search;
  }

  // Measures the best tunings again, in a final round. The best tuning in the file of --against also takes
  // part.
  void finish(const Case& space, Search* search, std::optional<Against>* against) {
    const std::optional<BestKnown> known = against_ ? best_known(*against_, space, goal_) : std::nullopt;
    const std::vector<Tuning> rivals = known ? std::vector<Tuning>{known->tuning} : std::vector<Tuning>();
    Interval over;
    if (!tuner::final_round(*executor_, settings_, goal_, options_.top, rounds, search, rivals, &over))
      search->ended.clear();
    else if (over.samples > 0)
      *against = Against{over, known->points};
  }

  std::vector<const Results*> files() const {
    if (against_) return {&*against_, &held_};
    return {&held_};
  }

  void note_statuses(const Search& search) {
    for (const SearchStep& step : search.steps)
      wrong_ = wrong_ || step.status == Status::wrong || step.status == Status::impossible;
    for (const SearchStep& step : search.steps)
      failed_ = failed_ || step.status == Status::failed || step.status == Status::timed_out;
    found_ = found_ || best_of(search);
    stopped_ = stopped_ || search.ended.empty();
  }

  ExitCode exit_code(std::size_t left) const {
    if (stopped_ || InterruptGuard::interrupted()) {
      progress_.message("interrupted. The same command continues");
      return ExitCode::interrupted;
    }
    if (wrong_) return ExitCode::check_failed;
    if (left > 0) {
      progress_.message(
          fmt::format("the budget is spent, and {} searches are left. The same command continues", left));
      return ExitCode::budget;
    }
    return found_ ? ExitCode::ok : failed_ ? ExitCode::check_failed : ExitCode::missing;
  }

  const LiveTuningOptions& options_;
  tuner::Goal goal_;
  Settings settings_;
  std::vector<Case> spaces_;
  const Selection& selection_;
  const Environment& environment_;
  ProgressReporter& progress_;
  std::optional<Results> against_;            // Contents of the file of --against.
  std::vector<tuner::RecordedSpace> priors_;  // Tuning spaces in the files of --prior.
  ResultsFile file_;
  Results held_;     // Contents of the results file at the start.
  Results taught_;   // Contents at the start plus the results of this command; later spaces learn from them.
  KnownHere known_;  // Results in `held_` that can be used; empty with --fresh.
  std::vector<Search> found_searches_;  // Searches that this command has made.
  std::int64_t session_ = 0;
  Timings timings_;
  Callbacks callbacks_;
  std::unique_ptr<CaseExecutor> executor_;
  bool wrong_ = false, failed_ = false, found_ = false, stopped_ = false;
};

}  // namespace

ExitCode tune_live(const LiveTuningOptions& options) {
  if (!options.strategy.empty()) tuner::require_strategy(options.strategy);
  goal_of(options.by);
  Selection selection = options.selection.load_and_parse();
  selection.timed = true;
  selection.searched = true;
  ProgressReporter progress(options.quiet, inspect_terminal(STDERR_FILENO));
  std::vector<std::string> notes;
  const Resolved resolved = resolve(selection, &notes);
  const Environment environment = ask_environment(worker_command());
  std::vector<Case> spaces = spaces_to_tune(resolved, selection, threads_of(environment, options), &notes);
  for (const std::string& note : notes) progress.message("note: " + note);
  if (options.dry_run) {
    const bool ceilings = !options.no_ceilings && !std::filesystem::exists(options.file);
    print(tuning_plan(spaces, selection,
                      {options.budget, settings_of(options), options.top, rounds, ceilings, environment,
                       pace_of_files(options.file, environment)}),
          options.json);
    return ExitCode::ok;
  }
  require_writable_place(options.file);
  require_device(selection, environment);
  WithoutGpu without_gpu(selection, environment, options.json);
  std::erase_if(spaces, [&](const Case& space) { return without_gpu.takes(space); });
  require_energy(goal_of(options.by), spaces, environment);
  for (const std::string& text : {without_gpu.text(), note_on_many(spaces.size(), options.budget)})
    if (!text.empty()) progress.message(text);
  return LiveTuning(options, spaces, selection, environment, progress).run();
}

}  // namespace sextant
