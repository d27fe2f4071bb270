// The options that `sextant advise` chooses from, and the kinds of times that it predicts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sextant::predict {

// A programming model on a device. C++ parallel algorithms and OpenMP offloading are no options, because they
// have too few measurements. Their rows in the data set have no option.
enum class Option : std::uint8_t { serial, openmp, cpu_library, openacc, cuda, gpu_library };
inline constexpr std::size_t option_count = 6;
inline constexpr std::array<Option, option_count> all_options = {
    Option::serial, Option::openmp, Option::cpu_library, Option::openacc, Option::cuda, Option::gpu_library};

constexpr const char* name_of(Option option) {
  switch (option) {
    case Option::serial:
      return "serial";
    case Option::openmp:
      return "openmp";
    case Option::cpu_library:
      return "cpu_library";
    case Option::openacc:
      return "openacc";
    case Option::cuda:
      return "cuda";
    case Option::gpu_library:
      return "gpu_library";
  }
  return "?";
}

constexpr bool on_gpu(Option option) {
  return option == Option::openacc || option == Option::cuda || option == Option::gpu_library;
}

// The option of a case, from its model name and its device ("cpu", "gpu0"); nothing if it is no option.
std::optional<Option> option_of(std::string_view model, std::string_view device);

// True if the name of a variant tells that its threads take turns: a part of it is `atomic`, `critical` or a
// lock, as in "openmp.atomic_min".
bool takes_turns(std::string_view variant);

// Predicted times:
// - call: one call until its result is ready, with the data already on the option's device;
// - whole: the data start and end in host memory, so GPU options also allocate, copy in, copy out and
// release.
enum class Target : std::uint8_t { call, whole };
inline constexpr std::size_t target_count = 2;
inline constexpr std::array<Target, target_count> all_targets = {Target::call, Target::whole};

// The target under which an option's time is trained. On the CPU, both targets are the same time.
constexpr Target learnt_as(Option option, Target target) { return on_gpu(option) ? target : Target::call; }

constexpr const char* name_of(Target target) { return target == Target::call ? "call" : "whole"; }

}  // namespace sextant::predict
