// Runs cases in worker processes. The parent sends cases, receives stages, and turns crashes and hangs into
// measurements.
#include "engine/process/worker_executor.hpp"

#include <unistd.h>

#include <map>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "engine/case/case_runner.hpp"
#include "engine/form/settings_json.hpp"
#include "engine/form/stage.hpp"
#include "engine/form/stage_watch.hpp"
#include "engine/form/unmeasured.hpp"
#include "engine/form/warnings.hpp"
#include "engine/process/compile_pool.hpp"
#include "engine/process/overrun_search.hpp"
#include "engine/process/rank_command.hpp"
#include "engine/process/worker_process.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

constexpr double start_seconds = 60;  // seconds until a worker's first message
constexpr double short_tick = 0.02;   // seconds between polls while compiler processes also need attention
constexpr const char* go = R"({"go":true})";
constexpr double grace = 2;  // seconds that a running case may continue after the user stops the run

class WorkerExecutor : public CaseExecutor {
 public:
  WorkerExecutor(const WorkerCommand& command, const Settings& settings, const Callbacks& callbacks,
                 Participant participant)
      : command_(command),
        settings_(settings),
        callbacks_(callbacks),
        participant_(participant),
        settings_json_(json_of(settings)),
        watch_(callbacks.spent) {}

  void use(const Settings& settings) override {
    settings_ = settings;
    settings_json_ = json_of(settings);
  }

  void time(Timed timed) override {
    if (settings_.timed == timed) return;
    settings_.timed = timed;
    settings_json_ = json_of(settings_);
  }

  std::size_t looks_ahead(const Case& what) const override {
    const RegisteredKernel* entry = find_kernel(what.kernel);
    const Variant* variant = entry ? find_variant(*entry, what.variant) : nullptr;
    // With a scheduler, the compilers of this executor would disturb the timing of other workers.
    return variant && variant->compile && pool_.most() > 1 && !participant_.scheduler ? pool_.most() : 0;
  }

  void expect(std::span<const Case> cases, bool meanwhile) override {
    if (cases.empty() || (!meanwhile && pool_.knows(cases.front()))) return;
    pool_.expect(cases, meanwhile ? pool_.most() - 1 : pool_.most());
    if (meanwhile) return;
    SteadyClock clock;
    const double began = clock.now();
    pool_.finish(callbacks_.stop);
    waited(cases.front(), clock.now() - began);
  }

  void during_next(const std::function<void()>& task) override { task_ = task; }

  std::optional<Measurement> run(const Case& what) override {
    std::optional<Measurement> measurement = execute(what);
    do_task();  // runs the task if no worker received the case
    return measurement;
  }

  // Leaves the worker to the next executor of this command, because its GPU is already started.
  ~WorkerExecutor() override {
    if (participant_.scheduler && ranks_ == 0 && worker_ && !settings_.offload_on_host)
      leave_worker(command_, std::move(worker_));
  }

 private:
  std::optional<Measurement> execute(const Case& what) {
    SteadyClock clock;
    const double asked = clock.now();
    pool_.finish(what, callbacks_.stop);
    waited(what, clock.now() - asked);
    if (const std::string problem = pool_.problem_of(what); !problem.empty())
      return without_worker(what, Status::failed, problem);
    // A running worker asks for permission to begin its first stage. Without a running worker, the parent
    // asks for permission to start one.
    const bool asks = worker_ && ranks_ == ranks_of(what.device);
    if (participant_.scheduler && !asks && !has_first_turn(what)) return {};
    turn_to(ranks_of(what.device));
    if (!worker_) {
      do_task();
      if (std::string problem = start(); !problem.empty())
        return without_worker(what, Status::failed, problem);
    }
    taken_.reset();
    const double began = clock.now();
    watch_.enter(what, participant_.scheduler && asks ? Stage::waiting_for_turn : Stage::starting, began);
    std::optional<Measurement> measurement = wait_for(what, clock, began);
    watch_.leave(what, clock.now());
    waiting_stage_.reset();
    if (participant_.scheduler) participant_.scheduler->leave(participant_.worker);
    return measurement;
  }

