// Opens a results file. Checks that it is intact and not in use, and creates missing tables.
#pragma once

#include <memory>
#include <string>

#include "store/database.hpp"
#include "store/snapshot.hpp"

namespace sextant::store {

struct OpenFile {
  // The copy to read if another process is writing the file; else null.
  std::unique_ptr<Snapshot> snapshot;
  std::unique_ptr<Database> database;
  // True if a folder next to the file marks it as used, because the file system has no locks.
  bool dot_file = false;
};

// Opens the file and, for writing, locks it. Throws UserError if it is not an intact results file, comes from
// a newer version of Sextant, or is in use.
OpenFile open_file(const std::string& path, bool writable);

}  // namespace sextant::store
