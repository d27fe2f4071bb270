// Defines the options for selecting cases, which several subcommands share.
#pragma once

#include <string>
#include <vector>

#include "cli/options/command.hpp"
#include "own/description/asked.hpp"
#include "plan/plan.hpp"

namespace sextant {

// The options as the user typed them. The command refers to this object, which must outlive it.
struct SelectionOptions {
  std::vector<std::string> kernels, suites, variants, sizes, tunings, parameters, types;
  std::string device, cache, fill, scale, launcher;
  std::vector<std::string> loads;
  own::Asked asked;  // Options that apply if exactly one --load is given.

  // Adds -k and -v.
  void add_names(Command command);
  // Adds -n, -p and --type.
  void add_problems(Command command, bool positionals = false);
  // Adds -k, -v, -n, -p, -t, --type and -d. If the subcommand has positional arguments, `-t` takes one value
  // at a time. Otherwise it would take the positional arguments as values.
  void add_all(Command command, bool positionals = false);
  // Like add_all, for subcommands that pass the values of -t to take_tuned().
  void add_all_and_tuned(Command command);
  // Adds --scale and the other options for problems that are divided among ranks or GPUs.
  void add_parts(Command command);
  // Adds --load and the options that refer to it, for subcommands whose -k selects from the registry.
  void add_load(Command command);
  // Adds only the options that refer to --load.
  void add_asked(Command command);
  // Adds --suite, for subcommands that select from the registry.
  void add_suite(Command command);
  // Adds --cache.
  void add_cache(Command command);
  // Adds --fill.
  void add_fill(Command command);

  // Checks everything that does not need the registry; resolve() checks the rest. Throws UserError.
  Selection parse() const;
  // Loads the kernels of --load and SEXTANT_KERNELS into the registry, then parses. Throws UserError if they
  // cannot be used.
  Selection load_and_parse() const;

 private:
  void add_each(Command command, bool positionals, const char* help_of_tunings);
};

}  // namespace sextant
