// sextant worker: the other end of a run's isolation; started by `run` and `verify`, hidden from --help.
#include "engine/process/worker.hpp"

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "engine/process/loads.hpp"

namespace sextant {

void add_worker(Command app, int* exit_code) {
  Command command = app.add_subcommand("worker", "Runs cases that arrive on descriptor 3");
  command.hide();
  const auto loads = std::make_shared<std::vector<std::string>>();
  const auto codes = std::make_shared<std::vector<std::string>>();
  command.add_option("--load", *loads).allow_extra_args(false);
  command.add_option("--code", *codes).allow_extra_args(false);  // of each load, in their order; or none
  const auto asked = std::make_shared<std::vector<std::string>>();
  command.add_option("--asked", *asked).allow_extra_args(false);  // likewise
  command.callback([=] {
    std::vector<Load> list;
    for (std::size_t i = 0; i < loads->size(); ++i)
      list.push_back(
          {(*loads)[i], i < codes->size() ? (*codes)[i] : "", i < asked->size() ? (*asked)[i] : ""});
    *exit_code = worker_main(3, 4, list);
  });
}

}  // namespace sextant
