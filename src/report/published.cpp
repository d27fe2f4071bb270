#include "report/published.hpp"

#include <array>
#include <iterator>

namespace sextant::report {
namespace {

struct TransferTimes {
  const char* column;
  std::array<double, std::size(study_sizes)> seconds;  // time for each size in study_sizes
};

constexpr TransferTimes transfer_times[] = {
    {"cuda", {0.04e-3, 0.16e-3, 1.18e-3, 6.97e-3}},
    {"openacc", {9.48e-3, 8.75e-3, 10.87e-3, 21.52e-3}},
};

// Returns the published figures of the row's kernel in one programming model, or null.
const PublishedFigures* figures_of(const StudyRow& row, const std::string& column) {
  if (row.description)
    for (const PublishedFigures& figures : row.description->published)
      if (figures.column == column) return &figures;
  return nullptr;
}

std::optional<double> at(std::int64_t n, const std::vector<FigureAt>& figures) {
  for (const FigureAt& figure : figures)
    if (figure.n == n) return figure.value;
  return std::nullopt;
}

}  // namespace

std::optional<double> published_speedup(const StudyRow& row, const std::string& column) {
  const PublishedFigures* figures = figures_of(row, column);
  return figures ? at(row.n, figures->speedups) : std::nullopt;
}

std::optional<double> published_speedup_with_transfers(const StudyRow& row, const std::string& column) {
  const PublishedFigures* figures = figures_of(row, column);
  return figures ? at(row.n, figures->speedups_with_transfers) : std::nullopt;
}

std::optional<double> published_transfer_time(const std::string& column, std::int64_t n) {
  for (const TransferTimes& times : transfer_times)
    for (std::size_t i = 0; i < times.seconds.size(); ++i)
      if (column == times.column && study_sizes[i] == n) return times.seconds[i];
  return std::nullopt;
}

std::string published_block(const StudyRow& row, const std::string& column) {
  const PublishedFigures* figures = figures_of(row, column);
  return figures ? figures->block : "";
}

}  // namespace sextant::report
