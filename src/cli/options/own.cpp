#include "cli/options/own.hpp"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "base/join.hpp"
#include "engine/process/worker_questions.hpp"
#include "own/kernel/folder.hpp"
#include "own/kernel/load.hpp"

namespace sextant {
namespace {

std::vector<std::string> paths_of_environment() {
  const char* text = std::getenv("SEXTANT_KERNELS");
  std::vector<std::string> paths;
  for (std::string rest = text ? text : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) paths.push_back(rest.substr(0, end));
    rest.erase(0, end + 1);
  }
  return paths;
}

// Loads the kernel in a worker process first, so that crashes and hangs do not affect this process.
void require_fit(const Loadable& one) {
  const std::string& path = one.path;
  const std::string file = std::filesystem::path(path).filename().string();
  std::vector<std::string> problems;
  try {
    problems = ask_forms(worker_with(one));
  } catch (const UserError& error) {
    const std::string why = error.what();
    if (why.starts_with(path)) throw UserError(file + why.substr(path.size()));
    if (why.starts_with(file)) throw UserError(why);
    throw UserError(file + " cannot be loaded: " + why);
  }
  if (problems.empty()) return;
  std::string text = join(problems, "; ");
  if (text.ends_with('.')) text.pop_back();
  throw UserError(file + ": " + text + ". docs/how-to/own-" + (path.ends_with(".so") ? "folder" : "kernel") +
                  ".md explains what a kernel needs.");
}

void require_one(const std::vector<std::string>& paths, const own::Asked& asked) {
  if (asked == own::Asked{} || paths.size() == 1) return;
  const std::string option = !asked.name.empty()        ? "--as"
                             : !asked.reference.empty() ? "--reference"
                             : !asked.tolerance.empty() ? "--tolerance"
                                                        : "--unchecked";
  throw UserError(option + " describes exactly one kernel of --load, and there " +
                  (paths.empty() ? "is none" : "are " + std::to_string(paths.size())) +
                  ". Name one file with --load FILE.");
}

// Makes the path of the reference absolute, because workers run in other folders than the user's working
// directory.
own::Asked with_whole_path(own::Asked asked) {
  const std::size_t colon = asked.reference.find(':');
  if (colon == std::string::npos || colon == 0) return asked;
  const std::filesystem::path file = asked.reference.substr(0, colon);
  if (!std::filesystem::is_regular_file(file))
    throw UserError("--reference: there is no file " + file.string() +
                    ". Write the file, or name another one.");
  asked.reference =
      std::filesystem::absolute(file).lexically_normal().string() + asked.reference.substr(colon);
  return asked;
}

std::string path_of(const std::string& named) {
  return path_to_load(std::filesystem::is_directory(named) ? own::built_library(named) : named);
}

}  // namespace

WorkerCommand worker_with(const Loadable& one) {
  return {{"/proc/self/exe", "worker", "--load", one.path, "--asked", own::text_of(one.asked)}};
}

Loadable loadable(const std::string& path, const own::Asked& asked) {
  const Loadable one{path_of(path), with_whole_path(asked)};
  require_fit(one);
  return one;
}

void load_own(const std::vector<std::string>& paths, const own::Asked& asked) {
  require_one(paths, asked);
  const own::Asked whole = with_whole_path(asked);
  std::set<std::string> done;
  const auto load_once = [&](const std::string& path, const own::Asked& with) {
    const Loadable one{path_of(path), with};
    if (!done.insert(one.path).second) return;
    require_fit(one);
    load(one.path, "", one.asked);
  };
  for (const std::string& path : paths_of_environment()) try {
      load_once(path, own::Asked{});
    } catch (const UserError& error) {  // adds the variable's name, as the user did not type the path
      throw UserError(std::string("a path in the variable SEXTANT_KERNELS cannot be loaded: ") + error.what(),
                      error.code);
    }
  std::vector<UserError> refused;
  for (const std::string& path : paths) try {
      load_once(path, whole);
    } catch (const UserError& error) {
      refused.push_back(error);
    }
  if (refused.empty()) return;
  if (refused.size() == paths.size()) throw refused.front();
  for (const UserError& error : refused) std::fprintf(stderr, "left out: %s\n", error.what());
}

}  // namespace sextant
