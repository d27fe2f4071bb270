// The selection options that several subcommands share.
#pragma once

#include <string>
#include <vector>

#include "cli/options/command.hpp"
#include "own/description/asked.hpp"
#include "plan/plan.hpp"

namespace sextant {

// What was typed. Lives as long as the command it was added to.
struct SelectionOptions {
  std::vector<std::string> kernels, suites, variants, sizes, tunings, parameters, types;
  std::string device, cache, scale, launcher;
  std::vector<std::string> loads;
  own::Asked asked;  // of the only load

  // Adds -k and -v.
  void add_names(Command command);
  // Adds -n, -p and --type.
  void add_problems(Command command, bool positionals = false);
  // Adds -k, -v, -n, -p, -t, --type and -d. Where the subcommand has positional arguments, `-t` takes one
  // value a time so that it does not swallow them.
  void add_all(Command command, bool positionals = false);
  // Adds --load and what is said with it, for subcommands whose -k selects from the registry.
  void add_parts(Command command);
  void add_load(Command command);
  // Of these what is said with it alone.
  void add_asked(Command command);
  // Adds --suite, for subcommands whose selection is of the registry.
  void add_suite(Command command);
  // Adds --cache.
  void add_cache(Command command);

  // Throws UserError for what can be refused without the registry; resolve() refuses the rest.
  Selection parse() const;
  // The same, with what --load and SEXTANT_KERNELS name in the registry. Throws UserError where that cannot
  // be used.
  Selection load_and_parse() const;
};

}  // namespace sextant
