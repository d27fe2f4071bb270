#include "own/draft/collector.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <utility>

#include "own/description/array_type.hpp"
#include "own/description/description_reader.hpp"
#include "own/draft/function_fit.hpp"
#include "own/draft/source_constants.hpp"
#include "suite/element.hpp"

namespace sextant::own {

std::string thread_name(const Signature& kernel, std::size_t axis) {
  const bool plane =
      kernel.axes[1].threads || kernel.axes[1].blocks || kernel.axes[2].threads || kernel.axes[2].blocks;
  return plane ? std::string("block_") + "xyz"[axis] : "block_size";
}

std::vector<Polynomial> longest_lengths(const std::vector<Polynomial>& lengths) {
  std::vector<Polynomial> kept;
  for (const Polynomial& one : lengths) {
    const auto known = std::find_if(kept.begin(), kept.end(), [&](const Polynomial& other) {
      return (one - other).constant().has_value();
    });
    if (known == kept.end())
      kept.push_back(one);
    else if (*(one - *known).constant() > 0)
      *known = one;
  }
  const std::vector<Polynomial> all = kept;
  std::erase_if(kept, [&](const Polynomial& one) {
    return std::any_of(all.begin(), all.end(), [&](const Polynomial& other) {
      return other.is_length() && !(other - one).constant() && (other - one).grows();
    });
  });
  std::erase_if(kept, [&](const Polynomial& one) {
    return !one.is_length() || (kept.size() > 1 && one.constant().has_value());
  });
  return kept;
}

namespace {

// Returns the template argument at position `place` in the first launch of kernel `name` from offset `from`
// on. For `scale<float, 4><<<…>>>` and place 1 it is "4". Empty unless it is a number or a constant of the
// file.
std::string launched_with(const std::string& source, std::size_t from, const std::string& name,
                          std::size_t place) {
  const std::regex launch("\\b" + name + "\\s*<([^<>;(){}]*)>\\s*<<<");
  std::smatch found;
  if (from > source.size() ||
      !std::regex_search(source.begin() + static_cast<std::ptrdiff_t>(from), source.end(), found, launch))
    return "";
  std::string given = found[1];
  for (std::size_t i = 0; i < place; ++i) {
    const std::size_t comma = given.find(',');
    if (comma == std::string::npos) return "";
    given.erase(0, comma + 1);
  }
  given = given.substr(0, given.find(','));
  given.erase(0, given.find_first_not_of(" \t\n"));
  given.erase(given.find_last_not_of(" \t\n") + 1);
  const bool is_number = std::regex_match(given, std::regex("[0-9]+|true|false"));
  const bool is_name =
      is_identifier(given) && std::regex_search(source, std::regex("(^|\n)\\s*#define " + given +
                                                                   "\\b|(^|\n)(static |inline )*"
                                                                   "(constexpr|const) [^;(){}=\n]*\\b" +
                                                                   given + "\\s*="));
  return is_number || is_name ? given : "";
}

class Collector {
 public:
  Collector(const std::string& source, DraftParts* parts, DraftNames* names,
            std::set<std::string>* fixed_of_t)
      : source_(source), parts_(*parts), names_(*names), fixed_of_t_(*fixed_of_t) {}

  void add(Signature signature) {
    DraftFunction function;
    function.called = called(&signature, &function.guess);
    for (const Parameter& one : signature.parameters)
      function.arguments.push_back(one.stream                      ? stream()
                                   : one.pointer                   ? array(signature, one)
                                   : is_block_size(signature, one) ? block_size(signature, one)
                                                                   : number(signature, one));
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
      if (signature.parameters[i].written && !signature.parameters[i].temporary)
        function.results.insert(function.arguments[i].index);
    add_threads(signature);
    describe_lengths(signature, function);
    if (signature.terms) function.terms = in_names(signature, *signature.terms);
    for (const Polynomial& one : signature.work) function.work.push_back(in_names(signature, one));
    add_repeat(signature, &function);
    function.signature = std::move(signature);
    parts_.functions.push_back(std::move(function));
  }

