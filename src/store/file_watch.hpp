// Detects whether another process removed, replaced, truncated or overwrote a results file that this process
// writes.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>

#include "store/database.hpp"

namespace sextant::store {

// Examines the file by its name and through the database's own descriptor. Closing a second descriptor would
// release the process's lock on the file (POSIX advisory locks).
class FileWatch {
 public:
  explicit FileWatch(const Database& database) : database_(database) {}

  void remember();  // stores the current state of the file; call it after each commit of this process
  // What happened to the file: "was removed or moved", "was cut short", …; empty if it is unchanged.
  std::string changed() const;

 private:
  struct State {
    bool there = false;  // true if a file with this name exists
    dev_t device = 0;
    ino_t inode = 0;
    std::int64_t size = 0;
    // First bytes of the file, which contain the change counter (SQLite, "Database File Format").
    std::array<char, 100> header = {};
  };
  State look() const;

  const Database& database_;
  State known_;
};

}  // namespace sextant::store
