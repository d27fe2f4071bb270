// Detects whether another process removed, replaced or changed a results file that this process writes.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>

#include "store/database.hpp"

namespace sextant::store {

// Examines the file without opening it a second time. Closing a second descriptor would release this
// process's lock on the file (POSIX advisory locks).
class FileWatch {
 public:
  explicit FileWatch(const Database& database) : database_(database) {}

  void remember();  // stores the current state; call it after each commit
  // Returns what happened to the file: "was removed or moved", "was cut short", …, or "" if it is unchanged.
  std::string changed() const;

 private:
  struct State {
    bool there = false;  // true if a file with this name exists
    dev_t device = 0;
    ino_t inode = 0;
    std::int64_t size = 0;
    // First bytes of the file. They contain SQLite's change counter ("Database File Format").
    std::array<char, 100> header = {};
  };
  State look() const;

  const Database& database_;
  State known_;
};

}  // namespace sextant::store
