#include "store/database.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/error.hpp"

namespace sextant::store {
namespace {

// Converts to little-endian order, which the file uses.
std::uint64_t little_endian(std::uint64_t bits) {
  return std::endian::native == std::endian::big ? __builtin_bswap64(bits) : bits;
}

std::uint32_t big_endian_word(const unsigned char* bytes) {
  return static_cast<std::uint32_t>(bytes[0]) << 24 | static_cast<std::uint32_t>(bytes[1]) << 16 |
         static_cast<std::uint32_t>(bytes[2]) << 8 | bytes[3];
}

bool on_read_only_system(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  struct statvfs system = {};
  return statvfs(folder.empty() ? "." : folder.c_str(), &system) == 0 && (system.f_flag & ST_RDONLY) != 0;
}

[[noreturn]] void no_permission(const std::string& path, const char* what) {
  throw UserError(path + ": you have no permission to " + what + " the file. `ls -l " + path +
                  "` shows the permissions. Change them, or name another file.");
}

[[noreturn]] void say_damaged(const std::string& path, const std::string& detail) {
  throw UserError(
      path + " is damaged (" + detail +
      ") and was not changed. Use a copy of the results file, or measure again into another file with -o.");
}

}  // namespace

FileKind inspect(const std::string& path, std::uint32_t application_id, std::uint32_t newest_version) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (status.type() == std::filesystem::file_type::not_found) return FileKind::missing;
  if (status.type() == std::filesystem::file_type::none) no_permission(path, "reach");
  if (std::filesystem::is_directory(status)) throw UserError(path + " is a directory. Name a file in it.");
  if (!std::filesystem::is_regular_file(status))
    throw UserError(path + " is not a regular file. Name another one.");

  // The layout is in SQLite's documentation, "Database File Format".
  std::array<unsigned char, 100> header = {};
  std::ifstream file(path, std::ios::binary);
  if (!file) no_permission(path, "read");
  file.read(reinterpret_cast<char*>(header.data()), static_cast<std::streamsize>(header.size()));
  const std::streamsize size = file.gcount();
  if (size == 0) return FileKind::empty;
  constexpr std::string_view magic("SQLite format 3\0", 16);
  const bool is_sqlite = size >= 16 && std::memcmp(header.data(), magic.data(), magic.size()) == 0;
  const std::string remedy =
      " and was not changed. Name a file that `sextant run -o FILE` wrote, or a new file.";
  if (!is_sqlite) throw UserError(path + " is not a results file" + remedy);
  if (size < 100) say_damaged(path, "its header is incomplete");
  if (big_endian_word(&header[68]) != application_id)
    throw UserError(path + " is another program's SQLite database, not a results file," + remedy);
  return big_endian_word(&header[60]) > newest_version ? FileKind::newer : FileKind::results;
}

std::int64_t version_of(const Database& database) {
  Statement version(database, "PRAGMA user_version");
  return version.step() ? version.integer(0) : 0;
}

void require_directory(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (folder.empty() || std::filesystem::is_directory(folder, error)) return;
  if (std::filesystem::exists(folder, error))
    throw UserError(path + " cannot be written, because " + folder.string() +
                    " is not a directory. Name a file in a directory.");
  throw UserError(path + " cannot be written, because the directory " + folder.string() +
                  " does not exist. Create it with `mkdir -p " + folder.string() + "`.");
}

// Requests a lock with the same system call as SQLite. Without locks the call fails with ENOLCK. SQLite would
// take this for another process's lock and wait without end.
bool lacks_locks(const std::string& path) {
  sqlite3_vfs* system = sqlite3_vfs_find("unix");
  if (!system || system->iVersion < 3 || !system->xGetSystemCall) return false;
  const auto control = reinterpret_cast<int (*)(int, int, ...)>(system->xGetSystemCall(system, "fcntl"));
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (!control || file < 0) return false;
  struct flock lock = {};
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  errno = 0;
  const bool refused = control(file, F_SETLK, &lock) != 0 &&
                       (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP || errno == EINVAL);
  ::close(file);
  return refused;
}

