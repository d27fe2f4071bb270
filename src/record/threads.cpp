#include "record/threads.hpp"

#include <algorithm>
#include <utility>

#include "record/keys.hpp"
#include "suite/thread_count.hpp"

namespace sextant {
namespace {

// The thread binding that workers use by default (engine/process/worker_process.cpp). Threads::binding omits
// it.
constexpr std::pair<const char*, const char*> usual_binding[] = {
    {"OMP_PROC_BIND", "close"}, {"OMP_PLACES", "cores"}, {"GOMP_CPU_AFFINITY", ""}};

std::string binding_of(const Environment& environment) {
  std::string text;
  for (const auto& [name, usual] : usual_binding)
    if (const std::string value = value_of(environment, std::string("env.") + name);
        !value.empty() && value != usual)
      text += (text.empty() ? "" : " ") + std::string(name) + "=" + value;
  return text;
}

}  // namespace

ThreadLibrary thread_library_by_name(const std::string& variant) {
  if (variant.starts_with("library.openblas")) return ThreadLibrary::openblas;
  if (variant.starts_with("library.fftw")) return ThreadLibrary::fftw;
  if (variant.starts_with("openmp.") || variant.starts_with("library.parallel")) return ThreadLibrary::openmp;
  return variant.starts_with("stdpar.") ? ThreadLibrary::tbb : ThreadLibrary::none;
}

Threads threads_of(const Environment& environment, const Case& what) {
  const ThreadLibrary library = what.thread_library;
  if (what.device != "cpu" || library == ThreadLibrary::none) return {};
  const auto given = std::find_if(what.tuning.begin(), what.tuning.end(),
                                  [](const auto& one) { return one.first == thread_count; });
  if (given != what.tuning.end() && library == ThreadLibrary::openmp)
    return {std::to_string(given->second), binding_of(environment)};
  const std::string own = value_of(environment, library == ThreadLibrary::openblas ? "openblas.threads"
                                                : library == ThreadLibrary::fftw   ? "fftw.threads"
                                                                                   : "openmp.threads");
  // OpenBLAS and TBB do not bind their threads
  const bool free = library == ThreadLibrary::openblas || library == ThreadLibrary::tbb;
  return {own.empty() ? value_of(environment, "openmp.threads") : own, free ? "" : binding_of(environment)};
}

std::string text_of(const Threads& threads) {
  return threads.count +
         (threads.binding.empty() ? "" : (threads.count.empty() ? "" : " ") + threads.binding);
}

std::string key_of(const Case& what, const Environment& environment) {
  return key_of(what) + '|' + text_of(threads_of(environment, what));
}

}  // namespace sextant
