// A copy of a results file that another process is writing, for readers: the writer locks the file for a
// whole run.
#pragma once

#include <string>

namespace sextant::store {

// The copy and its folder, which the destructor removes.
class Snapshot {
 public:
  // Copies the state of `path` between two commits, with the journal that rolls back an unfinished commit.
  // The result of path() is empty if the file cannot be read or keeps changing.
  explicit Snapshot(const std::string& path);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

}  // namespace sextant::store
