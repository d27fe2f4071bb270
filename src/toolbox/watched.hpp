// Reports failures that no call returns as an error, for example a kernel that stopped waiting. A variant's
// state can hold objects derived from Watched. After a launch, the engine asks all existing objects.
#pragma once

#include <algorithm>
#include <vector>

namespace sextant {

class Watched {
 public:
  Watched() { all().push_back(this); }
  Watched(const Watched&) = delete;
  Watched& operator=(const Watched&) = delete;
  virtual ~Watched() { all().erase(std::find(all().begin(), all().end(), this)); }

  // Returns why launches since the construction of this object are invalid, or null. The device must be idle.
  virtual const char* failure() const = 0;

  // Returns the first failure that any object reports, or null.
  static const char* first_failure() {
    for (const Watched* one : all())
      if (const char* reason = one->failure()) return reason;
    return nullptr;
  }

 private:
  static std::vector<Watched*>& all() {
    static std::vector<Watched*> list;
    return list;
  }
};

}  // namespace sextant
