// Opens a results file: checks what it is, whether it is intact and who uses it, and creates missing tables.
#pragma once

#include <memory>
#include <string>

#include "store/database.hpp"
#include "store/snapshot.hpp"

namespace sextant::store {

struct OpenFile {
  // Copy that is read if another process is writing the file; null: the file itself.
  std::unique_ptr<Snapshot> snapshot;
  std::unique_ptr<Database> database;
  bool dot_file = false;  // the file system has no locks, so that a folder next to the file is used
};

// A file opened for writing is locked for this process. Throws UserError if it is no intact results file,
// comes from a newer Sextant, or is in use.
OpenFile open_file(const std::string& path, bool writable);

}  // namespace sextant::store
