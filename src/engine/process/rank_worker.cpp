// The loop of a rank. Only the first rank reads and writes lines of JSON, in the same protocol as a worker
// (engine/process/worker.cpp). It sends each request to the other ranks.
#include "engine/process/rank_worker.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/error.hpp"
#include "engine/case/case_runner.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/settings_json.hpp"
#include "engine/form/unmeasured.hpp"
#include "engine/parts/rank_runner.hpp"
#include "engine/process/line_channel.hpp"
#include "record/place.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

// Returns the next request, or an empty string if there are no more.
std::string next_request(const parts::Ranks& ranks, LineReader& reader) {
  std::string line;
  if (ranks.rank == 0)
    for (Received received = Received::nothing; received == Received::nothing;) {
      received = reader.next(&line, -1);
      if (received == Received::closed) line.clear();
    }
  share_text(ranks, 0, &line);
  return line;
}

// Runs this rank's part of each case, on its processors or on its GPU. The GPU is opened for the first case
// that needs it.
class Runners {
 public:
  using Taken = std::function<void(const Measurement&)>;

  Runners(const parts::Ranks& ranks, const RankPlace& place, StageListener stage, Taken taken)
      : ranks_(ranks),
        place_(place),
        stage_(std::move(stage)),
        taken_(std::move(taken)),
        on_processors_(ranks, stage_, taken_) {}

  Measurement run(const Case& what, const Settings& settings) {
    Measurement measurement = run_there(what, settings);
    measurement.nodes = place_.nodes;
    return measurement;
  }

 private:
  Measurement run_there(const Case& what, const Settings& settings) {
    if (is_on_cpu(what.device)) return on_processors_.run(what, settings);
    const Trouble trouble = agreed(ranks_, tried([&] { return open_gpu(); }));
    if (!trouble.any()) return on_gpu_->run(what, settings);
    return unmeasured(what, trouble.failed ? Status::failed : Status::skipped, trouble.reason, settings.seed);
  }

  // Opens this rank's GPU. The ranks of a machine are assigned to its GPUs in turn. Returns why there is no
  // GPU, or an empty string.
  std::string open_gpu() {
    if (on_gpu_) return {};
    stage_(Stage::starting_gpu);
    const int gpus = std::max(gpus_of_machine(), 1), own = place_.on_machine % gpus;
    std::string why_not;
    if (!team_) team_ = open_team(own, 1, 1, &why_not);
    if (!team_) return why_not;
    const int sharing = (place_.of_machine - own + gpus - 1) / gpus;
    on_gpu_ = std::make_unique<RankRunner>(RankGpu{team_.get(), sharing, place_.sends_gpu_memory}, ranks_,
                                           stage_, taken_);
    return {};
  }

  const parts::Ranks& ranks_;
  RankPlace place_;
  StageListener stage_;
  Taken taken_;
  RankRunner on_processors_;
  std::unique_ptr<DeviceTeam> team_;
  std::unique_ptr<RankRunner> on_gpu_;
};

}  // namespace

int rank_main(const parts::Ranks& ranks, const RankPlace& place, int in, int out,
              const std::vector<Load>& loads) {
  open_offloaded_when_used();
  const auto say = [&](const Json& json) { return ranks.rank != 0 || write_line(out, text_of(json)); };
  const Trouble problem = agreed(ranks, tried([&] {
                                   load_all(loads);
                                   return "";
                                 }));
  Runners runners(
      ranks, place,
      [&](Stage stage) {
        say(Json{{"stage", name_of(stage)}});
      },
      [&](const Measurement& taken) {
        say(Json{{"taken", json_of(taken)}});
      });
  LineReader reader(in);
  say(Json{{"ready", ::getpid()}, {"sends_gpu_memory", place.sends_gpu_memory}});
  for (;;) {
    const std::string line = next_request(ranks, reader);
    if (line.empty()) return 0;
    Measurement measurement;
    try {
      const Json request = parse_json(line);
      const Case what = case_from(request.at("case"));
      const Settings settings = settings_from(request.at("settings"));
      measurement =
          problem.any() ? unmeasured(what, Status::failed, problem.reason) : runners.run(what, settings);
    } catch (const DeviceError& error) {
      // other ranks would wait for this one forever, so it exits and the launcher ends them
      std::fprintf(stderr, "device error of rank %d: %s\n", ranks.rank, error.what());
      std::_Exit(1);
    } catch (const std::exception& error) {  // the request itself is invalid; all ranks get here
      say(Json{{"error", error.what()}});
      return 1;
    }
    const bool heard = say(Json{{"measurement", json_of(measurement)}});
    if (largest(ranks, heard ? 0 : 1) > 0) return 0;
  }
}

}  // namespace sextant
