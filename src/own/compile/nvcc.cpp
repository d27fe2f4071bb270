#include "own/compile/nvcc.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <filesystem>

#include "own/compile/cubin.hpp"

namespace sextant::own {
namespace {

constexpr const char* marker = "sextant_names";

// Returns the demangled name, "void saxpy<float>(int, float)", or the name itself.
std::string readable(const std::string& name) {
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  const std::string result = status == 0 && text ? text : name;
  std::free(text);
  return result;
}

}  // namespace

std::string nvcc() {
  const char* chosen = std::getenv("CUDACXX");
  if (chosen && *chosen) return chosen;
#ifdef SEXTANT_CUDA_INCLUDE
  if (!run_to_end({"nvcc", "--version"}, 10).started) {
    const std::filesystem::path sibling =
        std::filesystem::path(SEXTANT_CUDA_INCLUDE) / ".." / ".." / ".." / "bin" / "nvcc";
    for (const auto& path : {std::filesystem::path(SEXTANT_CUDA_INCLUDE) / ".." / "bin" / "nvcc", sibling})
      if (std::filesystem::exists(path)) return path.lexically_normal().string();
  }
#endif
  return "nvcc";
}

std::vector<std::string> nvcc_command(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = words_of(nvcc());
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

const std::string& nvcc_version() {
  static const std::string version = run_to_end(nvcc_command({"--version"}), 10).log;
  return version;
}

std::string naming_of(const Instance& instance) {
  std::string text = std::string("template <int, auto*> __global__ void ") + marker + "() {}\n";
  int step = 0;
  for (const DescribedStep* one : instance.variant.steps())
    text += std::string("template __global__ void ") + marker + "<" + std::to_string(step++) + ", &" +
            one->function + ">();\n";
  return text;
}

std::string named_kernel(const std::string& cubin, std::size_t step) {
  const std::vector<std::string> kernels = kernels_of(cubin);
  for (const std::string& one : kernels) {
    const std::string text = readable(one);
    const std::string begin = std::string("void ") + marker + "<";
    if (!text.starts_with(begin + std::to_string(step) + ", &") &&
        !text.starts_with(begin + "(int)" + std::to_string(step) + ", &"))
      continue;
    // For a C++ kernel, `text` is the full demangled signature. For a C kernel, it has only the name and the
    // parameters.
    for (const std::string& other : kernels) {
      if (other == one) continue;
      const std::string form = readable(other);
      if (text.find("&(" + form + (form == other ? "(" : ")")) != std::string::npos) return other;
    }
  }
  return "";
}

Ended run_nvcc(const std::vector<std::string>& options, const std::string& source, const std::string& image,
               const std::string& rule) {
  std::vector<std::string> command = nvcc_command({"-cubin", "-MMD", "-MF", rule});
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {source, "-o", image});
  return run_to_end(command, compile_seconds);
}

}  // namespace sextant::own
