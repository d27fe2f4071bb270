// The worker's end: cases in, stages and measurements out, one JSON object a line.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cstdlib>

#include "engine/case_runner.hpp"
#include "engine/executor.hpp"
#include "engine/line_channel.hpp"
#include "engine/settings_json.hpp"
#include "machine/ceilings/ceilings.hpp"
#include "machine/environment.hpp"

namespace sextant {

namespace {

Json answer(const Json& request) {
  try {
    if (request.at("ask") == "environment") return {{"environment", read_environment()}};
    Json list = Json::array();
    for (const Ceiling& ceiling : measure_ceilings(request.at("device"))) list.push_back(json_of(ceiling));
    return {{"ceilings", list}};
  } catch (const std::exception& error) {
    return {{"error", error.what()}};
  }
}

}  // namespace

int worker_main(int in, int out) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a parent that is gone wants no measurement
  LineReader reader(in);
  CaseRunner runner(
      [out](const char* stage) {
        write_line(out, text_of(Json{{"stage", stage}}));
      },
      [out](const Measurement& taken) {
        write_line(out, text_of(Json{{"taken", json_of(taken)}}));
      });
  if (!write_line(out, text_of(Json{{"ready", ::getpid()}}))) return 0;
  std::string line;
  while (reader.next(&line, -1) == Received::line) {
    const Json request = parse_json(line);
    if (request.contains("ask")) {
      if (!write_line(out, text_of(answer(request)))) return 0;
      continue;
    }
    const Measurement measurement =
        runner.run(case_from(request.at("case")), settings_from(request.at("settings")));
    Json reply = {{"measurement", json_of(measurement)}};
    if (runner.device_lost()) reply["leaving"] = true;
    if (!write_line(out, text_of(reply))) return 0;
    // Without the destructors of this process's device objects: the context they belong to is lost.
    if (runner.device_lost()) std::_Exit(0);
  }
  return 0;
}

}  // namespace sextant
