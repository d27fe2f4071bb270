// sextant worker: runs cases in a separate process for `run` and `verify`. It is hidden from --help.
#include "engine/process/worker.hpp"

#include <memory>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "engine/process/loads.hpp"

namespace sextant {

void add_worker(Command app, int* exit_code) {
  Command command = app.add_subcommand("worker", "Run the cases that arrive on file descriptor 3");
  command.hide();
  const auto loads = std::make_shared<std::vector<std::string>>();
  const auto codes = std::make_shared<std::vector<std::string>>();
  command.add_option("--load", *loads).allow_extra_args(false);
  // Hashes of the expected code of each --load, in the same order. The list may be empty.
  command.add_option("--code", *codes).allow_extra_args(false);
  const auto asked = std::make_shared<std::vector<std::string>>();
  // Texts of the options that apply to each --load, in the same order. The list may be empty.
  command.add_option("--asked", *asked).allow_extra_args(false);
  command.callback([=] {
    std::vector<Load> list;
    for (std::size_t i = 0; i < loads->size(); ++i)
      list.push_back(
          {(*loads)[i], i < codes->size() ? (*codes)[i] : "", i < asked->size() ? (*asked)[i] : ""});
    *exit_code = worker_main(3, 4, list);
  });
}

}  // namespace sextant
