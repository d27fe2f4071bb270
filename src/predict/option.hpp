// What `advise` chooses between, and what of it is predicted.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace sextant::predict {

// A strategy: where the work runs, and by whose code. C++'s parallel algorithms and OpenMP's offloading are
// none: their times stay in the data set with no option, since counting them as openmp or openacc would
// promise times of these that their code does not reach, and they were measured too seldom to be options of
// their own.
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

// The option that a case counts for: by its model's name and its device ("cpu", "gpu0"). Empty: it is none.
std::optional<Option> option_of(std::string_view model, std::string_view device);

// call: the data are where the option wants them, one call until its result is ready. whole: the data are in
// the host's memory and wanted there, so that a GPU's options allocate, copy in, launch, copy out and
// release.
enum class Target : std::uint8_t { call, whole };
inline constexpr std::size_t target_count = 2;
inline constexpr std::array<Target, target_count> all_targets = {Target::call, Target::whole};

// What an option's time is learnt as: on the CPU a whole is a call.
constexpr Target learnt_as(Option option, Target target) { return on_gpu(option) ? target : Target::call; }

constexpr const char* name_of(Target target) { return target == Target::call ? "call" : "whole"; }

}  // namespace sextant::predict
