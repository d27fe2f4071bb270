#include "base/child.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <sstream>

#include "base/clock.hpp"

extern char** environ;

namespace sextant {
namespace {

constexpr std::size_t longest_log = std::size_t{1} << 20;

// Starts `command` with stdout and stderr redirected to `output`. Returns -1 if it cannot be started.
pid_t start(const std::vector<std::string>& command, int output) {
  std::vector<char*> arguments;
  for (const std::string& one : command) arguments.push_back(const_cast<char*>(one.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, output, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = -1;
  const int error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error == 0 ? child : -1;
}

// Appends data from the pipe to `log` until all writers have closed it. Returns false at the time `end`.
bool read_all(int input, double end, std::string* log) {
  for (;;) {
    const double left = end - now();
    if (left <= 0) return false;
    pollfd one{input, POLLIN, 0};
    const int ready = poll(&one, 1, static_cast<int>(left * 1000) + 1);
    if (ready < 0 && errno != EINTR) return false;
    if (ready <= 0) continue;
    char part[65536];
    const ssize_t got = read(input, part, sizeof part);
    if (got == 0) return true;
    if (got > 0 && log->size() < longest_log) log->append(part, static_cast<std::size_t>(got));
  }
}

}  // namespace

Ended run_to_end(const std::vector<std::string>& command, double seconds) {
  Ended ended;
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) return ended;
  const double end = now() + seconds;
  const pid_t child = start(command, pipe_ends[1]);
  close(pipe_ends[1]);
  ended.started = child > 0;
  if (ended.started) {
    ended.timed_out = !read_all(pipe_ends[0], end, &ended.log);
    if (ended.timed_out) ::kill(-child, SIGKILL);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status)) ended.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) ended.signal = WTERMSIG(status);
  }
  close(pipe_ends[0]);
  return ended;
}

std::vector<std::string> words_of(const std::string& command) {
  if (::access(command.c_str(), X_OK) == 0) return {command};
  std::istringstream text(command);
  std::vector<std::string> words;
  for (std::string word; text >> word;) words.push_back(word);
  return words;
}

std::string shell_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& one : command) {
    const bool plain = !one.empty() && one.find_first_not_of(
                                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                           "0123456789_-+=./,:@%^") == std::string::npos;
    if (!text.empty()) text += ' ';
    if (plain) {
      text += one;
      continue;
    }
    text += '\'';
    for (const char c : one) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    text += '\'';
  }
  return text;
}

}  // namespace sextant
