// sextant export: writes a data set for predictions, or tunings, from results files.
#include <algorithm>
#include <memory>
#include <string>

#include "analysis/summary/data_set.hpp"
#include "analysis/summary/filter.hpp"
#include "analysis/summary/google_benchmark.hpp"
#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/export/data_set.hpp"
#include "cli/export/tuning.hpp"
#include "cli/files/load.hpp"
#include "cli/files/output.hpp"
#include "cli/options/data.hpp"
#include "cli/options/selection.hpp"

namespace sextant {
namespace {

struct ExportOptions {
  std::vector<std::string> files;
  std::string format = "csv", output, data = "fresh", equal;
  SelectionOptions selection;
};

bool selects(const SelectionOptions& s) {
  return !(s.kernels.empty() && s.variants.empty() && s.sizes.empty() && s.tunings.empty() &&
           s.parameters.empty() && s.types.empty() && s.device.empty());
}

void export_data(const ExportOptions& options) {
  apply_equal(options.equal);
  const Selection selection = options.selection.load_and_parse();
  if (options.data == "seen" && options.format != "csv" && options.format != "ndjson" &&
      options.format != "google-benchmark")
    throw UserError(
        "`--data seen` applies only to the formats `csv`, `ndjson` and `google-benchmark`. Leave --data out, "
        "or choose one of these formats.");
  if (options.format == "data-set") {
    if (selects(options.selection))
      throw UserError(
          "`--format data-set` writes all cases of the results files. Leave the options that select cases "
          "out.");
    return export_data_set(options.files, options.output);
  }
  if (options.files.size() != 1)
    throw UserError("--format " + options.format +
                    " reads only one results file. `sextant merge` joins several files in one.");
  const std::string& file = options.files.front();
  const std::vector<std::string>& tunings = tuning_formats();
  if (std::find(tunings.begin(), tunings.end(), options.format) != tunings.end()) {
    if (selects(options.selection))
      throw UserError("--format " + options.format +
                      " writes all tuning results of the file. Leave the options that select cases out.");
    return export_tuning(file, options.format, options.output);
  }
  const Results results = load_results(file, options.data);
  const std::vector<Summary> rows = filter(summarise(results), selection);
  write_output(options.format == "csv"                ? to_csv(rows)
               : options.format == "google-benchmark" ? to_google_benchmark(rows)
                                                      : to_ndjson(rows),
               options.output);
}

}  // namespace

void add_export(Command app, int*) {
  Command command = app.add_subcommand("export", "Convert results to CSV, JSON or other formats");
  const auto options = std::make_shared<ExportOptions>();
  command
      .add_option("file", options->files, "Read this results file, or several files with `--format data-set`")
      .type_name("FILE")
      .required();
  command
      .add_option("--format", options->format,
                  "Write in the format `csv`, `ndjson`, `google-benchmark`, `header`, `tunings`, `t4`, "
                  "`kernel-tuner`, `compact` or `data-set` (default csv)")
      .type_name("FORMAT")
      .one_of({"csv", "ndjson", "google-benchmark", "header", "tunings", "t4", "kernel-tuner", "compact",
               "data-set"});
  command
      .add_option("-o,--output", options->output,
                  "Write to FILE instead of standard output (to `FOLDER/` if there are several output files)")
      .type_name("FILE");
  add_data(command, &options->data);
  add_equal(command, &options->equal);
  options->selection.add_all(command, true);
  options->selection.add_load(command);
  command.footer(
      "The formats `csv` and `ndjson` have one row per case, with times in seconds and sizes in bytes; "
      "unknown cells are empty. The formats `header` and `tunings` hold the fastest tuning of each variant. "
      "The formats `t4`, `kernel-tuner` and `compact` hold all measured tunings of a variant, for other "
      "auto-tuners. The format `data-set` is a folder of CSV files.\n"
      "Examples:\n"
      "  sextant export r.sextant > r.csv                               writes all cases\n"
      "  sextant export r.sextant --format ndjson -k triad -o t.ndjson\n"
      "  sextant export r.sextant --format google-benchmark -o r.json   for Google Benchmark's compare.py\n"
      "  sextant export tuned.sextant --format header -o tuned.h        writes the best tunings as #defines\n"
      "  sextant export tuned.sextant --format t4 -o spaces/            one file per variant and problem\n"
      "  sextant export data/h200/*.sextant --format data-set -o set/   writes training data of `advise`");
  command.callback([options] { export_data(*options); });
}

}  // namespace sextant
