#include "analysis/summary/filter.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/pattern.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

using Test = std::function<bool(const Summary&)>;
using Name = std::function<std::string(const Summary&)>;

// Keeps what at least one of the tests, each made of one entry of the option's list, accepts.
class Filter {
 public:
  explicit Filter(std::vector<Summary> summaries) : left_(std::move(summaries)) {}

  template <typename Entry>
  void keep(const std::vector<Entry>& entries, const char* option, const Name& name,
            const std::function<Test(const Entry&)>& test_of,
            const std::function<std::string(const Entry&)>& shown) {
    if (entries.empty()) return;
    std::vector<Summary> kept;
    std::vector<Test> tests;
    for (const Entry& entry : entries) {
      tests.push_back(test_of(entry));
      if (std::none_of(left_.begin(), left_.end(), tests.back())) refuse(option, shown(entry), name);
    }
    for (const Summary& s : left_)
      if (std::any_of(tests.begin(), tests.end(), [&](const Test& test) { return test(s); }))
        kept.push_back(s);
    left_ = std::move(kept);
  }

  std::vector<Summary> left() && { return std::move(left_); }

 private:
  [[noreturn]] void refuse(const char* option, const std::string& entry, const Name& name) const {
    std::set<std::string> there;
    for (const Summary& s : left_) there.insert(name(s));
    there.erase("");
    std::vector<std::string> names(there.begin(), there.end());
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
      return strverscmp(a.c_str(), b.c_str()) < 0;  // numbers by their value
    });
    std::string list;
    for (std::size_t i = 0; i < names.size() && i < 12; ++i) list += (i ? ", " : "") + names[i];
    if (names.size() > 12) list += ", …";
    throw UserError("nothing in the file matches `" + entry + "` of " + option + "." +
                    did_you_mean(entry, names) +
                    (names.empty() ? " It holds none with the other options." : " It holds " + list + "."));
  }

  std::vector<Summary> left_;
};

}  // namespace

std::vector<Summary> filter(const std::vector<Summary>& summaries, const Selection& selection) {
  using std::to_string;
  Filter filter(summaries);
  const std::function<std::string(const std::string&)> itself = [](const std::string& text) { return text; };
  filter.keep<std::string>(
      selection.kernels, "--kernels", [](const Summary& s) { return s.measurement->what.kernel; },
      [](const std::string& pattern) -> Test {
        return [expression = Pattern(pattern, "--kernels")](const Summary& s) {
          return expression.matches(s.measurement->what.kernel);
        };
      },
      itself);
  filter.keep<std::string>(
      selection.variants, "--variants", [](const Summary& s) { return s.measurement->what.variant; },
      [](const std::string& pattern) -> Test {
        return [expression = Pattern(pattern, "--variants")](const Summary& s) {
          return expression.matches(s.model) || expression.matches(s.measurement->what.variant);
        };
      },
      itself);
  if (!selection.array_sizes.empty())
    throw UserError(
        "`/array` of --sizes says what to measure. What was measured is selected by its N, as tables "
        "show it.");
  // Sizes and classes are one option: either will do.
  std::vector<std::string> sizes = selection.classes;
  for (const std::int64_t n : selection.sizes) sizes.push_back(to_string(n));
  for (const std::int64_t bytes : selection.byte_sizes) sizes.push_back(to_string(bytes) + "B");
  for (const Extents& shape : selection.shapes) sizes.push_back(shape_text(shape));
  const auto size_name = [](const Summary& s) {
    const Case& what = s.measurement->what;
    return what.problem_class.empty() ? to_string(what.problem.n) : what.problem_class;
  };
  filter.keep<std::string>(
      sizes, "--sizes", size_name,
      [&](const std::string& size) -> Test {
        if (std::isdigit(static_cast<unsigned char>(size[0])) && size.ends_with('B'))
          return [bytes = std::stoll(size)](const Summary& s) {
            const Problem& problem = s.measurement->what.problem;
            return s.measurement->what.problem_class.empty() &&
                   problem.n == bytes / static_cast<std::int64_t>(element_size(problem.type));
          };
        return [=](const Summary& s) {  // a shape also selects what has it under another name
          return size_name(s) == size || size_name(s).starts_with(size + " ") ||
                 shape_text(s.measurement->what.problem.extents) == size;
        };
      },
      itself);
  filter.keep<ElementType>(
      selection.types, "--type", [](const Summary& s) { return name_of(s.measurement->what.problem.type); },
      [](const ElementType& type) -> Test {
        return [type](const Summary& s) { return s.measurement->what.problem.type == type; };
      },
      [](const ElementType& type) { return std::string(name_of(type)); });
  for (const auto& [parameter_name, values] : selection.parameters) {
    const std::string& parameter = parameter_name;  // a name that a closure may take
    const auto value_of = [name = parameter](const Summary& s) {
      std::optional<std::int64_t> found;
      for (const auto& [key, value] : parameters_of(s))
        if (key == name) found = value;
      return found;
    };
    filter.keep<std::int64_t>(
        values, "--parameters",
        [&](const Summary& s) {
          return value_of(s) ? parameter + "=" + to_string(*value_of(s)) : std::string();
        },
        [&](const std::int64_t& value) -> Test {
          return [=](const Summary& s) { return value_of(s) == value; };
        },
        [&](const std::int64_t& value) { return parameter + "=" + to_string(value); });
  }
  if (!selection.device.empty())
    filter.keep<std::string>(
        places_in(selection.device), "--device", [](const Summary& s) { return s.measurement->what.device; },
        [](const std::string& device) -> Test {
          return [device](const Summary& s) { return s.measurement->what.device == device; };
        },
        itself);
  for (const auto& [tunable_name, values] : selection.tunings) {
    const std::string& tunable = tunable_name;
    const auto value_of = [name = tunable](const Summary& s) -> const TunedValue* {
      for (const auto& [key, value] : s.measurement->what.tuning)
        if (key == name) return &value;
      return nullptr;
    };
    filter.keep<TunedValue>(
        values, "--tunings",
        [&](const Summary& s) {
          return value_of(s) ? tunable + "=" + value_text(*value_of(s)) : std::string();
        },
        [&](const TunedValue& value) -> Test {
          return [=](const Summary& s) { return value_of(s) && is_asked(*value_of(s), value); };
        },
        [&](const TunedValue& value) { return tunable + "=" + value_text(value); });
  }
  return std::move(filter).left();
}

}  // namespace sextant
