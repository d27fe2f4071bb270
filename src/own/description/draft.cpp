// Drafts a description from signatures: what they do not say is guessed and marked.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "base/error.hpp"
#include "own/description/description_reader.hpp"
#include "own/description/signature.hpp"
#include "suite/element.hpp"

namespace sextant::own {
namespace {

const std::set<std::string> whole_types = {
    "int",     "unsigned", "unsigned int", "long",     "unsigned long", "long long",         "size_t",
    "int64_t", "uint64_t", "int32_t",      "uint32_t", "ptrdiff_t",     "unsigned long long"};

bool is_real(const Signature& function, const std::string& type) {
  return type == "float" || type == "double" || type == "T" ||
         std::find(function.template_types.begin(), function.template_types.end(), type) !=
             function.template_types.end();
}

bool is_t(const Signature& function, const std::string& type) {
  return is_real(function, type) && type != "float" && type != "double";
}

bool is_element(const Signature& function, const std::string& type) {
  return is_t(function, type) || array_type_named(type);
}

bool is_whole_type(const std::string& type) {
  const std::optional<ArrayType> known = array_type_named(type);
  return known && is_whole(known->element);
}

bool can_be_called(const Signature& function) {
  return !function.parameters.empty() &&
         std::all_of(function.parameters.begin(), function.parameters.end(),
                     [&](const Parameter& one) {
                       if (!is_identifier(one.name)) return false;
                       return one.pointer ? is_element(function, one.type)
                                          : is_real(function, one.type) || whole_types.contains(one.type);
                     }) &&
         std::any_of(function.parameters.begin(), function.parameters.end(),
                     [](const Parameter& one) { return one.pointer && !one.is_const; });
}

struct Draft {
  std::vector<Signature> functions;
  std::vector<Parameter> arrays;
  std::vector<std::string> sizes, scalars;
  std::set<std::string> types;  // T's; empty: each array says its own

