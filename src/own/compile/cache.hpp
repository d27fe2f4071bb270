// The cache of compiled images (libraries and cubins). The name of an image contains a hash of everything
// that it was made from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sextant::own {

// FNV-1a hash of a sequence of texts. The hash includes each text's length.
class Hash {
 public:
  Hash& add(const std::string& text);
  std::string hex() const;  // returns the hash as 16 hexadecimal digits

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

// Returns $SEXTANT_CACHE, or the folder sextant/ in the user's cache folder, and creates it if needed. Throws
// UserError if that fails.
std::filesystem::path cache_folder();

// Reads a file. Returns false if it cannot be read.
bool read_file(const std::filesystem::path& path, std::string* text);
// Writes a temporary file in the same folder and renames it, so that readers never see an incomplete file.
bool write_file(const std::filesystem::path& path, const std::string& text);

// Returns true if the image exists and the files that its source includes have not changed since it was made.
bool is_cached(const std::filesystem::path& image);
// Holds a file lock, so that other processes do not compile the same image. They wait for the lock and then
// find the image in the cache.
class ImageLock {
 public:
  explicit ImageLock(const std::filesystem::path& image);
  ~ImageLock();
  ImageLock(const ImageLock&) = delete;
  ImageLock& operator=(const ImageLock&) = delete;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;  // -1 if locking failed; two processes may then compile the same image
};

// Stores, next to the image, a list of the header files that the compiler read for it.
void remember_included(const std::filesystem::path& image, const std::vector<std::string>& files);
// Returns the files that a makefile rule from a compiler's option -MD lists as dependencies. The first one,
// the source itself, is left out.
std::vector<std::string> dependencies(const std::string& rule);

}  // namespace sextant::own
