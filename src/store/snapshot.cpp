#include "store/snapshot.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace sextant::store {
namespace {

// Reads a file; nothing if it cannot be read.
std::optional<std::string> bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::ostringstream bytes;
  bytes << file.rdbuf();
  if (file.bad() || bytes.bad()) return std::nullopt;
  return std::move(bytes).str();
}

bool write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  return static_cast<bool>(file.flush());
}

// Number of attempts to copy the file. A writer commits at most a few times per second, and a copy takes
// milliseconds.
constexpr int most_tries = 20;

}  // namespace

// A writer fills the journal, then changes the file, then empties the journal. Both files are read twice, and
// the two reads must be equal. Each page of the file was then changed either before the first read or after
// the second one. If only some of the pages were changed by then, the journal was full when it was read, so
// that it can undo them. As it was equal in both reads, it contains records of only one commit.
Snapshot::Snapshot(const std::string& path) {
  std::error_code error;
  std::string folder = (std::filesystem::temp_directory_path(error) / "sextant-read-XXXXXX").string();
  if (error || !::mkdtemp(folder.data())) return;
  folder_ = folder;
  for (int i = 0; i < most_tries; ++i) {
    const std::optional<std::string> file = bytes_of(path);
    const std::optional<std::string> journal = bytes_of(path + "-journal");
    if (!file) return;
    if (bytes_of(path) != file || bytes_of(path + "-journal") != journal) continue;
    const std::string copy = folder_ + "/results";
    if (write_bytes(copy, *file) && (!journal || write_bytes(copy + "-journal", *journal))) path_ = copy;
    return;
  }
}

Snapshot::~Snapshot() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

}  // namespace sextant::store
