// Runs the Sextant program in a shell and captures its output.
#pragma once

#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "sample_results.hpp"

namespace sextant::test {

inline std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

struct Outcome {
  std::string out, err;
  int code = -1;
};

// `arguments` is shell text; standard input is empty.
inline Outcome run_sextant(const std::string& arguments, const std::string& environment = "") {
  const TemporaryFolder folder;
  const std::string command = environment + " " SEXTANT_PROGRAM " " + arguments + " </dev/null >" +
                              (folder / "out") + " 2>" + (folder / "err");
  const int status = std::system(command.c_str());
  return {content_of(folder / "out"), content_of(folder / "err"),
          WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

// Returns the program's output on a terminal with this number of columns.
inline std::string on_terminal(const std::string& arguments, const std::string& environment,
                               unsigned short columns = 100) {
  int terminal = -1;
  winsize size{};
  size.ws_row = 50;
  size.ws_col = columns;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, &size);
  if (child == 0) {
    const std::string command = "env -u CI -u NO_COLOR TERM=xterm " + environment + " " SEXTANT_PROGRAM " " +
                                arguments + " 2>/dev/null";
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(terminal);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << arguments << "\n" << text;
  return text;
}

}  // namespace sextant::test