  void collect();
  void choose_types(const std::set<std::string>& named);
  bool has_whole_results() const;
  std::string array_text(const Parameter& array) const;
  std::string length() const;
  std::string text(const std::string& file, const std::vector<std::string>& left_out) const;
  std::string variant(const Signature& function) const;
  std::string serial_variants() const;
  std::string name_of(const Signature& function) const;
  const Signature* without_threads() const;
  std::string threads_variant(const Signature& loop) const;
  std::string reference(const std::string& file) const;
  bool host_code = false;     // beside kernels, unfenced
  bool calls_openmp = false;  // its functions, not its directives alone
};

// `named`: the types that arrays have beside T.
void Draft::choose_types(const std::set<std::string>& named) {
  if (!types.empty() || named.size() != 1) return;
  const std::string type = *named.begin() == "int32_t" ? "int" : *named.begin();
  if (type != "float" && type != "double" && type != "int") return;
  types = {type};
  for (Parameter& one : arrays) one.type = "T";
}

bool Draft::has_whole_results() const {
  const bool whole_t = types == std::set<std::string>{"int"};
  return std::all_of(arrays.begin(), arrays.end(), [&](const Parameter& one) {
    return one.is_const || (one.type == "T" ? whole_t : is_whole_type(one.type));
  });
}

void Draft::collect() {
  std::set<std::string> named;
  const auto add = [](std::vector<std::string>* names, const std::string& name) {
    if (std::find(names->begin(), names->end(), name) == names->end()) names->push_back(name);
  };
  for (const Signature& function : functions)
    for (const Parameter& one : function.parameters) {
      if (one.pointer) {
        const auto known = std::find_if(arrays.begin(), arrays.end(),
                                        [&](const Parameter& a) { return a.name == one.name; });
        if (known == arrays.end()) {
          arrays.push_back(one);
          if (is_t(function, one.type))
            arrays.back().type = "T", types = {"float", "double"};
          else
            named.insert(one.type);
        } else {
          known->is_const = known->is_const && one.is_const;
        }
      } else if (whole_types.contains(one.type)) {
        add(&sizes, one.name);
      } else {
        add(&scalars, one.name);
      }
    }
  choose_types(named);
}

std::string Draft::array_text(const Parameter& array) const {
  const bool own = array.type != "T";
  const bool whole = own ? is_whole_type(array.type) : types == std::set<std::string>{"int"};
  return "  { name = \"" + array.name + "\", role = \"" + (array.is_const ? "in" : "inout") +
         "\", length = \"" + length() + "\"" + (own ? ", type = \"" + array.type + "\"" : "") + " }," +
         (!array.is_const ? "  # \"out\" if it is only written\n"
          : whole         ? "  # fill = { low = 0, high = 256 } if these are indices\n"
                          : "\n");
}

std::string Draft::length() const {
  std::string product;
  for (std::size_t i = 0; i < std::min<std::size_t>(sizes.size(), 3); ++i)
    product += (i ? " * " : "") + sizes[i];
  return product.empty() ? "N / " + std::to_string(arrays.size()) : product;
}

std::string arguments_text(const Signature& function) {
  std::string text;
  for (const Parameter& one : function.parameters) {
    const bool cast = !one.pointer && whole_types.contains(one.type) &&
                      (one.type == "int" || one.type.starts_with("unsigned"));
    const std::string type = one.type.starts_with("unsigned long") ? "uint64_t"
                             : one.type.starts_with("unsigned")    ? "unsigned"
                                                                   : "int";
    text += (text.empty() ? "\"" : ", \"") + (cast ? type + "(" + one.name + ")" : one.name) + "\"";
  }
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string variant_name(const Signature& function) {
  return (function.kernel ? "cuda." : function.threads ? "openmp." : "serial.") + lower(function.name);
}

// The first serial function is what speed-ups are over.
std::string Draft::name_of(const Signature& function) const {
  for (const Signature& one : functions)
    if (!one.kernel && !one.threads) return &one == &function ? "serial.baseline" : variant_name(function);
  return variant_name(function);
}

// The function to hold threads against: the first serial one, or the first with threads, whose directives compilers pass over, if it
// calls nothing of OpenMP. Null: there is none.
const Signature* Draft::without_threads() const {
  const Signature* threaded = nullptr;
  for (const Signature& one : functions) {
    if (!one.kernel && !one.threads) return &one;
    if (one.threads && !one.kernel && !threaded) threaded = &one;
  }
  return calls_openmp ? nullptr : threaded;
}

// "void saxpy_reference(int n, T a, const T* x, T* y)": what a function in T says of the same arguments.
std::string reference_signature(const Signature& function) {
  std::string text;
  for (const Parameter& one : function.parameters)
    text += (text.empty() ? "" : ", ") + std::string(one.pointer && one.is_const ? "const " : "") +
            (is_real(function, one.type) ? "T" : one.type) + (one.pointer ? "* " : " ") + one.name;
  return "void " + function.name + "_reference(" + text + ")";
}

// The reference, run in double precision where its code does not say float.
std::string Draft::reference(const std::string& file) const {
  const Signature* host = nullptr;
  for (const Signature& one : functions)
    if (!one.kernel && (!host || (host->threads && !one.threads))) host = &one;
  if (!host)
    return "# What is right: write it into the file that is named here, as a plain loop; T is double there.\n"
           "#   " +
           reference_signature(functions[0]) + "\nreference = { file = \"" + file +
           "_reference.cpp\", function = \"" + functions[0].name + "_reference\", arguments = [" +
           arguments_text(functions[0]) + "] }\n";
  const std::string name = host->threads && without_threads() ? "serial.baseline" : name_of(*host);
  const bool in_float = std::any_of(host->parameters.begin(), host->parameters.end(),
                                    [](const Parameter& one) { return one.pointer && one.type == "float"; });
  const auto real = std::find_if(arrays.begin(), arrays.end(), [](const Parameter& one) {
    return one.type == "float" || one.type == "double";  // what T is where `types` is not said
  });
  const bool float_is_t =
      types.empty() ? real != arrays.end() && real->type == "float" : types == std::set<std::string>{"float"};
  if (in_float && float_is_t)
    return "# It says float; with T in place of that, and without precision here, it is run in double precision.\n"
           "reference = { variant = \"" +
           name + "\", precision = \"float\" }\n";
  return "reference = \"" + name + "\"\n";
}

std::string variant_text(const std::string& name, const Signature& function) {
  std::string given;  // template arguments
  for (std::size_t i = 0; i < function.template_types.size(); ++i) given += i ? ", T" : "T";
  return "[variant.\"" + name + "\"]\nfunction = \"" + function.name +
         (given.empty() ? "" : "<" + given + ">") + "\"\narguments = [" + arguments_text(function) + "]\n";
}

bool has_threads(const std::vector<Signature>& functions) {
  return std::any_of(functions.begin(), functions.end(), [](const Signature& one) { return one.threads; });
}

// The loop of a function that is drafted with threads, too, where no function has some; null: there is none.
const Signature* loop_for_threads(const std::vector<Signature>& functions) {
  const auto serial =
      std::find_if(functions.begin(), functions.end(), [](const Signature& one) { return !one.kernel; });
  const bool independent = serial != functions.end() && !has_threads(functions) && serial->loop.at > 0 &&
                           serial->loop.dependence.empty();
  return independent ? &*serial : nullptr;
}

// The function with a directive before its loop; behind # where that might be wrong.
std::string Draft::threads_variant(const Signature& loop) const {
  const std::string text = variant_text("openmp." + lower(loop.name), loop);
  if (loop_for_threads(functions))
    return "\n# The same function with the directive that stands before its loop for this variant alone.\n" +
           text;
  const std::string why = loop.loop.at == 0 ? "it is not one loop" : loop.loop.dependence;
  std::string behind =
      "\n# Threads, if no iteration needs what another writes: to be checked, as " + why +
      ".\n# Then write `#pragma omp parallel for` before the loop, and take these # away.\n# ";
  for (const char c : text) behind += c == '\n' ? std::string("\n# ") : std::string(1, c);
  return behind.substr(0, behind.size() - 2);
}

// What tells threads' gain from the compiler's: the options of OpenMP's variants, on one core.
std::string Draft::serial_variants() const {
  const Signature* loop = without_threads();
  const bool named = std::any_of(functions.begin(), functions.end(),
                                 [&](const Signature& one) { return name_of(one) == "serial.native"; });
  if (!loop || named) return "";
  return (loop->threads ? "\n" + variant_text("serial.baseline", *loop) : "") +
         "\n# The same function with the options of openmp, on one core: threads gain what they gain over this.\n" +
         variant_text("serial.native", *loop) + (has_threads(functions) ? "" : threads_variant(*loop));
}

std::string Draft::variant(const Signature& function) const {
  std::string text = "\n" + variant_text(name_of(function), function);
  if (!function.kernel) return text;
  if (function.two_dimensional && sizes.size() >= 2)
    return text + "block = [\"block_x\", \"block_y\"]\ngrid = [\"ceil_div(" + sizes[0] +
           ", block_x)\", \"ceil_div(" + sizes[1] +
           ", block_y)\"]  # blocks; one element a thread?\ntune = { block_x = [32, 64, 128], block_y = [4, 1, 2, 8] }\n";
  return text + "block = [\"block_size\"]\ngrid = [\"ceil_div(" + length() +
         ", block_size)\"]  # blocks; one element a thread?\ntune = { block_size = [128, 64, 256, 512, 1024] }\n";
}

std::string Draft::text(const std::string& file, const std::vector<std::string>& left_out) const {
  std::string name = lower(std::filesystem::path(file).stem().string());
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  if (!is_identifier(name)) name = "own_" + name;
  const std::string count = std::to_string(arrays.size());
  std::string text = "/* sextant\nname = \"" + name + "\"\nformula = \"\"  # one line: what is computed\n";
  for (const std::string& one : types)
    text += (&one == &*types.begin() ? "types = [\"" : ", \"") + one + "\"";
  text += types.empty() ? "" : "]\n";
  const char* root = sizes.size() == 2 ? "sqrt" : "cbrt";
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    text += i == 0 ? "sizes = { " : ", ";
    const std::string first = sizes.size() == 1 ? "N / " + count : std::string(root) + "(N / " + count + ")";
    text += sizes[i] + " = " +
            (i == 0  ? "\"" + first + "\""
             : i < 3 ? "\"" + sizes[0] + "\""
                     : std::string("1"));
  }
  text += sizes.empty() ? "" : " }  # of N, the elements of all arrays\n";
  text += "arrays = [\n";
  for (const Parameter& one : arrays) text += array_text(one);
  text += "]\n";
  for (std::size_t i = 0; i < scalars.size(); ++i)
    text += (i ? ", " : "scalars = { ") + scalars[i] + " = 0.5";
  text += scalars.empty() ? "" : " }\n";
  text += "work = { flops = 0 }  # of one execution\n";
  text += reference(name);
  if (!has_whole_results())
    text +=
        "tolerance = { absolute = \"8 * eps\", relative = \"8 * eps\", reason = \"a guess: say how many roundings there are\" }\n";
  if (host_code)
    text +=
        "compiler = \"nvcc\"  # as host code stands beside kernels; nvrtc takes a tenth of the time, if fences keep them apart\n";
  for (const Signature& function : functions) text += variant(function);
  text += serial_variants();
  for (const std::string& one : left_out)
    text += "# left out, as its parameters have no place here: " + one + "\n";
  return text + "*/\n";
}

bool has_unfenced_host_code(const std::string& source, const std::vector<Signature>& functions) {
  const auto holds = [&](const char* text) { return source.find(text) != std::string::npos; };
  const auto kernel = [](const Signature& one) { return one.kernel; };
  return std::any_of(functions.begin(), functions.end(), kernel) && !holds("SEXTANT_MODEL_CUDA") &&
         !holds("__CUDACC_RTC__") &&
         (holds("#include <") || holds("<<<") || !std::all_of(functions.begin(), functions.end(), kernel));
}

}  // namespace

std::string draft_of(const std::string& source, const std::string& file) {
  if (has_description(source)) throw UserError(file + " describes itself already");
  Draft draft;
  std::vector<std::string> left_out;
  for (Signature& one : signatures_of(source)) {
    if (can_be_called(one))
      draft.functions.push_back(std::move(one));
    else
      left_out.push_back(one.name + " (line " + std::to_string(one.line) + ")");
  }
  if (draft.functions.empty())
    throw UserError(
        file +
        " has no function to describe: one with a pointer to results, of a type that arrays may have or of T, and else numbers");
  draft.collect();
  draft.host_code = has_unfenced_host_code(source, draft.functions);
  draft.calls_openmp = source.find("omp_") != std::string::npos;
  return draft.text(file, left_out);
}

std::string with_directive(const std::string& source) {
  std::vector<Signature> functions = signatures_of(source);
  std::erase_if(functions, [](const Signature& one) { return !can_be_called(one); });
  const Signature* function = loop_for_threads(functions);
  if (!function) return source;
  const std::size_t line = source.rfind('\n', function->loop.at) + 1;  // where that of the loop begins
  const bool first = source.find_first_not_of(" \t", line) == function->loop.at;
  const char* fence = "#ifdef SEXTANT_MODEL_OPENMP\n#pragma omp parallel for\n#endif\n";
  return std::string(source).insert(first ? line : function->loop.at,
                                    (first ? "" : "\n") + std::string(fence));
}

}  // namespace sextant::own
