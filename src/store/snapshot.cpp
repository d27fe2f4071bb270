#include "store/snapshot.hpp"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace sextant::store {
namespace {

// Nothing: it cannot be read.
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

constexpr int most_tries = 20;  // a writer commits some times a second at most, and a copy takes milliseconds

}  // namespace

// A writer fills the journal, then changes the file, then empties the journal. The file was the same before
// the journal was read and after it: so each page was changed before the first look or after the second, and
// where some were and some were not, the journal was full when it was read. It, too, was the same twice: no
// two commits' records.
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
