#include "predict/profile.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <regex>
#include <utility>

namespace sextant::predict {
namespace {

double number_of(const Environment& environment, const std::string& key) {
  const std::string text = value_of(environment, key);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// The ceilings of one core, under the names of the all-core ceilings.
std::vector<Ceiling> of_one_core(const std::vector<Ceiling>& ceilings) {
  constexpr const char* suffix = "_core";
  std::vector<Ceiling> found;
  for (Ceiling ceiling : ceilings)
    if (ceiling.name.ends_with(suffix)) {
      ceiling.name.resize(ceiling.name.size() - std::string(suffix).size());
      found.push_back(ceiling);
    }
  return found;
}

// Costs of copies in one direction, from the measured rate, latency and times at several sizes.
CostOverSize copies(const std::vector<Ceiling>& ceilings, const std::string& name) {
  CostOverSize cost;
  for (const Ceiling& ceiling : ceilings) {
    if (ceiling.device != "gpu0" || !(ceiling.value > 0)) continue;
    if (ceiling.name == name && ceiling.footprint > 0)
      cost.add(ceiling.footprint, static_cast<double>(ceiling.footprint) / ceiling.value);
    if (ceiling.name == name + "_latency" || ceiling.name == name + "_time")
      cost.add(ceiling.footprint, ceiling.value);
  }
  return cost;
}

}  // namespace

void digest(Profile* profile) {
  profile->one_core = Roofline(of_one_core(profile->ceilings), "cpu");
  profile->all_cores = Roofline(profile->ceilings, "cpu");
  profile->on_gpu = Roofline(profile->ceilings, "gpu0");
  if (!profile->gpu) return;
  GpuProfile& gpu = *profile->gpu;
  gpu.copy_in = copies(profile->ceilings, "h2d_pageable");
  gpu.copy_out = copies(profile->ceilings, "d2h_pageable");
  gpu.allocate = copies(profile->ceilings, "alloc_cuda");
  gpu.release = copies(profile->ceilings, "release_cuda");
}

std::optional<double> CostOverSize::at(std::int64_t bytes) const {
  if (points_.empty()) return std::nullopt;
  const auto above = points_.lower_bound(bytes);
  if (above == points_.begin()) return above->second;
  const auto below = std::prev(above);
  if (above == points_.end())
    return below->second *
           (static_cast<double>(bytes) / static_cast<double>(std::max<std::int64_t>(below->first, 1)));
  const double share =
      static_cast<double>(bytes - below->first) / static_cast<double>(above->first - below->first);
  return below->second + share * (above->second - below->second);
}

Profile profile_of(const Session& session, const std::string& gpu) {
  const Environment& environment = session.environment;
  const auto number = [&](const std::string& key) { return number_of(environment, key); };
  Profile profile;
  profile.machine = machine_of(session);
  profile.processor = value_of(environment, "cpu");
  profile.sockets = number("cpu.sockets");
  profile.cores = number("cpu.cores");
  profile.threads = number("openmp.threads");
  profile.l1_cache = number("cpu.l1_cache");
  profile.l2_cache = number("cpu.l2_cache");
  profile.last_level_cache = number("cpu.last_level_cache");
  profile.memory = number("memory");
  profile.load = number("load");
  if (const std::string name = value_of(environment, gpu + ".name"); !name.empty())
    profile.gpu = GpuProfile{.name = name,
                             .multiprocessors = number(gpu + ".multiprocessors"),
                             .l2_cache = number(gpu + ".l2_cache"),
                             .memory = number(gpu + ".memory"),
                             .whole_multiprocessors = number(gpu + ".whole_multiprocessors"),
                             .pcie_generation = number(gpu + ".max_pcie_generation"),
                             .pcie_width = number(gpu + ".max_pcie_width"),
                             .copy_in = {},
                             .copy_out = {},
                             .allocate = {},
                             .release = {}};
  for (Ceiling ceiling : session.ceilings) {
    if (ceiling.device != "cpu" && ceiling.device != gpu) continue;
    if (ceiling.device == gpu) ceiling.device = "gpu0";
    profile.ceilings.push_back(ceiling);
  }
  digest(&profile);
  return profile;
}

bool is_loaded(double load, double threads) { return load > std::max(1.0, threads / 4); }

namespace {

std::string text_of(double count) { return std::to_string(static_cast<int>(count)); }

// Text such as "33 of 132 multiprocessors" if only a part of the GPU is available; empty for a whole GPU.
std::string part_of(const GpuProfile& gpu) {
  if (gpu.whole_multiprocessors <= 0) return "";
  return text_of(gpu.multiprocessors) + " of " + text_of(gpu.whole_multiprocessors) + " multiprocessors";
}

// Returns the GPU with all multiprocessors, even if only a part is available.
GpuProfile whole(GpuProfile gpu) {
  if (gpu.whole_multiprocessors > 0) gpu.multiprocessors = std::exchange(gpu.whole_multiprocessors, 0);
  return gpu;
}

std::string text_of(const GpuProfile& gpu) {
  std::string text = part_of(gpu);
  if (text.empty()) text = text_of(gpu.multiprocessors) + " multiprocessors";
  text = "; " + gpu.name + ", " + text;
  if (gpu.pcie_generation > 0)
    text += "; PCIe " + text_of(gpu.pcie_generation) + " x" + text_of(gpu.pcie_width);
  return text;
}

}  // namespace

std::string hardware_of(const Profile& profile) {
  return profile.processor + ", " + text_of(profile.threads) + " threads" +
         (profile.gpu ? text_of(*profile.gpu) : "");
}

std::string whole_hardware_of(const Profile& profile) {
  return profile.processor + (profile.gpu ? text_of(whole(*profile.gpu)) : "");
}

std::string whole_hardware_of(const std::string& hardware) {
  static const std::regex part(", [0-9]+ threads|[0-9]+ of (?=[0-9]+ multiprocessors)");
  return std::regex_replace(hardware, part, "");
}

std::vector<std::string> joined_by_threads(const std::vector<std::string>& hardware) {
  struct Joined {
    std::string before, after;
    std::vector<int> threads;
  };
  std::vector<Joined> all;
  for (const std::string& text : hardware) {
    const std::size_t end = text.find(" threads"), comma = text.rfind(", ", end);
    if (end == std::string::npos || comma == std::string::npos) {
      all.push_back({text, "", {}});
      continue;
    }
    const Joined one = {text.substr(0, comma), text.substr(end), {std::atoi(text.c_str() + comma + 2)}};
    const auto same = std::find_if(all.begin(), all.end(), [&](const Joined& other) {
      return other.before == one.before && other.after == one.after;
    });
    if (same == all.end())
      all.push_back(one);
    else
      same->threads.push_back(one.threads.front());
  }
  std::vector<std::string> texts;
  for (Joined& one : all) {
    std::sort(one.threads.begin(), one.threads.end());
    texts.push_back(one.before);
    for (const int threads : one.threads) texts.back() += ", " + std::to_string(threads);
    texts.back() += one.after;
  }
  return texts;
}

std::string partition_of(const Profile& profile) {
  const bool fewer_cores = profile.threads > 0 && profile.threads < profile.cores;
  const std::string cores =
      fewer_cores ? text_of(profile.threads) + " of " + text_of(profile.cores) + " cores" : "";
  const std::string gpu = profile.gpu ? part_of(*profile.gpu) : "";
  return cores + (!cores.empty() && !gpu.empty() ? ", " : "") + gpu;
}

}  // namespace sextant::predict
