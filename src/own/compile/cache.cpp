#include "own/compile/cache.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/error.hpp"

namespace sextant::own {

namespace fs = std::filesystem;

Hash& Hash::add(const std::string& text) {
  const auto mix = [&](unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001b3u; };
  for (const char c : text) mix(static_cast<unsigned char>(c));
  for (std::size_t size = text.size(), i = 0; i < sizeof size; ++i, size >>= 8)
    mix(static_cast<unsigned char>(size));
  return *this;
}

std::string Hash::hex() const {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value_));
  return text;
}

fs::path cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return fs::path(value ? value : "");
  };
  fs::path folder = variable("SEXTANT_CACHE");
  if (folder.empty() && !variable("XDG_CACHE_HOME").empty()) folder = variable("XDG_CACHE_HOME") / "sextant";
  if (folder.empty() && !variable("HOME").empty()) folder = variable("HOME") / ".cache" / "sextant";
  if (folder.empty()) folder = fs::temp_directory_path() / ("sextant-" + std::to_string(getuid()));
  std::error_code error;
  fs::create_directories(folder, error);
  if (error || access(folder.c_str(), W_OK) != 0)
    throw UserError("cannot write to " + folder.string() +
                    ", the cache of compiled kernels. Set SEXTANT_CACHE to another folder.");
  return folder;
}

bool read_file(const fs::path& path, std::string* text) {
  std::ifstream file(path, std::ios::binary);
  if (!file || fs::is_directory(path)) return false;
  text->assign(std::istreambuf_iterator<char>(file), {});
  return true;
}

bool write_file(const fs::path& path, const std::string& text) {
  const fs::path temporary = path.string() + "." + std::to_string(getpid());
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (file) fs::rename(temporary, path, error);
  if (file && !error) return true;
  fs::remove(temporary, error);
  return false;
}

namespace {

// Returns the line "HASH PATH\n" for a file, or "missing PATH\n" if the file cannot be read.
std::string line_for(const std::string& path) {
  std::string text;
  if (!read_file(path, &text)) return "missing " + path + "\n";
  return Hash().add(text).hex() + " " + path + "\n";
}

}  // namespace

bool is_cached(const fs::path& image) {
  std::string noted;
  if (!fs::exists(image) || !read_file(image.string() + ".includes", &noted)) return false;
  std::istringstream lines(noted);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t space = line.find(' '); line + "\n" != line_for(line.substr(space + 1)))
      return false;
  // Updates the access time of the image, because the least recently used images are removed first.
  (void)::utimensat(AT_FDCWD, image.c_str(), nullptr, 0);
  return true;
}

// Locks the file IMAGE.lock. Another process may have deleted that file before the lock is acquired. A lock
// on a deleted file excludes nobody, so the loop then opens and locks the new file.
ImageLock::ImageLock(const fs::path& image) : path_(image.string() + ".lock") {
  for (;;) {
    descriptor_ = ::open(path_.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX) != 0) return;
    struct stat mine {
    }, there{};
    if (::fstat(descriptor_, &mine) == 0 && ::stat(path_.c_str(), &there) == 0 &&
        mine.st_ino == there.st_ino && mine.st_dev == there.st_dev)
      return;
    ::close(descriptor_);
  }
}

ImageLock::~ImageLock() {
  if (descriptor_ < 0) return;
  (void)::unlink(path_.c_str());
  ::close(descriptor_);
}

void remember_included(const fs::path& image, const std::vector<std::string>& files) {
  std::string text;
  for (const std::string& one : files) text += line_for(one);
  write_file(image.string() + ".includes", text);
}

std::vector<std::string> dependencies(const std::string& rule) {
  std::vector<std::string> files;
  std::string one;
  const std::size_t colon = rule.find(": ");
  for (std::size_t i = colon == std::string::npos ? rule.size() : colon + 2; i <= rule.size(); ++i) {
    const char c = i < rule.size() ? rule[i] : ' ';
    const char next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (c == '\\' && next == ' ') {
      one += rule[++i];
    } else if (c == ' ' || c == '\n' || (c == '\\' && next == '\n')) {
      if (!one.empty()) files.push_back(one);
      one.clear();
    } else {
      one += c;
    }
  }
  if (!files.empty()) files.erase(files.begin());
  return files;
}

}  // namespace sextant::own