Database::Database(const std::string& path, bool writable, Locking locking, const std::string& copy)
    : path_(path), writable_(writable), locking_(locking) {
  // Readers also open the file for writing: after a writer was killed, the first reader must roll back its
  // unfinished transaction. SQLite falls back to read access if the file permits no more.
  if (writable && on_read_only_system(path))
    throw UserError(path + " is on a read-only file system. Name a file on another one with -o.");
  const int flags = SQLITE_OPEN_READWRITE | (writable ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX;
  // SQLite's names for the file access methods, in the order of Locking
  constexpr const char* vfs_names[] = {nullptr, "unix-dotfile", "unix-none"};
  const int code = sqlite3_open_v2((copy.empty() ? path : copy).c_str(), &handle_, flags,
                                   vfs_names[static_cast<std::size_t>(locking)]);
  try {
    if (code != SQLITE_OK) fail(code);
    sqlite3_extended_result_codes(handle_, 1);
    // Milliseconds. A writer waits for another process's short read, but not for a whole run. A reader waits
    // only briefly, because a writer keeps its lock for the whole run.
    sqlite3_busy_timeout(handle_, writable ? 1000 : 20);
    if (writable && sqlite3_db_readonly(handle_, "main") == 1) no_permission(path, "write");
  } catch (...) {
    sqlite3_close(handle_);
    throw;
  }
}

Database::~Database() { sqlite3_close(handle_); }

void Database::execute(const char* sql) const {
  const int code = sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

namespace {

// Returns the error number if the file cannot be created or written, else 0. SQLite itself reports the error
// of its last attempt, which was to open the file for reading.
int why_not_writable(const std::string& path) {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(path, error).parent_path();
  const std::string place = std::filesystem::exists(path, error) ? path : folder.string();
  if (::faccessat(AT_FDCWD, place.c_str(), W_OK, AT_EACCESS) == 0) return 0;
  return errno == EACCES || errno == EPERM || errno == EROFS ? errno : 0;
}

sqlite3_file* file_of(sqlite3* handle) {
  sqlite3_file* file = nullptr;
  sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  return file && file->pMethods ? file : nullptr;
}

}  // namespace

std::int64_t Database::file_size() const {
  sqlite3_int64 size = 0;
  sqlite3_file* file = file_of(handle_);
  return file && file->pMethods->xFileSize(file, &size) == SQLITE_OK ? size : 0;
}

void Database::read_file(char* bytes, int count) const {
  if (sqlite3_file* file = file_of(handle_))
    // Fills the rest with zeros if the file is shorter.
    file->pMethods->xRead(file, bytes, count, 0);
}

std::int64_t Database::last_row() const { return sqlite3_last_insert_rowid(handle_); }

void Database::damaged(const std::string& detail) const {
  // Removes the first line of SQLite's report, which contains only the name of the database.
  const std::size_t line = detail.find("***\n");
  say_damaged(path_, line == std::string::npos ? detail : detail.substr(line + 4));
}

void Database::fail(int code) const {
  const std::string message = handle_ ? sqlite3_errmsg(handle_) : sqlite3_errstr(code);
  const int primary = code & 0xff;
  const int barred = writable_ && primary == SQLITE_CANTOPEN ? why_not_writable(path_) : 0;
  const int system_error = barred ? barred : handle_ ? sqlite3_system_errno(handle_) : 0;
  const std::string because = system_error ? message + ", " + std::strerror(system_error) : message;
  // A full disk has its own error code. An exceeded quota or file size limit is only a failed write.
  if (primary == SQLITE_FULL || code == SQLITE_IOERR_WRITE)
    throw UserError(path_ + ": there is no space left to store results (" + because +
                    "). The results stored so far are safe. Free disk space or quota, then repeat the "
                    "command to continue.");
  if ((primary == SQLITE_BUSY || primary == SQLITE_LOCKED) && locking_ == Locking::dot_file)
    throw InUse(path_ +
                " is in use by another `sextant`, or was in use when one was killed (the file system has no "
                "locks, so " +
                path_ +
                ".lock marks the file as in use). Wait until the other program ends. If none runs on any "
                "machine, remove the mark with `rmdir " +
                path_ + ".lock`.");
  if (primary == SQLITE_BUSY || primary == SQLITE_LOCKED)
    throw InUse(path_ + " is being written by another `sextant`. " +
                (writable_
                     ? "Wait until that program ends, or write to another file with -o."
                     : "Wait until that program ends, or interrupt it, which keeps its measured cases."));
  if (code == SQLITE_READONLY_ROLLBACK || code == SQLITE_READONLY_RECOVERY ||
      code == SQLITE_READONLY_CANTINIT)
    throw UserError(
        path_ +
        " must be recovered, because its last writer was killed. Recovery needs write permission for the "
        "file and its directory. Change the permissions, or copy the file together with " +
        path_ + "-journal to another directory.");
  if (code == SQLITE_READONLY_DBMOVED)
    throw UserError(path_ + " was moved or removed while in use. Run the same command again.");
  if (primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB || code == SQLITE_IOERR_SHORT_READ ||
      primary == SQLITE_ERROR || primary == SQLITE_MISMATCH ||
      // The statements are correct, so a failed constraint means that the tables are damaged.
      primary == SQLITE_CONSTRAINT)
    damaged(message);
  if (primary == SQLITE_CANTOPEN || primary == SQLITE_READONLY || primary == SQLITE_PERM)
    throw UserError(path_ + " cannot be " + (writable_ ? "written" : "opened") + " (" + because +
                    "). Check whether " + "you may " + (writable_ ? "write" : "read") +
                    " the file and its directory, or name another file.");
  if (primary == SQLITE_IOERR)
    throw UserError(path_ + ": the disk reported an error (" + because +
                    "). Check the disk, or name a file on another one.");
  throw std::runtime_error(path_ + ": " + because);
}

Statement::Statement(const Database& database, std::string_view sql) : database_(&database) {
  check(sqlite3_prepare_v2(database.handle(), sql.data(), static_cast<int>(sql.size()), &handle_, nullptr));
}

Statement::~Statement() { sqlite3_finalize(handle_); }

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_), handle_(std::exchange(other.handle_, nullptr)) {}

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_->fail(code);
}

