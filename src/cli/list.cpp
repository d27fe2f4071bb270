// sextant list: lists kernels, variants, devices and features. Kernels and variants come from the registry;
// listing them uses no device.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "base/plural.hpp"
#include "cli/commands.hpp"
#include "cli/files/load.hpp"
#include "cli/files/machine_session.hpp"
#include "cli/list/features.hpp"
#include "cli/options/selection.hpp"
#include "engine/process/worker_questions.hpp"
#include "own/kernel/load.hpp"
#include "present/ceilings.hpp"
#include "present/format.hpp"
#include "present/links.hpp"
#include "present/table.hpp"
#include "record/keys.hpp"
#include "run/sweep.hpp"

namespace sextant {
namespace {

struct ListOptions {
  std::string what = "kernels";
  std::string file;
  SelectionOptions selection;
  bool json = false;
};

const char* memory_space_of(const Variant& variant) {
  switch (variant.memory_space) {
    case MemorySpace::host:
      return "host";
    case MemorySpace::cuda:
      return "cuda";
    case MemorySpace::openacc:
      return "openacc";
    case MemorySpace::target:
      return "target";
    case MemorySpace::partitioned:
      return variant.parts.needs_mpi ? "ranks" : "team";
  }
  return "?";
}

std::string arrays_of(const Kernel& kernel) {
  std::string text;
  for (const ArraySpec& array : kernel.arrays) {
    if (!text.empty()) text += ", ";
    text += std::string(array.name) + (array.type ? std::string(" ") + name_of(*array.type) : "") +
            (array.role == Role::in    ? ""
             : array.role == Role::out ? " out"
                                       : " in/out");
  }
  return text;
}

std::string types_of(const Kernel& kernel) {
  std::string text;
  for (const ElementType type : {ElementType::float32, ElementType::float64, ElementType::int32})
    if (kernel.has(type)) text += (text.empty() ? "" : ", ") + std::string(name_of(type));
  return text;
}

// Returns the tunables of a variant as text, with the default in brackets: block_size=32,64,[128],256
std::string tunables_of(const Variant& variant) {
  std::string text;
  for (const Tunable& tunable : variant.tunables) {
    text += (text.empty() ? "" : " ") + std::string(tunable.name) + "=";
    for (const int choice : tunable.choices) {
      const std::string value = std::to_string(choice);
      text += (text.back() == '=' ? "" : ",") + (choice == tunable.preferred ? "[" + value + "]" : value);
    }
  }
  return text;
}

std::vector<SelectedKernel> selected(const ListOptions& options) {
  Selection selection = options.selection.load_and_parse();
  if (selection.kernels.empty() && selection.suites.empty() && loaded().empty())
    selection.kernels = {".*"};  // Selects all kernels, not only the default ones.
  selection.names_only = true;
  return resolve(selection).kernels;
}

Table kernels_table(const ListOptions& options) {
  Table table;
  table.columns = {{"kernel"},
                   {.name = "suite", .spare = 5},
                   {.name = "group", .spare = 3},
                   {.name = "dwarf", .spare = 6},
                   {.name = "formula", .width = 36, .breaks = true},
                   {.name = "arrays", .breaks = true},
                   {.name = "array_of_1Mi", .title = "N=1Mi", .spare = 1},
                   {.name = "types", .breaks = true, .spare = 2},
                   {.name = "variants", .unit = Unit::count, .spare = 4}};
  for (const SelectedKernel& one : selected(options)) {
    const Kernel& kernel = one.kernel();
    table.rows.push_back({kernel.name, one.entry->suite, kernel.group,
                          kernel.dwarf.empty() ? Cell() : Cell(kernel.dwarf), kernel.formula,
                          arrays_of(kernel),
                          kernel.extents ? Cell(extents_text(kernel.extents(std::int64_t{1} << 20))) : Cell(),
                          types_of(kernel), static_cast<std::int64_t>(one.variants.size())});
  }
  table.note =
      "N counts the elements of all arrays of a kernel together. The column N=1Mi has the extents of an "
      "array\n"
      "at that size (4 MiB of float in all). -n 10M/array sets the elements of the largest array, -n 1GiB "
      "the\n"
      "bytes of all arrays.";
  return table;
}

// Returns a note that explains terms in the table.
std::string note_on(const std::vector<const Variant*>& variants) {
  const auto any = [&](auto&& is) { return std::any_of(variants.begin(), variants.end(), is); };
  std::string note;
  if (any([](const Variant* one) { return !one->tunables.empty(); }))
    note += "[in brackets]: the default; some variants choose it by the problem. ";
  if (any([](const Variant* one) { return one->memory_space == MemorySpace::partitioned; }))
    note += "ranks, team: divided among processes (-d 2xcpu, 2xgpu) or the GPUs of one process (-d gpu0-1). ";
  return note.substr(0, note.empty() ? 0 : note.size() - 1);
}

// Returns one line for each reason why variants are left out, with their number.
std::string note_on(const std::map<std::string, std::int64_t>& variants_left_out) {
  std::string note;
  for (const auto& [reason, count] : variants_left_out)
    note += "\nleft out: " + plural(count, "variant") + ", " + reason;
  return note;
}

Cell file_cell(const std::string& path) { return path.empty() ? Cell() : Cell(path, Tone::quiet); }

Table variants_table(const ListOptions& options) {
  Table table;
  table.columns = {{"kernel"},
                   {"variant"},
                   {"model", "-"},
                   {.name = "memory_space", .title = "memory space", .spare = 2},
                   {.name = "tunables", .breaks = true, .spare = 1},
                   {.name = "description", .breaks = true},
                   {.name = "file", .spare = 3},
                   {"built", "-"}};
  const bool all = options.selection.variants.empty();
  std::vector<const Variant*> shown;
  // For each reason, the number of variants that are left out.
  std::map<std::string, std::int64_t> variants_left_out;
  for (const SelectedKernel& one : selected(options)) {
    shown.insert(shown.end(), one.variants.begin(), one.variants.end());
    for (const Variant* variant : one.variants)
      table.rows.push_back({one.kernel().name, variant->name, name_of(variant->model),
                            memory_space_of(*variant), tunables_of(*variant), variant->description,
                            file_cell(source_path_of_variant(*one.entry, variant->name)), true});
    for (const LeftOut& left : left_out()) {
      if (!all || left.folder != one.entry->folder) continue;
      ++variants_left_out[left.reason];
      table.rows.push_back({Cell(one.kernel().name, Tone::quiet), Cell(left.variant, Tone::quiet),
                            model_of(left.variant), Cell(), Cell(),
                            Cell("left out: " + left.reason, Tone::quiet).as("left out"),
                            file_cell(left.file.empty() ? "" : source_path(*one.entry, left.file)), false});
    }
  }
  table.note = note_on(shown) + note_on(variants_left_out);
  return table;
}

// Returns an integer of the environment as a cell, or an empty cell if it is unknown.
Cell number_cell(const Environment& environment, const std::string& key) {
  const std::string text = value_of(environment, key);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? Cell(value) : Cell();
}

std::vector<std::string> gpus_of(const Environment& environment) {
  std::vector<std::string> gpus;
  for (int i = 0; environment.contains("gpu" + std::to_string(i) + ".name"); ++i)
    gpus.push_back("gpu" + std::to_string(i));
  return gpus;
}

Table devices_table() {
  const Environment environment = ask_environment(worker_command());
  Table table;
  table.columns = {{"device"}, {"name"}, {"memory", "", Unit::bytes}, {.name = "detail", .breaks = true}};
  const std::string cores = value_of(environment, "cpu.cores"),
                    threads = value_of(environment, "openmp.threads");
  table.rows.push_back({"cpu", value_of(environment, "cpu"), number_cell(environment, "memory"),
                        (cores.empty() ? "" : cores + " cores") +
                            (threads.empty() ? "" : ", " + threads + " OpenMP threads")});
  for (const std::string& gpu : gpus_of(environment))
    table.rows.push_back(
        {gpu, value_of(environment, gpu + ".name"), number_cell(environment, gpu + ".memory"),
         value_of(environment, gpu + ".multiprocessors") + " multiprocessors, compute capability " +
             value_of(environment, gpu + ".compute_capability") + ", driver " +
             value_of(environment, gpu + ".driver")});
  const std::string missing = value_of(environment, "gpus.missing");
  if (table.rows.size() == 1)
    table.note = "no GPU" + (missing.empty() ? "" : ": " + missing) + ". `sextant doctor` names remedies.";
  return table;
}

// Returns a warning if other programs were running. They lower the measured ceilings, especially those that
// need all threads. As in `sextant doctor`, the limit is a load of a quarter of the cores.
std::string loaded_text(const Environment& environment) {
  const std::string load = value_of(environment, "load"), cores = value_of(environment, "cpu.cores");
  if (std::atof(load.c_str()) <= 0.25 * std::atof(cores.c_str()) || std::atoi(cores.c_str()) == 0) return {};
  return "\nThe machine was busy (load " + load + " on " + plural(std::atoi(cores.c_str()), "core") +
         "). The processor's ceilings may be far too low. Measure them while nothing else runs.";
}

Table ceilings_table(const Session& session) {
  Table table;
  table.columns = {
      {"device"}, {"name"}, {"footprint", "", Unit::bytes}, {"value", "", Unit::number}, {"unit", "-"}};
  for (const Ceiling& ceiling : session.ceilings) {
    table.rows.push_back({ceiling.device, ceiling.name,
                          ceiling.footprint > 0 ? Cell(ceiling.footprint) : Cell(),
                          Cell(ceiling.value).as(format_value(ceiling)), unit_of(ceiling)});
  }
  table.note =
      "copy_core and similar names: one core; copy: all cores; footprint: bytes of all arrays. "
      "docs/reference/ceilings.md says how each is measured." +
      loaded_text(session.environment);
  return table;
}

// Prints the ceilings (measured hardware limits). JSON has all of them as rows. The text has an additional
// table for copies between each pair of GPUs.
void list_ceilings(const ListOptions& options) {
  const Session session = options.file.empty() ? measured_session() : stored_session(options.file);
  print(ceilings_table(session), options.json, 100);
  if (options.json) return;
  for (const LinksView& links : links_views(session.ceilings)) {
    std::printf("\n");
    print(links.pairs, false, 100);
  }
}

// Prints the profile. The JSON output can be read again as a profile.
void list_profile(const ListOptions& options) {
  const predict::Profile profile =
      options.file.empty() ? predict::profile_of(measured_session()) : stored_profile(options.file);
  if (options.json)
    std::printf("%s\n", predict::to_json(profile).c_str());
  else
    print(profile_table(profile), false, 100);
}

const std::vector<std::string> listed = {"kernels", "variants", "devices", "ceilings", "forms", "profile"};

void list(const ListOptions& options) {
  const SelectionOptions& asked = options.selection;
  if (!options.file.empty() && options.what != "ceilings" && options.what != "profile")
    throw UserError(
        "`sextant list " + options.what +
        "` takes no file. Only `sextant list ceilings FILE` and `sextant list profile FILE` read a file.");
  if (options.what != "forms" && !(asked.sizes.empty() && asked.parameters.empty() && asked.types.empty()))
    throw UserError("`sextant list " + options.what +
                    "` takes no sizes, parameters or types. Only `sextant list forms` takes them.");
  if (options.what == "kernels")
    print(kernels_table(options), options.json, 100);
  else if (options.what == "variants")
    print(variants_table(options), options.json, 100);
  else if (options.what == "devices")
    print(devices_table(), options.json, 100);
  else if (options.what == "ceilings")
    list_ceilings(options);
  else if (options.what == "forms")
    print(forms_table(asked), options.json, 120);
  else if (options.what == "profile")
    list_profile(options);
  else
    throw UserError("`sextant list` has no list `" + options.what + "`." +
                    did_you_mean(options.what, listed) +
                    " Choose `kernels`, `variants`, `devices`, `ceilings`, `forms` or `profile`.");
}

}  // namespace

void add_list(Command app, int*) {
  Command command = app.add_subcommand("list", "List kernels, variants, devices and device limits");
  const auto options = std::make_shared<ListOptions>();
  command
      .add_option(
          "what", options->what,
          "List `kernels`, their implementations (`variants`), `devices`, device limits (`ceilings`), kernel "
          "properties (`forms`) or this machine's measured speeds (`profile`) (default kernels)")
      .type_name("WHAT")
      .suggest({"kernels", "variants", "devices", "ceilings", "forms", "profile"});
  command
      .add_option("file", options->file,
                  "Take `ceilings` (device limits) or `profile` (machine speeds) from this results file, "
                  "without measuring")
      .type_name("FILE");
  options->selection.add_names(command);
  options->selection.add_problems(command, true);
  options->selection.add_suite(command);
  options->selection.add_load(command);
  command.add_flag("--json", options->json, "Print the list as JSON");
  command.footer(
      "Examples:\n"
      "  sextant list                       every kernel with its formula\n"
      "  sextant list variants -k matmul    each variant with tuning parameters and source file\n"
      "  sextant list devices               the devices of this machine\n"
      "  sextant list ceilings              device limits, which take seconds to measure\n"
      "  sextant list ceilings r.sextant    device limits that a results file holds\n"
      "  sextant list forms -k heat3d_r1 -n 64x64x64 --json   kernel properties, without running the kernel\n"
      "  sextant list profile --json > this.profile   this machine's limits, for `sextant advise`");
  command.callback([options] { list(*options); });
}

}  // namespace sextant
