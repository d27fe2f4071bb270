// The loop of all ranks. Lines of JSON come and go at the first alone, as a worker's do (engine/worker.cpp); the others get
// what it got.
#include <unistd.h>

#include <algorithm>

#include "base/error.hpp"
#include "engine/line_channel.hpp"
#include "engine/rank_runner.hpp"
#include "engine/settings_json.hpp"
#include "own/description/asked.hpp"
#include "own/kernel/load.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

std::string load_all(const std::vector<Load>& loads) {
  for (const Load& one : loads)
    load(one.path, one.code, one.asked.empty() ? own::Asked{} : own::asked_from(one.asked));
  return {};
}

// The next request, empty at their end.
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

}  // namespace

int rank_main(const parts::Ranks& ranks, int in, int out, const std::vector<Load>& loads) {
  open_offloaded_when_used();
  const auto say = [&](const Json& json) { return ranks.rank != 0 || write_line(out, text_of(json)); };
  const Trouble problem = agreed(ranks, tried([&] { return load_all(loads); }));
  RankRunner runner(
      ranks,
      [&](const char* stage) {
        say(Json{{"stage", stage}});
      },
      [&](const Measurement& taken) {
        say(Json{{"taken", json_of(taken)}});
      });
  LineReader reader(in);
  say(Json{{"ready", ::getpid()}});
  for (;;) {
    const std::string line = next_request(ranks, reader);
    if (line.empty()) return 0;
    Measurement measurement;
    try {
      const Json request = parse_json(line);
      const Case what = case_from(request.at("case"));
      const Settings settings = settings_from(request.at("settings"));
      if (problem.any()) {
        measurement.what = what;
        measurement.status = Status::failed;
        measurement.reason = problem.reason;
        measurement.timestamp = timestamp_now();
      } else {
        measurement = runner.run(what, settings);
      }
    } catch (const std::exception& error) {  // the line itself, which is the same everywhere
      say(Json{{"error", error.what()}});
      return 1;
    }
    const bool heard = say(Json{{"measurement", json_of(measurement)}});
    if (largest(ranks, heard ? 0 : 1) > 0) return 0;
  }
}

}  // namespace sextant
