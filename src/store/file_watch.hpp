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

  void remember();              // stores the state of the file after a commit of this process
  std::string changed() const;  // "was removed or moved", "was cut short", …; empty: it is unchanged

 private:
  struct State {
    bool there = false;  // a file with its name exists
    dev_t device = 0;
    ino_t inode = 0;
    std::int64_t size = 0;
    std::array<char, 100> header = {};  // contains the change counter (SQLite, "Database File Format")
  };
  State look() const;

  const Database& database_;
  State known_;
};

}  // namespace sextant::store
