// sextant merge: joins the results of several machines or shards in one file.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/plural.hpp"
#include "cli/commands.hpp"
#include "cli/files/load.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

struct MergeOptions {
  std::vector<std::string> files;
  std::string output;
};

void merge_files(const MergeOptions& options) {
  // All files are read before anything is written, so that an invalid file leaves the output unchanged. The
  // files are merged as they are stored. Fields that older versions lack are filled in when the merged file
  // is read.
  std::vector<Results> sources;
  for (const std::string& file : options.files) sources.push_back(read_results(file));
  ResultsFile into(options.output, ResultsFile::Mode::write);
  const std::size_t before = into.load().measurements.size();
  for (const Results& source : sources) merge(source, into);
  const Results merged = into.load();
  std::fprintf(stderr, "%s: %s of %s, %zu of them new\n", options.output.c_str(),
               plural(merged.measurements.size(), "measurement").c_str(),
               plural(merged.sessions.size(), "session").c_str(), merged.measurements.size() - before);
}

}  // namespace

void add_merge(Command app, int*) {
  Command command = app.add_subcommand("merge", "Join several results files in one");
  const auto options = std::make_shared<MergeOptions>();
  command.add_option("files", options->files, "Join these results files").type_name("FILE").required();
  command
      .add_option("-o,--output", options->output,
                  "Add the results of all input files to the results file FILE")
      .type_name("FILE")
      .required();
  command.footer(
      "Results that the output file already has stay unchanged, so merging twice changes nothing.\n"
      "Examples:\n"
      "  sextant merge shard1.sextant shard2.sextant -o all.sextant");
  command.callback([options] { merge_files(*options); });
}

}  // namespace sextant
