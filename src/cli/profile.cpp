// sextant profile: shows the number and duration of launches and copies for each construct or call in a
// variant.
#include "analysis/profile/profile.hpp"

#include <unistd.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/files/output.hpp"
#include "cli/options/selection.hpp"
#include "cli/options/tuned.hpp"
#include "engine/profile_run.hpp"
#include "own/kernel/load.hpp"
#include "present/format.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

using Json = nlohmann::ordered_json;
// Default N. It is the array size of the examples in docs/explanation/programs/openacc-cases.md.
constexpr std::int64_t default_size = std::int64_t{1} << 20;

struct ProfileOptions {
  SelectionOptions selection;
  int calls = 1;
  std::string timeline;
  bool json = false;
};

std::vector<Case> plan_cases(const ProfileOptions& options) {
  SelectionOptions typed = options.selection;
  const std::string tuned = take_tuned(&typed);
  Selection selection = typed.load_and_parse();
  if ((selection.kernels.empty() && loaded().empty()) || selection.variants.empty())
    throw UserError(
        "`sextant profile` needs a kernel and a variant. Name them with -k NAME -v MODEL.NAME. `sextant list "
        "variants` lists the variants.");
  selection.default_size = default_size;
  Resolved resolved = resolve(selection);
  for (const SelectedKernel& kernel : resolved.kernels)
    for (const Variant* variant : kernel.variants)
      if (!needs_gpu(*variant))
        throw UserError(kernel.kernel().name + " " + variant->name +
                        " runs on the CPU. Choose a variant that runs on a GPU.");
  std::vector<Case> cases = cases_of(std::move(resolved.cases));
  std::vector<std::string> notes;
  if (!tuned.empty()) use_tuned(tuned, &cases, &notes);
  for (const std::string& note : notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  if (!options.timeline.empty() && cases.size() > 1)
    throw UserError("--timeline needs exactly one case, but the options select " +
                    std::to_string(cases.size()) + " cases. Name one variant, one size and one --type.");
  return cases;
}

// Returns a count as text: "4 times" or "once".
std::string times(std::int64_t count) { return count == 1 ? "once" : std::to_string(count) + " times"; }

std::string spread(const char* what, const Durations& durations) {
  if (!durations.count) return {};
  return std::string(what) + ": total " + format_seconds(durations.total) + ", max " +
         format_seconds(durations.longest) + ", min " + format_seconds(durations.shortest) + ", avg " +
         format_seconds(durations.average()) + "\n";
}

std::string extent(const std::array<int, 3>& shape) {
  std::string text = std::to_string(shape[0]);
  if (shape[1] > 1 || shape[2] > 1) text += "x" + std::to_string(shape[1]);
  if (shape[2] > 1) text += "x" + std::to_string(shape[2]);
  return text;
}

std::string to_text(const ProfiledKernel& kernel) {
  const std::int64_t count = std::max(kernel.device.count, kernel.elapsed.count);
  std::string text =
      "    kernel launched " + times(count) + ": " + (kernel.name.empty() ? "?" : kernel.name) + "\n";
  if (kernel.grid[0] > 0) text += "      grid " + extent(kernel.grid) + ", block " + extent(kernel.block);
  if (kernel.registers > 0) text += ", " + std::to_string(kernel.registers) + " registers a thread";
  if (kernel.grid[0] > 0) text += "\n";
  text += kernel.device.count ? "      " + spread("device time", kernel.device) : "";
  return text + (kernel.elapsed.count ? "      " + spread("elapsed time", kernel.elapsed) : "");
}

std::string to_text(const char* name, const ProfiledCopies& copies) {
  if (!copies.device.count) return {};
  return std::string("    ") + name + " " + times(copies.device.count) + ": " +
         format_bytes(static_cast<double>(copies.bytes)) + "\n      " + spread("device time", copies.device);
}

const char* kind_of(const ProfiledRegion& region) {
  if (region.directive == "call") return "calls";
  return region.computes ? "compute region" : region.directive == "data" ? "data region" : "directive";
}

std::string to_text(const ProfiledRegion& region, std::size_t order) {
  const std::string directive = region.directive == "call" ? "" : " `" + region.directive + "`";
  std::string text = "  " + std::to_string(order) + ". " + kind_of(region) + directive + " reached " +
                     times(region.elapsed.count);
  if (!region.function.empty()) text += ", in " + region.function;
  if (region.line > 0) text += ", line " + std::to_string(region.line);
  text += "\n    " + spread("elapsed time", region.elapsed);
  for (const ProfiledKernel& kernel : region.kernels) text += to_text(kernel);
  return text + to_text("copied in", region.in) + to_text("copied out", region.out) +
         to_text("copied or filled on the device", region.within);
}

Json to_json(const Durations& durations) {
  if (!durations.count) return nullptr;
  return {{"count", durations.count},
          {"total", durations.total},
          {"max", durations.longest},
          {"min", durations.shortest},
          {"avg", durations.average()}};
}

Json to_json(const ProfiledCopies& copies) {
  return {{"count", copies.device.count}, {"bytes", copies.bytes}, {"device_time", to_json(copies.device)}};
}

Json to_json(const ProfiledRegion& region) {
  Json kernels = Json::array();
  for (const ProfiledKernel& kernel : region.kernels)
    kernels.push_back({{"name", kernel.name},
                       {"launched", std::max(kernel.device.count, kernel.elapsed.count)},
                       {"grid", kernel.grid},
                       {"block", kernel.block},
                       {"registers", kernel.registers ? Json(kernel.registers) : Json()},
                       {"shared_memory", kernel.shared_memory},
                       {"device_time", to_json(kernel.device)},
                       {"elapsed_time", to_json(kernel.elapsed)}});
  return {{"kind", kind_of(region)},
          {"directive", region.directive},
          {"function", region.function.empty() ? Json() : Json(region.function)},
          {"line", region.line ? Json(region.line) : Json()},
          {"reached", region.elapsed.count},
          {"elapsed_time", to_json(region.elapsed)},
          {"kernels", kernels},
          {"copies_in", to_json(region.in)},
          {"copies_out", to_json(region.out)},
          {"copies_within", to_json(region.within)}};
}

Json to_json(const Case& one, const Profile& profile, const ProfileRun& run) {
  Json tuning = Json::object(), regions = Json::array();
  for (const auto& [name, value] : one.tuning)
    tuning[name] = value.text ? Json(value.text) : Json(value.number);
  for (const ProfiledRegion& region : profile.regions) regions.push_back(to_json(region));
  return {{"kernel", one.kernel},
          {"variant", one.variant},
          {"type", name_of(one.problem.type)},
          {"n", one.problem.n},
          {"tuning", tuning},
          {"device_records", profile.device_records},
          {"without_records", run.without_records.empty() ? Json() : Json(run.without_records)},
          {"regions", regions}};
}

std::string to_text(const Case& one, const Profile& profile, const ProfileRun& run) {
  std::string text = one.kernel + " " + one.variant + ", " + name_of(one.problem.type) + ", " +
                     (one.problem_class.empty() ? "N = " + std::to_string(one.problem.n) : one.problem_class);
  for (const auto& [name, value] : one.tuning) text += ", " + name + "=" + value_text(value);
  text += "\n";
  for (std::size_t i = 0; i < profile.regions.size(); ++i) text += to_text(profile.regions[i], i + 1);
  if (!run.without_records.empty())
    text +=
        "  No device times and no copies (" + run.without_records + "). The times are those of the host.\n";
  return text;
}

void profile(const ProfileOptions& options) {
  if (options.calls < 1) throw UserError("--calls must be at least 1.");
  Json list = Json::array();
  std::string text;
  for (const Case& one : plan_cases(options)) {
    const ProfileRun run = profile_case(one, options.calls);
    const Profile profile = make_profile(run.constructs, run.activities, run.without_records.empty());
    if (options.json)
      list.push_back(to_json(one, profile, run));
    else
      text += (text.empty() ? "" : "\n") + to_text(one, profile, run);
    if (!options.timeline.empty())
      write_output(make_timeline(run.constructs, run.activities), options.timeline);
  }
  write_output(options.json ? list.dump(2) + "\n" : text, "");
}

}  // namespace

