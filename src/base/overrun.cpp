#include "base/overrun.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace sextant {
namespace {

// Looks up a function of AddressSanitizer (sanitizer/asan_interface.h). Null if the sanitizer is not loaded.
template <typename Function>
Function* sanitizer(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

std::vector<ArrayPlace>& known_arrays() {
  static std::vector<ArrayPlace> arrays;
  return arrays;
}

std::function<void(const std::string&)>& teller() {
  static std::function<void(const std::string&)> tell;
  return tell;
}

// Returns "saxpy.cpp:14" for the first stack frame with a source position outside system headers, else "".
std::string place_in(const std::string& report) {
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    if (line.find(" in ") == std::string::npos || line.find('#') == std::string::npos) continue;
    std::string place = line.substr(line.rfind(' ') + 1);
    std::size_t colon = place.rfind(':');
    if (colon == std::string::npos || place[0] == '(' || place.starts_with("/usr/") ||
        place.starts_with("../../../"))
      continue;
    // The text is FILE:LINE:COLUMN or FILE:LINE.
    const std::size_t before = place.rfind(':', colon - 1);
    if (before != std::string::npos && std::isdigit(static_cast<unsigned char>(place[before + 1])))
      place.resize(colon);
    return place.substr(place.rfind('/') + 1);
  }
  return "";
}

// Returns a text that names the array nearest to the address and the element index there.
std::string element_at(const char* address) {
  const ArrayPlace* nearest = nullptr;
  std::size_t least = SIZE_MAX;
  for (const ArrayPlace& one : known_arrays()) {
    const char* const end = one.begin + one.bytes;
    const auto far = static_cast<std::size_t>(address < one.begin ? one.begin - address
                                              : address >= end    ? address - end
                                                                  : 0);
    if (far < least) least = far, nearest = &one;
  }
  if (!nearest || nearest->element_size == 0) return "memory outside all arrays";
  const auto size = static_cast<std::ptrdiff_t>(nearest->element_size);
  const std::ptrdiff_t bytes = address - nearest->begin;
  const std::ptrdiff_t index = bytes >= 0 ? bytes / size : -((-bytes + size - 1) / size);
  return nearest->name + "[" + std::to_string(index) + "] of " +
         std::to_string(nearest->bytes / nearest->element_size) + " elements";
}

void tell(const char* report) {
  const std::string text = report;
  const auto address_of = sanitizer<void*()>("__asan_get_report_address");
  const auto access_of = sanitizer<int()>("__asan_get_report_access_type");
  const char* address = address_of ? static_cast<const char*>(address_of()) : nullptr;
  const char* const verb = access_of && access_of() == 1 ? "writes " : "reads ";
  std::string what;
  const bool is_at_array =
      text.find("use-after-poison") != std::string::npos ||
      (text.find("heap-buffer-overflow") != std::string::npos && !known_arrays().empty());
  if (is_at_array)
    what = verb + element_at(address);
  else if (text.find("SEGV") != std::string::npos)
    what = "accesses an unmapped address, far outside its arrays";
  else if (const std::size_t at = text.find("AddressSanitizer: "); at != std::string::npos)
    what = verb + std::string("memory outside its own allocations (") +
           text.substr(at + 18, text.find(' ', at + 18) - at - 18) + ")";
  const std::string place = place_in(text);
  if (teller()) teller()(what + (place.empty() ? "" : ", " + place));
  ::_exit(1);
}

}  // namespace

bool finds_overruns() {
  static const bool finds =
      std::getenv("SEXTANT_FIND_OVERRUNS") && sanitizer<void()>("__asan_set_error_report_callback");
  return finds;
}

void tell_overruns(std::function<void(const std::string&)> how) {
  if (!finds_overruns()) return;
  ::unsetenv("LD_PRELOAD");  // for programs that this process starts: parts of nvcc crash with the sanitizer
  teller() = std::move(how);
  sanitizer<void(void (*)(const char*))>("__asan_set_error_report_callback")(tell);
}

KnownArrays::KnownArrays(std::vector<ArrayPlace> arrays, std::vector<MemoryRange> closed) {
  if (!finds_overruns()) return;
  before_ = std::exchange(known_arrays(), std::move(arrays));
  closed_ = std::move(closed);
  static const auto close = sanitizer<void(const void*, std::size_t)>("__asan_poison_memory_region");
  for (const MemoryRange& one : closed_) close(one.begin, one.bytes);
}

KnownArrays::~KnownArrays() {
  if (!finds_overruns()) return;
  static const auto open = sanitizer<void(const void*, std::size_t)>("__asan_unpoison_memory_region");
  for (const MemoryRange& one : closed_) open(one.begin, one.bytes);
  known_arrays() = std::move(before_);
}

}  // namespace sextant
