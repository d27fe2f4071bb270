#include "own/draft/draft_launch.hpp"

#include <algorithm>

namespace sextant::own {
namespace {

constexpr const char* sizes_in_space[3][3] = {
    {"", "", ""}, {"32", "4", ""}, {"32", "4", "1"}};  // by the number of axes
constexpr const char* choices[3][3] = {{"[128, 64, 256, 512, 1024]", "", ""},
                                       {"[32, 64, 128]", "[4, 1, 2, 8]", ""},
                                       {"[32, 64]", "[4, 2, 8]", "[1, 2, 4]"}};

std::string in_names_of(const DraftParts& parts, const DraftFunction& function, const Polynomial& items) {
  const Polynomial shown = items.renamed([&](const std::string& name) {
    const auto& parameters = function.signature.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].name == name && !function.arguments[i].array)
        return parts.numbers[function.arguments[i].index].name;
    return name;
  });
  return shown.text();
}

}  // namespace

std::string launch_text(const DraftParts& parts, const DraftFunction& function, const std::string& results,
                        bool is_step) {
  const auto& axes = function.signature.axes;
  std::size_t last = 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (axes[i].threads || axes[i].blocks) last = i;
  std::string block, grid, tune, threads;
  bool guessed = false;
  for (std::size_t i = 0; i <= last; ++i) {
    const Axis& axis = axes[i];
    const bool a_block_each = axis.blocks && !axis.threads;
    const bool fixed = axis.threads && axis.block_size > 0 && axis.block_size <= 1024;
    std::string size = is_step && last > 0 ? sizes_in_space[last][i] : thread_name(function.signature, i);
    if (fixed) size = std::to_string(axis.block_size);
    if (a_block_each && last > 0) size = "1";
    std::string items = axis.items ? in_names_of(parts, function, *axis.items) : "";
    if (items.empty() || (axis.threads && !axis.blocks)) guessed = true;
    if (items.empty()) items = i == 0 ? results : "1";
    block += (i ? ", \"" : "\"") + size + "\"";
    threads += (i ? " * " : "") + size;
    grid += (i ? ", \"" : "\"") + (a_block_each ? items : "ceil_div(" + items + ", " + size + ")") + "\"";
    if (!fixed && size != "1") tune += (tune.empty() ? "" : ", ") + size + " = " + choices[last][i];
  }
  std::string text = "block = [" + block + "]\ngrid = [" + grid + "]";
  if (guessed && !is_step) text += "  # blocks; one element a thread?";
  text += "\n";
  if (function.signature.shared)
    text += "shared = \"8 * (" + threads + ")\"" + (is_step ? "" : "  # bytes; a guess") + "\n";
  return text + (tune.empty() || is_step ? "" : "tune = { " + tune + " }\n");
}

}  // namespace sextant::own
