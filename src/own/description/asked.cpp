#include "own/description/asked.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "own/description/description_reader.hpp"

namespace sextant::own {
namespace {

// Splits at commas outside brackets and removes blanks around the items.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts = {""};
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  for (std::string& one : parts) {
    one.erase(0, std::min(one.find_first_not_of(' '), one.size()));
    one.erase(one.find_last_not_of(' ') + 1);
  }
  return parts;
}

Value as_value(const std::string& text, const Place& place) {
  Value value;
  value.kind = Value::Kind::text;
  value.place = place;
  value.text = text;
  return value;
}

// Returns the default arguments of a reference function: the arguments of the first variant, followed by that
// variant's arrays in constant memory.
std::vector<DescribedArgument> arguments_of_first(const Description& description) {
  const DescribedVariant& first = description.variants.front();
  std::vector<DescribedArgument> arguments = first.arguments;
  const std::size_t sizes = description.size_names().size();
  for (const DescribedArgument& one : arguments)
    for (std::size_t i = 0; i < first.tunables.size(); ++i)
      if (one.value.uses(sizes + i))
        throw UserError(
            "the arguments for --reference are missing: those of variant " + first.name +
            " do not fit, because `" + one.text +
            "` is a tunable. Write them in brackets, such as --reference 'FILE:FUNCTION(n, x, y)'.");
  for (const DescribedConstant& one : first.constants) {
    DescribedArgument argument;
    argument.index = one.index;
    argument.text = description.arrays[static_cast<std::size_t>(one.index)].name;
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

DescribedReference function_of(const std::string& text, std::size_t colon, const Description& description) {
  const Place place{"--reference"};
  DescribedReference reference;
  DescribedVariant& variant = reference.function;
  variant.name = "serial.reference";
  variant.place = variant.function_place = place;
  variant.compilation = description.variants.front().compilation;
  if (description.variants.front().model == Model::cuda) variant.compilation.options.clear();
  variant.compilation.files = {text.substr(0, colon)};
  variant.function = text.substr(colon + 1);
  const std::size_t open = variant.function.find('(');
  if (open == std::string::npos) {
    variant.arguments = arguments_of_first(description);
    return reference;
  }
  if (variant.function.back() != ')')
    throw UserError("--reference " + text +
                    " has no closing bracket. Write the arguments as in FILE:FUNCTION(n, x, y).");
  Value list;
  list.kind = Value::Kind::list;
  for (const std::string& one :
       parts_of(variant.function.substr(open + 1, variant.function.size() - open - 2)))
    list.list.push_back(as_value(one, place));
  variant.function.erase(open);
  variant.arguments = arguments_of(description, variant, list);
  return reference;
}

DescribedReference reference_of(const std::string& text, const Description& description) {
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos && colon > 0 && colon + 1 < text.size())
    return function_of(text, colon, description);
  std::vector<std::string> hosts;
  for (const DescribedVariant& one : description.variants)
    if (one.model != Model::cuda) hosts.push_back(one.name);
  if (std::find(hosts.begin(), hosts.end(), text) != hosts.end()) return {text, {}};
  throw UserError("--reference " + text +
                  " is neither FILE:FUNCTION nor the name of a serial or OpenMP variant in " +
                  description.file + "." + did_you_mean(text, hosts));
}

DescribedTolerance tolerance_of(const std::string& text, const Description& description) {
  DescribedTolerance tolerance;
  std::vector<std::string> names = description.size_names();
  names.emplace_back("eps");
  for (const std::string& one : parts_of(text)) {
    const std::size_t equals = one.find('=');
    const std::string key = one.substr(0, equals);
    if (equals == std::string::npos || (key != "absolute" && key != "relative"))
      throw UserError("--tolerance " + one +
                      " is not valid. Write relative=NUMBER or absolute=NUMBER, such as relative=1e-5.");
    (key == "absolute" ? tolerance.absolute : tolerance.relative) =
        expression_of(as_value(one.substr(equals + 1), {"--tolerance"}), names, key);
  }
  tolerance.reason = "as given by --tolerance " + text;
  return tolerance;
}

void require_tolerance(const Description& description) {
  if (description.has_floating_results() && description.reference && !description.tolerance)
    throw UserError(description.file +
                    " gives no tolerance for its results. Add one, such as --tolerance relative=1e-5 or "
                    "--tolerance 'relative=4*eps*sqrt(N)'.");
}

}  // namespace

void complete(const Asked& asked, Description* description) {
  if (!asked.tolerance.empty()) description->tolerance = tolerance_of(asked.tolerance, *description);
  if (!asked.reference.empty()) description->reference = reference_of(asked.reference, *description);
  if (!asked.name.empty()) description->name = asked.name;
  if (asked.unchecked) {
    if (description->reference)
      throw UserError("--unchecked is for files without a reference: " + description->file +
                      " names a reference, so its results are checked. Leave --unchecked out.");
    description->unchecked = true;
    description->name += "_unchecked";
  }
  require_tolerance(*description);
  check_expressions(*description);
}

}  // namespace sextant::own
