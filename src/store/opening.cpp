#include "store/opening.hpp"

#include <filesystem>

#include "base/error.hpp"
#include "store/schema.hpp"

namespace sextant::store {
namespace {

// Throws UserError if the file contains views, triggers or virtual tables, because SQLite may execute their
// code. Sextant never creates them.
void require_plain_tables(const Database& database) {
  Statement other(
      database,
      "SELECT name FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'");
  if (other.step()) database.damaged(other.text(0) + " is not a table of a results file");
}

// Locks the file, and creates the tables if the file is new. *made becomes true for a new file, so that the
// caller can remove it after an error.
void open_for_writing(const Database& database, bool* made) {
  // A write-ahead log would need shared memory, which network file systems lack. `synchronous = NORMAL` keeps
  // the file intact if the machine crashes. Keeping the journal between commits makes it fast.
  database.execute(
      "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = PERSIST; PRAGMA synchronous = NORMAL;");
  const auto mark_version = [&] {
    database.execute(("PRAGMA user_version = " + std::to_string(newest_version)).c_str());
  };
  Transaction transaction(database, "BEGIN EXCLUSIVE");
  Statement tables(database, "SELECT count(*) FROM sqlite_master");
  tables.step();
  *made = tables.integer(0) == 0;
  tables.reset();
  require_plain_tables(database);
  if (*made) {
    for (const char* tables_of_it :
         {base_tables, counter_table, kernel_table, search_tables, part_table, visit_table, state_table})
      database.execute(tables_of_it);
    database.execute(("PRAGMA application_id = " + std::to_string(application_id)).c_str());
    mark_version();
  } else if (const std::int64_t version = version_of(database); version < newest_version) {
    if (version < 2) database.execute(columns_of_version_2);
    if (version < 2) database.execute(counter_table);
    if (version < 3) database.execute(columns_of_version_3);
    if (version < 3) database.execute(kernel_table);
    if (version < 4) database.execute(search_tables);
    if (version < 5) database.execute(columns_of_version_5);
    if (version < 6) database.execute(columns_of_version_6);
    if (version < 7) database.execute(columns_of_version_7);
    if (version < 8) database.execute(columns_of_version_8);
    if (version < 8) database.execute(part_table);
    if (version < 9) database.execute(columns_of_version_9);
    if (version < 10) database.execute(visit_table);
    if (version < 11) database.execute(columns_of_version_11);
    if (version < 11) database.execute(state_table);
    mark_version();
  }
  transaction.commit();
}

// Throws UserError if SQLite's check finds damage, or if the end of the file is missing.
void require_sound(const Database& database) {
  const auto value = [&](const char* pragma) {
    Statement statement(database, pragma);
    return statement.step() ? statement.text(0) : std::string();
  };
  const std::int64_t size = std::stoll(value("PRAGMA page_count")) * std::stoll(value("PRAGMA page_size"));
  if (database.file_size() < size) database.damaged("the end of the file is missing");
  require_plain_tables(database);
  if (const std::string found = value("PRAGMA quick_check(1)"); found != "ok") database.damaged(found);
}

// Opens a copy (snapshot) of a file that another process is writing. Throws `refusal` if copying failed.
OpenFile open_copy(const std::string& path, const InUse& refusal) {
  OpenFile file;
  file.snapshot = std::make_unique<Snapshot>(path);
  if (file.snapshot->path().empty()) throw refusal;
  file.database = std::make_unique<Database>(path, false, Locking::none, file.snapshot->path());
  require_sound(*file.database);
  return file;
}

// Throws UserError if the file is missing or empty.
void require_readable(const std::string& path, FileKind kind) {
  if (kind == FileKind::missing)
    throw UserError(path + " does not exist. `sextant run -o " + path + "` creates a results file.");
  if (kind == FileKind::empty)
    throw UserError(path + " is empty, not a results file. `sextant run -o FILE` creates a results file.");
}

// Removes a file that this process created but could not open.
void remove_made(const std::string& path, FileKind kind, bool made) {
  std::error_code ignored;
  if (!made && !(kind == FileKind::missing && std::filesystem::file_size(path, ignored) == 0)) return;
  std::filesystem::remove(path, ignored);
  std::filesystem::remove(path + "-journal", ignored);
}

}  // namespace

OpenFile open_file(const std::string& path, bool writable) {
  if (writable) require_directory(path);
  const FileKind kind = inspect(path, application_id, newest_version);
  if (kind == FileKind::newer)
    throw UserError(path +
                    " was written by a newer version of Sextant and was not changed. Update this program to "
                    "use the file.");
  if (!writable) require_readable(path, kind);
  bool made = false;
  const auto open_by = [&](Locking locking) {
    OpenFile file;
    file.database = std::make_unique<Database>(path, writable, locking);
    if (writable) open_for_writing(*file.database, &made);
    require_sound(*file.database);
    file.dot_file = locking == Locking::dot_file;
    return file;
  };
  try {
    try {
      return open_by(Locking::system);
    } catch (const UserError&) {
      if (!lacks_locks(path)) throw;
      return open_by(Locking::dot_file);
    }
  } catch (const InUse& refusal) {
    if (writable) throw;
    return open_copy(path, refusal);
  } catch (...) {
    remove_made(path, kind, made);
    throw;
  }
}

}  // namespace sextant::store
