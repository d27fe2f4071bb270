// Runs the program as a user does and keeps what it says.
#pragma once

#include <sys/wait.h>

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

// `arguments` as a shell takes them; standard input is empty.
inline Outcome run_sextant(const std::string& arguments, const std::string& environment = "") {
  const TemporaryFolder folder;
  const std::string command = environment + " " SEXTANT_PROGRAM " " + arguments + " </dev/null >" +
                              (folder / "out") + " 2>" + (folder / "err");
  const int status = std::system(command.c_str());
  return {content_of(folder / "out"), content_of(folder / "err"),
          WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

}  // namespace sextant::test
