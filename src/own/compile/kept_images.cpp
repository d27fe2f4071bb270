#include "own/compile/kept_images.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "own/compile/cache.hpp"

namespace sextant::own {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t usual_limit = std::int64_t{2} << 30;
constexpr std::int64_t in_use_seconds = 60;
constexpr std::size_t hash_digits = 16;

// Returns the name of the image to which a file belongs, such as "saxpy.serial.plain.0123456789abcdef". The
// file's name continues with further extensions. Empty if the file belongs to no image.
std::string image_of_file(const std::string& name) {
  if (name.ends_with(".json") || name.ends_with(".lock")) return "";
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
    const std::size_t end = dot + 1 + hash_digits;
    if (end < name.size() && name[end] == '.' && name.find_first_not_of("0123456789abcdef", dot + 1) == end)
      return name.substr(0, end);
  }
  return "";
}

}  // namespace

std::vector<KeptImage> kept_images() {
  std::map<std::string, KeptImage> images;
  const std::time_t now = std::time(nullptr);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(cache_folder(), error)) {
    const std::string name = image_of_file(entry.path().filename().string());
    struct stat status = {};
    if (name.empty() || ::stat(entry.path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    const auto [place, fresh] = images.try_emplace(name);
    KeptImage& image = place->second;
    const std::int64_t unused = std::max<std::int64_t>(0, now - status.st_mtime);
    image.unused_seconds = fresh ? unused : std::min(image.unused_seconds, unused);
    image.files.push_back(entry.path().string());
    image.bytes += status.st_size;
  }
  std::vector<KeptImage> list;
  for (auto& [name, image] : images) list.push_back(std::move(image));
  std::stable_sort(list.begin(), list.end(), [](const KeptImage& one, const KeptImage& other) {
    return one.unused_seconds < other.unused_seconds;
  });
  return list;
}

std::int64_t cache_limit() {
  const char* text = std::getenv("SEXTANT_CACHE_LIMIT");
  if (!text || !*text) return usual_limit;
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  const std::string unit = end;
  const std::size_t prefix = std::string("KMGT").find(unit.empty() ? ' ' : unit[0]);
  double bytes = number;
  if (prefix != std::string::npos)
    for (std::size_t i = 0; i <= prefix; ++i) bytes *= 1024;
  const bool is_unit =
      unit.empty() || unit == "B" ||
      (prefix != std::string::npos && (unit.size() == 1 || unit.substr(1) == "B" || unit.substr(1) == "iB"));
  constexpr auto most = static_cast<double>(std::numeric_limits<std::int64_t>::max());
  if (end == text || !is_unit || !(bytes >= 0) || bytes >= most)
    throw UserError(std::string("SEXTANT_CACHE_LIMIT=") + text +
                    " is not a cache size. Write a number of bytes, or a size such as 500M or 2G.");
  return static_cast<std::int64_t>(bytes);
}

void keep_cache_limit() {
  const std::int64_t limit = cache_limit();
  std::vector<KeptImage> images = kept_images();
  std::int64_t bytes = 0;
  for (const KeptImage& one : images) bytes += one.bytes;
  for (; !images.empty() && bytes > limit && images.back().unused_seconds > in_use_seconds; images.pop_back())
    bytes -= remove_images({images.back()});
}

std::int64_t remove_images(const std::vector<KeptImage>& images) {
  std::int64_t freed = 0;
  for (const KeptImage& image : images) {
    std::error_code error;
    for (const std::string& file : image.files) fs::remove(file, error);
    freed += image.bytes;
  }
  return freed;
}

}  // namespace sextant::own
