#include "rows.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const needleman_wunsch::Sequences all(call);
  needleman_wunsch::fill_borders(all);
  for (std::int64_t i = 1; i <= all.n; ++i)
    needleman_wunsch::fill_row(all, i, 1, static_cast<std::int32_t>(all.n + 1));
}

}  // namespace

Variant needleman_wunsch_serial_scan() {
  Variant variant;
  variant.description = "a row as a running maximum, in the lanes of vectors";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
