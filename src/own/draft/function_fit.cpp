#include "own/draft/function_fit.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/join.hpp"
#include "own/description/array_type.hpp"
#include "own/description/description_reader.hpp"

namespace sextant::own {

const std::map<std::string, std::string>& whole_casts() {
  static const std::map<std::string, std::string> casts = {{"int", "int"},
                                                           {"unsigned int", "unsigned"},
                                                           {"long", ""},
                                                           {"long long", ""},
                                                           {"unsigned long", "uint64_t"},
                                                           {"unsigned long long", "uint64_t"},
                                                           {"bool", "bool"},
                                                           {"char", "int8_t"},
                                                           {"signed char", "int8_t"},
                                                           {"unsigned char", "uint8_t"},
                                                           {"short", "int16_t"},
                                                           {"unsigned short", "uint16_t"}};
  return casts;
}

bool is_template_type(const Signature& function, const std::string& type) {
  return std::any_of(function.templates.begin(), function.templates.end(),
                     [&](const TemplateParameter& one) { return one.is_type && one.name == type; });
}

bool is_index_type(const Signature& function, const std::string& type) {
  for (const Parameter& one : function.parameters) {
    for (const Parameter& other : function.parameters)
      if (one.type == type && one.pointer &&
          std::any_of(other.chosen_by.begin(), other.chosen_by.end(),
                      [&](const Chooser& by) { return by.array == one.name; }))
        return true;
    if (one.type == type && one.pointer && !one.rows_of.empty()) return true;
  }
  return false;
}

bool is_t(const Signature& function, const std::string& type) {
  return type == "T" || (is_template_type(function, type) && !is_index_type(function, type));
}

namespace {

// The reason why a description cannot contain a parameter, and the declaration to write instead. Both may be
// empty.
struct Unfit {
  std::string reason, instead;
};

Unfit pointer_instead(const Parameter& one) {
  std::string type = one.type.substr(0, one.type.find_last_not_of("& ") + 1);
  std::string reason = one.unfit.empty()
                           ? "unsupported type " + type + ". Take its members as numbers, or a pointer: "
                           : "a reference. Take a pointer: ";
  if (const std::size_t vector = type.find("vector<"); vector != std::string::npos) {
    type = type.substr(vector + 7, type.rfind('>') - vector - 7);
    reason = "a std::vector. Take a pointer to its elements, and their number: ";
  }
  const bool is_const = one.is_const || one.unfit.empty();  // a copy stays as it is
  return {reason, (is_const ? "const " : "") + type + "* " + one.name};
}

Unfit why_unfit(const Signature& function, const Parameter& one) {
  if (one.stream) return {};
  if (one.unfit == "a reference") return pointer_instead(one);
  if (!one.unfit.empty()) return {one.unfit, ""};
  if (!is_identifier(one.name)) return {"its name is missing or not allowed in a description", ""};
  const bool any = is_t(function, one.type) || is_template_type(function, one.type);
  if (one.pointer)
    return any || array_type_named(one.type) || array_type_named(one.member)
               ? Unfit{}
               : Unfit{"arrays cannot have the type " + one.type + ": use numbers, or structs of numbers",
                       ""};
  return any || one.type == "float" || one.type == "double" || whole_casts().contains(one.type)
             ? Unfit{}
             : pointer_instead(one);
}

// Returns the reasons why a description cannot contain parameters of the function, or an empty text.
std::string unfit_parameters(const Signature& function) {
  std::vector<std::pair<std::string, std::vector<const Parameter*>>> reasons;
  for (const Parameter& one : function.parameters) {
    const std::string reason = why_unfit(function, one).reason;
    if (reason.empty()) continue;
    const auto known = std::find_if(reasons.begin(), reasons.end(),
                                    [&](const auto& other) { return other.first == reason; });
    if (known == reasons.end())
      reasons.push_back({reason, {&one}});
    else
      known->second.push_back(&one);
  }
  return join(reasons, "; ", [&](const auto& reason) {
    const auto& [why, all] = reason;
    if (all.size() == 1 && all[0]->name.empty()) return "its parameter " + why;
    const std::string names = join(all, ", ", [](const Parameter* one) { return "`" + one->name + "`"; });
    return (all.size() == 1 ? "its parameter " : "its parameters ") + names + ": " + why +
           join(all, ", ", [&](const Parameter* one) { return why_unfit(function, *one).instead; });
  });
}

constexpr const char* has_no_array = "it has no array among its parameters";

}  // namespace

std::string why_unfit(const Signature& function) {
  if (!function.unfit.empty()) return function.unfit;
  if (function.launches) return "it launches kernels or calls CUDA";
  if (std::string why = unfit_parameters(function); !why.empty()) return why;
  const auto arrays = std::count_if(function.parameters.begin(), function.parameters.end(),
                                    [](const Parameter& one) { return one.pointer; });
  if (static_cast<std::size_t>(arrays) > most_arrays) return "it has more than 16 arrays";
  const bool writes = std::any_of(function.parameters.begin(), function.parameters.end(),
                                  [](const Parameter& one) { return one.written && !one.temporary; });
  return arrays == 0 ? has_no_array : writes ? "" : writes_nothing;
}

}  // namespace sextant::own
