#include "store/file_watch.hpp"

#include <sys/stat.h>

namespace sextant::store {

FileWatch::State FileWatch::look() const {
  State state;
  struct stat status {};
  state.there = ::stat(database_.path().c_str(), &status) == 0;
  state.device = status.st_dev;
  state.inode = status.st_ino;
  state.size = database_.file_size();
  database_.read_file(state.header.data(), static_cast<int>(state.header.size()));
  return state;
}

void FileWatch::remember() { known_ = look(); }

std::string FileWatch::changed() const {
  const State now = look();
  if (!now.there) return "was removed or moved";
  if (now.device != known_.device || now.inode != known_.inode) return "was replaced by another file";
  if (now.size < known_.size) return "was cut short";
  if (now.header != known_.header) return "was overwritten";
  return {};
}

}  // namespace sextant::store
