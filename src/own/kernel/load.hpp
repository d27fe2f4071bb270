// Loads user kernels at run time, for the option --load PATH.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "own/description/asked.hpp"
#include "record/environment.hpp"

namespace sextant {

struct Loaded {
  std::string path;       // absolute, with symbolic links resolved
  std::string kind;       // what was loaded: "library" or "description"
  std::string code;       // hash of the code, 16 hexadecimal digits
  std::string made_with;  // compiler and flags in one line
  std::vector<std::string> kernels;
  own::Asked asked;  // the command-line options that were given for this load
};

// Returns the absolute path of a user's path. Throws UserError if it does not exist or cannot be loaded.
std::string path_to_load(const std::string& path);

// Adds the kernels in `path` to the registry. They belong to no study. A kernel without a group gets the
// group `own`, and a kernel without sizes gets three default sizes. The options `asked` are applied first;
// for a library they may only contain a name. Loading a path again has no effect. This runs user code, so a
// worker process must try it first (engine/process/worker_questions.hpp, ask_forms). Throws UserError, also
// if `code` is not empty and differs from the hash of the code.
const Loaded& load(const std::string& path, const std::string& code = "", const own::Asked& asked = {});

// Returns everything that was loaded, in the order of loading.
const std::deque<Loaded>& loaded();

// Adds an entry `plugin.<kernel>` for each loaded kernel to a session's environment.
void record_loads(Environment* environment);

}  // namespace sextant
