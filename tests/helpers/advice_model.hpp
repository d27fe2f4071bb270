// Provides a hand-made advice model for tests, and a machine whose ceilings are round numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "predict/model.hpp"
#include "predict/profile.hpp"
#include "standard_model.hpp"

namespace sextant::predict::test {

// A machine with a 4-thread CPU (10 GB/s per core, 40 GB/s in total) and a GPU (1 TB/s, copies 10 GB/s).
inline Profile machine_with_gpu() {
  Session session;
  session.environment = {{"machine", "m"},
                         {"cpu", "A Processor"},
                         {"openmp.threads", "4"},
                         {"gpu0.name", "A GPU"},
                         {"gpu0.multiprocessors", "1"}};
  session.ceilings = {{"cpu", "copy", 1 << 20, 4e10},
                      {"cpu", "fp32", 0, 1e12},
                      {"cpu", "copy_core", 1 << 20, 1e10},
                      {"cpu", "fp32_core", 0, 2.5e11},
                      {"cpu", "launch_openmp", 0, 1e-6},
                      {"gpu0", "copy", 1 << 20, 1e12},
                      {"gpu0", "fp32", 0, 1e13},
                      {"gpu0", "launch_cuda", 0, 5e-6},
                      {"gpu0", "h2d_pageable", 1 << 28, 1e10},
                      {"gpu0", "h2d_pageable_latency", 0, 1e-5},
                      {"gpu0", "d2h_pageable", 1 << 28, 1e10},
                      {"gpu0", "d2h_pageable_latency", 0, 1e-5}};
  return profile_of(session);
}

// Returns the features of a kernel that copies floats: it reads and writes 4 bytes per item.
inline Form copy_form(std::int64_t items) {
  Form form;
  form.n = 2 * items;
  form.extents = {items, 1, 1};
  form.work = {.bytes_read = 4 * items, .bytes_written = 4 * items, .flops = items, .items = items};
  form.traits.launches = form.traits.depth = 1;
  form.arrays_in = form.arrays_out = 1;
  form.bytes_in = form.bytes_out = 4 * items, form.working_set = 8 * items;
  return form;
}

// A model with standard constants, trained on 2^10 to 2^30 items. `deviation` and `half_width` apply to the
// log time of each option.
inline AdviceModel constant_model(const std::vector<Option>& options, double deviation, double half_width) {
  AdviceModel model;
  model.machines = {hardware_of(machine_with_gpu())};
  for (const FormColumn& column : form_columns()) {
    const double low = std::log2(1 + column.value(copy_form(1 << 10))),
                 high = std::log2(1 + column.value(copy_form(1 << 30)));
    if (std::isfinite(low) && std::isfinite(high))
      model.ranges.push_back({column.name, std::min(low, high), std::max(low, high)});
  }
  for (const Option option : options)
    for (const Target target : all_targets)
      model.calibrations[static_cast<std::size_t>(option)][static_cast<std::size_t>(target)] = {
          half_width, 12, false, 0.9, deviation};
  return model;
}

}  // namespace sextant::predict::test
