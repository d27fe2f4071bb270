#include "engine/process/rank_command.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/error.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/settings_json.hpp"
#include "engine/process/worker_process.hpp"
#include "record/json.hpp"

namespace sextant {
namespace {

namespace fs = std::filesystem;

constexpr const char* rank_program = "sextant-rank";

// Returns the folder that contains this program.
fs::path own_folder() {
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  return self.parent_path();
}

bool is_executable(const fs::path& path) {
  return ::access(path.c_str(), X_OK) == 0 && !fs::is_directory(path);
}

// Returns the path of a program that is found in PATH, or an empty string.
std::string found(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_executable(name) ? name : "";
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && is_executable(fs::path(folder) / name)) return (fs::path(folder) / name).string();
  return {};
}

// Returns the MPI launcher with which this build was configured, or else mpirun in PATH.
std::string mpirun() {
  const std::string built_with = found(SEXTANT_MPIEXEC);
  return built_with.empty() ? found("mpirun") : built_with;
}

bool in_allocation() { return std::getenv("SLURM_JOB_ID") && !found("srun").empty(); }

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// Returns options of srun that divide the processors of a single node equally among the ranks. By default,
// srun gives each rank one processor. With several nodes, Slurm and SRUN_CPUS_PER_TASK decide.
std::vector<std::string> processors_of_ranks(int ranks) {
  if (!variable("SRUN_CPUS_PER_TASK").empty() || variable("SLURM_JOB_NUM_NODES") != "1") return {};
  const int of_node = std::atoi(variable("SLURM_JOB_CPUS_PER_NODE").c_str());
  return {"--cpus-per-task=" + std::to_string(std::max(1, of_node / ranks))};
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

std::string why_no_ranks(const std::string& launcher) {
  if (const std::string reason = SEXTANT_WHY_NOT_MPI; !reason.empty())
    return "variants with ranks need MPI, which is not in this build: " + reason;
  if (!is_executable(own_folder() / rank_program))
    return std::string("there is no program ") + rank_program + " next to " +
           fs::read_symlink("/proc/self/exe").string() + ". Build or install this program";
  if (!launcher.empty()) {
    const std::vector<std::string> words = words_of(launcher);
    return words.empty() || found(words.front()).empty()
               ? "the launcher `" + launcher +
                     "` is not a program. Give --launcher a command such as `mpirun -n {}`"
               : "";
  }
  if (!in_allocation() && mpirun().empty())
    return std::string("mpirun, which starts the processes, was not found (") + SEXTANT_MPIEXEC +
           " is missing). Install it (Debian and Ubuntu: apt-get install openmpi-bin), or name a "
           "launcher with --launcher";
  return {};
}

void require_ranks(const std::string& launcher) {
  if (const std::string reason = why_no_ranks(launcher); !reason.empty())
    throw UserError(reason + ".", ExitCode::missing);
}

WorkerCommand command_of_ranks(const WorkerCommand& worker, int ranks, int processors) {
  WorkerCommand command;
  command.by_streams = true;
  command.launcher = worker.launcher;
  const std::string count = std::to_string(ranks);
  const char* level = std::getenv("SLURM_MPI_TYPE");
  bool shares_machine = false;
  if (!worker.launcher.empty()) {
    command.arguments = words_of(worker.launcher);
    bool counted = false;
    for (std::string& word : command.arguments)
      if (word == "{}") word = count, counted = true;
    if (!counted) command.arguments.insert(command.arguments.end(), {"-n", count});
  } else if (in_allocation()) {
    command.arguments = {found("srun"), std::string("--mpi=") + (level ? level : "pmix"),
                         "--overlap",   "--input=0",
                         "--output=0",  "-n",
                         count};
    for (const std::string& option : processors_of_ranks(ranks)) command.arguments.push_back(option);
  } else {
    shares_machine = true;
    command.arguments = {mpirun(), "-n", count};
    if (SEXTANT_MPI_IS_OPEN_MPI)
      command.arguments.insert(command.arguments.end(), {"--oversubscribe", "--bind-to", "none"});
    command.environment.emplace_back("OMPI_ALLOW_RUN_AS_ROOT=1");
    command.environment.emplace_back("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
    // These variables belong to Open MPI 4 and 5. By default all MPI runs of a user share one temporary
    // folder. The first run creates it, so two that start at the same time may fail.
    if (SEXTANT_MPI_IS_OPEN_MPI)
      command.folder_variables = {"OMPI_MCA_orte_tmpdir_base", "PRTE_MCA_prte_tmpdir_base"};
  }
  if (shares_machine) {
    const int threads = std::max({1, processors / ranks, worker.least_threads});
    command.most_threads = threads;
    char cores[32];
    std::snprintf(cores, sizeof cores, "%.17g", std::min(1.0 * threads, 1.0 * processors / ranks));
    command.environment.push_back(std::string("SEXTANT_RANK_CORES=") + cores);
  }
  command.arguments.push_back(worker.rank_program.empty() ? (own_folder() / rank_program).string()
                                                          : worker.rank_program);
  const auto loads = std::find(worker.arguments.begin(), worker.arguments.end(), "--load");
  command.arguments.insert(command.arguments.end(), loads, worker.arguments.end());
  return command;
}

bool ask_for_gpu_memory(const WorkerCommand& ranks, double seconds) {
  WorkerProcess first(ranks, false);
  SteadyClock clock;
  std::string line;
  for (const double end = clock.now() + seconds; clock.now() < end;) {
    const Received received = first.receive(&line, end - clock.now());
    if (received == Received::nothing) continue;
    if (received == Received::closed) throw UserError(ranks.arguments.front() + " " + first.ending());
    if (const Json reply = answer_in(line); reply.contains("ready"))
      return reply.value("sends_gpu_memory", false);
  }
  first.kill();
  throw UserError(ranks.arguments.front() + " started, but none of its processes answered within " +
                  std::to_string(static_cast<int>(seconds)) + " s");
}

}  // namespace sextant
