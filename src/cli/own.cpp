#include "cli/own.hpp"

#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "engine/executor.hpp"
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

// In a worker first: what crashes or hangs there leaves this process as it is.
void require_fit(const std::string& path) {
  const WorkerCommand worker{{"/proc/self/exe", "worker", "--load", path}};
  const std::string file = std::filesystem::path(path).filename().string();
  std::vector<std::string> problems;
  try {
    problems = ask_forms(worker);
  } catch (const UserError& error) {
    const std::string why = error.what();
    if (why.starts_with(path)) throw UserError(file + why.substr(path.size()));
    if (why.starts_with(file)) throw UserError(why);
    throw UserError(file + " cannot be loaded: " + why);
  }
  if (problems.empty()) return;
  std::string all;
  for (const std::string& problem : problems) all += (all.empty() ? "" : "; ") + problem;
  throw UserError(file + ": " + all);
}

}  // namespace

void load_own(const std::vector<std::string>& paths) {
  std::vector<std::string> all = paths_of_environment();
  all.insert(all.end(), paths.begin(), paths.end());
  std::set<std::string> done;
  for (const std::string& path : all) {
    const std::string found =
        path_to_load(std::filesystem::is_directory(path) ? own::built_library(path) : path);
    if (!done.insert(found).second) continue;
    require_fit(found);
    load(found);
  }
}

}  // namespace sextant
