// Runs the built program as a user does, with arguments, and returns exit code, standard output and standard
// error.
#pragma once

#include <string>
#include <vector>

namespace sextant {

struct Ran {
  int exit_code = -1;  // 128 + signal if a signal ended it
  std::string out, err;
};

// A temporary folder for a test's files, removed at the end.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& file) const { return path_ + "/" + file; }

 private:
  std::string path_;
};

// Runs with the variables in `environment` ("NAME=value") and those of this process except CI, NO_COLOR and
// TERM.
Ran run_sextant(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});

// Does the same, and sends `signal` after `marker` appears on standard output or standard error, or after a
// minute.
Ran interrupt_sextant(const std::vector<std::string>& arguments, const std::string& marker, int signal);

// Runs with standard output and standard error on one pseudo terminal. `out` holds the terminal's text.
Ran run_on_terminal(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment = {}, unsigned short columns = 100);

}  // namespace sextant