 private:
  // Returns the text that calls the function, with template arguments. Replaces the numbers among these
  // arguments by their values in lengths and launch axes. If the file does not give such a value, stores the
  // guessed one in `guess`.
  std::string called(Signature* function, std::string* guess) const {
    const Signature& signature = *function;
    std::string given;
    for (std::size_t i = 0; i < signature.templates.size(); ++i) {
      const TemplateParameter& one = signature.templates[i];
      std::string value = one.is_type ? (is_index_type(signature, one.name) ? "int" : "T") : "";
      if (!one.is_type) {
        const std::size_t from = signature.bound ? signature.calls.front().at : 0;
        value = launched_with(source_, from, signature.name.substr(signature.name.rfind(':') + 1), i);
        if (value.empty()) value = one.preset;
        if (value.empty()) *guess = value = is_block_size(signature, one.name) ? "256" : "1";
        put_in(one.name, constant_in(source_, value), function);
      }
      given += (i ? ", " : "") + value;
    }
    return signature.name + (given.empty() ? "" : "<" + given + ">");
  }

  static bool is_block_size(const Signature& signature, const std::string& name) {
    return std::any_of(signature.axes.begin(), signature.axes.end(),
                       [&](const Axis& axis) { return axis.block_name == name; });
  }

  // Replaces a template parameter by its value in lengths and launch axes. If the value is unknown, the
  // lengths and axes that contain the parameter become unknown.
  static void put_in(const std::string& name, const std::optional<std::int64_t>& value, Signature* function) {
    const auto put = [&](std::optional<Polynomial>* one) {
      if (*one && (*one)->has(name)) *one = value ? std::optional((*one)->with(name, *value)) : std::nullopt;
    };
    for (Parameter& parameter : function->parameters) {
      for (std::vector<Polynomial>* list : {&parameter.lengths, &parameter.whole}) {
        for (Polynomial& one : *list)
          if (value) one = one.with(name, *value);
        const auto is_left = [&](const Polynomial& one) { return one.has(name); };
        if (std::erase_if(*list, is_left) > 0) parameter.has_unknown = true;
      }
      for (Chooser& by : parameter.chosen_by) {
        put(&by.factor);
        std::optional<Polynomial> rest = by.rest;
        put(&rest);
        if (!rest) by.factor.reset();
        by.rest = rest.value_or(Polynomial(0));
      }
    }
    put(&function->terms);
    for (Polynomial& one : function->work) one = one.with(name, value.value_or(1));
    for (Axis& axis : function->axes) {
      for (std::optional<Polynomial>* one : {&axis.items, &axis.of_block, &axis.block_items}) put(one);
      if (axis.block_name != name) continue;
      axis.block_name.clear();
      if (value && axis.block_size == 0) axis.block_size = *value;
    }
  }

  static DraftArgument stream() {
    DraftArgument argument;
    argument.given = "stream";
    return argument;
  }

  DraftArgument array(const Signature& signature, const Parameter& one) {
    const bool t = is_t(signature, one.type);
    const std::string type = t ? "T" : is_template_type(signature, one.type) ? "int" : one.type;
    // Arrays with the same name in several functions are one array, even if one has type T and the other
    // float or double.
    const std::string kind = t || type == "float" || type == "double" ? "real array" : type + " array";
    const std::string name = names_.shown(one.name, kind);
    std::size_t index = 0;
    while (index < parts_.arrays.size() && parts_.arrays[index].name != name) ++index;
    if (index == parts_.arrays.size()) {
      parts_.arrays.emplace_back();
      parts_.arrays.back().name = name;
      parts_.arrays.back().type = type;
      parts_.arrays.back().temporary = one.temporary;
      if (!t && !array_type_named(type))
        parts_.arrays.back().member = one.member, parts_.arrays.back().members = one.members,
        parts_.arrays.back().mixed = one.mixed, parts_.arrays.back().layout = one.layout;
    }
    DraftArray& array = parts_.arrays[index];
    if (type != array.type) {
      fixed_of_t_.insert(type == "T" ? array.type : type);
      array.type = "T";
    }
    // A step or another step's driver reads what an earlier step wrote.
    const bool later = (parts_.steps || parts_.host_steps) && array.step_writes;
    array.read = array.read || (one.read && !later);
    array.passed = array.passed || (one.read && later);
    array.step_writes = array.step_writes || (signature.step && !array.read && is_written_whole(one));
    array.written = array.written || one.written;
    array.sorted = array.sorted || one.sorted;
    array.divides = array.divides || one.divides;
    array.negative = array.negative || one.negative;
    array.remainder = array.remainder || one.remainder;
    array.links = array.links || one.links;
    array.ends = array.ends || one.ends;
    array.decided = std::max(array.decided, one.decided);
    array.use.add(one.use);
    array.has_unknown = array.has_unknown || one.has_unknown;
    array.returned = array.returned || one.returned;
    array.temporary = array.temporary && one.temporary;
    return {true, one.returned, index, "", "", 0, "", one.element, signature.launcher && one.on_host};
  }