  void do_task() {
    if (const auto task = std::exchange(task_, {})) task();
  }

  // Reports seconds that were spent waiting for compiler processes.
  void waited(const Case& what, double seconds) const {
    if (callbacks_.spent && looks_ahead(what) > 0)
      callbacks_.spent(what, Stage::waiting_for_compilers, seconds);
  }

  // Returns the case with the device name that the worker uses. A worker that sees only one GPU calls it
  // gpu0.
  Case as_worker_knows(Case what) const {
    if (!command_.visible_gpu.empty() && gpu_index(what.device) >= 0) what.device = "gpu0";
    return what;
  }

  // Returns the worker's measurement of the case, or one that reports its crash or timeout. Returns nothing
  // if the run was stopped.
  std::optional<Measurement> wait_for(const Case& what, SteadyClock& clock, double began) {
    double gpu_began = -1;  // time at which the start of a GPU began; negative: none is starting
    const Json request = {{"case", json_of(as_worker_knows(what))},
                          {"settings", settings_json_},
                          {"asks", participant_.scheduler != nullptr}};
    if (!worker_->send(text_of(request))) return died(what);
    do_task();
    double stopped = -1;  // time at which stop() first returned true; negative: it has not
    for (;;) {
      std::string line;
      pool_.look();
      const double asked = clock.now();
      if (waits_its_turn(what)) began += clock.now() - asked;
      const double maximum_wait = waiting_stage_ ? 0 : pool_.is_busy() ? short_tick : tick;
      const Received received = worker_->receive(&line, std::min(maximum_wait, settings_.timeout));
      if (received == Received::closed) return died(what);
      if (received == Received::line) {
        if (std::optional<Measurement> measurement = heard(what, line)) return measurement;
      }
      const double now = clock.now();
      const bool starts_gpu = watch_.stage() == Stage::starting_gpu || watch_.stage() == Stage::loading_code;
      if (starts_gpu && gpu_began < 0) gpu_began = now;
      if (!starts_gpu && gpu_began >= 0) began += now - gpu_began, gpu_began = -1;
      const double limit = starts_gpu ? std::max(settings_.timeout, gpu_start_seconds) : settings_.timeout;
      if (now - (starts_gpu ? gpu_began : began) > limit) return timed_out(what, limit);
      if (stopped < 0 && callbacks_.stop && callbacks_.stop()) stopped = now;
      if (stopped >= 0 && now - stopped > grace) {
        worker_->kill();
        worker_.reset();
        return {};
      }
    }
  }

  // Waits until the case's worker may be started. Returns false if the run is stopped.
  bool has_first_turn(const Case& what) {
    watch_.enter(what, Stage::waiting_for_turn, SteadyClock().now());
    bool goes = participant_.scheduler->ask(participant_.worker, Stage::starting,
                                            class_of_stage(Stage::starting, what));
    while (!goes && !(callbacks_.stop && callbacks_.stop()))
      goes = participant_.scheduler->wait(participant_.worker, tick);
    watch_.leave(what, SteadyClock().now());
    if (!goes) participant_.scheduler->leave(participant_.worker);
    return goes;
  }

  // Requests permission for the worker's next stage from the scheduler. Without permission, sets
  // waiting_stage_ and the stage waits.
  void ask_for(const Case& what, Stage stage, StageClass wanted, double call) {
    watch_.leave(what, SteadyClock().now());
    const bool goes = participant_.scheduler->ask(participant_.worker, stage, wanted, call);
    watch_.enter(what, goes ? stage : Stage::waiting_for_turn, SteadyClock().now());
    if (goes)
      worker_->send(go);
    else
      waiting_stage_ = stage;
  }

  // If the worker's next stage needs permission, waits for it up to one `tick`. Returns false if no stage
  // waits.
  bool waits_its_turn(const Case& what) {
    if (!waiting_stage_) return false;
    if (participant_.scheduler->wait(participant_.worker, tick)) {
      watch_.enter(what, *std::exchange(waiting_stage_, std::nullopt), SteadyClock().now());
      worker_->send(go);
    }
    return true;
  }

