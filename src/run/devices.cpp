#include "run/devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "base/error.hpp"
#include "machine/gpu_processors.hpp"
#include "present/format.hpp"
#include "record/gpu_kind.hpp"
#include "run/sweep.hpp"

namespace sextant {
namespace {

constexpr int most_gpus = 1000;  // limit of the GPU indices in a list such as gpu0-3

std::vector<std::string> names_of_gpus(const Environment& environment) {
  std::vector<std::string> gpus;
  for (int i = 0; environment.contains(fmt::format("gpu{}.name", i)); ++i)
    gpus.push_back(fmt::format("gpu{}", i));
  return gpus;
}

[[noreturn]] void no_list(const std::string& text) {
  throw UserError("`" + text +
                  "` of --devices is not valid. Write `all`, or a list of GPUs such as gpu0-3 or gpu0,gpu2. "
                  "`sextant list devices` lists the GPUs.");
}

int number_of(const std::string& text, const std::string& all) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0 || number >= most_gpus)
    no_list(all);
  return number;
}

// Returns the device names in a text such as "gpu0-3,gpu7", each name once.
std::vector<std::string> listed(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string part = text.substr(begin, end - begin);
    begin = end + 1;
    if (!part.starts_with("gpu")) no_list(text);
    const std::size_t dash = part.find('-');
    const int first = number_of(part.substr(3, dash == std::string::npos ? dash : dash - 3), text);
    std::string to = dash == std::string::npos ? std::to_string(first) : part.substr(dash + 1);
    if (to.starts_with("gpu")) to = to.substr(3);
    const int last = number_of(to, text);
    if (last < first) no_list(text);
    for (int i = first; i <= last; ++i)
      if (const std::string name = fmt::format("gpu{}", i);
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  }
  return names;
}

// Returns a description of a GPU such as "NVIDIA H200 with 141 GB at 700 W".
std::string described(const Environment& environment, const std::string& gpu) {
  std::string text = value_of(environment, gpu + ".name");
  if (const std::string memory = value_of(environment, gpu + ".memory"); !memory.empty())
    text += " with " + format_bytes(std::atof(memory.c_str()));
  if (const std::string limit = value_of(environment, gpu + ".power_limit"); !limit.empty())
    text += " at " + limit + " W";
  return text;
}

// Returns the value of CUDA_VISIBLE_DEVICES that selects only this GPU. If that variable is already set, the
// value is the GPU's entry there; otherwise it is the GPU's index.
std::string visible_gpu(const std::string& gpu) {
  const int number = number_of(gpu.substr(3), gpu);
  const char* all = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!all) return std::to_string(number);
  std::istringstream list(all);
  std::string one;
  for (int i = 0; i <= number; ++i) std::getline(list, one, ',');
  return one;
}

}  // namespace

RequestedDevices devices_asked(const std::string& text, const Environment& environment) {
  const std::vector<std::string> gpus = names_of_gpus(environment);
  const bool all = text == "all";
  const std::vector<std::string> wanted = all ? gpus : listed(text);
  if (gpus.empty()) {
    const std::string why = value_of(environment, "gpus.missing");
    throw UserError("--devices needs GPUs, but this machine has no GPU" +
                        (why.empty() ? "" : " (" + why + ")") + ". `sextant doctor` shows what is missing.",
                    ExitCode::missing);
  }
  RequestedDevices asked;
  for (const std::string& gpu : wanted) {
    if (std::find(gpus.begin(), gpus.end(), gpu) == gpus.end())
      throw UserError(
          fmt::format(
              "--devices names {}, but this machine has only {}. `sextant list devices` lists the GPUs.", gpu,
              fmt::join(gpus, ", ")),
          ExitCode::missing);
    const std::string& first = wanted.front();
    if (gpu_kind(environment, gpu) == gpu_kind(environment, first)) {
      asked.names.push_back(gpu);
      continue;
    }
    const std::string difference = fmt::format("{} is {}, {} is {}", gpu, described(environment, gpu), first,
                                               described(environment, first));
    if (!all)
      throw UserError("--devices needs GPUs of one model, but " + difference +
                      ". To measure on one GPU, use `-d " + gpu + "`.");
    asked.notes.push_back(gpu +
                          " is left out, because all GPUs of --devices must be of one model: " + difference);
  }
  return asked;
}

std::vector<WorkerSlot> slots_of(const std::vector<std::string>& devices, const Environment& environment) {
  std::vector<std::vector<Core>> near;
  for (const std::string& device : devices)
    near.push_back(cores_near(value_of(environment, device + ".bus_id")));
  const std::vector<std::vector<Core>> shares = shared_out(near);
  std::vector<WorkerSlot> slots = {{"cpu", worker_command()}};
  for (std::size_t i = 0; i < devices.size(); ++i) {
    WorkerSlot slot{devices[i], worker_command()};
    slot.worker.visible_gpu = visible_gpu(devices[i]);
    slot.worker.processors = processors_of(shares[i]);
    // One core gets no OpenMP threads, so that the thread that launches GPU work has it.
    const std::size_t first = shares[i].empty() ? 0 : shares[i].front().size();
    slot.worker.threads = static_cast<int>(std::max<std::size_t>(1, slot.worker.processors.size() - first));
    slots.push_back(slot);
  }
  return slots;
}

}  // namespace sextant
