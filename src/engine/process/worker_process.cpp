#include "engine/process/worker_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/error.hpp"
#include "engine/case/sampling.hpp"
#include "machine/host_gpus.hpp"
#include "machine/openblas.hpp"
#include "machine/places.hpp"

extern char** environ;

namespace sextant {
namespace {

constexpr int request_descriptor = 3, reply_descriptor = 4;
constexpr std::size_t kept_words = 2000;  // bytes of the worker's standard error that are kept

// Moves the descriptor to a number that the worker does not use itself, with close-on-exec. Returns -1 if no
// such number is free.
int out_of_the_way(int descriptor) {
  const int copy = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 16);
  ::close(descriptor);
  return copy;
}

[[noreturn]] void refuse_channel() {
  const bool too_few = errno == EMFILE || errno == EINVAL;
  throw UserError(
      std::string("cannot open a pipe to a worker process: ") +
          (too_few ? "the limit of open files is too low. `ulimit -n` shows the limit, and 256 is enough."
                   : std::string(std::strerror(errno)) + ". --in-process runs without worker processes."),
      too_few ? ExitCode::usage : ExitCode::internal);
}

// Returns the number of processors that this process's control group may keep busy, or 0 if there is no
// limit. Source: https://docs.kernel.org/admin-guide/cgroup-v2.html, cpu.max
int processor_quota() {
  double quota = 0, period = 0;
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  return file >> quota >> period && period > 0 ? std::max(1, static_cast<int>(quota / period)) : 0;
}

int allowed_processors() {
  cpu_set_t set;
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

bool is_set(const char* name) { return std::getenv(name) != nullptr; }

// Returns the number of OpenMP threads of a worker for which the user did not set it; 0: OpenMP's default.
// Linux would suspend threads beyond the control group's quota in the middle of their work. LLVM's OpenMP
// with explicit places uses all processors of the machine, so it always gets a number.
int own_threads(const WorkerCommand& command, bool llvm_is_told_places) {
  const int quota = processor_quota(), allowed = allowed_processors();
  const int busy = quota > 0 ? std::min(quota, allowed) : allowed;
  if (command.by_streams) return command.most_threads;
  if (command.threads > 0) return quota > 0 ? std::min(quota, command.threads) : command.threads;
  return busy < allowed || busy < command.least_threads || llvm_is_told_places
             ? std::max(busy, command.least_threads)
             : 0;
}

// Returns the environment of a worker: the parent's environment, with OpenMP threads bound to neighbouring
// cores, unless the user chose otherwise.
std::vector<std::string> worker_environment(bool offload_on_host, const WorkerCommand& command) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry; ++entry) entries.emplace_back(*entry);
  // Ranks that share a machine first bind themselves to separate cores. If OpenMP had already bound their
  // thread, they would not see the other cores.
  const bool take_their_own = command.most_threads > 0;
  const bool bind = is_set("OMP_PROC_BIND"), places = is_set("OMP_PLACES");
  if (!bind && !take_their_own) entries.emplace_back("OMP_PROC_BIND=close");
  if (!places && !take_their_own) entries.emplace_back("OMP_PLACES=cores");
  const bool chosen = bind || places || is_set("GOMP_CPU_AFFINITY") || is_set("KMP_AFFINITY");
  const std::string for_llvm = chosen || take_their_own ? "" : places_for_llvm(command.processors);
  if (!for_llvm.empty()) {
    entries.emplace_back("KMP_AFFINITY=" + for_llvm);
    entries.emplace_back("KMP_WARNINGS=0");  // suppresses a warning that KMP_AFFINITY overrides OMP_PROC_BIND
  }
  const int threads = is_set("OMP_NUM_THREADS") ? 0 : own_threads(command, !for_llvm.empty());
  if (threads > 0) entries.emplace_back("OMP_NUM_THREADS=" + std::to_string(threads));
  if (const std::string visible = "CUDA_VISIBLE_DEVICES="; !command.visible_gpu.empty()) {
    std::erase_if(entries, [&](const std::string& entry) { return entry.starts_with(visible); });
    entries.push_back(visible + command.visible_gpu);
  }
  entries.insert(entries.end(), command.environment.begin(), command.environment.end());
  // By default, OpenBLAS's threads spin for 2^26 cycles after a call, which would disturb the next
  // measurement.
  if (!is_set("OPENBLAS_THREAD_TIMEOUT")) entries.emplace_back("OPENBLAS_THREAD_TIMEOUT=20");
  if (const std::string kernels = openblas_kernels_to_ask_for(); !kernels.empty())
    entries.emplace_back("OPENBLAS_CORETYPE=" + kernels);
  if (offload_on_host || !host_gpus().empty()) {
    entries.emplace_back("ACC_DEVICE_TYPE=host");
    entries.emplace_back("OMP_TARGET_OFFLOAD=DISABLED");
  }
  return entries;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

// Binds the calling thread to these processors during its lifetime, if the list is not empty. Processes
// started meanwhile inherit the binding.
class BoundTo {
 public:
  explicit BoundTo(const std::vector<int>& processors) {
    if (processors.empty() || ::sched_getaffinity(0, sizeof saved_, &saved_) != 0) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const int processor : processors) CPU_SET(static_cast<std::size_t>(processor), &set);
    changed_ = ::sched_setaffinity(0, sizeof set, &set) == 0;
  }
  ~BoundTo() {
    if (changed_) ::sched_setaffinity(0, sizeof saved_, &saved_);
  }
  BoundTo(const BoundTo&) = delete;
  BoundTo& operator=(const BoundTo&) = delete;