  static bool is_written_whole(const Parameter& one) {
    const std::vector<Polynomial> own = longest_lengths(one.lengths);
    return one.written && !one.read && own.size() == 1 &&
           std::find(one.whole.begin(), one.whole.end(), own[0]) != one.whole.end();
  }

  // Returns the number of repetitions of a loop in the names of the description: a number, or a size.
  std::string repeat_text(const std::string& count) {
    constexpr std::size_t most_digits = 2;
    if (count.find_first_not_of("0123456789") == std::string::npos)
      return count.size() <= most_digits ? count : "10";
    const std::string name = size_named(count);
    for (DraftNumber& one : parts_.numbers)
      if (one.name == name) one.count = true;
    return name;
  }

  void add_repeat(const Signature& signature, DraftFunction* function) {
    if (parts_.repeat.empty() && !parts_.round_count.empty()) parts_.repeat = repeat_text(parts_.round_count);
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
      const std::string& name = signature.parameters[i].name;
      const bool own = name == signature.swapped.first || name == signature.swapped.second;
      const bool of_all =
          signature.step && (name == parts_.round_swapped.first || name == parts_.round_swapped.second);
      if (!signature.parameters[i].pointer || (!own && !of_all)) continue;
      DraftArray& array = parts_.arrays[function->arguments[i].index];
      array.read = array.written = array.swapped = true;
      (own ? function->swapped : parts_.swapped).insert(function->arguments[i].index);
    }
    if (!signature.repeat.empty()) function->repeat = repeat_text(signature.repeat);
  }

  // Returns true if the parameter holds the block size. A number on which array lengths depend is a size of
  // the problem instead.
  static bool is_block_size(const Signature& signature, const Parameter& one) {
    const auto uses = [&](const Polynomial& polynomial) { return polynomial.has(one.name); };
    for (const Parameter& array : signature.parameters)
      if (std::any_of(array.lengths.begin(), array.lengths.end(), uses)) return false;
    for (const Axis& axis : signature.axes)
      if (axis.items && uses(*axis.items)) return false;
    return std::any_of(signature.axes.begin(), signature.axes.end(),
                       [&](const Axis& axis) { return axis.block_name == one.name && axis.threads; });
  }

  // Returns an argument that stands for the block size, which is a tunable of the launch.
  static DraftArgument block_size(const Signature& signature, const Parameter& one) {
    DraftArgument argument;
    const auto cast = whole_casts().find(one.type);
    argument.cast = cast == whole_casts().end() ? "" : cast->second;
    std::size_t axis = 0;
    while (signature.axes[axis].block_name != one.name) ++axis;
    argument.launch = thread_name(signature, axis);
    argument.axis = axis;
    return argument;
  }

  DraftArgument number(const Signature& signature, const Parameter& one) {
    const auto whole = whole_casts().find(one.type);
    const bool real = whole == whole_casts().end();
    if (one.given) return given(*one.given, whole->second);
    const std::string& name = names_.shown(one.name, real ? "scalar" : "size");
    std::size_t index = 0;
    while (index < parts_.numbers.size() && parts_.numbers[index].name != name) ++index;
    if (index == parts_.numbers.size())
      parts_.numbers.push_back({name, real, false, false, false, false, false, "", 0});
    if (parts_.numbers[index].compared_to.empty()) parts_.numbers[index].compared_to = one.compared_to;
    parts_.numbers[index].divisor = parts_.numbers[index].divisor || one.divisor;
    parts_.numbers[index].block = parts_.numbers[index].block || one.block;
    if (one.most > 0 && (signature.launcher || !signature.kernel)) parts_.numbers[index].most = one.most;
    const bool t = is_t(signature, one.type) || is_template_type(signature, one.type);
    return {false, false, index, !real ? whole->second : t ? "" : one.type, "", 0, "", false, false};
  }

  // Returns an argument that is an expression. Its names become sizes, except the number of the repetition.
  DraftArgument given(const Polynomial& value, const std::string& cast) {
    DraftArgument argument;
    argument.cast = cast;
    argument.given =
        value.renamed([&](const std::string& name) { return name == "step" ? name : size_named(name); })
            .text();
    return argument;
  }

  std::string size_named(const std::string& name) {
    const std::string shown = names_.shown(name, "size");
    if (!parts_.number_named(shown))
      parts_.numbers.push_back({shown, false, false, false, false, false, false, "", 0});
    return shown;
  }

