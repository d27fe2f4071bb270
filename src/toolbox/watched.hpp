// Reports failures that only show after a launch. A result can be invalid although no call returned an error,
// for example if threads stopped waiting for each other. A variant's state then holds an object derived from
// Watched. The engine asks all existing objects; they belong to the current case.
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

  // Returns the reason why launches since the construction of this object are invalid, or null. The device
  // must be idle.
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
