#include "own/draft/draft_launch.hpp"

#include <algorithm>

namespace sextant::own {
namespace {

constexpr const char* sizes_in_space[3][3] = {
    {"", "", ""}, {"32", "4", ""}, {"32", "4", "1"}};  // block sizes of a step, by the number of axes
constexpr const char* choices[3][3] = {{"[128, 64, 256, 512, 1024]", "", ""},
                                       {"[32, 64, 128]", "[4, 1, 2, 8]", ""},
                                       {"[32, 64]", "[4, 2, 8]", "[1, 2, 4]"}};

std::string in_names_of(const DraftParts& parts, const DraftFunction& function, const Polynomial& items) {
  const Polynomial shown = items.renamed([&](const std::string& name) {
    if (name == unchecked_threads)
      for (const DraftNumber& one : parts.numbers)
        if (one.threads) return one.name;
    const auto& parameters = function.signature.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].name == name && !function.arguments[i].array && function.arguments[i].given.empty())
        return parts.numbers[function.arguments[i].index].name;
    return name;
  });
  return shown.text();
}

// Returns the number of blocks in the file's launch, in the names of the description. Returns an empty text
// if a condition of the kernel gives the number, or if the description lacks a name.
std::string launched_blocks(const DraftParts& parts, const DraftFunction& function, const Axis& axis) {
  if (!axis.launched_blocks || axis.items || axis.block_items || !axis.blocks) return "";
  const std::vector<Parameter>& parameters = function.signature.parameters;
  for (const std::string& name : axis.launched_blocks->names()) {
    const DraftNumber* number = parts.number_named(name);
    const bool own = std::any_of(parameters.begin(), parameters.end(),
                                 [&](const Parameter& one) { return one.name == name && !one.pointer; });
    if (!own && (!number || number->real)) return "";
  }
  return in_names_of(parts, function, *axis.launched_blocks);
}

// Returns the number of threads per block on an axis, or 0 if it can be a tunable. The number is fixed if the
// code or its shared memory depends on it, or if the axis has no threads. Without a launch in the file it is
// the size of the shared array that threads index. It is also fixed if the kernel has
// several axes and is one step of a sequence.
std::int64_t fixed_threads(const Signature& kernel, std::size_t axis, std::size_t last, bool is_step) {
  const Axis& one = kernel.axes[axis];
  if (!one.threads && last > 0) return 1;
  if (one.block_size > 0 && one.block_size <= 1024) return one.block_size;
  if (kernel.fixed_shared && one.launched == 0 && one.shared_size <= 1024) return one.shared_size;
  return kernel.fixed_shared || (is_step && last > 0) ? one.launched : 0;
}

// Returns the last axis that the kernel uses.
std::size_t last_axis(const Signature& kernel) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < 3; ++i)
    if (kernel.axes[i].threads || kernel.axes[i].blocks) last = i;
  return last;
}

std::string tried(std::int64_t size, const char* usual) {
  const std::string launched = std::to_string(size);
  if (size < 4 || size > 1024) return usual;
  std::string list = usual;
  for (const std::string& shape : {", " + launched + ",", launched + ", "})
    if (const std::size_t at = list.find(shape); at != std::string::npos && (shape[0] == ',' || at == 1)) {
      list.erase(at, shape.size() - (shape[0] == ',' ? 1 : 0));
      break;
    }
  if (list.ends_with(", " + launched + "]")) list = list.substr(0, list.rfind(", ")) + "]";
  return "[" + launched + ", " + list.substr(1);
}

// Returns true if the file launches one block of one thread.
bool is_single(const Axis& axis) {
  return axis.launched == 1 && axis.launched_blocks && axis.launched_blocks->constant() == 1;
}

// Returns the line `shared`. Bytes of the file's launch that have a constant part may depend on the block
// size.
std::string shared_text(const DraftParts& parts, const DraftFunction& function, const std::string& threads,
                        bool is_step) {
  const std::optional<Polynomial>& known = function.signature.launched_shared;
  Polynomial constant = known.value_or(Polynomial(1));
  for (const std::string& name : constant.names()) constant = constant.with(name, 0);
  const std::string guess = "8 * (" + threads + ")";
  if (known && constant.constant() == 0)
    return "shared = \"" + in_names_of(parts, function, *known) + "\"" + (is_step ? "" : "  # bytes") + "\n";
  const std::string more = known ? in_names_of(parts, function, *known) + " + " : "";
  return "shared = \"" + more + guess + "\"" + (is_step ? "" : "  # bytes; a guess") + "\n";
}

}  // namespace

std::string block_sizes_to_try(std::int64_t launched) { return tried(launched, choices[0][0]); }

std::string threads_text(const Signature& kernel, std::size_t axis, bool is_step) {
  const std::size_t last = last_axis(kernel);
  const std::int64_t fixed = fixed_threads(kernel, axis, last, is_step);
  return fixed > 0             ? std::to_string(fixed)
         : is_step && last > 0 ? sizes_in_space[last][axis]
                               : thread_name(kernel, axis);
}

LaunchText launch_text(const DraftParts& parts, const DraftFunction& function, const std::string& results,
                       bool is_step) {
  const auto& axes = function.signature.axes;
  const std::size_t last = last_axis(function.signature);
  if (last == 0 && is_single(axes[0])) return {"block = [\"1\"]\ngrid = [\"1\"]\n", false};
  std::string block, grid, tune, threads;
  LaunchText launch;
  for (std::size_t i = 0; i <= last; ++i) {
    const Axis& axis = axes[i];
    const bool launched = axis.launched_blocks && axis.blocks && !axis.items;
    const bool a_block_each = (axis.blocks && !axis.threads) || (axis.block_items && !axis.items) || launched;
    const std::int64_t fixed = fixed_threads(function.signature, i, last, is_step);
    const std::string size = threads_text(function.signature, i, is_step);
    const std::optional<Polynomial>& known = a_block_each && axis.block_items ? axis.block_items : axis.items;
    std::string items = known ? in_names_of(parts, function, *known) : launched_blocks(parts, function, axis);
    if (items.empty() || (axis.threads && !axis.blocks)) launch.guessed = true;
    if (items.empty()) items = i == 0 ? results : "1";
    block += (i ? ", \"" : "\"") + size + "\"";
    threads += (i ? " * " : "") + size;
    grid += (i ? ", \"" : "\"") + (a_block_each ? items : "ceil_div(" + items + ", " + size + ")") + "\"";
    if (fixed == 0)
      tune += (tune.empty() ? "" : ", ") + size + " = " + tried(axis.launched, choices[last][i]);
  }
  launch.text = "block = [" + block + "]\ngrid = [" + grid + "]";
  if (launch.guessed && !is_step) launch.text += "  # blocks; one element per thread?";
  launch.text += "\n";
  if (function.signature.shared) launch.text += shared_text(parts, function, threads, is_step);
  if (!tune.empty() && !is_step) launch.text += "tune = { " + tune + " }\n";
  return launch;
}

}  // namespace sextant::own
