#include "own/draft/same_parameters.hpp"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "base/join.hpp"
#include "own/draft/draft_parts.hpp"

namespace sextant::own {
namespace {

bool is_real(const Signature& function, const std::string& type) {
  return type == "float" || type == "double" || type == "T" ||
         std::any_of(function.templates.begin(), function.templates.end(),
                     [&](const TemplateParameter& one) { return one.is_type && one.name == type; });
}

// The elements of arrays must have the same type. Numbers must only be of one kind, real or whole.
bool same_kind(const Signature& a, const Parameter& x, const Signature& b, const Parameter& y) {
  if (x.pointer != y.pointer || x.element != y.element || x.returned != y.returned || x.unfit != y.unfit)
    return false;
  if (is_real(a, x.type) && is_real(b, y.type)) return !x.pointer || x.written == y.written;
  if (!x.pointer) return is_real(a, x.type) == is_real(b, y.type);
  return x.type == y.type && x.written == y.written;
}

bool same_kinds(const Signature& a, const Signature& b) {
  if (a.parameters.size() != b.parameters.size() || a.parameters.empty()) return false;
  for (std::size_t i = 0; i < a.parameters.size(); ++i)
    if (!same_kind(a, a.parameters[i], b, b.parameters[i])) return false;
  return true;
}

std::set<std::string> names_of(const Signature& one) {
  std::set<std::string> names;
  for (const Parameter& parameter : one.parameters) names.insert(parameter.name);
  return names;
}

// Returns the names that the parameters of `from` have in `to`. Nothing if they are the same, or if `to` has
// one of the names for another parameter.
std::optional<NewNames> renamings(const Signature& from, const Signature& to) {
  const std::set<std::string> known = names_of(to);
  NewNames names;
  for (std::size_t i = 0; i < from.parameters.size(); ++i) {
    const std::string &own = from.parameters[i].name, &other = to.parameters[i].name;
    if (own == other) continue;
    if (known.contains(own)) return {};
    names[own] = other;
  }
  return names.empty() ? std::nullopt : std::optional(names);
}

bool writes(const Signature& one) {
  return std::any_of(one.parameters.begin(), one.parameters.end(),
                     [](const Parameter& parameter) { return parameter.written; });
}

// Returns true if the functions are versions of each other, as far as their names and the file tell.
bool are_versions(const Signature& a, const Signature& b, const std::vector<Signature>& all) {
  if (stem_of(a.name) == stem_of(b.name)) return true;
  const auto alike = [&](const Signature& one) {
    return one.kernel == b.kernel && !one.launches && writes(one) && same_kinds(one, a);
  };
  return a.kernel != b.kernel && std::count_if(all.begin(), all.end(), alike) == 1 &&
         std::count_if(all.begin(), all.end(), [&](const Signature& one) { return one.kernel; }) == 1;
}

std::string listed(const NewNames& names, bool own) {
  std::vector<std::string> all;
  for (const auto& [from, to] : names) all.push_back(own ? from : to);
  return join(all);
}

}  // namespace

std::string stem_of(const std::string& full_name) {
  static const std::set<std::string> versions = {
      "cpu",   "gpu", "host",  "ref",  "reference",  "serial", "seq",   "omp",    "openmp",   "parallel",
      "naive", "opt", "tiled", "fast", "slow",       "kernel", "plain", "simple", "baseline", "golden",
      "cuda",  "dev", "check", "base", "sequential", "device", "v1",    "v2",     "v3"};
  std::string rest, word;
  const std::string name = full_name.substr(full_name.rfind(':') + 1) + "_";
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const bool begins = std::isupper(c) && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1]));
    if (c == '_' || begins) {
      if (!versions.contains(word)) rest += word;
      word.clear();
    }
    if (c != '_') word += static_cast<char>(std::tolower(c));
  }
  return rest;
}

std::string without_mark(const std::string& name) {
  for (const std::string mark : {"d_", "dev_", "device_", "gpu_", "g_", "cu_"})
    if (name.starts_with(mark) && name.size() > mark.size()) return name.substr(mark.size());
  for (const std::string mark : {"_d", "_dev", "_device", "_gpu"})
    if (name.ends_with(mark) && name.size() > mark.size()) return name.substr(0, name.size() - mark.size());
  return name;
}

void rename_parameters(const NewNames& names, Signature* function) {
  const auto shown = [&](const std::string& name) {
    const auto found = names.find(name);
    return found == names.end() ? name : found->second;
  };
  const auto put = [&](auto* polynomial) { *polynomial = polynomial->renamed(shown); };
  const auto put_if = [&](std::optional<Polynomial>* one) {
    if (*one) put(&**one);
  };
  for (Parameter& one : function->parameters) {
    one.name = shown(one.name);
    for (std::vector<Polynomial>* list : {&one.lengths, &one.whole})
      for (Polynomial& length : *list) put(&length);
    for (Chooser& by : one.chosen_by) by.array = shown(by.array), put_if(&by.factor), put(&by.rest);
    for (std::string& rows : one.rows_of) rows = shown(rows);
  }
  for (Axis& axis : function->axes) {
    for (std::optional<Polynomial>* one :
         {&axis.items, &axis.of_block, &axis.block_items, &axis.launched_blocks})
      put_if(one);
    axis.block_name = shown(axis.block_name);
  }
  put_if(&function->terms);
  put_if(&function->launched_shared);
  for (Polynomial& one : function->work) put(&one);
}

std::vector<std::string> name_parameters_alike(std::vector<Signature>* functions) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < functions->size(); ++i)
    for (std::size_t k = 0; k < functions->size(); ++k) {
      Signature& one = (*functions)[i];
      const Signature& other = (*functions)[k];
      const bool first = other.kernel == one.kernel ? k < i : other.kernel;
      if (i == k || one.bound || !first || !writes(one) || one.launches || other.launches ||
          !same_kinds(one, other) || !are_versions(other, one, *functions))
        continue;
      const std::optional<NewNames> names = renamings(one, other);
      if (!names) continue;
      lines.push_back("compared by the order of the parameters: " + listed(*names, true) + " of " +
                      place_of(one) + " are taken as " + listed(*names, false) + " of " + place_of(other));
      rename_parameters(*names, &one);
      break;
    }
  return lines;
}

}  // namespace sextant::own