  // Switches between a set of ranks and a single worker. While ranks run, the worker is idle. Ranks end
  // before the worker runs, because they would disturb its timing.
  void turn_to(int ranks) {
    if (ranks == ranks_) return;
    if (ranks_ == 0) alone_ = std::move(worker_);
    worker_.reset();
    if (ranks == 0) worker_ = std::move(alone_);
    ranks_ = ranks;
  }

  // Starts the worker, or the ranks. Throws UserError if no worker starts. Returns why the ranks did not
  // start, or an empty string.
  std::string start() {
    if (ranks_ == 0 && command_.idle && command_.idle->process && !settings_.offload_on_host) {
      worker_ = take_worker(command_);
      return {};
    }
    worker_ = std::make_unique<WorkerProcess>(
        ranks_ > 0 ? command_of_ranks(command_, ranks_, processors_to_use()) : command_,
        settings_.offload_on_host);
    std::string line;
    const Received received = [&] {
      SteadyClock clock;
      for (const double end = clock.now() + start_seconds; clock.now() < end;) {
        const Received one = worker_->receive(&line, end - clock.now());
        if (one != Received::nothing) return one;  // a signal interrupted the wait
      }
      return Received::nothing;
    }();
    if (received == Received::line) return {};
    const std::string why = received == Received::closed ? worker_->ending() : "did not answer";
    if (received != Received::closed) worker_->kill();
    worker_.reset();
    if (ranks_ > 0)
      return "the " + std::to_string(ranks_) + " ranks did not start: the launcher " + why +
             ". Name another launcher with --launcher";
    throw UserError("the worker process " + why +
                        " before it started a case. --in-process runs without worker processes.",
                    ExitCode::internal);
  }

  // Returns the measurement, if the line contains one. If a worker sends an invalid line, its case fails.
  std::optional<Measurement> heard(const Case& what, const std::string& line) {
    std::string problem;
    try {
      std::optional<Measurement> measurement = hear(what, line);
      if (!measurement) return measurement;
      if (json_of(measurement->what) == json_of(as_worker_knows(what))) {
        measurement->what = what;  // the parent's case also contains the texts of tunable values
        if (measurement->status == Status::wrong || measurement->status == Status::failed)
          measurement->reason += told_overrun(what, measurement->status == Status::failed);
        fail_overruns(&*measurement);
        return measurement;
      }
      problem = "it measured a different case, " + key_of(measurement->what);
    } catch (const UserError& error) {
      problem = error.what();
    } catch (const Json::exception& error) {
      problem = error.what();
    }
    if (worker_) worker_->kill();
    return ended(what, Status::failed,
                 "the worker sent an invalid answer while " + stage_name() + ": " + problem +
                     ". Check the kernel for writes out of bounds, or install Sextant again");
  }

  std::optional<Measurement> hear(const Case& what, const std::string& line) {
    const Json reply = parse_json(line);
    if (!reply.is_object()) throw UserError("the answer is not a JSON object");
    if (reply.contains("stage")) {
      const Stage stage = stage_from(reply["stage"]);
      if (reply.contains("class") && participant_.scheduler)
        ask_for(what, stage, stage_class_from(reply["class"]), reply.value("call", 0.0));
      else
        watch_.enter(what, stage, SteadyClock().now());
    }
    if (reply.contains("taken")) {
      taken_ = measurement_from(reply["taken"]);
      taken_->what = what;
    }
    if (!reply.contains("measurement")) return {};
    Measurement measurement = measurement_from(reply["measurement"]);
    if (reply.contains("leaving")) {
      note("the worker process lost its device. A new worker process continues");
      worker_.reset();
    }
    return measurement;
  }

  std::string stage_name() const { return name_of(watch_.stage()); }