bool Statement::step() {
  const int code = sqlite3_step(handle_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const int extended = sqlite3_extended_errcode(database_->handle());
  sqlite3_reset(handle_);
  database_->fail(extended);
}

void Statement::run() {
  while (step()) {
  }
  reset();
}

void Statement::reset() { sqlite3_reset(handle_); }

void Statement::set(int parameter, std::int64_t value) {
  check(sqlite3_bind_int64(handle_, parameter, value));
}

void Statement::set(int parameter, double value) { check(sqlite3_bind_double(handle_, parameter, value)); }

void Statement::set(int parameter, const std::optional<double>& value) {
  check(value ? sqlite3_bind_double(handle_, parameter, *value) : sqlite3_bind_null(handle_, parameter));
}

void Statement::set(int parameter, const std::optional<bool>& value) {
  check(value ? sqlite3_bind_int64(handle_, parameter, *value) : sqlite3_bind_null(handle_, parameter));
}

void Statement::set(int parameter, const std::optional<int>& value) {
  check(value ? sqlite3_bind_int64(handle_, parameter, *value) : sqlite3_bind_null(handle_, parameter));
}

void Statement::set(int parameter, const std::optional<std::int64_t>& value) {
  check(value ? sqlite3_bind_int64(handle_, parameter, *value) : sqlite3_bind_null(handle_, parameter));
}

void Statement::set(int parameter, std::string_view value) {
  check(sqlite3_bind_text64(handle_, parameter, value.data() ? value.data() : "", value.size(),
                            SQLITE_TRANSIENT, SQLITE_UTF8));
}

void Statement::set(int parameter, const std::vector<double>& values) {
  if (values.empty()) return check(sqlite3_bind_null(handle_, parameter));
  std::vector<std::uint64_t> bits(values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    bits[i] = little_endian(std::bit_cast<std::uint64_t>(values[i]));
  check(sqlite3_bind_blob64(handle_, parameter, bits.data(), bits.size() * 8, SQLITE_TRANSIENT));
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_, column); }

double Statement::real(int column) const {
  return optional_real(column).value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<double> Statement::optional_real(int column) const {
  if (sqlite3_column_type(handle_, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_double(handle_, column);
}

std::optional<bool> Statement::optional_bool(int column) const {
  if (sqlite3_column_type(handle_, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_int64(handle_, column) != 0;
}

std::optional<int> Statement::optional_int(int column) const {
  if (sqlite3_column_type(handle_, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_int(handle_, column);
}

std::string Statement::text(int column) const {
  const unsigned char* characters = sqlite3_column_text(handle_, column);
  if (!characters) return {};
  return {reinterpret_cast<const char*>(characters),
          static_cast<std::size_t>(sqlite3_column_bytes(handle_, column))};
}

std::vector<double> Statement::doubles(int column) const {
  const void* blob = sqlite3_column_blob(handle_, column);
  const std::size_t bytes = blob ? static_cast<std::size_t>(sqlite3_column_bytes(handle_, column)) : 0;
  std::vector<double> values(bytes / 8);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint64_t bits;
    std::memcpy(&bits, static_cast<const char*>(blob) + 8 * i, 8);
    values[i] = std::bit_cast<double>(little_endian(bits));
  }
  return values;
}

Transaction::Transaction(const Database& database, const char* begin) : database_(database) {
  database.execute(begin);
}

Transaction::~Transaction() {
  // SQLite may have rolled back already. The ROLLBACK then fails without effect.
  if (!done_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  done_ = true;
}

}  // namespace sextant::store
