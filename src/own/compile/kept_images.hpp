// The images in the cache: how many there are, and a limit on their size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sextant::own {

// The files of one image: the image, its source, a log, and what else its compilation left.
struct KeptImage {
  std::vector<std::string> files;
  std::int64_t bytes = 0;
  std::int64_t unused_seconds = 0;  // since it was made or opened
};

// All of them, the one that was used last first. Other files of the cache are not among them.
std::vector<KeptImage> kept_images();

// Bytes: $SEXTANT_CACHE_LIMIT ("500M", "2G"), or 2 GiB. Throws UserError if that is no size.
std::int64_t cache_limit();

// Removes images until the others fit the limit, those first that nobody used for longest. What was used
// within the last minute stays, as somebody may be about to open it.
void keep_cache_limit();

// Removes the files. Returns how many bytes that freed.
std::int64_t remove_images(const std::vector<KeptImage>& images);

}  // namespace sextant::own
