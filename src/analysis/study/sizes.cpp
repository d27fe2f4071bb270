#include "analysis/study/sizes.hpp"

#include <algorithm>

namespace sextant {
namespace {

SizePoint point_of(const Summary& summary) {
  const double seconds = summary.work_time().median;
  const auto items = static_cast<double>(summary.measurement->work.items);
  SizePoint point{&summary, summary.flop_rate, {}, summary.bandwidth};
  if (items > 0 && seconds > 0) point.item_rate = items / seconds;
  return point;
}

bool faster(const Summary& a, const Summary& b) { return a.work_time().median < b.work_time().median; }

}  // namespace

SizeCurves size_curves(const StudyGroup& group) {
  SizeCurves curves;
  const auto place_of = [&](const Summary& summary) {
    const auto found =
        std::find(curves.variants.begin(), curves.variants.end(), summary.measurement->what.variant);
    return static_cast<std::size_t>(found - curves.variants.begin());
  };
  for (const StudyRow* row : group)
    for (const Summary* summary : row->all)
      if (summary->ok() && place_of(*summary) == curves.variants.size())
        curves.variants.push_back(summary->measurement->what.variant);
  for (const StudyRow* row : group) {
    SizeLine line{row, std::vector<SizePoint>(curves.variants.size()), {}};
    for (const Summary* summary : row->all) {
      if (!summary->ok()) continue;
      const std::size_t place = place_of(*summary);
      SizePoint& point = line.points[place];
      if (!point.summary || faster(*summary, *point.summary)) point = point_of(*summary);
    }
    for (std::size_t i = 0; i < line.points.size(); ++i) {
      const Summary* summary = line.points[i].summary;
      if (summary && !summary->excluded_from_ranking &&
          (!line.ahead || faster(*summary, *line.points[*line.ahead].summary)))
        line.ahead = i;
    }
    if (line.ahead || std::any_of(line.points.begin(), line.points.end(),
                                  [](const SizePoint& point) { return point.summary != nullptr; }))
      curves.lines.push_back(std::move(line));
  }
  return curves;
}

}  // namespace sextant
