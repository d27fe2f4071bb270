// sextant worker: the other end of a run's isolation; started by `run` and `verify`, hidden from --help.
#include "cli/commands.hpp"
#include "engine/executor.hpp"

namespace sextant {

void add_worker(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("worker", "Runs cases that arrive on descriptor 3")->group("");
  command->callback([exit_code] { *exit_code = worker_main(3, 4); });
}

}  // namespace sextant
