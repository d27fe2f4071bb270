#include "run/clock_guard.hpp"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>

#include "engine/process/line_channel.hpp"
#include "machine/nvml.hpp"

extern char** environ;

namespace sextant {
namespace {

constexpr const char* unknown_address = "-";  // stands for an unknown PCI address in a request

std::string request_of(const GpuToLock& gpu, std::optional<unsigned> megahertz) {
  return std::to_string(gpu.index) + " " + std::to_string(megahertz.value_or(0)) + " " +
         (gpu.bus_id.empty() ? unknown_address : gpu.bus_id);
}

// Locks what the request names. Returns the reply: empty, or why the clock is not locked.
std::string serve(const std::string& request, std::vector<GpuToLock>* locked) {
  std::istringstream words(request);
  GpuToLock gpu;
  unsigned megahertz = 0;
  if (!(words >> gpu.index >> megahertz >> gpu.bus_id)) return "the request is not understood";
  if (gpu.bus_id == unknown_address) gpu.bus_id.clear();
  const std::string obstacle = nvml::lock_clock(gpu.bus_id, gpu.index, megahertz);
  if (obstacle.empty()) locked->push_back(gpu);
  return obstacle;
}

}  // namespace

int guard_clocks(int in, int out) {
  constexpr double between_looks = 0.2;  // seconds after which the parent's death is noticed at the latest
  ::setsid();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) std::signal(signal, SIG_IGN);
  const pid_t parent = ::getppid();
  std::vector<GpuToLock> locked;
  LineReader requests(in);
  for (std::string line; ::getppid() == parent;) {
    const Received received = requests.next(&line, between_looks);
    if (received == Received::closed) break;
    if (received == Received::line) write_line(out, serve(line, &locked));
  }
  int exit_code = 0;
  for (const GpuToLock& gpu : locked)
    if (!nvml::release_clock(gpu.bus_id, gpu.index).empty()) exit_code = 1;
  return exit_code;
}

ClockGuard::ClockGuard(const std::vector<std::string>& command, const std::vector<GpuToLock>& gpus,
                       std::optional<unsigned> megahertz) {
  const std::string why_not = start(command);
  for (const GpuToLock& gpu : gpus) {
    const std::string obstacle = why_not.empty() ? ask(gpu, megahertz) : why_not;
    if (obstacle.empty())
      locked_.push_back(gpu);
    else
      obstacles_.push_back(gpu.name + ": " + obstacle);
  }
}

ClockGuard::~ClockGuard() { release(); }

// Returns why the guardian did not start, or an empty text.
std::string ClockGuard::start(const std::vector<std::string>& command) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return std::string("there is no channel to a guardian process: ") + std::strerror(errno);
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  const int error = ::posix_spawnp(&guardian_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  channel_ = ends[0];
  if (error == 0) return "";
  guardian_ = 0;
  return std::string("the guardian process does not start: ") + std::strerror(error);
}

std::string ClockGuard::ask(const GpuToLock& gpu, std::optional<unsigned> megahertz) {
  constexpr double longest = 30;  // seconds; starting the driver takes a few
  LineReader replies(channel_);
  std::string reply;
  if (!write_line(channel_, request_of(gpu, megahertz)) || replies.next(&reply, longest) != Received::line)
    return "the guardian process does not answer";
  return reply;
}

std::vector<std::string> ClockGuard::release() {
  if (channel_ >= 0) ::close(channel_);
  channel_ = -1;
  if (guardian_ == 0) return {};
  int status = -1;
  while (::waitpid(guardian_, &status, 0) < 0 && errno == EINTR) continue;
  guardian_ = 0;
  std::vector<std::string> left;
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    for (const GpuToLock& gpu : locked_)
      if (!nvml::release_clock(gpu.bus_id, gpu.index).empty()) left.push_back(gpu.name);
  locked_.clear();
  return left;
}

}  // namespace sextant
