// sextant list: what there is. Kernels and variants come from the registry alone, no device is touched.
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/selection.hpp"
#include "cli/table.hpp"
#include "suite/error.hpp"
#include "suite/nearest.hpp"

namespace sextant {
namespace {

struct ListOptions {
  std::string what = "kernels";
  std::string file;
  SelectionOptions selection;
  bool json = false;
};

const char* name_of_home(Home home) {
  switch (home) {
    case Home::host:
      return "host";
    case Home::cuda:
      return "cuda";
    case Home::openacc:
      return "openacc";
  }
  return "?";
}

std::string arrays_of(const Kernel& kernel) {
  std::string text;
  for (const ArraySpec& array : kernel.arrays) {
    if (!text.empty()) text += ", ";
    text += std::string(array.name) + (array.role == Role::in    ? ""
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

// block_size 32,64,[128],256: the default in brackets.
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
  Selection selection = options.selection.parse();
  if (selection.kernels.empty()) selection.kernels = {".*"};  // not only the study's
  return select_variants(selection);
}

Table kernels_table(const ListOptions& options) {
  Table table;
  table.columns = {{"kernel"}, {"group"}, {"formula"}, {"arrays"}, {"types"}, {"variants", "", Unit::count}};
  for (const SelectedKernel& one : selected(options))
    table.rows.push_back({one.kernel().name, one.kernel().group, one.kernel().formula,
                          arrays_of(one.kernel()), types_of(one.kernel()),
                          static_cast<std::int64_t>(one.variants.size())});
  return table;
}

Table variants_table(const ListOptions& options) {
  Table table;
  table.columns = {{"kernel"},   {"variant"},     {"model", "-"}, {"home"},
                   {"tunables"}, {"description"}, {"built", "-"}};
  const bool all = options.selection.variants.empty();
  for (const SelectedKernel& one : selected(options)) {
    for (const Variant* variant : one.variants)
      table.rows.push_back({one.kernel().name, variant->name, name_of(variant->model),
                            name_of_home(variant->home), tunables_of(*variant), variant->description, true});
    for (const LeftOut& left : left_out())
      if (all && left.folder == one.entry->folder)
        table.rows.push_back({Cell(one.kernel().name, Tone::quiet), Cell(left.variant, Tone::quiet),
                              left.variant.substr(0, left.variant.find('.')), Cell(), Cell(),
                              Cell("left out: " + left.reason, Tone::quiet), false});
  }
  return table;
}

void list(const ListOptions& options) {
  if (options.what == "kernels")
    print(kernels_table(options), options.json);
  else if (options.what == "variants")
    print(variants_table(options), options.json);
  else
    throw UserError("`" + options.what + "` cannot be listed." +
                    did_you_mean(options.what, {"kernels", "variants", "devices", "ceilings"}) +
                    " `sextant list` takes kernels, variants, devices or ceilings.");
}

}  // namespace

void add_list(CLI::App& app, int*) {
  CLI::App* command = app.add_subcommand("list", "List kernels, variants, devices or ceilings");
  const auto options = std::make_shared<ListOptions>();
  command->add_option("what", options->what, "kernels (default), variants, devices or ceilings")
      ->type_name("WHAT");
  command->add_option("file", options->file, "ceilings: of this results file instead of measured now")
      ->type_name("FILE");
  options->selection.add_names(*command);
  command->add_flag("--json", options->json, "The same rows as JSON");
  command->footer(
      "Examples:\n"
      "  sextant list                       every kernel with its formula\n"
      "  sextant list variants -k matmul    one kernel's variants, their tunables (default in brackets)\n"
      "  sextant list devices               this machine's devices\n"
      "  sextant list ceilings              what they can do at best, measured now (seconds)\n"
      "  sextant list ceilings r.sextant    the same as stored with a run");
  command->callback([options] { list(*options); });
}

}  // namespace sextant
