#include "engine/executor.hpp"

#include <random>

#include "engine/case_executor.hpp"
#include "engine/case_runner.hpp"
#include "engine/stage_watch.hpp"
#include "plan/estimate.hpp"

namespace sextant {
namespace {

constexpr std::size_t windows = 4;  // times what can be compiled at once is compiled in one go

class InProcess : public CaseExecutor {
 public:
  InProcess(const Settings& settings, const Callbacks& callbacks)
      : settings_(settings),
        watch_(callbacks.spent),
        runner_([this](const char* stage) { watch_.enter(*running_, stage, clock_.now()); }) {}
  std::optional<Measurement> run(const Case& what) override {
    running_ = &what;
    Measurement measurement = runner_.run(what, settings_);
    watch_.leave(what, clock_.now());
    return measurement;
  }
  void use(const Settings& settings) override { settings_ = settings; }

 private:
  Settings settings_;
  SteadyClock clock_;
  StageWatch watch_;
  const Case* running_ = nullptr;
  CaseRunner runner_;
};

}  // namespace

std::unique_ptr<CaseExecutor> make_in_process_executor(const Settings& settings, const Callbacks& callbacks) {
  return std::make_unique<InProcess>(settings, callbacks);
}

void run_all(const std::vector<Case>& cases, CaseExecutor& executor, const Callbacks& callbacks,
             Clock& clock) {
  Estimate estimate(cases);
  Progress progress;
  progress.total = cases.size();
  const double began = clock.now();
  const auto report = [&](const Case* running) {
    progress.running = running;
    progress.elapsed = clock.now() - began;
    progress.remaining = estimate.remaining();
    if (callbacks.progress) callbacks.progress(progress);
  };
  std::optional<Measurement> last;  // is handed on while the next case begins
  const auto hand_on = [&] {
    if (last && callbacks.measured) callbacks.measured(*last);
    last.reset();
  };
  for (const Case& what : cases) {
    if (callbacks.stop && callbacks.stop()) return hand_on();
    const auto next = static_cast<std::size_t>(&what - cases.data());
    const auto begin = [&] {
      hand_on();
      report(&what);
    };
    if (const std::size_t ahead = windows * executor.looks_ahead(what); ahead > 0) {
      begin();
      executor.expect(std::span(cases).subspan(next, std::min(ahead, cases.size() - next)), false);
    } else {
      executor.beside_next(begin);
    }
    const double start = clock.now();
    last = executor.run(what);
    if (!last) return;
    estimate.ended(what, clock.now() - start);
    ++progress.done;
  }
  hand_on();
  report(nullptr);
}

Settings with_seed(Settings settings) {
  while (settings.seed == 0) {
    std::random_device source;
    settings.seed = (std::uint64_t{source()} << 32) ^ source();
  }
  return settings;
}

void execute(const std::vector<Case>& cases, const Settings& settings, const WorkerCommand& worker,
             const Callbacks& callbacks) {
  const Settings chosen = with_seed(settings);
  const auto executor = chosen.in_process ? make_in_process_executor(chosen, callbacks)
                                          : make_worker_executor(worker, chosen, callbacks);
  SteadyClock clock;
  run_all(cases, *executor, callbacks, clock);
}

}  // namespace sextant
