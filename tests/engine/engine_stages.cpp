// Prints the time of the engine's stages. Runs every variant of the chosen kernels and sizes in this process
// and prints the milliseconds per case of each stage and in total. Run by hand:
//     engine_stages [kernel,…|all] [n,…] [cpu|gpu|all]
// The last line is the engine's own time: everything but copies, checks, samples and timed passes.
#include <cstdio>
#include <map>
#include <string>

#include "engine/case/case_runner.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/settings.hpp"
#include "plan/plan.hpp"

namespace {

using namespace sextant;

struct Stages {
  SteadyClock clock;
  std::string current = "outside";
  double since = clock.now();
  std::map<std::string, double> seconds;

  void enter(const std::string& stage) {
    const double now = clock.now();
    seconds[current] += now - since;
    current = stage;
    since = now;
  }
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

bool is_engines_own(const std::string& stage) {
  constexpr Stage measured[] = {Stage::checking,    Stage::computing_reference,  Stage::copying,
                                Stage::sampling,    Stage::timing_end_to_end,    Stage::timing_on_device,
                                Stage::warming_up,  Stage::allocating_on_device, Stage::timing_allocation,
                                Stage::starting_gpu};
  return std::find(std::begin(measured), std::end(measured), stage_from(stage)) == std::end(measured);
}

}  // namespace

int main(int count, char** arguments) {
  Selection selection;
  if (count > 1 && std::string(arguments[1]) != "all") selection.kernels = split(arguments[1]);
  if (count > 2)
    for (const std::string& n : split(arguments[2])) selection.sizes.push_back(std::stoll(n));
  const std::string where = count > 3 ? arguments[3] : "all";

  Stages stages;
  CaseRunner runner([&](Stage stage) { stages.enter(name_of(stage)); });
  Settings settings;
  settings.seed = 1;
  int cases = 0, ok = 0;
  std::map<std::string, double> slowest;
  stages.enter("outside");
  for (const Case& what : plan(selection)) {
    if (where != "all" && what.device.rfind(where, 0) != 0) continue;
    const double began = stages.clock.now();
    const std::map<std::string, double> before = stages.seconds;
    const Measurement measurement = runner.run(what, settings);
    stages.enter("outside");
    if (stages.clock.now() - began >
        1) {  // prints slow cases at once, because the run may end before the summary
      std::printf("%s %s %s %lld:", what.kernel.c_str(), what.variant.c_str(), name_of(what.problem.type),
                  static_cast<long long>(what.problem.n));
      for (const auto& [stage, seconds] : stages.seconds) {
        const double spent = seconds - (before.count(stage) ? before.at(stage) : 0.0);
        if (spent > 0.01) std::printf("  %s %.2f s", stage.c_str(), spent);
      }
      std::printf("\n");
      std::fflush(stdout);
    }
    if (measurement.status == Status::skipped) continue;
    ++cases;
    if (measurement.status == Status::ok)
      ++ok;
    else
      std::printf("%s %s: %s\n", what.kernel.c_str(), what.variant.c_str(), measurement.reason.c_str());
    slowest[what.kernel + " " + what.variant + " " + name_of(what.problem.type) + " " +
            std::to_string(what.problem.n)] = stages.clock.now() - began;
  }
  double all = 0, own = 0;
  for (const auto& [stage, seconds] : stages.seconds) {
    if (stage == "outside") continue;
    std::printf("%-26s %10.3f ms a case %10.2f s in all\n", stage.c_str(), 1e3 * seconds / cases, seconds);
    all += seconds;
    if (is_engines_own(stage)) own += seconds;
  }
  std::multimap<double, std::string> by_time;
  for (const auto& [name, seconds] : slowest) by_time.emplace(seconds, name);
  int shown = 0;
  for (auto entry = by_time.rbegin(); entry != by_time.rend() && shown < 12; ++entry, ++shown)
    std::printf("  %8.2f s  %s\n", entry->first, entry->second.c_str());
  std::printf("%d cases, %d right; %.3f ms a case in all, %.3f ms the engine's own\n", cases, ok,
              1e3 * all / cases, 1e3 * own / cases);
}
