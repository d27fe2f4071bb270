// Lists the images in the cache and limits their size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sextant::own {

// The files of one image: the image, its source, its log and other files of the compilation.
struct KeptImage {
  std::vector<std::string> files;
  std::int64_t bytes = 0;
  std::int64_t unused_seconds = 0;  // time since the last use
};

// Returns all images, most recently used first. Other files of the cache are not included.
std::vector<KeptImage> kept_images();

// Returns the limit in bytes: $SEXTANT_CACHE_LIMIT ("500M", "2G"), or 2 GiB. Throws UserError for an invalid
// size.
std::int64_t cache_limit();

// Removes the least recently used images until the rest fits the limit. Images used within the last minute
// stay, since another process may be about to open them.
void keep_cache_limit();

// Removes the files of these images. Returns the number of freed bytes.
std::int64_t remove_images(const std::vector<KeptImage>& images);

}  // namespace sextant::own
