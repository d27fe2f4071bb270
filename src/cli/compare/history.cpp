#include "cli/compare/history.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "analysis/compare/history.hpp"
#include "base/error.hpp"
#include "cli/compare/sides.hpp"
#include "cli/files/output.hpp"
#include "present/history_view.hpp"
#include "present/terminal.hpp"
#include "present/wrap.hpp"

namespace sextant {

bool print_history(const HistoryRequest& request) {
  if (request.files.empty())
    throw UserError(
        "--history needs the results files of several runs, as in `sextant compare --history "
        "runs/*.sextant`.");
  LoadedFiles files;
  files.data = request.data;
  const std::vector<Side> sides = load_sides(request.files, &files);
  std::map<const Session*, std::string> names;
  for (std::size_t i = 0; const Results& results : files.results) {
    for (const Session& session : results.sessions) names[&session] = files.paths[i];
    ++i;
  }
  History history = history_of(sides, request.threshold, request.time);
  if (history.runs.size() < 2)
    throw UserError(
        "--history needs at least two runs, but the files hold only one. `sextant run --fresh -o OTHER` "
        "makes another run.");
  const auto chosen = selected(sides, request.selection);
  std::erase_if(history.cases,
                [&](const CaseHistory& one) { return !chosen.contains(one.newest->measurement); });
  const bool printed = request.output.empty();
  const Terminal terminal = inspect_terminal(STDOUT_FILENO);
  const bool colour = printed && terminal.colour;
  const int room = printed && terminal.interactive ? terminal.columns : 0;
  const std::string line = history_line(history);
  std::string text = line;
  if (request.format == "json")
    text = to_json(history, names);
  else if (request.format == "table") {
    const Table cases = history_table(history, request.all, request.threshold);
    text = to_text(runs_table(history, names), colour, room) + "\n" +
           (cases.rows.empty() ? wrap(cases.note, room) + "\n" : to_text(cases, colour, room));
  }
  write_output(text, request.output);
  if (!printed) std::printf("%s", line.c_str());
  return std::any_of(history.cases.begin(), history.cases.end(),
                     [](const CaseHistory& one) { return one.regressed(); });
}

}  // namespace sextant
