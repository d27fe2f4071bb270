// Report section on tuning searches: how soon they found the best tuning, and how much it gained.
#include <algorithm>
#include <map>

#include "present/search_view.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

// Draws the best time so far over the number of evaluations, relative to the search's best time. Only
// improvements and the last evaluation are points of the line.
Line curve_of(const Search& search) {
  Line line{space_text(search.space), {}};
  const double best = best_after(search, search.steps.size());
  double so_far = 0;
  for (std::size_t i = 0; i < search.steps.size(); ++i) {
    const SearchStep& step = search.steps[i];
    const bool better = step.status == Status::ok && step.time > 0 && (so_far == 0 || step.time < so_far);
    if (better) so_far = step.time;
    if (so_far > 0 && (better || i + 1 == search.steps.size()))
      line.points.push_back({static_cast<double>(i + 1), so_far / best});
  }
  return line;
}

Strip times_of(const Search& search) {
  std::vector<double> times;
  for (const SearchStep& step : search.steps)
    if (step.status == Status::ok && step.time > 0) times.push_back(step.time);
  return strip_of(search.space.variant + ", " + name_of(search.space.problem.type) + ", N " +
                      std::to_string(search.space.problem.n),
                  times);
}

// Groups the searches by kernel, in the order of each kernel's first search.
std::vector<std::pair<std::string, std::vector<const Search*>>> by_kernel(
    const std::vector<Search>& searches) {
  std::vector<std::pair<std::string, std::vector<const Search*>>> kernels;
  for (const Search& search : searches) {
    auto found = std::find_if(kernels.begin(), kernels.end(),
                              [&](const auto& one) { return one.first == search.space.kernel; });
    if (found == kernels.end()) found = kernels.insert(kernels.end(), {search.space.kernel, {}});
    found->second.push_back(&search);
  }
  return kernels;
}

std::string figures(const std::vector<Search>& searches) {
  std::vector<std::pair<std::string, Spec>> curves, spaces;
  for (const auto& [kernel, list] : by_kernel(searches)) {
    std::vector<Line> lines;
    std::vector<Strip> strips;
    for (const Search* search : list) {
      lines.push_back(curve_of(*search));
      strips.push_back(times_of(*search));
    }
    curves.emplace_back(
        kernel, lines_spec({"evaluations", "", true}, {"best so far, over the best found", "", true}, lines));
    spaces.emplace_back(kernel, strips_spec(strips));
  }
  return "<div class=\"figures\">\n" +
         choice_html(
             {"search-curves", "How soon the best was found",
              "One line per search: the best time so far over the search's best, by evaluations; 1 is "
              "the best. The tables below hold the numbers."},
             curves) +
         choice_html({"search-spaces", "What the spaces look like",
                      "One strip per search: the distribution of the times of its tunings."},
                     spaces) +
         "</div>\n";
}

}  // namespace

std::string search_section(const Context& context) {
  const std::vector<Search>& searches = context.results.searches;
  if (searches.empty()) return "";
  std::string html = section_open("searches", "Searches for the best tuning") +
                     element("p", searches_sentence(searches)) + figures(searches);
  std::size_t number = 0;
  const View view = search_view(searches);
  for (auto table = view.texts.rbegin(); table != view.texts.rend(); ++table)
    html += html_table({*table, "searches-" + std::to_string(++number)});
  return html + command_html(context, "--by search") + "</section>\n";
}

}  // namespace sextant::report
