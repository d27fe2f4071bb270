// A thin C++ wrapper around SQLite. Errors tell the user what to do.
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

// A prepared statement. Parameters count from 1 and columns from 0, as in SQLite.
class Statement {
 public:
  Statement(const Database& database, std::string_view sql);
  ~Statement();
  Statement(Statement&& other) noexcept;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // Binds the values to the parameters 1, 2, … in order. NaN, empty optionals and empty vectors become NULL.
  // Other vectors of double become BLOBs of little-endian doubles.
  template <typename... Values>
  Statement& bind(const Values&... values) {
    int parameter = 0;
    (set(++parameter, values), ...);
    return *this;
  }

  bool step();  // executes one step; true if it returned a row
  void run();   // steps to the end and resets the statement for the next binding
  void reset();

  std::int64_t integer(int column) const;
  double real(int column) const;  // value of a column; NaN for NULL
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

// Thrown if another process uses the file.
struct InUse : UserError {
  using UserError::UserError;
};

// How a process marks a file as used:
// - system: locks of the operating system
// - dot_file: a folder next to the file, if the file system has no locks
// - none: no mark, for a private copy
enum class Locking { system, dot_file, none };

class Database {
 public:
  // `path` is the file that messages name. `copy` is the file to open; if empty, opens `path`.
  Database(const std::string& path, bool writable, Locking locking = Locking::system,
           const std::string& copy = {});
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  const std::string& path() const { return path_; }
  sqlite3* handle() const { return handle_; }
  void execute(const char* sql) const;
  // Returns the size of the open file in bytes, even if another file now has its name.
  std::int64_t file_size() const;
  void read_file(char* bytes, int count) const;  // reads the first `count` bytes
  std::int64_t last_row() const;
  // Throws the UserError for an SQLite result code, or std::runtime_error if the user cannot fix the cause.
  [[noreturn]] void fail(int code) const;
  // Throws the UserError for a file with invalid content. `detail` describes the damage.
  [[noreturn]] void damaged(const std::string& detail) const;

 private:
  std::string path_;
  bool writable_;
  Locking locking_;
  sqlite3* handle_ = nullptr;
};

// A transaction. The destructor rolls it back unless it was committed.
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

// The kind of a file, according to its first bytes. SQLite is not used, because it might change a foreign
// file.
enum class FileKind { missing, empty, results, newer };
// Throws UserError for anything else: a directory, a text file, another program's database, no permission.
FileKind inspect(const std::string& path, std::uint32_t application_id, std::uint32_t newest_version);

// Returns the version of the tables in a results file.
std::int64_t version_of(const Database& database);

// Returns true if the file system does not support locks. Do not call it for a file that this process has
// open in SQLite: the process would lose its locks on the file.
bool lacks_locks(const std::string& path);

// Throws UserError if the directory of `path` does not exist.
void require_directory(const std::string& path);

}  // namespace sextant::store