void add_profile(Command app, int*) {
  Command command = app.add_subcommand("profile", "Show launches and copies of OpenACC and CUDA code");
  const auto options = std::make_shared<ProfileOptions>();
  options->selection.add_all_and_tuned(command);
  options->selection.add_load(command);
  command.take_last_by_default();
  command
      .add_option("--calls", options->calls,
                  "Record the kernel launches and data copies of COUNT calls (default 1)")
      .type_name("COUNT");
  command
      .add_option("--timeline", options->timeline,
                  "Write a timeline to FILE, too, for the viewer at ui.perfetto.dev")
      .type_name("FILE");
  command.add_flag("--json", options->json, "Print the profile as JSON, with times in seconds");
  command.footer(
      "A first call, which is not recorded, checks the result and warms up the device. The default size is N "
      "= 2^20 elements. Without a GPU, OpenACC variants run on the host, and the output has only regions and "
      "elapsed times.\n"
      "Examples:\n"
      "  sextant profile -k increment2 -v openacc.parallel_loop --type int   shows two pairs of copies\n"
      "  sextant profile -k increment2 -v openacc.data_region --type int     shows one pair of copies\n"
      "  sextant profile -k dot -v cuda.pinned_overlap --type double -n 2^25 --timeline dot.json");
  command.callback([options] { profile(*options); });
}

}  // namespace sextant
