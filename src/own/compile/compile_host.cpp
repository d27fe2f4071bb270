// Compiles C++ variants of user kernels: the system's compiler makes a shared library from a few generated
// lines and the user's file.
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>

#include "base/child.hpp"
#include "base/error.hpp"
#include "base/join.hpp"
#include "base/overrun.hpp"
#include "own/compile/cache.hpp"
#include "own/compile/compile.hpp"
#include "own/compile/kept_images.hpp"
#include "own/compile/nvcc.hpp"
#include "own/compile/watch.hpp"

namespace sextant::own {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += (c == '"' || c == '\\' ? std::string("\\") : std::string()) + c;
  return out + "\"";
}

// Returns a #line directive, so that compiler messages about the following code refer to this position.
std::string at_place(const Place& place) {
  if (place.line <= 0) return "";
  return "#line " + std::to_string(place.line) + " " +
         quoted(fs::absolute(place.file).lexically_normal().string()) + "\n";
}

std::string cpp_type(const std::string& cast) {
  if (cast.ends_with("_t") && cast != "size_t") return "std::" + cast;
  return cast == "size_t" ? "std::size_t" : cast;
}

// Returns true for a struct that the description defines but the function's files do not mention. The array
// then has the type of the struct's members in the function's signature.
bool is_unknown_struct(const Description& description, const DescribedVariant& variant,
                       const std::string& name) {
  if (array_type_named(name)) return false;
  const std::string source = source_text(description, variant);
  const auto ends_word = [&](std::size_t at) {
    return at >= source.size() ||
           (source[at] != '_' && !std::isalnum(static_cast<unsigned char>(source[at])));
  };
  for (std::size_t at = source.find(name); at != std::string::npos; at = source.find(name, at + 1))
    if ((at == 0 || ends_word(at - 1)) && ends_word(at + name.size())) return false;
  return true;
}

std::string array_cpp_type(const Description& description, const DescribedVariant& variant, int index) {
  const auto at = static_cast<std::size_t>(index);
  const std::size_t own = description.arrays.size();
  const std::optional<ArrayType>& type =
      at < own ? description.arrays[at].type : variant.temporaries[at - own].type;
  if (type && is_unknown_struct(description, variant, type->cpp))
    return array_type_named(name_of(type->element))->cpp;
  return type ? type->cpp : "T";
}

std::string call_of(const Description& description, const DescribedVariant& variant,
                    const DescribedStep& step) {
  std::string text;
  int value = 0;
  for (const DescribedArgument& one : step.arguments) {
    const std::string index =
        std::to_string(one.kind == DescribedArgument::Kind::expression ? value++ : one.index);
    std::string type = cpp_type(one.cast), from = "values";
    if (one.kind == DescribedArgument::Kind::stream) {
      text += (text.empty() ? "" : ", ") + std::string("nullptr");
      continue;
    }
    if (one.kind == DescribedArgument::Kind::array) {
      type = array_cpp_type(description, variant, one.index) + "*";
      from = "arrays";
    } else if (one.kind == DescribedArgument::Kind::scalar) {
      type = one.cast.empty() ? "T" : type;
      from = "scalars";
    } else if (one.cast.empty()) {
      type = "std::int64_t";
    }
    text += (text.empty() ? "" : ", ") + std::string(one.element ? "*" : "") + "static_cast<" + type + ">(" +
            from + "[" + index + "])";
  }
  const std::string call = step.function + "(" + text + ");\n";
  if (step.result < 0) return call;
  const std::string type = array_cpp_type(description, variant, step.result);
  const std::string array = "arrays[" + std::to_string(step.result) + "]";
  if (variant.launcher)  // the array is in GPU memory
    return "{ const " + type + " result = " + call + "cudaMemcpy(" + array +
           ", &result, sizeof result, cudaMemcpyHostToDevice); }\n";
  return "*static_cast<" + type + "*>(" + array + ") = " + call;
}

const std::string& compiler() {
  static const std::string name = [] {
    const char* chosen = std::getenv("CXX");
    return std::string(chosen && *chosen ? chosen : "g++");
  }();
  return name;
}

