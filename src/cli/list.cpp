// sextant list: what there is.
#include <cstdio>

#include "cli/commands.hpp"
#include "suite/registry.hpp"

namespace sextant {

void add_list(CLI::App& app, int*) {
  CLI::App* command = app.add_subcommand("list", "List kernels, variants, devices or ceilings");
  command->callback([] {
    for (const RegisteredKernel& entry : registry())
      for (const Variant& variant : entry.variants)
        std::printf("%s %s\n", entry.kernel.name.c_str(), variant.name.c_str());
  });
}

}  // namespace sextant
