// sextant export: the data set of a results file.
#include <memory>
#include <string>

#include "analysis/summary/data_set.hpp"
#include "analysis/summary/filter.hpp"
#include "analysis/summary/google_benchmark.hpp"
#include "cli/commands.hpp"
#include "cli/load.hpp"
#include "cli/output.hpp"
#include "cli/selection.hpp"

namespace sextant {
namespace {

struct ExportOptions {
  std::string file, format = "csv", output;
  SelectionOptions selection;
};

void export_data(const ExportOptions& options) {
  const Selection selection = options.selection.parse();
  const Results results = load_results(options.file);
  const std::vector<Summary> rows = filter(summarise(results), selection);
  write_output(options.format == "csv"                ? to_csv(rows)
               : options.format == "google-benchmark" ? to_google_benchmark(rows)
                                                      : to_ndjson(rows),
               options.output);
}

}  // namespace

void add_export(CLI::App& app, int*) {
  CLI::App* command = app.add_subcommand("export", "Write the data set of a results file, one row a case");
  const auto options = std::make_shared<ExportOptions>();
  command->add_option("file", options->file, "The results file")->type_name("FILE")->required();
  command
      ->add_option("--format", options->format,
                   "csv (default), ndjson: one JSON object a line, or google-benchmark: its JSON layout")
      ->type_name("csv|ndjson|google-benchmark")
      ->check(CLI::IsMember({"csv", "ndjson", "google-benchmark"}));
  command->add_option("-o,--output", options->output, "Write there instead of to standard output")
      ->type_name("FILE");
  options->selection.add_all(*command, true);
  command->footer(
      "Seconds, bytes, per second; a cell is empty where nothing is known. Examples:\n"
      "  sextant export r.sextant > r.csv                         everything\n"
      "  sextant export r.sextant --format ndjson -k triad -o t.ndjson\n"
      "  sextant export r.sextant --format google-benchmark -o r.json   for compare.py and dashboards");
  command->callback([options] { export_data(*options); });
}

}  // namespace sextant
