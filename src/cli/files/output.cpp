#include "cli/files/output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "base/error.hpp"
#include "store/database.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

bool write_all(std::FILE* file, const std::string& text) {
  return std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
}

[[noreturn]] void fail(const std::string& path, int error) {
  if (error == EROFS) throw UserError(path + " is on a read-only file system. Name a file on another one.");
  const std::string remedy = error == ENOSPC || error == EDQUOT
                                 ? "Free some space, or name a file on another disk."
                                 : "Check the permissions of its directory, or name another file.";
  throw UserError(path + " cannot be written (" + std::strerror(error) + "). " + remedy);
}

[[noreturn]] void fail_of_standard_output() {
  throw UserError(std::string("standard output cannot be written (") + std::strerror(errno) +
                  "). Check the file or program that it is redirected to.");
}

}  // namespace

void require_written_output() {
  errno = EIO;  // An earlier write has failed.
  if (std::fflush(stdout) != 0 || std::ferror(stdout)) fail_of_standard_output();
}

void write_output(const std::string& text, const std::string& path) {
  if (path.empty() || path == "-") {
    if (!write_all(stdout, text)) fail_of_standard_output();
    return;
  }
  store::require_directory(path);
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw UserError(path + " is a directory. Name a file in it.");
  if (is_results_file(path))
    throw UserError(
        path + " is a results file, which this output would overwrite. Name another file for the output.");
  const bool special = std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error);
  const std::string partial =
      special ? path : path + ".partial";  // /dev/stdout and similar files are written directly.
  std::FILE* file = std::fopen(partial.c_str(), "wb");
  if (!file) fail(path, errno);
  const bool written = write_all(file, text);
  const int write_error = errno;
  if (std::fclose(file) != 0 || !written) {
    const int reason = written ? errno : write_error;
    if (!special) std::filesystem::remove(partial, error);
    fail(path, reason);
  }
  if (!special && std::rename(partial.c_str(), path.c_str()) != 0) fail(path, errno);
}

void write_in_place(const std::string& text, const std::string& path) {
  // If the disk fills up while `path` is overwritten, this copy still has the text.
  const std::string copy = path + ".partial";
  write_output(text, copy);
  std::FILE* file = std::fopen(path.c_str(), "r+b");
  const bool written =
      file && write_all(file, text) && ::ftruncate(fileno(file), static_cast<off_t>(text.size())) == 0;
  const int error = errno;
  if ((file && std::fclose(file) != 0) || !written)
    throw UserError(path + " cannot be written (" + std::strerror(error) + "). Its new content is in " +
                    copy + ". Copy it from there.");
  std::error_code ignored;
  std::filesystem::remove(copy, ignored);
}

}  // namespace sextant
