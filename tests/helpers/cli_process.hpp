// Runs the built program as a user would: arguments in, exit code, standard output and standard error out.
#pragma once

#include <string>
#include <vector>

namespace sextant {

struct Ran {
  int exit_code = -1;  // 128 + signal if one ended it
  std::string out, err;
};

// A folder of its own for a test's files, removed at the end.
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

// With the variables of `environment` ("NAME=value"), and those of this process but for CI, NO_COLOR and
// TERM.
Ran run_sextant(const std::vector<std::string>& arguments, const std::vector<std::string>& environment = {});

// The same, but `signal` is sent when `marker` appeared on standard output or standard error, or after a
// minute.
Ran interrupt_sextant(const std::vector<std::string>& arguments, const std::string& marker, int signal);

// With standard output and standard error on one pseudo terminal: what it showed is in `out`.
Ran run_on_terminal(const std::vector<std::string>& arguments,
                    const std::vector<std::string>& environment = {}, unsigned short columns = 100);

}  // namespace sextant