 private:
  cpu_set_t saved_;
  bool changed_ = false;
};

// Creates a temporary folder and returns its path. Returns an empty string if that fails; the started program
// then uses its default folder.
std::string make_folder() {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / "sextant-XXXXXX").string();
  return !error && ::mkdtemp(name.data()) ? name : "";
}

pid_t start(const WorkerCommand& command, const std::string& folder, bool offload_on_host, int channel,
            int errors) {
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  if (command.by_streams) {
    ::posix_spawn_file_actions_adddup2(&actions, channel, 0);
    ::posix_spawn_file_actions_adddup2(&actions, channel, 1);
  } else {
    ::posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, channel, request_descriptor);
    ::posix_spawn_file_actions_adddup2(&actions, channel, reply_descriptor);
  }
  ::posix_spawn_file_actions_adddup2(&actions, errors, 2);
  // The worker gets a separate process group, because only the parent handles an interrupt from the terminal.
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t pid = -1;
  // the worker inherits all processors, even if OpenMP has bound this thread to one
  const AllPlaces all_places;
  const BoundTo bound(command.processors);
  std::vector<std::string> environment = worker_environment(offload_on_host, command);
  if (!folder.empty())
    for (const std::string& variable : command.folder_variables)
      environment.push_back(variable + "=" + folder);
  const int failed = ::posix_spawnp(&pid, command.arguments.at(0).c_str(), &actions, &attributes,
                                    pointers(command.arguments).data(), pointers(environment).data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (failed)
    throw UserError("cannot start the worker process " + command.arguments[0] + ": " + std::strerror(failed) +
                        ". --in-process runs without worker processes.",
                    ExitCode::internal);
  return pid;
}

}  // namespace

int processors_to_use() {
  const AllPlaces all_places;  // OpenMP may have bound this thread to one processor
  const int quota = processor_quota(), allowed = allowed_processors();
  return quota > 0 ? std::min(quota, allowed) : allowed;
}

WorkerProcess::WorkerProcess(const WorkerCommand& command, bool offload_on_host)
    : starts_others_(command.by_streams), reader_(-1) {
  int ends[2], error_ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 || ::pipe2(error_ends, O_CLOEXEC) != 0)
    refuse_channel();
  channel_ = ends[0];
  errors_ = error_ends[0];
  reader_ = LineReader(channel_);
  const int worker_channel = out_of_the_way(ends[1]), worker_errors = out_of_the_way(error_ends[1]);
  if (worker_channel < 0 || worker_errors < 0) {
    for (const int descriptor : {channel_, errors_, worker_channel, worker_errors}) ::close(descriptor);
    errno = EMFILE;
    refuse_channel();
  }
  ::fcntl(errors_, F_SETFL, O_NONBLOCK);
  try {
    if (!command.folder_variables.empty()) folder_ = make_folder();
    pid_ = start(command, folder_, offload_on_host, worker_channel, worker_errors);
  } catch (...) {
    remove_folder();
    for (const int descriptor : {channel_, errors_, worker_channel, worker_errors}) ::close(descriptor);
    throw;
  }
  ::close(worker_channel);
  ::close(worker_errors);
}

