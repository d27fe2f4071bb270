// A copy of a results file, for reading while another process writes the file. Needed because a writer locks
// the file for a whole run.
#pragma once

#include <string>

namespace sextant::store {

// The copy, in its own folder. The destructor removes both.
class Snapshot {
 public:
  // Copies the state of `path` after its last commit. The copy includes the journal, which undoes an
  // unfinished commit. path() returns "" if the file cannot be read or changes during every attempt.
  explicit Snapshot(const std::string& path);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

}  // namespace sextant::store
