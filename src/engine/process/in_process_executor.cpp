#include "engine/process/in_process_executor.hpp"

#include "engine/case/sampling.hpp"
#include "engine/form/callbacks.hpp"
#include "engine/form/stage_watch.hpp"
#include "engine/parts/process_runner.hpp"

namespace sextant {
namespace {

class InProcess : public CaseExecutor {
 public:
  InProcess(const Settings& settings, const Callbacks& callbacks)
      : settings_(settings),
        watch_(callbacks.spent),
        runner_([this](Stage stage) { watch_.enter(*running_, stage, clock_.now()); }) {}
  std::optional<Measurement> run(const Case& what) override {
    running_ = &what;
    Measurement measurement = runner_.run(what, settings_);
    watch_.leave(what, clock_.now());
    return measurement;
  }
  void use(const Settings& settings) override { settings_ = settings; }
  void time(Timed timed) override { settings_.timed = timed; }

 private:
  Settings settings_;
  SteadyClock clock_;
  StageWatch watch_;
  const Case* running_ = nullptr;
  ProcessRunner runner_;
};

}  // namespace

std::unique_ptr<CaseExecutor> make_in_process_executor(const Settings& settings, const Callbacks& callbacks) {
  return std::make_unique<InProcess>(settings, callbacks);
}

}  // namespace sextant
