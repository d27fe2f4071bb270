// sextant complete: prints values such as kernel names, one per line, for the scripts of `sextant
// completion`. It is hidden from --help.
#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/completion/scripts.hpp"

namespace sextant {

void add_complete(Command app, int*) {
  Command command =
      app.add_subcommand("complete", "Print the names that shells complete, without using a device");
  command.hide();
  const auto kind = std::make_shared<std::string>();
  command.add_option("kind", *kind).required().one_of(asked_kinds());
  command.callback([kind] {
    for (const std::string& name : values_of_kind(*kind)) std::puts(name.c_str());
  });
}

}  // namespace sextant