WorkerProcess::~WorkerProcess() {
  ::shutdown(channel_, SHUT_WR);  // closes the requests, after which the worker exits
  reap(starts_others_ ? 5 : 2);
  if (!reaped_) kill();
  ::close(channel_);
  ::close(errors_);
  remove_folder();
}

void WorkerProcess::remove_folder() {
  std::error_code error;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, error);
}

Received WorkerProcess::receive(std::string* line, double seconds) {
  const auto start = std::chrono::steady_clock::now();
  while (!reader_.has_line()) {
    const double left =
        seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    pollfd entries[2] = {{channel_, POLLIN, 0}, {errors_, POLLIN, 0}};
    const int ready = ::poll(entries, errors_ >= 0 ? 2 : 1, left > 0 ? static_cast<int>(left * 1000) + 1 : 0);
    if (ready < 0)
      // if a signal interrupted the wait, the caller decides how to continue
      return errno == EINTR ? Received::nothing : Received::closed;
    if (ready == 0 && left <= 0) return Received::nothing;
    if (errors_ >= 0 && entries[1].revents) read_errors();
    if (!entries[0].revents) continue;
    const Received received = reader_.take(line);
    if (received != Received::nothing) return received;
  }
  return reader_.take(line);
}

void WorkerProcess::read_errors() {
  char chunk[4096];
  for (;;) {
    const ssize_t got = ::read(errors_, chunk, sizeof chunk);
    if (got < 0) return;
    if (got == 0) {
      ::close(errors_);
      errors_ = -1;
      return;
    }
    last_words_.append(chunk, static_cast<std::size_t>(got));
    if (last_words_.size() > kept_words) last_words_.erase(0, last_words_.size() - kept_words);
  }
}

void WorkerProcess::reap(double maximum_wait) {
  for (double waited = 0; !reaped_; waited += 0.002) {
    const pid_t ended = ::waitpid(pid_, &status_, WNOHANG);
    reaped_ = ended == pid_ || (ended < 0 && errno == ECHILD);
    if (reaped_ || waited >= maximum_wait) return;
    const timespec pause{0, 2'000'000};
    ::nanosleep(&pause, nullptr);
  }
}

void WorkerProcess::kill() {
  if (reaped_) return;
  // Give a launcher some time to end the processes that it started, even on other machines.
  if (starts_others_) {
    ::kill(-pid_, SIGTERM);
    reap(3);
    ::kill(-pid_, SIGKILL);
    if (reaped_) return;
  }
  ::kill(pid_, SIGKILL);
  reap(20);  // a driver may need seconds to stop a running kernel
}

std::string WorkerProcess::ending() {
  reap(1);
  if (!reaped_) kill();
  if (errors_ >= 0) read_errors();
  std::string text;
  if (WIFSIGNALED(status_)) {
    const int signal = WTERMSIG(status_);
    text = "was killed by signal " + std::to_string(signal) + " (" + ::strsignal(signal) + ")";
  } else {
    text = "exited with status " + std::to_string(WEXITSTATUS(status_));
  }
  while (!last_words_.empty() && (last_words_.back() == '\n' || last_words_.back() == ' '))
    last_words_.pop_back();
  return last_words_.empty() ? text : text + "; its last error output: " + last_words_;
}

std::shared_ptr<IdleWorker> no_worker_yet() { return std::make_shared<IdleWorker>(); }

std::unique_ptr<WorkerProcess> take_worker(const WorkerCommand& command) {
  if (command.idle && command.idle->process) return std::move(command.idle->process);
  return std::make_unique<WorkerProcess>(command, false);
}

void end_idle_worker(const WorkerCommand& command) {
  if (command.idle) command.idle->process.reset();
}

void leave_worker(const WorkerCommand& command, std::unique_ptr<WorkerProcess> worker) {
  if (command.idle) command.idle->process = std::move(worker);
}

}  // namespace sextant
