// Opens a results file: checks its kind, its integrity and its other users, and creates missing tables.
#pragma once

#include <memory>
#include <string>

#include "store/database.hpp"
#include "store/snapshot.hpp"

namespace sextant::store {

struct OpenFile {
  // The copy that is read if another process is writing the file; null if the file itself is open.
  std::unique_ptr<Snapshot> snapshot;
  std::unique_ptr<Database> database;
  // True if the file system has no locks; a folder next to the file then marks it as used.
  bool dot_file = false;
};

// Opens the file. A file that is opened for writing is locked for this process. Throws UserError if it is not
// an intact results file, comes from a newer version of Sextant, or is in use.
OpenFile open_file(const std::string& path, bool writable);

}  // namespace sextant::store
