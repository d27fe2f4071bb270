// Notices when somebody else takes away, replaces, cuts or overwrites a results file that this process is
// writing.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>

#include "store/database.hpp"

namespace sextant::store {

// The file is looked at by its name and through the database's own descriptor: closing a second one would
// give up the process's lock on the file (POSIX advisory locks).
class FileWatch {
 public:
  explicit FileWatch(const Database& database) : database_(database) {}

  void remember();              // what the file is now, after a commit of this process
  std::string changed() const;  // "was removed or moved", "was cut short", …; empty: it is as remembered

 private:
  struct State {
    bool there = false;  // under its name
    dev_t device = 0;
    ino_t inode = 0;
    std::int64_t size = 0;
    std::array<char, 100> header = {};  // holds the count of changes (SQLite, "Database File Format")
  };
  State look() const;

  const Database& database_;
  State known_;
};

}  // namespace sextant::store
