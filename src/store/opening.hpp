// Opens a results file: what it is, whether it is sound, who else has it; makes its tables, or those that an
// older version lacks.
#pragma once

#include <memory>
#include <string>

#include "store/database.hpp"
#include "store/snapshot.hpp"

namespace sextant::store {

struct OpenFile {
  std::unique_ptr<Snapshot>
      snapshot;  // what is read where somebody else is writing the file; null: the file itself
  std::unique_ptr<Database> database;
  bool dot_file = false;  // the file system has no locks: a folder beside the file is one
};

// To be written, it is this process's alone. Throws UserError where it is no sound results file, is of a
// newer Sextant, or is in use.
OpenFile open_file(const std::string& path, bool writable);

}  // namespace sextant::store
