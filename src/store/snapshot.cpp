#include "store/snapshot.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace sextant::store {
namespace {

// Reads a file. Returns nothing if it cannot be read.
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

// Attempts to copy the file. A writer commits a few times per second, and a copy takes milliseconds.
constexpr int most_tries = 20;

}  // namespace

// Reads the file and its journal twice and accepts them only if both reads are equal. A writer first fills
// the journal, then changes the file, then empties the journal. Equal reads mean that the file did not change
// in between. If a commit was unfinished, the journal is complete and can undo it.
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
