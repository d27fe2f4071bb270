// A copy of a results file that somebody else is writing, for readers: its writer holds it alone for a whole
// run.
#pragma once

#include <string>

namespace sextant::store {

// The copy and its folder, which goes with it.
class Snapshot {
 public:
  // As `path` is between two commits of its writer: with the journal that takes an unfinished one back.
  // Without one (path() is empty) where the file cannot be read, or kept changing.
  explicit Snapshot(const std::string& path);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string folder_, path_;
};

}  // namespace sextant::store
