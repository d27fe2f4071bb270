#include "base/intern.hpp"

#include <mutex>
#include <set>

namespace sextant {

const char* intern(const std::string& text) {
  static std::mutex mutex;
  static auto& texts = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  return texts.insert(text).first->c_str();
}

}  // namespace sextant
