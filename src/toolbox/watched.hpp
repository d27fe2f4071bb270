// What launches say of themselves when the device is idle: a result may be void although no call reported an
// error, as where threads gave up waiting for each other. A variant's state holds an object that knows;
// whoever launched asks all of those there are, which are the ones of the case at hand.
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

  // Why launches since it was made are void, or null. The device is idle.
  virtual const char* failure() const = 0;

  // The first of all that has a reason, or null.
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
