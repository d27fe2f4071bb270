// What was compiled before: images under the hash of all that they were made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sextant::own {

// FNV-1a over texts and where they end.
class Hash {
 public:
  Hash& add(const std::string& text);
  std::string hex() const;  // 16 digits

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

// $SEXTANT_CACHE, or sextant/ in the user's cache folder; made if it is not there. Throws UserError if it
// cannot be.
std::filesystem::path cache_folder();

// The file's text; false: it cannot be read.
bool read_file(const std::filesystem::path& path, std::string* text);
// Writes beside it and moves it to its place, so that others never see half a file.
bool write_file(const std::filesystem::path& path, const std::string& text);

// The image `name` if it is there and the files that were included for it are as they were then.
bool is_cached(const std::filesystem::path& image);
// Nobody else makes the image while this lives: who waited for it finds it in the cache.
class ImageLock {
 public:
  explicit ImageLock(const std::filesystem::path& image);
  ~ImageLock();
  ImageLock(const ImageLock&) = delete;
  ImageLock& operator=(const ImageLock&) = delete;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;  // -1: it cannot be locked, and is made twice perhaps
};

// Keeps beside the image which files it was made of besides its sources.
void remember_included(const std::filesystem::path& image, const std::vector<std::string>& files);
// The files that a makefile's rule (of a compiler's -MD) depends on, but for the first.
std::vector<std::string> dependencies(const std::string& rule);

}  // namespace sextant::own
