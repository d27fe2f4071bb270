#include "present/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace sextant {
namespace {

bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value && *value;
}

}  // namespace

Terminal inspect_terminal(int descriptor) {
  Terminal terminal;
  const char* kind = std::getenv("TERM");
  terminal.interactive =
      isatty(descriptor) && !is_set("CI") && kind && *kind && std::string_view(kind) != "dumb";
  terminal.colour = terminal.interactive && !is_set("NO_COLOR");
  winsize size{};
  if (terminal.interactive && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    terminal.columns = size.ws_col;
  return terminal;
}

}  // namespace sextant
