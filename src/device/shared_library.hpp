// A shared library that may or may not be on this machine, opened at run time.
#pragma once

#include <string>
#include <vector>

namespace sextant {

class SharedLibrary {
 public:
  // Opens the first of `names` (file names or paths) that is there; none: `found()` is false. Never closed
  // again: such libraries leave threads and handlers behind.
  explicit SharedLibrary(const std::vector<std::string>& names);

  bool found() const { return handle_ != nullptr; }
  const std::string& error() const {
    return error_;
  }  // what the loader said of the last name, if none was found

  // Sets *function to the symbol; false (and null) if the library has none of that name.
  template <typename Function>
  bool load(const char* symbol, Function** function) const {
    *function = reinterpret_cast<Function*>(address(symbol));
    return *function != nullptr;
  }

 private:
  void* address(const char* symbol) const;
  void* handle_ = nullptr;
  std::string error_;
};

}  // namespace sextant