  Polynomial in_names(const Signature& signature, const Polynomial& polynomial) {
    return polynomial.renamed([&](const std::string& name) {
      for (const Parameter& one : signature.parameters)
        if (one.name == name && !one.pointer) return names_.shown(name, "size");
      return name == unchecked_threads ? names_.shown(name, "number of threads")
             : signature.bound         ? size_named(name)
                                       : name;
    });
  }

  // Adds the number of threads as a size if no thread compares its index with a bound.
  void add_threads(const Signature& signature) {
    const std::optional<Polynomial>& items = signature.axes[0].items;
    if (!signature.kernel || !items || !items->has(unchecked_threads)) return;
    for (const Parameter& one : signature.parameters)
      if (one.name == unchecked_threads && !one.pointer) return;
    const std::string& name = names_.shown(unchecked_threads, "number of threads");
    if (!parts_.number_named(name))
      parts_.numbers.push_back({name, false, true, true, false, false, false, "", 0});
  }

  void describe_lengths(const Signature& signature, const DraftFunction& function) {
    const auto shown = [&](const std::string& name) {
      for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        if (signature.parameters[i].name == name) return parts_.arrays[function.arguments[i].index].name;
      return name;
    };
    const auto add = [](auto* to, const auto& one) {
      if (std::find(to->begin(), to->end(), one) == to->end()) to->push_back(one);
    };
    for (std::size_t i = 0; i < signature.parameters.size(); ++i) {
      const Parameter& one = signature.parameters[i];
      if (!one.pointer) continue;
      DraftArray& array = parts_.arrays[function.arguments[i].index];
      for (const Polynomial& length : longest_lengths(one.lengths)) {
        array.lengths.push_back(in_names(signature, length));
        mark(signature, function, length);
      }
      array.lengths = longest_lengths(array.lengths);
      const std::vector<Polynomial> own = longest_lengths(one.lengths);
      array.whole =
          array.whole && (!one.written || (own.size() == 1 && std::find(one.whole.begin(), one.whole.end(),
                                                                        own[0]) != one.whole.end()));
      for (Chooser by : one.chosen_by) {
        by.array = shown(by.array);
        if (by.factor) by.factor = in_names(signature, *by.factor);
        by.rest = in_names(signature, by.rest);
        add(&array.chosen_by, by);
      }
      for (const std::string& name : one.rows_of) add(&array.rows_of, shown(name));
    }
    for (const Axis& axis : signature.axes)
      for (const auto& items : {axis.items, axis.block_items})
        if (items) mark(signature, function, *items);
  }

  void mark(const Signature& signature, const DraftFunction& function, const Polynomial& used) {
    if (signature.bound)
      for (const std::string& name : in_names(signature, used).names())
        for (DraftNumber& one : parts_.numbers)
          if (one.name == name && used.grows()) one.in_lengths = true;
    for (const std::string& name : used.names())
      for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        if (signature.parameters[i].name == name && !signature.parameters[i].pointer &&
            used.grows_with(name) && function.arguments[i].launch.empty() &&
            function.arguments[i].given.empty())
          parts_.numbers[function.arguments[i].index].in_lengths = true;
  }

  const std::string& source_;
  DraftParts& parts_;
  DraftNames& names_;
  std::set<std::string>& fixed_of_t_;  // types that functions without T use for the arrays of type T
};

}  // namespace

void add_function(const std::string& source, Signature function, DraftParts* parts, DraftNames* names,
                  std::set<std::string>* fixed_of_t) {
  Collector(source, parts, names, fixed_of_t).add(std::move(function));
}

void choose_types(const std::set<std::string>& fixed_of_t, DraftParts* parts) {
  const bool any_t = std::any_of(parts->arrays.begin(), parts->arrays.end(),
                                 [](const DraftArray& one) { return one.type == "T"; });
  if (any_t) {
    parts->types = fixed_of_t.empty() ? std::set<std::string>{"float", "double"} : fixed_of_t;
    return;
  }
  if (parts->arrays.empty()) return;
  const std::string type = parts->arrays.front().type == "int32_t" ? "int" : parts->arrays.front().type;
  if (type != "float" && type != "double" && type != "int") return;
  for (const DraftArray& one : parts->arrays)
    if (one.type != parts->arrays.front().type) return;
  parts->types = {type};
  for (DraftArray& one : parts->arrays) one.type = "T";
}

}  // namespace sextant::own
