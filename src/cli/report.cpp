// sextant report: converts results files to one HTML page.
#include "report/report.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/advise/blind.hpp"
#include "cli/commands.hpp"
#include "cli/files/load.hpp"
#include "cli/files/output.hpp"
#include "cli/options/data.hpp"
#include "cli/options/values.hpp"

namespace sextant {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string output = "report.html", share, equal;
};

void write_report(const Options& options) {
  apply_equal(options.equal);
  ReportOptions page;
  page.advise = blind_advice();
  if (!options.share.empty()) {
    page.share = parse_share(options.share, "--share", {.ask_below_one = true});
    std::fprintf(stderr, "%s\n", understood_share("--share", page.share).c_str());
  }
  std::vector<ReportFile> files;
  for (const std::string& path : options.files)
    files.push_back({std::filesystem::path(path).filename().string(), load_results(path)});
  // If files in several folders have the same name, they are shown with their paths.
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (files[i].name == files[j].name) {
        files[i].name = options.files[i];
        files[j].name = options.files[j];
      }
  const bool to_file = options.output != "-";
  write_output(make_report(std::move(files), page), to_file ? options.output : "");
  if (to_file) std::fprintf(stderr, "wrote %s. Open it in a browser.\n", options.output.c_str());
}

}  // namespace

void add_report(Command app, int*) {
  Command command = app.add_subcommand("report", "Write one HTML page about results files");
  const auto options = std::make_shared<Options>();
  command.add_option("files", options->files, "Read these results files").type_name("FILE").required();
  command
      .add_option("-o,--output", options->output,
                  "Write the page to FILE, or to standard output if FILE is `-` (default report.html)")
      .type_name("FILE");
  command
      .add_option("--share", options->share,
                  "Estimate whole-program speed-ups for kernels that take PERCENT of the program's time "
                  "(default 80%)")
      .type_name("PERCENT");
  add_equal(command, &options->equal);
  command.footer(
      "Examples:\n"
      "  sextant report r.sextant                          writes report.html\n"
      "  sextant report cluster.sextant laptop.sextant -o both.html");
  command.callback([options] { write_report(*options); });
}

}  // namespace sextant