std::vector<std::string> compiler_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = words_of(compiler());
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

const std::string& compiler_version() {
  static const std::string version = run_to_end(compiler_command({"--version"}), 10).log;
  return version;
}

std::vector<ArrayType> types_of(const Description& description, const DescribedVariant& variant) {
  std::vector<ArrayType> types;
  for (const std::vector<DescribedArray>* arrays : {&description.arrays, &variant.temporaries})
    for (const DescribedArray& one : *arrays)
      if (one.type) types.push_back(*one.type);
  return types;
}

// Returns true for a .cu file with host code. nvcc compiles the whole file, including its kernels and
// launches.
bool is_by_nvcc(const Instance& instance) {
  const std::vector<std::string>& files = instance.variant.compilation.files;
  if (instance.variant.launcher) return true;
  return instance.variant.compilation.nvcc &&
         std::any_of(files.begin(), files.end(), [](const std::string& one) { return one.ends_with(".cu"); });
}

bool is_by_clang(const Instance& instance) {
  return !is_by_nvcc(instance) && compiler_version().find("clang") != std::string::npos;
}

void add(const std::vector<std::string>& more, std::vector<std::string>* flags) {
  flags->insert(flags->end(), more.begin(), more.end());
}

std::vector<std::string> flags_of(const Instance& instance) {
  std::vector<std::string> flags = {"-fPIC"};
  const bool plain =
      instance.reference || instance.variant.launcher || instance.variant.name.starts_with("serial.baseline");
  if (instance.watched)
    add(watch_flags(is_by_clang(instance)), &flags);
  else if (finds_overruns() && !instance.variant.launcher)
    flags.insert(flags.end(), {"-O1", "-g", "-fsanitize=address", "-fno-omit-frame-pointer"});
  else if (plain)
    flags.insert(flags.end(), {"-O2"});
  else
    flags.insert(flags.end(), {"-O3", "-march=native", "-fno-math-errno", "-fopenmp-simd"});
  if (instance.variant.model == Model::openmp) flags.emplace_back("-fopenmp");
  std::vector<std::string> all = {"-std=c++20", "-shared"};
  if (instance.variant.launcher) all.insert(all.end(), {"-arch=" + instance.arch, "-lineinfo"});
  if (is_by_nvcc(instance)) {  // nvcc also compiles the device code
    all.insert(all.end(), {"-x", "cu", "-Xcompiler", join(flags, ",")});
  } else {
    all.insert(all.end(), {"-x", "c++", "-fdiagnostics-color=never", "-Wno-unknown-pragmas"});
    all.insert(all.end(), flags.begin(), flags.end());
  }
  if (instance.watched) add(watch_linker_flags(is_by_nvcc(instance)), &all);
  for (std::string& one : options_of(instance)) all.push_back(std::move(one));
  return all;
}

std::string explained(const Instance& instance, const Ended& ended, const std::string& command,
                      const fs::path& log) {
  const std::string& own_folder = instance.description.folder;
  const fs::path folder = fs::absolute(own_folder.empty() ? "." : own_folder).lexically_normal();
  std::string text = "does not compile: ";
  if (!ended.started)
    return is_by_nvcc(instance) ? "cannot be compiled: there is no " + nvcc() + " (set CUDACXX to one)"
                                : "cannot be compiled: there is no compiler " + compiler() +
                                      " (set CXX to one, or install g++)";
  if (ended.timed_out)
    text = "was not compiled within " + std::to_string(static_cast<int>(compile_seconds)) + " s";
  else if (ended.signal != 0)
    text = "was not compiled: the compiler was killed by signal " + std::to_string(ended.signal);
  else
    text += first_error(ended.log, folder.string());
  if (instance.reference)
    text = "the reference " + text +
           (instance.type == ElementType::float64
                ? ". The reference runs in double precision: write T instead of float, or use reference = { "
                  "variant = \"…\", precision = \"float\" }"
                : "");
  return text + "; all messages: " + log.string() + "; to repeat: " + command;
}

}  // namespace

