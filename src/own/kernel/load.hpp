// Kernels that are not of this build, read at run time: --load PATH.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "own/description/asked.hpp"
#include "record/environment.hpp"

namespace sextant {

struct Loaded {
  std::string path;       // absolute, without links
  std::string kind;       // library, description
  std::string code;       // hash of what is run, 16 hexadecimal digits
  std::string made_with;  // compiler and flags, one line
  std::vector<std::string> kernels;
  own::Asked asked;  // what it was loaded with
};

// The absolute path of what a user names. Throws UserError if it is not there or nothing that can be loaded.
std::string path_to_load(const std::string& path);

// Adds the kernels of what `path` names to the registry: group `own` where they give none, in no study, and
// at three sizes where they name none. `asked` is done to it first: a library takes a name alone. The same
// path again adds nothing. Runs code of the user: a worker's business first
// (engine/process/worker_questions.hpp, ask_forms). Throws UserError, also if `code` is given and is
// another's.
const Loaded& load(const std::string& path, const std::string& code = "", const own::Asked& asked = {});

// All of them, in the order of loading.
const std::deque<Loaded>& loaded();

// What ran, as entries `plugin.<kernel>` of a session's environment.
void record_loads(Environment* environment);

}  // namespace sextant
