// Runs the Sextant program as a user does. Returns its exit code, standard output and standard error.
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

// Runs the program with the variables in `environment` ("NAME=value") added to those of this process. CI,
// NO_COLOR and TERM are not passed on.
Ran run_sextant(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});

// Like run_sextant, and sends `signal` as soon as `marker` is printed, or after a minute.
Ran interrupt_sextant(const std::vector<std::string>& arguments, const std::string& marker, int signal);

// Runs with standard output and error on one pseudo terminal. `out` holds the terminal's text.
Ran run_on_terminal(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment = {}, unsigned short columns = 100);

}  // namespace sextant
