// A hand-made kernel library for own_test: `own_scale` computes b[i] = 2 a[i]. OWN_BUG names its fault.
#include <csignal>
#include <cstdlib>
#include <limits>

#include "suite/plugin.hpp"

namespace sextant {
namespace {

#ifndef OWN_BUG
  #define OWN_BUG none
#endif
#ifndef OWN_NAME
  #define OWN_NAME "own_scale"
#endif

enum class Bug {
  none,
  dies_in_constructor,
  exits_in_folders,
  no_work,
  negative_work,
  moody_work,
  too_long,
  shrinks,
  unset,
  moody_constraint,
  bad_preferred,
  bad_adapt,
  no_output,
  no_problem,
  bad_name,
  twice
};
constexpr Bug bug = Bug::OWN_BUG;

struct Dies {
  Dies() {
    if (bug == Bug::dies_in_constructor) std::raise(SIGABRT);  // sanitizers do not intercept this signal
  }
};
const Dies dies;

template <typename T>
void launch(const Call& call) {
  const T* a = call.array<const T>(0);
  T* b = call.array<T>(1);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) b[i] = 2 * a[i];
}

template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const std::int64_t done = problem.extents.x - (bug == Bug::unset && problem.n == 97 ? 1 : 0);
  for (std::int64_t i = 0; i < done; ++i)
    results[1][i] = 2 * static_cast<double>(static_cast<const T*>(arrays[0])[i]);
}

std::int64_t halves(std::int64_t n) {
  if (bug == Bug::no_problem) return 0;
  if (bug == Bug::shrinks && n > 97) return 10;
  return bug == Bug::too_long ? n : n / 2;
}

std::int64_t calls = 0;

Work work(const Problem& problem) {
  const std::int64_t count = problem.extents.x + (bug == Bug::moody_work ? ++calls : 0);
  return {.bytes_read = 4 * count,
          .bytes_written = 4 * count,
          .flops = bug == Bug::negative_work ? -count : count,
          .items = count};
}

const char* constraint(const Problem&, const int*) {
  return bug == Bug::moody_constraint && ++calls % 2 ? "no" : nullptr;
}

std::vector<Kernel> kernels() {
  if (bug == Bug::exits_in_folders) std::exit(7);
  Kernel kernel;
  kernel.name = bug == Bug::bad_name ? "own scale" : OWN_NAME;
  kernel.formula = "b[i] = 2 a[i]";
  kernel.arrays = {{"a", Role::in}, {"b", bug == Bug::no_output ? Role::in : Role::out}};
  kernel.presentation.study = {default_study, 1};
  kernel.extents = [](std::int64_t n) { return Extents{halves(n), 1, 1}; };
  if (bug != Bug::no_work) kernel.work = work;
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "a factor of two is exact";
  if (bug == Bug::twice) return {kernel, kernel};
  return {kernel};
}

std::vector<Variant> variants() {
  Variant variant;
  variant.name = "baseline";
  variant.description = "the plain loop";
  variant.tunables = {{"width", {1, 2}, bug == Bug::bad_preferred ? 3 : 2}};
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = constraint;
  if (bug == Bug::bad_adapt) variant.adapt = [](const Problem&, int* tuning) { tuning[0] = 5; };
  return {variant};
}

std::vector<KernelFolder> folders() {
  return {{"own_scale", kernels, {{"serial.cpp", Model::serial, variants, {"baseline"}}}}};
}

constexpr LeftOutEntry left_out[] = {{"own_scale", "cuda.plain", "made by hand", "cuda.cu"}};

constexpr Plugin header() {
  Plugin plugin = plugin_header();
  plugin.compiler = "by hand";
  plugin.flags = OWN_FLAGS;
  plugin.version = "0";
  plugin.folders = folders;
  plugin.left_out = left_out;
  plugin.left_out_count = 1;
  return plugin;
}

}  // namespace
}  // namespace sextant

extern "C" {
__attribute__((visibility("default"))) extern const sextant::Plugin sextant_kernels;
constinit const sextant::Plugin sextant_kernels = sextant::header();
}
