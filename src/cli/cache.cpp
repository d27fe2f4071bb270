// sextant cache: lists and removes the compiled images of kernels that were loaded from source files.
#include "own/compile/cache.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <memory>

#include "base/plural.hpp"
#include "cli/commands.hpp"
#include "own/compile/kept_images.hpp"
#include "present/format.hpp"
#include "present/table.hpp"

namespace sextant {
namespace {

struct CacheOptions {
  bool clear = false, json = false;
};

constexpr std::int64_t hour = 3600, day = 24 * hour;

struct Age {
  const char* text;
  std::int64_t below;  // Upper limit in seconds; 0 means no limit.
};
constexpr Age ages[] = {{"within an hour", hour},
                        {"within a day", day},
                        {"within a week", 7 * day},
                        {"within 30 days", 30 * day},
                        {"longer ago", 0}};

// Returns a table with one row per range of ages. An image is counted in the first range into which it fits.
Table table_of(const std::vector<own::KeptImage>& images) {
  Table table;
  table.columns = {{"used", "last used"}, {"images", "", Unit::count}, {"bytes", "", Unit::bytes}};
  std::size_t at = 0;
  for (const Age& age : ages) {
    std::int64_t count = 0, bytes = 0;
    for (; at < images.size() && (age.below == 0 || images[at].unused_seconds < age.below); ++at)
      ++count, bytes += images[at].bytes;
    table.rows.push_back({age.text, count, bytes});
  }
  return table;
}

void cache(const CacheOptions& options) {
  const std::vector<own::KeptImage> images = own::kept_images();
  const std::string folder = own::cache_folder().string();
  if (options.clear) {
    const std::int64_t freed = own::remove_images(images);
    std::fprintf(stderr, "removed %s (%s) from %s\n", plural(images.size(), "image").c_str(),
                 format_bytes(static_cast<double>(freed)).c_str(), folder.c_str());
    return;
  }
  std::int64_t bytes = 0;
  for (const own::KeptImage& one : images) bytes += one.bytes;
  Table table = table_of(images);
  table.title = folder;
  table.note = fmt::format("{}, {} of {} (SEXTANT_CACHE_LIMIT). The least recently used are removed first.",
                           plural(images.size(), "image"), format_bytes(static_cast<double>(bytes)),
                           format_bytes(static_cast<double>(own::cache_limit())));
  print(table, options.json);
}

}  // namespace

void add_cache(Command app, int*) {
  Command command = app.add_subcommand("cache", "Show or remove binaries of your own kernels");
  const auto options = std::make_shared<CacheOptions>();
  command.add_flag("--clear", options->clear,
                   "Remove all binaries; later commands compile your own kernels again");
  command.add_flag("--json", options->json, "Print the table of binaries as JSON");
  command.footer(
      "Compiled binaries are kept in the folder $SEXTANT_CACHE (default sextant/ in the user's cache "
      "folder). Their total size is limited to $SEXTANT_CACHE_LIMIT (default 2G).\n"
      "Examples:\n"
      "  sextant cache\n"
      "  SEXTANT_CACHE_LIMIT=500M sextant tune --load saxpy.cu -k saxpy");
  command.callback([options] { cache(*options); });
}

}  // namespace sextant
