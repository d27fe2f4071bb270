// A thin cover over SQLite: statements that clean up after themselves, and errors that say what to do.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace sextant::store {

class Database;

// One prepared statement. Parameters count from 1, columns from 0, as in SQLite.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Binds the values to parameters 1, 2, … in order. NaN and empty optionals become NULL; vectors of double
  // become little-endian BLOBs, empty ones NULL.
  template <typename... Values>
  Statement& bind(const Values&... values) {
    int parameter = 0;
    (set(++parameter, values), ...);
    return *this;
  }

  bool step();  // true: a row is there
  void run();   // steps to the end and makes the statement ready to be bound again
  void reset();

  std::int64_t integer(int column) const;
  double real(int column) const;  // NULL: NaN
  std::optional<double> optional_real(int column) const;
  std::optional<bool> optional_bool(int column) const;
  std::optional<int> optional_int(int column) const;
  std::string text(int column) const;
  std::vector<double> doubles(int column) const;

 private:
  void set(int parameter, std::int64_t value);
  void set(int parameter, int value) { set(parameter, static_cast<std::int64_t>(value)); }
  void set(int parameter, bool value) { set(parameter, static_cast<std::int64_t>(value)); }
  void set(int parameter, std::uint64_t value) { set(parameter, static_cast<std::int64_t>(value)); }
  void set(int parameter, double value);
  void set(int parameter, const std::optional<double>& value);
  void set(int parameter, const std::optional<bool>& value);
  void set(int parameter, const std::optional<int>& value);
  void set(int parameter, const std::optional<std::int64_t>& value);
  void set(int parameter, std::string_view value);
  void set(int parameter, const std::string& value) { set(parameter, std::string_view(value)); }
  void set(int parameter, const char* value) { set(parameter, std::string_view(value)); }
  void set(int parameter, const std::vector<double>& values);
  void check(int code) const;

  const Database* database_;
  sqlite3_stmt* handle_ = nullptr;
};

// Another process holds the file.
struct InUse : UserError {
  using UserError::UserError;
};

// Who holds a file is told by the system's locks on it, or, where a file system has none, by a folder beside
// it; a copy of one's own needs neither.
enum class Locking { system, dot_file, none };

class Database {
 public:
  // `copy`: what is opened in place of the file that messages name; empty: that file.
  Database(const std::string& path, bool writable, Locking locking = Locking::system,
           const std::string& copy = {});
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  sqlite3* handle() const { return handle_; }
  void execute(const char* sql) const;
  std::int64_t file_size() const;                // bytes of the open file, whatever is under its name now
  void read_file(char* bytes, int count) const;  // its first bytes
  std::int64_t last_row() const;
  // Throws the UserError that fits an SQLite result code; std::runtime_error for what no user can mend.
  [[noreturn]] void fail(int code) const;
  // Throws the UserError for a file whose content cannot be what was stored; `detail` says how that showed.
  [[noreturn]] void damaged(const std::string& detail) const;

 private:
  std::string path_;
  bool writable_;
  Locking locking_;
  sqlite3* handle_ = nullptr;
};

// Rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(const Database& database, const char* begin = "BEGIN");
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  const Database& database_;
  bool done_ = false;
};

// What the first bytes of a file say, read without SQLite, so that a foreign file is not touched in any way.
enum class FileKind { missing, empty, results, newer };
// Throws UserError for anything else: a directory, a text, another program's database, no permission.
FileKind inspect(const std::string& path, std::uint32_t application_id, std::uint32_t newest_version);

// The version of the tables in a results file.
std::int64_t version_of(const Database& database);

// Whether the file's system refuses locks as such. Not for a file that this process has open: it would lose
// its locks.
bool lacks_locks(const std::string& path);

// Throws UserError if the directory that is to hold `path` is not there.
void require_directory(const std::string& path);

}  // namespace sextant::store