std::string address_sanitizer_library() {
  static const std::string path = [] {
    const Ended ended = run_to_end(compiler_command({"-print-file-name=libasan.so"}), 10);
    const std::string text = ended.log.substr(0, ended.log.find('\n'));
    std::error_code error;
    return ended.well() && fs::path(text).is_absolute() && fs::exists(text, error) ? text : "";
  }();
  return path;
}

std::string shim(const Instance& instance) {
  const DescribedVariant& variant = instance.variant;
  std::string text = "#include <cstddef>\n#include <cstdint>\n";
  for (const auto& [name, value] : defines_of(instance)) text += "#define " + name + " " + value + "\n";
  text += std::string("using T = ") + name_of(instance.type) + ";\n";
  if (!is_by_nvcc(instance))
    text +=
        host_definitions(types_of(instance.description, variant), source_text(instance.description, variant));
  for (const std::string& one : variant.compilation.files)
    text += "#include " +
            quoted(fs::absolute(fs::path(instance.description.folder) / one).lexically_normal().string()) +
            "\n";
  text +=
      "extern \"C\" void sextant_step(int which, [[maybe_unused]] void* const* arrays, "
      "[[maybe_unused]] const double* scalars,\n"
      "                             [[maybe_unused]] const long long* values) {\n"
      "switch (which) {\n";
  const std::vector<const DescribedStep*> steps = variant.steps();
  for (std::size_t i = 0; i < steps.size(); ++i)
    text += "case " + std::to_string(i) + ":\n" +
            at_place(steps[i]->arguments.empty() ? steps[i]->function_place : steps[i]->arguments[0].place) +
            call_of(instance.description, variant, *steps[i]) + "break;\n";
  text += "}\n}\n";
  if (!variant.prepare.empty())
    text += "extern \"C\" void sextant_prepare() { " + variant.prepare + "(); }\n";
  if (variant.launcher)
    text +=
        "extern \"C\" const char* sextant_problem() {\n"
        "const cudaError_t error = cudaGetLastError();\n"
        "return error == cudaSuccess ? nullptr : cudaGetErrorString(error);\n}\n";
  return instance.watched ? text + watch_text() : text;
}

Image compile_host(const Instance& instance) {
  const std::string source = shim(instance);
  const std::vector<std::string> flags = flags_of(instance);
  Hash hash;
  hash.add(source)
      .add(source_text(instance.description, instance.variant))
      .add(is_by_nvcc(instance) ? nvcc() : compiler())
      .add(is_by_nvcc(instance) ? nvcc_version() : compiler_version());
  for (const std::string& one : flags) hash.add(one);
  const fs::path stem =
      cache_folder() / (instance.description.name + "." + instance.variant.name + "." + hash.hex());
  const std::string image = stem.string() + ".so", shim_file = stem.string() + ".cpp",
                    log = stem.string() + ".log";
  const bool llvm = is_by_clang(instance);
  if (is_cached(image)) return {image, "", llvm};
  const ImageLock lock(image);
  if (is_cached(image)) return {image, "", llvm};
  if (!write_file(shim_file, source)) return {"", "cannot be compiled: cannot write " + shim_file};
  const std::string temporary = image + "." + std::to_string(getpid()), rule = temporary + ".d";
  std::vector<std::string> command = is_by_nvcc(instance) ? nvcc_command(flags) : compiler_command(flags);
  std::vector<std::string> repeat = command;
  repeat.insert(repeat.end(), {shim_file, "-o", image});
  command.insert(command.end(), {"-MMD", "-MF", rule, shim_file, "-o", temporary});
  const Ended ended = run_to_end(command, compile_seconds);
  std::string rule_text;
  read_file(rule, &rule_text);
  std::error_code ignored;
  fs::remove(rule, ignored);
  if (!ended.well()) {
    fs::remove(temporary, ignored);
    write_file(log, label_of(instance) + "\n" + shell_text(repeat) + "\n" + ended.log);
    return {"", explained(instance, ended, shell_text(repeat), log)};
  }
  remember_included(image, dependencies(rule_text));
  fs::rename(temporary, image, ignored);
  if (ignored) return {"", "cannot be compiled: cannot write " + image};
  keep_cache_limit();
  return {image, "", llvm};
}

}  // namespace sextant::own