  Measurement ended(const Case& what, Status status, const std::string& reason) {
    note(what.kernel + " " + what.variant + ": " + reason + ". A new worker process continues");
    worker_.reset();
    return without_worker(what, status, reason);
  }

  Measurement without_worker(const Case& what, Status status, const std::string& reason) const {
    return unmeasured(what, status, reason, settings_.seed);
  }

  Measurement died(const Case& what) {
    const std::string reason = "the worker " + worker_->ending() + ", while " + stage_name();
    return ended(what, Status::failed, reason + told_overrun(what, true));
  }

  // Fails a right result if the variant accesses elements outside its arrays. Searches once per variant, in a
  // case that is large enough for the code's usual path.
  void fail_overruns(Measurement* measurement) {
    constexpr std::int64_t fewest_elements = 100;
    const Case& what = measurement->what;
    if (!settings_.check_only || measurement->status != Status::ok || ranks_ > 0 ||
        what.problem.n < fewest_elements || !searched_.insert(what.kernel + " " + what.variant).second)
      return;
    const std::string found = find_hidden_overrun(command_, what, settings_);
    if (found.empty()) return;
    measurement->status = Status::failed;
    measurement->reason =
        "its result is right, but it " + found + ". Correct the index, or the length of the array";
  }

  // Returns a text to add to an error, such as "; it reads x[1000] of 1000 elements, saxpy.cpp:14", or how to
  // find such an access on a GPU. An access found at one size is reported for other sizes, too.
  std::string told_overrun(const Case& what, bool failed) {
    if (ranks_ > 0) return {};
    const auto [known, fresh] = overruns_.try_emplace(what.kernel + " " + what.variant);
    if (!fresh && (!failed || !known->second.empty())) return known->second;
    if (const std::string found = find_overrun(command_, what, settings_); !found.empty())
      known->second = "; it " + found;
    else if (const std::string by = sanitizer_command(command_, what); failed && !by.empty())
      known->second = ". To find the place, run: " + by;
    return known->second;
  }

  std::optional<Measurement> timed_out(const Case& what, double limit) {
    worker_->kill();
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%g", limit);
    if (taken_) {  // the samples are valid; only the later steps are missing
      note(what.kernel + " " + what.variant + ": " + text_of(Warning::cut_short, stage_name()) +
           ". A new worker process continues");
      worker_.reset();
      taken_->warnings.insert(taken_->warnings.begin(), text_of(Warning::cut_short, stage_name()));
      return std::move(taken_);
    }
    return ended(what, Status::timed_out,
                 std::string("not done after ") + seconds + " s, killed while " + stage_name() +
                     "; increase --timeout, or select smaller sizes by -n");
  }

  // Reports each text only once, because a variant that crashes does so at every size.
  void note(const std::string& text) {
    if (callbacks_.message && noted_.insert(text).second) callbacks_.message(text);
  }

  WorkerCommand command_;
  Settings settings_;
  const Callbacks& callbacks_;
  Participant participant_;
  std::optional<Stage> waiting_stage_;  // the stage that the worker waits to begin
  Json settings_json_;
  std::set<std::string> noted_;
  std::set<std::string> searched_;               // kernels and variants that fail_overruns has searched
  std::map<std::string, std::string> overruns_;  // results of told_overrun, by kernel and variant
  std::unique_ptr<WorkerProcess> worker_;
  std::unique_ptr<WorkerProcess> alone_;  // the single worker process, while ranks run
  int ranks_ = 0;                         // number of ranks in worker_; 0: it is a single process
  CompilePool pool_{command_};
  StageWatch watch_;
  std::optional<Measurement> taken_;  // measurement of the running case, once its call times are known
  std::function<void()> task_;        // runs once the case has been sent to a worker
};

}  // namespace

std::unique_ptr<CaseExecutor> make_worker_executor(const WorkerCommand& command, const Settings& settings,
                                                   const Callbacks& callbacks, Participant participant) {
  return std::make_unique<WorkerExecutor>(command, settings, callbacks, participant);
}

}  // namespace sextant
