// Writes a draft of the description of user kernels. It guesses facts that the source does not state, and
// marks them as guesses.
#include "own/draft/draft.hpp"

#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/join.hpp"
#include "own/description/description.hpp"
#include "own/draft/draft_text.hpp"
#include "own/draft/same_parameters.hpp"

namespace sextant::own {
namespace {

// Removes the functions that are left out.
void keep_asked(const DraftAsked& asked, std::vector<Signature>* functions) {
  std::erase_if(*functions, [&](const Signature& one) {
    return !(one.kernel ? asked.no_kernels : asked.no_host).empty();
  });
}

std::vector<std::string> names_of(const std::vector<Signature>& functions) {
  std::vector<std::string> names;
  for (const Signature& one : functions) names.push_back(one.name);
  return names;
}

}  // namespace

std::string draft_of(const std::string& source, const std::string& file, SourceFunctions found,
                     const DraftAsked& asked) {
  if (has_description(source))
    throw UserError(file + " already has a description. `sextant verify --load " + file + "` checks it.");
  const std::vector<std::string> all = names_of(found.functions);
  keep_asked(asked, &found.functions);
  const std::vector<std::string> kept = names_of(found.functions);
  DraftParts parts = draft_parts(source, file, std::move(found));
  std::vector<std::string> gone;
  for (const std::string& one : all)
    if (std::find(kept.begin(), kept.end(), one) == kept.end()) gone.push_back(one);
  if (!gone.empty())
    parts.left_out.push_back(join(gone) + ": " + (asked.no_host.empty() ? asked.no_kernels : asked.no_host));
  return Draft(parts, source, asked).text(file);
}

std::string draft_of(const std::string& source, const std::string& file) {
  return draft_of(source, file, functions_of(source, file), {});
}

bool has_host_version(const SourceFunctions& found) {
  const auto is_version = [&](const Signature& host) {
    return std::any_of(found.functions.begin(), found.functions.end(), [&](const Signature& one) {
      return (one.kernel || one.launches) && stem_of(one.name) == stem_of(host.name);
    });
  };
  return std::any_of(found.functions.begin(), found.functions.end(),
                     [&](const Signature& one) { return !one.kernel && !one.launches && is_version(one); });
}

std::set<std::string> arrays_of_unknown_length(const std::string& source, const std::string& file,
                                               SourceFunctions found, const DraftAsked& asked) {
  keep_asked(asked, &found.functions);
  std::set<std::string> names;
  for (const DraftArray& one : draft_parts(source, file, std::move(found)).arrays)
    if (one.has_unknown && (one.lengths.empty() || one.lengths[0].constant())) names.insert(one.name);
  return names;
}

std::string with_directive(const std::string& source, const std::string& file, SourceFunctions found,
                           const DraftAsked& asked) {
  keep_asked(asked, &found.functions);
  const DraftParts parts = draft_parts(source, file, std::move(found));
  std::vector<std::size_t> places;
  for (const Signature* one : loops_for_threads(parts)) places.push_back(one->loop.at);
  std::sort(places.rbegin(), places.rend());
  std::string text = source;
  for (const std::size_t at : places) {
    const std::size_t line = source.rfind('\n', at) + 1;  // start of the line that contains the loop
    const bool first = source.find_first_not_of(" \t", line) == at;
    const char* fence = "#ifdef SEXTANT_MODEL_OPENMP\n#pragma omp parallel for\n#endif\n";
    text.insert(first ? line : at, (first ? "" : "\n") + std::string(fence));
  }
  return text;
}

}  // namespace sextant::own
