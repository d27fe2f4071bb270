// A copy of a results file that another process is writing. Readers need it, because a writer locks the file
// for a whole run.
#pragma once

#include <string>

namespace sextant::store {

// The copy, in a folder of its own. The destructor removes both.
class Snapshot {
 public:
  // Copies the state of `path` between two commits. The copy includes the journal, which rolls back an
  // unfinished commit. path() returns "" if the file cannot be read or changes during each attempt.
  explicit Snapshot(const std::string& path);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

}  // namespace sextant::store
