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
#include "record/renamed_tunables.hpp"

namespace sextant {
namespace {

using Test = std::function<bool(const Summary&)>;
using Name = std::function<std::string(const Summary&)>;

// Keeps the summaries that match at least one entry of an option's list.
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
      return strverscmp(a.c_str(), b.c_str()) < 0;  // sorts numbers within the texts by value
    });
    std::string list;
    for (std::size_t i = 0; i < names.size() && i < 12; ++i) list += (i ? ", " : "") + names[i];
    if (names.size() > 12) list += ", …";
    throw UserError("no case in the file matches `" + entry + "` of " + option + "." +
                    did_you_mean(entry, names) +
                    (names.empty() ? " The other options already leave no case. Leave some of them out."
                                   : " The file holds " + list + "."));
  }

  std::vector<Summary> left_;
};

std::string itself(const std::string& text) { return text; }

std::string kernel_of(const Summary& s) { return s.measurement->what.kernel; }
std::string variant_of(const Summary& s) { return s.measurement->what.variant; }
std::string type_of(const Summary& s) { return name_of(s.measurement->what.problem.type); }
std::string device_of(const Summary& s) { return s.measurement->what.device; }
std::string size_text(const Case& what) {
  return what.problem_class.empty() ? std::to_string(what.problem.n) : what.problem_class;
}
std::string size_of(const Summary& s) { return size_text(s.measurement->what); }

void keep_kernels(const std::vector<std::string>& patterns, Filter* filter) {
  const auto test_of = [](const std::string& pattern) -> Test {
    return [expression = Pattern(pattern, "--kernels")](const Summary& s) {
      return expression.matches(kernel_of(s));
    };
  };
  filter->keep<std::string>(patterns, "--kernels", kernel_of, test_of, itself);
}

void keep_variants(const std::vector<std::string>& patterns, Filter* filter) {
  const auto test_of = [](const std::string& pattern) -> Test {
    return [expression = Pattern(pattern, "--variants")](const Summary& s) {
      return expression.matches(s.model) || expression.matches(variant_of(s));
    };
  };
  filter->keep<std::string>(patterns, "--variants", variant_of, test_of, itself);
}

// Returns the sizes, shapes and problem classes that the user selected, as one list. A summary has to match
// only one of them.
std::vector<std::string> sizes_asked(const Selection& selection) {
  if (!selection.array_sizes.empty())
    throw UserError(
        "`/array` in -n is only for new measurements. Select stored cases by the N that tables show.");
  std::vector<std::string> sizes = selection.classes;
  for (const std::int64_t n : selection.sizes) sizes.push_back(std::to_string(n));
  for (const std::int64_t bytes : selection.byte_sizes) sizes.push_back(std::to_string(bytes) + "B");
  for (const Extents& shape : selection.shapes) sizes.push_back(shape_text(shape));
  return sizes;
}

// True for a size in bytes such as "4000000B". Other sizes are a number of elements, a shape or a class.
bool is_in_bytes(const std::string& size) {
  return std::isdigit(static_cast<unsigned char>(size[0])) && size.ends_with('B');
}

// Returns the text of a size for messages. A size in bytes is followed by the corresponding N.
std::string with_elements(const std::string& size) {
  if (!is_in_bytes(size)) return size;
  const long long bytes = std::stoll(size);
  return std::to_string(bytes) + " bytes, N = " + std::to_string(bytes / 4) + " of float, " +
         std::to_string(bytes / 8) + " of double";
}

bool is_of_size(const Case& what, const std::string& size) {
  if (is_in_bytes(size))
    return what.problem_class.empty() &&
           what.problem.n == std::stoll(size) / static_cast<std::int64_t>(element_size(what.problem.type));
  // A shape also selects a problem with this shape that is listed under another name.
  return size_text(what) == size || size_text(what).starts_with(size + " ") ||
         shape_text(what.problem.extents) == size;
}

void keep_sizes(const Selection& selection, Filter* filter) {
  const auto test_of = [](const std::string& size) -> Test {
    return [=](const Summary& s) { return is_of_size(s.measurement->what, size); };
  };
  filter->keep<std::string>(sizes_asked(selection), "--sizes", size_of, test_of, with_elements);
}

void keep_types(const std::vector<ElementType>& types, Filter* filter) {
  const auto test_of = [](const ElementType& type) -> Test {
    return [type](const Summary& s) { return s.measurement->what.problem.type == type; };
  };
  filter->keep<ElementType>(types, "--type", type_of, test_of,
                            [](const ElementType& type) { return std::string(name_of(type)); });
}

void keep_devices(const std::string& devices, Filter* filter) {
  if (devices.empty()) return;
  const auto test_of = [](const std::string& device) -> Test {
    return [device](const Summary& s) { return device_of(s) == device; };
  };
  filter->keep<std::string>(places_in(devices), "--device", device_of, test_of, itself);
}

void keep_parameter(const std::string& parameter, const std::vector<std::int64_t>& values, Filter* filter) {
  const auto value_of = [&](const Summary& s) {
    std::optional<std::int64_t> found;
    for (const auto& [key, value] : parameters_of(s))
      if (key == parameter) found = value;
    return found;
  };
  const auto text_of = [&](const std::int64_t& value) { return parameter + "=" + std::to_string(value); };
  filter->keep<std::int64_t>(
      values, "--parameters",
      [&](const Summary& s) { return value_of(s) ? text_of(*value_of(s)) : std::string(); },
      [&](const std::int64_t& value) -> Test {
        return [&value_of, value](const Summary& s) { return value_of(s) == value; };
      },
      text_of);
}

void keep_tunable(const std::string& tunable, const std::vector<TunedValue>& values, Filter* filter) {
  const auto value_of = [&](const Summary& s) -> const TunedValue* {
    const Case& what = s.measurement->what;
    const std::string& name = current_tunable(what.kernel, what.variant, tunable);
    for (const auto& [key, value] : what.tuning)
      if (key == name) return &value;
    return nullptr;
  };
  const auto text_of = [&](const TunedValue& value) { return tunable + "=" + value_text(value); };
  filter->keep<TunedValue>(
      values, "--tunings",
      [&](const Summary& s) { return value_of(s) ? text_of(*value_of(s)) : std::string(); },
      [&](const TunedValue& value) -> Test {
        return [&value_of, value](const Summary& s) { return value_of(s) && is_asked(*value_of(s), value); };
      },
      text_of);
}

}  // namespace

bool is_size_asked(const Selection& selection, const Case& what) {
  const std::vector<std::string> sizes = sizes_asked(selection);
  return sizes.empty() || std::any_of(sizes.begin(), sizes.end(),
                                      [&](const std::string& size) { return is_of_size(what, size); });
}

std::vector<Summary> filter(const std::vector<Summary>& summaries, const Selection& selection) {
  Filter filter(summaries);
  keep_kernels(selection.kernels, &filter);
  keep_variants(selection.variants, &filter);
  keep_sizes(selection, &filter);
  keep_types(selection.types, &filter);
  for (const auto& [parameter, values] : selection.parameters) keep_parameter(parameter, values, &filter);
  keep_devices(selection.device, &filter);
  for (const auto& [tunable, values] : selection.tunings) keep_tunable(tunable, values, &filter);
  return std::move(filter).left();
}

}  // namespace sextant
