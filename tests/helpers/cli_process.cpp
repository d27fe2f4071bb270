#include "cli_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <set>
#include <stdexcept>

extern char** environ;

namespace sextant {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<std::string> environment_with(const std::vector<std::string>& added) {
  std::set<std::string> names = {"CI", "NO_COLOR", "TERM"};  // variables that are not passed on
  const auto name_of = [](const std::string& entry) { return entry.substr(0, entry.find('=')); };
  for (const std::string& entry : added) names.insert(name_of(entry));
  std::vector<std::string> entries = added;
  for (char** entry = environ; *entry; ++entry)
    if (!names.contains(name_of(*entry))) entries.emplace_back(*entry);
  return entries;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

// Returns the program of the build, or the one next to the test if scripts/gpu-pack has moved both.
std::string program() {
  if (std::filesystem::exists(SEXTANT_PROGRAM)) return SEXTANT_PROGRAM;
  return std::filesystem::read_symlink("/proc/self/exe").replace_filename("sextant").string();
}

[[noreturn]] void become_sextant(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& environment) {
  std::vector<std::string> all = {program()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  execve(all.front().c_str(), pointers(all).data(), pointers(environment_with(environment)).data());
  _exit(127);
}

int exit_code_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

// Reads until all descriptors are closed. Calls `look` after each read until it returns false.
template <typename Look>
void read_all(std::vector<int> descriptors, std::vector<std::string*> texts, Look look) {
  std::size_t open = descriptors.size();
  while (open > 0) {
    std::vector<pollfd> entries;
    for (const int descriptor : descriptors) entries.push_back({descriptor, POLLIN, 0});
    poll(entries.data(), entries.size(), 1000);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      if (!entries[i].revents) continue;
      char chunk[4096];
      const ssize_t got = read(descriptors[i], chunk, sizeof chunk);
      if (got > 0) {
        texts[i]->append(chunk, static_cast<std::size_t>(got));
      } else {
        close(descriptors[i]);
        descriptors[i] = -1;  // poll ignores negative descriptors
        --open;
      }
    }
    look();
  }
}

template <typename Look>
Ran run_with_pipes(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                   Look look) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    dup2(out[1], 1);
    dup2(err[1], 2);
    become_sextant(arguments, environment);
  }
  close(out[1]);
  close(err[1]);
  Ran ran;
  read_all({out[0], err[0]}, {&ran.out, &ran.err}, [&] { look(ran, child); });
  ran.exit_code = exit_code_of(child);
  return ran;
}

}  // namespace

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "sextant-test-XXXXXX").string();
  if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
}

Ran run_sextant(const std::vector<std::string>& arguments, const std::vector<std::string>& environment) {
  return run_with_pipes(arguments, environment, [](const Ran&, pid_t) {});
}

Ran interrupt_sextant(const std::vector<std::string>& arguments, const std::string& marker, int signal) {
  const auto start = Clock::now();
  bool sent = false;
  return run_with_pipes(arguments, {}, [&](const Ran& ran, pid_t child) {
    const bool seen = ran.out.find(marker) != std::string::npos || ran.err.find(marker) != std::string::npos;
    if (sent || (!seen && Clock::now() - start < std::chrono::minutes(1))) return;
    kill(child, signal);
    sent = true;
  });
}

Ran run_on_terminal(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                    unsigned short columns) {
  int master = -1;
  winsize size{};
  size.ws_col = columns;
  size.ws_row = 40;
  const pid_t child = forkpty(&master, nullptr, nullptr, &size);
  if (child == 0) become_sextant(arguments, environment);
  Ran ran;
  read_all({master}, {&ran.out}, [] {});
  ran.exit_code = exit_code_of(child);
  return ran;
}

}  // namespace sextant
